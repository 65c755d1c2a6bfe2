"""Battles kept in an SQLite file: by player, date, result and position, the positions up to symmetry.

A position's key is the least of eight numbers, one for each image of the board, each the exclusive or of numbers for
its pieces; a move costs a few of those operations. Moves are kept as they look in the image that has the least number.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
import struct
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import TracebackType

from thudstone import pgn
from thudstone.engine.thud import core
from thudstone.engine.thud.symmetry import BACK, IMAGES, turned, turned_move
from thudstone.letters import Files
from thudstone.move import Move
from thudstone.position import DWARFS, Position
from thudstone.record import LARGEST, Battle, Record, decode
from thudstone.store import StoreError, explained, opened

RESULTS = ("dwarfs", "draw", "trolls")
_SIGNS = {"1-0": "dwarfs", "0-1": "trolls", "1/2-1/2": "draw"}
_APPLICATION = 0x54687564  # "Thud", in the file's header
_SCHEMA = 1
_TABLES = (
    "CREATE TABLE file (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, state TEXT NOT NULL)",
    # `content` is a digest of what makes a battle the same as another.
    "CREATE TABLE battle (id INTEGER PRIMARY KEY, content BLOB NOT NULL UNIQUE, dwarfs TEXT NOT NULL, "
    "trolls TEXT NOT NULL, date TEXT NOT NULL, event TEXT NOT NULL, result TEXT NOT NULL, margin INTEGER NOT NULL, "
    "plies INTEGER NOT NULL)",
    # Apart from the battles, so that statistics over many of these read few pages.
    "CREATE TABLE text (battle INTEGER PRIMARY KEY, start TEXT NOT NULL, moves TEXT NOT NULL)",
    "CREATE TABLE held (file INTEGER NOT NULL, number INTEGER NOT NULL, battle INTEGER NOT NULL, "
    "PRIMARY KEY (file, number)) WITHOUT ROWID",
    "CREATE INDEX held_battle ON held (battle)",
    # Each move of a battle from a position, the first time; it is empty after the last ply. What the explorer tells of
    # the battle (`won` is 1, 0 or -1 for the dwarfs) stands here, too: looking it up would cost more than all else.
    "CREATE TABLE step (position INTEGER NOT NULL, move TEXT NOT NULL, battle INTEGER NOT NULL, ply INTEGER NOT NULL, "
    "won INTEGER NOT NULL, margin INTEGER NOT NULL, PRIMARY KEY (position, move, battle)) WITHOUT ROWID",
)
_EIGHT = struct.Struct("<8q")
_CACHE_KIB = 65536
_LEAST_BATCH_SECONDS = 0.5
_WRITING_SHARE = 4  # a batch is read for so many times as long as the last one took to write
_LARGEST_BATCH = 200_000  # steps


@dataclass(frozen=True)
class Found:
    """A battle of the database. `path` is a file that holds it as battle `number`, `ply` how many plies precede the
    position that was asked for (None where none was).
    """

    path: str
    number: int
    dwarfs: str
    trolls: str
    date: str
    event: str
    result: str
    margin: int
    plies: int
    ply: int | None = None


@dataclass(frozen=True)
class Played:
    """A move played from a position: in how many battles, how these ended, and their mean margin for the dwarfs."""

    move: str
    battles: int
    dwarfs: int
    draws: int
    trolls: int
    margin: float


@dataclass
class Counts:
    """What an import did. `unchanged` counts files, the others count battles."""

    added: int = 0
    known: int = 0
    unchanged: int = 0


class Database:
    """An open database. Without `create` it is only read. StoreError says why it can't be used."""

    def __init__(self, path: str | os.PathLike[str], create: bool = False) -> None:
        self._base = opened(path, "database of games", _APPLICATION, _SCHEMA, _TABLES if create else ())
        self._base.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")

    def importing(self, files: Files = "thud") -> Import:
        """An import, to be used in a `with` statement. `files` are the letters of the files, as `Record.parse` says."""
        return Import(self._base, files)

    def find(
        self,
        *,
        player: str = "",
        dwarfs: str = "",
        trolls: str = "",
        event: str = "",
        date: str = "",
        result: str = "",
        position: Position | None = None,
    ) -> Iterator[Found]:
        """The battles that fit all that is asked, by date. Names fit where they hold the text, whatever its case; a
        date where it begins with it. A position fits its eight images, at any ply.
        """
        conditions, values = ["1"], list[str | int]()
        for sides, text in ((("dwarfs", "trolls"), player), (("dwarfs",), dwarfs), (("trolls",), trolls)):
            if text:
                conditions.append("(" + " OR ".join(f"instr(folded({side}), ?)" for side in sides) + ")")
                values += [text.casefold()] * len(sides)
        if event:
            conditions.append("instr(folded(event), ?)")
            values.append(event.casefold())
        if date:
            conditions.append("substr(date, 1, ?) = ?")
            values += [len(date), _date(date)]
        if result:
            conditions.append("result = ?")
            values.append(result)
        source, ply = "battle", "NULL"
        if position is not None:
            source = (
                "battle JOIN (SELECT battle, min(ply) AS ply FROM step WHERE position = ? GROUP BY battle) AS there "
                "ON there.battle = battle.id"
            )
            values.insert(0, Keys(position).least[0])
            ply = "there.ply"
        with explained():
            self._base.create_function("folded", 1, str.casefold, deterministic=True)
            # With a min() the other columns are those of its row.
            rows = self._base.execute(
                f"SELECT min(path), number, dwarfs, trolls, date, event, result, margin, plies, {ply} FROM {source} "
                "JOIN held ON held.battle = battle.id JOIN file ON file.id = held.file "
                f"WHERE {' AND '.join(conditions)} GROUP BY battle.id ORDER BY date, min(path), number",
                values,
            )
            for path, *rest in rows:
                yield Found(os.fsdecode(path), *rest)

    def moves(self, position: Position) -> list[Played]:
        """What was played from a position and its images, the most played first. Moves that are images of each other
        are one, and a battle that came back to the position and played the same again counts once.
        """
        key, images = Keys(position).least
        with explained():
            rows = self._base.execute(
                "SELECT move, count(*), sum(won = 1), sum(won = 0), sum(won = -1), avg(margin) FROM step "
                "WHERE position = ? AND move != '' GROUP BY move ORDER BY count(*) DESC, move",
                (key,),
            ).fetchall()
        legal = position.legal_moves
        found = [Played(turned_move(move, BACK[images[0]]), *rest) for move, *rest in rows]
        for played in found:
            if position.rule == "any" and played.move not in legal:
                raise StoreError(f"damaged: {played.move}, which can't be played there")
        return found

    def count(self) -> int:
        """How many battles there are."""
        with explained():
            (count,) = self._base.execute("SELECT count(*) FROM battle").fetchone()
        return int(count)

    def close(self) -> None:
        self._base.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass
class _File:
    """A file that was read, waiting to be written."""

    path: bytes
    state: str
    battles: list[_Row] = field(default_factory=list)


@dataclass(frozen=True)
class _Row:
    values: tuple[bytes | str | int, ...]  # of the table battle, without its id
    text: tuple[str, str]  # of the table text
    won: int
    margin: int
    steps: tuple[tuple[int, int, str], ...]  # key, ply, move


class Import:
    """Takes files one by one and writes them in batches; each batch is there as a whole or not at all, so that an end
    at any moment loses no file of a batch before. Leaving the `with` statement writes the last batch, after Ctrl-C,
    too.
    """

    def __init__(self, base: sqlite3.Connection, files: Files) -> None:
        self.counts = Counts()
        self._base = base
        self._files = files
        self._waiting: list[_File] = []
        self._steps = 0
        self._began = time.monotonic()
        self._patience = _LEAST_BATCH_SECONDS

    def read(self, path: str | os.PathLike[str]) -> None:
        """Take a file, unless it is as it was when it was read before. OSError and RecordError where it can't be read;
        what the database had from it stays, then. StoreError where it can't be written.
        """
        name = os.fsencode(os.path.realpath(path))
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError(errno.EINVAL, "not a regular file")  # reading a pipe could wait for ever
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            state = f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {self._files}"
            with explained():
                known = self._base.execute("SELECT 1 FROM file WHERE path = ? AND state = ?", (name, state)).fetchone()
            if known is not None:
                self.counts.unchanged += 1
                return
            text = decode(file.read(LARGEST + 1))
        record = Record.parse(text, files=self._files)
        rows = [_row(battle) for battle in _headed(record.battles, pgn.looks_like(text))]
        self._waiting.append(_File(name, state, rows))
        self._steps += sum(len(row.steps) for row in rows)
        if time.monotonic() - self._began > self._patience or self._steps > _LARGEST_BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what waits. StoreError where that fails; the database is as it was, then."""
        if self._waiting:
            began = time.monotonic()
            counts = Counts(self.counts.added, self.counts.known, self.counts.unchanged)
            with explained():
                self._base.execute("BEGIN IMMEDIATE")
                try:
                    for file in self._waiting:
                        self._write(file, counts)
                    self._base.execute("COMMIT")
                except BaseException:
                    if self._base.in_transaction:  # a full disk may have ended it
                        self._base.execute("ROLLBACK")
                    raise
            self.counts, self._waiting, self._steps = counts, [], 0
            self._patience = max(_LEAST_BATCH_SECONDS, _WRITING_SHARE * (time.monotonic() - began))
        self._began = time.monotonic()

    def _write(self, file: _File, counts: Counts) -> None:
        run = self._base.execute
        run("INSERT INTO file (path, state) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET state = excluded.state",
            (file.path, file.state))  # fmt: skip
        (number,) = run("SELECT id FROM file WHERE path = ?", (file.path,)).fetchone()
        before = {battle for (battle,) in run("SELECT battle FROM held WHERE file = ?", (number,))}
        run("DELETE FROM held WHERE file = ?", (number,))
        marks = ", ".join("?" * len(file.battles[0].values))
        for place, row in enumerate(file.battles, start=1):
            known = run("SELECT id FROM battle WHERE content = ?", row.values[:1]).fetchone()
            if known is None:
                battle = run(f"INSERT INTO battle VALUES (NULL, {marks})", row.values).lastrowid
                run("INSERT INTO text VALUES (?, ?, ?)", (battle, *row.text))
                steps = [(key, move, battle, ply, row.won, row.margin) for key, ply, move in row.steps]
                self._base.executemany("INSERT OR IGNORE INTO step VALUES (?, ?, ?, ?, ?, ?)", steps)
                counts.added += 1
            else:
                (battle,) = known
                counts.known += 1
            run("INSERT INTO held VALUES (?, ?, ?)", (number, place, battle))
        for battle in before:
            self._forget(battle)

    def _forget(self, battle: int) -> None:
        """Delete a battle that no file holds any more."""
        run = self._base.execute
        if run("SELECT 1 FROM held WHERE battle = ? LIMIT 1", (battle,)).fetchone() is None:
            start, moves = run("SELECT start, moves FROM text WHERE battle = ?", (battle,)).fetchone()
            steps = {(key, move, battle) for key, _, move in _steps(start, [Move(move) for move in moves.split()])}
            self._base.executemany("DELETE FROM step WHERE position = ? AND move = ? AND battle = ?", steps)
            run("DELETE FROM text WHERE battle = ?", (battle,))
            run("DELETE FROM battle WHERE id = ?", (battle,))

    def __enter__(self) -> Import:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, StoreError):
            self.flush()


def _headed(battles: Sequence[Battle], many_games: bool) -> Iterator[tuple[Battle, dict[str, str]]]:
    """Each battle with its headers. The second battle of a game that names no players has those of the first, with
    sides swapped, and its other headers; a file that may hold many games says everything itself.
    """
    last: dict[str, str] = {}
    for number, battle in enumerate(battles, start=1):
        headers = dict(battle.headers)
        if not many_games and number % 2 == 0 and not headers.keys() & {"dwarfs", "trolls"}:
            swapped = {"dwarfs": last.get("trolls", ""), "trolls": last.get("dwarfs", "")}
            shared = {name: value for name, value in last.items() if name != "result"}
            headers = {**shared, **swapped, **headers}
        yield battle, headers
        last = headers


def _row(pair: tuple[Battle, dict[str, str]]) -> _Row:
    battle, headers = pair
    margin = Position(battle.start).margin + sum(
        4 * len(move.captured) if move.side == "d" else -len(move.captured) for move in battle.moves
    )
    result = _SIGNS.get(headers.get("result", ""), RESULTS[1 - (margin > 0) + (margin < 0)])
    names = [headers.get(name, "") for name in ("dwarfs", "trolls", "date", "event")]
    names[2] = _date(names[2])
    moves = " ".join(move.text for move in battle.moves)
    parts = [*names, headers.get("round", ""), battle.start, moves]
    content: bytes = hashlib.blake2b("\n".join(parts).encode(), digest_size=16).digest()
    values: tuple[bytes | str | int, ...] = (content, *names, result, margin, len(battle.moves))
    won = 1 - RESULTS.index(result)
    return _Row(values, (battle.start, moves), won, margin, tuple(_steps(battle.start, battle.moves)))


def _date(text: str) -> str:
    """A date as its digits are compared: with dashes, which chess's files write as dots."""
    return text.replace(".", "-")


def _steps(start: str, moves: Iterable[Move]) -> Iterator[tuple[int, int, str]]:
    """Key, number of plies before, and move as it is kept, of each position of a battle."""
    keys = Keys(Position(start))
    ply = 0
    for ply, move in enumerate(moves, start=1):
        key, images = keys.least
        yield key, ply - 1, min(turned_move(move.text, image) for image in images)
        keys.push(move)
    yield keys.least[0], ply, ""


class Keys:
    """The numbers of a position's eight images, kept up to date as moves are made."""

    def __init__(self, position: Position) -> None:
        self._turn = position.turn
        self._numbers = 0  # all eight, 64 bits each
        for piece, names in (("d", position.dwarfs), ("T", position.trolls)):
            for name in names:
                self._numbers ^= _parts()[piece + name]

    @property
    def least(self) -> tuple[int, list[int]]:
        """The position's key, and which images have it: several where the position is its own image."""
        numbers = _EIGHT.unpack(self._numbers.to_bytes(_EIGHT.size, "little"))
        key = min(numbers)
        images = [image for image, number in enumerate(numbers) if number == key]
        return key if self._turn == DWARFS else ~key, images

    def push(self, move: Move) -> None:
        """Follow a move, which must be legal and name its side."""
        own, other = ("d", "T") if self._turn == DWARFS else ("T", "d")
        parts = _parts()
        self._numbers ^= parts[own + move.from_square] ^ parts[own + move.to_square]
        for name in move.captured:
            self._numbers ^= parts[other + name]
        self._turn ^= 1


@cache
def _parts() -> dict[str, int]:
    """The numbers of a piece on a square in each image, one after the other. They are 64 bits with a sign, as SQLite
    keeps them, and the same in every process.
    """
    places = [(piece, core.square_name(square)) for piece in "dT" for square in core.SQUARES]
    numbers = {place: hashlib.blake2b("".join(place).encode(), digest_size=8).digest() for place in places}

    def images(piece: str, name: str) -> Iterator[bytes]:
        for image in range(IMAGES):
            yield numbers[piece, core.square_name(turned(core.square(name), image))]

    return {piece + name: int.from_bytes(b"".join(images(piece, name)), "little") for piece, name in places}
