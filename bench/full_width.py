"""The engine against a plain full-width alpha-beta search to depth 4: points a pair of battles.

    python bench/full_width.py [--pairs 10] [--movetime 100] [--depth 4] [--seed 1]

The opponent has the same evaluation and searches every move to that depth, with captures beyond it, and neither prunes
nor reduces anything; it takes whatever time that needs. It is one of the fixed opponents that strength is measured
against, and what the public Thud programs do. Each pair starts from four random plies without a capture. Status 0 when
the engine's points are more in all.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Sequence

from thudstone.engine.game import Limits, Stop
from thudstone.engine.thud import core
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.state import Thud


def opening(rng: random.Random, plies: int = 4) -> list[str]:
    """Random moves that take nothing and after which nothing can be taken."""
    while True:
        board, moves = core.Board(), []
        for _ in range(plies):
            move = rng.choice(board.legal_moves())
            moves.append(core.move_text(move, board.side))
            board.push(move)
        if not any(core.captured(move) for move in board.legal_moves()):
            return moves


def full_width(board: core.Board, depth: int, table: core.Table) -> int:
    found: list[int] = []
    core.Searcher(table).search(
        board,
        lambda depth, seldepth, line, score, pv: found.__setitem__(slice(None), pv[:1]),
        bytearray(2),
        depth=depth,
        plain=True,
    )
    return found[0]


def battle(player: ThudPlayer, side: int, moves: Sequence[str], movetime: int, depth: int) -> tuple[int, float]:
    """The engine's margin on `side`, and the seconds its opponent thought a ply."""
    state = Thud.start(2, {})
    for move in moves:
        state.apply(move)
    player.new_game()
    table = core.Table(64)
    seconds = []
    while state.end() == "none":
        if state.turn == side:
            choice = player.search(state, Limits(movetime=movetime), lambda info: None, Stop())
            assert choice.move is not None
            state.apply(choice.move)
        else:
            began = time.monotonic()
            state.board.push(full_width(state.board, depth, table))
            seconds.append(time.monotonic() - began)
    dwarfs, trolls = state.score()
    return (dwarfs - trolls) * (1 if side == core.DWARFS else -1), statistics.fmean(seconds)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--movetime", type=int, default=100, help="the engine's ms a ply (default 100)")
    parser.add_argument("--depth", type=int, default=4, help="the opponent's (default 4)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    player = ThudPlayer()
    margins = []
    for number in range(1, options.pairs + 1):
        moves = opening(random.Random(options.seed * 1000 + number))
        played = [battle(player, side, moves, options.movetime, options.depth) for side in (core.DWARFS, core.TROLLS)]
        margins.append(sum(margin for margin, _ in played))
        seconds = statistics.fmean(spent for _, spent in played)
        print(
            f"{number:3} as dwarfs {played[0][0]:+d}, as trolls {played[1][0]:+d}; the opponent's ply {seconds:.2f} s",
            flush=True,
        )
    error = 1.96 * statistics.stdev(margins) / math.sqrt(len(margins)) if len(margins) > 1 else math.inf
    won = sum(margin > 0 for margin in margins)
    print(f"Pairs won: {won} of {len(margins)}; {statistics.fmean(margins):+.2f} ± {error:.2f} points a pair")
    return 0 if sum(margins) > 0 else 1


if __name__ == "__main__":
    raise SystemExit(main())
