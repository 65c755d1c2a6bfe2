"""A position of Thud that moves can be made on and taken back from."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from thudstone.diagram import diagram
from thudstone.engine.thud import core
from thudstone.move import Move

if TYPE_CHECKING:
    from thudstone.picture import Arrow, Theme

DWARFS = core.DWARFS
TROLLS = core.TROLLS
START = core.START

_PIECE = re.compile(r"([dtr])([a-z]\d{1,2})", re.IGNORECASE | re.ASCII)


class IllegalMoveError(ValueError):
    """A move that can't be played here: `dO8-O5: no dwarf on O8`. The position is as it was."""


@dataclass(frozen=True)
class Outcome:
    """How a battle ended: the points of both sides, the dwarfs' margin, and why (`no-move` or `no-pieces`)."""

    points: tuple[int, int]
    margin: int
    why: str


class Position:
    """A position with the moves that led to it.

    `tfen` is the position's text, the start by default; `rule` is a value of TrollCapture: `any`, `all-or-none`, `all`,
    `one`. ValueError says what is wrong with either.

    Positions are equal when the same pieces stand on the same squares and the same side is to move.
    """

    __slots__ = ("_board", "_start", "_words")
    _board: core.Board
    _start: str  # TFEN that the moves start from
    _words: list[int]  # the moves made since

    def __init__(self, tfen: str = START, rule: str = "any") -> None:
        self._set(core.Board(tfen, rule))

    def _set(self, board: core.Board) -> None:
        self._board = board
        self._start = board.tfen
        self._words = []

    @classmethod
    def from_pieces(cls, text: str, turn: int = DWARFS, rule: str = "any") -> Position:
        """A position from a piece list: `dF1,dG1,TG7,RH8`. ValueError names what is wrong with it."""
        squares: dict[str, list[int]] = {"d": [], "t": [], "r": []}
        for number, item in enumerate(text.split(","), start=1):
            piece = item.strip()
            found = _PIECE.fullmatch(piece)
            if found is None:
                shown = ascii(piece if len(piece) <= 20 else piece[:17] + "...")
                raise ValueError(f"piece {number} of the list, {shown}: not a piece on a square (as in dF1, TG7, RH8)")
            try:
                squares[found[1].lower()].append(core.square(found[2]))
            except ValueError as error:
                raise ValueError(f"piece {number} of the list, {piece}: {error}") from None
        if squares["r"] != [core.square("H8")]:
            wrong = "names no Thudstone" if not squares["r"] else "must name the Thudstone once, on H8"
            raise ValueError(f"the piece list {wrong} (RH8)")
        position = cls.__new__(cls)
        position._set(core.Board.from_pieces(squares["d"], squares["t"], turn, rule=rule))
        return position

    @property
    def tfen(self) -> str:
        return self._board.tfen

    @property
    def piece_list(self) -> str:
        """All pieces, row by row, dwarfs first: `dF1,dG1,…,TG7,…,RH8`. It does not say who is to move."""
        return ",".join([*(f"d{name}" for name in self.dwarfs), *(f"T{name}" for name in self.trolls), "RH8"])

    @property
    def rule(self) -> str:
        """Which captures trolls may choose, a value of TrollCapture."""
        return self._board.rule

    @property
    def turn(self) -> int:
        """DWARFS (0) or TROLLS (1)."""
        return self._board.side

    @property
    def dwarfs(self) -> tuple[str, ...]:
        """The dwarfs' squares, row by row."""
        return tuple(map(core.square_name, self._board.squares(DWARFS)))

    @property
    def trolls(self) -> tuple[str, ...]:
        """The trolls' squares, row by row."""
        return tuple(map(core.square_name, self._board.squares(TROLLS)))

    @property
    def points(self) -> tuple[int, int]:
        """Points of the dwarfs (1 each) and of the trolls (4 each)."""
        return self._board.dwarfs, 4 * self._board.trolls

    @property
    def margin(self) -> int:
        """Points of the dwarfs minus points of the trolls."""
        dwarfs, trolls = self.points
        return dwarfs - trolls

    @property
    def start(self) -> str:
        """The TFEN that the moves start from."""
        return self._start

    @property
    def ply(self) -> int:
        """How many moves were made since the start."""
        return len(self._words)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made since the start."""
        first = self.turn ^ (len(self._words) & 1)
        return tuple(Move._of(core.move_text(word, first ^ (ply & 1))) for ply, word in enumerate(self._words))

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the position as it is when they are asked for."""
        return LegalMoves(self._board)

    def piece(self, square: str) -> Literal["d", "T", "R", ""]:
        """`d`, `T`, `R`, or `` for an empty square. ValueError off the board."""
        letter = self._board.piece(core.square(square))
        assert letter in ("d", "T", "R", "")
        return letter  # type: ignore[return-value]

    def parse(self, text: str) -> Move:
        """A legal move from its text. IllegalMoveError with the reason."""
        return Move._of(core.move_text(self._parse(text), self.turn))

    def is_legal(self, move: Move | str) -> bool:
        return move in self.legal_moves

    def push(self, move: Move | str) -> Move:
        """Make a move and return it with all its parts. IllegalMoveError with the reason changes nothing."""
        word = self._parse(move)
        made = Move._of(core.move_text(word, self.turn))
        self._board.push(word)
        self._words.append(word)
        return made

    def pop(self) -> Move:
        """Take back the last move and return it. IndexError where there is none."""
        if not self._words:
            raise IndexError("no move to take back")
        word = self._words.pop()
        self._board.pop()
        return Move._of(core.move_text(word, self.turn))

    def copy(self) -> Position:
        """An independent position with the same moves behind it."""
        twin = type(self).__new__(type(self))
        twin._board, twin._start, twin._words = self._board.copy(), self._start, self._words.copy()
        return twin

    def outcome(self) -> Outcome | None:
        """How the battle ended, None while it goes on. Agreement and the limit without captures are not looked at."""
        why = self._board.end()
        return None if why == "none" else Outcome(self.points, self.margin, why)

    def _parse(self, move: Move | str) -> int:
        try:
            return self._board.parse(move.text if isinstance(move, Move) else move)
        except ValueError as error:
            raise IllegalMoveError(str(error)) from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine, theirs = self._board, other._board
        return mine.side == theirs.side and all(
            mine.squares(side) == theirs.squares(side) for side in (DWARFS, TROLLS)
        )

    def __hash__(self) -> int:
        return hash(self._board.key)

    def __repr__(self) -> str:
        return f"Position({self.tfen!r})"

    def diagram(self, marked: Collection[str] = ()) -> str:
        """The board as text, files and rows labelled; the `marked` squares stand in brackets."""
        return diagram(self._board, marked)

    def svg(
        self,
        last_move: Move | str | None = None,
        arrows: Iterable[Arrow] = (),
        squares: Collection[str] = (),
        flipped: bool = False,
        theme: Theme = "auto",
        size: int | None = None,
    ) -> str:
        """The board as an `<svg>` element; see `thudstone.picture.board_svg`. ValueError as there."""
        from thudstone.picture import board_svg  # drawing is not for the engine's start to load

        return board_svg(
            self, last_move=last_move, arrows=arrows, squares=squares, flipped=flipped, theme=theme, size=size
        )

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg(last_move=next(iter(self.moves[-1:]), None), size=420)

    def __str__(self) -> str:
        return diagram(self._board)


class LegalMoves:
    """The legal moves of a position, made when they are asked for: iterate, count, or ask `move in legal_moves`."""

    __slots__ = ("_board",)

    def __init__(self, board: core.Board) -> None:
        self._board = board

    def count(self) -> int:
        return self._board.legal_count()

    def __len__(self) -> int:
        return self._board.legal_count()

    def __bool__(self) -> bool:
        return self._board.legal_count() > 0

    def __iter__(self) -> Iterator[Move]:
        side = self._board.side
        return iter([Move._of(core.move_text(word, side)) for word in self._board.legal_moves()])

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, (Move, str)):
            return False
        try:
            self._board.parse(move.text if isinstance(move, Move) else move)
        except ValueError:
            return False
        return True

    def __repr__(self) -> str:
        return f"<{self.count()} legal moves>"
