"""The results file: a header with the settings, then one battle a line, each there as soon as it is finished."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

from thudstone.protocol.match.result import Battle
from thudstone.protocol.match.schedule import Schedule
from thudstone.protocol.match.settings import differences

FORMAT = "thudstone match 1"

_SYNC_EVERY = 1.0  # seconds: what an operating system that crashes may cost; a killed process costs nothing
_MOST_DIFFERENCES = 3  # that a message names


class StoreError(Exception):
    """A results file that can't be used or written. One line, for people."""


class Store:
    """A results file that is open for this match alone. `dropped` says that an unfinished last line was cut off.

    Use it in a `with` block.
    """

    def __init__(self, path: str, settings: Mapping[str, Any], schedule: Schedule, names: list[str], *, resume: bool):
        """Open or make the file. `settings` are what must be the same when it is continued. StoreError where it holds
        something else, is in use, or exists although nothing is to be resumed.
        """
        self.path = path
        self.dropped = False
        self._schedule = schedule
        self._names = names
        self._synced = 0.0
        self._end: int | None = None  # up to where the file is known to be whole; None until that is found out
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}") from None
        try:
            self._regular = stat.S_ISREG(os.fstat(self._file).st_mode)
            if self._regular:
                self._lock()
            self._end = self._read(settings, resume=resume) if self._regular else 0
            if not self._end:
                started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                self._append({"format": FORMAT, "started": started, "settings": settings})
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        try:
            if self._regular:
                os.fsync(self._file)
        except OSError as error:
            raise StoreError(f"cannot write {self.path}: {error.strerror}") from None
        finally:
            os.close(self._file)

    def add(self, battle: Battle) -> None:
        """Write a battle. StoreError where it can't be; what was written before stays as it is."""
        self._append(battle.as_json())

    def battles(self) -> Iterator[Battle]:
        """The battles in the file, in its order. StoreError names a line that is none of this match's."""
        if not self._regular:
            return
        for number, line in self._lines():
            if number > 1:
                yield self._battle(number, line)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines up to the end of what is known to be whole, with their numbers."""
        with open(os.dup(self._file), "rb") as file:
            file.seek(0)
            at = 0
            for number, line in enumerate(file, start=1):
                at += len(line)
                if self._end is not None and at > self._end:
                    return
                yield number, line

    def _lock(self) -> None:
        import fcntl  # here, because it exists on POSIX alone

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{self.path}: another match is writing to it") from None
        except OSError:
            return  # a file system without locks

    def _read(self, settings: Mapping[str, Any], *, resume: bool) -> int:
        """Check the file, cut off an unfinished last line, and return its length."""
        size = os.fstat(self._file).st_size
        if size and not resume:
            raise StoreError(f"{self.path} exists: --resume plays what is missing in it; or choose another name")
        seen = bytearray(self._schedule.battles)
        whole = 0
        open_line = False
        for number, line in self._lines():
            last = whole + len(line) == size
            try:
                data = json.loads(line)
            except ValueError:  # also for bytes that are no UTF-8
                ours = b'{"format":"' + FORMAT.encode()
                if last and number == 1 and not (line.startswith(ours) or ours.startswith(line)):
                    raise StoreError(f"{self.path}: line 1: not the results of a match") from None
                if last:
                    break  # the write of a line that the end of the process cut short
                raise StoreError(f"{self.path}: line {number}: not JSON") from None
            if number == 1:
                self._check_header(data, settings)
            else:
                battle = self._battle(number, line)
                index = self._schedule.index(battle.pair, battle.battle)
                if seen[index]:
                    what = f"pair {battle.pair}, battle {battle.battle}"
                    raise StoreError(f"{self.path}: line {number}: {what} stands there twice")
                seen[index] = True
            whole += len(line)
            open_line = not line.endswith(b"\n")
        try:
            if whole < size:
                self.dropped = True
                os.ftruncate(self._file, whole)
            if open_line:
                self._write(b"\n")
        except OSError as error:
            raise StoreError(f"cannot write {self.path}: {error.strerror}") from None
        return whole + open_line

    def _check_header(self, data: Any, settings: Mapping[str, Any]) -> None:
        if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("settings"), dict):
            raise StoreError(f"{self.path}: line 1: not the results of a match")
        # As JSON has them, where tuples are lists.
        found = differences(data["settings"], json.loads(json.dumps(settings)))
        if found:
            more = f"; and {len(found) - _MOST_DIFFERENCES} more" if len(found) > _MOST_DIFFERENCES else ""
            raise StoreError(
                f"{self.path} is from a match with other settings: {'; '.join(found[:_MOST_DIFFERENCES])}{more}"
            )

    def _battle(self, number: int, line: bytes) -> Battle:
        where = f"{self.path}: line {number}"
        try:
            battle = Battle.from_json(json.loads(line))
        except ValueError as error:
            raise StoreError(f"{where}: {error}") from None
        what = f"pair {battle.pair}, battle {battle.battle}"
        known = 1 <= battle.pair <= self._schedule.pairs and 1 <= battle.battle <= self._schedule.battles_a_pair
        if not known:
            raise StoreError(f"{where}: {what} is beyond the {self._schedule.pairs} pairs of this match")
        seats = tuple(self._names[engine] for engine in self._schedule.job(battle.pair, battle.battle).seats)
        if battle.seats != seats:
            raise StoreError(f"{where}: {what} is of {', '.join(battle.seats)}, should be of {', '.join(seats)}")
        return battle

    def _append(self, data: Mapping[str, Any]) -> None:
        line = json.dumps(data, separators=(",", ":")).encode() + b"\n"
        try:
            self._write(line)
            now = time.monotonic()
            if self._regular and now - self._synced >= _SYNC_EVERY:
                os.fsync(self._file)
                self._synced = now
        except OSError as error:
            if self._regular and self._end is not None:
                # Half a line would be dropped by the next run anyway; this one says so no better.
                _truncate(self._file, self._end)
            raise StoreError(f"cannot write {self.path}: {error.strerror}") from None
        self._end = (self._end or 0) + len(line)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._file, data) :]


def _truncate(file: int, size: int) -> None:
    try:
        os.ftruncate(file, size)
    except OSError:
        return  # the line that is cut short stays, and is dropped by whoever resumes
