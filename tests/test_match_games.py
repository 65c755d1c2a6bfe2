"""Matches of a game with chance, hidden cards and more than two seats, which the referee knows nothing about."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from hidden_information import start
from matches import THUDSTONE, battles, by_key, engine, header, match, refusal, refused
from test_hidden_information import CARD_GAMES
from thudstone.engine import games
from thudstone.engine.game import OVER
from toy import Toy

HERE = Path(__file__).parent
ENV = {**os.environ, "PYTHONPATH": str(HERE)}
TOY = shlex.join([sys.executable, str(HERE / "toy.py")])
SPY = shlex.join([sys.executable, str(HERE / "toy_spy.py")])
GAME = ("--game", "toy:Toy", "--nodes", "1")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="matches need POSIX")


def three(*names: str) -> list[str]:
    return [word for name in names for word in engine(TOY, name=name)]


def test_seats_rotate_and_all_battles_of_a_pair_have_the_same_cards(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    lines = match(*three("a", "b", "c"), *GAME, "--seats", "3", "--pairs", "4", "--out", str(out), env=ENV)
    played = by_key(out)
    assert sorted(played) == [(pair, battle) for pair in (1, 2, 3, 4) for battle in (1, 2, 3)]
    for (pair, number), battle in played.items():
        assert battle["seats"] == [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]][number - 1]
        assert "dwarfs" not in battle and battle["game"] == "toy" and battle["end"] == "showdown"
        game = Toy.start(3, {"Rounds": 1})
        for token in battle["record"]["moves"]:
            game.apply(token)
        assert battle["shares"] == list(game.returns()) and battle["points"] == list(game.score())
        assert battle["plies"] == 3 and battle["record"]["opening"] == 0
        assert battle["record"]["moves"][:3] == played[pair, 1]["record"]["moves"][:3], "the deal"
    assert len({tuple(played[pair, 1]["record"]["moves"][:3]) for pair in (1, 2, 3, 4)}) > 1
    heading = next(line for line in lines if line.startswith("engine"))
    assert "share of the win" in heading and "as seat 3" in heading
    assert header(out)["settings"]["rules"] == {"Rounds": 1}


def test_an_engine_is_sent_its_view_alone(tmp_path: Path) -> None:
    log = tmp_path / "log"
    spying = [word for name in ("a", "b", "c") for word in engine(f"{SPY} {log}", name=name)]
    match(*spying, *GAME, "--seats", "3", "--pairs", "2", "--rule", "rounds=2", env=ENV)
    lines = log.read_text().splitlines()
    assert "setoption name Rounds value 2" in lines and "setoption name UCI_Variant value toy" in lines
    positions = [line.split() for line in lines if line.startswith("position")]
    assert len(positions) == 2 * 3 * 6
    for words in positions:
        assert words[:4] == ["position", "startpos", "players", "3"] and words[4] == "seat" and words[6] == "moves"
        seat, moves = int(words[5]), words[7:]
        assert [token[-1] == "?" for token in moves[:3]] == [other != seat for other in (1, 2, 3)]
        assert len([token for token in moves if token[0] not in "@!"]) % 3 == seat - 1


def test_fewer_engines_than_seats(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    match(*three("a", "b"), *GAME, "--seats", "3", "--pairs", "1", "--out", str(out), env=ENV)
    tables = ["".join(battle["seats"]) for battle in battles(out)]
    assert sorted(tables) == ["aab", "aba", "abb", "baa", "bab", "bba"]


def test_a_forfeit_is_shared_by_the_others(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    failing = engine(f"{SPY} {tmp_path / 'log'} dead", name="x")
    match(*three("a", "b"), *failing, *GAME, "--seats", "3", "--pairs", "1", "--out", str(out), env=ENV)
    for battle in battles(out):
        seat = battle["seats"].index("x")
        assert battle["forfeit"]["engine"] == "x" and battle["end"] == "crash"
        assert battle["shares"] == [0.0 if at == seat else 0.5 for at in range(3)]


def test_a_card_game_for_two(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    match(*three("a", "b"), *GAME, "--pairs", "3", "--out", str(out), env=ENV)
    assert {tuple(battle["seats"]) for battle in battles(out)} == {("a", "b"), ("b", "a")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seats", "5"], "--seats 5: toy has 2 to 4"),
        (["--seats", "3", "--adjudicate", "5", "4"], "--adjudicate needs two seats"),
        (["--records", "x.thud"], "--records are of Thud"),
        (["--rule", "Rounds=10"], "Rounds: '10' is not a number from 1 to 9"),
    ],
)
def test_what_makes_no_match(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, *three("a", "b", "c"), *GAME, "--pairs", "1", *arguments).startswith(message)


@pytest.mark.slow
@pytest.mark.parametrize("name", CARD_GAMES)
def test_our_card_games(name: str, tmp_path: Path) -> None:
    """Three engine processes: every battle replays, seats rotate, and the share of the win has its interval."""
    out = tmp_path / "out.jsonl"
    players = [
        word
        for engine_name, kind in (("a", "greedy"), ("b", "random"), ("c", "random"))
        for word in engine(THUDSTONE, name=engine_name, option_Player=kind)
    ]
    lines = match(*players, "--game", name, "--seats", "3", "--pairs", "2", "--nodes", "1", "--out", str(out))
    played = by_key(out)
    assert sorted(played) == [(pair, battle) for pair in (1, 2) for battle in (1, 2, 3)]
    for (_, number), battle in played.items():
        assert battle["seats"] == [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]][number - 1]
        state = start(games.load(name)[0], 3)
        for token in battle["record"]["moves"]:
            state.apply(token)
        assert state.turn == OVER and battle["end"] == state.end()
        assert battle["shares"] == list(state.returns()) and battle["points"] == list(state.score())
    heading = next(at for at, line in enumerate(lines) if line.startswith("engine"))
    for line in lines[heading + 1 : heading + 4]:
        found = re.search(r"(\d\.\d{3}) \((\d\.\d{3}) to (\d\.\d{3})\)", line)
        assert found and float(found[2]) <= float(found[1]) <= float(found[3]), line


def test_an_engine_that_plays_other_games() -> None:
    message = refusal(*three("a"), *engine(THUDSTONE, name="x"), *GAME, "--pairs", "1", env=ENV)
    assert message == "engine x: it doesn't play toy"
