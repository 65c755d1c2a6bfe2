#!/usr/bin/env python3
"""Measures the database of games: `python bench/database.py`, on an idle machine.

10,000 records of 60 to 140 random plies are written to a folder (not timed), imported by `thudstone db add` (wanted:
60 s at most), and the moves from the start and from later positions are asked for (wanted: 50 ms at most).
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from thudstone import Position, Record
from thudstone.database import Database
from thudstone.engine.thud import core

GAMES = 10_000
THUDSTONE = [sys.executable, "-m", "thudstone"]


def write_game(path: Path, rng: Random) -> int:
    """Write a record of random plies and return how many."""
    board = core.Board(core.START, "any")
    lines = [Position().piece_list, f"# dwarfs: player {rng.randrange(50)}", f"# trolls: player {rng.randrange(50)}"]
    plies = rng.randrange(60, 141)
    for _ in range(plies):
        moves = board.legal_moves()
        if not moves or board.end() != "none":
            break
        move = rng.choice(moves)
        lines.append(core.move_text(move, board.side))
        board.push(move)
    path.write_text("\n".join(lines) + "\n")
    return len(lines) - 3


def main() -> None:
    rng = Random(5)
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder, "games")
        games.mkdir()
        plies = sum(write_game(games / f"{number:05}.thud", rng) for number in range(GAMES))
        base = Path(folder, "games.db")
        for name in ("import", "import again, nothing changed"):
            began = time.perf_counter()
            subprocess.run([*THUDSTONE, "db", "add", str(base), str(games)], check=True)
            print(f"{name}: {time.perf_counter() - began:.1f} s for {GAMES} records, {plies} plies (wanted: < 60)")
        print(f"size: {base.stat().st_size / 2**20:.0f} MiB")
        battle = Record.read(games / "00000.thud").battles[0]
        with Database(base) as opened:
            for ply in (0, 1, 2, 10):
                position = battle.position(ply)
                times = []
                for _ in range(20):
                    began = time.perf_counter()
                    found = opened.moves(position)
                    times.append(1000 * (time.perf_counter() - began))
                print(
                    f"explore after ply {ply}: {len(found)} moves, first {times[0]:.1f} ms, "
                    f"median {statistics.median(times):.1f} ms (wanted: < 50)"
                )
        began = time.perf_counter()
        subprocess.run([*THUDSTONE, "db", "explore", str(base)], check=True, stdout=subprocess.DEVNULL)
        print(f"the whole command: {1000 * (time.perf_counter() - began):.0f} ms")


if __name__ == "__main__":
    main()
