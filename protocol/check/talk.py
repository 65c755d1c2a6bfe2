"""A conversation with an engine: what a controller says, and what it makes of the answers.

Each method looks only at the lines it is about, so that a mistake of one kind fails the steps that are after it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from thudstone.client import EngineOption
from thudstone.info import Info
from thudstone.protocol.check.reference import Known, Reference, Spot
from thudstone.protocol.check.step import Failed, NotOffered, require
from thudstone.protocol.check.subject import Line, Subject

HELLO = 10.0  # seconds for the very first answer of an engine
PATIENCE = 4.0  # seconds for an answer that is due at once, or after a short search; more is a hang
LIMIT = 25.0  # seconds for a whole step
ERROR = "info string error:"


@dataclass(frozen=True)
class Search:
    """What a search said: the lines before its answer, the answer's words after `bestmove`, and the seconds that it
    took, by our clock.
    """

    lines: tuple[str, ...]
    answer: tuple[str, ...]
    seconds: float

    @property
    def move(self) -> str:
        """The move, or what stands in its place."""
        return self.answer[0] if self.answer else ""

    @property
    def shown(self) -> str:
        return " ".join(("bestmove", *self.answer))

    def infos(self) -> list[Info]:
        """The reports before the answer. Failed for one that can't be read."""
        found = []
        for line in self.lines:
            words = line.split()
            if words[:1] == ["info"] and words[1:2] != ["string"]:
                try:
                    found.append(Info.parse(words[1:]))
                except ValueError as error:
                    raise Failed(f"'{short(line)}': {error}") from None
        return found


@dataclass
class Knowledge:
    """What is known of the engine before a step begins, from greeting it once."""

    options: dict[str, EngineOption] = field(default_factory=dict)  # by name in lower case
    bad_options: list[str] = field(default_factory=list)  # lines that can't be read
    name: str = ""
    hello: str = "uci"
    both: bool = False  # it knows `uci` and `ugi`
    queries: bool = False  # it says something to them
    answers: bool = False  # with a response


class Talk:
    """A conversation with one process at a time."""

    def __init__(self, argv: Sequence[str], known: Knowledge, reference: Reference | None, patience: float) -> None:
        """Starts the engine; `patience` is the seconds that its first answer may take. OSError or ValueError where it
        can't be started.
        """
        self.known = known
        self.subject = Subject(argv)
        self.subject.limit = time.monotonic() + LIMIT
        self._argv = argv
        self._reference = reference
        self.patience = patience

    def hello(self) -> None:
        """Greet it."""
        self.send(self.known.hello, "isready")
        self.subject.until("readyok", self.patience)

    def restart(self) -> None:
        """Another process, greeted."""
        limit = self.subject.limit
        self.subject.kill()
        self.subject = Subject(self._argv)
        self.subject.limit = limit
        self.hello()

    @property
    def reference(self) -> Reference:
        if self._reference is None:
            raise NotOffered("query, and its game is not known here")
        return self._reference

    def thud(self) -> Known:
        """The rules of Thud. NotOffered where the engine plays something else."""
        if not isinstance(self.reference, Known) or self.reference.name != "thud":
            raise NotOffered(f"thud: it plays {self.reference.name}")
        return self.reference

    def send(self, *lines: str) -> float:
        """Send lines in one write; returns the `time.monotonic()` of it."""
        now = time.monotonic()
        self.subject.send(*lines)
        return now

    def ask(self, *lines: str, patience: float = PATIENCE) -> list[str]:
        """What is said before the `readyok` to an `isready` that follows."""
        self.send(*lines, "isready")
        return [line.text for line in self.subject.until("readyok", patience)[:-1]]

    def accept(self, *lines: str) -> list[str]:
        """As `ask`, with commands that an engine carries out without complaint."""
        said = self.ask(*lines)
        complaints = errors(said)
        require(not complaints, f"'{' / '.join(map(short, lines))}' is refused: {''.join(complaints[:1])}")
        return said

    def refuse(self, line: str) -> str:
        """The one error that a command gets."""
        said = self.ask(line)
        complaints = errors(said)
        require(complaints, f"'{short(line)}' gets no '{ERROR} ...'")
        require(len(complaints) == 1, f"'{short(line)}' gets {len(complaints)} errors instead of one")
        return complaints[0]

    def go(self, words: str, patience: float = PATIENCE) -> Search:
        """A search that ends by itself, and what it leaves behind."""
        begun = self.send(f"go {words}".rstrip())
        search = self.answer(begun, patience)
        self.ask()
        return search

    def answer(self, begun: float, patience: float = PATIENCE) -> Search:
        """The answer to a search that runs since `begun`. Failed where it is refused."""
        lines = self.subject.until("bestmove", patience)
        *before, last = lines
        return Search(tuple(line.text for line in before), tuple(last.text.split()[1:]), last.at - begun)

    def stop(self, patience: float = PATIENCE) -> Search:
        """The answer to a `stop`, timed from it."""
        return self.answer(self.send("stop"), patience)

    def silent(self, seconds: float, when: str) -> None:
        """Failed where an answer comes within so long."""
        check_silent(self.subject.during(seconds), when)

    def query(self, words: str) -> str:
        """The values of a response. NotOffered where the engine knows no queries."""
        if not self.known.queries:
            raise NotOffered("query")
        said = [line for line in self.ask(f"query {words}") if line.split()[:1] != ["info"] or line.startswith(ERROR)]
        require(len(said) == 1, f"'query {words}' gets {len(said)} lines instead of one")
        values = said[0].split()
        require(values[:1] == ["response"], f"'query {words}' is answered by '{short(said[0])}'")
        return " ".join(values[1:])

    def stand(self, spot: Spot) -> None:
        """Set a position."""
        self.accept(spot.command)

    def stands(self, spot: Spot, after: str) -> None:
        """Failed unless this is the position that the engine has set. It is searched, or the engine is asked."""
        if self.known.answers:
            legal = set(self.query("legal").split()) - {"="}
            right = bool(legal) if spot.legal else not legal
            require(
                right and legal <= set(spot.legal), f"after {after} its position is not the one of '{spot.command}'"
            )
        else:
            move = self.go("depth 1").move
            fits = move in spot.legal if spot.legal else move == "(none)"
            require(fits, f"after {after} it plays {move}, not in the position of '{short(spot.command)}'")

    def option(self, name: str) -> EngineOption:
        """NotOffered where the engine hasn't announced it."""
        found = self.known.options.get(name.lower())
        if found is None:
            raise NotOffered(f"option {name}")
        return found


def learn(talk: Talk) -> Knowledge:
    """Greet an engine in each way, and see what it has. Failed where it doesn't even answer `isready`."""
    known = talk.known
    talk.send("uci", "isready")
    said = _texts(talk.subject.until("readyok", HELLO))
    universal = talk.ask("ugi")
    known.both = "uciok" in said and "ugiok" in universal
    if not any(line.split()[:1] in (["uciok"], ["id"], ["option"]) for line in said) and "ugiok" in universal:
        known.hello, said = "ugi", universal
    for line in said:
        words = line.split()
        if words[:2] == ["id", "name"]:
            known.name = " ".join(words[2:])
        elif words[:1] == ["option"]:
            try:
                option = EngineOption.parse(words[1:])
            except ValueError as error:
                known.bad_options.append(f"'{short(line)}': {error}")
            else:
                if option.name.lower() in known.options:
                    known.bad_options.append(f"'{short(line)}': there is such an option already")
                known.options.setdefault(option.name.lower(), option)
    said = [line.split()[0] for line in talk.ask("query turn") if line.strip()]
    known.queries = any(word != "info" for word in said)
    known.answers = "response" in said
    return known


def errors(lines: Sequence[str]) -> list[str]:
    """The error messages among lines."""
    return [line[len(ERROR) :].strip() for line in lines if line.startswith(ERROR)]


def check_silent(lines: Sequence[Line], when: str) -> None:
    answers = [line.text for line in lines if line.text.split()[:1] == ["bestmove"]]
    require(not answers, f"'{short(''.join(answers[:1]))}' {when}")


def within(seconds: float, what: str, attempt: Callable[[], float], tries: int = 10) -> None:
    """Failed where none of several attempts takes so little: a busy machine delays some of them, not all."""
    best = math.inf
    for _ in range(tries):
        best = min(best, attempt())
        if best <= seconds:
            return
    raise Failed(f"{what} after {best * 1000:.0f} ms at best, not within {seconds * 1000:.0f}")


def short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:40]} ... {text[-15:]}"


def _texts(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines]
