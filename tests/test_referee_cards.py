"""A program that knows no rule has four engine processes play a card game, and its log replays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hidden_information import start
from thudstone.engine import games
from thudstone.engine.game import OVER

REFEREE = Path(__file__).parent.parent / "examples" / "referee.py"


@pytest.mark.parametrize("name", [name for name in games.NAMES if name != "thud"])
def test_four_processes(name: str) -> None:
    engine = f"{sys.executable} -m thudstone --game {name}"
    command = [sys.executable, str(REFEREE), *[engine] * 4, "--referee", engine, "--movetime", "1", "--log"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.splitlines()
    logs = [line.split()[1:] for line in lines if line.startswith("log ")]
    assert len(logs) == 4 and len(lines) == 9
    for at, log in enumerate(logs):
        assert not any("?" in token for token in log)
        state = start(games.load(name)[0], 4)
        for token in log:
            state.apply(token)
        assert state.turn == OVER
        head = lines[2 * at]
        assert head.endswith(f"({state.end()}, {len(log)} moves)")
        assert [int(seat.split()[-1]) for seat in head.rsplit(" (", 1)[0].split(", ")] == list(state.score())
