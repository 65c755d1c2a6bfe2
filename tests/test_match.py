"""Matches between engine processes: what is played, what is written down, and what becomes of engines that fail."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import struct
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from matches import MATCH, PLAIN, THUDSTONE, battles, by_key, engine, header, match, refusal, refused, two
from thudstone import START, Position, Record
from thudstone.engine import processors
from thudstone.engine.thud.state import Thud

if sys.platform != "win32":
    import fcntl
    import pty
    import termios

EXAMPLE = shlex.join([sys.executable, str(Path(__file__).parent.parent / "examples" / "engine.py"), "1"])
FAST = ("--plies", "2", "--max-plies", "12")
TROLL_END = "d4/T6/9/11/13/15/15/7R7/15/15/13/11/9/7/5 T 0 9"  # the trolls take the last dwarf with their first move
CALM = "d4/7/9/11/13/15/15/7R7/15/15/13/11/9/7/4T d 0 1"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="matches need POSIX")


def test_two_engines_and_a_number_of_pairs_make_a_command() -> None:
    lines = match(*engine(THUDSTONE, nodes=20), *engine(EXAMPLE), "--pairs", "1")
    assert re.fullmatch(r"\[2/2\] pair 1, battle [12]: .*  0:00:00 left", lines[1])
    assert lines[2].split()[:5] == ["engine", "pairs", "won", "drawn", "lost"]
    assert re.match(r"Thudstone \S+ +1 +1 +0 +0 ", lines[3])
    assert re.match(r"Random +1 +0 +0 +1 ", lines[4])
    assert re.fullmatch(r"Battles: 2 of 2\. Ends: [a-z0-9 ,-]+\.", lines[5])
    assert len(lines) == 6


def test_a_battle_on_record(tmp_path: Path) -> None:
    out, records = tmp_path / "out.jsonl", tmp_path / "out.thud"
    match(*two(), "--pairs", "3", *FAST, "--out", str(out), "--records", str(records))
    assert out.read_text().endswith("}\n")
    settings = header(out)["settings"]
    assert [found["name"] for found in settings["engines"]] == ["a", "b"]
    assert settings["engines"][0] == {
        "name": "a", "cmd": PLAIN, "protocol": "uci", "options": {}, "limits": "movetime=100", "id": "Plain"
    }
    assert settings["rules"] == {"TrollCapture": "any", "NoCaptureLimit": 200}
    played = battles(out)
    keys = sorted((battle["pair"], battle["battle"]) for battle in played)
    assert keys == [(pair, battle) for pair in (1, 2, 3) for battle in (1, 2)]
    for battle in played:
        sides = ["a", "b"] if battle["battle"] == 1 else ["b", "a"]
        assert [battle["dwarfs"], battle["trolls"]] == battle["seats"] == sides
        assert (battle["end"], battle["plies"], battle["game"]) == ("max-plies", 12, "thud")
        assert "forfeit" not in battle
        record = battle["record"]
        assert (record["start"], record["opening"], len(record["moves"])) == (START, 2, 12)
        game = Thud.start(2, {})
        for token in record["moves"][:2]:
            game.apply(token)
        for token in record["moves"][2:]:
            assert token == game.legal()[0], "what the engines play"
            game.apply(token)
        assert battle["points"] == list(game.score())
        lead = battle["points"][0] - battle["points"][1]
        assert battle["shares"] == [0.5 + (lead > 0) / 2 - (lead < 0) / 2, 0.5 + (lead < 0) / 2 - (lead > 0) / 2]
        times = battle["times"]
        assert len(times["thinking"]) == len(times["longest"]) == 2
        assert sum(times["thinking"]) <= times["battle"] + 1
    kept = Record.read(records)
    assert len(kept.battles) == len(played)
    for battle, record in zip(played, kept.battles, strict=True):
        assert [move.text for move in record.moves] == battle["record"]["moves"]
        assert record.end == "max-plies"
        comments = [text for _, text in record.comments]
        assert f'[Round "{battle["pair"]}.{battle["battle"]}"]' in comments
        assert f'[Dwarfs "{battle["dwarfs"]}"]' in comments and f'[Trolls "{battle["trolls"]}"]' in comments
        assert f'[Result "{battle["points"][0]}-{battle["points"][1]}"]' in comments


@pytest.mark.skipif(processors.available() < 2, reason="needs two cores")
def test_both_battles_of_a_pair_have_its_opening_which_depends_on_seed_and_pair_alone(tmp_path: Path) -> None:
    def openings(name: str, *arguments: str) -> dict[tuple[int, int], list[str]]:
        out = tmp_path / name
        match(*two(), "--max-plies", "7", "--plies", "6", "--out", str(out), *arguments)
        return {key: battle["record"]["moves"][:6] for key, battle in by_key(out).items()}

    first = openings("1", "--pairs", "3")
    assert all(first[pair, 1] == first[pair, 2] for pair in (1, 2, 3))
    assert len({tuple(moves) for moves in first.values()}) == 3
    second = openings("2", "--pairs", "2", "--concurrency", "2")
    assert second == {key: moves for key, moves in first.items() if key[0] <= 2}
    assert openings("3", "--pairs", "2", "--seed", "1") != second


def test_openings_of_a_file_are_used_in_turn(tmp_path: Path) -> None:
    book, out = tmp_path / "book.txt", tmp_path / "out.jsonl"
    book.write_text(
        f"# a comment\n\n{TROLL_END}\nposition startpos moves dO11-O9 TG7-F7 # another\r\no11-o9\n"
        f"fen {CALM} moves dF1-F2\nstartpos\nstartpos dA6-B7\n"
    )
    match(*two(), "--pairs", "7", "--max-plies", "4", "--openings", str(book), "--out", str(out))
    played = by_key(out)
    starts = [(played[pair, 1]["record"]["start"], played[pair, 1]["record"]["opening"]) for pair in range(1, 8)]
    assert starts == [
        (TROLL_END, 0), (START, 2), (START, 1), (CALM, 1), (START, 0), (START, 1), (TROLL_END, 0)
    ]
    assert played[2, 2]["record"]["moves"][:2] == ["dO11-O9", "TG7-F7"]
    assert played[3, 1]["record"]["moves"][:1] == ["dO11-O9"]
    assert played[4, 1]["record"]["moves"][:1] == ["dF1-F2"]
    assert played[1, 1]["record"]["moves"][0].startswith("TE2-"), "the trolls are to move there"
    assert header(out)["settings"]["openings"]["file"] == "book.txt"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 3: ply 1, nonsense: not a move"),
        (START.replace("/d5d/", "/d5x/", 1), "line 3: row 2: unknown letter 'x'"),
        ("dO11-O9 dO9-O8", "line 3: ply 2, dO9-O8: "),
        ("position fen", "line 3: "),
        (f"{CALM} moves dF1-F1", "line 3: ply 1, dF1-F1"),
        (CALM.replace(" 0 1", " 200 1"), "line 3: the game is over there: limit"),
        ("d\u00e9", "line 3: not ASCII text"),
    ],
)
def test_a_bad_line_of_openings_is_named(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "book.txt"
    book.write_text(f"# openings\nstartpos\n{line}\nstartpos\n", encoding="utf-8")
    assert refused(capsys, *two(), "--pairs", "1", "--openings", str(book)).startswith(f"{book}: {message}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "end", "reason", "line"),
    [
        ("hang", "timeout", "did not answer in time: 0.510 s", "info string thinking of nothing"),
        ("late", "timeout", "did not answer in time: 0.510 s", ""),
        ("garbage", "timeout", "did not answer in time: 0.510 s", "\x00\x01 what? \x7f"),
        ("crash", "crash", "ended with status 3", "boom: out of luck"),
        ("killed", "crash", "was killed by signal 9", ""),
        ("close", "crash", "closed its output", ""),
        ("illegal", "illegal-move", "ply {ply}, dA1-A2: A1 is not a square of the board", "bestmove dA1-A2"),
        ("none", "illegal-move", "ply {ply}, no move, where there is a legal one", "bestmove (none)"),
        ("bare", "illegal-move", "ply {ply}, no move, where there is a legal one", "bestmove"),
        ("binary", "illegal-move", "ply {ply}, \\\\ufffd", "bestmove \ufffd\ufffd"),
        ("flood", "flood", "printed ", "info string and on and on"),
        ("line", "flood", "printed a line of more than 1048576 bytes", "and on and on and on"),
        ("errors", "flood", "printed ", "and on"),
        ("refuse", "refused", "refused the position or the search", "info string error: go: not today"),
    ],
)
def test_an_engine_that_fails_loses_that_battle_and_the_match_goes_on(
    fault: str, end: str, reason: str, line: str, tmp_path: Path
) -> None:
    out, records = tmp_path / "out.jsonl", tmp_path / "out.thud"
    bad = shlex.join([*shlex.split(PLAIN), "--fault", fault, "--plies", "4"])
    lines = match(
        *engine(name="good"), *engine(bad, name="bad"), "--pairs", "1", *FAST, "--movetime", "10", "--grace", "500",
        "--out", str(out), "--records", str(records),
    )  # fmt: skip
    for battle in battles(out):
        seat = battle["seats"].index("bad")
        ply = 4 + (seat == 1)
        assert (battle["end"], battle["plies"]) == (end, ply)
        assert battle["points"] == ([0, 32] if seat == 0 else [32, 0])
        assert battle["shares"] == ([0.0, 1.0] if seat == 0 else [1.0, 0.0])
        forfeit = battle["forfeit"]
        assert (forfeit["engine"], forfeit["seat"]) == ("bad", seat + 1)
        assert forfeit["reason"].startswith(reason.format(ply=ply + 1))
        assert forfeit["line"].startswith(line) and bool(forfeit["line"]) == bool(line)
    assert any(found == f"bad forfeited 2 by {end}" for found in lines)
    assert "-64.00" in next(found for found in lines if found.startswith("bad  "))
    assert [battle.end for battle in Record.read(records).battles] == [end, end]


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["mute", "stranger", "babble", "dead"])
def test_an_engine_that_cannot_be_greeted(fault: str) -> None:
    wrong = {
        "mute": "did not say uciok within 2 s",
        "stranger": "did not say uciok within 2 s: it said 'Welcome to my chess program!'",
        "babble": "printed ",
        "dead": "ended with status 3: it said 'boom: out of luck'",
    }
    bad = shlex.join([*shlex.split(PLAIN), "--fault", fault])
    message = refusal(*engine(name="good"), *engine(bad, name="bad"), "--pairs", "1", "--patience", "2")
    assert message.startswith(f"engine bad: {wrong[fault]}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--pairs", "1"], "--engine is needed twice at least, and is given not at all"),
        ([*engine(), "--pairs", "1"], "--engine is needed twice at least, and is given once"),
        (two(), "--pairs (or --sprt) is missing"),
        ([*engine("no-such"), *engine(), "--pairs", "1"], "engine no-such: cannot start no-such: No such file or dir"),
        ([*two(), "--pairs", "0"], "Invalid value for '--pairs': 0 is not in the range"),
        ([*engine(name="x"), *engine(name="x"), "--pairs", "1"], "two engines are called x"),
        (["--engine", "name=x", *engine(), "--pairs", "1"], "--engine 1: cmd=COMMAND is missing"),
        (["--engine", "cmd=x nam=y", *engine(), "--pairs", "1"], "--engine 1: 'nam' is none of cmd, name,"),
        ([*engine(), "--engine", "thudstone", "--pairs", "1"], "--engine 2: 'thudstone' is not KEY=VALUE"),
        ([*engine(), "--engine", "cmd='x", "--pairs", "1"], "--engine 2: the engine: no closing quotation"),
        ([*engine(), "--engine", "cmd=x cmd=y", "--pairs", "1"], "--engine 2: 'cmd' is given twice"),
        ([*engine(), *engine(movetime=0), "--pairs", "1"], "--engine 2: movetime: '0' is no number from 1"),
        ([*engine(), *engine(tc="fast"), "--pairs", "1"], "--engine 2: tc: 'fast' is no clock"),
        ([*engine(), *engine(tc="1", movetime=5), "--pairs", "1"], "--engine 2: movetime and tc exclude each other"),
        ([*two(), "--pairs", "1", "--tc", "0"], "--tc: '0' is no clock"),
        ([*two(), "--pairs", "1", "--nodes", "many"], "--nodes: 'many' is no number"),
        ([*engine(), *engine(option_Hash=1, name="x"), "--pairs", "1"], "engine x: it has no option Hash"),
        ([*two(), "--pairs", "1", "--troll-capture", "all"], "engine a: it has no option TrollCapture, which this"),
        ([*two(), "--pairs", "1", "--no-capture-limit", "0"], "without a limit (NoCaptureLimit 0) a battle may"),
        ([*two(), "--pairs", "1", "--rule", "Weather=fine"], "thud has no option Weather"),
        ([*two(), "--pairs", "1", "--rule", "NoCaptureLimit=x"], "NoCaptureLimit: 'x' is not a number from 0 to 9999"),
        ([*two(), "--pairs", "1", "--rule", "Weather"], "--rule Weather: NAME=VALUE expected."),
        ([*two(), "--pairs", "1", "--game", "chess"], "--game: no game is called 'chess'"),
        ([*two(), "--pairs", "1", "--game", "os:path"], "--game: no game os:path: not a subclass"),
        ([*two(), "--pairs", "1", "--seats", "3"], "--seats 3: thud has 2 to 2"),
        ([*two(), "--pairs", "1", "--concurrency", "4096"], "--concurrency 4096: there are "),
        ([*two(), "--pairs", "1", "--resume"], "--resume needs --out"),
        ([*two(), "--pairs", "1", "--openings", "/no/such"], "/no/such: No such file or directory"),
        ([*two(), "--pairs", "1", "--openings", "/dev/null"], "/dev/null: no opening in it"),
        ([*two(), "--pairs", "1", "--openings", "x", "--plies", "2"], "--openings and --plies exclude each other"),
        ([*two(), "--pairs", "1", "--out", "/no/such/file"], "cannot write /no/such/file: No such file or directory"),
        ([*two(), "--pairs", "1", "--records", "/no/such/file"], "cannot write /no/such/file: No such file"),
        ([*two(), "--sprt", "5", "0", "0.05", "0.05"], "--sprt: elo0 must be below elo1"),
        ([*two(), *engine(), "--sprt", "0", "5", "0.05", "0.05"], "--sprt is a test of two engines"),
        ([*two(), "--pairs", "1", "--adjudicate", "5", "1"], "--adjudicate needs at least 2 plies"),
    ],
)  # fmt: skip
def test_what_makes_no_match(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, *arguments).startswith(message)


def test_an_engine_that_refuses_an_option() -> None:
    stubborn = shlex.join([*shlex.split(PLAIN), "--fault", "stubborn", "--rules"])
    message = refusal(*engine(stubborn, name="x"), *engine(), "--pairs", "1")
    assert message == "engine x: it refused 'setoption name TrollCapture value any': setoption TrollCapture: no"
    message = refusal(*engine(THUDSTONE, name="x", option_Hash="0"), *engine(), "--pairs", "1")
    assert message.startswith("engine x: it refused 'setoption name Hash value 0': setoption Hash: '0' is not a number")


def test_rules_are_set_and_applied(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    match(
        *engine(PLAIN + " --rules", name="plain"), *engine(THUDSTONE, name="ours", depth=1), "--pairs", "2",
        "--troll-capture", "all", "--no-capture-limit", "6", "--plies", "2", "--out", str(out),
    )  # fmt: skip
    for battle in battles(out):
        position = Position(rule="all")
        captures = [len(position.push(move).captured) for move in battle["record"]["moves"]]
        if battle["end"] == "limit":
            assert captures[-6:] == [0] * 6
        else:
            assert battle["end"] in ("no-pieces", "no-move")
        assert all(0 in captures[at : at + 6] or any(captures[at : at + 6]) for at in range(len(captures)))
    assert header(out)["settings"]["rules"] == {"TrollCapture": "all", "NoCaptureLimit": 6}


def test_battles_end_by_agreement(tmp_path: Path) -> None:
    out, records = tmp_path / "out.jsonl", tmp_path / "out.thud"
    offering = PLAIN + " --fault offer"
    files = ("--out", str(out), "--records", str(records))
    match(*engine(offering), *engine(offering), "--pairs", "1", "--offers", *files)
    for battle in battles(out):
        assert (battle["end"], battle["plies"], battle["points"]) == ("agreed", 10, [32, 32])
        assert battle["record"]["moves"][-1] == "=" and battle["record"]["moves"][-2].endswith("=")
    assert [(battle.end, len(battle.moves)) for battle in Record.read(records).battles] == [("agreed", 9)] * 2


@pytest.mark.parametrize(("first", "second", "points"), [(-1230, -1570, [20, 32]), (3390, 810, [32, 24]), (0, 0, None)])
def test_battles_are_adjudicated_when_both_engines_say_so(
    first: int, second: int, points: list[int] | None, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    engines = two()
    if points is not None:
        engines = [word for cp in (first, second) for word in engine(f"{PLAIN} --scores={cp}", name=f"at {cp}")]
    match(*engines, "--pairs", "1", *FAST, "--adjudicate", "8", "4", "--out", str(out))
    for battle in battles(out):
        if points is None:
            assert (battle["end"], battle["plies"]) == ("max-plies", 12)
        else:
            assert (battle["end"], battle["plies"], battle["points"]) == ("adjudicated", 6, points)
            assert battle["shares"] == [float(points[0] > points[1]), float(points[1] > points[0])]


def test_engines_that_disagree_are_not_adjudicated(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    engines = [word for cp in (2000, -2000) for word in engine(f"{PLAIN} --scores={cp}", name=f"at {cp}")]
    match(*engines, "--pairs", "1", *FAST, "--adjudicate", "8", "2", "--out", str(out))
    assert {battle["end"] for battle in battles(out)} == {"max-plies"}


def test_limits_of_the_match_and_of_an_engine(tmp_path: Path) -> None:
    log = tmp_path / "log"
    watcher = (
        "import sys\n"
        "from thudstone.engine.thud.state import Thud\n"
        "for line in sys.stdin:\n"
        "    print(sys.argv[1], line.strip(), file=open(sys.argv[2], 'a'), flush=True)\n"
        "    if line.startswith('ug'): print('ugiok', flush=True)\n"
        "    elif line.startswith('uci\\n'): print('uciok', flush=True)\n"
        "    elif line == 'isready\\n': print('readyok', flush=True)\n"
        "    elif line[:8] == 'position':\n"
        "        state = Thud.start(2, {})\n"
        "        for token in line.split()[3:]: state.apply(token)\n"
        "    elif line[:2] == 'go': print('bestmove', state.legal()[0], flush=True)\n"
    )

    def command(name: str) -> str:
        return shlex.join([sys.executable, "-c", watcher, name, str(log)])

    match(
        *engine(command("own"), name="own", nodes=5, depth=3), *engine(command("clock"), name="clock", tc="60+0.5"),
        *engine(command("common"), name="common", protocol="ugi"), "--movetime", "77", "--pairs", "1", "--plies", "1",
        "--max-plies", "3",
    )  # fmt: skip
    lines = log.read_text().splitlines()
    assert {line for line in lines if line.startswith("own go")} == {"own go depth 3 nodes 5"}
    assert {line for line in lines if line.startswith("common go")} == {"common go movetime 77"}
    clocks = {line for line in lines if line.startswith("clock go")}
    assert clocks and all(re.fullmatch(r"clock go (wtime|btime) (60000) (winc|binc) 500", line) for line in clocks)
    assert any(line == "common ugi" for line in lines) and any(line == "common uginewgame" for line in lines)
    for before, after in pairwise([line for line in lines if " isready" not in line]):
        if " go" in after:
            assert " position startpos moves " in before and before.split()[0] == after.split()[0]


def test_a_clock_runs_out(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    slow = f"{PLAIN} --fault late"
    clock = ("--tc", "0.4", "--grace", "300")
    match(*engine(slow, name="slow"), *engine(name="quick"), *clock, "--pairs", "1", "--out", str(out))
    for battle in battles(out):
        assert (battle["end"], battle["forfeit"]["engine"]) == ("timeout", "slow")
        assert battle["forfeit"]["reason"] == "did not answer in time: 0.700 s"


@pytest.mark.slow
def test_a_search_without_a_limit_of_time_is_waited_for_so_long(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    hanging = f"{PLAIN} --fault hang"
    match(*engine(hanging, name="x"), *engine(), "--depth", "1", "--patience", "1.5", "--pairs", "1", "--out", str(out))
    assert {battle["forfeit"]["reason"] for battle in battles(out)} == {"did not answer in time: 1.500 s"}


@pytest.mark.parametrize(("schedule", "meetings"), [("round-robin", {"ab", "ac", "bc"}), ("gauntlet", {"ab", "ac"})])
def test_more_engines(schedule: str, meetings: set[str], tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    engines = [word for name in "abc" for word in engine(name=name)]
    lines = match(*engines, "--schedule", schedule, "--pairs", "2", *FAST, "--out", str(out))
    played = by_key(out)
    assert len(played) == 4 * len(meetings)
    met = {pair: "".join(sorted(played[pair, 1]["seats"])) for pair, _ in played}
    assert sorted(met.values()) == sorted(2 * list(meetings))
    for pair in met:
        assert played[pair, 1]["seats"] == played[pair, 2]["seats"][::-1]
    count = len(meetings)
    opened = {pair: tuple(played[pair, 1]["record"]["moves"][:2]) for pair in met}
    assert len({opened[pair] for pair in range(1, count + 1)}) == 1, "all meet from one opening before the next"
    assert opened[1] != opened[count + 1]
    assert {line.split()[0] for line in lines[-4:-1]} == {"a", "b", "c"}


def test_sprt_stops_by_itself(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    bad = f"{PLAIN} --fault illegal"
    test = ("--sprt", "0", "400", "0.05", "0.05")
    arguments = (*engine(name="good"), *engine(bad, name="bad"), *test, "--out", str(out))
    lines = match(*arguments)
    assert re.fullmatch(r"SPRT: H1 accepted: .*, LLR \+\S+ \(-2.94 to \+2.94\)", lines[-1])
    count = len(battles(out))
    assert 4 <= count < 100
    assert lines[-4].split()[0] == "good" or lines[-5].split()[0] == "good"
    again = match(*arguments, "--resume")
    assert again[-1] == lines[-1] and len(battles(out)) == count


def test_in_a_terminal_the_standings_are_drawn_in_their_place() -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
    bad = f"{PLAIN} --fault illegal"
    command = [*MATCH, *engine(name="good"), *engine(bad, name="bad"), "--sprt", "0", "400", "0.05", "0.05"]
    process = subprocess.Popen(
        [*command, "--pairs", "2"], stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal's output
        while chunk := os.read(ours, 65536):
            shown += chunk
    os.close(ours)
    assert process.wait() == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "4/4 0:00:00 left LLR +" in text and "\u2501" * 10 in text, "the bar"
    assert b"\x1b[1A" in shown, "drawn over"
    assert re.search(r"pair 1, battle 1: good 32 - 0 bad \(illegal-move, \d+ plies\): bad ply \d+, dA1-A2", text)
    *_, table = text.split("engine  ")
    assert table.index("good") < table.index("bad")
    assert table.splitlines()[-1].startswith("SPRT: not decided, LLR +")


def test_engines_with_one_name_are_told_apart(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    match(*engine(), *engine(), *engine(name="Plain #2"), "--pairs", "1", *FAST, "--out", str(out))
    assert [found["name"] for found in header(out)["settings"]["engines"]] == ["Plain", "Plain #3", "Plain #2"]
