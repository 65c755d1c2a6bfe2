"""What a battle was worth, ply by ply.

Scores are in points from the dwarfs' view. Each position of a battle is judged once: the score after a ply is the
score before the next. A ply loses what the best move promised its side and the position after it no longer does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from thudstone.move import Move
from thudstone.position import DWARFS, Position
from thudstone.record import Battle

# The least loss in points of each class; a troll is 4 points, a dwarf 1.
INACCURACY = 1.0
CLASSES = (("blunder", 4.0), ("mistake", 2.0), ("inaccuracy", INACCURACY), ("good", 0.0))
KINDS = ("best", "good", "inaccuracy", "mistake", "blunder")
ACCURACY_SCALE = 4.0  # points: a ply that loses a troll keeps 1/e of its accuracy
TURNING_LOSS = 2.0
MOST_TURNING_POINTS = 6


@dataclass(frozen=True)
class Judgement:
    """A search's result: the score in points for the dwarfs (None where it found none in its time), its depth, the
    best move and the line that begins with it. An ended battle has depth None and no move.
    """

    score: float | None
    depth: int | None = None
    best: str | None = None
    line: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ply:
    """A ply of a battle, counted from 1, between the judgements before and after it. `side` is DWARFS or TROLLS."""

    number: int
    side: int
    move: Move
    before: Judgement
    after: Judgement

    @property
    def loss(self) -> float:
        """Points that the ply lost its side, 0 or more; 0 for the engine's own move and where a score is missing."""
        if self.before.best == self.move.text or self.before.score is None or self.after.score is None:
            return 0.0
        lost = self.before.score - self.after.score
        return max(0.0, lost if self.side == DWARFS else -lost)

    @property
    def kind(self) -> str:
        """`best`, `good`, `inaccuracy`, `mistake` or `blunder`."""
        if self.before.best == self.move.text:
            return "best"
        return next(name for name, least in CLASSES if self.loss >= least)

    @property
    def accuracy(self) -> float:
        """100 for a ply that loses nothing, falling towards 0: 100 · exp(-loss / 4)."""
        return 100 * math.exp(-self.loss / ACCURACY_SCALE)

    @property
    def sentence(self) -> str:
        """The ply in a sentence."""
        who = ("The dwarfs", "The trolls")[self.side]
        if self.kind == "best":
            return f"{who} played {self.move}, the engine's choice."
        if not self.loss:
            return f"{who} played {self.move}, which lost nothing."
        found = f"; {self.before.best} was better" if self.before.best else ""
        scores = f" ({_points(self.before.score)} to {_points(self.after.score)} for the dwarfs)"
        return f"{who} played {self.move} and lost {self.loss:.2f} points{scores}{found}."


@dataclass(frozen=True)
class Analysis:
    """A battle and its plies so far judged; `complete` says whether these are all."""

    battle: Battle
    first: Judgement
    plies: tuple[Ply, ...]

    @property
    def complete(self) -> bool:
        return len(self.plies) == len(self.battle.moves)

    @property
    def scores(self) -> tuple[float | None, ...]:
        """The score before the first ply and after each."""
        return (self.first.score, *(ply.after.score for ply in self.plies))

    def accuracy(self, side: int) -> float | None:
        """The mean accuracy of a side's plies, None where it has none."""
        each = [ply.accuracy for ply in self.plies if ply.side == side]
        return sum(each) / len(each) if each else None

    def count(self, side: int, kind: str) -> int:
        return sum(ply.side == side and ply.kind == kind for ply in self.plies)

    def turning_points(self) -> tuple[Ply, ...]:
        """The plies that lost most, at least 2 points each and at most six, in the order they were played."""
        worst = sorted((ply for ply in self.plies if ply.loss >= TURNING_LOSS), key=lambda ply: -ply.loss)
        return tuple(sorted(worst[:MOST_TURNING_POINTS], key=lambda ply: ply.number))

    def annotated(self) -> Battle:
        """The battle with the scores of this analysis instead of those that it had and, beside what else it had, a
        comment after each ply that lost a point or more, and the line that was better, before it.
        """
        lost = [ply for ply in self.plies if ply.loss >= INACCURACY]
        comments = [*self.battle.comments, *((ply.number, ply.kind) for ply in lost)]
        lines = [(ply.number - 1, tuple(map(Move, ply.before.line))) for ply in lost if ply.before.line]
        return replace(
            self.battle,
            comments=tuple(sorted(comments, key=lambda comment: comment[0])),
            scores=tuple((ply, round(score, 2)) for ply, score in enumerate(self.scores) if score is not None),
            variations=tuple(sorted([*self.battle.variations, *lines], key=lambda line: line[0])),
        )


def judge_battle(battle: Battle, judge: Callable[[Position], Judgement]) -> Iterator[Judgement]:
    """The judgement of the position before the first ply and after each, as they come."""
    for position in battle.positions():
        outcome = position.outcome()
        yield judge(position) if outcome is None else Judgement(float(outcome.margin))


def analysis(battle: Battle, judgements: Sequence[Judgement]) -> Analysis:
    """From the judgements so far, one at least."""
    first = battle.position(0).turn
    plies = tuple(
        Ply(number, (first + number - 1) % 2, move, before, after)
        for number, (move, before, after) in enumerate(
            zip(battle.moves, judgements, judgements[1:], strict=False), start=1
        )
    )
    return Analysis(battle, judgements[0], plies)


def _points(score: float | None) -> str:
    return "?" if score is None else f"{score:+.2f}"
