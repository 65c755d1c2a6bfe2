"""`analyse` and `Search`: the engine in this process, from one thread of Python or several."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import thudstone
from thudstone import DWARFS, TROLLS, Limit, Position, Score, Search

HURL = "dD10,dD11,dE10,dE11,TG10,RH8"


def test_the_best_moves_best_first() -> None:
    position = Position()
    infos = thudstone.analyse(position, Limit(depth=2), multipv=3)
    scores = [info.score.points for info in infos if info.score is not None]
    assert len(infos) == len(scores) == 3 and scores == sorted(scores, reverse=True)
    assert {info.depth for info in infos} == {2}
    for info in infos:
        line = position.copy()
        for move in info.pv:
            line.push(move)
    assert position == Position()


def test_scores_know_their_side() -> None:
    (info,) = thudstone.analyse(Position.from_pieces(HURL), Limit(depth=1))
    assert info.score is not None and info.pv == ("dE10-G10xG10",)
    assert info.score.points == info.score.dwarfs == 4.0 == -info.score.trolls
    (info,) = thudstone.analyse(Position.from_pieces(HURL, TROLLS), Limit(depth=1))
    assert info.score is not None and info.score.trolls == info.score.points == info.score.pov(TROLLS)
    with pytest.raises(ValueError, match="not known which side"):
        Score(100).pov(DWARFS)
    with pytest.raises(ValueError, match="side 2 is neither"):
        Score(100, DWARFS).pov(2)


def test_limits() -> None:
    seen: list[thudstone.Info] = []
    thudstone.analyse(Position(), Limit(nodes=3000), report=seen.append)
    assert seen[-1].nodes == 3000 and not seen[-1].pv
    assert thudstone.analyse(Position.from_pieces("dF1,RH8"), Limit(depth=3)) == []
    with pytest.raises(ValueError, match="has no bound"):
        thudstone.analyse(Position(), Limit())
    with pytest.raises(ValueError, match="MultiPV is 0, should be from 1 to 256"):
        thudstone.analyse(Position(), Limit(depth=1), multipv=0)


def test_a_stream_that_is_cancelled() -> None:
    position = Position()
    with Search(position, Limit()) as search:
        depths = []
        for info in search:
            depths.append(info.depth)
            if info.depth == 2:
                position.push("dO11-O9")  # a copy is searched
                search.cancel()
        assert depths[0] == 1 and depths[-1] is None  # the totals
        assert search.result()[0].pv and search.move is not None and Position().is_legal(search.move)
        search.cancel()
    with Search(Position(), Limit()) as search:
        pass  # leaving ends it
    assert search.move is not None


def test_threads_search_at_once() -> None:
    alone = [info.pv for info in thudstone.analyse(Position(), Limit(nodes=4000), 2)]
    found: list[list[tuple[str, ...]]] = []

    def work() -> None:
        found.append([info.pv for info in thudstone.analyse(Position(), Limit(nodes=4000), 2)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is POSIX's")
def test_ctrl_c_ends_a_search() -> None:
    program = (
        "import signal, sys, threading, time, thudstone\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try:\n"
        "    thudstone.analyse(thudstone.Position(), thudstone.Limit(time=600),\n"
        "        report=lambda info: print(info.depth, flush=True))\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', threading.active_count(), flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        times = []
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        for line in process.stdout:
            if line.startswith("stopped"):
                times.append(time.monotonic() - sent)
                assert line == "stopped 1\n"
        assert process.wait(10) == 0
    assert times and times[0] < 5  # a busy machine; bench/threads_library.py measures it
