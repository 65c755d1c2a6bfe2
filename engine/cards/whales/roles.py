"""Who may be what: the deal of the role cards, and how likely each role is for a seat that isn't known.

The role deck is some cards that are surely in it (with the expansion one whale and one superspy) and others drawn from
a pool. All orders of the cards are equally likely, so the weight of a deal depends only on how often it has each role.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import comb, perm

ROLES = ("whale", "spy", "dolphin", "turtle", "henchman", "were")
WHALE, SPY, DOLPHIN, TURTLE, HENCHMAN, WERE = range(len(ROLES))
HIDDEN = -1  # the role of a seat in a view that doesn't know it


class RoleDeck:
    """`sure` and `pool` count the cards of each role; seats - sum(sure) of the pool's are dealt."""

    def __init__(self, seats: int, sure: Sequence[int], pool: Sequence[int]) -> None:
        """ValueError where the pool has too few cards."""
        missing = seats - sum(sure)
        if missing > sum(pool):
            raise ValueError(f"{seats} seats need {missing} more role cards, and there are {sum(pool)}")
        self.seats = seats
        self._ways: dict[tuple[int, ...], int] = {}
        for drawn in product(*(range(min(count, missing) + 1) for count in pool)):
            if sum(drawn) != missing:
                continue
            # The cards that are surely dealt and those drawn, all told apart, in every order on the places that the
            # role has: C(n, sure) * sure! * drawn of the pool in order.
            ways = 1
            for certain, taken, among in zip(sure, drawn, pool, strict=True):
                ways *= comb(certain + taken, certain) * perm(certain) * perm(among, taken)
            self._ways[tuple(c + d for c, d in zip(sure, drawn, strict=True))] = ways
        self.most = tuple(max(counts[role] for counts in self._ways) for role in range(len(ROLES)))
        self.weights = lru_cache(maxsize=4096)(self._weights)

    def expected(self, role: int) -> float:
        """How many seats have a role, on average."""
        weights = self.weights((0,) * len(ROLES), 0, False)
        return self.seats * weights[role] / sum(weights)

    def _weights(self, known: tuple[int, ...], barred: int, itself: bool) -> tuple[int, ...]:
        """How likely the next seat has each role, as integer weights, after `known[r]` seats have role r. `itself`
        tells that this seat is known not to be the Turtle, and `barred` counts the later seats of which that is known.
        All weights are 0 where no deal fits."""
        weights = [0] * len(ROLES)
        left = self.seats - sum(known)
        for counts, ways in self._ways.items():
            rest = [count - has for count, has in zip(counts, known, strict=True)]
            if min(rest) < 0:
                continue
            for role, count in enumerate(rest):
                if count and not (itself and role == TURTLE):
                    weights[role] += ways * _orders(left - 1, barred, [c - (r == role) for r, c in enumerate(rest)])
        return tuple(weights)


def _orders(places: int, barred: int, counts: Sequence[int]) -> int:
    """In how many orders the roles can lie on the places, Turtles not on the barred ones."""
    turtles = counts[TURTLE]
    orders = comb(places - barred, turtles)
    places -= turtles
    for role, count in enumerate(counts):
        if role != TURTLE:
            orders *= comb(places, count)
            places -= count
    return orders
