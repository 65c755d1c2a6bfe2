"""Judgements kept in an SQLite file, by position up to symmetry, engine and limit."""

from __future__ import annotations

import json
import os
import sqlite3
from types import TracebackType

from thudstone.analysis import Judgement
from thudstone.engine.thud import core
from thudstone.position import Position
from thudstone.store import StoreError, opened
from thudstone.version import __version__

_APPLICATION = 0x54687563  # "Thuc", in the file's header: what is not ours is left alone
_SCHEMA = 1
_TABLE = (
    "CREATE TABLE IF NOT EXISTS judgement "
    "(place TEXT, searched TEXT, found TEXT NOT NULL, PRIMARY KEY (place, searched)) WITHOUT ROWID"
)


class Cache:
    """`limit` is a text that names the limit of each search. A result of another engine version or limit is not found.

    StoreError for a file that is no cache of ours, of a newer version, locked, or not to be written.
    """

    def __init__(self, path: str | os.PathLike[str], limit: str) -> None:
        self._limit = f"{__version__} {limit}"
        self._base = opened(path, "cache", _APPLICATION, _SCHEMA, [_TABLE])

    def get(self, position: Position) -> Judgement | None:
        """What was found before. StoreError where the file can't be read."""
        place, image = canonical(position)
        try:
            row = self._base.execute(
                "SELECT found FROM judgement WHERE place = ? AND searched = ?", (place, self._limit)
            ).fetchone()
            if row is None:
                return None
            score, depth, line = json.loads(row[0])
            moves = tuple(_mapped(move, _BACK[image]) for move in line)
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise StoreError(str(error)) from None
        if moves and moves[0] not in position.legal_moves:
            raise StoreError(f"holds an illegal move, {moves[0]}")
        return Judgement(score, depth, moves[0] if moves else None, moves)

    def put(self, position: Position, judgement: Judgement) -> None:
        """Keep a judgement, in the file when this returns. StoreError where it can't be."""
        place, image = canonical(position)
        line = [_mapped(move, image) for move in judgement.line]
        found = json.dumps([judgement.score, judgement.depth, line])
        try:
            self._base.execute("INSERT OR REPLACE INTO judgement VALUES (?, ?, ?)", (place, self._limit, found))
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def close(self) -> None:
        self._base.close()

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def canonical(position: Position) -> tuple[str, int]:
    """A text that is the same for the eight images of a position, and the number of the image it was written from."""
    return min((_written(position, image), image) for image in range(8))


def _written(position: Position, image: int) -> str:
    dwarfs = "".join(sorted(_turned(name, image) for name in position.dwarfs))
    trolls = "".join(sorted(_turned(name, image) for name in position.trolls))
    return f"{position.rule} {position.turn} {dwarfs} {trolls}"


def _turned(name: str, image: int) -> str:
    square = core.square(name)
    file, row = square & 15, square >> 4
    if image & 1:
        file = 16 - file
    if image & 2:
        row = 16 - row
    if image & 4:
        file, row = row, file
    return core.square_name(row * 16 + file)


# The image that undoes each: an exchange of files and rows comes last, so undone it exchanges the mirrors.
_BACK = (0, 1, 2, 3, 4, 6, 5, 7)


def _mapped(move: str, image: int) -> str:
    side = move[0] if move[0] in "dT" else ""
    path, *captures = move[len(side) :].split("x")
    ends = "-".join(_turned(name, image) for name in path.split("-"))
    taken = sorted((core.square(_turned(name, image)) for name in captures), key=lambda s: (s & 15, s >> 4))
    return side + "x".join([ends, *map(core.square_name, taken)])
