"""The players of card games: random, by rule of thumb, flat Monte Carlo, and tree search. They are given a view and
know nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar

from thudstone.engine.cards.flat import Arms
from thudstone.engine.cards.policy import Policy, event
from thudstone.engine.cards.search import Tree
from thudstone.engine.clock import budget
from thudstone.engine.game import CHANCE, OVER, Choice, Game, Info, Limits, Option, OptionValue, Player, Stop

MOST_DEPTH = 40  # 2**40 playouts end no search within a life
BENCH_POSITIONS, BENCH_PLAYOUTS = 8, 200


class CardPlayer(Player):
    """A class for each game says which game it plays and by which policy.

    A node is a playout. Depth N is 2**N playouts: what has been found is reported each time their number doubles. One
    view, seed and number of nodes always give the same move.
    """

    game: ClassVar[type[Game]]
    policy: ClassVar[Callable[[], Policy[Any]]]

    options = (
        Option("Player", "combo", "search", choices=("random", "greedy", "flat", "search")),
        Option("Seed", "spin", 0, 0, 2**31 - 1),
        Option("Move Overhead", "spin", 10, 0, 5000),
    )

    def __init__(self) -> None:
        self._values: dict[str, OptionValue] = {option.name: option.default for option in self.options}
        self._policy: Policy[Any] = type(self).policy()

    def set_option(self, name: str, value: OptionValue | None) -> None:
        if name not in self._values or value is None:
            raise ValueError(f"{name} is not an option of this player")
        self._values[name] = value

    def new_game(self) -> None:
        """Nothing is learned from move to move."""

    def search(self, view: Game, limits: Limits, report: Callable[[Info], None], stop: Stop) -> Choice:
        if view.turn < 0:
            report(Info(0, _elapsed_ms(limits)))
            return Choice(None)
        moves = list(limits.searchmoves) or view.legal()
        rng = Random(f"{self._values['Seed']} {view.text()}")  # a text seeds the same way in every process
        name = self._values["Player"]
        if name == "random":
            return self._at_once(rng.choice(moves), limits, report)
        if name == "greedy":
            return self._at_once(self._thumb(view, moves, rng), limits, report)
        method = (Tree if name == "search" else Arms)(self._policy, view, moves, rng)
        playouts = self._run(method, view, limits, report, stop, single=len(moves) == 1)
        report(Info(playouts, _elapsed_ms(limits)))
        return Choice(method.best() or self._thumb(view, moves, rng))

    def _thumb(self, view: Game, moves: list[str], rng: Random) -> str:
        """The policy's move, or of some moves only the one it thinks likeliest."""
        move = self._policy.choose(view, rng)
        if move in moves:
            return move
        weights = self._policy.weights(view, view.legal())
        likely = dict(zip(view.legal(), weights, strict=True))
        return max(moves, key=likely.__getitem__)

    @staticmethod
    def _at_once(move: str, limits: Limits, report: Callable[[Info], None]) -> Choice:
        report(Info(0, _elapsed_ms(limits)))
        return Choice(move)

    def _run(
        self,
        method: Tree | Arms,
        view: Game,
        limits: Limits,
        report: Callable[[Info], None],
        stop: Stop,
        *,
        single: bool,
    ) -> int:
        """Playouts until a limit is reached; how many there were."""
        overhead = int(self._values["Move Overhead"])
        time_budget = budget(limits, view.turn, overhead)
        ends = [each for each in (time_budget.soft_ms, time_budget.hard_ms) if each is not None]
        most_ms = min(ends, default=None)
        most = 2 ** min(limits.depth, MOST_DEPTH) if limits.depth else limits.depth
        if limits.nodes is not None:
            most = limits.nodes if most is None else min(most, limits.nodes)
        if single and not limits.infinite and not limits.ponder:
            most = 1 if most is None else min(most, 1)  # for what it expects; there is nothing to choose
        flags = stop.flags
        done, depth, reported = 0, 0, 0

        def tell() -> None:
            nonlocal reported
            move = method.best()
            assert move is not None
            pv = (move,)
            shares = method.shares()
            report(Info(done, _elapsed_ms(limits), depth=depth, seldepth=depth, multipv=1, shares=shares, pv=pv))
            reported = done

        while not flags[0] and (most is None or done < most):
            if most_ms is not None and (not limits.ponder or flags[1]):
                begun = stop.hit_at if limits.ponder else limits.started
                if (time.monotonic() - begun) * 1000 >= most_ms:
                    break
            method.playout()
            done += 1
            if done == 1 << depth:
                tell()
                depth += 1
        if done > reported:
            tell()
        return done

    def explain(self, view: Game) -> str:
        return "\n".join(self._policy.explain(view))

    def bench(self, stop: Stop) -> Iterator[str]:
        """Its last number counts the tokens played in all playouts."""
        begun = time.monotonic()
        playouts = plies = 0
        for number in range(BENCH_POSITIONS):
            view = self._bench_view(number)
            tree = Tree(type(self).policy(), view, view.legal(), Random(number))
            for _ in range(BENCH_PLAYOUTS):
                if stop.is_set:
                    return
                tree.playout()
            playouts += BENCH_PLAYOUTS
            plies += tree.plies
            yield f"position {number + 1}: {tree.best()}, tokens {tree.plies}"
        yield f"NPS: {int(playouts / max(time.monotonic() - begun, 0.001))}"
        yield f"Bench: {plies}"

    def _bench_view(self, number: int) -> Game:
        """What the seat to move knows after some moves by rule of thumb."""
        game, rng, policy = type(self).game, Random(number), type(self).policy()
        fewest, most = game.seat_range
        defaults = {option.name: option.default for option in game.options}
        world = game.start(fewest + number % (most - fewest + 1), defaults)
        views = [world.copy() for _ in range(world.seats)]
        moves = 3 * number
        while world.turn != OVER:
            if world.turn != CHANCE:
                if moves <= 0 and len(world.legal()) > 1:
                    break
                moves -= 1
            token = event(world, rng) if world.turn == CHANCE else policy.choose(world, rng)
            for seat, view in enumerate(views):
                view.apply(world.redact(token, seat))
            world.apply(token)
        return views[world.turn]


def _elapsed_ms(limits: Limits) -> int:
    return round((time.monotonic() - limits.started) * 1000)
