"""Steps: queries, perft, and text for people."""

from __future__ import annotations

import re

from thudstone.engine.game import Stop
from thudstone.protocol.check.reference import Known, Spot
from thudstone.protocol.check.step import Hung, NotOffered, Step, require
from thudstone.protocol.check.talk import ERROR, PATIENCE, Talk, errors, short

_WEIGHTED = re.compile(r"(\S+\*[1-9][0-9]*)( \S+\*[1-9][0-9]*)*")


def _expect(talk: Talk, words: str, value: str) -> None:
    found = talk.query(words)
    require(found == value, f"'query {words}' gets '{short(found)}', not '{value}'")


def _positions(talk: Talk) -> list[Spot]:
    spots = [talk.reference.begin()]
    for at in (0, 3, -1):
        later = talk.reference.after(spots[-1], spots[-1].legal[at % len(spots[-1].legal)])
        if later.seat:
            spots.append(later)
    return spots


def _state(talk: Talk) -> None:
    for spot in _positions(talk):
        talk.stand(spot)
        _expect(talk, "turn", str(spot.seat))
        _expect(talk, "p1turn", "true" if spot.seat == 1 else "false")
        _expect(talk, "gameover", "false")
        _expect(talk, "result", "none")
        _expect(talk, "end", "none")
        points = talk.query("score").split()
        require(len(points) > 1 and all(re.fullmatch(r"-?\d+", point) for point in points), f"score is {points}")
        seen = talk.query(f"redact {spot.seat}").split()
        require(len(seen) == len(spot.log), f"'query redact' gets {len(seen)} tokens of {len(spot.log)}")
    talk.accept("position startpos seat *")
    chance = talk.query("chance")
    if talk.query("turn") == "chance":
        require(_WEIGHTED.fullmatch(chance), f"'query chance' gets '{short(chance)}'")
    else:
        require(not chance, f"'query chance' gets '{short(chance)}' where a seat is to move")


def _legal(talk: Talk) -> None:
    for spot in _positions(talk):
        talk.stand(spot)
        found = talk.query("legal").split()
        wrong = sorted(set(found) ^ set(spot.legal))
        require(not wrong, f"'query legal' is wrong about {' '.join(wrong[:3])}")
        require(len(found) == len(set(found)), "'query legal' lists a move twice")
        require(talk.query("legal").split() == found, "'query legal' has another order the second time")
        for token in dict.fromkeys((found[0], found[-1])):
            _expect(talk, f"islegal {token}", "true")
        _expect(talk, "islegal xyzzy", "false")


def _fen(talk: Talk) -> None:
    for spot in _positions(talk):
        talk.stand(spot)
        text = talk.query("fen")
        require(text, "'query fen' gets nothing")
        reference = talk.reference
        if isinstance(reference, Known) and not reference.hidden:
            right = reference.state(spot.log).text()
            require(text == right, f"'query fen' gets '{short(text)}', not '{short(right)}'")
        talk.accept("position startpos", f"position fen {text}")
        _expect(talk, "fen", text)


def _end(talk: Talk) -> None:
    begin = talk.reference.begin()
    over = talk.reference.over()
    if over is None:
        raise NotOffered("a short game")
    talk.stand(over)
    for words, value in (("gameover", "true"), ("turn", "over"), ("p1turn", "false"), ("legal", ""), ("chance", "")):
        _expect(talk, words, value)
    result = talk.query("result")
    require(re.fullmatch(r"p[1-9]\d*win|draw", result), f"'query result' gets '{result}' after the end")
    require(talk.query("end") not in ("", "none"), "'query end' gets no reason after the end")
    shares = talk.query("returns").split()
    require(all(re.fullmatch(r"[01](\.\d+)?", share) for share in shares), f"'query returns' gets {shares}")
    require(round(sum(map(float, shares)), 6) == 1, f"the shares {shares} don't sum to 1")
    best = [seat for seat, share in enumerate(shares, start=1) if float(share) == max(map(float, shares))]
    expected = f"p{best[0]}win" if len(best) == 1 else "draw"
    # Shares that differ by less than they are rounded to are no win.
    if len(best) != 1 or result != "draw":
        require(result == expected, f"the result is {result}, the shares are {shares}")
    talk.stand(begin)
    talk.refuse("query returns")


def _errors(talk: Talk) -> None:
    talk.query("turn")
    for line in ("query", "query weather", "query islegal", "query redact 99"):
        said = [text for text in talk.ask(line) if text.strip()]
        require(len(said) == 1 and said[0].startswith(ERROR), f"'{line}' gets {len(said)} lines, not one error")


def _busy(talk: Talk) -> None:
    spot = talk.reference.begin()
    talk.query("turn")
    talk.stand(spot)
    talk.send("go infinite")
    talk.silent(0.05, "before any stop")
    for _ in range(3):
        _expect(talk, "turn", str(spot.seat))
        _expect(talk, "gameover", "false")
        require(set(talk.query("legal").split()) <= set(spot.legal), "'query legal' changes during a search")
    talk.silent(0.05, "although a query stops no search")


def _rejected(talk: Talk) -> None:
    talk.query("turn")
    if "ugiok" not in talk.ask("ugi"):
        raise NotOffered("ugi")
    begin = talk.reference.begin()
    spot = talk.reference.after(begin, begin.legal[0])
    # Who wins by another's illegal move is clear where there are two seats and no chance.
    duel = isinstance(talk.reference, Known) and talk.reference.game.seat_range == (2, 2) and not talk.reference.hidden
    for line, result in (
        (f"{begin.command}{'' if begin.log else ' moves'} xyzzy", "p2win"),
        (f"{spot.command} xyzzy", "p1win"),
        ("position fen no/such/place x", "none"),
    ):
        talk.stand(spot)
        _expect(talk, "gameover", "false")
        talk.refuse(line)
        _expect(talk, "gameover", "true")
        _expect(talk, "turn", "over")
        if duel or result == "none":
            _expect(talk, "result", result)
        search = talk.go("depth 1")
        require(search.move == "(none)", f"'{search.shown}' after a rejected position")
    talk.stand(spot)
    _expect(talk, "gameover", "false")


def _perft(talk: Talk) -> None:
    spot = talk.reference.begin()
    talk.stand(spot)
    talk.send("go perft 1")
    try:
        lines = [line.text for line in talk.subject.until("Nodes", 1.0)]
    except Hung:
        talk.ask("stop")
        raise NotOffered("perft") from None
    require(lines[-1] == f"Nodes searched: {len(lines) - 1}", f"{len(lines) - 1} moves, then '{lines[-1]}'")
    wrong = sorted(set(lines[:-1]) ^ {f"{token}: 1" for token in spot.legal})
    require(not wrong, f"'go perft 1' is wrong about '{''.join(wrong[:1])}'")
    talk.send("go perft 2")
    lines = [line.text for line in talk.subject.until("Nodes", 4 * PATIENCE)]
    counts = [int(line.rpartition(": ")[2]) for line in lines if re.fullmatch(r"\S+: [0-9]{1,18}", line)]
    require(lines[-1] == f"Nodes searched: {sum(counts)}", f"the counts sum to {sum(counts)}, then '{lines[-1]}'")
    if isinstance(talk.reference, Known) and not talk.reference.hidden:
        right = talk.reference.state(spot.log).perft(2, Stop())
        require(sum(counts) == right, f"'go perft 2' counts {sum(counts)}, not {right}")
    talk.send("go perft 12", "stop")
    talk.subject.until("Nodes", PATIENCE)
    talk.silent(0.1, "although perft has none")
    require(not errors(talk.ask()), "an error after a perft that was stopped")


def _text(talk: Talk) -> None:
    talk.stand(talk.reference.begin())
    offered = [command for command in ("d", "help") if _for_people(talk, command)]
    if not offered:
        raise NotOffered("d, help")


def _eval(talk: Talk) -> None:
    talk.stand(talk.reference.begin())
    if not _for_people(talk, "eval"):
        raise NotOffered("eval")


def _for_people(talk: Talk, command: str) -> bool:
    """Whether the engine has a command that prints text; it has to end with an empty line, the only one."""
    said = talk.ask(command)
    if not said or all(line.startswith("info string") for line in said):
        return False
    require(not said[-1].strip(), f"the text of '{command}' is not ended by an empty line")
    require(
        len(said) > 1 and all(line.strip() for line in said[:-1]), f"the text of '{command}' has an empty line inside"
    )
    return True


def _bench(talk: Talk) -> None:
    talk.send("bench", "isready", "stop", "isready")
    patience = 4 * PATIENCE  # an engine may not heed the stop
    said = [line.text for line in talk.subject.until("readyok", patience)[:-1]]
    said += [line.text for line in talk.subject.until("readyok", patience)[:-1]]
    if all(line.startswith("info string") for line in said):
        raise NotOffered("bench")
    require(not said[-1].strip(), "the text of 'bench' is not ended by an empty line")
    talk.go("depth 1")


STEPS = (
    Step("query-state", "`query` turn, p1turn, gameover, result, end, score, redact, chance fit the position.", _state),
    Step("query-legal", "`query legal` lists exactly the legal moves, always in one order; `islegal` agrees.", _legal),
    Step("query-fen", "`query fen` is the position, and sets it.", _fen),
    Step("query-end", "After the end, result, end, returns and score say how it came out.", _end),
    Step("query-errors", "A query that can't be answered gets one error.", _errors),
    Step("query-search", "Queries are answered during a search, about the position that is searched.", _busy),
    Step("rejected", "After `ugi` a rejected `position` ends the game, until one is accepted.", _rejected),
    Step("perft", "`go perft N`: a line for each move, their sum, no `bestmove`; `stop` ends it.", _perft),
    Step("text", "The text of `d` and `help` is ended by an empty line.", _text),
    Step("eval", "The text of `eval` is ended by an empty line.", _eval),
    Step("bench", "The text of `bench` is ended by an empty line.", _bench),
)
