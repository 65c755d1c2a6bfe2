"""Whether the greedy player of Whales plays sensibly: against random ones, in every role, and as its constants say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from thudstone.engine.cards.whales import belief
from thudstone.engine.cards.whales.estimate import estimate
from thudstone.engine.cards.whales.phase import (
    FACTS,
    GAVE_HERO,
    SHED_HERO,
    SHED_WHALE,
    SPARED_HERO,
    TOLD,
    TOOK_HERO,
    TOOK_WHALE,
    TRUE,
)
from thudstone.engine.cards.whales.policy import Policy
from thudstone.engine.cards.whales.roles import HIDDEN, ROLES, SPY, WERE, WHALE
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.game import OptionValue
from whales_games import EXPANSION, PLAIN, after, answering, at_random, play

POLICY = Policy()


def shares(seats: int, options: Mapping[str, OptionValue], games: int, seed: int = 1) -> list[tuple[int, float, float]]:
    """(role, share, share of the win) of a greedy seat among random ones, seats rotated."""
    rng = Random(seed)
    found = []
    for number in range(games):
        seat = number % seats

        def choose(state: Whales, rng: Random, seat: int = seat) -> str:
            return POLICY.choose(state, rng) if state.turn == seat else at_random(state, rng)

        end, _ = play(seats, options, rng, choose)
        found.append((end.roles[seat], 1 / seats, end.returns()[seat]))
    return found


def above_par(found: list[tuple[int, float, float]]) -> bool:
    """Whether the lower end of the 95 % interval of the mean share is above its par."""
    count, par = len(found), found[0][1]
    mean = sum(share for _, _, share in found) / count
    variance = sum((share - mean) ** 2 for _, _, share in found) / (count - 1)
    return bool(mean - 1.96 * (variance / count) ** 0.5 > par)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_greedy_beats_random(seats: int) -> None:
    assert above_par(shares(seats, PLAIN, 300))


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(3, 9))
def test_greedy_beats_random_with_the_expansion(seats: int) -> None:
    assert above_par(shares(seats, EXPANSION, 400))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [4, 6, 8])
def test_every_role_gains_by_playing_greedy(seats: int) -> None:
    """Against random players each role wins more often than a random player in that role does. Only what random players
    show tells the Were-whale nothing: with many of them he may guess as badly as anybody."""
    rng = Random(5)
    by_chance: dict[int, list[float]] = {}
    for _ in range(1500):
        end, _ = play(seats, EXPANSION, rng)
        for role, share in zip(end.roles, end.returns(), strict=True):
            by_chance.setdefault(role, []).append(share)
    greedy: dict[int, list[float]] = {}
    for role, _, share in shares(seats, EXPANSION, 3000):
        greedy.setdefault(role, []).append(share)
    for role, won in greedy.items():
        lost = by_chance[role]
        gain = sum(won) / len(won) - sum(lost) / len(lost)
        assert gain > 0 or (role == WERE and gain == 0), ROLES[role]


def test_what_the_constants_of_belief_say() -> None:
    """In games of greedy players each rate lies on the same side of one half as its constant, or near it."""
    rng = Random(6)
    facts: dict[int, Counter[int]] = {}
    right = []
    for _ in range(150):
        end, _ = play(5, EXPANSION, rng, POLICY.choose)
        for seat, role in enumerate(end.roles):
            counts = facts.setdefault(role, Counter())
            counts.update({number: end.facts[FACTS * seat + number] for number in range(FACTS)})
        thinker = end.roles.index(WHALE)
        found = belief.spies(end, thinker)
        right.append(found[end.roles.index(SPY)])
    for constants, yes, no in (
        (belief.GIVES, GAVE_HERO, SPARED_HERO),
        (belief.KEEPS_HERO, TOOK_HERO, SHED_HERO),
        (belief.KEEPS_WHALE, TOOK_WHALE, SHED_WHALE),
    ):
        for role, counts in facts.items():
            rate = counts[yes] / (counts[yes] + counts[no])
            assert (rate - 0.5) * (constants[role] - 0.5) > -0.03, (ROLES[role], rate, constants[role])
    assert sum(right) / len(right) > 0.5, "par is one in four"
    assert all(counts[TRUE] < counts[TOLD] for counts in facts.values()), "every role lies"


def test_the_were_whale_finds_the_roles() -> None:
    rng = Random(9)
    guessed = right = 0
    for _ in range(200):
        end, _ = play(5, EXPANSION, rng, POLICY.choose)
        for seat, named in end.guesses:
            guessed += 1
            right += named == (*end.roles[:seat], *end.roles[seat + 1 :])
    assert guessed > 20 and right > 0.25 * guessed, "all four of four others"


def test_a_liar_is_believed_less() -> None:
    state = answering({2: "r1"}, "r3")
    honest, liar = state.copy(), state.copy()
    honest.facts[TOLD] = honest.facts[TRUE] = liar.facts[TOLD] = 6
    assert belief.trust(honest, 0) > belief.trust(state, 0) > belief.trust(liar, 0)


def test_no_whale_takes_the_third_superhero_from_a_superspy() -> None:
    state = answering({1: "r1", 2: "b1,H,H"}, "H", claim="say:blue")
    for number in (GAVE_HERO, TOOK_HERO):
        state.facts[number] = 3
    assert belief.spies(state, 1)[0] > 0.5
    assert POLICY.choose(state, Random(1)) == "refuse"
    assert POLICY.choose(answering({1: "r1,H,H", 2: "b1"}, "H", claim="say:hero"), Random(1)) == "keep"


def test_thieves_and_turtles() -> None:
    state = after(answering({1: "r1,H,H", 2: "r2,r3,b1", 3: "g4"}, "r4"), "keep", "!r4")
    assert POLICY.choose(state, Random(1)) == "steal1=H", "two superheroes in one army are worse than one in each"
    lost = after(answering({2: "r1,r6,H,H"}, "T"), "keep", "!T")
    assert POLICY.choose(lost, Random(1)) == "lose=H"


def test_estimates_sum_to_one_and_know_the_end() -> None:
    def seen(state: Whales, token: str) -> None:
        if HIDDEN not in state.roles:
            shares = estimate(state)
            assert sum(shares) == pytest.approx(1) and min(shares) >= 0

    for seats in (3, 6, 8):
        end, _ = play(seats, EXPANSION, Random(seats), at_random, seen)
        assert estimate(end) == end.returns()


def test_plausibility_prefers_the_world_in_which_the_giver_of_superheroes_is_the_spy() -> None:
    world = answering({2: "r1"}, "r3", "spy,whale,whale,whale")
    other = answering({2: "r1"}, "r3", "whale,whale,whale,spy")
    for each in (world, other):
        each.facts[GAVE_HERO] = 2
    assert POLICY.plausibility(world, 1) > 3 * POLICY.plausibility(other, 1)
    assert any("superspy" in line for line in POLICY.explain(world)) and "keep: " in " ".join(POLICY.explain(world))
