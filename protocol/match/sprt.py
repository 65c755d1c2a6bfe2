"""The sequential probability ratio test: a match goes on until it is clear which of two differences fits it better."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from thudstone.protocol.match.statistics import PairScore, expected_score, likeliest


@dataclass(frozen=True)
class Sprt:
    """H0: the first player is `elo0` points ahead; H1: `elo1`. `alpha` is how often H1 may be accepted although H0 is
    true, `beta` the other error. ValueError where these make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 must be below elo1: {self.elo0:g} {self.elo1:g}")
        if not 0 < expected_score(self.elo0) < expected_score(self.elo1) < 1:
            raise ValueError(f"elo0 and elo1 can't be told apart: {self.elo0:g} {self.elo1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5: {value:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """H0 is accepted at the lower one, H1 at the upper one (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, score: PairScore) -> float:
        """The log-likelihood ratio of H1 against H0 after these pairs.

        How often pairs are drawn is not known beforehand, so each hypothesis stands for the trinomial distribution with
        its mean score that fits the pairs best (the generalised test).
        """
        if not score.pairs:
            return 0.0
        counts = (score.wins, score.draws, score.losses)
        h0 = likeliest(score, expected_score(self.elo0))
        h1 = likeliest(score, expected_score(self.elo1))
        return sum(n * math.log(p1 / p0) for n, p0, p1 in zip(counts, h0, h1, strict=True) if n)

    def decision(self, score: PairScore) -> Literal["H0", "H1"] | None:
        """The hypothesis that is accepted, None while the match must go on."""
        low, high = self.bounds
        llr = self.llr(score)
        if llr >= high:
            return "H1"
        return "H0" if llr <= low else None
