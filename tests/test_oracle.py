"""The core's move generator against the slow one, on positions of every kind; and the slow one against known counts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import oracle
import placements
import pytest
from thudstone.engine.thud import core

DATA = Path(__file__).parent / "data"
CAPTURE_BITS = {direction: 1 << bit for bit, direction in enumerate(oracle.DIRECTIONS, 16)}


def word(move: oracle.Move) -> int:
    """The move as the core writes it."""
    start, stop = placements.core_square(move.start), placements.core_square(move.stop)
    if move.is_hurl:
        return start | stop << 8 | 1 << 24
    file, row = move.stop
    return start | stop << 8 | sum(CAPTURE_BITS[x - file, y - row] for x, y in move.captured)


def text(move: oracle.Move, side: str) -> str:
    def name(square: oracle.Square) -> str:
        return f"{oracle.FILES[square[0] - 1]}{square[1]}"

    captures = "".join(f"x{name(square)}" for square in sorted(move.captured))
    return f"{side}{name(move.start)}-{name(move.stop)}{captures}"


def positions() -> list[tuple[oracle.Pieces, str]]:
    random = Random(2002)
    found = [(placements.scattered(random), random.choice("dT")) for _ in range(2200)]
    found += [(placements.lined(random), side) for _ in range(2600) for side in "dT"]
    for number in range(75):
        first = placements.START if number % 3 == 0 else (placements.lined(random), "d")
        found += placements.played(random, *first, plies=60)
    return found


@pytest.mark.slow
def test_core_agrees_on_ten_thousand_positions() -> None:
    seen: Counter[str] = Counter()
    for pieces, side in positions():
        seen["positions"] += 1
        for rule in core.RULES:
            expected = oracle.legal_moves(pieces, side, rule)
            moves = placements.core_board(pieces, side, rule).legal_moves()
            if len(moves) != len(set(moves)) or set(moves) != {word(move) for move in expected}:
                ours = Counter(core.move_text(move, "dT".index(side)) for move in moves)
                theirs = Counter(text(move, side) for move in expected)
                pytest.fail(f"{pieces} {side} {rule}: core only {ours - theirs}, oracle only {theirs - ours}")
            if rule == "any":
                seen["hurl"] += any(move.is_hurl and move.distance >= 3 for move in expected)
                seen["shove"] += any(side == "T" and move.distance >= 2 for move in expected)
                seen["choice"] += any(len(move.captured) >= 3 for move in expected)
    assert seen["positions"] >= 10_000
    assert min(seen["hurl"], seen["shove"], seen["choice"]) >= 1000, seen


def test_move_text_agrees() -> None:
    random = Random(7)
    for _ in range(100):
        pieces = placements.lined(random)
        for side in "dT":
            written = placements.texts(placements.core_board(pieces, side))
            assert written == {text(move, side) for move in oracle.legal_moves(pieces, side, "any")}


@pytest.mark.parametrize("position", json.loads((DATA / "perft.json").read_text())["positions"])
def test_oracle_itself_counts_right(position: dict[str, object]) -> None:
    pieces, side = oracle.parse(str(position["tfen"]))
    counts = position["perft"]
    assert isinstance(counts, list)
    assert [oracle.perft(pieces, side, "any", depth) for depth in (1, 2)] == counts[:2]


@pytest.mark.parametrize(
    ("rule", "start", "fourth"),
    [
        ("any", [656, 22624], [90, 33791]),
        ("all-or-none", [656, 22624], [64, 24155]),
        ("all", [656, 21736], [53, 19939]),
        ("one", [656, 22624], [67, 25310]),
    ],
)
def test_oracle_itself_knows_the_rules_of_capture(rule: str, start: list[int], fourth: list[int]) -> None:
    tfen = "d4/d6/d8/d10/d12/5d7Td/d6T7/7Rd4d1/7ddd3d1/1TTTTTT6d1/9d2d/11/9/7/1ddd1 T 0 1"
    assert [oracle.perft(*placements.START, rule, depth) for depth in (1, 2)] == start
    assert [oracle.perft(*oracle.parse(tfen), rule, depth) for depth in (1, 2)] == fourth
