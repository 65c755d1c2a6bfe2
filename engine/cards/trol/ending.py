"""Who wins: tribes are put out for little food and few masks, and of the rest the one with most skulls is the chief."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SERIES = (1, 2, 3, 5)  # points of the four tribes in a series of games, the first one put out to the winner
PARTNER = 2  # more for the winner's partner


@dataclass(frozen=True)
class Tally:
    """What counts at the end, by tribe. `trophies` holds what each trophy is worth: (skulls, its danger as a pair)."""

    food: Sequence[int]
    masks: Sequence[int]
    trophies: Sequence[Sequence[tuple[int, tuple[int, int]]]]

    def skulls(self, tribe: int) -> int:
        return sum(skulls for skulls, _ in self.trophies[tribe])

    def trophy_rank(self, tribe: int) -> tuple[int, int, tuple[int, int]]:
        """Skulls, then the number of prey cards, then the most dangerous of them."""
        prey = self.trophies[tribe]
        return self.skulls(tribe), len(prey), max((danger for _, danger in prey), default=(0, 0))


def put_out(tally: Tally, tied_stay: bool) -> tuple[list[int], list[int]]:
    """The tribes put out for food and those put out for masks. Who is tied with a tribe that may stay, stays; without
    `tied_stay` a tie for food there keeps everybody in."""
    tribes = range(len(tally.food))
    for_food = _last(
        {tribe: (tally.food[tribe], tally.masks[tribe]) for tribe in tribes}, 2 if len(tribes) == 5 else 1, tied_stay
    )
    if len(tribes) == 3:
        return for_food, []
    rest = {tribe: (tally.masks[tribe], tally.skulls(tribe)) for tribe in tribes if tribe not in for_food}
    return for_food, _last(rest, 1, True)


def _last(ranks: dict[int, tuple[int, int]], number: int, tied_stay: bool) -> list[int]:
    """The `number` lowest, less those that a tie keeps in."""
    order = sorted(ranks, key=ranks.__getitem__)
    limit = ranks[order[number - 1]]
    if limit < ranks[order[number]]:
        return order[:number]
    return [tribe for tribe in order[:number] if ranks[tribe] < limit] if tied_stay else []


def leaders(tally: Tally, tied_stay: bool) -> list[int]:
    """The tribes that share the first place among those that are left; dice decide between several."""
    out = [tribe for group in put_out(tally, tied_stay) for tribe in group]
    ranks = {tribe: tally.trophy_rank(tribe) for tribe in range(len(tally.food)) if tribe not in out}
    return [tribe for tribe, rank in ranks.items() if rank == max(ranks.values())]


def series_points(tally: Tally, tied_stay: bool, winner: int) -> list[int]:
    """The points of four tribes. Losers whom nothing tells apart all get those of the lowest of their places."""
    for_food, for_masks = put_out(tally, tied_stay)

    def rank(tribe: int) -> tuple[int, tuple[int, int, tuple[int, int]]]:
        if tribe in for_food:
            return 0, (0, 0, (0, 0))
        if tribe in for_masks:
            return 1, (0, 0, (0, 0))
        return (3 if tribe == winner else 2), tally.trophy_rank(tribe)

    ranks = [rank(tribe) for tribe in range(len(tally.food))]
    return [SERIES[sum(other < own for other in ranks)] for own in ranks]
