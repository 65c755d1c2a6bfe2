"""The process of an engine that is checked: it may hang, die, flood its output or stop reading at any moment."""

from __future__ import annotations

import contextlib
import math
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import IO, NamedTuple

from thudstone.protocol.check.step import Failed, Hung
from thudstone.protocol.guarded import GuardedProcess
from thudstone.protocol.refusal import plain

_LONGEST_LINE = 1 << 20  # bytes; what is longer comes in pieces
_WAITING_LINES = 10_000  # an engine that floods its output waits for us instead of filling the memory
_KEPT_LINES = 200  # of the exchange
_LATE = 1.0  # seconds after a deadline at which even a flood is no longer read


class Line(NamedTuple):
    """A line that was read, and the `time.monotonic()` at which it came. A byte is a character (Latin-1)."""

    text: str
    at: float


class Subject:
    """A running engine. No call waits longer than it says, nor beyond the `time.monotonic()` in `limit`."""

    limit = math.inf

    def __init__(self, argv: Sequence[str]) -> None:
        """OSError or ValueError where the command can't be started."""
        self._guarded = GuardedProcess(argv)
        self._process = self._guarded.process
        self._lines: queue.Queue[Line | None] = queue.Queue(_WAITING_LINES)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors: deque[bytes] = deque(maxlen=20)
        self._exchange: deque[str] = deque(maxlen=_KEPT_LINES)
        self._ended = False
        jobs = (self._read, self._read_errors, self._write)
        self._threads = [threading.Thread(target=job, daemon=True) for job in jobs]
        for thread in self._threads:
            thread.start()

    def send(self, *lines: str) -> None:
        """All lines in one write. A character is a byte: what the engine said can be sent back to it."""
        self.send_bytes("".join(f"{line}\n" for line in lines).encode("latin-1"))

    def send_bytes(self, data: bytes) -> None:
        """Any bytes, in the background: an engine that doesn't read can't hold up the check."""
        shown = data.removesuffix(b"\n")
        self._exchange.extend(f"> {plain(line)}" for line in shown.decode("latin-1").split("\n")[-_KEPT_LINES:])
        self._outgoing.put(data)

    def end_input(self) -> None:
        self._exchange.append("> (end of input)")
        self._outgoing.put(None)

    def until(self, word: str, seconds: float) -> list[Line]:
        """The lines up to one whose first word this is (an empty line for ``), that one included. Hung where it doesn't
        come in time, Failed where the process ends before.
        """
        deadline = self._deadline(seconds)
        wanted = word or "an empty line"
        found = []
        while True:
            try:
                line = self._next(deadline)
            except Hung:
                raise Hung(f"no {wanted} within {seconds:g} s") from None
            if line is None:
                raise Failed(f"no {wanted}: the process {self._death()}")
            found.append(line)
            if line.text.split()[:1] == [word] or not (word or line.text.strip()):
                return found

    def during(self, seconds: float) -> list[Line]:
        """What is said for so long. Failed where the process ends."""
        deadline = self._deadline(seconds)
        found: list[Line] = []
        while True:
            try:
                line = self._next(deadline)
            except Hung:
                return found
            if line is None:
                raise Failed(f"the process {self._death()}")
            found.append(line)

    def rest(self, seconds: float) -> tuple[list[Line], int]:
        """All that is said until the process ends, and its status. Hung where it runs on."""
        deadline = self._deadline(seconds)
        found: list[Line] = []
        try:
            while (line := self._next(deadline)) is not None:
                found.append(line)
            status = self._process.wait(max(deadline - time.monotonic(), 0.001))
        except (Hung, subprocess.TimeoutExpired):
            raise Hung(f"the process runs on {seconds:g} s later") from None
        return found, status

    def exchange(self) -> tuple[str, ...]:
        """The last lines sent and received, those included that nobody has read yet."""
        now = time.monotonic()
        with contextlib.suppress(Hung):
            while self._next(now) is not None:
                pass
        return tuple(self._exchange)

    def kill(self) -> None:
        """End the process with its children, whatever it does. Harmless when repeated."""
        self._guarded.kill()
        self._outgoing.put(None)
        ending = time.monotonic() + 1.0
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < ending:
            self._drain()
            for thread in self._threads:
                thread.join(0.02)
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            if not any(thread.is_alive() for thread in self._threads):
                stream.close()

    def _deadline(self, seconds: float) -> float:
        return min(time.monotonic() + seconds, self.limit)

    def _next(self, deadline: float) -> Line | None:
        """The next line, None at the end of the output. Hung at the deadline."""
        if self._ended:
            return None
        left = deadline - time.monotonic()
        try:
            # Past the deadline, what is there already is still taken; a flood has to end, though.
            line = self._lines.get(timeout=left) if left > 0 else self._lines.get_nowait()
            if line is not None and line.at > deadline + _LATE:
                raise queue.Empty
        except queue.Empty:
            raise Hung("no answer") from None
        if line is None:
            self._ended = True
            self._exchange.append("< (end of output)")
        else:
            self._exchange.append(f"< {plain(line.text)}")
        return line

    def _death(self) -> str:
        """What became of a process whose output has ended."""
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._threads[1].join(0.2)
        said = [line.decode("utf-8", "replace").strip() for line in self._errors]
        last = next((line for line in reversed(said) if line), "")
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        return how + (f" ({plain(last)})" if last else "")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for data in _lines(self._process.stdout):
            self._lines.put(Line(data.decode("latin-1").rstrip("\r\n"), time.monotonic()))
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        self._errors.extend(_lines(self._process.stderr))

    def _write(self) -> None:
        assert self._process.stdin is not None
        # A process that has closed its input, or ended: whoever waits for its answer hears of it.
        with contextlib.suppress(OSError), self._process.stdin as stream:
            while (data := self._outgoing.get()) is not None:
                stream.write(data)
                stream.flush()

    def _drain(self) -> None:
        """Make room for what the reader still has to put."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._lines.get_nowait()


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST_LINE):
        yield line
