"""How a sensible player plays Whales: what each card is worth to him in his own army and in another's, whom he
believes, and what he says to get his way.

Worth is counted in points of strength; a win is worth about WIN of them.
"""

from __future__ import annotations

from math import exp
from random import Random

from thudstone.engine.cards.whales import claim as claims
from thudstone.engine.cards.whales import phase as s
from thudstone.engine.cards.whales.belief import likeliest_roles, log_likelihood, spies, trust
from thudstone.engine.cards.whales.claim import COLOURS
from thudstone.engine.cards.whales.estimate import estimate
from thudstone.engine.cards.whales.phase import DRAW, GUESS, PLACE, STEAL
from thudstone.engine.cards.whales.roles import DOLPHIN, HENCHMAN, HIDDEN, ROLES, SPY, TURTLE, WERE, WHALE
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.cards.whales.table import Table

WIN = 40.0
# What superheroes in one army mean for the end by superheroes, by their number, in points.
DANGER = (0.0, 2.0, 8.0, 40.0)
FEAR = 1.5  # of those points, for one who loses by that end: he had a share of the win only
SPY_FEAR = 1.0  # more of it for the army of a seat that may be a superspy: it will take more of them
RIVAL = 0.3  # what a point of another's strength takes from one's own
SLOT = 0.6  # a place filled on the way to six whales
DOLPHIN_SLOT = 10.0  # the same to the Dolphin
WERE_SLOT = 2.0  # and to the Were-whale, who needs the whales to win
PERSUADED = 0.65  # how often the other does what the mover hopes for
HONESTY = 0.4  # what a true claim is worth to its speaker: to be believed later
COOL = 1.5  # points by which a move may fall short and still be played often, for `weights`

# How much likelier a superhero is offered than its share of the deck, by a whale's and by a superspy's choice.
HERO_FROM_WHALE, HERO_FROM_SPY = 0.5, 1.8


class Policy:
    """Stateless. Reads only what the seat to move knows, also where the state is a full world."""

    def choose(self, state: Whales, rng: Random) -> str:
        """The greedy move of the seat to move."""
        if state.phase == GUESS:
            return _guess(state)
        found = _values(state)
        if len(found) == 1:
            return found[0][0]
        best = max(value for _, value in found)
        good = [token for token, value in found if value >= best - 0.05]
        return good[0] if len(good) == 1 else rng.choice(good)

    def weights(self, state: Whales, tokens: list[str]) -> list[float]:
        """How likely a sensible player of this seat plays each of the tokens."""
        if state.phase == GUESS:
            right = _guess(state)
            return [1.0 if token == right else 0.05 for token in tokens]
        values = dict(_values(state))
        best = max(values.values())
        return [0.03 + exp((values[token] - best) / COOL) if token in values else 0.03 for token in tokens]

    def settled(self, state: Whales, root: Whales) -> bool:
        """A rollout may stop at the start of a turn, once every seat has had one."""
        return state.phase == DRAW and not state.hand and root.left - state.left >= 2 * state.seats

    def estimate(self, state: Whales) -> tuple[float, ...]:
        """Each seat's expected share of the win in a full world."""
        return estimate(state)

    def plausibility(self, world: Whales, seat: int) -> float:
        """How well the roles of this world agree with what the others were seen to do, next to other worlds."""
        roles = world.roles
        return exp(sum(log_likelihood(world, other, roles[other]) for other in range(world.seats) if other != seat))

    def explain(self, state: Whales) -> list[str]:
        """For people: what the seat to move would think of the others, and of its moves."""
        seat = state.turn
        if seat < 0:
            return []
        lines = []
        if state.roles[seat] != HIDDEN:
            found = spies(state, seat)
            lines = [
                f"Player {other + 1}: superspy {found[other]:.0%}, claims believed {trust(state, other):.0%}"
                for other in range(state.seats)
                if other != seat
            ]
            if state.phase != GUESS:
                lines += [
                    f"{token}: {value:+.1f}" for token, value in sorted(_values(state), key=lambda each: -each[1])
                ]
        return lines


class _Mind:
    """The interests of one seat in this position: what it is worth to it that a seat gets a card."""

    def __init__(self, state: Whales, seat: int, role: int, found: list[float]) -> None:
        self.state, self.table, self.seat, self.role, self.spies = state, state.table, seat, role, found
        self.rival = RIVAL * 3 / (state.seats - 1)

    def worth(self, seat: int, card: int) -> float:
        """Points for me when `seat` gets the card."""
        state, table, role = self.state, self.table, self.role
        heroes = state.heroes[seat]
        if card == table.hero:
            return self.danger(seat, heroes, heroes + 1) + self._strength(seat, effect(table, state, seat, card))
        if card == table.turtle and heroes:
            # A superhero is what its owner gives up, unless he is on their side.
            own = seat == self.seat
            if not own or role not in (SPY, HENCHMAN):
                gain = effect(table, state, seat, card)[0]
                return self.danger(seat, heroes, heroes - 1) + self._strength(seat, (gain, 0, 0, False))
        return self._strength(seat, effect(table, state, seat, card))

    def danger(self, seat: int, before: int, after: int) -> float:
        """Points for me from the number of a seat's superheroes."""
        change = DANGER[after] - DANGER[before]
        role = self.role
        if role == SPY:
            return change if seat == self.seat or self.table.expected_spies < 1.5 else 0.6 * change
        if role == HENCHMAN:
            chance = self.spies[seat]
            return change * (chance if after < len(DANGER) - 1 else 2 * chance - 1)
        return -FEAR * change * (1 + SPY_FEAR * self.spies[seat])

    def _strength(self, seat: int, change: tuple[float, float, int, bool]) -> float:
        gain, slots, whales, six = change
        role = self.role
        if six:
            return self._six(seat, gain)
        if seat != self.seat:
            return 0.0 if role in (SPY, HENCHMAN) else -self.rival * gain * (1 - self.spies[seat])
        if role == WHALE:
            return gain + SLOT * slots
        if role == DOLPHIN:
            return DOLPHIN_SLOT * slots + 0.2 * gain
        if role == TURTLE:
            return -5.0 * whales
        if role == WERE:
            return WERE_SLOT * slots
        return -0.2 * slots  # superspy and Henchman want the game to last

    def _six(self, seat: int, gain: float) -> float:
        """The game would end by six whales."""
        role = self.role
        if role == DOLPHIN:
            return WIN if seat == self.seat else -WIN / 2
        if role == WERE:
            return WIN / 4
        if role != WHALE:
            return -WIN / 2
        scores = list(self.state.score())
        scores[seat] += round(gain)
        rivals = [score * (1 - self.spies[other]) for other, score in enumerate(scores) if other != self.seat]
        return WIN * 0.75 if scores[self.seat] >= max(rivals) else -WIN / 3


def effect(table: Table, state: Whales, seat: int, card: int) -> tuple[float, float, int, bool]:
    """How a card changes an army: strength, places filled towards six whales, whales, and whether it makes six."""
    first = 3 * seat
    red, blue, grey = state.sets[first : first + 3]
    return table.effect(red, blue, grey, state.heroes[seat], card)


def _values(state: Whales) -> list[tuple[str, float]]:
    """Legal moves with what they are worth to the seat to move."""
    seat = state.turn
    role = state.roles[seat]
    mind = _Mind(state, seat, WHALE if role == HIDDEN else role, spies(state, seat))
    match state.phase:
        case s.DISCARD:
            return _discards(state, mind)
        case s.OFFER:
            return [(f"to{other + 1}", _offer(state, mind, state.hand[0], other)) for other in _others(state, seat)]
        case s.SAY:
            return _claims(state, mind)
        case s.ANSWER:
            return _answers(state, mind)
    return _effects(state, mind)


def _others(state: Whales, seat: int) -> list[int]:
    return [other for other in range(state.seats) if other != seat]


def _discards(state: Whales, mind: _Mind) -> list[tuple[str, float]]:
    tokens, table = state.legal(), state.table
    if len(tokens) == 1 or min(state.hand) < 0:
        return [(token, 0.0) for token in tokens]
    first, second = state.hand
    others = _others(state, mind.seat)
    keep = {card: max(_offer(state, mind, card, other) for other in others) for card in (first, second)}
    return [(token, keep[second if token == table.discards[first] else first]) for token in tokens]


def _offer(state: Whales, mind: _Mind, card: int, other: int) -> float:
    """A card offered to a seat ends in one army or the other, more often where the mover wants it."""
    if card < 0:
        return 0.0
    there, here = mind.worth(other, card), mind.worth(mind.seat, card)
    return PERSUADED * max(there, here) + (1 - PERSUADED) * min(there, here)


def _claims(state: Whales, mind: _Mind) -> list[tuple[str, float]]:
    """Each claim with what it is worth: how likely the other then keeps the card, thinking as most players would."""
    table, card, target = state.table, state.hand[0], state.target
    if card < 0:
        return [(token, 0.0) for token in state.legal()]
    wanted = mind.worth(target, card) - mind.worth(mind.seat, card)
    # What I think of the others stands for what the target thinks of them.
    found = mind.spies.copy()
    found[target], found[mind.seat] = 0.0, table.expected_spies / state.seats
    his = _Mind(state, target, WHALE, found)
    chances, gains = _prospects(state, his)
    honest = trust(state, mind.seat)
    values = []
    for token in table.claims:
        gain = _expected(table, chances, gains, token, honest, his.spies[mind.seat])
        keeps = 1 / (1 + exp(-max(-30.0, min(30.0, gain / COOL))))
        holds = claims.parse(token).holds(table.cards[card].true)
        values.append((token, wanted * keeps + (HONESTY if holds else 0.0)))
    return values


def _answers(state: Whales, mind: _Mind) -> list[tuple[str, float]]:
    chances, gains = _prospects(state, mind)
    gain = _expected(state.table, chances, gains, state.claim, trust(state, state.mover), mind.spies[state.mover])
    return [("keep", gain), ("refuse", 0.0)]


def _prospects(state: Whales, mind: _Mind) -> tuple[list[float], list[float]]:
    """For each card that the offered one may be: how likely it is before anything is said, and what keeping it is worth
    to the target, compared with refusing it."""
    table, mover, target = state.table, state.mover, state.target
    chances = [float(count) for count in state.unseen]
    for card in state.hand:
        if card >= 0:  # as it is for one who doesn't know it
            chances[card] += 1
    spy = mind.spies[mover]
    chances[table.hero] *= (1 - spy) * HERO_FROM_WHALE + spy * HERO_FROM_SPY
    gains = [
        mind.worth(target, card) - mind.worth(mover, card) if chance else 0.0 for card, chance in enumerate(chances)
    ]
    return chances, gains


def _expected(table: Table, chances: list[float], gains: list[float], token: str, honest: float, spy: float) -> float:
    """What keeping is worth when the claim is true as often as `honest` says; what a superspy says tells nothing."""
    true = table.truth(token)
    total = sum(chances)
    all_gain = sum(chance * gain for chance, gain in zip(chances, gains, strict=True))
    if true is None:
        return all_gain / total
    fits = sum(chances[card] for card in true)
    if not 0 < fits < total:
        return all_gain / total
    gain = sum(chances[card] * gains[card] for card in true)
    # Cards of a kind that is seldom there are still less often there than claimed.
    honest = max(honest * (1 - spy) + spy * fits / total, fits / total)
    return honest * gain / fits + (1 - honest) * (all_gain - gain) / (total - fits)


def _effects(state: Whales, mind: _Mind) -> list[tuple[str, float]]:
    """A set for a universal dolphin, a theft, or what a turtle costs."""
    table, seat = state.table, mind.seat
    tokens = state.legal()
    if state.phase == PLACE:
        placed = [table.placed(state.placing, colour) for colour in range(len(COLOURS))]
        return [(token, mind.worth(seat, card)) for token, card in zip(tokens, placed, strict=True)]
    if state.phase == STEAL:
        values = [
            (table.steals[victim][card], mind.worth(seat, table.home[card]) + _loss(mind, victim, card))
            for victim, card in state.stealable(seat)
        ]
        return [*values, ("nosteal", 0.0)] if tokens[-1] == "nosteal" else values
    return [(token, _loss(mind, seat, table.index[token[5:]])) for token in tokens]


def _loss(mind: _Mind, seat: int, card: int) -> float:
    """Points for me when a seat loses a card of its army."""
    state, table = mind.state, mind.table
    heroes = state.heroes[seat]
    if card == table.hero:
        gain = table.strength(state.sets[3 * seat : 3 * seat + 3], heroes - 1)
        gain -= table.strength(state.sets[3 * seat : 3 * seat + 3], heroes)
        return mind.danger(seat, heroes, heroes - 1) + mind._strength(seat, (gain, 0, 0, False))
    sets = list(state.sets[3 * seat : 3 * seat + 3])
    before = table.strength(sets, heroes)
    left = list(sets[table.colour[card]])
    left.remove(card)
    slots = -1 if len(left) < 2 else 0
    sets[table.colour[card]] = tuple(left)
    return mind._strength(seat, (table.strength(sets, heroes) - before, slots, -1, False))


def _guess(state: Whales) -> str:
    """The next role that the Were-whale names; the others have nothing to say."""
    seat = state.turn
    if state.roles[seat] != WERE:
        return "pass"
    at = len(state.named)
    return f"is{at + (at >= seat) + 1}={ROLES[likeliest_roles(state, seat)[at]]}"
