"""The example engine and the example referee, which knows no rules."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from protocol_client import PATIENCE, THUD, TOY, Client

EXAMPLES = Path(__file__).parent.parent / "examples"
RANDOM = (sys.executable, str(EXAMPLES / "engine.py"), "1")
END = "d4/T6/9/11/13/15/15/7R7/15/15/13/11/9/7/5 T"  # the trolls win at once


def engine(name: str, on_go: str) -> str:
    """A command for an engine that says hello and then does one thing at `go`."""
    program = (
        "import sys, time\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        f"    if word == 'uci': print('id name {name}\\nuciok', flush=True)\n"
        "    elif word == 'isready': print('readyok', flush=True)\n"
        f"    elif word == 'go': {on_go}\n"
    )
    return shlex.join((sys.executable, "-c", program))


def referee(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, str(EXAMPLES / "referee.py"), *arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=3 * PATIENCE, check=False)


def match(*arguments: str) -> list[str]:
    done = referee(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_the_example_engine_s_conversation() -> None:
    with Client(RANDOM) as client:
        assert client.ask("uci") == ["id name Random", "id author the Thudstone authors", "uciok"]
        assert client.ask("ugi")[-1] == "ugiok"
        assert client.ask("position startpos seat 1 moves dO11-O9", "moves TG7-F6=", "what is this", "") == []
        infos, best = client.go("movetime 10")
        assert (len(infos), best[:10]) == (1, "bestmove d")
        for line in ("position startpos moves dO8-O5", "moves dO8-O5", "position fen 3", "position sideways"):
            (error,) = client.ask(line)
            assert error.startswith(f"info string error: {line.split()[0]}: ")
        assert client.ask("moves =") == []
        assert client.go("depth 1")[1] == "bestmove (none)"
        assert client.ask(f"position fen {END} 0 1 players 2 moves TE2-F2xF1") == []
        assert client.go("depth 1")[1] == "bestmove (none)"


def test_the_example_engine_waits_where_it_has_to() -> None:
    with Client(RANDOM) as client:
        for words, end in (("infinite", "stop"), ("", "stop"), ("ponder wtime 1", "ponderhit")):
            client.send(f"go {words}")
            assert client.ask() == []
            assert client.ask("stop" if end == "stop" else "ponderhit", "stop")[-1].startswith("bestmove d")
        client.send_raw(b"\xff\xfe\x00\n")
        client.send("go infinite")
        client.end_input()
        lines, status = client.rest()
        assert (len(lines), status) == (2, 0)


def test_a_pair_of_battles() -> None:
    lines = match(shlex.join(THUD), shlex.join(RANDOM), "--pairs", "1", "--movetime", "5")
    shape = r"(\d)\. (\d:\S+.*?) (\d+) - (\d+) (\d:\S+.*?) \((no-pieces|no-move|limit), (\d+) moves\)"
    first, second = (re.fullmatch(shape, line) for line in lines[:2])
    assert first and second, lines
    assert (first[2], first[5]) == (second[5], second[2])
    assert (first[2][:12], first[5]) == ("1:Thudstone ", "2:Random")
    mine, other = int(first[3]) + int(second[4]), int(first[4]) + int(second[3])
    assert lines[2] == f"Sum: {first[2]} {mine} - {other} 2:Random"
    assert int(first[3]) > int(first[4]) and int(second[4]) > int(second[3]), "the engine wins both"


@pytest.mark.slow
def test_the_engine_beats_a_random_one_in_every_battle() -> None:
    command = (shlex.join(THUD), shlex.join(RANDOM), "--pairs", "10", "--movetime", "50")
    arguments = (sys.executable, str(EXAMPLES / "referee.py"), *command)
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600, check=True)
    *battles, _ = done.stdout.splitlines()
    assert len(battles) == 20
    for battle in battles:
        found = re.fullmatch(r"\d+\. (\d):.*? (\d+) - (\d+) \d:.*", battle)
        assert found
        first, second = int(found[2]), int(found[3])
        assert (first > second) == (found[1] == "1") and first != second, battle


def test_openings_are_used_in_turn(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text(f"{END}\n\nstartpos moves dO11-O9= =\n", "ascii")
    lines = match(shlex.join(THUD), shlex.join(THUD), "--pairs", "3", "--openings", str(openings), "--movetime", "20")
    assert [line.split(". ")[1].split(" (")[1] for line in lines[:2]] == ["no-pieces, 1 moves)"] * 2
    assert [line.split(" (")[1] for line in lines[2:4]] == ["agreed, 2 moves)"] * 2
    assert lines[4].split(" (")[1] == lines[0].split(" (")[1]
    assert " 0 - 4 " in lines[0]
    assert re.fullmatch(r"Sum: 1:Thudstone \S+ 72 - 72 2:Thudstone \S+", lines[-1])


@pytest.mark.parametrize(
    ("on_go", "why"),
    [
        ("print('bestmove dA1-A2', flush=True)", "answered 'bestmove dA1-A2', which is illegal"),
        ("print('bestmove (none)', flush=True)", "answered 'bestmove (none)', which is illegal"),
        ("print('bestmove', flush=True)", "answered 'bestmove', which is illegal"),
        ("sys.exit(1)", "died"),
        ("time.sleep(60)", "was silent for 0.105 s after 'go'"),
    ],
)
def test_an_engine_that_breaks_off_has_lost(on_go: str, why: str) -> None:
    lines = match(shlex.join(RANDOM), engine("Bad", on_go), "--movetime", "5", "--grace", "0.1")
    assert lines == [
        f"1. 1:Random 32 - 0 2:Bad (2:Bad {why}, 1 moves)",
        f"2. 2:Bad 0 - 32 1:Random (2:Bad {why}, 0 moves)",
        "Sum: 1:Random 64 - 0 2:Bad",
    ]


def test_the_referee_holds_the_cards_of_a_game_that_has_some() -> None:
    toy = shlex.join(TOY)
    lines = match(toy, toy, "--referee", toy, "--pairs", "2", "--movetime", "5", "--seed", "7")
    assert len(lines) == 5
    assert all(re.search(r"\(showdown, [456] moves\)$", line) for line in lines[:4])
    assert lines == match(toy, toy, "--referee", toy, "--pairs", "2", "--movetime", "5", "--seed", "7")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("--openings", "/nowhere"), "--openings: "),
        (("--openings", "EMPTY"), "is empty"),
        (("--openings", "BAD"), "referee: 0:Thudstone"),
        (("--referee", "/nowhere/engine"), "referee: /nowhere/engine: No such file"),
    ],
)
def test_what_a_match_can_t_do_without(arguments: tuple[str, str], what: str, tmp_path: Path) -> None:
    (tmp_path / "EMPTY").write_text("\n", "ascii")
    (tmp_path / "BAD").write_text("nonsense\n", "ascii")
    path = arguments[1] if arguments[1].startswith("/") else str(tmp_path / arguments[1])
    done = referee(shlex.join(RANDOM), shlex.join(RANDOM), arguments[0], path)
    assert done.returncode != 0
    assert what in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
