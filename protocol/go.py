"""The words after `go`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from thudstone.engine.game import Limits
from thudstone.protocol.number import whole
from thudstone.protocol.refusal import Refusal, quoted

MOST = 2**63 - 1  # of nodes and milliseconds: what a signed word of the compiled core holds
DEEPEST = 2**31 - 1
DEEPEST_PERFT = 99  # no count of a deeper one ever ends, and each ply is a call inside a call

# Clocks and increments by seat: UCI's names, the universal `pK`, and the sides of Thud.
_CLOCK = re.compile(rb"(?:([wdbt])|p([1-9][0-9]?))(time|inc)\Z")
_LETTERS = {b"w": 0, b"d": 0, b"b": 1, b"t": 1}

_RANGES = {b"depth": DEEPEST, b"nodes": MOST, b"movetime": MOST, b"movestogo": DEEPEST, b"perft": DEEPEST_PERFT}
_FLAGS = (b"infinite", b"ponder")


@dataclass
class Go:
    """A `go` command as it was read; `searchmoves` are tokens nobody has checked yet."""

    numbers: dict[bytes, int] = field(default_factory=dict)
    flags: set[bytes] = field(default_factory=set)
    clock: dict[int, int] = field(default_factory=dict)
    increment: dict[int, int] = field(default_factory=dict)
    searchmoves: list[bytes] = field(default_factory=list)

    @property
    def perft(self) -> int | None:
        return self.numbers.get(b"perft")

    def bounded(self, turn: int) -> bool:
        """Whether something will end a search of seat `turn` by itself. A clock of another seat doesn't; where no seat
        is to move, any clock asks for an answer."""
        clock = turn in self.clock if turn >= 0 else bool(self.clock)
        return clock or any(name in self.numbers for name in (b"depth", b"nodes", b"movetime"))

    def limits(self, seats: int, turn: int, read_move: Callable[[bytes], str], started: float) -> Limits:
        """The limits for a search of seat `turn`; one that nothing bounds is infinite.

        `read_move` checks one of `searchmoves` and writes it as the game does; what it raises passes through.
        """
        ponder = b"ponder" in self.flags
        return Limits(
            depth=self.numbers.get(b"depth"),
            nodes=self.numbers.get(b"nodes"),
            movetime=self.numbers.get(b"movetime"),
            clock=tuple(self.clock.get(seat) for seat in range(seats)) if self.clock else (),
            increment=tuple(self.increment.get(seat) for seat in range(seats)) if self.increment else (),
            movestogo=self.numbers.get(b"movestogo") or None,  # some controllers write 0 for `not given`
            infinite=b"infinite" in self.flags or not (ponder or self.bounded(turn)),
            ponder=ponder,
            searchmoves=tuple(dict.fromkeys(map(read_move, dict.fromkeys(self.searchmoves)))),
            started=started,
        )


def parse(words: list[bytes]) -> Go:
    """A known word with a bad value, or without one, refuses the line; unknown words are skipped."""
    go = Go()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in _FLAGS:
            go.flags.add(word)
        elif word == b"searchmoves":
            end = at
            while end < len(words) and not _is_keyword(words[end]):
                end += 1
            if end == at:
                raise Refusal("go searchmoves: a move expected")
            go.searchmoves += words[at:end]
            at = end
        elif _is_keyword(word):
            _set(go, word, words[at : at + 1])
            at += 1
    return go


def _is_keyword(word: bytes) -> bool:
    return word in _RANGES or word in _FLAGS or word == b"searchmoves" or _CLOCK.match(word) is not None


def _set(go: Go, word: bytes, value: list[bytes]) -> None:
    name = word.decode("ascii")
    if not value:
        raise Refusal(f"go {name}: a number expected")
    number = whole(value[0])
    timer = _CLOCK.match(word)
    most = _RANGES.get(word, MOST)
    # A clock below zero is one that has run out: some runners send it before they say so.
    least = -MOST if timer and timer[3] == b"time" else 0
    if number is None or not least <= number <= most:
        raise Refusal(f"go {name}: {quoted(value)} is no number from {least} to {most}")
    if timer is None:
        go.numbers[word] = number
        return
    seat = int(timer[2]) - 1 if timer[2] else _LETTERS[timer[1]]
    (go.clock if timer[3] == b"time" else go.increment)[seat] = max(number, 0)
