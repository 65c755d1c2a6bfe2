"""What the others may be, and how far their word goes, from what everybody has seen.

All of it reads only public facts and the role of the seat that thinks, so that it says the same in a view and in a full
world.
"""

from __future__ import annotations

from math import exp, log

from thudstone.engine.cards.whales.phase import (
    FACTS,
    GAVE_HERO,
    PUSHED_HERO,
    SHED_HERO,
    SHED_WHALE,
    SPARED_HERO,
    TOLD,
    TOOK_HERO,
    TOOK_WHALE,
    TRUE,
)
from thudstone.engine.cards.whales.roles import ROLES, SPY
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.cards.whales.table import SET_FULL

# How often a seat of each role (in the order of ROLES) offers the superhero of a pair instead of discarding it, keeps
# an offered card that turns out to be a superhero, and keeps one that turns out to be a whale. Greedy players' rates,
# as tests/test_whales_policy.py counts them, drawn towards one half: people and other programs play otherwise.
GIVES = (0.07, 0.92, 0.12, 0.07, 0.90, 0.07)
KEEPS_HERO = (0.72, 0.50, 0.80, 0.35, 0.15, 0.75)
KEEPS_WHALE = (0.50, 0.68, 0.45, 0.55, 0.30, 0.42)
# How often a seat of each role ends with 0 to 6 places filled of the six, when the game ends by scoring.
PLACES = (
    (0.03, 0.13, 0.26, 0.28, 0.21, 0.05, 0.05),
    (0.11, 0.24, 0.24, 0.20, 0.09, 0.10, 0.03),
    (0.02, 0.07, 0.18, 0.19, 0.29, 0.13, 0.13),
    (0.02, 0.35, 0.34, 0.24, 0.03, 0.02, 0.02),
    (0.14, 0.33, 0.33, 0.13, 0.04, 0.03, 0.02),
    (0.03, 0.08, 0.25, 0.34, 0.19, 0.06, 0.06),
)
PUSH = (0.0, 0.8, 0.0, 0.0, 0.4, 0.0)  # added to the log of the odds for each superhero pushed towards a third

# A claim is taken to be true as often as this seat's claims were, starting from so many true ones of so many.
TRUE_BEFORE, TOLD_BEFORE = 1.4, 2.2


def _logs(rates: tuple[float, ...]) -> tuple[tuple[float, float], ...]:
    return tuple((log(rate), log(1 - rate)) for rate in rates)


_GIVES, _KEEPS_HERO, _KEEPS_WHALE = _logs(GIVES), _logs(KEEPS_HERO), _logs(KEEPS_WHALE)


def log_likelihood(state: Whales, seat: int, role: int) -> float:
    """The log of how likely a seat of that role would have done what this seat was seen to do."""
    facts, at = state.facts, FACTS * seat
    gives, spares = _GIVES[role]
    takes_hero, sheds_hero = _KEEPS_HERO[role]
    takes_whale, sheds_whale = _KEEPS_WHALE[role]
    return (
        facts[at + GAVE_HERO] * gives
        + facts[at + SPARED_HERO] * spares
        + facts[at + PUSHED_HERO] * PUSH[role]
        + facts[at + TOOK_HERO] * takes_hero
        + facts[at + SHED_HERO] * sheds_hero
        + facts[at + TOOK_WHALE] * takes_whale
        + facts[at + SHED_WHALE] * sheds_whale
    )


_SPY_ODDS = tuple(
    spy - whale
    for spy, whale in (
        (_GIVES[SPY][0], _GIVES[0][0]),
        (_GIVES[SPY][1], _GIVES[0][1]),
        (PUSH[SPY], PUSH[0]),
        (_KEEPS_HERO[SPY][0], _KEEPS_HERO[0][0]),
        (_KEEPS_HERO[SPY][1], _KEEPS_HERO[0][1]),
    )
)


def spies(state: Whales, seat: int) -> list[float]:
    """How likely each seat is a superspy, as `seat` sees it. The sum is the number of spies that are to be expected."""
    own = state.roles[seat]
    missing = state.table.expected_spies - (own == SPY)
    facts, give, spare, push, take, shed = state.facts, *_SPY_ODDS
    odds = []
    for other in range(state.seats):
        if other == seat:
            odds.append(0.0)
            continue
        at = FACTS * other
        odds.append(
            exp(
                facts[at] * give
                + facts[at + 1] * spare
                + facts[at + 2] * push
                + facts[at + 3] * take
                + facts[at + 4] * shed
            )
        )
    scale = missing / sum(odds)
    found = [min(1.0, each * scale) for each in odds]
    found[seat] = float(own == SPY)
    return found


def trust(state: Whales, seat: int) -> float:
    """How likely the next claim of a seat is true."""
    at = FACTS * seat
    return (state.facts[at + TRUE] + TRUE_BEFORE) / (state.facts[at + TOLD] + TOLD_BEFORE)


def likeliest_roles(state: Whales, seat: int) -> tuple[int, ...]:
    """The roles of the other seats, in their order, that fit best with the deal, with what was seen and with the armies
    at the end."""
    others = [other for other in range(state.seats) if other != seat]
    fits = []
    for other in others:
        filled = sum(min(SET_FULL, len(cards)) for cards in state.sets[3 * other : 3 * other + 3])
        fits.append([log_likelihood(state, other, role) + log(PLACES[role][filled]) for role in range(len(ROLES))])
    known = [0] * len(ROLES)
    known[state.roles[seat]] += 1
    best: tuple[float, tuple[int, ...]] = (float("-inf"), ())

    def go(at: int, roles: tuple[int, ...], so_far: float) -> None:
        nonlocal best
        if at == len(others):
            best = max(best, (so_far, roles))
            return
        other = others[at]
        barred = sum(state.checked >> each & 1 for each in others[at + 1 :])
        weights = state.table.roles.weights(tuple(known), barred, bool(state.checked >> other & 1))
        total = sum(weights)
        for role, weight in enumerate(weights):
            if weight:
                known[role] += 1
                go(at + 1, (*roles, role), so_far + fits[at][role] + log(weight / total))
                known[role] -= 1

    go(0, (), 0.0)
    return best[1]
