"""Where the engines of a match stand. Battles come in any order; what a pair was worth is kept, not the battle."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from thudstone.protocol.match.result import Battle
from thudstone.protocol.match.statistics import Estimate, PairScore, Sample, elo, los

_SIDES = {"thud": ("dwarfs", "trolls")}  # by game; the seats of others have numbers
_UNKNOWN = "-"


@dataclass(frozen=True)
class Record:
    """Battles won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0


@dataclass(frozen=True)
class Row:
    """An engine against all others it met. `pairs` counts each other engine of a pair once, `margin` is the mean of
    its points minus the others' in a pair, `share` the mean of its shares of the win in a pair. `sides` has one entry a
    seat.
    """

    name: str
    pairs: PairScore
    elo: Estimate
    los: float
    margin: Estimate
    share: Estimate
    sides: tuple[Record, ...]


@dataclass
class _Tally:
    """What is added up for one engine."""

    margin: Sample = field(default_factory=Sample)
    share: Sample = field(default_factory=Sample)
    sides: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


class Standing:
    """The table of a match. A pair is complete when each of its seats was taken once by each engine: with two battles,
    or with as many as there are seats. Only complete pairs count, but for the results per side.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """`names` of the engines, each once. ValueError otherwise."""
        if len(set(names)) != len(names):
            raise ValueError(f"an engine is named twice: {', '.join(names)}")
        self.names = tuple(names)
        self.battles = 0
        self.complete = 0  # pairs
        self.ends: Counter[str] = Counter()  # battles by how they ended
        self.forfeits: Counter[str] = Counter()  # battles by the engine that forfeited them
        self._game = "thud"
        self._seats = 2
        self._open: dict[int, list[Battle]] = {}
        self._tallies = {name: _Tally() for name in names}
        self._scores: Counter[tuple[str, str, int]] = Counter()  # by two engines, in order, and the sign of the margin

    def add(self, battle: Battle) -> None:
        """Count a battle. ValueError for an unknown engine, and for one that doesn't fit its pair."""
        unknown = [name for name in battle.seats if name not in self._tallies]
        if unknown:
            raise ValueError(f"pair {battle.pair}, battle {battle.battle}: no engine is called {unknown[0]}")
        others = self._open.get(battle.pair, [])
        for other in others:
            if other.battle == battle.battle:
                raise ValueError(f"pair {battle.pair}: battle {battle.battle} came twice")
            if sorted(other.seats) != sorted(battle.seats):
                raise ValueError(f"pair {battle.pair}: battles {other.battle} and {battle.battle} differ in engines")
        self.battles += 1
        self.ends[battle.end] += 1
        if battle.forfeit is not None:
            self.forfeits[battle.seats[battle.forfeit.seat - 1]] += 1
        self._game, self._seats = battle.game, len(battle.seats)
        for seat, name in enumerate(battle.seats):
            best = max(battle.shares[:seat] + battle.shares[seat + 1 :])
            self._tallies[name].sides[seat][_outcome(battle.shares[seat] - best)] += 1
        if len(others) + 1 < len(battle.seats):
            self._open[battle.pair] = [*others, battle]
            return
        self._open.pop(battle.pair, None)
        self._close([*others, battle])

    def pairs(self, first: str, second: str) -> PairScore:
        """How `first` did in its complete pairs against `second`. KeyError for an unknown engine."""
        for name in (first, second):
            self._tallies[name]  # a wrong name must not look like no pairs
        return PairScore(*(self._scores[first, second, sign] for sign in (1, 0, -1)))

    def rows(self) -> list[Row]:
        """The engines, best first; equal ones as they were named."""
        rows = [self._row(name) for name in self.names]
        worth = {row.name: row.pairs.share if self._seats == 2 else row.share.value for row in rows}
        return sorted(rows, key=lambda row: math.inf if math.isnan(worth[row.name]) else -worth[row.name])

    def table(self) -> list[list[str]]:
        """The rows as text, below a row of headings. Errors are those of 95 %."""
        sides = _SIDES.get(self._game) or tuple(f"seat {seat}" for seat in range(1, self._seats + 1))
        duel = self._seats == 2
        result = ["Elo", "LOS", "margin a pair"] if duel else ["share of the win"]
        table = [["engine", "pairs", "won", "drawn", "lost", *result, *(f"as {side}" for side in sides)]]
        for row in self.rows():
            score = row.pairs
            cells = [row.name, *map(str, (score.pairs, score.wins, score.draws, score.losses))]
            if duel:
                certainty = f"{100 * row.los:.1f} %" if score.pairs else _UNKNOWN
                cells += [estimate_text(row.elo, "+.1f"), certainty, estimate_text(row.margin, "+.2f")]
            else:
                cells.append(estimate_text(row.share, ".3f"))
            cells += [f"{side.wins}-{side.draws}-{side.losses}" for side in row.sides]
            table.append(cells)
        return table

    def _close(self, battles: list[Battle]) -> None:
        """Count a complete pair."""
        self.complete += 1
        points: Counter[str] = Counter()
        shares: defaultdict[str, float] = defaultdict(float)
        names = list(dict.fromkeys(battles[0].seats))
        for battle in battles:
            for name, point, share in zip(battle.seats, battle.points, battle.shares, strict=True):
                points[name] += point
                shares[name] += share
        for first, second in combinations(names, 2):
            duel = len(battles[0].seats) == 2
            # Points of games with more seats needn't decide who wins; and rounding must not win a pair.
            lead = points[first] - points[second] if duel else round(shares[first] - shares[second], 9)
            sign = (lead > 0) - (lead < 0)
            self._scores[first, second, sign] += 1
            self._scores[second, first, -sign] += 1
        for name in names:
            seats = sum(battle.seats.count(name) for battle in battles)
            self._tallies[name].margin.add(points[name] - (sum(points.values()) - points[name]))
            self._tallies[name].share.add(min(max(shares[name] / seats, 0.0), 1.0))

    def _row(self, name: str) -> Row:
        against = [self.pairs(name, other) for other in self.names if other != name]
        score = PairScore(
            sum(part.wins for part in against),
            sum(part.draws for part in against),
            sum(part.losses for part in against),
        )
        tally = self._tallies[name]
        sides = (tally.sides[seat] for seat in range(self._seats))
        return Row(
            name,
            score,
            elo(score),
            los(score),
            tally.margin.mean(),
            tally.share.share(),
            tuple(Record(side["win"], side["draw"], side["loss"]) for side in sides),
        )


def estimate_text(estimate: Estimate, form: str) -> str:
    """`+12.3 ± 4.5`; both bounds where they are not equally far from the value: `+inf (+45.8 to +inf)`."""
    if math.isnan(estimate.value):
        return _UNKNOWN
    value, low, high = (format(number, form) for number in (estimate.value, estimate.low, estimate.high))
    below, above = estimate.value - estimate.low, estimate.high - estimate.value
    if math.isfinite(estimate.error) and abs(below - above) <= 0.05 * (below + above):
        return f"{value} ± {format(estimate.error, form.lstrip('+'))}"
    return f"{value} ({low} to {high})"


def _outcome(lead: float) -> str:
    """Of one battle, by the lead over the best of the others."""
    return "draw" if abs(lead) < 1e-9 else "win" if lead > 0 else "loss"
