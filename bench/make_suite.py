"""Positions with a proven best outcome: made, and proved again.

    python bench/make_suite.py --make 80 > examples/tactics.suite
    python bench/make_suite.py --check examples/tactics.suite

Every sequence of N plies is looked at (alpha-beta, nothing pruned beyond it, every set of captured dwarfs), both sides
playing for the margin after the last one. A position is taken when one move is better than all others by two points or
more after N plies, and after N + 1, so that no answer undoes it. `plies` is N, the fewest that show it; `margin` is the
margin then.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from thudstone.engine.thud import core
from thudstone.suite import Problem, read

CLEAR = 2  # points by which the best move beats all others
FAR = 1000  # more than any margin


def gain(board: core.Board, move: int) -> int:
    """What a move takes, in points."""
    taken = len(core.captured(move))
    return 4 * taken if board.side == core.DWARFS else taken


def value(board: core.Board, plies: int, low: int = -FAR, high: int = FAR) -> int:
    """The margin for the side to move after so many plies of best play, exact between low and high."""
    now = (board.dwarfs - 4 * board.trolls) * (1 if board.side == core.DWARFS else -1)
    if plies == 0:
        return now
    moves = board.legal_moves()
    if not moves:
        return now
    if plies == 1:
        return now + max(gain(board, move) for move in moves)
    best = -FAR
    for move in sorted(moves, key=lambda move: -gain(board, move)):
        board.push(move)
        best = max(best, -value(board, plies - 1, -high, -low))
        board.pop()
        low = max(low, best)
        if low >= high:
            break
    return best


def key(board: core.Board, plies: int) -> tuple[int, int] | None:
    """The move that is clearly best after so many plies, and the margin for the side to move; None without one."""
    found: list[tuple[int, int]] = []
    best = -FAR
    for move in sorted(board.legal_moves(), key=lambda move: -gain(board, move)):
        board.push(move)
        score = -value(board, plies - 1, -FAR, -(best - CLEAR))
        board.pop()
        found.append((score, move))
        best = max(best, score)
    found.sort(reverse=True)
    if not found or (len(found) > 1 and found[0][0] - found[1][0] < CLEAR):
        return None
    return found[0][1], found[0][0]


def prove(tfen: str, most: int = 3) -> Problem | None:
    """The problem with the fewest plies, 1 or 3, that shows its best move; None where none is clear."""
    board = core.Board(tfen)
    for plies in range(1, most + 1, 2):
        first = key(board, plies)
        if first is None:
            continue
        later = key(board, plies + 1)
        if later is not None and later[0] == first[0]:
            move, score = first
            sign = 1 if board.side == core.DWARFS else -1
            return Problem(board.tfen, (core.move_text(move, board.side),), plies, sign * score)
    return None


def greedy_fails(problem: Problem) -> bool:
    """Is the best move none of those that take the most now, or is there nothing to take?"""
    board = core.Board(problem.tfen)
    most = max(gain(board, move) for move in board.legal_moves())
    return most == 0 or gain(board, board.parse(problem.best[0])) < most


def candidate(rng: Random) -> str:
    """A dozen pieces near each other."""
    middle = rng.choice(core.SQUARES)
    near = [
        square
        for square in core.SQUARES
        if abs((square >> 4) - (middle >> 4)) <= 3 and abs((square & 15) - (middle & 15)) <= 3
    ]
    dwarfs, trolls = rng.randint(5, 9), rng.randint(2, 4)
    chosen = rng.sample(near if len(near) > 15 else list(core.SQUARES), dwarfs + trolls)
    return core.Board.from_pieces(chosen[:dwarfs], chosen[dwarfs:], rng.choice((core.DWARFS, core.TROLLS))).tfen


def make(count: int, seed: int) -> Iterator[Problem]:
    """Half of them for each side; at most a sixth are solved by the largest capture of a single ply."""
    rng = Random(seed)
    room = [count // 2, count - count // 2]
    short = count // 6
    while any(room):
        tfen = candidate(rng)
        side = core.Board(tfen).side
        problem = prove(tfen) if room[side] else None
        if problem is None or (problem.plies == 1 and not short):
            continue
        short -= problem.plies == 1
        room[side] -= 1
        yield problem


def check(problems: Sequence[Problem]) -> int:
    """How many are not what they say; prints which."""
    wrong = 0
    for number, problem in enumerate(problems, 1):
        if prove(problem.tfen) != problem:
            wrong += 1
            print(f"problem {number} is not proved: {problem}")
    longer = sum((problem.plies or 0) >= 3 for problem in problems)
    fails = sum(greedy_fails(problem) for problem in problems)
    trolls = sum(core.Board(problem.tfen).side for problem in problems)
    print(
        f"Proved: {len(problems) - wrong} of {len(problems)}; trolls to move {trolls}, "
        f"three plies or more {longer}, the largest capture fails {fails}"
    )
    return wrong


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", type=int, metavar="COUNT")
    parser.add_argument("--check", type=Path, metavar="SUITE")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    if options.check:
        return 1 if check(read(options.check.read_text(encoding="utf-8"))) else 0
    print("# Positions with a proven best move (bench/make_suite.py); `thudstone solve -h` says how to run them.")
    for problem in make(options.make or 80, options.seed):
        print(problem)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
