"""The records of a match's battles of Thud, with headers as chess games have them."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from types import TracebackType

from thudstone.engine.thud.state import ACCEPT
from thudstone.move import Move
from thudstone.position import START, Position
from thudstone.protocol.match.result import Battle
from thudstone.protocol.match.settings import Settings
from thudstone.record import RecordWriter

_FIRST = "# records of a match"  # tells our files from others, which are not ours to write over


class RecordsError(Exception):
    """A file of records that can't be used or written. One line, for people."""


class Records:
    """A file of records that grows by a battle at a time. Use it in a `with` block."""

    def __init__(self, path: str, settings: Settings, battles: Iterable[Battle] = (), *, resume: bool) -> None:
        """Make the file with the battles there are. RecordsError where it exists, unless a match is resumed and the
        file is of this kind.
        """
        self._path = path
        self._rule = str(dict(settings.rules)["TrollCapture"])
        self._rules = ", ".join(f"{name} {value}" for name, value in settings.rules)
        self._limits = {engine.name: str(engine.pace) for engine in settings.engines}
        try:
            if not resume and os.path.isfile(path) and os.path.getsize(path):
                raise RecordsError(f"{path} exists: choose another name for the records")
            if resume and os.path.isfile(path):
                with open(path, "rb") as before:
                    start = before.read(len(_FIRST))
                if start and start != _FIRST.encode():
                    raise RecordsError(f"{path} exists, and is not the records of a match")
            self._file = open(path, "w", encoding="ascii", errors="backslashreplace", newline="\n")  # noqa: SIM115
        except OSError as error:
            raise self._failed(error) from None
        try:
            self._write(f"{_FIRST}\n")
            for battle in battles:
                self.add(battle)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Records:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def add(self, battle: Battle) -> None:
        """Write a battle. RecordsError where it can't be."""
        text = io.StringIO()
        writer = RecordWriter(text)
        writer.start(Position(battle.start, self._rule))
        for name, value in self._headers(battle).items():
            quoted = value.replace("\\", r"\\").replace('"', r"\"")
            writer.comment(f'[{name} "{quoted}"]')
        for token in battle.moves:
            if token != ACCEPT:
                writer.ply(Move(token.removesuffix(ACCEPT)))
        if battle.forfeit is not None:
            writer.comment(f"{battle.seats[battle.forfeit.seat - 1]}: {battle.forfeit.reason}")
            if battle.forfeit.line:
                writer.comment(f"it said {battle.forfeit.line!a}")
        writer.end(battle.end)
        self._write(text.getvalue())

    def _headers(self, battle: Battle) -> dict[str, str]:
        found = {
            "Event": "thudstone match",
            "Round": f"{battle.pair}.{battle.battle}",
            "Dwarfs": battle.dwarfs,
            "Trolls": battle.trolls,
            "Result": "-".join(map(str, battle.points)),
            "Termination": battle.end,
            "PlyCount": str(battle.plies),
            "OpeningPlies": str(battle.opening),
            "DwarfsLimits": self._limits[battle.dwarfs],
            "TrollsLimits": self._limits[battle.trolls],
            "Rules": self._rules,
        }
        if battle.start != START:
            found["FEN"] = battle.start
        return found

    def _write(self, text: str) -> None:
        try:
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from None

    def _close(self) -> None:
        try:
            self._file.close()
        except OSError:
            return  # said by the write that failed; closing tries it once more

    def _failed(self, error: OSError) -> RecordsError:
        return RecordsError(f"cannot write {self._path}: {error.strerror}")
