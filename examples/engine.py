#!/usr/bin/env python3
"""A Thud engine that moves at random, and speaks as much of the protocol as a match needs.

    python examples/engine.py [SEED]

The rules are thudstone's; an engine of your own would bring them itself. What it leaves out is safe to leave out: it
has no options, it answers no queries, and `go` is answered at once, but for `go infinite` and `go ponder`, which wait.
`thudstone check "python examples/engine.py"` finds no fault in it.
"""

import itertools
import random
import re
import sys

from thudstone.engine.thud.state import Thud

# Words of `go`: those that a whole number follows, and clocks, which may show less than nothing.
LIMIT = "depth|nodes|movetime|movestogo|([wbdt]|p[0-9]+)inc"
CLOCK = "([wbdt]|p[0-9]+)time"
KEYWORD = f"{LIMIT}|{CLOCK}|infinite|ponder"


def played(state: Thud, tokens: list[str]) -> Thud:
    """The state after more moves. ValueError names an illegal one."""
    after = state.copy()
    for ply, token in enumerate((token for token in tokens if token != "moves"), start=1):  # runners write it twice
        try:
            after.apply(token)
        except ValueError as error:
            raise ValueError(f"ply {ply}, {error}") from None
    return after


def position(words: list[str]) -> Thud:
    """The state of `(startpos | fen TEXT) [players N] [seat S] [moves TOKEN…]`."""
    moves = words.index("moves") if "moves" in words else len(words)
    end = next((at for at, word in enumerate(words) if word in ("players", "seat")), moves)
    named = words[:1] == ["startpos"] or words[:2] == ["fen", "startpos"]
    start = Thud.start(2, {}) if named else Thud.from_text(" ".join(words[1:end]), {})
    return played(start, words[moves + 1 :])


def choices(state: Thud, words: list[str]) -> list[str]:
    """The moves that `go` may choose from. ValueError for a limit that is no number, and for illegal `searchmoves`."""
    for word, value in itertools.zip_longest(words, words[1:], fillvalue=""):
        number = value.removeprefix("-") if re.fullmatch(CLOCK, word) else value
        if re.fullmatch(f"{LIMIT}|{CLOCK}", word) and not number.isdecimal():
            raise ValueError(f"{word}: {value!r} is no such number")
    legal = [token for token in state.legal() if token != "="]  # it never agrees to end a battle
    if "searchmoves" not in words:
        return legal
    following = words[words.index("searchmoves") + 1 :]
    chosen = list(itertools.takewhile(lambda word: not re.fullmatch(KEYWORD, word), following))
    for token in chosen:
        if token not in legal:
            raise ValueError(f"searchmoves: {token} is illegal")
    return chosen


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
            case ["position" | "moves" | "setoption" | "go" | "ucinewgame" | "uginewgame", *_] if pending:
                print("info string error: searching", flush=True)
            case ["position" | "moves" as command, *words]:
                try:
                    state = position(words) if command == "position" else played(state, words)
                except ValueError as error:  # the position stays as it was
                    print(f"info string error: {command}: {error}", flush=True)
            case ["go", *words]:
                try:
                    moves = choices(state, words)
                except ValueError as error:
                    print(f"info string error: go: {error}", flush=True)
                    continue
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
