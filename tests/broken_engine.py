"""An engine with one fault, chosen on the command line: `broken_engine.py --fault two-bestmoves`. Without one it is the
real engine. FAULTS names for each the steps of `thudstone check` that it must fail, and no others.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable

from thudstone.engine import games
from thudstone.protocol.output import Output
from thudstone.protocol.server import Server
from thudstone.protocol.session import Registry, Session

FAULTS: dict[str, set[str]] = {
    "accepts-bad-options": {"bad-options"},
    "accepts-while-searching": {"busy"},
    "bestmove-when-refused": {"bad-go", "searchmoves"},
    "crash-on-long-lines": {"long-lines"},
    "forgets-position": {"illegal-move"},
    "forgets-position-when-new": {"new-game"},
    "illegal-bestmove": {"legal", "pv", "searchmoves"},
    "illegal-pv": {"pv"},
    "infinite-early": {"infinite", "busy", "one-write", "query-search"},
    "ignores-stop": {"infinite", "stop", "busy", "one-write", "perft", "ponder"},
    "late-isready": {"isready-search"},
    "late-movetime": {"movetime"},
    "late-stop": {"stop"},
    "mixed-multipv": {"multipv"},
    "names-no-ply": {"illegal-move"},
    "no-case": {"set-options"},
    "no-end-of-input": {"end-bounded", "end-endless"},
    "no-max": {"options"},
    "no-second-moves": {"runner-forms"},
    "no-totals": {"info"},
    "other-defaults": set(),  # no fault
    "no-uciok": {"uci"},
    "noise": {"output"},
    "ponder-early": {"ponder"},
    "quit-status": {"quit"},
    "takes-rejected": {"rejected"},
    "three-words": {"ugi"},
    "two-bestmoves": {"one-bestmove", "one-write"},
    "wrong-legal": {"query-legal"},
    "wrong-limit": {"no-capture-limit"},
    "wrong-nodes": {"nodes"},
    "wrong-perft": {"perft"},
    "wrong-response": {
        *("query-state", "query-legal", "query-fen", "query-end", "query-errors", "query-search", "rejected", "output")
    },
}

# These fail too many steps to name, and can take long.
HOPELESS = ("dies-at-go", "hangs", "hangs-at-go", "no-flush", "floods", "silent", "stops-reading")

TOTALS = re.compile(r"info nodes (\d+)( nps \d+ time \d+)")


def changed(fault: str, line: str) -> list[str]:
    """What is written in place of a line."""
    totals = TOTALS.fullmatch(line)
    answer = line.startswith("bestmove ")
    move = answer and not line.endswith("(none)")
    match fault:
        case "accepts-bad-options" if line.startswith("info string error: setoption"):
            return []
        case "bestmove-when-refused" if line.startswith("info string error: go "):
            return [line, "bestmove (none)"]
        case "illegal-bestmove" if move:
            return ["bestmove dA1-A2"]
        case "illegal-pv" if " pv " in line:
            return [f"{line} dA1-A2"]
        case "mixed-multipv" if " multipv 2 " in line:
            return [re.sub(r"cp -?\d+", "cp 9999", line)]
        case "names-no-ply":
            return [re.sub(r"ply \d+, ", "", line)]
        case "no-max" if line.startswith("option name Hash"):
            return [line.split(" max ")[0]]
        case "other-defaults" if line.startswith("option"):
            return [line.replace("default any", "default one").replace("default 200", "default 50")]
        case "no-totals" if totals:
            return []
        case "no-uciok" if line == "uciok":
            return []
        case "noise" if line.startswith("info depth 1 "):
            return ["let me see", line]
        case "two-bestmoves" if answer:
            return [line, line]
        case "wrong-legal" if line.startswith("response ") and line.count(" ") > 500:
            return [line.rsplit(" ", 1)[0]]
        case "wrong-nodes" if totals:
            return [f"info nodes {int(totals[1]) + 1}{totals[2]}"]
        case "wrong-perft" if line.startswith("Nodes searched: "):
            return [f"Nodes searched: {int(line.split()[-1]) + 1}"]
        case "wrong-response" if line.startswith("response"):
            return [line.replace("response", "answer", 1)]
        case "floods" if answer:
            while True:
                os.write(1, b"info string and so on, and so on\n" * 1000)
    return [line]


class BrokenOutput(Output):
    def __init__(self, fault: str) -> None:
        super().__init__(1)
        self.fault = fault
        self.universal = False
        self.held: list[str] = []
        self.rejected = False  # whether the last line told of an illegal move

    def text(self, lines: Iterable[str]) -> None:
        written = [other for line in lines for other in changed(self.fault, line)]
        if self.fault == "three-words" and self.universal:
            written = [f"{line} ponder dA1-A2" if line.startswith("bestmove ") else line for line in written]
        self.rejected = any("error: position: ply " in line for line in written)
        if self.fault == "no-flush":
            self.held += written
        elif self.fault != "silent":
            super().text(written)

    def flush(self) -> None:
        super().text(self.held)


class BrokenServer(Server):
    def __init__(self, fault: str, output: BrokenOutput, session: Session) -> None:
        super().__init__(output, session)
        self.fault = fault
        self.broken_output = output
        self.quit = False

    def _obey(self, name: bytes, line: bytes) -> None:
        obey: Callable[[bytes, bytes], None] = super()._obey
        searching = self._worker.job is not None
        words = line.split()
        if name in (b"uci", b"ugi"):
            self.broken_output.universal = name == b"ugi"
        match self.fault:
            case "accepts-while-searching" if name == b"position" and searching:
                self._session.set_position(line)
                return
            case "crash-on-long-lines" if len(line) > 60_000:
                os._exit(1)
            case "forgets-position" if name == b"position" and not self.broken_output.universal:
                obey(name, line)
                if self.broken_output.rejected:
                    self._session.set_position(b"position startpos")
                return
            case "forgets-position-when-new" if name == b"ucinewgame":
                self._session.set_position(b"position startpos")
            case "infinite-early" if name == b"go" and words[1:] in ([], [b"infinite"]):
                line = b"go depth 2"
            case "ignores-stop" if name == b"stop":
                return
            case "late-isready" if name == b"isready" and searching:
                time.sleep(0.1)
            case "late-movetime" if (
                words[:2] == [b"go", b"movetime"] and len(words) == 3 and words[2][:1] in b"123456789"
            ):
                line = b"go movetime %d" % (int(words[2]) + 50)
            case "late-stop" if name == b"stop":
                time.sleep(0.05)
            case "no-case" if name == b"setoption" and len(words) > 2 and words[2][:1].islower():
                line = b"setoption name " + words[2] + b" (unknown)"
            case "no-second-moves" if line.count(b"moves") > 1:
                line = b"position sideways"
            case "ponder-early":
                line = line.replace(b"go ponder ", b"go ")
            case "takes-rejected":
                obey(name, line)
                self._session.rejected = None
                return
            case "wrong-limit" if b"NoCaptureLimit" in line:
                line = line.replace(b"value 6", b"value 4")
            case "dies-at-go" if name == b"go":
                os._exit(3)
            case "hangs-at-go" if name == b"go":
                time.sleep(3600)
            case "hangs" if name not in (b"uci", b"ugi", b"isready"):
                time.sleep(3600)
            case "stops-reading" if name == b"position":
                time.sleep(3600)
        obey(name, line)

    def leave(self) -> None:
        self.quit = True
        super().leave()


def main() -> int:
    fault = sys.argv[2] if sys.argv[1:2] == ["--fault"] else ""
    assert not fault or fault in FAULTS or fault in HOPELESS, fault
    output = BrokenOutput(fault)
    session = Session(Registry(games.NAMES, games.load), "thud")
    if fault == "other-defaults":
        session.set_option(b"name TrollCapture value one".split())
        session.set_option(b"name NoCaptureLimit value 50".split())
    server = BrokenServer(fault, output, session)
    server.serve(0)
    output.flush()
    if fault == "no-end-of-input" and not server.quit:
        time.sleep(3600)
    return int(fault == "quit-status" and server.quit)


if __name__ == "__main__":
    sys.exit(main())
