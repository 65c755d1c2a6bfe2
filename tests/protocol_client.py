"""A controller for tests: it drives an engine process by lines, and waits for nothing longer than it says."""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

THUD = (sys.executable, "-m", "thudstone")
TOY = (sys.executable, str(Path(__file__).with_name("toy.py")))
PATIENCE = 20.0  # seconds; a test fails after that


class Client:
    """An engine process with its lines. Use it in a `with`, which asserts that the process left nothing on stderr."""

    def __init__(self, command: Sequence[str] = THUD) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._lines: queue.SimpleQueue[tuple[str | None, float]] = queue.SimpleQueue()
        self._errors: list[bytes] = []
        self._threads = [threading.Thread(target=job, daemon=True) for job in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()
        self.at = 0.0  # time.monotonic() at which the last line came

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                assert stream is self.process.stdin
        if error is None:
            assert self.errors == ""

    @property
    def errors(self) -> str:
        return b"".join(self._errors).decode("utf-8", "replace")

    def send(self, *lines: str | bytes) -> None:
        """All lines in one write."""
        data = b"".join((line if isinstance(line, bytes) else line.encode("ascii")) + b"\n" for line in lines)
        self.send_raw(data)

    def send_raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def line(self, timeout: float = PATIENCE) -> str:
        """The next line."""
        try:
            line, self.at = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"no line within {timeout} s; stderr: {self.errors!r}") from None
        assert line is not None, f"the process ended; stderr: {self.errors!r}"
        return line

    def until(self, pattern: str, timeout: float = PATIENCE) -> list[str]:
        """Lines up to one that the regular expression matches as a whole, that one included."""
        lines = []
        limit = time.monotonic() + timeout
        while True:
            lines.append(self.line(max(limit - time.monotonic(), 0.001)))
            if re.fullmatch(pattern, lines[-1]):
                return lines

    def ask(self, *lines: str | bytes) -> list[str]:
        """What is said before the answer to an `isready` that follows."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def query(self, words: str) -> str:
        """The values of a response."""
        (line,) = self.ask(f"query {words}")
        assert line == "response" or line.startswith("response "), line
        return line[len("response ") :]

    def go(self, words: str) -> tuple[list[str], str]:
        """A search that ends by itself: the lines before its answer, and the answer."""
        self.send(f"go {words}".strip())
        *infos, best = self.until("bestmove .*")
        return infos, best

    def silent(self, seconds: float) -> bool:
        """Whether nothing is said for so long."""
        try:
            line, self.at = self._lines.get(timeout=seconds)
        except queue.Empty:
            return True
        raise AssertionError(f"it said {line!r}")

    def rest(self, timeout: float = PATIENCE) -> tuple[list[str], int]:
        """All that is said until the process ends, and its status."""
        lines: list[str] = []
        limit = time.monotonic() + timeout
        while True:
            try:
                line, self.at = self._lines.get(timeout=max(limit - time.monotonic(), 0.001))
            except queue.Empty:
                raise AssertionError(f"it runs on; it said {lines[-5:]}") from None
            if line is None:
                return lines, self.process.wait(max(limit - time.monotonic(), 0.001))
            lines.append(line)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            now = time.monotonic()
            self._lines.put((line.decode("ascii").rstrip("\r\n"), now))
        self._lines.put((None, time.monotonic()))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while chunk := self.process.stderr.read1(65536):  # type: ignore[attr-defined]
            self._errors.append(chunk)
