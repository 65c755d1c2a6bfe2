"""Flat Monte Carlo: the moves of the seat to move are the arms of a bandit, chosen by UCB1 (Auer and others 2002)."""

from __future__ import annotations

from math import log, sqrt
from random import Random

from thudstone.engine.cards.policy import Policy, roll_out, world_of
from thudstone.engine.game import Game

EXPLORATION = 0.5  # shares of the win lie between 0 and 1, most of them near the middle


class Arms:
    def __init__(self, policy: Policy[Game], view: Game, moves: list[str], rng: Random) -> None:
        """`moves` are those of the seat to move that are looked at."""
        self._policy, self._view, self._moves, self._rng = policy, view, moves, rng
        self._visits = [0] * len(moves)
        self._totals = [[0.0] * view.seats for _ in moves]
        self._playouts = 0
        self.plies = 0  # tokens played in all playouts

    def playout(self) -> None:
        seat = self._view.turn
        arm = self._select(seat)
        state = world_of(self._policy, self._view, seat, self._rng)
        # In the view of a seat that is not to move, the other may not have the move in this world.
        if state.is_legal(self._moves[arm]):
            state.apply(self._moves[arm])
        values, played = roll_out(self._policy, state, self._view, self._rng)
        self.plies += played + 1
        self._playouts += 1
        self._visits[arm] += 1
        totals = self._totals[arm]
        for each, value in enumerate(values):
            totals[each] += value

    def _select(self, seat: int) -> int:
        if 0 in self._visits:
            return self._visits.index(0)
        spread = log(self._playouts)
        values = [
            totals[seat] / visits + EXPLORATION * sqrt(spread / visits)
            for totals, visits in zip(self._totals, self._visits, strict=True)
        ]
        return values.index(max(values))

    def _most(self) -> int:
        return self._visits.index(max(self._visits))

    def best(self) -> str | None:
        """The move looked at most, None before the first playout."""
        return self._moves[self._most()] if self._playouts else None

    def shares(self) -> tuple[float, ...]:
        """What each seat can expect of the best move."""
        totals = self._totals[self._most()]
        total = sum(totals)
        return tuple(value / total for value in totals)
