"""Steps: hello, the list of options, and lines of any kind."""

from __future__ import annotations

import re
import time

from thudstone.client import EngineOption
from thudstone.protocol.check.reference import Spot
from thudstone.protocol.check.step import Failed, NotOffered, Step, require
from thudstone.protocol.check.talk import PATIENCE, Talk, errors, short, within

AT_ONCE = 0.010  # seconds in which `isready` and `stop` are answered
_LONG = 1 << 20  # bytes
_NUMBER = re.compile(r"-?[0-9]{1,18}")


def _uci(talk: Talk) -> None:
    _handshake(talk, "uci")


def _ugi(talk: Talk) -> None:
    _handshake(talk, "ugi")
    talk.restart()
    spot = talk.reference.begin()
    talk.ask("ugi")
    talk.stand(spot)
    for depth in (1, 2, 3):
        search = talk.go(f"depth {depth} movetime 200")
        require(len(search.answer) == 1, f"after ugi '{search.shown}' is not two words")


def _handshake(talk: Talk, hello: str) -> None:
    said = talk.ask(hello)
    other = talk.known.hello != hello
    if other and not talk.known.both and not any(line.split()[:1] in (["id"], ["option"]) for line in said):
        raise NotOffered(hello)
    first = _introduction(said, hello)
    talk.ask("position startpos")
    require(_introduction(talk.ask(hello), hello) == first, f"a second {hello} is answered otherwise than the first")
    talk.send("go infinite")
    require(f"{hello}ok" in talk.ask(hello), f"{hello} during a search is not answered by {hello}ok")


def _introduction(lines: list[str], hello: str) -> list[str]:
    """The lines of a handshake, in their order, checked."""
    said = [line.strip() for line in lines if line.split()[:1] in (["id"], ["option"], ["uciok"], ["ugiok"])]
    done = [line for line in said if line.endswith("ok") and not line.startswith(("id", "option"))]
    require(done == [f"{hello}ok"], f"{hello} is answered by {' and '.join(done) or 'nothing'}, not by one {hello}ok")
    require(said[-1] == f"{hello}ok", f"{hello}ok is not the last line")
    for words in ("id name ", "id author "):
        require(sum(line.startswith(words) for line in said) == 1, f"there is not one line '{words}...'")
    return said


def _options(talk: Talk) -> None:
    if talk.known.bad_options:
        raise Failed(talk.known.bad_options[0])
    if not talk.known.options:
        raise NotOffered("options")
    for option in talk.known.options.values():
        why = _flaw(option)
        require(not why, f"option {option.name}: {why}")


def _flaw(option: EngineOption) -> str:
    match option.type:
        case "spin":
            if option.low is None or option.high is None:
                return "a spin without min and max"
            if not _NUMBER.fullmatch(option.default) or not option.low <= int(option.default) <= option.high:
                return f"default {option.default} is not from {option.low} to {option.high}"
        case "check":
            if option.default not in ("true", "false"):
                return f"default '{option.default}' is neither true nor false"
        case "combo":
            if option.default not in option.choices:
                return f"default '{option.default}' is none of its values"
        case "button" | "string":
            return ""
        case _:
            return f"unknown type '{option.type}'"
    return ""


def _isready(talk: Talk) -> None:
    def once() -> float:
        begun = talk.send("isready")
        return talk.subject.until("readyok", PATIENCE)[-1].at - begun

    within(AT_ONCE, "readyok", once)


def _no_hello(talk: Talk) -> None:
    facts = talk.reference.facts(())
    talk.go("depth 1", talk.patience)
    start = Spot((), "position startpos", int(facts.turn) if facts.turn.isdigit() else 0, facts.legal)
    talk.stands(start, "nothing at all")


def _white_space(talk: Talk) -> None:
    command = talk.reference.begin().command.replace(" ", "\t ")
    talk.subject.send_bytes(b"\r\n \t \n\n  isready \t\r\n")
    lines = [line.text for line in talk.subject.until("readyok", PATIENCE)]
    require(not errors(lines), f"blank lines get an error: {''.join(errors(lines)[:1])}")
    talk.subject.send_bytes(f" \t{command}  \r\n\tgo depth\t1\r\n".encode("latin-1"))
    said = [line.text for line in talk.subject.until("bestmove", PATIENCE)]
    require(not errors(said), f"a position with tabs and CRLF is refused: {''.join(errors(said)[:1])}")


def _unknown(talk: Talk) -> None:
    for line in ("xyzzy", "Position startpos please", "go-away now", "="):
        said = [answer for answer in talk.ask(line) if answer.strip()]
        require(len(said) <= 1, f"'{line}' gets {len(said)} lines")
        require(not said or said[0].startswith("info string"), f"'{line}' is answered by '{short(''.join(said))}'")


def _long(talk: Talk) -> None:
    for data in (
        b"xyzzy " * (_LONG // 6) + b"\n",
        b"position startpos moves " + b"x" * _LONG + b"\n",
        b" " * _LONG + b"\n",
        bytes(byte for byte in range(256) if byte not in b"\r\n") * 8 + b"\n",
    ):
        talk.subject.send_bytes(data)
        answers = [line for line in talk.ask(patience=2 * PATIENCE) if line.split()[:1] == ["bestmove"]]
        require(not answers, "a line that is no command is answered by a bestmove")


def _writes(talk: Talk) -> None:
    for piece in (b"isr", b"ead", b"y\nisready"):
        talk.subject.send_bytes(piece)
        time.sleep(0.03)
    talk.subject.until("readyok", PATIENCE)
    talk.subject.send_bytes(b"\n")
    talk.subject.until("readyok", PATIENCE)
    spot = talk.reference.begin()
    talk.send(*["isready"] * 20, spot.command, "go depth 1")
    said = [line.text for line in talk.subject.until("bestmove", PATIENCE)]
    count = sum(line.strip() == "readyok" for line in said)
    require(count == 20, f"20 times isready and a search in one write get {count} times readyok")


STEPS = (
    Step("uci", "`uci` gets `id name`, `id author`, the options and last `uciok`; at any time, and again.", _uci),
    Step("ugi", "`ugi` gets the same and `ugiok`; from then on a `bestmove` is exactly two words.", _ugi),
    Step("options", "Each option has a name of its own, a type, and a default that fits it.", _options),
    Step("isready", "`isready` is answered by `readyok` within 10 ms.", _isready),
    Step("no-hello", "Nothing has to be said first: the start of the game is set.", _no_hello, hello=False),
    Step("white-space", "Tabs, blank lines and a carriage return before the end of a line are fine.", _white_space),
    Step("unknown-command", "An unknown command gets one `info string` at most, and nothing else happens.", _unknown),
    Step("long-lines", "Lines of any length, and of any bytes, don't end the engine.", _long),
    Step("writes", "A line may come in several writes, and many lines in one.", _writes),
)
