"""Collects the figures that the benchmarks measure and prints them together at the end, beside what they should be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from thudstone.engine.thud import core, cpu

FIGURES: list[str] = []


@pytest.fixture
def figure() -> Callable[[str, float, str, str], None]:
    """`figure(name, value, unit, wanted)` notes a figure; `wanted` is how its goal reads, like `>= 150`, or empty."""

    def note(name: str, value: float, unit: str, wanted: str) -> None:
        line = f"{name:48}{value:10.2f} {unit:9}"
        if wanted:
            relation, goal = wanted.split()
            met = value >= float(goal) if relation == ">=" else value < float(goal)
            line += f" wanted {wanted}" + ("" if met else ": MISSED")
        FIGURES.append(line.rstrip())

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    assert core.__file__ is not None
    build = Path(core.__file__).name.split(".")[0]
    flags = "for this machine" if cpu.NEEDS else "portable"
    terminalreporter.section(f"figures (module {build}, built {flags})")
    for line in FIGURES:
        terminalreporter.write_line(line)
