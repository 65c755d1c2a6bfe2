"""The time a search may take."""

from __future__ import annotations

import pytest
from thudstone.engine.clock import Budget, budget
from thudstone.engine.game import Limits

OVERHEAD = 10


def test_without_times_there_is_no_limit() -> None:
    for limits in (Limits(), Limits(infinite=True), Limits(depth=5, nodes=7), Limits(clock=(None, 1000))):
        assert budget(limits, 0, OVERHEAD) == Budget(None, None)


def test_a_clock_of_a_seat_that_has_none() -> None:
    assert budget(Limits(clock=(1000, 1000)), 2, OVERHEAD) == Budget(None, None)


@pytest.mark.parametrize(
    ("movetime", "hard"), [(0, 0), (1, 0.9), (10, 9), (50, 45), (100, 90), (1000, 990), (60000, 59990)]
)
def test_movetime_is_used_but_for_a_margin(movetime: int, hard: float) -> None:
    given = budget(Limits(movetime=movetime), 0, OVERHEAD)
    assert given.soft_ms is None
    assert given.hard_ms == pytest.approx(hard)


def test_the_overhead_is_the_margin() -> None:
    assert budget(Limits(movetime=1000), 0, 0) == Budget(None, 1000)
    assert budget(Limits(movetime=1000), 0, 50) == Budget(None, 950)
    assert budget(Limits(movetime=1000), 0, 5000) == Budget(None, 900)


def test_of_movetime_and_clock_the_shorter_counts() -> None:
    clock = budget(Limits(clock=(60000, 60000)), 0, OVERHEAD)
    both = budget(Limits(clock=(60000, 60000), movetime=100), 0, OVERHEAD)
    assert both == Budget(clock.soft_ms, 90)
    assert budget(Limits(clock=(60000, 60000), movetime=100000), 0, OVERHEAD) == clock


def test_each_seat_has_its_clock() -> None:
    limits = Limits(clock=(60000, 6000), increment=(0, 100))
    first, second = (budget(limits, seat, OVERHEAD) for seat in (0, 1))
    assert first.soft_ms is not None and second.soft_ms is not None
    assert first.soft_ms == pytest.approx((60000 - 40 * OVERHEAD) / 40)
    assert second.soft_ms == pytest.approx((6000 + 39 * 100 - 40 * OVERHEAD) / 40)


def test_the_last_move_before_the_control_may_take_it_all() -> None:
    assert budget(Limits(clock=(5000, 1), movestogo=1), 0, OVERHEAD) == Budget(4990, 4990)


@pytest.mark.parametrize("left", [0, 1, 5, 10])
def test_a_clock_that_is_nearly_out_leaves_no_time(left: int) -> None:
    assert budget(Limits(clock=(left, left), increment=(1000, 1000)), 0, OVERHEAD) == Budget(0, 0)


@pytest.mark.parametrize("left", [11, 12, 20, 100, 300, 1000, 10**6, 2**63 - 1])
@pytest.mark.parametrize("increment", [None, 0, 1, 100, 10**6])
@pytest.mark.parametrize("movestogo", [None, 1, 2, 40, 1000])
@pytest.mark.parametrize("overhead", [0, 10, 5000])
def test_a_budget_always_fits_the_clock(left: int, increment: int | None, movestogo: int | None, overhead: int) -> None:
    limits = Limits(clock=(left,), increment=(increment,), movestogo=movestogo)
    given = budget(limits, 0, overhead)
    assert given.soft_ms is not None and given.hard_ms is not None
    assert 0 <= given.soft_ms <= given.hard_ms <= max(left - overhead, 0)
    if left > overhead:
        assert given.hard_ms > 0


@pytest.mark.parametrize(
    ("time", "increment", "control"), [(60000, 0, 0), (1000, 0, 0), (1000, 20, 0), (2000, 0, 40), (100, 15, 0)]
)
def test_a_whole_battle_fits_its_clock(time: int, increment: int, control: int) -> None:
    """Every move takes all it may, and 2 ms are lost on the way. Without increments no clock lasts for ever."""
    left = float(time)
    moves = 200 if control or increment else 80
    for move in range(moves):
        togo = control - move % control if control else None
        given = budget(Limits(clock=(int(left),), increment=(increment,), movestogo=togo), 0, OVERHEAD)
        assert given.hard_ms is not None
        left -= given.hard_ms + 2
        assert left >= 0, f"move {move}"
        left += increment
        if togo == 1:
            left += time


def test_time_isn_t_hoarded() -> None:
    """Moves that take their share use most of a clock in the moves it is meant for."""
    left = 60000.0
    for _ in range(60):
        soft = budget(Limits(clock=(int(left),)), 0, OVERHEAD).soft_ms
        assert soft is not None
        left -= soft + 2
    assert 5000 < left < 20000
