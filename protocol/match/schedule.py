"""Which engines meet in which pair, and who sits where in each of its battles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Literal, NamedTuple

from thudstone.protocol.match.opening import Opening

Kind = Literal["round-robin", "gauntlet"]


class Job(NamedTuple):
    """A battle to be played: `seats` are the numbers of the engines (from 0) in the order of play, `number` that of the
    opening (from 1), and `opening` the opening itself, None for a random one.
    """

    pair: int
    battle: int
    seats: tuple[int, ...]
    number: int
    opening: Opening | None = None


@dataclass(frozen=True)
class Schedule:
    """The pairs of a match, numbered from 1. All lineups play one opening before any plays the next.

    A pair has as many battles as the game has seats; each lineup moves on by one seat from battle to battle, so that
    every engine sits everywhere. With two seats: the same opening, sides swapped.
    """

    lineups: tuple[tuple[int, ...], ...]
    rounds: int
    openings: tuple[Opening, ...] = ()

    @classmethod
    def of(
        cls, engines: int, seats: int, kind: Kind, rounds: int, openings: tuple[Opening, ...] = ()
    ) -> Schedule:
        """Everybody meets everybody, or (`gauntlet`) the first engine everybody else, `rounds` times. Where the seats
        are more than the engines, every mixture that has all of them is a lineup.
        """
        assert engines >= 2 and seats >= 2
        lineups: Iterator[tuple[int, ...]] = combinations(range(engines), seats)
        if engines < seats:
            mixed = combinations_with_replacement(range(engines), seats)
            lineups = (lineup for lineup in mixed if len(set(lineup)) == engines)
        return cls(tuple(lineup for lineup in lineups if kind == "round-robin" or 0 in lineup), rounds, openings)

    @property
    def pairs(self) -> int:
        return len(self.lineups) * self.rounds

    @property
    def battles_a_pair(self) -> int:
        return len(self.lineups[0])

    @property
    def battles(self) -> int:
        return self.pairs * self.battles_a_pair

    def job(self, pair: int, battle: int) -> Job:
        assert 1 <= pair <= self.pairs and 1 <= battle <= self.battles_a_pair
        round_number, which = divmod(pair - 1, len(self.lineups))
        lineup = self.lineups[which]
        turned = battle - 1
        seats = lineup[turned:] + lineup[:turned]
        opening = self.openings[round_number % len(self.openings)] if self.openings else None
        return Job(pair, battle, seats, round_number + 1, opening)

    def index(self, pair: int, battle: int) -> int:
        """The place of a battle among all, from 0."""
        return (pair - 1) * self.battles_a_pair + battle - 1

    def jobs(self, done: Sequence[int]) -> Iterator[Job]:
        """The battles that are not done yet, in order; `done` says so at their index."""
        for index in range(self.battles):
            if not done[index]:
                pair, battle = divmod(index, self.battles_a_pair)
                yield self.job(pair + 1, battle + 1)
