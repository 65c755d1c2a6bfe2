"""Puts a core compiled with the address and undefined-behaviour sanitizers through its worst: full boards, the longest
lists of moves, random battles, short searches.

    python tests/sanitizer_driver.py CORE.so       with the sanitizer's run-time library preloaded
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from random import Random

import thudstone.engine.thud

CORE = "thudstone.engine.thud.core"


def replace_core(path: str) -> None:
    """Whoever imports the core from now on gets the one at `path`."""
    spec = importlib.util.spec_from_file_location(CORE, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.__file__ == path
    sys.modules[CORE] = module
    vars(thudstone.engine.thud)["core"] = module


replace_core(sys.argv[1])

import oracle  # noqa: E402
import placements  # noqa: E402
from climb import climb  # noqa: E402
from thudstone.engine.thud import core  # noqa: E402

WORST = Path(__file__).parent / "data" / "most_moves.json"
TABLE = core.Table(1)


def exercise(board: core.Board) -> None:
    """Everything that fills a list or looks around a square."""
    moves = board.legal_moves()
    assert len(moves) == board.legal_count() == board.perft(1, bulk=False)
    assert core.Board(board.tfen, board.rule).key == board.key
    board.evaluate()
    board.terms()
    board.perft(2, hash_mb=1)
    for move in moves[:: max(1, len(moves) // 50)]:
        assert board.parse(core.move_text(move, board.side)) == move
        board.push(move)
        board.evaluate()
        board.pop()


def search(board: core.Board, lines: int) -> None:
    """A search by two threads' worth of searchers in one table, with the limit on plies without a capture near."""
    searcher = core.Searcher(TABLE)
    for limit in (0, board.quiet + 3):
        best = searcher.search(board, None, bytearray(2), limit=limit, depth=30, nodes=3000, lines=lines)
        assert bool(best) == bool(board.legal_moves())
        for move in best:
            board.push(move)
        for _ in best:
            board.pop()


def in_every_rule(pieces: oracle.Pieces) -> list[core.Board]:
    return [placements.core_board(pieces, side, rule) for side in "dT" for rule in core.RULES]


def full_boards(random: Random) -> None:
    for dwarfs in range(0, len(placements.SQUARES) + 1, 4):
        squares = random.sample(placements.SQUARES, len(placements.SQUARES))
        full = {square: "d" if i < dwarfs else "T" for i, square in enumerate(squares)}
        nearly = {square: full[square] for square in squares[random.randint(1, 30) :]}
        for board in in_every_rule(full) + in_every_rule(nearly):
            exercise(board)
        search(placements.core_board(nearly, random.choice("dT")), lines=3)


def longest_lists(random: Random) -> None:
    for entry in json.loads(WORST.read_text()):
        for rule in core.RULES:
            board = core.Board(entry["tfen"], rule)
            exercise(board)
            search(board, lines=1)
        assert core.Board(entry["tfen"]).legal_count() == entry["moves"]
    for side in "dT":
        for counts in ((32, 8), (90, 30), None):
            exercise(climb(random, side, counts, steps=2000))


def battles(random: Random) -> None:
    for number in range(40):
        board = core.Board(rule=core.RULES[number % 4])
        while board.ply < 150 and (moves := board.legal_moves()):
            captures = [move for move in moves if core.captured(move)]
            board.push(random.choice(captures if captures and random.random() < 0.5 else moves))
            if board.ply % 25 == 0:
                exercise(board)
                search(board, lines=2)
        while board.ply:
            board.pop()
        assert board.tfen == core.START


if __name__ == "__main__":
    generator = Random(1983)
    full_boards(generator)
    longest_lists(generator)
    battles(generator)
    print("clean")
