"""The one contract between a game, its players and everything that drives them.

A game knows nothing of the protocol, and the protocol knows nothing of a game's rules: the wrapper, the referee and
the match runner meet a game only through `Game`, and a player only through `Player`. Seats count from 0 here and from
1 in text.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal

CHANCE = -1  # `Game.turn` when a chance event comes next
OVER = -2  # `Game.turn` when the game has ended

OptionValue = int | bool | str


class IllegalToken(ValueError):
    """A token that can't be played here; the message names it and says why. The state is as it was."""


@dataclass(frozen=True)
class Option:
    """A setting of a game or a player, in UCI's five types. A button has no value."""

    name: str
    type: Literal["spin", "check", "combo", "button", "string"]
    default: OptionValue = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """When a search ends: at the first limit reached; with none it runs until it is stopped.

    Times are milliseconds. `clock` and `increment` hold one entry a seat (None: not given). `started` is the
    `time.monotonic()` at which the command was read, so that time spent before the search begins counts too.
    `searchmoves` restricts the first move to these tokens. While `ponder` is on, clocks and `movetime` don't run until
    the stop's `ponderhit`.
    """

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    clock: tuple[int | None, ...] = ()
    increment: tuple[int | None, ...] = ()
    movestogo: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()
    started: float = field(default_factory=time.monotonic)


class Stop:
    """How the thread that reads commands reaches one running search. One object a search, so that a late stop can't
    end the next one.

    `flags` is two bytes that compiled code polls without the interpreter: flags[0] is 1 once the search must end,
    flags[1] is 1 once the pondered move was played.
    """

    def __init__(self) -> None:
        self.flags = bytearray(2)
        self.hit_at = 0.0  # time.monotonic() of the ponderhit
        self._changed = threading.Condition()

    def set(self) -> None:
        """End the search now. Harmless when repeated."""
        with self._changed:
            self.flags[0] = 1
            self._changed.notify_all()

    def ponderhit(self) -> None:
        """The pondered move was played: the clock starts."""
        with self._changed:
            if not self.flags[1]:
                self.hit_at = time.monotonic()
                self.flags[1] = 1
            self._changed.notify_all()

    @property
    def is_set(self) -> bool:
        return bool(self.flags[0])

    @property
    def is_hit(self) -> bool:
        return bool(self.flags[1])

    def wait(self, *, ponder: bool) -> None:
        """Block until the search is stopped or, with `ponder`, until the ponderhit."""
        with self._changed:
            self._changed.wait_for(lambda: self.flags[0] or (ponder and self.flags[1]))


@dataclass(frozen=True)
class Info:
    """What a search reports: one line of one depth, or (without `pv`) the totals.

    `score` is in hundredths of a point from the side to move; `shares` is each seat's expected share of the win
    (several players), summing to 1. One of the two is set where there is a `pv`. `time` is milliseconds, `hashfull`
    per mille.
    """

    nodes: int
    time: int
    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    score: int | None = None
    shares: tuple[float, ...] | None = None
    bound: Literal["", "lowerbound", "upperbound"] = ""
    hashfull: int | None = None
    pv: tuple[str, ...] = ()

    @property
    def nps(self) -> int:
        """Nodes a second; a search shorter than the clock's tick counts as one millisecond."""
        return self.nodes * 1000 // max(self.time, 1)


@dataclass(frozen=True)
class Choice:
    """What a search answers: the move (None where there is no legal one) and the reply it expects."""

    move: str | None
    ponder: str | None = None


class Game(ABC):
    """A position of a game, or what one seat knows of it (a view: the same class, holding `?`)."""

    name: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    seat_range: ClassVar[tuple[int, int]]  # fewest and most seats
    seats: int

    @classmethod
    @abstractmethod
    def start(cls, seats: int, options: Mapping[str, OptionValue]) -> Game:
        """The start of a game. ValueError for a number of seats the game doesn't have."""

    @classmethod
    @abstractmethod
    def from_text(cls, text: str, options: Mapping[str, OptionValue]) -> Game:
        """The position that `text()` wrote. ValueError says what is wrong, and where."""

    @abstractmethod
    def text(self) -> str: ...

    @property
    @abstractmethod
    def turn(self) -> int:
        """The seat to move (0…seats-1), CHANCE or OVER."""

    @abstractmethod
    def legal(self) -> list[str]:
        """Every legal token, in an order that depends on the position alone."""

    @abstractmethod
    def is_legal(self, token: str) -> bool: ...

    def chance(self) -> list[tuple[str, int]]:
        """The chance events that may come next, with positive integer weights."""
        return []

    @abstractmethod
    def apply(self, token: str) -> str:
        """Play a token and return it as the game writes it. IllegalToken with the reason changes nothing."""

    @abstractmethod
    def end(self) -> str:
        """Why the game ended, `none` while it goes on."""

    @abstractmethod
    def score(self) -> tuple[int, ...]:
        """Points of each seat now."""

    @abstractmethod
    def returns(self) -> tuple[float, ...]:
        """Each seat's share of the win, summing to 1. ValueError before the end."""

    @abstractmethod
    def copy(self) -> Game: ...

    def redact(self, token: str, seat: int) -> str:
        """What `seat` sees of a token, asked before it is applied."""
        return token

    def fill(self, rng: Random) -> Game:
        """A full world that fits this view."""
        return self.copy()

    @abstractmethod
    def draw(self) -> str:
        """The position for people, several lines of ASCII."""

    def perft(self, depth: int, stop: Stop) -> int | None:
        """How many sequences of `depth` tokens there are from here; None when stopped."""
        if stop.is_set:
            return None
        if depth == 0:
            return 1
        total = sum(count for _, count in self.divide(depth, stop))
        return None if stop.is_set else total

    def divide(self, depth: int, stop: Stop) -> Iterator[tuple[str, int]]:
        """Each token with its share of `perft(depth)`, depth 1 or more; ends early when stopped."""
        for token in self.legal():
            child = self.copy()
            child.apply(token)
            count = child.perft(depth - 1, stop)
            if count is None:
                return
            yield token, count


class Player(ABC):
    """Whoever chooses moves. It keeps what it learned between searches (tables, histories) until `new_game`."""

    options: ClassVar[Sequence[Option]] = ()

    @abstractmethod
    def set_option(self, name: str, value: OptionValue | None) -> None:
        """Set one of `options` (named exactly, the value already of its type and in its range; a button has None).
        ValueError where it can't be done, and all is as it was."""

    @abstractmethod
    def new_game(self) -> None:
        """Forget what was learned; options stay."""

    @abstractmethod
    def search(self, view: Game, limits: Limits, report: Callable[[Info], None], stop: Stop) -> Choice:
        """Choose a move for the side to move of `view`, which is left as it was. Reports each completed depth and,
        last, the totals. Returns as soon as a limit is reached or nothing is left to search; keeping an infinite
        search silent until it is stopped is the caller's part."""

    @abstractmethod
    def explain(self, view: Game) -> str:
        """The static evaluation for people, several lines of ASCII."""

    @abstractmethod
    def bench(self, stop: Stop) -> Iterator[str]:
        """Search fixed positions and yield lines; the last two are `NPS: N` and `Bench: N`, the latter the same on
        every machine. A stopped bench ends early without them. Tables and options of this player are left as they
        were."""
