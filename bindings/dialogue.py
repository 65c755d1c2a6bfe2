"""What is said between a driver and an engine, without saying how it travels.

Each exchange is a generator: it yields the commands to send and, as a `Read`, each line that it waits for, which it is
sent. `thudstone.client` runs the exchanges over the pipes of a process, `thudstone.async_client` over those of asyncio.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from thudstone.game import Game
from thudstone.info import Info
from thudstone.limit import Limit
from thudstone.position import START, Position

T = TypeVar("T")
LONGEST_LINE = 1 << 20  # bytes; a longer one is no answer of an engine's


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


@dataclass(frozen=True)
class Read:
    """Waits for the next line until `deadline` (of `time.monotonic`, None: for ever); `command` is what it answers."""

    deadline: float | None
    command: str


Exchange = Generator[str | Read, str, T]
Report = Callable[[Info], None] | None


class Dialogue:
    """One engine's side of the talk: what it said of itself, and the exchanges there are."""

    def __init__(self, argv: Sequence[str], protocol: Literal["uci", "ugi"], timeout: float) -> None:
        self.name = short(shlex.join(argv))  # until it says its own
        self.author = ""
        self.options: dict[str, EngineOption] = {}
        self.timeout = timeout
        self.protocol = protocol
        self._turn: int | None = None  # the side to move of the position that was set, where it is known
        self._lines = 1  # MultiPV, as it was set last

    def shake_hands(self) -> Exchange[None]:
        yield self.protocol
        deadline = self._soon()
        while True:
            line = yield Read(deadline, self.protocol)
            match line.split():
                case ["id", "name", *words] if words:
                    self.name = short(" ".join(words))
                case ["id", "author", *words]:
                    self.author = " ".join(words)
                case ["option", *words]:
                    try:
                        option = EngineOption.parse(words)
                    except ValueError as error:
                        raise EngineError(f"{self.name} sent a bad line: {shown(line)}: {error}") from None
                    self.options[option.name] = option
                case [("uciok" | "ugiok") as done] if done == self.protocol + "ok":
                    return

    def set_option(self, name: str, value: str | int | bool | None) -> Exchange[None]:
        if name.lower() not in {known.lower() for known in self.options}:
            raise EngineError(f"{self.name} has no option {name!r}")
        written = str(value).lower() if isinstance(value, bool) else str(value)
        yield from self.tell(f"setoption name {name}" + ("" if value is None else f" value {written}"))
        if name.lower() == "multipv":
            self._lines = int(written)

    def new_game(self) -> Exchange[None]:
        yield from self.tell("ucinewgame" if self.protocol == "uci" else "uginewgame")

    def position(self, start: Position | Game | str | None, moves: Iterable[str], arguments: str) -> Exchange[None]:
        if isinstance(start, Game):
            start.check_movable()
            words = ["position", "startpos" if start.start is None else f"fen {start.start}"]
            arguments = " ".join([f"players {start.seats} seat {start.turn + 1}", *arguments.split()])
            played = [*start.log_of(start.turn), *moves]
        elif isinstance(start, Position):
            words = ["position", "startpos" if start.start == START else f"fen {start.start}"]
            played = [*(move.text for move in start.moves), *moves]
        else:
            words = ["position", "startpos" if start is None or start == START else f"fen {start}"]
            played = list(moves)
        words += [arguments] if arguments else []
        yield from self.tell(" ".join([*words, *(["moves", *played] if played else [])]))
        self._turn = start.turn ^ (len(played) - start.ply & 1) if isinstance(start, Position) else None

    def go(self, limit: Limit, report: Report, timeout: float | None) -> Exchange[Answer]:
        command = limit.go()
        longest = limit.longest()
        overrun = self.timeout if timeout is None else timeout
        deadline = None if longest is None else time.monotonic() + longest + overrun
        yield command
        lines: dict[int, Info] = {}
        totals = None
        while True:
            line = yield Read(deadline, command)
            match line.split():
                case ["bestmove", move]:
                    return _answer(move, None, lines, totals)
                case ["bestmove", move, "ponder", reply]:
                    return _answer(move, reply, lines, totals)
                case ["bestmove", *_]:
                    raise EngineError(f"{self.name} sent a bad line: {shown(line)}")
                case ["info", "string", "error:", *what]:
                    yield from self.settle()
                    raise EngineError(f"{self.name} refused {shown(command)}: {' '.join(what)}")
                case ["info", *words]:
                    try:
                        info = self._seen(Info.parse(words))
                    except ValueError as error:
                        yield from self.settle()
                        raise EngineError(f"{self.name} sent a bad line: {shown(line)}: {error}") from None
                    if info.pv:
                        lines[info.multipv or 1] = info
                    elif info.nodes is not None:
                        totals = info
                    if report is not None:
                        report(info)

    def play(self, start: Position | Game | str | None, limit: Limit, report: Report) -> Exchange[Answer]:
        yield from self.position(start, (), "")
        return (yield from self.go(limit, report, None))

    def analyse(
        self, start: Position | Game | str | None, limit: Limit, multipv: int, report: Report
    ) -> Exchange[list[Info]]:
        before = self._lines
        if multipv != before:
            yield from self.set_option("MultiPV", multipv)
        try:
            answer = yield from self.play(start, limit, report)
        except EngineDied:
            raise
        except EngineError:
            if multipv != before:
                yield from self.set_option("MultiPV", before)
            raise
        if multipv != before:
            yield from self.set_option("MultiPV", before)
        return list(answer.lines)

    def query(self, question: str) -> Exchange[str]:
        yield f"query {question}"
        deadline = self._soon()
        while True:
            line = yield Read(deadline, f"query {question}")
            match line.split(maxsplit=1):
                case ["response", *rest]:
                    return " ".join(rest)
                case ["info", rest] if rest.startswith("string error:"):
                    raise EngineError(f"{self.name} refused 'query {question}': {rest[13:].strip()}")

    def tell(self, command: str) -> Exchange[None]:
        """Send a command that is silent when it is accepted, and wait until it has been handled."""
        if command:
            yield command
        refused = yield from self.settle(stop=False)
        if refused is not None:
            raise EngineError(f"{self.name} refused {shown(command)}: {refused}")

    def settle(self, *, stop: bool = True) -> Exchange[str | None]:
        """Let the engine finish what it is doing, and skip its output to there. Returns its first error message."""
        if stop:
            yield "stop"
        yield "isready"
        deadline = self._soon()
        first = None
        while True:
            line = yield Read(deadline, "isready")
            if line == "readyok":
                return first
            if line.startswith("info string error:") and first is None:
                first = line[len("info string error:") :].strip()

    def encoded(self, command: str) -> bytes:
        """A command as it is sent. EngineError where it is more than one line."""
        if "\n" in command or "\r" in command:
            raise EngineError(f"a command is one line: {shown(command)}")
        return command.encode("ascii", "replace") + b"\n"

    def decoded(self, line: bytes) -> str:
        """A line as it came. EngineError where it is too long."""
        if len(line) >= LONGEST_LINE:
            raise EngineError(f"{self.name} sent a line of more than {LONGEST_LINE} bytes")
        return line.decode("utf-8", "replace").strip()

    def overdue(self, command: str) -> EngineTimeout:
        return EngineTimeout(f"{self.name} did not answer {shown(command)} in time")

    def death(self, command: str, status: int | None, said: Iterable[bytes]) -> EngineDied:
        """The end of the process before an answer; `status` is None while it still runs, `said` its last errors."""
        if status is None:
            return EngineDied(f"{self.name} closed its output before it answered {shown(command)}")
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        words = [line.decode("utf-8", "replace").strip() for line in said]
        last = next((line for line in reversed(words) if line), "")
        return EngineDied(f"{self.name} {how} before it answered {shown(command)}" + (f": {last}" if last else ""))

    def _soon(self) -> float:
        return time.monotonic() + self.timeout

    def _seen(self, info: Info) -> Info:
        """The line with the side that its score is for."""
        if info.score is None or self._turn is None:
            return info
        return replace(info, score=replace(info.score, turn=self._turn))


def _answer(move: str, reply: str | None, lines: dict[int, Info], totals: Info | None) -> Answer:
    return Answer(None if move == "(none)" else move, reply, tuple(lines[key] for key in sorted(lines)), totals)


def short(text: str) -> str:
    """Text for a message: short, printable, on one line."""
    text = " ".join(text.split())
    return ascii(text if len(text) <= 80 else text[:77] + "...")[1:-1]


def shown(text: str) -> str:
    """The same in quotes."""
    return f"'{short(text)}'"
