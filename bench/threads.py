"""Two threads on one table against two processes of one thread each: nodes reached at the same moment.

    python bench/threads.py [--movetime 2000] [--rounds 5]

The two ways take turns, from the same middle-game position with empty tables, and the nodes are compared by their
ratio; the median of the rounds counts. Needs two processors that are idle otherwise. Status 0 when it is at least 0.9.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from engine_process import EngineProcess
from thudstone.record import Record

GAME = Path(__file__).parent.parent / "examples" / "battle.thud"
PLY = 40


def nodes(engines: Sequence[EngineProcess], movetime: int) -> int:
    """What the engines reach together when all are told to search at once."""
    for engine in engines:
        engine.send("setoption name Clear Hash\nisready\n")
        engine.until("readyok")
    for engine in engines:
        engine.send(f"go movetime {movetime}\n")
    reached = 0
    for engine in engines:
        last = ""
        for line in engine.lines_until("bestmove"):
            if " nodes " in line:
                last = line
        words = last.split()
        reached += int(words[words.index("nodes") + 1])
    return reached


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--movetime", type=int, default=2000, help="ms a search (default 2000)")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(argv)
    battle = Record.read(GAME).battles[0]
    position = f"position startpos moves {' '.join(move.text for move in battle.moves[:PLY])}\n"
    ratios = []
    with EngineProcess() as shared, EngineProcess() as one, EngineProcess() as other:
        shared.send("setoption name Threads value 2\n")
        for engine in (shared, one, other):
            engine.send(f"setoption name Hash value 64\n{position}")
        for number in range(1, options.rounds + 1):
            together = nodes([shared], options.movetime)
            apart = nodes([one, other], options.movetime)
            ratios.append(together / apart)
            print(f"{number}: two threads {together}, two processes {apart}, ratio {ratios[-1]:.3f}", flush=True)
    print(f"Median ratio: {median(ratios):.3f}")
    return 0 if median(ratios) >= 0.9 else 1


if __name__ == "__main__":
    raise SystemExit(main())
