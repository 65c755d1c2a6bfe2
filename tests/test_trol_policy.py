"""How well the policy of Trol plays and forecasts, and that it uses only what its seat knows."""

from __future__ import annotations

from random import Random

import pytest
from thudstone.engine.cards.trol.book import load
from thudstone.engine.cards.trol.forecast import KNOWN, Forecasts
from thudstone.engine.cards.trol.policy import Policy
from thudstone.engine.cards.trol.state import Trol
from thudstone.engine.cards.trol.tribe import CODES, DOWN
from thudstone.engine.game import CHANCE, OVER
from trol_games import choose, start, table, tokens

P15 = 14


def line(text: str) -> tuple[int, ...]:
    return tuple((int(card[0]) - 1) << 4 | CODES.index(card[1:]) for card in text.split(","))


def test_the_distribution_of_damage_is_exact() -> None:
    forecasts = Forecasts(load(""), 4)
    outlook = forecasts.outlook(line("1TRK,2TRK,3TRK"), P15)
    faces = (0, 0, 2, 3, 3, 4)
    sums = [0] * 25
    for pips in ((a, b, c, d) for a in faces for b in faces for c in faces for d in faces):
        for first in faces:
            for second in faces:
                sums[sum(pips) + first + second] += 1
    assert outlook.fail == pytest.approx(sum(sums[:11]) / 6**6)
    assert outlook.success == pytest.approx(sum(sums[11:15]) / 6**6)
    assert sum(outlook.shreds) == pytest.approx(sum(sums[15:]) / 6**6)
    two = [0] * 17
    for pips in ((a, b, c, d) for a in faces for b in faces for c in faces for d in faces):
        two[sum(pips)] += 1
    assert outlook.shreds[:2] == pytest.approx((0, sum(two[15:]) / 6**4))


def test_the_forecast_agrees_with_hunts_that_are_played() -> None:
    """Punchers, a Copycat, the Daughter, Tiny and a Dog: nothing in the line leaves anybody a choice."""
    cards = "1PUN,2PUN,3COP,2DAU,4DOG,1TIN"
    outlook = Forecasts(load(""), 4).outlook(line(cards), P15)
    rng, number, failed, over = Random(3), 4000, 0, 0
    begun = tokens(table(cards, "CHI"), "hunt1=CHI")
    for _ in range(number):
        game = begun.copy()
        while game.place >= 0 and game.places[game.place] >= 0:
            game.apply(choose(game, rng))
        failed += game.total < 11
        over += game.total > 14
    assert failed / number == pytest.approx(outlook.fail, abs=0.03)
    assert over / number == pytest.approx(sum(outlook.shreds), abs=0.03)


def share(seats: int, games: int, seed: int) -> float:
    """The share of one greedy seat among random ones, seats rotated."""
    rng, policy, won = Random(seed), Policy(), 0.0
    for number in range(games):
        game, own = start(seats), number % seats
        while game.turn != OVER:
            game.apply(policy.choose(game, rng) if game.turn == own else choose(game, rng))
        won += game.returns()[own]
    return won / games


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_greedy_beats_random(seats: int) -> None:
    assert share(seats, 60, seats) > 1.4 / seats


def sensible_games(seats: int, number: int, seed: int) -> list[tuple[Trol, Trol]]:
    """Positions of greedy games where a seat has a choice, as they are and as that seat sees them."""
    rng, policy, found = Random(seed), Policy(), []
    for _ in range(number):
        game = start(seats, StartPhase="night")
        views = [start(seats, StartPhase="night") for _ in range(seats)]
        while game.turn != OVER:
            if game.turn >= 0 and len(game.legal()) > 1 and rng.random() < 0.3:
                found.append((game.copy(), views[game.turn].copy()))
            token = choose(game, rng) if game.turn == CHANCE or rng.random() < 0.3 else policy.choose(game, rng)
            for seat, view in enumerate(views):
                view.apply(game.redact(token, seat))
            game.apply(token)
    return found


def differing(seats: int) -> list[tuple[list[str], bool]]:
    """What the policy chooses in the view, the truth and three other worlds; whether cards lie face down."""
    rng, found = Random(9), []
    for truth, view in sensible_games(seats, 3, seats):
        worlds = [view, truth, *(view.fill(rng) for _ in range(3))]
        dark = any(card & DOWN for cards in truth.lines for card in cards)
        found.append(([Policy().choose(world, Random(1)) for world in worlds], dark))
    return found


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_policy_uses_only_what_its_seat_knows(seats: int) -> None:
    choices = differing(seats)
    assert any(dark for _, dark in choices)
    assert all(len(set(chosen)) == 1 for chosen, _ in choices)


def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def peek(state: Trol, place: int, seat: int) -> tuple[int, ...]:
        return tuple(card & KNOWN for card in state.lines[place])

    monkeypatch.setattr(Policy, "_seen", staticmethod(peek))
    assert any(len(set(chosen)) > 1 for chosen, _ in differing(3))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_estimates_are_shares(seats: int) -> None:
    policy, rng = Policy(), Random(seats)
    game = start(seats)
    while game.turn != OVER:
        shares = policy.estimate(game)
        assert len(shares) == seats and sum(shares) == pytest.approx(1) and min(shares) >= 0
        legal = game.legal()
        if legal:
            weights = policy.weights(game, legal)
            assert len(weights) == len(legal) and min(weights) > 0
            assert weights[legal.index(policy.choose(game, rng))] == pytest.approx(max(weights))
        game.apply(choose(game, rng))
    assert policy.estimate(game) == game.returns()


def test_a_rollout_is_settled_when_a_hunt_has_ended() -> None:
    policy = Policy()
    root = table("1COO", "CHI,TRK / DOG")
    game = root.copy()
    assert not policy.settled(tokens(game, "add1=TRK @1=DOG"), root)
    game = tokens(root.copy(), "hunt1=CHI no @=P04")
    assert game.turn == CHANCE and not policy.settled(game, root)
    assert policy.settled(tokens(game, "@1=COP"), root)


def test_worlds_in_which_the_others_make_sense_are_plausible() -> None:
    plausible = Policy().plausibility
    assert plausible(table("2TRK~,3PUN~,1TRA~", "CHI"), 0) == 1
    assert plausible(table("2TRA~", "CHI"), 0) == plausible(table("2TRA", "CHI"), 0) * 0.15
    assert plausible(table("2TRA~", "CHI"), 1) == 1  # the own card is known
    assert plausible(table("2COP~", "CHI"), 0) == 0.3
    assert 0 < plausible(table("2COO,3COO,4COO,2TIN~", "CHI"), 0) < 1


def test_the_policy_tells_the_chances_of_each_hunt() -> None:
    lines = Policy().explain(table("1TRK,2TRK,3TRK / 2COO", "CHI"))
    assert len(lines) == 3 and lines[0].startswith("place 1, P15: failure ")
    assert lines[1] == "place 2, P01: failure 100.0%, success 0.0%, shredded 0.0%"


@pytest.mark.parametrize(
    ("cards", "log", "choice"),
    [
        ("1TRK,1TRK,1WEA", "hunt1=CHI @=r4r4 @=r3r4", "-1"),  # 15 becomes 14: three own trolls eat
        ("1TRK,1TRK,1WEA", "hunt1=CHI @=r4r4 @=r0r2", "+1"),  # 10 becomes 11
        ("1TRK,1TRK,1COO", "hunt1=CHI @=r4r4 @=r0r4", "cook1"),
        ("1TRK,1TRK,1SHA", "hunt1=CHI @=r0r0", "force"),
        ("1TRK,1TRK,1SHA", "hunt1=CHI @=r4r4", "keep"),
        ("1DOG,1TRK,1CHI", "hunt1=COO @=r4r4", "www"),  # 10: one to four more
    ],
)
def test_decisions_within_a_hunt(cards: str, log: str, choice: str) -> None:
    hand = log.split()[0][-3:]
    assert Policy().choose(tokens(table(cards, hand), log), Random(1)) == choice
