"""Looks for positions with as many moves as possible: what a list of moves has to hold at worst."""

from __future__ import annotations

import math
from random import Random

import placements
from thudstone.engine.thud import core


def climb(random: Random, side: str, counts: tuple[int, int] | None, steps: int) -> core.Board:
    """The best of `steps` small changes, by simulated annealing. `counts` are the numbers of dwarfs and trolls, None
    for any."""
    squares = placements.SQUARES
    if counts is None:
        kinds = random.choices("dT ", k=len(squares))
    else:
        kinds = list("d" * counts[0] + "T" * counts[1] + " " * (len(squares) - sum(counts)))
        random.shuffle(kinds)

    def made() -> core.Board:
        pieces = {square: kind for square, kind in zip(squares, kinds, strict=True) if kind != " "}
        return placements.core_board(pieces, side)

    best = made()
    now = most = best.legal_count()
    for step in range(steps):
        one, two = random.sample(range(len(squares)), 2)
        before = kinds[one], kinds[two]
        if counts is None:
            kinds[one] = random.choice("dT ")
        else:
            kinds[one], kinds[two] = kinds[two], kinds[one]
        changed = made()
        count = changed.legal_count()
        warmth = 12 * (1 - step / steps) + 0.01
        if count >= now or random.random() < math.exp((count - now) / warmth):
            now = count
        else:
            kinds[one], kinds[two] = before
        if now > most:
            best, most = changed, now
    return best
