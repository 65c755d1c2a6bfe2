"""A move of Thud: where from, where to, what it captures."""

from __future__ import annotations

import re

from thudstone.engine.thud import core

# A leading d or t is a side letter only where a whole square still follows it: in `d5-d6` the d is a file.
_MOVE = re.compile(r"([dt]?)([a-p]\d{1,2})-([a-p]\d{1,2})((?:x[a-p]\d{1,2})*)", re.IGNORECASE | re.ASCII)
_SIDE = {"": "", "d": "d", "t": "T"}


class Move:
    """A move by its text: `dO11-O9`, `TF7-D5xC4`, a hurl `dG9-M9xM9`.

    The side letter may be missing, captures may come in any order, and letters may be in lower case; the move is kept
    as the engine writes it, captures by file, then row. Two moves are equal when their texts then are. Whether a move
    is legal is a position's to say.

    Raises ValueError for text that is no move: bad syntax, a square off the board, a capture named twice.
    """

    __slots__ = ("_text",)
    _text: str

    def __init__(self, text: str) -> None:
        found = _MOVE.fullmatch(text)
        if found is None:
            raise ValueError(f"{_shown(text)}: not a move (they look like dO11-O9, TF7-D5xC4, dG9-M9xM9)")
        side, start, target, captures = found.groups()
        try:
            squares = [core.square(start), core.square(target)]
            captured = [core.square(name) for name in captures.lower().split("x")[1:]]
        except ValueError as error:
            raise ValueError(f"{text}: {error}") from None
        if len(set(captured)) < len(captured):
            twice = next(square for square in captured if captured.count(square) > 1)
            raise ValueError(f"{text}: {core.square_name(twice)} is captured twice")
        captured.sort(key=lambda square: (square & 15, square >> 4))
        ends = "-".join(map(core.square_name, squares))
        self._text = _SIDE[side.lower()] + "x".join([ends, *map(core.square_name, captured)])

    @classmethod
    def _of(cls, text: str) -> Move:
        """A move from the text that the core wrote, which needs no check."""
        move = cls.__new__(cls)
        move._text = text
        return move

    @property
    def text(self) -> str:
        return self._text

    @property
    def side(self) -> str:
        """`d`, `T`, or `` where the text named no side."""
        return self._text[0] if self._text[0] in "dT" else ""

    @property
    def from_square(self) -> str:
        return self._text.lstrip("dT").split("-")[0]

    @property
    def to_square(self) -> str:
        return self._text.split("-")[1].split("x")[0]

    @property
    def captured(self) -> tuple[str, ...]:
        """The captured squares, by file, then row."""
        return tuple(self._text.split("x")[1:])

    @property
    def is_hurl(self) -> bool:
        """Whether a dwarf lands on the troll it takes."""
        return self.captured == (self.to_square,)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Move({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Move) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)


def _shown(text: str) -> str:
    """Text for a message: short, printable, on one line."""
    return ascii(text if len(text) <= 40 else text[:37] + "...")
