#!/usr/bin/env python3
"""Measures what `thudstone analyse` costs besides thinking: `python bench/analysis.py`, on an idle machine.

The shipped game of 150 plies at 100 ms a ply, with every file written. Wanted: 10 % over the thinking time at most.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from thudstone import Record

GAME = Path(__file__).parent.parent / "examples" / "battle.thud"
MS = 100


def main() -> None:
    positions = sum(len(battle.moves) + 1 for battle in Record.read(GAME).battles)
    with tempfile.TemporaryDirectory() as folder:
        files = {"--html": "a.html", "--plot": "a.svg", "--annotate": "a.thud", "--cache": "a.db"}
        command = [sys.executable, "-m", "thudstone", "analyse", str(GAME), "--movetime", str(MS)]
        command += [word for option, name in files.items() for word in (option, str(Path(folder, name)))]
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - began
    thinking = positions * MS / 1000
    over = 100 * (seconds / thinking - 1)
    print(f"{positions} positions: {seconds:.2f} s for {thinking:.1f} s of thinking, {over:.1f} % over (wanted: < 10)")


if __name__ == "__main__":
    main()
