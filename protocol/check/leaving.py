"""Steps: how a process ends, and what it may print at all."""

from __future__ import annotations

import re

from thudstone.protocol.check.step import Step, require
from thudstone.protocol.check.talk import PATIENCE, Talk, short

_LINE = re.compile(r"(id|option|info|bestmove|response)( .*)?|uciok|ugiok|readyok|", re.DOTALL)


def _quit(talk: Talk) -> None:
    for command in ("isready", "go infinite"):
        if command != "isready":
            talk.restart()
        talk.send(command, "quit")
        _, status = talk.subject.rest(PATIENCE)
        require(status == 0, f"'quit' after '{command}' ends with status {status}")


def _bounded(talk: Talk) -> None:
    for words in ("movetime 100", "depth 2"):
        talk.send("position startpos", f"go {words}")
        talk.subject.end_input()
        _ended_with_answer(talk, f"go {words}")
        talk.restart()


def _endless(talk: Talk) -> None:
    for words in ("infinite", "ponder"):
        talk.send("position startpos", f"go {words}")
        talk.subject.end_input()
        _ended_with_answer(talk, f"go {words}")
        talk.restart()
    talk.subject.end_input()
    _, status = talk.subject.rest(PATIENCE)
    require(status == 0, f"the end of the input ends with status {status}")


def _ended_with_answer(talk: Talk, command: str) -> None:
    lines, status = talk.subject.rest(PATIENCE)
    answers = [line.text for line in lines if line.text.split()[:1] == ["bestmove"]]
    require(answers, f"'{command}' at the end of the input gets no answer")
    require(status == 0, f"the end of the input after '{command}' ends with status {status}")


def _output(talk: Talk) -> None:
    spot = talk.reference.begin()
    said = talk.ask("uci", "isready", "ucinewgame", spot.command, "stop", "ponderhit", "query turn", "query fen")
    for words in ("depth 2", "movetime 20"):
        talk.send(f"go {words}")
        said += [line.text for line in talk.subject.until("bestmove", PATIENCE)]
    said += talk.ask(spot.command, f"{spot.command} xyzzy", "position nowhere", "setoption name Nothing value 1")
    said += talk.ask("xyzzy", "go infinite", "isready", "stop")
    for line in said:
        require(line.isascii(), f"'{short(line)}' is not ASCII")
        require(_LINE.fullmatch(line.strip()), f"'{short(line)}' is no line of the protocol")


STEPS = (
    Step("output", "Nothing but the protocol's lines is written to stdout, in ASCII.", _output),
    Step("end-bounded", "At the end of the input a bounded search finishes and answers; the status is 0.", _bounded),
    Step("end-endless", "At the end of the input an endless search stops and answers; the status is 0.", _endless),
    Step("quit", "`quit` ends the process with status 0, also during a search.", _quit),
)
