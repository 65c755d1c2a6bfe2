"""`thudstone solve`, its suites, and the proofs of ours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from thudstone.suite import Problem, read

ROOT = Path(__file__).parent.parent
SUITE = ROOT / "examples" / "tactics.suite"
HURL = "5/7/9/11/13/15/15/7R7/15/3dd1T8/2dd9/11/9/7/5 d 0 1"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "thudstone", "solve", *arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_the_suite_has_enough_of_each_kind() -> None:
    problems = read(SUITE.read_text())
    assert len(problems) >= 60
    assert len({problem.tfen for problem in problems}) == len(problems)
    assert sum((problem.plies or 0) >= 3 for problem in problems) >= 30
    sides = [problem.tfen.split()[1] for problem in problems]
    assert min(sides.count("d"), sides.count("T")) >= 15


@pytest.mark.slow
def test_nearly_all_are_solved(tmp_path: Path) -> None:
    done = run(str(SUITE), "--nodes", "100000", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows[-1]["of"] == len(rows) - 1 == len(read(SUITE.read_text()))
    assert rows[-1]["solved"] == sum(row["solved"] for row in rows[:-1]) >= 0.95 * rows[-1]["of"]
    assert done.returncode == (rows[-1]["solved"] < rows[-1]["of"])


@pytest.mark.slow
def test_every_problem_is_proved() -> None:
    command = (sys.executable, str(ROOT / "bench" / "make_suite.py"), "--check", str(SUITE))
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_what_is_solved_and_what_is_not(tmp_path: Path) -> None:
    suite = tmp_path / "two"
    suite.write_text(f"# two\n\n{HURL}; bm dE10-G10xG10\n{HURL}; bm dE11-E12; margin 4\n")
    done = run(str(suite), "--depth", "3")
    first, second, last = done.stdout.splitlines()
    assert first.startswith("  1 solved dE10-G10xG10 (")
    assert second.startswith("  2 FAILED dE10-G10xG10, should be dE11-E12 (")
    assert (last, done.returncode, done.stderr) == ("Solved: 1 of 2 (50.0 %)", 1, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no position in it"),
        (f"{HURL}\n", "line 1: no 'bm MOVE' after the position"),
        (f"# x\n{HURL}; bm dA1-A2", "line 2: dA1-A2: "),
        (f"{HURL}; bm dE10-G10xG10; plies many", "line 1: plies should be followed by one number"),
        ("5/7; bm dA6-A7", "line 1: "),
    ],
)
def test_bad_suites_get_one_line(tmp_path: Path, text: str, message: str) -> None:
    suite = tmp_path / "suite"
    suite.write_text(text)
    done = run(str(suite))
    assert done.stderr.startswith(f"thudstone: error: {suite}: {message}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_a_problem_is_read_as_it_is_written() -> None:
    problem = Problem(HURL, ("dE10-G10xG10",), 1, 4)
    assert read(str(problem)) == [problem]
