"""From a command's limits to the time one search may take.

Pure arithmetic on milliseconds, counted from `Limits.started` (or, after a ponderhit, from that).
"""

from __future__ import annotations

from dataclasses import dataclass

from thudstone.engine.game import Limits

HORIZON = 40  # moves a clock without `movestogo` is shared out over: more than a battle usually still lasts
LATE = 4.0  # how many shares a search may take that is about to change its mind
SPARE = 0.6  # the part of what is left that one move may never exceed while others are still to come


@dataclass(frozen=True)
class Budget:
    """Milliseconds. Past `soft_ms` no new iteration starts; at `hard_ms` the search ends. None: no limit."""

    soft_ms: float | None = None
    hard_ms: float | None = None


def budget(limits: Limits, seat: int, overhead: int) -> Budget:
    """The time for the move of `seat`. `overhead` is what may be lost on each move between two processes.

    `movetime` is used up but for a margin, which is never more than a tenth of it: a short time stays a time. A clock
    gives a share that keeps `overhead` for each move to come; a clock below `overhead` leaves no time at all.
    """
    soft, hard = _clock_share(limits, seat, overhead)
    if limits.movetime is not None:
        fixed = limits.movetime - min(overhead, limits.movetime / 10)
        hard = fixed if hard is None else min(hard, fixed)
    return Budget(soft, hard)


def _clock_share(limits: Limits, seat: int, overhead: int) -> tuple[float | None, float | None]:
    left = limits.clock[seat] if seat < len(limits.clock) else None
    if left is None:
        return None, None
    increment = (limits.increment[seat] if seat < len(limits.increment) else None) or 0
    moves = limits.movestogo or HORIZON
    safe = max(left - overhead, 0.0)  # what can be spent now and still be answered in time
    # What all moves to come can share. Keeping the overhead for each of them may leave nothing of a short clock, which
    # must not mean moving without thought while there is time: then a quarter of it is shared.
    pool = max(left + (increment - overhead) * (moves - 1) - overhead, safe / 4)
    soft = pool / moves
    most = safe if moves == 1 else safe * SPARE
    return min(soft, most), min(soft * LATE, most)
