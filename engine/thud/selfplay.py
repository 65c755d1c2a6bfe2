"""Battles of the engine against itself, as data to fit the evaluation to.

At equal nodes the trolls win nearly everything, and data in which one side always loses teach little: the dwarfs are
given up to ten times as many nodes. A few random plies open a battle, and in some battles a few are random later, so
that positions differ.
"""

from __future__ import annotations

from random import Random

from thudstone.engine.thud import core

OPENING_PLIES = (1, 11)  # random ones, fewest and most
RANDOM_LATER = (0.0, 0.01, 0.03, 0.06)  # shares of random plies after them, one of them for a battle
DWARF_NODES = (1, 1, 2, 4, 10)  # times the nodes, one for a battle
TROLL_NODES = (0.5, 1, 2)
LIMIT = 100  # plies without a capture, after which the points count
HASH_MB = 8


def battle(seed: str, nodes: int) -> list[str]:
    """One battle: a line `TFEN;score;margin` for each position in which the engine chose a move that takes nothing.

    `score` is the search's in hundredths of a point, `margin` the battle's final one in points, both dwarfs minus
    trolls. The same seed, nodes and evaluation give the same battle.
    """
    rng = Random(seed)
    searcher = core.Searcher(core.Table(HASH_MB))
    board = core.Board()
    for _ in range(rng.randint(*OPENING_PLIES)):
        quiet = [move for move in board.legal_moves() if not core.captured(move)]
        if not quiet:
            break
        board.push(rng.choice(quiet))
    later = rng.choice(RANDOM_LATER)
    budget = (int(nodes * rng.choice(DWARF_NODES)), int(nodes * rng.choice(TROLL_NODES)))
    scores = [0]

    def report(depth: int, seldepth: int, line: int, score: int, pv: list[int]) -> None:
        scores[0] = score

    rows = []
    while board.end() == "none" and board.quiet < LIMIT:
        side = board.side
        searcher.table.new_search()
        (move, *_) = searcher.search(board, report, bytearray(2), limit=LIMIT, nodes=max(budget[side], 1))
        if not core.captured(move):
            rows.append(f"{board.tfen};{scores[0] if side == core.DWARFS else -scores[0]}")
        board.push(rng.choice(board.legal_moves()) if rng.random() < later else move)
    margin = board.dwarfs - 4 * board.trolls
    return [f"{row};{margin}" for row in rows]
