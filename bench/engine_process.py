"""An engine process with as little between the clock and its pipes as can be."""

from __future__ import annotations

import subprocess
import sys
from types import TracebackType


class EngineProcess:
    """`thudstone` as a child process. Use it in a `with`, or call `close`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "thudstone"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self._input, self._output = self.process.stdin, self.process.stdout
        self._rest = b""

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def send(self, text: str) -> None:
        self._input.write(text.encode("ascii"))

    def until(self, word: str) -> str:
        """Reads on to the line that begins with a word, and returns it."""
        return self.lines_until(word)[-1]

    def lines_until(self, word: str) -> list[str]:
        """The lines up to the first that begins with a word, that one included."""
        lines: list[str] = []
        while not lines or lines[-1].split()[:1] != [word]:
            lines.append(self._line())
        return lines

    def _line(self) -> str:
        while True:
            line, found, rest = self._rest.partition(b"\n")
            if not found:
                chunk = self._output.read(65536)
                assert chunk, "the engine ended"
                self._rest += chunk
                continue
            self._rest = rest
            return line.decode("ascii")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._input.close()
        self._output.close()
