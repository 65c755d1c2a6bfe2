"""The toy's engine, with Thud as its default game; writes down what it is told: `toy_spy.py LOG [dead]`."""

from __future__ import annotations

import sys

from toy import load


def main() -> None:
    game = load("toy")[0]
    with open(sys.argv[1], "a", encoding="ascii") as log:
        for line in sys.stdin:
            print(line.strip(), file=log, flush=True)
            match line.split():
                case ["uci"]:
                    print("option name UCI_Variant type combo default thud var thud var toy")
                    print("option name Rounds type spin default 1 min 1 max 9\nuciok", flush=True)
                case ["isready"]:
                    print("readyok", flush=True)
                case ["position", "startpos", "players", seats, "seat", _, "moves", *moves]:
                    state = game.start(int(seats), {"Rounds": 9})
                    for token in moves:
                        state.apply(token)
                case ["go", *_]:
                    if sys.argv[2:] == ["dead"]:
                        sys.exit(1)
                    print(f"bestmove {state.legal()[-1]}", flush=True)
                case ["quit"]:
                    return


if __name__ == "__main__":
    main()
