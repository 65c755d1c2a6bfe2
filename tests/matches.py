"""Matches for tests: commands of engines, runs of `thudstone match`, and what they leave behind."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from thudstone.protocol.cli import main

THUDSTONE = shlex.join([sys.executable, "-m", "thudstone"])
PLAIN = shlex.join([sys.executable, str(Path(__file__).with_name("match_engine.py"))])
MATCH = [sys.executable, "-m", "thudstone", "match"]
PATIENCE = 60.0  # seconds


def engine(cmd: str = PLAIN, **words: str | int) -> list[str]:
    """An `--engine` with its specification; options of the engine by `option_NAME`."""
    given = {"cmd": cmd, **words}
    text = " ".join(f"{key.replace('option_', 'option.')}={shlex.quote(str(value))}" for key, value in given.items())
    return ["--engine", text]


def two() -> list[str]:
    """Two engines that play the first legal move."""
    return [*engine(name="a"), *engine(name="b")]


def run(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """A match that plays one battle after another, where nothing else is asked for: it has fewer processes to start."""
    alone = [] if {"--concurrency", "--cluster"} & set(arguments) else ["--concurrency", "1"]
    command = [*MATCH, *arguments, *alone]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, **settings)


def match(*arguments: str, **settings: Any) -> list[str]:
    """The output of a match that is complete."""
    done = run(*arguments, **settings)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def refusal(*arguments: str, **settings: Any) -> str:
    """The one line on stderr of a match that fails."""
    done = run(*arguments, **settings)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("thudstone: error: ")
    return line.removeprefix("thudstone: error: ")


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The same of a match that is run in this process, because it is refused before anything is started."""
    assert main(["match", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("thudstone: error: ")
    return line.removeprefix("thudstone: error: ")


def header(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text().splitlines()[0])
    return found


def battles(path: Path) -> list[dict[str, Any]]:
    """The battles of a results file, which holds each once."""
    found = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    keys = [(battle["pair"], battle["battle"]) for battle in found]
    assert len(set(keys)) == len(keys)
    return found


def by_key(path: Path) -> dict[tuple[int, int], dict[str, Any]]:
    """The battles without their times, which no two runs share."""
    found = {(battle["pair"], battle["battle"]): battle for battle in battles(path)}
    for battle in found.values():
        del battle["times"]
    return found


def wait_until(happened: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < limit, what
        time.sleep(0.02)


def alive(mark: str) -> list[psutil.Process]:
    """The processes whose command line holds a mark."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if process.info["status"] != psutil.STATUS_ZOMBIE and any(mark in word for word in words):
            found.append(process)
    return found


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0
