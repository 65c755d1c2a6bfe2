#!/usr/bin/env python3
"""A Thud engine that moves at random, and speaks as much of the protocol as a match needs.

    python examples/engine.py [SEED]

The rules are thudstone's; an engine of your own would bring them itself. What it leaves out is safe to leave out: it
has no options, it answers no queries, and `go` is answered at once, but for `go infinite` and `go ponder`, which wait.
"""

import random
import sys

from thudstone.engine.thud.state import Thud


def played(state: Thud, tokens: list[str]) -> Thud:
    """The state after more moves. ValueError names an illegal one."""
    after = state.copy()
    for token in tokens:
        after.apply(token)
    return after


def position(words: list[str]) -> Thud:
    """The state of `(startpos | fen TEXT) [players N] [seat S] [moves TOKEN…]`."""
    moves = words.index("moves") if "moves" in words else len(words)
    end = next((at for at, word in enumerate(words) if word in ("players", "seat")), moves)
    start = Thud.start(2, {}) if words[:1] == ["startpos"] else Thud.from_text(" ".join(words[1:end]), {})
    return played(start, words[moves + 1 :])


def main() -> None:
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    dice = random.Random(*sys.argv[1:2])
    state = Thud.start(2, {})
    pending = ""  # the answer of a search that waits to be stopped
    for line in sys.stdin:
        match line.split():
            case ["uci" | "ugi" as hello]:
                print(f"id name Random\nid author the Thudstone authors\n{hello}ok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position" | "moves" as command, *words]:
                try:
                    state = position(words) if command == "position" else played(state, words)
                except ValueError as error:  # the position stays as it was
                    print(f"info string error: {command}: {error}", flush=True)
            case ["go", *words]:
                moves = [token for token in state.legal() if token != "="]  # it never agrees to end a battle
                pending = f"info nodes 0 nps 0 time 0\nbestmove {dice.choice(moves) if moves else '(none)'}"
                if words and "infinite" not in words and "ponder" not in words:
                    print(pending, flush=True)
                    pending = ""
            case ["stop" | "ponderhit"] if pending:
                print(pending, flush=True)
                pending = ""
            case ["quit"]:
                break
    if pending:
        print(pending, flush=True)


if __name__ == "__main__":
    main()
