"""The engine against the greedy-capture player: battles won to the last piece, from both sides.

    python bench/greedy.py [--battles 20] [--movetime 100] [--level 20] [--seed 1]

The greedy player takes the largest capture there is, among equal ones any, and otherwise moves at random. It is one of
the fixed opponents that strength is measured against. Status 0 when in at least 95 of 100 battles the engine
left it no piece.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from thudstone.engine.game import Limits, Stop
from thudstone.engine.thud import core
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.state import Thud


def greedy_move(board: core.Board, rng: random.Random) -> int:
    """The largest capture in points, a troll counting four; any move where nothing can be taken."""
    moves = board.legal_moves()
    gains = [4 if board.side == core.DWARFS and core.captured(move) else len(core.captured(move)) for move in moves]
    most = max(gains)
    return rng.choice([move for move, gain in zip(moves, gains, strict=True) if gain == most])


def battle(player: ThudPlayer, side: int, movetime: int, rng: random.Random) -> Thud:
    """One battle to its end; `side` is the engine's."""
    state = Thud.start(2, {})
    player.new_game()
    while state.end() == "none":
        if state.turn == side:
            choice = player.search(state, Limits(movetime=movetime), lambda info: None, Stop())
            assert choice.move is not None
            state.apply(choice.move)
        else:
            state.board.push(greedy_move(state.board, rng))
    return state


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=20, help="a side (default 20)")
    parser.add_argument("--movetime", type=int, default=100, help="ms a ply (default 100)")
    parser.add_argument("--level", type=int, default=20, choices=range(21), metavar="0-20", help="Skill Level")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    player = ThudPlayer()
    player.set_option("Skill Level", options.level)
    won = routed = 0
    for number in range(2 * options.battles):
        side = number & 1
        state = battle(player, side, options.movetime, random.Random(options.seed * 1000 + number))
        dwarfs, trolls = state.score()
        margin = (dwarfs - trolls) * (1 if side == core.DWARFS else -1)
        won += margin > 0
        routed += (trolls if side == core.DWARFS else dwarfs) == 0
        print(
            f"{number + 1:3} as {('dwarfs', 'trolls')[side]}: dwarfs {dwarfs}, trolls {trolls // 4}, "
            f"margin {margin:+d}, {state.end()} after {state.board.ply} plies",
            flush=True,
        )
    print(f"Won: {won} of {2 * options.battles}, to the last piece {routed}")
    return 0 if routed >= 0.95 * 2 * options.battles else 1


if __name__ == "__main__":
    raise SystemExit(main())
