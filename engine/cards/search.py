"""Single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

One tree over what the searching seat can tell apart; each playout walks it in another world that fits the view. A
move's count of visits is weighed against how often the move was there to be chosen. At each node its own seat
maximises its own share (max^n).
"""

from __future__ import annotations

from math import sqrt
from random import Random

from thudstone.engine.cards.policy import Policy, event, roll_out, world_of
from thudstone.engine.game import CHANCE, OVER, Game

EXPLORATION = 0.6  # the weight of what the policy thinks likely against what playouts brought
PRIOR_FLOOR = 0.15  # of the prior is shared out evenly, so that each move is looked at some time
MOST_NODES = 300_000  # about 200 MB; from then on playouts only refine what the tree holds


class Node:
    """What the searching seat knows after a sequence of tokens."""

    __slots__ = ("available", "children", "totals", "visits")

    def __init__(self, seats: int) -> None:
        self.visits = 0
        self.available = 0  # in how many visits of its parent the move that leads here was legal
        self.totals = [0.0] * seats
        self.children: dict[str, Node] = {}


class Tree:
    def __init__(self, policy: Policy[Game], view: Game, moves: list[str], rng: Random) -> None:
        """`moves` are those of the seat to move that are looked at."""
        self._policy, self._view, self._moves, self._rng = policy, view, moves, rng
        self._seat = view.turn
        self._root = Node(view.seats)
        self._size = 1
        self.plies = 0  # tokens played in all playouts

    def playout(self) -> None:
        seat, view, rng, policy = self._seat, self._view, self._rng, self._policy
        state = world_of(policy, view, seat, rng)
        node = self._root
        path = [node]
        while True:
            turn = state.turn
            if turn == OVER:
                values = state.returns()
                break
            if len(path) > 1 and policy.settled(state, view):
                values = policy.estimate(state)
                break
            if turn == CHANCE:
                token = event(state, rng)
                seen = state.redact(token, seat)
            else:
                token, seen = self._select(node, state, turn)
            child = node.children.get(seen)
            if child is None:
                if self._size >= MOST_NODES:
                    values, played = roll_out(policy, state, view, rng)
                    self.plies += played
                    break
                child = node.children[seen] = Node(view.seats)
                self._size += 1
            state.apply(token)
            self.plies += 1
            path.append(child)
            node = child
            if turn != CHANCE and not child.visits:
                values, played = roll_out(policy, state, view, rng)
                self.plies += played
                break
        for node in path:
            node.visits += 1
            totals = node.totals
            for each, value in enumerate(values):
                totals[each] += value

    def _select(self, node: Node, state: Game, turn: int) -> tuple[str, str]:
        """A move of seat `turn`, and what the searching seat sees of it. Moves it can't tell apart are one in the tree,
        and the policy says which of them is played."""
        tokens = state.legal()
        if node is self._root:
            # In the view of a seat that is not to move, what the other may do differs from world to world.
            tokens = [move for move in self._moves if state.is_legal(move)] or tokens
        if len(tokens) == 1:
            return tokens[0], state.redact(tokens[0], self._seat)
        weights = self._policy.weights(state, tokens)
        total = sum(weights)
        even = PRIOR_FLOOR / len(tokens)
        scale = (1 - PRIOR_FLOOR) / total if total > 0 else 0.0
        groups: dict[str, list[int]] = {}
        for at, token in enumerate(tokens):
            groups.setdefault(state.redact(token, self._seat), []).append(at)
        children = node.children
        mean = node.totals[turn] / node.visits if node.visits else 1 / state.seats
        best, best_value = "", -1.0
        for seen, members in groups.items():
            prior = sum(even + scale * weights[at] for at in members)
            child = children.get(seen)
            if child is None:
                value = mean + EXPLORATION * prior * sqrt(node.visits + 1)
            else:
                child.available += 1
                quality = child.totals[turn] / child.visits if child.visits else mean
                value = quality + EXPLORATION * prior * sqrt(child.available + 1) / (1 + child.visits)
            if value > best_value:
                best, best_value = seen, value
        members = groups[best]
        if len(members) == 1:
            return tokens[members[0]], best
        # choices() wants some weight, and a policy may think that none of them is ever played.
        return tokens[self._rng.choices(members, [weights[at] + 1e-9 for at in members])[0]], best

    def best(self) -> str | None:
        """The move looked at most, None before the first playout."""
        visited = [move for move in self._moves if move in self._root.children]
        return max(visited, key=lambda move: self._root.children[move].visits, default=None)

    def shares(self) -> tuple[float, ...]:
        """What each seat can expect of the best move, by the playouts that began with it."""
        move = self.best()
        assert move is not None
        node = self._root.children[move]
        total = sum(node.totals)
        return tuple(value / total for value in node.totals)
