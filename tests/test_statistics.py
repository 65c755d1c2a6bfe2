"""Elo, the sequential test and the table of a match: exact values, and coin players whose strength is known."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from random import Random

import pytest
from thudstone.protocol.match.result import Battle, Forfeit, Times
from thudstone.protocol.match.sprt import Sprt
from thudstone.protocol.match.standing import Standing, estimate_text
from thudstone.protocol.match.statistics import (
    Estimate,
    PairScore,
    Sample,
    elo,
    expected_score,
    likeliest,
    los,
    mean,
    share,
    student_quantile,
)


def true_elo(win: float, draw: float) -> float:
    score = win + draw / 2
    return 400 * math.log10(score / (1 - score))


def coin(difference: float, draws: float) -> tuple[float, float, float]:
    """A pair's chances of (win, draw, loss) between players of that difference in Elo."""
    score = 1 / (1 + 10 ** (-difference / 400))
    assert draws / 2 < min(score, 1 - score)
    return score - draws / 2, draws, 1 - score - draws / 2


def throws(chances: tuple[float, float, float], rng: Random) -> Iterator[PairScore]:
    """The score after each pair, without an end."""
    counts = [0, 0, 0]
    while True:
        for at in rng.choices((0, 1, 2), chances, k=1000):
            counts[at] += 1
            yield PairScore(*counts)


def too_many(trials: int, rate: float) -> float:
    """More failures than sampling error explains: three standard deviations above a rate."""
    return trials * rate + 3 * math.sqrt(trials * rate * (1 - rate))


# The sequential test


@pytest.mark.parametrize(
    ("elo0", "elo1", "draws"), [(0.0, 60.0, 0.1), (0.0, 40.0, 0.5), (-30.0, 30.0, 0.3), (20.0, 80.0, 0.0)]
)
@pytest.mark.parametrize("hypothesis", ["H0", "H1"])
def test_the_error_rates_of_the_sequential_test(elo0: float, elo1: float, draws: float, hypothesis: str) -> None:
    test = Sprt(elo0, elo1, 0.05, 0.05)
    chances = coin(elo0 if hypothesis == "H0" else elo1, draws)
    trials = 500
    wrong = 0
    for trial in range(trials):
        scores = throws(chances, Random(f"{hypothesis} {elo0} {elo1} {draws} {trial}"))
        decision = next(found for found in map(test.decision, scores) if found is not None)
        wrong += decision != hypothesis
    assert wrong <= too_many(trials, 0.05)
    assert wrong >= trials * 0.01, "a test that errs far less than it may plays too many pairs"


def test_a_difference_in_the_middle_is_decided_too() -> None:
    test = Sprt(0, 60)
    decisions = []
    for trial in range(100):
        scores = throws(coin(30, 0.3), Random(trial))
        decisions.append(next(found for found in map(test.decision, scores) if found is not None))
    assert 25 <= decisions.count("H1") <= 75


def test_the_bounds_of_the_sequential_test() -> None:
    assert Sprt(0, 5, 0.05, 0.05).bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert Sprt(0, 5, 0.01, 0.1).bounds == pytest.approx((-2.292535, 4.499810), abs=1e-6)
    assert Sprt(0, 5).decision(PairScore()) is None


def test_the_ratio_is_that_of_the_likeliest_distributions() -> None:
    """Searched for on a fine grid instead of by the closed form."""
    test = Sprt(-10, 35)
    for counts in ((10, 5, 3), (1, 0, 0), (0, 7, 0), (0, 0, 4), (3, 9, 0), (0, 2, 9), (4, 0, 4), (120, 300, 80)):

        def likelihood(score: float, counts: tuple[int, int, int] = counts) -> float:
            best = -math.inf
            steps = 20_000
            for step in range(steps + 1):
                draw = 2 * min(score, 1 - score) * step / steps
                chances = (score - draw / 2, draw, 1 - score - draw / 2)
                if all(chance > 1e-15 for chance, n in zip(chances, counts, strict=True) if n):
                    terms = (n * math.log(chance) for chance, n in zip(chances, counts, strict=True) if n)
                    best = max(best, sum(terms))
            return best

        expected = likelihood(expected_score(35)) - likelihood(expected_score(-10))
        assert test.llr(PairScore(*counts)) == pytest.approx(expected, abs=1e-4), counts


def test_the_ratio_is_symmetric_and_grows_with_wins() -> None:
    test = Sprt(-5, 5)
    assert test.llr(PairScore(20, 30, 20)) == pytest.approx(0, abs=1e-12)
    assert test.llr(PairScore(30, 9, 20)) == pytest.approx(-test.llr(PairScore(20, 9, 30)))
    ratios = [Sprt(0, 10).llr(PairScore(wins, 50, 40)) for wins in range(100)]
    assert ratios == sorted(ratios)


@pytest.mark.parametrize(
    "values",
    [
        (5, 5, 0.05, 0.05),
        (5, 0, 0.05, 0.05),
        (0, math.inf, 0.05, 0.05),
        (0, 1e6, 0.1, 0.1),
        (-1e9, 0, 0.1, 0.1),
        (math.nan, 5, 0.05, 0.05),
        (0, 5, 0, 0.05),
        (0, 5, 0.05, 0.5),
    ],
)
def test_what_makes_no_test(values: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match=r"elo0|alpha|beta"):
        Sprt(*values)


def test_the_likeliest_distribution_has_its_mean() -> None:
    for counts in itertools.product((0, 1, 7, 100_000), repeat=3):
        if sum(counts):
            for score in (0.001, 0.3, 0.5, 0.51, 0.999):
                win, draw, loss = likeliest(PairScore(*counts), score)
                assert win + draw / 2 == pytest.approx(score) and win + draw + loss == pytest.approx(1)
                assert min(win, draw, loss) >= 0


# Elo


@pytest.mark.parametrize("difference", [-150.0, 0.0, 35.0, 120.0])
@pytest.mark.parametrize(("draws", "pairs"), [(0.1, 20), (0.4, 20), (0.4, 200), (0.05, 1000)])
def test_the_interval_covers_the_true_difference(difference: float, draws: float, pairs: int) -> None:
    trials = 600
    rng = Random(f"{difference} {draws} {pairs}")
    missed = 0
    for _ in range(trials):
        results = rng.choices("wdl", coin(difference, draws), k=pairs)
        estimate = elo(PairScore(*map(results.count, "wdl")))
        missed += not estimate.low <= difference <= estimate.high
    assert missed <= too_many(trials, 0.05)
    assert missed >= trials * 0.015, "the interval is wider than it need be"


@pytest.mark.parametrize("pairs", [3, 5, 12])
@pytest.mark.parametrize("chances", [(0.3, 0.4, 0.3), (0.5, 0.1, 0.4), (0.7, 0.2, 0.1), (0.9, 0.05, 0.05)])
def test_the_coverage_with_few_pairs(pairs: int, chances: tuple[float, float, float]) -> None:
    """Exactly: all outcomes with their probabilities. Few outcomes can't come to 95 %, but must come close."""
    truth = true_elo(chances[0], chances[1])
    covered = 0.0
    for wins in range(pairs + 1):
        for draws in range(pairs - wins + 1):
            losses = pairs - wins - draws
            estimate = elo(PairScore(wins, draws, losses))
            if estimate.low <= truth <= estimate.high:
                ways = math.comb(pairs, wins) * math.comb(pairs - wins, draws)
                covered += ways * chances[0] ** wins * chances[1] ** draws * chances[2] ** losses
    assert covered >= 0.93


def test_known_values_of_elo() -> None:
    estimate = elo(PairScore(3000, 4000, 3000))
    assert estimate.value == 0
    # 1.96 standard errors of a mean with variance 0.15, over the slope of the curve at 1/2.
    assert estimate.high == pytest.approx(1.959964 * math.sqrt(0.15 / 10_000) * 1600 / math.log(10), rel=0.001)
    assert elo(PairScore(15, 0, 5)).value == pytest.approx(190.85, abs=0.01)
    reverse = elo(PairScore(7, 2, 1).reversed())
    forward = elo(PairScore(7, 2, 1))
    assert (reverse.value, reverse.low) == pytest.approx((-forward.value, -forward.high))


def test_elo_at_the_ends_is_honest() -> None:
    none = elo(PairScore())
    assert math.isnan(none.value) and (none.low, none.high) == (-math.inf, math.inf)
    won = elo(PairScore(5, 0, 0))
    assert (won.value, won.high) == (math.inf, math.inf)
    assert won.low == pytest.approx(400 * math.log10(5 / 1.959964**2), abs=0.01), "Wilson's bound 5 / (5 + z²)"
    lost = elo(PairScore(0, 0, 1))
    assert (lost.value, lost.low) == (-math.inf, -math.inf) and 200 < lost.high < 300
    drawn = elo(PairScore(0, 5, 0))
    assert drawn.value == 0 and 100 < drawn.high < 300 and drawn.low == pytest.approx(-drawn.high)
    for pairs in (1, 10, 1000, 100_000):
        for score in (PairScore(pairs, 1, 0), PairScore(1, pairs, 0), PairScore(1, 0, pairs), PairScore(0, pairs, 0)):
            estimate = elo(score)
            assert estimate.low <= estimate.value <= estimate.high and estimate.low < estimate.high


def test_a_negative_number_of_pairs() -> None:
    with pytest.raises(ValueError, match="negative number of pairs"):
        PairScore(3, -1, 0)


def test_likelihood_of_superiority() -> None:
    assert los(PairScore()) == los(PairScore(0, 50, 0)) == 0.5 == pytest.approx(los(PairScore(8, 3, 8)))
    assert los(PairScore(1, 0, 0)) == pytest.approx(0.75)
    assert los(PairScore(3, 1, 1)) == pytest.approx(13 / 16)  # at most 3 heads in 5 throws
    assert los(PairScore(0, 1, 10)) == pytest.approx(2**-11)
    assert los(PairScore(60, 0, 40)) + los(PairScore(40, 0, 60)) == pytest.approx(1)
    # For many pairs, the normal distribution's value at (wins - losses) / sqrt(wins + losses).
    assert los(PairScore(51_000, 9, 50_000)) == pytest.approx(0.999176, abs=1e-5)
    assert los(PairScore(200_000, 0, 0)) == 1


# Means


def test_student_s_quantiles() -> None:
    table = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 7: 2.3646, 10: 2.2281, 20: 2.0860, 60: 2.0003}
    for freedom, quantile in table.items():
        assert student_quantile(freedom) == pytest.approx(quantile, rel=0.0015)


def test_the_mean_with_its_error() -> None:
    estimate = mean([4, 8, 6, 2])
    assert estimate.value == 5
    assert estimate.error == pytest.approx(3.1824 * math.sqrt(20 / 3 / 4), rel=0.002)
    assert mean([7]) == Estimate(7, -math.inf, math.inf)
    assert math.isnan(mean([]).value)
    many = mean([1e9 + at % 2 for at in range(10_000)])
    assert many.error == pytest.approx(1.96 * 0.5 / 100, rel=0.01), "a large offset costs no precision"


def test_intervals_of_few_values_cover_the_mean() -> None:
    rng = Random(7)
    missed = 0
    for _ in range(1500):
        estimate = mean([rng.gauss(3, 2) for _ in range(rng.choice((3, 5, 12)))])
        missed += not estimate.low <= 3 <= estimate.high
    assert 1500 * 0.05 - 30 <= missed <= too_many(1500, 0.05)


@pytest.mark.parametrize(
    "shares", [(0.0, 1.0), (0.0, 0.0, 1.0), (0.0, 0.5, 0.5, 1.0), (0.2, 0.3, 0.5), (0.0, 0.0, 0.0, 0.9)]
)
def test_intervals_of_shares_cover_the_mean(shares: tuple[float, ...]) -> None:
    rng = Random(str(shares))
    truth = sum(shares) / len(shares)
    missed = 0
    for _ in range(1000):
        estimate = share(rng.choices(shares, k=40))
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        missed += not estimate.low <= truth <= estimate.high
    assert missed <= too_many(1000, 0.05)


def test_shares_at_the_ends_are_honest() -> None:
    for count in (1, 2, 10):
        won, lost = share([1.0] * count), share([0.0] * count)
        assert won.value == won.high == 1 and won.low == pytest.approx(1 - lost.high) and 0 < won.low < 0.95
    even = share([1 / 3] * 10)
    assert even.low < 1 / 3 < even.high < 0.5
    none = share([])
    assert math.isnan(none.value) and (none.low, none.high) == (0, 1)
    with pytest.raises(ValueError, match="shares are from 0 to 1"):
        share([0.5, 1.5])


def test_a_sample_keeps_no_values() -> None:
    sample = Sample()
    for value in (1.0, 2.0, 3.0):
        sample.add(value)
    assert sample.mean() == mean([1, 2, 3]) and not [
        value for value in vars(sample).values() if isinstance(value, list)
    ]


# The table


def battle(
    pair: int,
    number: int,
    seats: tuple[str, ...],
    points: tuple[int, ...],
    forfeit: Forfeit | None = None,
    game: str = "thud",
) -> Battle:
    best = [seat for seat, point in enumerate(points) if point == max(points)]
    shares = tuple(1 / len(best) if seat in best else 0.0 for seat in range(len(seats)))
    times = Times((1,) * len(seats), (1,) * len(seats), 2)
    return Battle(pair, number, seats, points, shares, "limit", 9, times, "", (), forfeit=forfeit, game=game)


def test_a_pair_is_won_by_the_larger_sum_of_margins() -> None:
    standing = Standing(["A", "B"])
    standing.add(battle(1, 1, ("A", "B"), (10, 12)))
    assert (standing.pairs("A", "B"), standing.complete) == (PairScore(0, 0, 0), 0)
    standing.add(battle(2, 2, ("B", "A"), (9, 8)))
    standing.add(battle(1, 2, ("B", "A"), (4, 20)))  # -2 and +16 for A
    standing.add(battle(2, 1, ("A", "B"), (9, 8)))  # +1 and -1
    standing.add(battle(3, 1, ("A", "B"), (32, 0), Forfeit(2, "closed its output")))
    standing.add(battle(3, 2, ("B", "A"), (32, 20)))  # +32 and -12
    assert standing.pairs("A", "B") == PairScore(2, 1, 0) == standing.pairs("B", "A").reversed()
    assert (standing.battles, standing.complete, standing.ends["limit"], standing.forfeits["B"]) == (6, 3, 6, 1)
    best, other = standing.rows()
    assert (best.name, best.pairs, best.elo, best.los) == ("A", PairScore(2, 1, 0), elo(PairScore(2, 1, 0)), 0.875)
    assert best.margin == mean([14, 0, 20]) and other.margin == mean([-14, 0, -20])
    assert [(side.wins, side.draws, side.losses) for side in best.sides] == [(2, 0, 1), (1, 0, 2)]
    assert best.share == share([0.5, 0.5, 0.5])


def test_the_table() -> None:
    standing = Standing(["A", "B", "C"])
    heading, *rows = standing.table()
    assert heading == [
        "engine",
        "pairs",
        "won",
        "drawn",
        "lost",
        "Elo",
        "LOS",
        "margin a pair",
        "as dwarfs",
        "as trolls",
    ]
    assert rows == [[name, "0", "0", "0", "0", "-", "-", "-", "0-0-0", "0-0-0"] for name in "ABC"]
    for pair, (first, second) in enumerate(
        itertools.islice(itertools.cycle((("B", "A"), ("C", "A"), ("B", "A"))), 30), start=1
    ):
        standing.add(battle(pair, 1, (first, second), (20 + pair % 2, 4)))
        standing.add(battle(pair, 2, (second, first), (16, 20)))
    _, *rows = standing.table()
    assert rows[0][:5] == ["B", "20", "20", "0", "0"] and rows[0][8:] == ["20-0-0", "20-0-0"]
    assert rows[0][5] == f"+inf ({elo(PairScore(20, 0, 0)).low:+.1f} to +inf)" and rows[0][6] == "100.0 %"
    assert rows[0][7] == "+20.50 ± 0.24"
    assert rows[1][:5] == ["C", "10", "10", "0", "0"]
    assert rows[2][:5] == ["A", "30", "0", "0", "30"] and rows[2][5].startswith("-inf (-inf to -")
    assert standing.pairs("B", "C") == PairScore()


def test_more_seats() -> None:
    standing = Standing(["A", "B", "C"])
    rounds = (("A", "B", "C"), ("B", "C", "A"), ("C", "A", "B"))
    for number, seats in enumerate(rounds, start=1):
        assert standing.complete == 0
        points = tuple(3 if name == "A" else 1 for name in seats)
        standing.add(battle(1, number, seats, points, game="toy"))
    assert standing.complete == 1
    assert (standing.pairs("A", "B"), standing.pairs("B", "C")) == (PairScore(1, 0, 0), PairScore(0, 1, 0))
    heading, first, *_ = standing.table()
    assert heading[5:] == ["share of the win", "as seat 1", "as seat 2", "as seat 3"]
    assert first[:5] == ["A", "2", "2", "0", "0"] and first[6:] == ["1-0-0", "1-0-0", "1-0-0"]
    assert first[5] == estimate_text(share([1.0]), ".3f")


def test_an_engine_on_two_seats() -> None:
    standing = Standing(["A", "B"])
    for number, seats in enumerate((("A", "A", "B"), ("A", "B", "A"), ("B", "A", "A")), start=1):
        standing.add(battle(1, number, seats, tuple(2 if name == "B" else 1 for name in seats), game="toy"))
    assert [(row.name, row.share.value) for row in standing.rows()] == [("B", 1), ("A", 0)]
    assert standing.pairs("B", "A") == PairScore(1, 0, 0)


def test_battles_that_fit_no_pair_are_refused() -> None:
    standing = Standing(["A", "B", "C"])
    standing.add(battle(1, 1, ("A", "B"), (3, 2)))
    for wrong, what in (
        (battle(1, 1, ("A", "B"), (3, 2)), "pair 1: battle 1 came twice"),
        (battle(1, 2, ("A", "C"), (3, 2)), "pair 1: battles 1 and 2 differ in engines"),
        (battle(1, 2, ("A", "D"), (3, 2)), "no engine is called D"),
    ):
        with pytest.raises(ValueError, match=what):
            standing.add(wrong)
    assert standing.battles == 1
    with pytest.raises(KeyError):
        standing.pairs("A", "D")
    with pytest.raises(ValueError, match="named twice"):
        Standing(["A", "A"])


def test_estimates_as_text() -> None:
    assert estimate_text(Estimate(12.34, 2.34, 22.34), "+.1f") == "+12.3 ± 10.0"
    assert estimate_text(Estimate(300, 200, 500), "+.0f") == "+300 (+200 to +500)"
    assert estimate_text(Estimate(-math.inf, -math.inf, 42.9), "+.1f") == "-inf (-inf to +42.9)"
    assert estimate_text(Estimate(5, -math.inf, math.inf), "+.2f") == "+5.00 (-inf to +inf)"
    assert estimate_text(Estimate(math.nan, 0, 1), ".3f") == "-"
