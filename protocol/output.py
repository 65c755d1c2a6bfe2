"""What goes to the controller: whole lines of ASCII, each written at once, from any thread."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Iterable

from thudstone.protocol.refusal import plain


class Output:
    """Writes to a file descriptor. `lock` keeps the lines of two threads apart, and is held by whoever must make a line
    and a change of state one step.

    A controller that is gone ends the process at once and quietly: nobody is left to be told.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self.lock = threading.RLock()

    def line(self, text: str) -> None:
        self.text((text,))

    def text(self, lines: Iterable[str]) -> None:
        """Several lines that nothing may come between."""
        rest = memoryview("".join(f"{line}\n" for line in lines).encode("ascii", "backslashreplace"))
        with self.lock:
            while rest:
                rest = rest[self._write(rest) :]

    def _write(self, data: memoryview) -> int:
        """How many bytes were written: 0 where the pipe was full, after waiting for room."""
        try:
            return os.write(self._target, data)
        except BlockingIOError:  # some parent made the pipe non-blocking
            select.select([], [self._target], [])
            return 0
        except OSError:
            os._exit(1)

    def people(self, text: str) -> None:
        """Text for people, which an empty line ends; so it can't have one inside."""
        self.text([*(line for line in text.splitlines() if line.strip()), ""])

    def error(self, what: str) -> None:
        self.line(f"info string error: {plain(what)}")

    def failure(self, what: str, error: Exception) -> None:
        """A mistake in our code rather than in what the controller sent."""
        self.error(f"{what}: internal error: {type(error).__name__}: {error}")
