"""Each seat's expected share of the win, from armies, superheroes and the length of the deck."""

from __future__ import annotations

from math import exp

from thudstone.engine.cards.whales.roles import DOLPHIN, HENCHMAN, SPY, TURTLE, WERE, WHALE
from thudstone.engine.cards.whales.scoring import shares
from thudstone.engine.cards.whales.state import Whales

# The end by superheroes comes with a chance per turn of about RATE[h] for each army with h of them; and an army with
# many places filled ends the game earlier. Fitted to games of greedy players.
RATE = (0.0036, 0.018, 0.06, 0.0)
TURTLE_RATE = (0.5, 0.028, 0.013, 0.008, 0.005, 0.002, 0.001, 0.0)  # by whales in the army, of winning as the Turtle
SPREAD, SPREAD_TURN = 2.5, 1.05  # points of strength that weigh e times: now, and more for each turn to come


def estimate(state: Whales) -> tuple[float, ...]:
    """Shares of a full world; they sum to 1."""
    if state.why:
        return shares(state)
    seats, roles, heroes, sets = state.seats, state.roles, state.heroes, state.sets
    sizes = [min(2, len(cards)) for cards in sets]
    slots = [sum(sizes[3 * seat : 3 * seat + 3]) for seat in range(seats)]
    # Turns to come: the deck's, less where an army is nearly complete.
    turns = state.left / 2
    nearest = max(slots)
    if nearest >= 4:
        turns = min(turns, (10.0, 5.0)[nearest - 4] if nearest < 6 else 0.0)
    rates = [RATE[number] for number in heroes]
    by_heroes = 1 - exp(-turns * sum(rates))
    result = [0.0] * seats
    turtle = 0.0
    for seat, role in enumerate(roles):
        if role == TURTLE:
            whales = sum(map(len, sets[3 * seat : 3 * seat + 3]))
            turtle = 1 - exp(-turns * TURTLE_RATE[min(whales, 7)])
            result[seat] = turtle
    _share_heroes(state, rates, by_heroes * (1 - turtle), result)
    _share_scoring(state, slots, turns, (1 - by_heroes) * (1 - turtle), result)
    return tuple(result)


def _share_heroes(state: Whales, rates: list[float], chance: float, result: list[float]) -> None:
    spies = [seat for seat, role in enumerate(state.roles) if role == SPY]
    henchmen = [seat for seat, role in enumerate(state.roles) if role == HENCHMAN]
    total = sum(rates)
    for seat, rate in enumerate(rates):
        part = chance * rate / total
        winners = (henchmen or [seat]) if seat in spies else spies
        for winner in winners:
            result[winner] += part / len(winners)


def _share_scoring(state: Whales, slots: list[int], turns: float, chance: float, result: list[float]) -> None:
    roles = state.roles
    for seat, role in enumerate(roles):
        if role == DOLPHIN:
            part = chance * (0.02, 0.02, 0.04, 0.08, 0.18, 0.4, 1.0)[slots[seat]]
            result[seat] += part
            chance -= part
        elif role == WERE:
            result[seat] += 0.05 * chance
            chance *= 0.95
    scores = state.score()
    spread = SPREAD + SPREAD_TURN * turns
    whales = [seat for seat, role in enumerate(roles) if role == WHALE]
    best = max(scores[seat] for seat in whales)
    weights = [exp((scores[seat] - best) / spread) for seat in whales]
    total = sum(weights)
    for seat, weight in zip(whales, weights, strict=True):
        result[seat] += chance * weight / total
