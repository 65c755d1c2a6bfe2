"""An engine's process: lines out, lines in, each within its time, and no process left behind."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from collections.abc import Sequence
from typing import Literal

from thudstone.protocol.guarded import GuardedProcess

FLOOD_BYTES = 16 << 20  # that an engine may print for one command, and besides
FLOOD_BYTES_A_SECOND = 1 << 20  # so many for each second that it takes: a long search has much to tell
LONGEST_LINE = 1 << 20  # bytes
SHOWN = 200  # characters of a line that are kept on record

_CHUNK = 1 << 16
_KEPT = 1 << 18  # bytes of what was printed before the awaited line; earlier output is let go
_ERRORS_KEPT = 4096
_NEWLINE = 10

Offence = Literal["timeout", "crash", "flood", "refused", "illegal-move"]


class Failure(Exception):
    """An engine did what loses a battle. `reason` is a sentence about it, `line` what it printed, cut short."""

    def __init__(self, offence: Offence, reason: str, line: bytes | str = b"") -> None:
        text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        super().__init__(reason)
        self.offence = offence
        self.reason = reason
        self.line = text.strip()[:SHOWN]

    def __str__(self) -> str:
        return self.reason + (f": it said {self.line!a}" if self.line else "")


class EngineProcess:
    """A running engine. `deadline` is always a time of `time.perf_counter()`; missing it is a Failure."""

    def __init__(self, argv: Sequence[str]) -> None:
        """OSError where the command can't be started."""
        self._guarded = GuardedProcess(argv, bufsize=0)
        self._process = self._guarded.process
        assert self._process.stdin is not None and self._process.stdout is not None
        assert self._process.stderr is not None
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._errors = self._process.stderr.fileno()
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe, False)
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self._errors, select.POLLIN)
        self._rest = b""  # printed, not read yet
        self._said = b""  # the end of what it printed to stderr
        self._printed = 0  # bytes since the last command
        self._began = 0.0
        self._ended = False

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, data: bytes, deadline: float) -> None:
        """Send whole lines. What was printed before, unasked, is dropped."""
        self._printed = 0
        self._began = time.perf_counter()
        try:
            self._rest = b""
            while chunk := os.read(self._output, _CHUNK):
                self._count(chunk)
        except BlockingIOError:
            pass
        try:
            sent = os.write(self._input, data)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            raise self._death() from None
        if sent < len(data):
            self._send_on(data[sent:], deadline)

    def until(self, words: Sequence[bytes], deadline: float) -> bytes:
        """What it prints, up to the first line that begins with one of `words`, that one included and last. Of much
        text the end.
        """
        data = self._rest
        searched = 0
        while True:
            found = -1
            for word in words:
                at = _line_with(data, word, searched)
                if at >= 0 and (found < 0 or at < found):
                    found = at
            if found >= 0 and (end := data.find(b"\n", found)) >= 0:
                self._rest = data[end + 1 :]
                return data[:end]
            searched = data.rfind(b"\n") + 1  # the last, unfinished line is looked at again
            if len(data) - searched > LONGEST_LINE:
                raise Failure("flood", f"printed a line of more than {LONGEST_LINE} bytes", data[searched:][:SHOWN])
            if len(data) > _KEPT and searched > _KEPT // 2:
                cut = data.rfind(b"\n", 0, searched - _KEPT // 8) + 1
                data = data[cut:]
                searched -= cut
            self._rest = data
            data += self._receive(deadline)

    def last_line(self) -> bytes:
        """The last line it printed and that nobody asked for, or the beginning of one."""
        lines = self._rest[-4096:].split(b"\n")
        return next((line for line in reversed(lines) if line.strip()), b"")

    def kill(self) -> None:
        """End the process and its children now. Harmless when repeated."""
        if self._ended:
            return
        self._ended = True
        self._guarded.kill()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()

    def quit(self, patience: float = 0.5) -> None:
        """Let the process end by itself, for `patience` seconds, then end it."""
        with contextlib.suppress(OSError, Failure):
            deadline = time.perf_counter() + patience
            self.send(b"quit\n", deadline)
            while True:
                self._receive(deadline)
        self.kill()

    def _receive(self, deadline: float) -> bytes:
        """What it prints next, at least one byte. Failure at the deadline, and when it has ended."""
        while True:
            left = deadline - time.perf_counter()
            for pipe, _ in self._poll.poll(left * 1000 if left > 0 else 0):
                if pipe == self._output:
                    chunk = os.read(pipe, _CHUNK)
                    if not chunk:
                        raise self._death()
                    self._count(chunk)
                    return chunk
                self._receive_error()
            if time.perf_counter() >= deadline:
                raise Failure("timeout", "did not answer in time", self.last_line())

    def _receive_error(self) -> None:
        chunk = os.read(self._errors, _CHUNK)
        if not chunk:
            self._poll.unregister(self._errors)
        self._count(chunk)
        self._said = (self._said + chunk)[-_ERRORS_KEPT:]

    def _count(self, chunk: bytes) -> None:
        self._printed += len(chunk)
        if self._printed > FLOOD_BYTES:
            seconds = time.perf_counter() - self._began
            if self._printed > FLOOD_BYTES + FLOOD_BYTES_A_SECOND * seconds:
                lines = [line for line in chunk.split(b"\n") if line]
                line = lines[-2] if len(lines) > 1 else b"".join(lines)
                raise Failure("flood", f"printed {self._printed} bytes in {seconds:.2f} s", line[:SHOWN])

    def _send_on(self, data: bytes, deadline: float) -> None:
        """An engine that doesn't read gets the rest as it does; meanwhile what it prints must not block it."""
        waiting = select.poll()
        for pipe, events in ((self._input, select.POLLOUT), (self._output, select.POLLIN)):
            waiting.register(pipe, events)
        while data:
            left = deadline - time.perf_counter()
            if left <= 0:
                raise Failure("timeout", "did not read its input in time", self.last_line())
            for pipe, _ in waiting.poll(left * 1000):
                try:
                    if pipe == self._input:
                        data = data[os.write(pipe, data) :]
                    elif chunk := os.read(pipe, _CHUNK):
                        self._count(chunk)
                        self._rest = chunk
                    else:
                        raise self._death()
                except BrokenPipeError:
                    raise self._death() from None
        self._rest = b""

    def _death(self) -> Failure:
        """What became of a process that closed a pipe."""
        try:
            status = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            return Failure("crash", "closed its output", self.last_line())
        with contextlib.suppress(OSError):  # nothing more is there, while a child may hold the pipe open
            while chunk := os.read(self._errors, _CHUNK):
                self._said = (self._said + chunk)[-_ERRORS_KEPT:]
                if len(chunk) < _CHUNK:
                    break
        lines = [line for line in self._said.split(b"\n") if line.strip()]
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        return Failure("crash", how, lines[-1] if lines else self.last_line())


def _line_with(data: bytes, word: bytes, start: int) -> int:
    """Where a line begins whose first word is `word`, -1 if there is none; `start` is where a line begins."""
    while (at := data.find(word, start)) >= 0:
        after = data[at + len(word) : at + len(word) + 1]
        if (at == 0 or data[at - 1] == _NEWLINE) and (not after or after in b" \t\r\n"):
            return at
        start = at + 1
    return -1
