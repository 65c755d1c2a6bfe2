"""How long the engine may think about a move when it plays against a person."""

from __future__ import annotations

from dataclasses import dataclass

from thudstone.engine.game import Limits

LEVELS = {"instant": 50, "quick": 250, "normal": 1000, "long": 5000}  # milliseconds a move


@dataclass
class Level:
    """Milliseconds a move, or nodes."""

    movetime: int
    nodes: int | None = None

    def set(self, text: str) -> None:
        """ValueError for text that is neither a level's name nor a number of milliseconds."""
        movetime = LEVELS.get(text) or (int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0)
        if not movetime:
            raise ValueError(f"no level {text!r}: there is {', '.join(LEVELS)}, or a number of milliseconds")
        self.movetime, self.nodes = movetime, None

    def limits(self) -> Limits:
        return Limits(movetime=self.movetime) if self.nodes is None else Limits(nodes=self.nodes)
