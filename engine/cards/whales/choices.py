"""What may come next: the legal moves of each phase, and the chance events with their weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from thudstone.engine.cards.whales.claim import COLOURS
from thudstone.engine.cards.whales.phase import (
    ANSWER,
    CHECK,
    DEAL,
    DISCARD,
    FIRST,
    GUESS,
    LOSE,
    OFFER,
    PLACE,
    ROLE,
    SAY,
    SHOW,
    STEAL,
)
from thudstone.engine.cards.whales.roles import HIDDEN, ROLES, TURTLE, WERE
from thudstone.engine.cards.whales.table import ANY

if TYPE_CHECKING:
    from thudstone.engine.cards.whales.state import Whales


def legal_discard(state: Whales) -> list[str]:
    first, second = state.hand
    if first >= 0 and second >= 0:
        names = state.table.discards
        if first == second:
            return [names[first]]
        return [names[first], names[second]] if first < second else [names[second], names[first]]
    cards = {card for card, count in enumerate(state.unseen) if count} | {card for card in state.hand if card >= 0}
    return [state.table.discards[card] for card in sorted(cards)]


def legal_offer(state: Whales) -> list[str]:
    return state.table.offers[state.mover].copy()


def legal_say(state: Whales) -> list[str]:
    return state.table.claims.copy()


def legal_answer(state: Whales) -> list[str]:
    return ["keep", "refuse"]


def legal_place(state: Whales) -> list[str]:
    return [f"set={colour}" for colour in COLOURS]


def legal_steal(state: Whales) -> list[str]:
    steals = [state.table.steals[seat][card] for seat, card in state.stealable(state.turn)]
    return steals if state.table.options["StealCompulsory"] else [*steals, "nosteal"]


def legal_lose(state: Whales) -> list[str]:
    first = 3 * state.turn
    cards = sorted({card for cards in state.sets[first : first + 3] for card in cards})
    if state.heroes[state.turn]:
        cards.append(state.table.hero)
    return [state.table.losses[card] for card in cards]


def legal_guess(state: Whales) -> list[str]:
    role = state.roles[state.turn]
    if role == HIDDEN and state.table.roles.weights(tuple(state.known_roles()), 0, False)[WERE]:
        role = WERE
    if role != WERE:
        return ["pass"]
    at = len(state.named)
    seat = at + (at >= state.turn)
    known = [0] * len(ROLES)
    for role in (WERE, *state.named):
        known[role] += 1
    weights = state.table.roles.weights(tuple(known), 0, False)
    names = [f"is{seat + 1}={ROLES[role]}" for role, weight in enumerate(weights) if weight]
    return names if state.named else ["pass", *names]


def chance_deal(state: Whales) -> list[tuple[str, int]]:
    colour = state.table.colour
    found = enumerate(zip(state.table.starts, state.unseen, strict=True))
    return [pair for card, pair in found if pair[1] and colour[card] <= ANY]


def chance_role(state: Whales) -> list[tuple[str, int]]:
    weights = state.table.roles.weights(tuple(state.known_roles()), 0, False)
    return [(f"@{state.step + 1}={ROLES[role]}", weight) for role, weight in enumerate(weights) if weight]


def chance_first(state: Whales) -> list[tuple[str, int]]:
    return [(f"@=first{seat + 1}", 1) for seat in range(state.seats)]


def chance_check(state: Whales) -> list[tuple[str, int]]:
    seat = state.holder
    facts = [(f"!{seat + 1}=turtle", 1), (f"!{seat + 1}=-turtle", 1)]
    role = state.roles[seat]
    if role == HIDDEN:
        return facts
    return facts[:1] if role == TURTLE else facts[1:]


def chance_show(state: Whales) -> list[tuple[str, int]]:
    seat = state.step
    if state.roles[seat] != HIDDEN:
        return [(f"!{seat + 1}={ROLES[state.roles[seat]]}", 1)]
    itstate = bool(state.checked >> seat & 1)
    others = sum(state.checked >> other & 1 for other in range(seat + 1, state.seats) if state.roles[other] == HIDDEN)
    weights = state.table.roles.weights(tuple(state.known_roles()), others, itstate)
    return [(f"!{seat + 1}={ROLES[role]}", weight) for role, weight in enumerate(weights) if weight]


LEGAL: dict[int, Callable[[Whales], list[str]]] = {
    DISCARD: legal_discard,
    OFFER: legal_offer,
    SAY: legal_say,
    ANSWER: legal_answer,
    PLACE: legal_place,
    STEAL: legal_steal,
    LOSE: legal_lose,
    GUESS: legal_guess,
}

CHANCES: dict[int, Callable[[Whales], list[tuple[str, int]]]] = {
    DEAL: chance_deal,
    ROLE: chance_role,
    FIRST: chance_first,
    CHECK: chance_check,
    SHOW: chance_show,
}
