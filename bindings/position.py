"""A position of Thud that moves can be made on and taken back from."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from thudstone.diagram import diagram
from thudstone.engine.thud import core
from thudstone.move import Move

if TYPE_CHECKING:
    from thudstone.picture import Arrow, Theme

DWARFS = core.DWARFS
TROLLS = core.TROLLS
START = core.START

Direction = Literal["NW", "N", "NE", "W", "E", "SW", "S", "SE"]

_DIRECTIONS: tuple[Direction, ...] = ("NW", "N", "NE", "W", "E", "SW", "S", "SE")  # as the core counts them
_FILES = "ABCDEFGHJKLMNOP"
_ON_BOARD = frozenset((*core.SQUARES, core.square("H8")))
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

    Positions are equal when the same pieces stand on the same squares and the same side is to move: neither the moves
    behind them nor the counters nor the rule are looked at, so that transpositions are equal.
    """

    __slots__ = ("_board", "_start")
    _board: core.Board
    _start: str  # TFEN that the moves start from

    def __init__(self, tfen: str = START, rule: str = "any") -> None:
        self._set(core.Board(tfen, rule))

    def _set(self, board: core.Board) -> None:
        self._board = board
        self._start = board.tfen

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

    @classmethod
    def from_grid(cls, grid: str | Sequence[str], turn: int = DWARFS, rule: str = "any") -> Position:
        """A position from its 15 rows of 15 letters, as `grid` has them: `d`, `T`, `R`, `.` for an empty square and a
        blank off the board; a text has a row a line. ValueError names the square or the row that is wrong.
        """
        rows = grid.strip("\n").split("\n") if isinstance(grid, str) else list(grid)
        if len(rows) != 15:
            raise ValueError(f"{len(rows)} rows, should be 15")
        pieces: list[str] = []
        for number, row in enumerate(rows, start=1):
            if len(row.rstrip()) > 15:
                raise ValueError(f"row {number} has {len(row.rstrip())} letters, should be 15")
            for file_number, letter in enumerate(row.rstrip().ljust(15), start=1):
                name = f"{_FILES[file_number - 1]}{number}"
                on_board = 16 * number + file_number in _ON_BOARD
                if letter not in "dTR. " or (letter == " ") == on_board:
                    what = "a square of the board" if on_board else "off the board"
                    raise ValueError(f"{name} is {what}, but the grid has {letter!r} there")
                if letter in "dTR":
                    pieces.append(letter + name)
        return cls.from_pieces(",".join(pieces), turn, rule)

    @property
    def grid(self) -> tuple[str, ...]:
        """The board as 15 rows of 15 letters; see `from_grid`."""
        letters = {square: self._board.piece(square) or "." for square in _ON_BOARD}
        return tuple("".join(letters.get(row * 16 + file, " ") for file in range(1, 16)) for row in range(1, 16))

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
        return self._board.ply

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made since the start."""
        return tuple(self._board.moves_made())

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
        try:
            return self._board.find(text)
        except ValueError as error:
            raise IllegalMoveError(str(error)) from None

    def is_legal(self, move: Move | str) -> bool:
        return move in self.legal_moves

    def push(self, move: Move | str) -> Move:
        """Make a move and return it with all its parts. IllegalMoveError with the reason changes nothing."""
        try:
            return self._board.push_move(move)
        except ValueError as error:
            raise IllegalMoveError(str(error)) from None

    def pop(self) -> Move:
        """Take back the last move and return it. IndexError where there is none."""
        return self._board.pop_move()

    def captures(self) -> list[Move]:
        """The legal moves that capture."""
        return self._board.move_objects(captures=True)

    def hurls(self) -> list[Move]:
        """The legal hurls; none when the trolls are to move."""
        return self._board.move_objects(hurls=True)

    def shoves(self) -> list[Move]:
        """The legal shoves by two squares or more (by one it is a capturing step); none when the dwarfs are to move."""
        return self._board.move_objects(shoves=True)

    def attackers(self, square: str) -> tuple[str, ...]:
        """Where the pieces stand that could take what stands on `square` if their side were to move, row by row.
        Nobody takes from an empty square. ValueError off the board.
        """
        victim = self.piece(square)
        if victim not in ("d", "T"):
            return ()
        board = self._board.copy()
        if board.side == (DWARFS if victim == "d" else TROLLS):
            board.null()
        name = core.square_name(core.square(square))
        found = {move.from_square for move in board.move_objects(captures=True) if name in move.captured}
        return tuple(sorted(found, key=core.square))

    def line_length(self, square: str, direction: Direction | None = None) -> int:
        """How many pieces of one side stand in a straight line that ends on `square` as its front: as far as this piece
        may be hurled or shoved. `direction` is where the front looks, `N` being towards row 1 and `E` towards file P;
        without it the longest line counts. 0 for a square without dwarf or troll. ValueError off the board.
        """
        at = core.square(square)
        if direction is None:
            return max(self._board.run(at, way) for way in range(8))
        if direction not in _DIRECTIONS:
            raise ValueError(f"no direction {direction!r}: there is {', '.join(_DIRECTIONS)}")
        return self._board.run(at, _DIRECTIONS.index(direction))

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` moves there are from here. Other threads run meanwhile."""
        return self._board.perft(depth)

    def mirror(self) -> Position:
        """The mirror image, file A for file P, with the same side to move and counters, and no moves behind it."""
        return self._image(lambda file, row: (16 - file, row))

    def rotate(self, turns: int = 1) -> Position:
        """The position after so many quarter turns clockwise, as `mirror` does it."""
        position = self._image(lambda file, row: (file, row))
        for _ in range(turns % 4):
            position = position._image(lambda file, row: (16 - row, file))
        return position

    def _image(self, place: Callable[[int, int], tuple[int, int]]) -> Position:
        def moved(square: int) -> int:
            file, row = place(square & 15, square >> 4)
            return row * 16 + file

        board = self._board
        dwarfs, trolls = ([moved(square) for square in board.squares(side)] for side in (DWARFS, TROLLS))
        image = type(self).__new__(type(self))
        image._set(core.Board.from_pieces(dwarfs, trolls, board.side, board.quiet, board.turn, board.rule))
        return image

    def copy(self) -> Position:
        """An independent position with the same moves behind it."""
        twin = type(self).__new__(type(self))
        twin._board, twin._start = self._board.copy(), self._start
        return twin

    def outcome(self) -> Outcome | None:
        """How the battle ended, None while it goes on. Agreement and the limit without captures are not looked at."""
        why = self._board.end()
        return None if why == "none" else Outcome(self.points, self.margin, why)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine, theirs = self._board, other._board
        return mine.key == theirs.key and mine.side == theirs.side and all(
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
        return iter(self._board.move_objects())

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, (Move, str)):
            return False
        try:
            self._board.find(move)
        except ValueError:
            return False
        return True

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The moves as a NumPy array, read-only, of shape (n, 4) and bytes, in the order of the list: from, to,
        captured neighbours of `to` (a bit each, in the order NW N NE W E SW S SE), 1 for a hurl. A square's byte is
        16 * row + file, both from 1. NumPy reads the core's own memory; nothing is copied.
        """
        import numpy  # only those who ask for arrays have it

        array = numpy.asarray(memoryview(self._board.move_array()))
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError(f"moves are bytes: an array of {numpy.dtype(dtype)} is a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __repr__(self) -> str:
        return f"<{self.count()} legal moves>"
