"""Positions in which it is better to spare a dwarf: proved, and played."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from thudstone.engine.game import Limits, Stop
from thudstone.engine.thud import core
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.state import Thud

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tests" / "data" / "sparing.txt"
CASES = [line.split("; ") for line in FILE.read_text().splitlines() if not line.startswith("#")]


def to_the_same_square(board: core.Board, move: int) -> list[int]:
    return [other for other in board.legal_moves() if other & 0xFFFF == move & 0xFFFF]


@pytest.mark.parametrize(("tfen", "move"), CASES)
def test_the_search_spares_the_dwarf(tfen: str, move: str) -> None:
    """Of the captures on that square it plays none of those that were proved worse."""
    board = core.Board(tfen)
    spared = set(core.captured(board.parse(move)))
    tokens = [core.move_text(other, core.TROLLS) for other in to_the_same_square(board, board.parse(move))]
    limits = Limits(depth=8, searchmoves=tuple(tokens))
    choice = ThudPlayer().search(Thud(board), limits, lambda info: None, Stop()).move
    assert choice is not None
    assert not spared < set(core.captured(board.parse(choice)))


def prove(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, str(ROOT / "bench" / "sparing.py"), "--check", *arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
def test_all_are_proved() -> None:
    done = prove(str(FILE))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"Proved: {len(CASES)} of {len(CASES)}\n", "")


@pytest.mark.slow
def test_what_is_not_so_is_not_proved(tmp_path: Path) -> None:
    tfen, move = CASES[0]
    board = core.Board(tfen)
    fullest = max(to_the_same_square(board, board.parse(move)), key=lambda other: len(core.captured(other)))
    wrong = f"{tfen}; {core.move_text(fullest, core.TROLLS)}"
    (tmp_path / "file").write_text(f"{tfen}; {move}\n{wrong}\n")
    done = prove(str(tmp_path / "file"))
    assert (done.returncode, done.stdout) == (1, f"not proved: {wrong}\nProved: 1 of 2\n")
