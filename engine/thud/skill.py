"""Levels below full strength, which err as people do: they look less far, overlook moves (quiet ones more than
captures), and are not sure which of the good ones is the best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from thudstone.engine.thud import core

Report = Callable[[int, int, int, int, list[int]], None]  # depth, seldepth, number of the line, score, moves

FULL = 20  # the level that is not held back

_DEPTHS = (1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8)  # plies that each level looks ahead
# Of the quiet moves level 0 sees one in ten, which makes it about the equal of a player who takes what he can and
# otherwise moves at random; from level 10 on all are seen.
_SEEN = 0.1
_SEEN_GROWTH = 10**0.1
_MOST_LINES = 12  # the lines among which level 0 chooses; fewer, in proportion, towards FULL
_MOST_LOSS = 100  # hundredths of a point: a line worse by so much is e times less likely at level 0; less towards FULL


class Skill:
    """What one level makes of one search, which is told to look at `roots` alone, to `depth`, for `lines` lines, and to
    report to `take`.

    Of each completed depth one line is chosen and reported as the first; the others are those after it in the order of
    scores. What is better is what the level doesn't see. All depends on the level, the position's key and the scores
    alone, so that it can be repeated.
    """

    def __init__(self, level: int, key: int, moves: Sequence[int], shown: int, report: Report) -> None:
        """`moves` are those of the root, one or more, `shown` is how many lines are wanted; `report` is given them."""
        if not 0 <= level < FULL:
            raise ValueError(f"level {level} is not between 0 and {FULL - 1}")
        weakness = 1 - level / FULL
        rng = Random(key * FULL + level)
        self._choices = 1 + round((_MOST_LINES - 1) * weakness)
        self._loss = _MOST_LOSS * weakness
        self._draw = rng.random()
        self._shown = shown
        self._report = report
        self._scores: list[int] = []
        self._lines: list[list[int]] = []
        seen = min(_SEEN * _SEEN_GROWTH**level, 1)
        captures_seen = (1 + seen) / 2
        self.roots = [move for move in moves if rng.random() < (captures_seen if core.captured(move) else seen)]
        if not self.roots:
            self.roots = [rng.choice(moves)]
        self.depth = _DEPTHS[level]
        self.lines = min(self._choices + shown - 1, len(self.roots))
        self.best: list[int] = []  # the line chosen at the last completed depth

    def take(self, depth: int, seldepth: int, line: int, score: int, pv: list[int]) -> None:
        """The search's report of one line; they come in the order of their scores."""
        if line == 1:
            self._scores, self._lines = [], []
        self._scores.append(score)
        self._lines.append(pv)
        if line < self.lines:
            return
        first = self._choose(self._scores[: self._choices])
        self.best = self._lines[first]
        for number in range(first, min(first + self._shown, self.lines)):
            self._report(depth, seldepth, number - first + 1, self._scores[number], self._lines[number])

    def _choose(self, scores: Sequence[int]) -> int:
        """Where one draw falls when each line has a share that shrinks with its loss."""
        shares = [math.exp((score - scores[0]) / self._loss) for score in scores]
        left = self._draw * sum(shares)
        for number, share in enumerate(shares):
            left -= share
            if left < 0:
                return number
        return 0  # the draw fell on the end of the last share, in rounding
