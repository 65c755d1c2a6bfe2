"""What the results of a match say of the players, and how far they can be trusted: all intervals are of 95 %.

The unit is the pair, one opening twice with sides swapped. Its two battles depend on each other, pairs don't, so that
everything here counts pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

LEVEL = 0.95
_QUANTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)
_ELO_SCALE = 400 / math.log(10)  # Elo points of a factor e in the odds


@dataclass(frozen=True)
class Estimate:
    """A value with its interval. Where nothing is known the value is NaN; where the data bound it on one side only, or
    not at all, the other bound is infinite.
    """

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval; infinite where a bound is."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class PairScore:
    """Pairs won, drawn and lost by the first of two players."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses) < 0:
            raise ValueError(f"a negative number of pairs: {self.wins}, {self.draws}, {self.losses}")

    @property
    def pairs(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The mean score of a pair, 1 for a win and 1/2 for a draw; NaN without pairs."""
        return (self.wins + self.draws / 2) / self.pairs if self.pairs else math.nan

    def reversed(self) -> PairScore:
        """The same pairs as the other player sees them."""
        return PairScore(self.losses, self.draws, self.wins)


def expected_score(elo: float) -> float:
    """The mean score of a player so many Elo points ahead, by the logistic curve."""
    return (1 + math.tanh(elo / _ELO_SCALE / 2)) / 2


def elo(score: PairScore) -> Estimate:
    """The difference in Elo points that the mean score of pairs corresponds to.

    The interval holds every difference that a score test doesn't reject: the observed mean is compared with the
    standard error under the likeliest trinomial distribution of that difference, not under the observed one. So it is
    of use with few pairs, too, where the observed variance is wrong or 0: after five wins in five pairs, from +46 up.
    """
    if not score.pairs:
        return Estimate(math.nan, -math.inf, math.inf)
    low, high = _lowest_mean(score), 1 - _lowest_mean(score.reversed())
    return Estimate(_elo_of(score.share), _elo_of(low), _elo_of(high))


def los(score: PairScore) -> float:
    """Likelihood of superiority: the probability that the first player wins more pairs than it loses in the long run,
    all rates of wins among the decided pairs being equally likely beforehand. 1/2 without a decided pair.
    """
    trials = score.wins + score.losses + 1
    if score.wins < score.losses:
        return 1 - _binomial_tail(trials, score.losses)
    return _binomial_tail(trials, score.wins)


def mean(values: Sequence[float]) -> Estimate:
    """The mean with Student's interval. One value bounds nothing; nor do equal ones show how far the next may lie."""
    sample = Sample()
    for value in values:
        sample.add(value)
    return sample.mean()


def share(values: Sequence[float]) -> Estimate:
    """The mean of shares of a win, each from 0 to 1, with an interval inside these bounds. ValueError for others."""
    sample = Sample()
    for value in values:
        sample.add(value)
    return sample.share()


class Sample:
    """Values whose mean is estimated. They aren't kept, so that a match of any length fits."""

    def __init__(self) -> None:
        self.count = 0
        self._mean = 0.0
        self._squares = 0.0  # the sum of the squared distances from the mean (Welford)
        self._low = math.inf
        self._high = -math.inf

    def add(self, value: float) -> None:
        self.count += 1
        distance = value - self._mean
        self._mean += distance / self.count
        self._squares += distance * (value - self._mean)
        self._low, self._high = min(self._low, value), max(self._high, value)

    def mean(self) -> Estimate:
        """As the function `mean`."""
        if not self.count:
            return Estimate(math.nan, -math.inf, math.inf)
        if self.count == 1:
            return Estimate(self._mean, -math.inf, math.inf)
        freedom = self.count - 1
        error = student_quantile(freedom) * math.sqrt(self._squares / freedom / self.count)
        return Estimate(self._mean, self._mean - error, self._mean + error)

    def share(self) -> Estimate:
        """As the function `share`. Wilson's interval, narrowed by how much less the values vary than wins and losses
        with the same mean would; that is estimated with one more observation, which varies as much as can be.
        """
        if not self.count:
            return Estimate(math.nan, 0.0, 1.0)
        if not 0 <= self._low <= self._high <= 1:
            raise ValueError(f"shares are from 0 to 1, not {self._low} to {self._high}")
        centre = self._mean
        largest = centre * (1 - centre)
        variation = (self._squares / largest + 1) / (self.count + 1) if largest > 0 else 1.0
        # The means m with (centre - m)² <= scale m (1 - m).
        quantile = student_quantile(self.count - 1) if self.count > 1 else _QUANTILE
        scale = min(variation, 1.0) * quantile**2 / self.count
        middle = (centre + scale / 2) / (1 + scale)
        error = math.sqrt(max(scale * (largest + scale / 4), 0.0)) / (1 + scale)
        return Estimate(centre, max(middle - error, 0.0), min(middle + error, 1.0))


def likeliest(score: PairScore, mean: float) -> tuple[float, float, float]:
    """Of all distributions of (win, draw, loss) with the given mean score, between 0 and 1, the one under which the
    observed pairs, at least one, are likeliest.
    """
    assert score.pairs and 0 < mean < 1
    # With d for the draws, wins are mean - d/2 and losses 1 - mean - d/2; the derivative of the log-likelihood
    # vanishes at a root of pairs d² - 2 (draws + wins (1 - mean) + losses mean) d + 4 draws mean (1 - mean).
    rest = 1 - mean
    half = score.draws + score.wins * rest + score.losses * mean
    product = 4 * score.draws * mean * rest
    root = math.sqrt(max(half * half - score.pairs * product, 0.0))
    draw = (
        min(product / (half + root), 2 * mean, 2 * rest) if product else 0.0
    )  # the smaller root, without cancellation
    return max(mean - draw / 2, 0.0), draw, max(rest - draw / 2, 0.0)


def student_quantile(freedom: int) -> float:
    """How many standard errors the interval of a mean reaches to either side, at `freedom` degrees of freedom."""
    assert freedom >= 1
    if freedom == 1:
        return math.tan(math.pi * LEVEL / 2)
    if freedom == 2:
        return LEVEL * math.sqrt(2 / (1 - LEVEL**2))
    # Cornish and Fisher's expansion; from three degrees on it is off by 0.1 % at most.
    z = _QUANTILE
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / math.pow(freedom, power) for power, term in enumerate(terms, start=1))


def _lowest_mean(score: PairScore) -> float:
    """The lowest mean score that the observed pairs don't reject; 0 where none is too low."""
    observed = score.share
    if observed == 0:
        return 0.0

    def rejected(mean: float) -> bool:
        win, draw, _ = likeliest(score, mean)
        variance = max(win + draw / 4 - mean * mean, 0.0)
        return (observed - mean) ** 2 * score.pairs > _QUANTILE**2 * variance

    low, high = 0.0, observed
    while high - low > 1e-12 and low < (middle := (low + high) / 2) < high:
        if rejected(middle):
            low = middle
        else:
            high = middle
    return low


def _elo_of(mean: float) -> float:
    if mean <= 0:
        return -math.inf
    return math.inf if mean >= 1 else _ELO_SCALE * math.log(mean / (1 - mean))


def _binomial_tail(trials: int, successes: int) -> float:
    """The probability of at most `successes` heads in `trials` fair throws, for at least half of the throws."""
    # 1 minus the sum of the terms above, from the largest down to where they no longer count.
    heads = successes + 1
    if heads > trials:
        return 1.0
    ways = math.lgamma(trials + 1) - math.lgamma(heads + 1) - math.lgamma(trials - heads + 1)
    term = math.exp(ways - trials * math.log(2))
    above = 0.0
    while heads <= trials and term > above * 1e-17:
        above += term
        term *= (trials - heads) / (heads + 1)
        heads += 1
    return 1 - above
