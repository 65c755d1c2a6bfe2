"""Suites: positions with the moves that are best in them, one a line.

    TFEN; bm MOVE [MOVE ...]; plies N; margin M

`bm` are all best moves, `plies` within how many they reach the outcome, `margin` is that outcome in points, dwarfs
minus trolls. `plies` and `margin` may be left out, and other parts are skipped, as are empty lines and those that begin
with `#`.
"""

from __future__ import annotations

from dataclasses import dataclass

from thudstone.position import Position


@dataclass(frozen=True)
class Problem:
    """A position and its best moves."""

    tfen: str
    best: tuple[str, ...]
    plies: int | None = None
    margin: int | None = None

    def __str__(self) -> str:
        parts = [self.tfen, f"bm {' '.join(self.best)}"]
        if self.plies is not None:
            parts.append(f"plies {self.plies}")
        if self.margin is not None:
            parts.append(f"margin {self.margin}")
        return "; ".join(parts)


def read(text: str, rule: str = "any") -> list[Problem]:
    """The problems of a suite. ValueError names the line and what is wrong with it."""
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            problems.append(_problem(line, rule))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    if not problems:
        raise ValueError("no position in it")
    return problems


def _problem(line: str, rule: str) -> Problem:
    tfen, *rest = (part.strip() for part in line.split(";"))
    position = Position(tfen, rule)
    values = {word: words for word, *words in (part.split() for part in rest if part)}
    if not values.get("bm"):
        raise ValueError("no 'bm MOVE' after the position")
    numbers: dict[str, int | None] = {"plies": None, "margin": None}
    for name in numbers:
        if name in values:
            try:
                (word,) = values[name]
                numbers[name] = int(word)
            except ValueError:
                raise ValueError(f"{name} should be followed by one number") from None
    best = tuple(position.parse(move).text for move in values["bm"])
    return Problem(position.tfen, best, numbers["plies"], numbers["margin"])
