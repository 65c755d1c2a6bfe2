"""Counts of sequences of plies that programs sharing no code agree on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from thudstone.engine.thud import core

POSITIONS: list[tuple[str, list[int]]] = [
    (entry["tfen"], entry["perft"])
    for entry in json.loads((Path(__file__).parent / "data" / "perft.json").read_text())["positions"]
]
FROM_START = {
    "any": [656, 22624, 14142624, 589900928],
    "all-or-none": [656, 22624, 14142624, 579424416],
    "all": [656, 21736, 13584144, 520686408],
    "one": [656, 22624, 14142624, 579999880],
}
FROM_FOURTH = {
    "any": [90, 33791, 2739218],
    "all-or-none": [64, 24155, 1527589],
    "all": [53, 19939, 1028433],
    "one": [67, 25310, 1680333],
}


@pytest.mark.parametrize("hash_mb", [0, 16])
@pytest.mark.parametrize("bulk", [True, False])
@pytest.mark.parametrize(("tfen", "counts"), POSITIONS)
def test_positions(tfen: str, counts: list[int], bulk: bool, hash_mb: int) -> None:
    board = core.Board(tfen)
    for depth, count in enumerate(counts, 1):
        if count > 10**8 and not (bulk or hash_mb):
            continue  # test_walks_every_leaf
        assert board.perft(depth, bulk=bulk, hash_mb=hash_mb) == count
    assert board.tfen.split()[:2] == tfen.split()[:2]


@pytest.mark.slow
@pytest.mark.parametrize("rule", core.RULES)
def test_walks_every_leaf(rule: str) -> None:
    assert core.Board(rule=rule).perft(4, bulk=False) == FROM_START[rule][3]


@pytest.mark.slow
@pytest.mark.parametrize("bulk", [True, False])
@pytest.mark.parametrize("rule", core.RULES)
def test_rules_of_capture(rule: str, bulk: bool) -> None:
    board = core.Board(rule=rule)
    depths = range(1, 5) if bulk else range(1, 4)
    assert [board.perft(depth, bulk=bulk) for depth in depths] == FROM_START[rule][: len(depths)]
    fourth = core.Board(POSITIONS[3][0], rule)
    assert [fourth.perft(depth, bulk=bulk) for depth in (1, 2, 3)] == FROM_FOURTH[rule]


@pytest.mark.slow
def test_depth_five() -> None:
    assert core.Board().perft(5, hash_mb=512) == 355817518472


def test_depth_nought_is_one_leaf() -> None:
    assert core.Board().perft(0) == 1
    assert core.Board(POSITIONS[4][0]).perft(0) == 1


def test_the_parts_make_the_whole() -> None:
    board = core.Board(POSITIONS[3][0])
    total = 0
    for move in board.legal_moves():
        board.push(move)
        total += board.perft(2)
        board.pop()
    assert total == 2739218


def test_stop() -> None:
    assert core.Board().perft(6, stop=bytearray(b"\1\0")) == -1
    assert core.Board().perft(3, stop=bytearray(2)) == 14142624


@pytest.mark.parametrize(("depth", "hash_mb"), [(-1, 0), (3, -1)])
def test_bad_arguments(depth: int, hash_mb: int) -> None:
    with pytest.raises(ValueError, match="should be from 0"):
        core.Board().perft(depth, hash_mb=hash_mb)
