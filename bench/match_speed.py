#!/usr/bin/env python3
"""Measures what a match costs besides the engines' thinking: `python bench/match_speed.py`, on an idle machine.

1. Two engines at 10 ms a ply: which part of the wall time they think (of as many seconds as battles are played at
   once). Wanted: 85 %.
2. Trivial engines, which answer ply k of a record by counting tokens: plies a second in all. Wanted: 4,000 on two
   cores.
3. 10,000 battles of those: resident memory of the match and its workers after 1,000 battles and at the end. Wanted: the
   same.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from thudstone import Record
from thudstone.engine import processors

HERE = Path(__file__).parent
THUDSTONE = shlex.join([sys.executable, "-m", "thudstone"])
MATCH = [sys.executable, "-m", "thudstone", "match"]
BATTLE = HERE.parent / "examples" / "battle.thud"


def engines(*commands: str) -> list[str]:
    return [word for command in commands for word in ("--engine", f"cmd={shlex.quote(command)}")]


def trivial(record: Path) -> str:
    return shlex.join([sys.executable, str(HERE / "trivial_engine.py"), str(record)])


def thinking() -> float:
    """The part of the wall time that two engines think at 10 ms a ply, by what they were asked to."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.jsonl")
        began = time.perf_counter()
        arguments = ["--pairs", "10", "--movetime", "10", "--no-capture-limit", "100", "--out", str(out)]
        subprocess.run(MATCH + engines(THUDSTONE, THUDSTONE) + arguments, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - began
        battles = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    thought = sum(sum(battle["times"]["thinking"]) for battle in battles) / 1000
    plies = sum(battle["plies"] - battle["record"]["opening"] for battle in battles)
    print(f"   {plies} plies in {seconds:.1f} s, {1000 * thought / plies:.2f} ms from question to answer each")
    return thought / seconds / min(processors.available(), len(battles))


def plies_a_second() -> float:
    """Of trivial engines, the whole command counted."""
    pairs = 100
    began = time.perf_counter()
    arguments = ["--pairs", str(pairs), "--plies", "0", "--max-plies", "150"]
    subprocess.run(
        MATCH + engines(trivial(BATTLE), trivial(BATTLE)) + arguments, check=True, stdout=subprocess.DEVNULL
    )
    seconds = time.perf_counter() - began
    return 2 * pairs * len(Record.read(BATTLE).battles[0].moves) / seconds


def memory() -> tuple[float, float]:
    """MiB of the match with its workers after 1,000 and after 10,000 battles of a few plies."""
    arguments = ["--pairs", "5050", "--plies", "0", "--max-plies", "10", "--out", os.devnull]
    process = subprocess.Popen(
        MATCH + engines(trivial(BATTLE), trivial(BATTLE)) + arguments, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    sizes = []
    for line in process.stdout:
        if line.startswith(("[1000/", "[10000/")):
            match = psutil.Process(process.pid)
            family = [match, *match.children(recursive=True)]
            ours = [one for one in family if not {"trivial_engine.py", "sh"} & {Path(w).name for w in one.cmdline()}]
            sizes.append(sum(one.memory_info().rss for one in ours) / 2**20)
    assert process.wait() == 0
    first, last = sizes
    return first, last


if __name__ == "__main__":
    print(f"1. engines thinking: {100 * thinking():.1f} % of the wall time (wanted: >= 85)")
    print(f"2. trivial engines: {plies_a_second():.0f} plies/s on {processors.available()} cores (wanted: >= 4000)")
    first, last = memory()
    print(f"3. memory: {first:.1f} MiB after 1,000 battles, {last:.1f} MiB after 10,000 (wanted: the same)")
