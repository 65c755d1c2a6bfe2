"""What a card game knows about playing it, as the players of card games use it: moves by rule of thumb, and worlds."""

from __future__ import annotations

from itertools import accumulate
from random import Random
from typing import Protocol, TypeVar

from thudstone.engine.game import CHANCE, OVER, Game

G = TypeVar("G", bound=Game, contravariant=True)
WORLDS = 3  # drawn for each playout, of which one is kept in proportion to its plausibility


class Policy(Protocol[G]):
    """What it says of a seat's move reads only what that seat knows, also where the state is a full world."""

    def choose(self, state: G, rng: Random) -> str:
        """The move of the seat to move by rule of thumb."""

    def weights(self, state: G, tokens: list[str]) -> list[float]:
        """How likely a sensible player plays each of the tokens, in any unit."""

    def settled(self, state: G, root: G) -> bool:
        """Whether a playout from `root` may stop here and be valued by `estimate`."""

    def estimate(self, state: G) -> tuple[float, ...]:
        """Each seat's expected share of the win in a full world, summing to 1."""

    def plausibility(self, world: G, seat: int) -> float:
        """How well the cards that `seat` doesn't see agree with what the others did, next to other worlds."""

    def explain(self, state: G) -> list[str]:
        """Lines for people."""


def world_of(policy: Policy[Game], view: Game, seat: int, rng: Random) -> Game:
    """A world that fits the view, by importance resampling: likelier the better it explains the others' choices."""
    worlds = [view.fill(rng) for _ in range(WORLDS)]
    weights = [policy.plausibility(world, seat) for world in worlds]
    total = sum(weights)
    return worlds[0] if total <= 0 else rng.choices(worlds, weights)[0]


def event(state: Game, rng: Random) -> str:
    """One of the chance events that may come next, in proportion to its weight."""
    events = state.chance()
    if len(events) == 1:
        return events[0][0]
    totals = list(accumulate(weight for _, weight in events))
    return rng.choices([token for token, _ in events], cum_weights=totals)[0]


def roll_out(policy: Policy[Game], state: Game, root: Game, rng: Random) -> tuple[tuple[float, ...], int]:
    """Plays on in `state` by rule of thumb until the game is over or may be valued: each seat's share, and how many
    tokens were played."""
    played = 0
    while True:
        turn = state.turn
        if turn == OVER:
            return state.returns(), played
        if played and policy.settled(state, root):
            return policy.estimate(state), played
        if turn == CHANCE:
            state.apply(event(state, rng))
        else:
            state.apply(policy.choose(state, rng))
        played += 1
