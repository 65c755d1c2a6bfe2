"""Drives an engine that runs as a process of its own, over the protocol, whatever game it plays."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import IO, TYPE_CHECKING, Literal, TypeVar

from thudstone.dialogue import (
    LONGEST_LINE,
    Answer,
    Dialogue,
    EngineDied,
    EngineError,
    EngineOption,
    EngineTimeout,
    Exchange,
    Read,
    short,
)
from thudstone.game import Game
from thudstone.info import Info
from thudstone.limit import Limit
from thudstone.position import Position

if TYPE_CHECKING:
    from asyncio.subprocess import Process

__all__ = ["Answer", "Engine", "EngineDied", "EngineError", "EngineOption", "EngineTimeout"]

T = TypeVar("T")
_WAITING_LINES = 10_000  # an engine that floods its output waits for us instead of filling the memory


class Engine:
    """An engine process, from its handshake to its end. Use it in a `with` block: leaving it ends the process.

    `command` is an argument list, or one string split as a shell would. `timeout` is the seconds that an answer other
    than a search's may take, and that a search may overrun its limit.

    Every method raises EngineDied where the process has ended and EngineTimeout where no answer came; then only `close`
    is of use. EngineError says what else went wrong; after it the engine can be used further.
    """

    def __init__(
        self, command: str | Sequence[str], *, protocol: Literal["uci", "ugi"] = "uci", timeout: float = 10.0
    ) -> None:
        argv = split(command)
        self._talk = Dialogue(argv, protocol, timeout)
        self._process = _start(argv)
        self._lines: queue.Queue[bytes | None] = queue.Queue(_WAITING_LINES)
        self._errors: deque[bytes] = deque(maxlen=20)
        self._threads = [
            threading.Thread(target=self._collect, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._collect_errors, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        try:
            self._run(self._talk.shake_hands())
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(
        cls, command: str | Sequence[str], *, protocol: Literal["uci", "ugi"] = "uci", timeout: float = 10.0
    ) -> Engine:
        """Start an engine: `with Engine.open("thudstone") as engine: …`."""
        return cls(command, protocol=protocol, timeout=timeout)

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        return self._talk.name

    @property
    def author(self) -> str:
        return self._talk.author

    @property
    def options(self) -> dict[str, EngineOption]:
        """The settings that it announced, by name."""
        return self._talk.options

    @property
    def timeout(self) -> float:
        return self._talk.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._talk.timeout = seconds

    @property
    def protocol(self) -> Literal["uci", "ugi"]:
        return self._talk.protocol

    @property
    def pid(self) -> int:
        return self._process.pid

    def set_option(self, name: str, value: str | int | bool | None = None) -> None:
        """Set an option (a button has no value). EngineError where the engine does not have it or refuses the value."""
        self._run(self._talk.set_option(name, value))

    def new_game(self) -> None:
        """Let the engine forget what it learned from the last game."""
        self._run(self._talk.new_game())

    def ready(self) -> None:
        """Return once the engine has handled everything it was told."""
        self._run(self._talk.tell(""))

    def position(
        self, start: Position | Game | str | None = None, moves: Iterable[str] = (), arguments: str = ""
    ) -> None:
        """Set the position to search: a Position (with the moves that led to it), a Game (as the seat to move sees it),
        a position's text, or the start, and moves from there. `arguments` are further words of the command, such as
        `players 3 seat 2`.
        """
        self._run(self._talk.position(start, moves, arguments))

    def go(self, limit: Limit, report: Callable[[Info], None] | None = None, timeout: float | None = None) -> Answer:
        """Search the position and return the answer; `report` is called with each line as it comes.

        The answer is overdue `timeout` seconds after the limit's time (the engine's own `timeout` by default); a limit
        of depth or nodes has no such time and is waited for. `stop()` ends a search from `report` or another thread.
        """
        return self._run(self._talk.go(limit, report, timeout))

    def play(
        self, start: Position | Game | str | None, limit: Limit, report: Callable[[Info], None] | None = None
    ) -> Answer:
        """Set a position and search it: `position`, then `go`. The engine's move is the answer's `move`."""
        return self._run(self._talk.play(start, limit, report))

    def analyse(
        self,
        start: Position | Game | str | None,
        limit: Limit,
        multipv: int = 1,
        report: Callable[[Info], None] | None = None,
    ) -> list[Info]:
        """The last line of each of the `multipv` best moves, best first. The engine's MultiPV is as before then."""
        return self._run(self._talk.analyse(start, limit, multipv, report))

    def stop(self) -> None:
        """End the search that `go` waits for. Harmless when there is none."""
        self._send("stop")

    def query(self, question: str) -> str:
        """What the engine answers to `query QUESTION`, without the word `response`."""
        return self._run(self._talk.query(question))

    def close(self, patience: float = 1.0) -> None:
        """End the process: politely first, by force after `patience` seconds. Harmless when repeated."""
        process = self._process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        with contextlib.suppress(OSError, ValueError):  # it has ended already, or was closed
            process.stdin.write(b"quit\n")
            process.stdin.flush()
        with contextlib.suppress(OSError):  # a broken pipe is told once more where text is still buffered
            process.stdin.close()
        ending = time.monotonic() + patience
        while process.poll() is None and time.monotonic() < ending:
            self._drain()
            try:
                process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
        if process.poll() is None:
            kill_group(process)
            process.wait()
        for stream, thread in zip((process.stdout, process.stderr), self._threads, strict=True):
            self._join(stream, thread)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, exchange: Exchange[T]) -> T:
        """Carry an exchange to its end."""
        try:
            wanted = next(exchange)
            while True:
                if isinstance(wanted, Read):
                    wanted = exchange.send(self._read(wanted))
                else:
                    self._send(wanted)
                    wanted = next(exchange)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _send(self, command: str) -> None:
        assert self._process.stdin is not None
        line = self._talk.encoded(command)
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (OSError, ValueError):  # ValueError: closed by us
            raise self._death(command) from None

    def _read(self, wanted: Read) -> str:
        left = None if wanted.deadline is None else max(wanted.deadline - time.monotonic(), 0.0)
        try:
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise self._talk.overdue(wanted.command) from None
        if line is None:
            self._lines.put(None)  # for whoever asks next
            raise self._death(wanted.command)
        return self._talk.decoded(line)

    def _death(self, command: str) -> EngineDied:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return self._talk.death(command, None, ())
        self._threads[1].join(1.0)
        return self._talk.death(command, status, self._errors)

    def _collect(self, stream: IO[bytes]) -> None:
        while line := stream.readline(LONGEST_LINE):
            self._lines.put(line)
        self._lines.put(None)

    def _collect_errors(self, stream: IO[bytes]) -> None:
        while line := stream.readline(LONGEST_LINE):
            self._errors.append(line)

    def _drain(self) -> None:
        """Make room for what the engine still prints, so that it can't be stuck on its output."""
        try:
            while True:
                self._lines.get_nowait()
        except queue.Empty:
            return

    def _join(self, stream: IO[bytes], thread: threading.Thread) -> None:
        """Wait for a reader and close its pipe. A reader that sees no end is kept by a child that the engine left."""
        ending = time.monotonic() + 0.5
        while thread.is_alive() and time.monotonic() < ending:
            self._drain()
            thread.join(0.02)
        if thread.is_alive():
            kill_group(self._process)
            self._drain()
            thread.join(1.0)
        if not thread.is_alive():
            stream.close()


def split(command: str | Sequence[str]) -> list[str]:
    """A command as an argument list. EngineDied where it is empty or its quotes are not closed."""
    try:
        argv = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise EngineDied(f"cannot start {short(str(command))}: {error}") from None
    if not argv:
        raise EngineDied("cannot start an engine: the command is empty")
    return argv


def _start(argv: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C in a terminal reaches its whole process group; what happens to the engine is for its driver to say.
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise not_started(argv, error) from None


def not_started(argv: Sequence[str], error: OSError | ValueError) -> EngineDied:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return EngineDied(f"cannot start {short(shlex.join(argv))}: {reason}")


def kill_group(process: subprocess.Popen[bytes] | Process) -> None:
    """Kill the engine with its children, which share the process group that it leads."""
    if os.name == "posix":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return  # all of them have ended
    else:
        process.kill()
