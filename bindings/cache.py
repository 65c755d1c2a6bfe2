"""Judgements kept in an SQLite file, by position up to symmetry, engine and limit."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from functools import cache
from pathlib import Path
from types import TracebackType

from thudstone.analysis import Judgement
from thudstone.engine.thud import core
from thudstone.engine.thud.symmetry import BACK, canonical, turned_move
from thudstone.position import Position
from thudstone.store import StoreError, opened

_APPLICATION = 0x54687563  # "Thuc", in the file's header: what is not ours is left alone
_SCHEMA = 1
_TABLE = (
    "CREATE TABLE IF NOT EXISTS judgement "
    "(place TEXT, searched TEXT, found TEXT NOT NULL, PRIMARY KEY (place, searched)) WITHOUT ROWID"
)


class Cache:
    """`limit` is a text that names the limit of each search. What another limit or build of the engine found is not
    given.

    StoreError for a file that is no cache of ours, of a newer version, locked, or not to be written.
    """

    def __init__(self, path: str | os.PathLike[str], limit: str) -> None:
        self._limit = f"{_engine()} {limit}"
        self._base = opened(path, "cache", _APPLICATION, _SCHEMA, [_TABLE])

    def get(self, position: Position) -> Judgement | None:
        """What was found before. StoreError where the file can't be read."""
        place, image = _place(position)
        try:
            row = self._base.execute(
                "SELECT found FROM judgement WHERE place = ? AND searched = ?", (place, self._limit)
            ).fetchone()
            if row is None:
                return None
            score, depth, line = json.loads(row[0])
            moves = tuple(turned_move(move, BACK[image]) for move in line)
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise StoreError(str(error)) from None
        if moves and moves[0] not in position.legal_moves:
            raise StoreError(f"holds an illegal move, {moves[0]}")
        return Judgement(score, depth, moves[0] if moves else None, moves)

    def put(self, position: Position, judgement: Judgement) -> None:
        """Keep a judgement, in the file when this returns. StoreError where it can't be."""
        place, image = _place(position)
        line = [turned_move(move, image) for move in judgement.line]
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


@cache
def _engine() -> str:
    """Names the compiled core, so that what another search or evaluation found is not taken for this one's."""
    return hashlib.sha256(Path(core.__file__).read_bytes()).hexdigest()[:16]


def _place(position: Position) -> tuple[str, int]:
    """A text that is the same for the eight images of a position, and the number of the image it was written from."""
    text, image = canonical(core.Board(position.tfen))
    return f"{position.rule} {text}", image
