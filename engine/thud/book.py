"""The opening book: analysed positions by their least image, with the best moves of each.

A line of its file is

    TFEN; plies P; depth D; MOVE SCORE SEARCHED; MOVE SCORE SEARCHED ...

TFEN is the position without counters, in the image that `symmetry.canonical` chooses; P the plies from the start; D the
depth that was searched. Of each move, best first, SCORE is what the book knows of it (what follows in the book
included) and SEARCHED what the search of this position said, both in hundredths of a point for the side to move. Lines
that begin with `#` are comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from thudstone.engine.thud import core
from thudstone.engine.thud.symmetry import BACK, canonical, turned_move

SHIPPED = Path(__file__).with_name("data") / "book.txt"
RULE = "any"  # the TrollCapture that its moves are for


class BookError(ValueError):
    """A book that can't be read: the line and the reason."""


@dataclass
class BookMove:
    text: str
    score: int
    searched: int


@dataclass
class Entry:
    """A position of the book. `moves` are those of the canonical image, best first."""

    tfen: str
    plies: int
    depth: int
    moves: list[BookMove]

    def __str__(self) -> str:
        moves = (f"{move.text} {move.score} {move.searched}" for move in self.moves)
        return "; ".join([self.tfen, f"plies {self.plies}", f"depth {self.depth}", *moves])


class Book:
    """Entries by their TFEN."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = {entry.tfen: entry for entry in entries}

    @classmethod
    def read(cls, path: Path = SHIPPED) -> Book:
        """BookError names the line; OSError where there is no such file."""
        try:
            lines = path.read_text(encoding="ascii").splitlines()
        except UnicodeDecodeError:
            raise BookError("not a text file in ASCII") from None
        return cls(_entry(line, number) for number, line in enumerate(lines, 1) if line and line[0] != "#")

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def add(self, entry: Entry) -> None:
        self._entries[entry.tfen] = entry

    def get(self, tfen: str) -> Entry | None:
        """The entry of a canonical TFEN."""
        return self._entries.get(tfen)

    def find(self, board: core.Board) -> Entry | None:
        """The entry of a position, whichever image it is, with the moves of that image."""
        tfen, image = canonical(board)
        entry = self._entries.get(tfen)
        if entry is None:
            return None
        turned = (BookMove(turned_move(m.text, BACK[image]), m.score, m.searched) for m in entry.moves)
        return Entry(board.tfen, entry.plies, entry.depth, list(turned))


def _entry(line: str, number: int) -> Entry:
    tfen, *fields = (field.strip() for field in line.split(";"))
    try:
        board = core.Board(tfen, RULE)
        if canonical(board)[0] != tfen:
            raise ValueError("the position is not in the form that the book keeps")
        plies, depth = (_number(field, word) for field, word in zip(fields[:2], ("plies", "depth"), strict=True))
        moves = []
        for field in fields[2:]:
            text, score, searched = field.split()
            moves.append(BookMove(core.move_text(board.parse(text), board.side), int(score), int(searched)))
    except ValueError as error:
        raise BookError(f"line {number}: {error}") from None
    if not moves:
        raise BookError(f"line {number}: no moves")
    return Entry(tfen, plies, depth, moves)


def _number(field: str, word: str) -> int:
    name, _, value = field.partition(" ")
    if name != word or not value.isdecimal():
        raise ValueError(f"{field!r} should be {word} and a number")
    return int(value)
