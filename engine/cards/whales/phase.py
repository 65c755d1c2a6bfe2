"""What may come next in a game of Whales, and what is counted of what was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thudstone.engine.cards.whales.claim import parse

if TYPE_CHECKING:
    from thudstone.engine.cards.whales.state import Whales

HEROES_TO_END = 3
UNKNOWN = -1  # a card that this view doesn't know
NOBODY = -1

# What comes next.
DEAL, ROLE, FIRST, DRAW, DISCARD, OFFER, SAY, ANSWER, REVEAL, PLACE, STEAL, LOSE, CHECK, GUESS, SHOW, ENDED = range(16)
PHASES = "deal role first draw discard offer say answer reveal place steal lose check guess show ended".split()

# What everybody has seen a seat do, counted: how it chose between a superhero and another card, whom it pushed towards
# a third superhero, what it kept and refused, and how often its claims were true. FACTS counters a seat.
GAVE_HERO, SPARED_HERO, PUSHED_HERO, TOOK_HERO, SHED_HERO, TOOK_WHALE, SHED_WHALE, TOLD, TRUE = range(9)
FACTS = 9


def remember(state: Whales, card: int) -> None:
    """Count what the turn showed about the mover and the one he made the offer to."""
    facts, hero = state.facts, state.table.hero
    mover, target = FACTS * state.mover, FACTS * state.target
    if card == hero:
        if state.dropped != hero:
            facts[mover + GAVE_HERO] += 1
        if state.heroes[state.target] == HEROES_TO_END - 1 or state.heroes[state.mover] == HEROES_TO_END - 1:
            facts[mover + PUSHED_HERO] += 1
        facts[target + (TOOK_HERO if state.kept else SHED_HERO)] += 1
    else:
        if state.dropped == hero:
            facts[mover + SPARED_HERO] += 1
        if card != state.table.turtle:
            facts[target + (TOOK_WHALE if state.kept else SHED_WHALE)] += 1
    if state.claim != "silent":
        holds = parse(state.claim).holds(state.table.cards[card].true)
        if holds is not None:
            facts[mover + TOLD] += 1
            facts[mover + TRUE] += holds
