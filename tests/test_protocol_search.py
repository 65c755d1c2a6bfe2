"""Searches: what starts and ends them, and what is said meanwhile."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from protocol_client import PATIENCE, THUD, Client
from thudstone.engine.thud import core

TOTALS = r"info nodes (\d+) nps (\d+) time (\d+)"
REPORT = (
    r"info depth \d+ seldepth \d+ multipv \d+ score cp -?\d+( lowerbound| upperbound)? "
    r"nodes \d+ nps \d+ hashfull \d+ time \d+ pv \S+( \S+)*"
)
WON = "d3d/7/9/11/13/15/15/7R7/15/15/13/11/9/7/3dT"
OVER = f"position fen {WON} d 0 1 moves dJ15-K15xK15"


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    with Client() as client:
        yield client


@pytest.fixture
def client(shared: Client) -> Client:
    shared.send("stop")
    shared.ask("uci", "ucinewgame", "setoption name MultiPV value 1", "setoption name NoCaptureLimit value 200")
    assert shared.ask("position startpos") == []
    return shared


def field(line: str, name: str) -> int:
    words = line.split()
    return int(words[words.index(name) + 1])


def check_report(infos: list[str], best: str, board: core.Board) -> None:
    """The lines of one search belong together."""
    totals = re.fullmatch(TOTALS, infos[-1])
    assert totals, infos[-1]
    reports = [line for line in infos if " pv " in line]
    for line in reports:
        assert re.fullmatch(REPORT, line), line
        pushed = 0
        for token in line.split(" pv ")[1].split():
            board.push(board.parse(token))
            pushed += 1
        for _ in range(pushed):
            board.pop()
    assert all(field(line, "nodes") <= int(totals[1]) for line in reports)
    if reports:
        firsts = [line for line in reports if field(line, "multipv") == 1 and "bound" not in line]
        assert firsts[-1].split(" pv ")[1].split()[0] == best.split()[1]


def test_a_search_by_depth(client: Client) -> None:
    infos, best = client.go("depth 3")
    check_report(infos, best, core.Board())
    assert [field(line, "depth") for line in infos if " pv " in line and "bound" not in line] == [1, 2, 3]


def test_a_search_by_nodes_is_exact_and_can_be_repeated(client: Client) -> None:
    answers = []
    for _ in range(2):
        client.ask("ucinewgame")
        infos, best = client.go("nodes 5000")
        check_report(infos, best, core.Board())
        assert field(infos[-1], "nodes") == 5000
        scores = [re.sub(r" (nps|time) \d+", "", line) for line in infos]
        answers.append((scores, best))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("movetime", [1, 20, 200])
def test_a_search_by_time(client: Client, movetime: int) -> None:
    begun = time.monotonic()
    infos, best = client.go(f"movetime {movetime}")
    assert client.at - begun < movetime / 1000 + 0.5  # bench/ measures how closely it is kept
    assert field(infos[-1], "time") <= movetime + 250
    assert field(infos[-1], "time") + 1 > movetime * 0.7  # whole milliseconds, rounded down
    check_report(infos, best, core.Board())


@pytest.mark.parametrize(
    "clock",
    [
        "wtime 1000 btime 1",
        "p1time 1000 p2time 1",
        "dtime 1000 ttime 1",
        "wtime 500 winc 50 btime 1 binc 0",
        "dtime 300 movestogo 3",
        "p1time 300 p1inc 20 p3time 5 p3inc 5",
        "wtime 1 btime 1000",
        "wtime 0",
        "wtime -100 btime 100",
    ],
)
def test_a_search_by_clock(client: Client, clock: str) -> None:
    begun = time.monotonic()
    _, best = client.go(clock)
    assert client.at - begun < 1
    assert client.query(f"islegal {best.split()[1]}") == "true"


def test_each_side_has_its_clock(client: Client) -> None:
    client.ask("position startpos moves dO11-O9")
    begun = time.monotonic()
    client.go("dtime 600000 ttime 100")
    assert client.at - begun < 1, "a fortieth of the other's clock is 15 s"


@pytest.mark.parametrize("limit", ["depth 0", "nodes 0", "movetime 0"])
def test_a_search_of_nothing_answers_at_once(client: Client, limit: str) -> None:
    infos, best = client.go(limit)
    assert client.query(f"islegal {best.split()[1]}") == "true"
    assert re.fullmatch(TOTALS, infos[-1])
    if limit == "nodes 0":
        assert field(infos[-1], "nodes") == 0


def test_of_several_limits_the_first_reached_counts(client: Client) -> None:
    infos, _ = client.go("depth 50 nodes 300 movetime 60000")
    assert field(infos[-1], "nodes") == 300
    infos, _ = client.go("depth 1 nodes 1000000000 wtime 600000")
    assert max(field(line, "depth") for line in infos[:-1]) == 1


def test_unknown_words_are_skipped(client: Client) -> None:
    infos, _ = client.go("fast depth 2 please mate")
    assert max(field(line, "depth") for line in infos[:-1]) == 2


def test_searchmoves(client: Client) -> None:
    infos, best = client.go("searchmoves dA6-B7 a6-b7 dO11-O9 depth 2")
    firsts = {line.split(" pv ")[1].split()[0] for line in infos[:-1]}
    assert {best.split()[1]} <= firsts <= {"dA6-B7", "dO11-O9"}
    assert client.go("depth 2 searchmoves dO11-O9")[1].split()[1] == "dO11-O9"


def refused(client: Client, line: str) -> str:
    client.send(line)
    (said,) = client.ask()
    assert said.startswith("info string error: ")
    assert client.silent(0.05), "a refused go has no bestmove"
    return said.removeprefix("info string error: ")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("depth", "depth: a number expected"),
        ("depth x", "depth: 'x' is no number from 0 to "),
        ("depth -1", "depth: '-1' is no number from 0 to "),
        ("depth 1.5", "depth: '1.5' is no number"),
        ("depth 99999999999", "depth: '99999999999' is no number"),
        ("nodes 99999999999999999999", "nodes: '99999999999999999999' is no number"),
        ("movetime -5", "movetime: '-5' is no number"),
        ("movetime depth 3", "movetime: 'depth' is no number"),
        ("depth 3 nodes", "nodes: a number expected"),
        ("wtime soon", "wtime: 'soon' is no number"),
        ("p2inc", "p2inc: a number expected"),
        ("winc -1", "winc: '-1' is no number"),
        ("ttime 1 dinc x", "dinc: 'x' is no number"),
        ("movestogo few", "movestogo: 'few' is no number"),
        ("perft", "perft: a number expected"),
        ("perft -1", "perft: '-1' is no number"),
        ("perft 100", "perft: '100' is no number from 0 to 99"),
        ("searchmoves", "searchmoves: a move expected"),
        ("searchmoves depth 3", "searchmoves: a move expected"),
        ("searchmoves dO8-O5 depth 3", "searchmoves: dO8-O5: no dwarf on O8"),
        ("depth 3 searchmoves dO11-O9 dO8-O5", "searchmoves: dO8-O5: no dwarf on O8"),
    ],
)
def test_a_bad_go_is_refused(client: Client, words: str, what: str) -> None:
    assert refused(client, f"go {words}").startswith(f"go {what}")


@pytest.mark.parametrize("words", ["infinite", "", "btime 1000", "winc 5", "infinite depth 1", "searchmoves dA6-B7"])
def test_an_infinite_search_answers_only_when_stopped(client: Client, words: str) -> None:
    client.send(f"go {words}")
    time.sleep(0.2)
    lines = client.ask()
    assert not [line for line in lines if line.startswith("bestmove")]
    client.send("stop", "isready")
    lines = client.until("readyok")
    assert [line.split()[0] for line in lines if line.startswith("bestmove")] == ["bestmove"]
    assert re.fullmatch(TOTALS, lines[-3])


def test_stop_is_harmless_when_idle_or_twice(client: Client) -> None:
    assert client.ask("stop", "stop", "ponderhit") == []
    client.send("go infinite", "stop", "stop", "isready")
    assert sum(line.startswith("bestmove") for line in client.until("readyok")) == 1
    infos, _ = client.go("nodes 2000")
    assert field(infos[-1], "nodes") == 2000, "the second stop was not kept for it"


def test_an_early_stop_is_not_lost_and_never_ends_the_next_search(client: Client) -> None:
    for _ in range(100):
        client.send("go infinite", "stop", "go nodes 100", "isready")
        client.until("bestmove .*")
        lines = client.until("bestmove .*")
        assert "info string error: searching" not in lines
        totals = [line for line in lines if re.fullmatch(TOTALS, line)]
        assert field(totals[-1], "nodes") == 100
        if "readyok" not in lines:
            client.until("readyok")


def test_stop_position_and_go_may_come_in_one_write(client: Client) -> None:
    client.send("go infinite")
    client.send("stop", "position startpos moves dO11-O9", "go depth 1")
    client.until("bestmove d.*")
    lines = client.until("bestmove T.*")
    assert not [line for line in lines if "error" in line]


def test_the_engine_is_idle_once_its_answer_is_out(client: Client) -> None:
    for number in range(200):
        client.send("go nodes 1")
        client.until("bestmove .*")
        client.send(f"position startpos{' moves dO11-O9' if number % 2 else ''}")
    assert client.ask() == []


@pytest.mark.parametrize(
    "command",
    [
        "position startpos moves dO11-O9",
        "position nonsense",
        "moves dO11-O9",
        "setoption name Hash value 1",
        "go depth 1",
        "go perft 1",
        "ucinewgame",
        "uginewgame",
        "bench",
    ],
)
@pytest.mark.parametrize("running", ["go infinite", "go perft 9", "bench"])
def test_what_is_refused_during_a_search(client: Client, command: str, running: str) -> None:
    client.send(running)
    lines = client.ask(command)
    assert [line for line in lines if "error" in line] == ["info string error: searching"]
    client.ask("stop")
    assert client.query("fen") == core.START


def test_isready_is_answered_during_a_search(client: Client) -> None:
    client.send("go infinite")
    for _ in range(20):
        begun = time.monotonic()
        client.ask()
        assert client.at - begun < 0.5  # bench/ measures it
    client.send("stop")
    client.until("bestmove .*")


def test_pondering_waits_for_the_hit(client: Client) -> None:
    client.send("go ponder movetime 100")
    assert not [line for line in [*client.ask(), *client.ask()] if line.startswith("bestmove")]
    time.sleep(0.3)
    assert not [line for line in client.ask() if line.startswith("bestmove")]
    begun = time.monotonic()
    client.send("ponderhit")
    client.until("bestmove .*")
    assert 0.05 < client.at - begun < 1


def test_pondering_that_is_done_answers_at_the_hit(client: Client) -> None:
    client.send("go ponder depth 1")
    time.sleep(0.1)
    assert not [line for line in client.ask() if line.startswith("bestmove")]
    client.send("ponderhit")
    client.until("bestmove .*")


@pytest.mark.parametrize("end", ["stop", "ponderhit"])
def test_pondering_without_a_limit(client: Client, end: str) -> None:
    client.send("go ponder")
    time.sleep(0.1)
    assert not [line for line in client.ask() if line.startswith("bestmove")]
    client.send(end)
    client.until("bestmove .*", 1)


def test_an_infinite_search_doesn_t_end_at_a_hit(client: Client) -> None:
    client.send("go infinite ponder", "ponderhit")
    time.sleep(0.1)
    assert not [line for line in client.ask() if line.startswith("bestmove")]
    client.send("stop")
    client.until("bestmove .*")


def test_an_ended_battle_has_no_move(client: Client) -> None:
    assert client.ask(OVER) == []
    for limit in ("depth 5", "movetime 1000", "nodes 1", "wtime 1000"):
        assert client.go(limit) == (["info nodes 0 nps 0 time 0"], "bestmove (none)")
    reason = "go searchmoves: TK15-K14: the battle is over: no-pieces"
    assert refused(client, "go searchmoves TK15-K14") == reason
    for words, end in (("infinite", "stop"), ("ponder", "ponderhit"), ("ponder depth 3", "stop"), ("", "stop")):
        client.send(f"go {words}")
        assert client.silent(0.1)
        client.send(end)
        assert client.until("bestmove .*") == ["info nodes 0 nps 0 time 0", "bestmove (none)"]


def test_an_end_by_the_limit_has_no_move(client: Client) -> None:
    assert client.ask("setoption name NoCaptureLimit value 1", "position startpos moves dO11-O9") == []
    assert client.go("depth 2")[1] == "bestmove (none)"
    assert refused(client, "go searchmoves TG7-F6") == "go searchmoves: TG7-F6: the game is over: limit"


def test_after_ugi_an_answer_is_two_words(client: Client) -> None:
    client.ask("uci")
    assert len(client.go("depth 4")[1].split()) in (2, 4)
    client.ask("ugi")
    for limit in ("depth 4", "nodes 1000"):
        assert len(client.go(limit)[1].split()) == 2
    client.send("go infinite", "uci", "ugi", "stop")
    assert len(client.until("bestmove .*")[-1].split()) == 2
    client.ask("uci")


def test_the_expected_reply_is_legal(client: Client) -> None:
    words = client.go("depth 4")[1].split()
    if len(words) == 4:
        assert words[2] == "ponder"
        assert client.ask(f"position startpos moves {words[1]} {words[3]}") == []


def test_multipv(client: Client) -> None:
    client.ask("setoption name MultiPV value 4")
    infos, best = client.go("depth 3")
    lines = [line for line in infos if " pv " in line and field(line, "depth") == 3 and "bound" not in line][-4:]
    assert [field(line, "multipv") for line in lines] == [1, 2, 3, 4]
    scores = [field(line, "cp") for line in lines]
    assert scores == sorted(scores, reverse=True)
    firsts = [line.split(" pv ")[1].split()[0] for line in lines]
    assert len(set(firsts)) == 4
    assert firsts[0] == best.split()[1]


def test_multipv_shows_no_more_lines_than_there_are_moves(client: Client) -> None:
    client.ask("setoption name MultiPV value 5", "position fen 5/7/9/11/13/15/15/7R7/15/15/13/11/9/d6/T4 T 0 1")
    infos, _ = client.go("depth 1")
    legal = client.query("legal").split()
    assert sum(" pv " in line and "bound" not in line for line in infos) == min(5, len(legal))


def test_perft(client: Client) -> None:
    client.send("go perft 2")
    *counts, last = client.until("Nodes searched: .*")
    assert last == "Nodes searched: 22624"
    assert len(counts) == 656
    assert [line.split(": ")[0] for line in counts] == client.query("legal").split()
    assert sum(int(line.split(": ")[1]) for line in counts) == 22624
    assert client.silent(0.05), "perft has no bestmove"


@pytest.mark.parametrize(("depth", "nodes"), [(0, 1), (1, 656), (3, 14142624)])
def test_perft_sums(client: Client, depth: int, nodes: int) -> None:
    client.send(f"go perft {depth}")
    assert client.until("Nodes searched: .*")[-1] == f"Nodes searched: {nodes}"


def test_perft_can_be_stopped(client: Client) -> None:
    client.send("go perft 9")
    time.sleep(0.05)
    begun = time.monotonic()
    client.send("stop")
    *counts, last = client.until("Nodes searched: .*", 2)
    assert client.at - begun < 0.5
    assert last == f"Nodes searched: {sum(int(line.split(': ')[1]) for line in counts)}"
    assert client.ask() == []


def test_perft_leaves_offers_and_the_limit_out(client: Client) -> None:
    client.ask("setoption name NoCaptureLimit value 1", "position startpos moves dO11-O9=")
    client.send("go perft 1")
    *counts, last = client.until("Nodes searched: .*")
    assert last == f"Nodes searched: {len(counts)}"
    assert not [line for line in counts if "=" in line]
    assert len(counts) == 32
    client.ask("position startpos moves dO11-O9= =")
    client.send("go perft 1")
    assert client.until("Nodes searched: .*") == ["Nodes searched: 0"]


def test_ucinewgame_keeps_options_and_position(client: Client) -> None:
    client.ask("setoption name NoCaptureLimit value 2", "position startpos moves dO11-O9")
    for command in ("ucinewgame", "uginewgame"):
        assert client.ask(command) == []
        assert client.query("turn") == "2"
        assert client.ask("position startpos moves dO11-O9 TG7-F6") == []
        assert client.query("end") == "limit"
        assert client.ask("position startpos moves dO11-O9") == []


def test_bench_ends_with_an_empty_line_and_can_be_stopped(client: Client) -> None:
    client.send("bench")
    time.sleep(0.05)
    client.send("stop")
    client.until("", 2)
    assert client.ask() == []


def run(data: bytes) -> tuple[list[str], int]:
    """One process with all of its input at once."""
    done = subprocess.run(THUD, input=data, capture_output=True, timeout=PATIENCE, check=False)
    assert done.stderr == b""
    return done.stdout.decode("ascii").splitlines(), done.returncode


def test_the_end_of_the_input_lets_a_bounded_search_finish() -> None:
    lines, status = run(b"uci\nisready\nposition startpos\ngo nodes 20000\n")
    assert status == 0
    assert "uciok" in lines and "readyok" in lines
    assert field(lines[-2], "nodes") == 20000
    assert lines[-1].startswith("bestmove d")
    lines, status = run(b"go perft 3")
    assert (lines[-1], status) == ("Nodes searched: 14142624", 0)


@pytest.mark.parametrize("words", ["infinite", "ponder", "ponder depth 3", "", "btime 100"])
def test_the_end_of_the_input_stops_an_endless_search(words: str) -> None:
    lines, status = run(f"go {words}\n".encode())
    assert status == 0
    assert sum(line.startswith("bestmove d") for line in lines) == 1
    assert lines[-1].startswith("bestmove d")


@pytest.mark.parametrize("data", [b"", b"\n", b"quit\n", b"quit", b"quit\nisready\n", b"uci\nquit\n"])
def test_quitting(data: bytes) -> None:
    lines, status = run(data)
    assert status == 0
    assert "readyok" not in lines


@pytest.mark.parametrize("running", ["go infinite", "go depth 50", "go ponder", "go perft 9", "bench"])
def test_quit_ends_what_runs(running: str) -> None:
    with Client() as client:
        client.ask()
        client.send(running)
        time.sleep(0.1)
        client.send("quit")
        lines, status = client.rest(2)
        assert status == 0
        answers = sum(line.startswith("bestmove") for line in lines)
        assert answers == (running in ("go infinite", "go depth 50", "go ponder"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("running", ["isready", "go infinite"])
def test_an_interrupt_ends_it_quietly(running: str) -> None:
    with Client() as client:
        client.ask()
        client.send(running)
        time.sleep(0.1)
        client.process.send_signal(signal.SIGINT)
        _, status = client.rest(2)
        assert status == 0
        assert client.errors == ""


@pytest.mark.parametrize("running", ["isready", "go infinite"])
def test_a_controller_that_is_gone_ends_it_quietly(running: str) -> None:
    with subprocess.Popen(THUD, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write(f"{running}\nisready\nisready\n".encode())
        process.stdin.flush()
        assert process.wait(PATIENCE) in (0, 1)
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="a shell")
@pytest.mark.parametrize("redirection", [">&-", "<&-", ">/dev/full"])
def test_closed_streams(redirection: str) -> None:
    command = f"echo isready | exec {' '.join(THUD)} {redirection}"
    done = subprocess.run(command, shell=True, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode in (0, 1)
    assert done.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="a shell")
def test_pipes_that_don_t_block() -> None:
    """Some parents hand over pipes that they made non-blocking."""
    program = (
        "import os, subprocess, sys\n"
        "read, write = os.pipe()\n"
        "os.set_blocking(read, False)\n"
        "process = subprocess.Popen(sys.argv[1:], stdin=read, stdout=subprocess.PIPE)\n"
        "os.write(write, b'isready\\n')\n"
        "assert process.stdout.readline() == b'readyok\\n'\n"
        "os.write(write, b'quit\\n')\n"
        "sys.exit(process.wait(5))\n"
    )
    done = subprocess.run((sys.executable, "-c", program, *THUD), capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
