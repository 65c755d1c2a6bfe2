#!/usr/bin/env python3
"""An engine that costs nothing: it answers ply k of a record, by counting the tokens of the position it is sent.

    python bench/trivial_engine.py examples/battle.thud
"""

import sys

from thudstone import Record


def main(path: str) -> None:
    moves = [b"bestmove %b\n" % move.text.encode() for move in Record.read(path).battles[0].moves]
    source, answers = sys.stdin.buffer, sys.stdout.buffer
    plies = 0
    for line in source:
        if line.startswith(b"position"):
            plies = max(line.count(b" ") - 2, 0)  # after `position startpos moves`
            continue
        if line.startswith(b"go"):
            answers.write(moves[plies])
        elif line.startswith(b"uci\n"):
            answers.write(b"id name Trivial\nuciok\n")
        elif line.startswith(b"isready"):
            answers.write(b"readyok\n")
        elif line.startswith(b"quit"):
            return
        answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
