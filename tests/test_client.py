"""The client: with the engine itself, and with engines that misbehave."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from thudstone import (
    Engine,
    EngineDied,
    EngineError,
    EngineOption,
    EngineTimeout,
    Info,
    Limit,
    Move,
    Position,
    Score,
)

THUDSTONE = [sys.executable, "-m", "thudstone"]

# An engine that answers everything rightly; a test replaces some answers.
POLITE = """
import sys, time
answers = {
    "uci": "id name Fake 1.0\\nid author Somebody\\noption name Hash type spin default 16 min 1 max 64\\nuciok",
    "isready": "readyok",
    "go": "info depth 1 score cp 25 nodes 7 time 3 pv dO11-O9\\ninfo nodes 9 nps 3000 time 3\\nbestmove dO11-O9",
    "query": "response true",
    "quit": None,
}
answers.update(CHANGED)
for line in sys.stdin:
    answer = answers.get(line.split()[0], "")
    if answer is None:
        break
    if answer:
        print(answer, flush=True)
"""


def fake(changed: str = "{}") -> list[str]:
    return [sys.executable, "-c", POLITE.replace("CHANGED", changed)]


@pytest.fixture(autouse=True)
def _nothing_is_left_behind() -> Iterator[None]:
    threads = threading.active_count()
    yield
    assert threading.active_count() == threads
    assert psutil.Process().children(recursive=True) == []


def test_a_search_of_the_engine() -> None:
    with Engine.open(THUDSTONE) as engine:
        assert engine.name.startswith("Thudstone ") and engine.author
        assert engine.options["TrollCapture"] == EngineOption(
            "TrollCapture", "combo", "any", choices=("any", "all-or-none", "all", "one")
        )
        assert (engine.options["NoCaptureLimit"].low, engine.options["NoCaptureLimit"].high) == (0, 9999)
        position = Position()
        position.push("dO11-O9")
        engine.position(position)
        assert engine.query("turn") == "2"
        seen: list[Info] = []
        answer = engine.go(Limit(depth=2), seen.append)
        assert answer.move is not None and position.is_legal(answer.move)
        assert answer.lines[0].depth == 2 and answer.lines[0].pv[0] == answer.move
        assert isinstance(answer.lines[0].score, Score)
        assert answer.totals is not None and answer.totals.nodes is not None and answer.totals.nodes > 0
        assert len(seen) >= 3


def test_options_multipv_and_exact_nodes() -> None:
    with Engine.open(THUDSTONE) as engine:
        engine.set_option("multipv", 3)
        engine.set_option("OfferEnd", True)
        engine.set_option("Clear Hash")
        engine.position("1dddd/d5d/9/11/13/15/15/7R7/15/15/6T6/11/9/7/5 T 0 1", ["TH11-H10"])
        answer = engine.go(Limit(depth=1))
        assert len(answer.lines) == 3
        engine.new_game()
        engine.position()
        totals = engine.go(Limit(nodes=1000)).totals
        assert totals is not None and totals.nodes == 1000


def test_what_the_engine_refuses() -> None:
    with Engine.open(THUDSTONE) as engine:
        with pytest.raises(EngineError, match="has no option 'Banana'"):
            engine.set_option("Banana", 1)
        with pytest.raises(EngineError, match="refused 'setoption name Hash value banana': "):
            engine.set_option("Hash", "banana")
        with pytest.raises(EngineError, match=r"refused 'position startpos moves dO8-O5': .*no dwarf on O8"):
            engine.position(moves=["dO8-O5"])
        with pytest.raises(EngineError, match="refused 'query nonsense'"):
            engine.query("nonsense")
        with pytest.raises(EngineError, match="a command is one line"):
            engine.query("fen\nquit")
        # After all that it is as good as new.
        assert engine.go(Limit(depth=1)).move is not None


def test_no_legal_move() -> None:
    with Engine.open(THUDSTONE) as engine:
        engine.position(Position.from_pieces("dF1,RH8"))
        assert engine.go(Limit(depth=3)).move is None


def test_stop_from_another_thread() -> None:
    with Engine.open(THUDSTONE) as engine:
        engine.stop()
        timer = threading.Timer(0.2, engine.stop)
        timer.start()
        started = time.monotonic()
        assert engine.go(Limit()).move is not None
        assert 0.1 < time.monotonic() - started < 5
        timer.join()
        assert engine.go(Limit(time=0.02)).move is not None


def test_moves_of_a_position_go_along() -> None:
    with Engine.open(THUDSTONE) as engine:
        position = Position("1dddd/d5d/9/11/13/15/15/7R7/15/15/6T6/11/9/7/5 T 3 9")
        position.push(Move("TH11-H10"))
        engine.position(position, ["dG1-G6"])
        position.push("dG1-G6")
        assert engine.query("fen") == position.tfen


def test_ugi() -> None:
    with Engine.open(THUDSTONE, protocol="ugi") as engine:
        engine.new_game()
        assert engine.query("p1turn") == "true"
        assert engine.go(Limit(depth=1)).ponder is None


def test_a_polite_engine() -> None:
    with Engine.open(fake()) as engine:
        assert (engine.name, engine.author) == ("Fake 1.0", "Somebody")
        answer = engine.go(Limit(nodes=9))
        assert answer.lines == (Info(depth=1, score=Score(25), nodes=7, time=0.003, pv=("dO11-O9",)),)
        assert answer.totals == Info(nodes=9, nps=3000, time=0.003)
        assert str(answer.lines[0].score) == "+0.25"
        engine.close()
        with pytest.raises(EngineDied, match=r"Fake 1\.0 ended with status 0 before it answered 'isready'"):
            engine.ready()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ('{"go": "bestmove"}', "Fake 1.0 sent a bad line: 'bestmove'"),
        ('{"go": "bestmove a ponder"}', "Fake 1.0 sent a bad line: 'bestmove a ponder'"),
        ('{"go": "info depth x pv a"}', "sent a bad line: 'info depth x pv a': no number after 'depth'"),
        ('{"go": "info score cp"}', "sent a bad line: 'info score cp': no number after 'cp'"),
        ('{"go": "info string error: no thanks"}', "Fake 1.0 refused 'go depth 1': no thanks"),
        ('{"isready": "info string error: odd\\nreadyok"}', "Fake 1.0 refused 'position startpos': odd"),
        ('{"go": "x" * 2000000}', "Fake 1.0 sent a line of more than 1048576 bytes"),
    ],
)
def test_bad_lines(changed: str, message: str) -> None:
    with Engine.open(fake(changed)) as engine, pytest.raises(EngineError) as caught:
        engine.position()
        engine.go(Limit(depth=1))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ('{"uci": None}', "ended with status 0 before it answered 'uci'"),
        ('{"uci": "option type spin\\nuciok"}', "sent a bad line: 'option type spin': an option needs a name"),
        ('{"uci": "option name A type spin min x\\nuciok"}', "sent a bad line: 'option name A type spin min x'"),
    ],
)
def test_bad_handshakes(changed: str, message: str) -> None:
    with pytest.raises(EngineError) as caught:
        Engine.open(fake(changed))
    assert message in str(caught.value)


def test_no_answer_in_time() -> None:
    started = time.monotonic()
    with pytest.raises(EngineTimeout, match="did not answer 'uci' in time"):
        Engine.open(fake('{"uci": ""}'), timeout=0.3)
    with Engine.open(fake('{"go": ""}'), timeout=5) as engine, pytest.raises(EngineTimeout, match="'go movetime 20'"):
        engine.go(Limit(time=0.02), timeout=0.1)
    assert time.monotonic() - started < 5


def test_an_engine_that_crashes_tells_its_last_words() -> None:
    with Engine.open(fake()) as engine, pytest.raises(EngineDied) as caught:
        engine.go(Limit(clock=(1.0, None), increment=(0.1, None)))
        psutil.Process(engine.pid).kill()
        engine.go(Limit(depth=1))
    if os.name == "posix":
        assert "Fake 1.0 was killed by signal 9 before it answered 'go depth 1'" in str(caught.value)
    command = [sys.executable, "-c", "input(); raise SystemExit('out of luck')"]
    with pytest.raises(EngineDied, match="ended with status 1 before it answered 'uci': out of luck"):
        Engine.open(command)


def test_commands_that_can_not_be_started(tmp_path: Path) -> None:
    with pytest.raises(EngineDied, match="cannot start no-such-engine --fast: No such file or directory"):
        Engine.open("no-such-engine --fast")
    with pytest.raises(EngineDied, match="the command is empty"):
        Engine.open("")
    with pytest.raises(EngineDied, match=r"cannot start .*: Permission denied"):
        Engine.open([str(tmp_path)])


def test_an_engine_that_ignores_quit_is_killed() -> None:
    engine = Engine.open(fake('{"quit": ""}'))
    # The fake ends with its input; this one does not.
    stubborn = Engine.open([sys.executable, "-c", POLITE.replace("CHANGED", '{"quit": ""}') + "\ntime.sleep(600)"])
    started = time.monotonic()
    engine.close()
    stubborn.close(patience=0.2)
    stubborn.close()
    assert time.monotonic() - started < 3


def test_an_engine_that_floods_its_output_can_be_closed() -> None:
    flood = 'print("info string x\\n" * 100000, flush=True)'
    program = POLITE.replace("CHANGED", "{}").replace("    if answer:", f"    {flood}\n    if answer:")
    engine = Engine.open([sys.executable, "-c", program])
    assert engine.go(Limit(depth=1)).move == "dO11-O9"
    engine.close()


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX's")
def test_children_of_an_engine_are_ended_with_it() -> None:
    sleeper = "import subprocess; subprocess.Popen(['sleep', '600'])\n"
    engine = Engine.open([sys.executable, "-c", sleeper + POLITE.replace("CHANGED", "{}")])
    (child,) = psutil.Process(engine.pid).children()
    engine.close()
    child.wait(5)


def test_limits() -> None:
    assert Limit().go() == "go infinite"
    assert Limit(time=0.25, depth=4, nodes=1000).go() == "go depth 4 nodes 1000 movetime 250"
    assert Limit(clock=(60.0, 59.5), increment=(0.0, None)).go() == "go wtime 60000 btime 59500 winc 0"
    assert Limit(clock=(1.0, 2.0, None)).go() == "go p1time 1000 p2time 2000"
    assert (Limit(depth=3).longest(), Limit(time=2.0).longest(), Limit(clock=(1.0, 3.0)).longest()) == (None, 2.0, 3.0)
    with pytest.raises(ValueError, match="Limit: time is -1, but can't be negative"):
        Limit(time=-1)


def test_info_of_several_players() -> None:
    line = "depth 3 score win 0.250 0.500 0.250 nodes 10 unknown 5 pv @=r0 !x"
    info = Info.parse(line.split())
    assert info.shares == (0.25, 0.5, 0.25) and info.nodes == 10 and info.pv == ("@=r0", "!x")
    line = "score cp -150 upperbound time 1500 string nodes x"
    info = Info.parse(line.split())
    assert (info.score, info.bound, info.time, info.nodes) == (Score(-150), "upperbound", 1.5, None)
    with pytest.raises(ValueError, match="no shares after 'win'"):
        Info.parse(["score", "win", "x"])


def test_a_driver_that_dies_leaves_no_engine() -> None:
    program = (
        "import os, sys, thudstone\n"
        f"engine = thudstone.Engine.open({THUDSTONE!r})\n"
        "print(engine.pid, flush=True)\n"
        "os._exit(3)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    deadline = time.monotonic() + 5
    while psutil.pid_exists(int(done.stdout)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not psutil.pid_exists(int(done.stdout)) or psutil.Process(int(done.stdout)).status() == psutil.STATUS_ZOMBIE
