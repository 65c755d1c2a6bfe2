"""What the engine process holds in memory beside the table that was asked for."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil
import pytest
from engine_process import EngineProcess
from pytest_benchmark.fixture import BenchmarkFixture

Figure = Callable[[str, float, str, str], None]


@pytest.mark.parametrize(("hash_mb", "threads"), [(1, 1), (64, 1), (256, 1), (64, 4)])
def test_memory(benchmark: BenchmarkFixture, figure: Figure, hash_mb: int, threads: int) -> None:
    most = []

    def search() -> None:
        with EngineProcess() as engine:
            engine.send(f"setoption name Hash value {hash_mb}\nsetoption name Threads value {threads}\n")
            engine.send("position startpos\ngo infinite\n")
            process = psutil.Process(engine.process.pid)
            engine.send("isready\n")
            engine.until("readyok")
            for _ in range(30):
                most.append(process.memory_info().rss)
                time.sleep(0.1)
            engine.send("stop\n")
            engine.until("bestmove")

    benchmark.pedantic(search, rounds=1)
    figure(f"memory beside Hash {hash_mb}, Threads {threads}", max(most) / 2**20 - hash_mb, "MB", "< 60")
