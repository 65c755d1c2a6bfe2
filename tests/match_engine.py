"""An engine for matches that plays the first legal move, or one by the counting of tokens, until it misbehaves.

    match_engine.py [--fault FAULT] [--plies N] [--name NAME] [--rules]

FAULT happens at a `go` of ply N (from 0) or later, or at the handshake; `--rules` announces the options of the rules.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

from thudstone.engine.thud.state import Thud

OPTIONS = """\
option name Threads type spin default 1 min 1 max 64
option name TrollCapture type combo default any var any var all-or-none var all var one
option name NoCaptureLimit type spin default 200 min 0 max 9999
option name OfferEnd type check default false"""


def say(text: str) -> None:
    print(text, flush=True)


def for_ever() -> None:
    """Deaf to everything but a kill."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(60)


def flood(text: str, stream: int = 1) -> None:
    data = (text * 1000).encode()
    while True:
        os.write(stream, data)


def close_output() -> None:
    os.close(1)
    for_ever()


def leave_child() -> None:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "left-by-match-engine"])
    for_ever()


def crash() -> None:
    print("boom: out of luck", file=sys.stderr, flush=True)
    os._exit(3)


def late() -> None:
    time.sleep(1.5)
    say("bestmove dO11-O9")


def think_for_ever() -> None:
    say("info string thinking of nothing")
    for_ever()


def binary() -> None:
    os.write(1, b"\xff\xfe\x00bestmove\n\xff bestmove \xfe\nbestmove \xff\xfe\n")


ON_GO: dict[str, Callable[[], None]] = {
    "hang": think_for_ever,
    "child": leave_child,
    "crash": crash,
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "close": close_output,
    "illegal": lambda: say("bestmove dA1-A2"),
    "none": lambda: say("bestmove (none)"),
    "bare": lambda: say("bestmove"),
    "garbage": lambda: say("\x00\x01 what? \x7f"),
    "binary": binary,
    "flood": lambda: flood("info string and on and on\n"),
    "line": lambda: flood("and on "),
    "errors": lambda: flood("and on\n", 2),
    "refuse": lambda: say("info string error: go: not today"),
    "late": late,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", default="")
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--name", default="Plain")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--scores", default="", help="in hundredths of a point from the dwarfs, for every move")
    arguments = parser.parse_args()
    state, options = Thud.start(2, {}), {"TrollCapture": "any"}
    for line in sys.stdin:
        match line.split():
            case ["uci" | "ugi" as hello]:
                if arguments.fault == "mute":
                    for_ever()
                elif arguments.fault == "babble":
                    flood("good morning\n")
                elif arguments.fault == "stranger":
                    say("Welcome to my chess program!")
                    continue
                elif arguments.fault == "dead":
                    crash()
                say(f"id name {arguments.name}\n{OPTIONS if arguments.rules else ''}\n{hello}ok")
            case ["setoption", "name", name, "value", value]:
                if arguments.fault == "stubborn":
                    say(f"info string error: setoption {name}: no")
                options[name] = value
            case ["isready"]:
                say("readyok")
            case ["position", "startpos" | "fen" as kind, *words]:
                at = words.index("moves") if "moves" in words else len(words)
                rules = {"TrollCapture": options["TrollCapture"]}
                state = Thud.start(2, rules) if kind == "startpos" else Thud.from_text(" ".join(words[:at]), rules)
                for token in words[at + 1 :]:
                    state.apply(token)
            case ["go", *_]:
                if arguments.fault in ON_GO and len(words[at + 1 :]) >= arguments.plies:
                    ON_GO[arguments.fault]()
                    continue
                if arguments.fault == "offer":
                    legal = state.legal()
                    say("bestmove =" if "=" in legal else f"bestmove {legal[0]}=")
                    continue
                if arguments.scores:
                    score = int(arguments.scores) * (1 if state.board.side == 0 else -1)
                    say(f"info depth 1 multipv 1 score cp {score} nodes 1 time 1 pv {state.legal()[0]}")
                    say(f"info depth 1 multipv 2 score cp {-score} nodes 1 time 1 pv {state.legal()[1]}")
                say(f"bestmove {state.legal()[0]}")
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
