"""`thudstone check`: sound engines pass, and each fault fails the steps it must fail, and no others."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from broken_engine import FAULTS
from protocol_client import TOY
from thudstone.protocol.check import report
from thudstone.protocol.check.run import STEPS, Check
from thudstone.protocol.check.step import Outcome, Verdict

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
OURS = shlex.join((sys.executable, "-m", "thudstone"))
EXAMPLE = shlex.join((sys.executable, str(HERE.parent / "examples" / "engine.py"), "1"))
NAMES = [step.name for step in STEPS]
SLOW_FAULTS = {"ignores-stop", "no-end-of-input"}  # each of their steps waits for an answer that doesn't come
# Steps beside the ones that must fail; all of them take longer than a quick run allows.
OTHERS = {"uci", "isready", "position-moves", "legal", "busy", "query-state"}


def broken(fault: str) -> tuple[str, ...]:
    return (sys.executable, str(HERE / "broken_engine.py"), "--fault", fault)


def check(command: str, *options: str, timeout: float = 240) -> subprocess.CompletedProcess[str]:
    arguments = (sys.executable, "-m", "thudstone", "check", command, *options)
    return subprocess.run(arguments, capture_output=True, text=True, timeout=timeout, check=False)


def outcomes(argv: tuple[str, ...], names: set[str] | None = None) -> list[Outcome]:
    return list(Check(argv, [step for step in STEPS if names is None or step.name in names]).run())


def failed(found: list[Outcome]) -> dict[str, str]:
    return {outcome.step.name: outcome.reason for outcome in found if outcome.verdict is Verdict.FAILED}


def test_our_engine_passes_every_step() -> None:
    done = check(OURS)
    *lines, last = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["passed", name] for name in NAMES], done.stdout
    assert re.fullmatch(rf"Thudstone \S+: {len(NAMES)} steps, {len(NAMES)} passed, 0 failed, 0 not offered", last)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_example_engine_has_no_failure() -> None:
    done = check(EXAMPLE, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr, found["failed"]) == (0, "", 0), done.stdout
    assert (found["engine"], found["command"]) == ("Random", EXAMPLE)
    assert [step["name"] for step in found["steps"]] == NAMES
    reasons = {step["name"]: step["reason"] for step in found["steps"] if step["outcome"] == "not offered"}
    assert (found["passed"], found["not_offered"]) == (len(NAMES) - len(reasons), len(reasons))
    assert {name: reasons[name] for name in ("multipv", "query-state", "perft", "eval", "bench")} == {
        "multipv": "option MultiPV",
        "query-state": "query",
        "perft": "perft",
        "eval": "eval",
        "bench": "bench",
    }
    assert not {"uci", "ugi", "illegal-move", "infinite", "busy", "bad-go", "over"} & reasons.keys()


@pytest.mark.parametrize("fault", sorted(FAULTS.keys() - SLOW_FAULTS))
def test_a_fault_fails_its_steps(fault: str) -> None:
    assert failed(outcomes(broken(fault), FAULTS[fault] | OTHERS)).keys() == FAULTS[fault]


@pytest.mark.slow
@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_fault_fails_no_other_step(fault: str) -> None:
    assert failed(outcomes(broken(fault))).keys() == FAULTS[fault]


def test_every_step_can_fail() -> None:
    """What no fault above fails, an engine does that dies at a `go`, or says nonsense."""
    covered = set().union(*FAULTS.values())
    rest = {name for name in NAMES if name not in covered}
    dying = failed(outcomes(broken("dies-at-go"), rest))
    assert dying["over"].startswith("no bestmove: the process ended with status 3")
    nonsense = failed(outcomes((sys.executable, "-c", NONSENSE), rest - dying.keys()))
    assert rest == dying.keys() | nonsense.keys()


# Answers every command that it doesn't search for with an error, a text, and then, late, a line that ends it.
NONSENSE = """
import sys, time
print("option name Clear Hash type button", flush=True)
for line in sys.stdin.buffer:
    word = (line.split() or [b""])[0].decode("latin-1")
    if word in ("position", "moves", "setoption", "query", "eval", "d", "help", "bench", "", "xyzzy", "="):
        print("info string error: no\\nno\\n\\nno", flush=True)
    if word == "isready" or word.startswith("isready"):
        time.sleep(0.02)
        print("readyok", flush=True)
    elif word == "uci":
        print("id name N\\nid author N\\nuciok", flush=True)
    elif word == "go":
        print("bestmove (none)", flush=True)
"""


def test_the_steps_are_documented() -> None:
    text = (HERE.parent / "docs" / "check.md").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("| `")] == [
        f"| `{step.name}` | {step.rule} |" for step in STEPS
    ]


def test_a_failure_shows_the_exchange() -> None:
    (outcome,) = outcomes(broken("two-bestmoves"), {"one-bestmove"})
    assert outcome.reason.startswith("'bestmove ") and outcome.reason.endswith("' more than one for 'go depth 1'")
    assert outcome.exchange[0] == "> uci" and "> go depth 1" in outcome.exchange
    assert [line[:11] for line in outcome.exchange[-2:]] == ["< bestmove "] * 2
    head, reason, *exchange = report.lines(outcome)
    assert head.startswith("FAILED  one-bestmove ") and reason.strip() == outcome.reason
    assert exchange[0].strip() == "..." and [line.strip() for line in exchange[1:]] == list(outcome.exchange[-12:])


def test_a_failing_engine_gives_status_1() -> None:
    done = check("true")
    assert (done.returncode, done.stderr) == (1, "")
    assert (
        done.stdout.splitlines()[-1] == f"the engine: {len(NAMES)} steps, 0 passed, {len(NAMES)} failed, 0 not offered"
    )
    assert "no readyok: the process ended with status 0" in done.stdout


@pytest.mark.slow
def test_output_that_is_not_flushed_is_told() -> None:
    first, *_ = outcomes(broken("no-flush"), {"uci"})
    assert first.reason == "no readyok within 10 s; it came once the input had ended: each line has to be flushed"


@pytest.mark.slow
def test_another_game() -> None:
    """The toy's player looks at no clock, which is a fault."""
    found = outcomes(TOY)
    assert failed(found).keys() == {"clocks"}
    missing = {outcome.step.name for outcome in found if outcome.verdict is Verdict.NOT_OFFERED}
    assert missing == {
        *("multipv", "threads", "troll-capture", "no-capture-limit", "offers"),
        *("spelling", "runner-forms", "moves", "long-list"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hangs", "hangs-at-go"])
def test_a_hanging_engine_can_t_hold_up_the_check(fault: str) -> None:
    begun = time.monotonic()
    found = failed(outcomes(broken(fault)))
    assert time.monotonic() - begun < 240
    assert {"legal", "pv", "stop", "ponder"} <= found.keys()
    if fault == "hangs-at-go":
        assert "isready" not in found and found["quit"] == "not tried: the engine hung 10 times in a row"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "CMD is empty. (see thudstone check -h)"),
        ("   ", "CMD is empty. (see thudstone check -h)"),
        ('engine "x', 'engine "x: no closing quotation'),
        ("no-such-engine --fast", "cannot start no-such-engine --fast: No such file or directory"),
        (str(HERE), f"cannot start {HERE}: Permission denied"),
    ],
)
def test_what_can_t_be_started(command: str, message: str) -> None:
    done = check(command)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"thudstone: error: {message}\n")


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_no_engine_is_left_behind(ending: signal.Signals, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    program = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(3600)"
    command = shlex.join((sys.executable, "-c", program))
    arguments = (sys.executable, "-m", "thudstone", "check", command)
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: pid_file.exists() and pid_file.read_text() != "")
    time.sleep(0.1)
    process.send_signal(ending)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == (130 if ending == signal.SIGINT else -signal.SIGKILL) and errors == b""
    wait_for(lambda: not alive(int(pid_file.read_text())))


def wait_for(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not is_zombie(pid)


def is_zombie(pid: int) -> bool:
    """One that nobody has waited for yet, because its parent was killed."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
