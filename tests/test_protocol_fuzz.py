"""The fuzzer's quick share, and all of it."""

from __future__ import annotations

import pytest
from fuzz_protocol import fuzz


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nonsense(seed: int) -> None:
    fuzzer = fuzz(1000, seed)
    assert fuzzer.searches > 30
    assert fuzzer.refused > 300


@pytest.mark.slow
def test_a_lot_of_nonsense() -> None:
    fuzzer = fuzz(100_000, 4)
    assert fuzzer.searches > 3000
    assert fuzzer.refused > 30_000
