"""Move generation: leaves a second, one thread."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from thudstone.engine.thud import core

Figure = Callable[[str, float, str, str], None]
LEAVES = {3: 14142624, 4: 589900928}


@pytest.mark.parametrize(
    ("depth", "bulk", "wanted"),
    [(3, True, ">= 1500"), (4, True, ">= 150"), (3, False, ""), (4, False, "")],
)
def test_perft_from_the_start(benchmark: BenchmarkFixture, figure: Figure, depth: int, bulk: bool, wanted: str) -> None:
    leaves = benchmark.pedantic(core.Board().perft, (depth, bulk), rounds=5, warmup_rounds=1)
    assert leaves == LEAVES[depth]
    assert benchmark.stats is not None
    name = f"perft {depth}{'' if bulk else ' without bulk counting'}, best of 5"
    figure(name, leaves / benchmark.stats.stats.min / 1e6, "M nodes/s", wanted)
