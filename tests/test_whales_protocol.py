"""Whales between processes: engines that each see their own seat, and a referee program that knows no rules."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from protocol_client import Client
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.game import OVER
from whales_games import PLAIN

REFEREE = Path(__file__).parent.parent / "examples" / "referee.py"
ENGINE = (sys.executable, "-m", "thudstone", "--game", "whales")
DEAL = "@=g3 @=g1 @=r6 @=b10 @=r4 @=b2 @=r2 @=b4 @1=spy @2=whale @3=whale @4=whale @=first2 @2=g1 @2=H"
TABLE = f"position startpos players 4 seat * moves {DEAL}"


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(ENGINE) as client:
        yield client


def test_four_engines_and_a_referee_that_knows_no_rules() -> None:
    engine = shlex.join(ENGINE)
    arguments = [engine] * 4 + ["--referee", engine, "--pairs", "1", "--movetime", "2", "--seed", "4", "--log"]
    done = subprocess.run([sys.executable, str(REFEREE), *arguments], capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.returncode) == ("", 0)
    logs = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("log ")]
    assert len(logs) == 4
    for log in logs:
        state = Whales.start(4, PLAIN)
        assert [state.apply(token) for token in log] == log
        assert state.turn == OVER and f"({state.end()}, {len(log)} moves)" in done.stdout


def test_a_claim_of_ones_own_is_carried(client: Client) -> None:
    assert client.ask(TABLE, "moves xg1 to1 Say:Red/-HERO~n%c3%a1zor") == []
    said = "say:red/-hero~n%C3%A1zor"
    assert client.query("redact 1").endswith(f"@2=? @2=? xg1 to1 {said}")
    assert client.query("redact 2").endswith(f"@2=g1 @2=H xg1 to1 {said}")
    view = client.query("redact 1")
    assert client.ask(f"position startpos players 4 seat 1 moves {view}") == []
    text = client.query("fen")
    assert f"claim={said};hand=?" in text
    assert client.ask(f"position fen {text}") == [] and client.query("fen") == text


def test_illegal_claims_and_cards_are_named(client: Client) -> None:
    assert client.ask(TABLE) == []
    for moves, what in (
        ("xT", "ply 16, xT: xg1 or xH expected"),
        ("xg1 to2", "ply 17, to2: to1 or to3 or to4 expected"),
        ("xg1 to1 say:~%zz", "ply 18, say:~%zz: free text after ~ must be percent-encoded"),
        ("xg1 to1 silent keep !g1", "ply 20, !g1: the offered card expected, !H"),
    ):
        assert client.ask(f"moves {moves}") == [f"info string error: moves: {what}"]
    assert client.query("legal") == "xg1 xH", "and nothing has changed"


def test_options_of_the_game(client: Client) -> None:
    error = "info string error: setoption Data: /nowhere.json: No such file or directory"
    assert client.ask("setoption name Data value /nowhere.json") == [error]
    assert client.ask(TABLE, "moves xg1 to1", "setoption name ClaimCompulsory value true") == []
    assert client.query("legal").split()[0] == "say:red"
    assert client.query("islegal silent") == "false"
    assert client.ask("position startpos players 9") == [
        "info string error: position: players 9: whales has 3 to 8",
    ]
