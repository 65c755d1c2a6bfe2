"""The search's speed, one thread."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine_process import EngineProcess
from pytest_benchmark.fixture import BenchmarkFixture
from thudstone.engine.game import Stop
from thudstone.engine.thud.player import ThudPlayer

Figure = Callable[[str, float, str, str], None]


def test_nodes_a_second_in_the_fixed_positions(benchmark: BenchmarkFixture, figure: Figure) -> None:
    speeds = []

    def run() -> None:
        *_, speed, _count = ThudPlayer().bench(Stop())
        speeds.append(int(speed.removeprefix("NPS: ")))

    benchmark.pedantic(run, rounds=5)
    figure("search in `thudstone bench`, best of 5", max(speeds) / 1e6, "M nodes/s", ">= 1.0")


def test_depth_six_from_the_start(benchmark: BenchmarkFixture, figure: Figure) -> None:
    def fresh() -> tuple[tuple[EngineProcess], dict[str, object]]:
        engine = EngineProcess()
        engine.send("isready\n")
        engine.until("readyok")
        return (engine,), {}

    def run(engine: EngineProcess) -> None:
        began = time.perf_counter()
        engine.send("position startpos\ngo depth 6\n")
        engine.until("bestmove")
        times.append(time.perf_counter() - began)
        engine.close()

    times: list[float] = []
    benchmark.pedantic(run, setup=fresh, rounds=5)
    figure("depth 6 from the start, best of 5", min(times), "s", "< 5")
