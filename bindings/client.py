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
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Literal

from thudstone.info import Info
from thudstone.limit import Limit
from thudstone.position import START, Position

_LONGEST_LINE = 1 << 20  # bytes; a longer one is no answer of an engine's
_WAITING_LINES = 10_000  # an engine that floods its output waits for us instead of filling the memory


class EngineError(RuntimeError):
    """What an engine did wrong, or refused."""


class EngineTimeout(EngineError):
    """An engine did not answer in time."""


class EngineDied(EngineError):
    """An engine could not be started, or its process ended."""


@dataclass(frozen=True)
class EngineOption:
    """A setting that an engine announced. `low` and `high` belong to a spin, `choices` to a combo."""

    name: str
    type: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, words: Sequence[str]) -> EngineOption:
        """From the words after `option`. ValueError where name or type is missing, or a bound is no number."""
        fields: dict[str, list[str]] = {}
        choices: list[list[str]] = []
        current: list[str] = []
        for word in words:
            if word == "var":
                current = []
                choices.append(current)
            elif word in ("name", "type", "default", "min", "max") and word not in fields:
                current = fields[word] = []
            else:
                current.append(word)
        text = {name: " ".join(value) for name, value in fields.items()}
        if not text.get("name") or not text.get("type"):
            raise ValueError("an option needs a name and a type")
        return cls(
            text["name"],
            text["type"],
            text.get("default", ""),
            int(text["min"]) if "min" in text else None,
            int(text["max"]) if "max" in text else None,
            tuple(" ".join(choice) for choice in choices),
        )


@dataclass(frozen=True)
class Answer:
    """What a search answered: the move (None where there is no legal one), the reply it expects, the last line of each
    multipv, best first, and the totals.
    """

    move: str | None
    ponder: str | None = None
    lines: tuple[Info, ...] = ()
    totals: Info | None = None


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
        argv = shlex.split(command) if isinstance(command, str) else list(command)
        self.name = _short(shlex.join(argv))  # until it says its own
        self.author = ""
        self.options: dict[str, EngineOption] = {}
        self.timeout = timeout
        self.protocol = protocol
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
            self._shake_hands()
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
    def pid(self) -> int:
        return self._process.pid

    def set_option(self, name: str, value: str | int | bool | None = None) -> None:
        """Set an option (a button has no value). EngineError where the engine does not have it or refuses the value."""
        if name.lower() not in {known.lower() for known in self.options}:
            raise EngineError(f"{self.name} has no option {name!r}")
        written = str(value).lower() if isinstance(value, bool) else str(value)
        self._tell(f"setoption name {name}" + ("" if value is None else f" value {written}"))

    def new_game(self) -> None:
        """Let the engine forget what it learned from the last game."""
        self._tell("ucinewgame" if self.protocol == "uci" else "uginewgame")

    def ready(self) -> None:
        """Return once the engine has handled everything it was told."""
        self._tell("")

    def position(self, start: Position | str | None = None, moves: Iterable[str] = (), arguments: str = "") -> None:
        """Set the position to search: a Position (with the moves that led to it), a position's text, or the start, and
        moves from there. `arguments` are further words of the command, such as `players 3 seat 2`.
        """
        played = [*(move.text for move in start.moves), *moves] if isinstance(start, Position) else list(moves)
        text = start.start if isinstance(start, Position) else start
        words = ["position", "startpos" if text is None or text == START else f"fen {text}"]
        words += [arguments] if arguments else []
        self._tell(" ".join([*words, *(["moves", *played] if played else [])]))

    def go(self, limit: Limit, report: Callable[[Info], None] | None = None, timeout: float | None = None) -> Answer:
        """Search the position and return the answer; `report` is called with each line as it comes.

        The answer is overdue `timeout` seconds after the limit's time (the engine's own `timeout` by default); a limit
        of depth or nodes has no such time and is waited for. `stop()` ends a search from `report` or another thread.
        """
        command = limit.go()
        longest = limit.longest()
        if timeout is None:
            timeout = self.timeout
        deadline = None if longest is None else time.monotonic() + longest + timeout
        self._send(command)
        lines: dict[int, Info] = {}
        totals = None
        while True:
            line = self._read(deadline, command)
            match line.split():
                case ["bestmove", move]:
                    return _answer(move, None, lines, totals)
                case ["bestmove", move, "ponder", reply]:
                    return _answer(move, reply, lines, totals)
                case ["bestmove", *_]:
                    raise EngineError(f"{self.name} sent a bad line: {_shown(line)}")
                case ["info", "string", "error:", *what]:
                    self._settle()
                    raise EngineError(f"{self.name} refused {_shown(command)}: {' '.join(what)}")
                case ["info", *words]:
                    try:
                        info = Info.parse(words)
                    except ValueError as error:
                        self._settle()
                        raise EngineError(f"{self.name} sent a bad line: {_shown(line)}: {error}") from None
                    if info.pv:
                        lines[info.multipv or 1] = info
                    elif info.nodes is not None:
                        totals = info
                    if report is not None:
                        report(info)

    def stop(self) -> None:
        """End the search that `go` waits for. Harmless when there is none."""
        self._send("stop")

    def query(self, question: str) -> str:
        """What the engine answers to `query QUESTION`, without the word `response`."""
        self._send(f"query {question}")
        while True:
            line = self._read(time.monotonic() + self.timeout, f"query {question}")
            match line.split(maxsplit=1):
                case ["response", *rest]:
                    return " ".join(rest)
                case ["info", rest] if rest.startswith("string error:"):
                    raise EngineError(f"{self.name} refused 'query {question}': {rest[13:].strip()}")

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
            _kill(process)
            process.wait()
        for stream, thread in zip((process.stdout, process.stderr), self._threads, strict=True):
            self._join(stream, thread)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _shake_hands(self) -> None:
        self._send(self.protocol)
        deadline = time.monotonic() + self.timeout
        while True:
            line = self._read(deadline, self.protocol)
            match line.split():
                case ["id", "name", *words] if words:
                    self.name = _short(" ".join(words))
                case ["id", "author", *words]:
                    self.author = " ".join(words)
                case ["option", *words]:
                    try:
                        option = EngineOption.parse(words)
                    except ValueError as error:
                        raise EngineError(f"{self.name} sent a bad line: {_shown(line)}: {error}") from None
                    self.options[option.name] = option
                case [("uciok" | "ugiok") as done] if done == self.protocol + "ok":
                    return

    def _tell(self, command: str) -> None:
        """Send a command that is silent when it is accepted, and wait until it has been handled."""
        if command:
            self._send(command)
        refused = self._settle(stop=False)
        if refused is not None:
            raise EngineError(f"{self.name} refused {_shown(command)}: {refused}")

    def _settle(self, *, stop: bool = True) -> str | None:
        """Let the engine finish what it is doing, and skip its output to there. Returns its first error message."""
        if stop:
            self._send("stop")
        self._send("isready")
        deadline = time.monotonic() + self.timeout
        first = None
        while True:
            line = self._read(deadline, "isready")
            if line == "readyok":
                return first
            if line.startswith("info string error:") and first is None:
                first = line[len("info string error:") :].strip()

    def _send(self, command: str) -> None:
        assert self._process.stdin is not None
        if "\n" in command or "\r" in command:
            raise EngineError(f"a command is one line: {_shown(command)}")
        try:
            self._process.stdin.write(command.encode("ascii", "replace") + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):  # ValueError: closed by us
            raise self._death(command) from None

    def _read(self, deadline: float | None, command: str) -> str:
        left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
        try:
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise EngineTimeout(f"{self.name} did not answer {_shown(command)} in time") from None
        if line is None:
            self._lines.put(None)  # for whoever asks next
            raise self._death(command)
        if len(line) >= _LONGEST_LINE:
            raise EngineError(f"{self.name} sent a line of more than {_LONGEST_LINE} bytes")
        return line.decode("utf-8", "replace").strip()

    def _death(self, command: str) -> EngineDied:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return EngineDied(f"{self.name} closed its output before it answered {_shown(command)}")
        self._threads[1].join(1.0)
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        said = [line.decode("utf-8", "replace").strip() for line in self._errors]
        last = next((line for line in reversed(said) if line), "")
        return EngineDied(f"{self.name} {how} before it answered {_shown(command)}" + (f": {last}" if last else ""))

    def _collect(self, stream: IO[bytes]) -> None:
        while line := stream.readline(_LONGEST_LINE):
            self._lines.put(line)
        self._lines.put(None)

    def _collect_errors(self, stream: IO[bytes]) -> None:
        while line := stream.readline(_LONGEST_LINE):
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
            _kill(self._process)
            self._drain()
            thread.join(1.0)
        if not thread.is_alive():
            stream.close()


def _start(argv: Sequence[str]) -> subprocess.Popen[bytes]:
    if not argv:
        raise EngineDied("cannot start an engine: the command is empty")
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
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise EngineDied(f"cannot start {_short(shlex.join(argv))}: {reason}") from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the engine with its children, which share the process group that it leads."""
    if os.name == "posix":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return  # all of them have ended
    else:
        process.kill()


def _answer(move: str, reply: str | None, lines: dict[int, Info], totals: Info | None) -> Answer:
    return Answer(None if move == "(none)" else move, reply, tuple(lines[key] for key in sorted(lines)), totals)


def _short(text: str) -> str:
    """Text for a message: short, printable, on one line."""
    text = " ".join(text.split())
    return ascii(text if len(text) <= 80 else text[:77] + "...")[1:-1]


def _shown(text: str) -> str:
    """The same in quotes."""
    return f"'{_short(text)}'"
