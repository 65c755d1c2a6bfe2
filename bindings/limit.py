"""When a search ends."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    """When a search ends: at the first limit reached; with none it runs until it is stopped.

    `time` is seconds for this move, `clock` the seconds each seat has left and `increment` what it gains a move, both
    with one entry a seat in the order of play (None: not given).
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    clock: tuple[float | None, ...] = ()
    increment: tuple[float | None, ...] = ()

    def __post_init__(self) -> None:
        for name in ("time", "depth", "nodes"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise ValueError(f"Limit: {name} is {value}, but can't be negative")

    def go(self) -> str:
        """The protocol's `go` command."""
        words = ["go"]
        for name, value in (("depth", self.depth), ("nodes", self.nodes)):
            if value is not None:
                words += [name, str(value)]
        if self.time is not None:
            words += ["movetime", str(round(self.time * 1000))]
        for kind, seats in (("time", self.clock), ("inc", self.increment)):
            # UCI's names where there are two seats: engines that know no others are many.
            names = ["w", "b"] if len(seats) == 2 else [f"p{seat}" for seat in range(1, len(seats) + 1)]
            for name, seconds in zip(names, seats, strict=True):
                if seconds is not None:
                    words += [name + kind, str(round(seconds * 1000))]
        return " ".join(words) if len(words) > 1 else "go infinite"

    def longest(self) -> float | None:
        """Seconds after which the answer is overdue, None where only depth or nodes bound the search."""
        if self.time is not None:
            return self.time
        known = [seconds for seconds in self.clock if seconds is not None]
        return max(known) if known else None
