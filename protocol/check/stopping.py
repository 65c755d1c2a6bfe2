"""Steps: searches that are stopped, or go on while other commands come."""

from __future__ import annotations

import time

from thudstone.protocol.check.greeting import AT_ONCE
from thudstone.protocol.check.step import NotOffered, Step, require
from thudstone.protocol.check.talk import PATIENCE, Talk, errors, within

SILENCE = 0.15  # seconds in which an answer that comes too early shows


def _infinite(talk: Talk) -> None:
    begin = talk.reference.begin()
    over = talk.reference.over()
    for spot in (begin, *([over] if over is not None else [])):
        talk.stand(spot)
        for words in ("go infinite", "go", "go infinite depth 1"):
            if words.endswith("1") and spot is over:
                continue
            talk.send(words)
            talk.silent(SILENCE, f"before the stop of '{words}' in '{spot.command[:60]}'")
            talk.stop()
            talk.ask()


def _stop(talk: Talk) -> None:
    talk.stand(talk.reference.begin())

    def once() -> float:
        talk.send("go infinite")
        time.sleep(0.05)
        seconds = talk.stop().seconds
        talk.ask()
        return seconds

    within(AT_ONCE, "stop is answered", once)


def _idle_stop(talk: Talk) -> None:
    talk.stand(talk.reference.begin())
    for lines in (("stop",), ("stop", "stop"), ("ponderhit",)):
        said = [line for line in talk.ask(*lines) if line.strip()]
        require(not said, f"'{' / '.join(lines)}' without a search gets '{''.join(said[:1])}'")
    talk.go("depth 1")
    said = [line for line in talk.ask("stop") if line.split()[:1] == ["bestmove"]]
    require(not said, "a stop after the answer gets another")
    talk.go("depth 1")


def _one_write(talk: Talk) -> None:
    begin = talk.reference.begin()
    after = talk.reference.after(begin, begin.legal[0])
    talk.stand(begin)
    said = talk.ask(*["go infinite", "stop"] * 5)
    answers = [line for line in said if line.split()[:1] == ["bestmove"]]
    require(len(answers) == 5, f"5 times go infinite and stop in one write get {len(answers)} answers")
    talk.send("stop", "go infinite")
    talk.silent(SILENCE, "for 'go infinite', which a stop before it must not end")
    spot = after if after.seat else begin
    begun = talk.send("stop", spot.command, "go depth 1")
    said = [*talk.answer(begun).lines, *talk.answer(begun).lines, *talk.ask()]
    complaints = errors(said)
    require(not complaints, f"stop, position and go in one write get an error: {''.join(complaints[:1])}")
    talk.stands(spot, "stop, position and go in one write")


def _isready(talk: Talk) -> None:
    talk.stand(talk.reference.begin())
    talk.send("go infinite")
    time.sleep(0.05)

    def once() -> float:
        begun = talk.send("isready")
        return talk.subject.until("readyok", PATIENCE)[-1].at - begun

    within(AT_ONCE, "readyok during a search", once)
    talk.silent(0.05, "although isready stops no search")


def _refused(talk: Talk) -> None:
    begin = talk.reference.begin()
    after = talk.reference.after(begin, begin.legal[0])
    commands = [after.command, f"moves {begin.legal[0]}", "go depth 1", "ucinewgame"]
    for option in talk.known.options.values():
        if option.type == "spin":
            commands.append(f"setoption name {option.name} value {option.default}")
            break
    talk.stand(begin)
    talk.send("go infinite")
    talk.silent(0.05, "before any stop")
    for command in commands:
        said = talk.ask(command)
        require(len(errors(said)) == 1, f"'{command[:60]}' during a search gets {len(errors(said))} errors, not one")
        answers = [line for line in said if line.split()[:1] == ["bestmove"]]
        require(not answers, f"'{command[:60]}' during a search gets '{''.join(answers)}'")
    talk.stop()
    talk.ask()
    talk.silent(0.1, "a second one, for commands that are refused during a search")
    talk.stands(begin, "commands during a search")


def _ponder(talk: Talk) -> None:
    begin = talk.reference.begin()
    spot = talk.reference.after(begin, begin.legal[0])
    if not spot.seat:
        raise NotOffered("a game of more than one move")
    talk.stand(spot)
    for words, end in (
        ("ponder movetime 20", "ponderhit"),
        ("ponder depth 1", "ponderhit"),
        ("ponder", "ponderhit"),
        ("ponder depth 1", "stop"),
        ("ponder", "stop"),
    ):
        talk.send(f"go {words}")
        talk.silent(0.15, f"before the {end} of 'go {words}'")
        talk.answer(talk.send(end))
        talk.ask()


STEPS = (
    Step("infinite", "`go infinite` and a bare `go` answer at `stop`, never before, even after the end.", _infinite),
    Step("stop", "`stop` is answered by a `bestmove` within 10 ms.", _stop),
    Step("idle-stop", "`stop` without a search, or twice, does nothing.", _idle_stop),
    Step("one-write", "`go` and `stop`, or `stop`, `position` and `go`, may come in one write.", _one_write),
    Step("isready-search", "`isready` is answered within 10 ms during a search, too.", _isready),
    Step("busy", "During a search `position`, `moves`, `setoption`, `go`, `ucinewgame` are refused.", _refused),
    Step("ponder", "`go ponder` answers at `ponderhit` or `stop`, and never before.", _ponder),
)
