"""Steps: what a search answers, and within which limits."""

from __future__ import annotations

import re
from functools import partial

from thudstone.protocol.check.reference import Spot
from thudstone.protocol.check.step import Failed, Hung, NotOffered, Step, require
from thudstone.protocol.check.talk import PATIENCE, Search, Talk, errors, short, within

PIPE = 0.005  # seconds that an answer may be out after the end of `movetime`
SEARCHES = ("depth 1", "depth 2", "nodes 300", "movetime 30")
_TOTALS = re.compile(r"info nodes \d+ nps \d+ time \d+")


def _spots(talk: Talk) -> list[Spot]:
    """The start, and a position in which the next seat is to move."""
    begin = talk.reference.begin()
    after = talk.reference.after(begin, begin.legal[len(begin.legal) // 2])
    return [begin, after] if after.seat else [begin]


def _legal(talk: Talk) -> None:
    for spot in _spots(talk):
        talk.stand(spot)
        for words in SEARCHES:
            search = talk.go(words)
            require(search.move in spot.legal, f"'{search.shown}' after 'go {words}', which is illegal")
            if len(search.answer) > 1:
                require(search.answer[1] == "ponder" and len(search.answer) == 3, f"'{search.shown}'")
                wrong = talk.reference.illegal_in(spot, search.answer[::2])
                require(not wrong, f"'{search.shown}': {wrong} is illegal")


def _reports(talk: Talk) -> None:
    for spot in _spots(talk):
        talk.stand(spot)
        for words in (*SEARCHES, "depth 0"):
            search = talk.go(words)
            infos = search.infos()
            for info in infos:
                if info.pv:
                    judged = info.score is not None or info.shares is not None
                    require(info.depth is not None and judged, "a line with a pv has no depth or no score")
                if info.shares is not None:
                    require(round(sum(info.shares), 6) == 1, f"shares of the win are {info.shares}")
            last = search.lines[-1] if search.lines else ""
            require(
                _TOTALS.fullmatch(last), f"before the bestmove stands '{short(last)}', not 'info nodes N nps N time MS'"
            )
            counts = [info.nodes for info in infos if info.nodes is not None]
            require(counts == sorted(counts), f"the counts of nodes go down: {counts}")


def _pv(talk: Talk) -> None:
    shown = 0
    for spot in _spots(talk):
        talk.stand(spot)
        for words in ("depth 1", "depth 3 movetime 500", "nodes 1000"):
            search = talk.go(words)
            best = None
            for info in search.infos():
                if not info.pv:
                    continue
                shown += 1
                wrong = talk.reference.illegal_in(spot, info.pv)
                require(not wrong, f"'pv {' '.join(info.pv)}': {wrong} is illegal")
                if (info.multipv or 1) == 1 and not info.bound:
                    best = info.pv[0]
            require(best in (None, search.move), f"'{search.shown}' although the last pv began with {best}")
    if not shown:
        raise NotOffered("pv")


def _nodes(talk: Talk) -> None:
    spot = next((spot for spot in reversed(_spots(talk)) if len(spot.legal) > 1), None)
    if spot is None:
        raise NotOffered("a choice of moves")
    talk.stand(spot)
    for limit in (1, 37, 400):
        runs = []
        for _ in range(2):
            talk.accept("ucinewgame")
            search = talk.go(f"nodes {limit}")
            totals = [info for info in search.infos() if info.nodes is not None and not info.pv]
            nodes = totals[-1].nodes if totals else 0
            if not nodes:
                raise NotOffered("counting nodes")
            require(nodes == limit, f"'go nodes {limit}' searched {nodes} nodes")
            runs.append((search.move, [info.pv for info in search.infos()]))
        require(runs[0] == runs[1], f"'go nodes {limit}' went otherwise the second time, after ucinewgame")


def _movetime(talk: Talk) -> None:
    talk.stand(_spots(talk)[-1])
    for milliseconds in (20, 100):
        limit = milliseconds / 1000 + PIPE
        within(
            limit,
            f"'go movetime {milliseconds}' is answered",
            partial(_timed, talk, f"movetime {milliseconds}"),
        )


def _clocks(talk: Talk) -> None:
    for spot in _spots(talk):
        talk.stand(spot)
        names: list[tuple[str, ...]] = [("p1", "p2", f"p{spot.seat}")]
        if spot.seat <= 2:
            names.append(("w", "b"))
        if talk.reference.name == "thud":
            names.append(("d", "t"))
        for seats in names:
            times = " ".join(f"{name}time 200 {name}inc 10" for name in dict.fromkeys(seats))
            for words in (times, f"{times} movestogo 2"):
                within(0.2, f"'go {words}' is answered", partial(_clocked, talk, words), tries=4)
    talk.go("wtime -50 btime -50 p1time -50 p2time -50")


def _timed(talk: Talk, words: str) -> float:
    return talk.go(words).seconds


def _clocked(talk: Talk, words: str) -> float:
    try:
        return talk.go(words, 1.5).seconds
    except Hung:
        talk.stop()
        raise Failed(f"'go {words}' has no end by itself") from None


def _limits(talk: Talk) -> None:
    spot = _spots(talk)[-1]
    talk.stand(spot)
    for words in ("depth 0", "nodes 0", "movetime 0"):
        within(0.05, f"'go {words}' is answered", partial(_at_once, talk, words))
    for words in (
        "depth 200 movetime 30",
        "movetime 60000 depth 1",
        "nodes 100 infinity depth 2 sideways 7 movetime 60000",
    ):
        _moved(talk.go(words))


def _at_once(talk: Talk, words: str) -> float:
    return _moved(talk.go(words)).seconds


def _moved(search: Search) -> Search:
    require(search.move != "(none)", f"'{search.shown}' where there are legal moves")
    return search


def _one(talk: Talk) -> None:
    talk.stand(_spots(talk)[0])
    for words in (*SEARCHES, "depth 0"):
        begun = talk.send(f"go {words}")
        talk.answer(begun)
        talk.silent(0.06, f"more than one for 'go {words}'")
        talk.send("stop", "isready")
        lines = talk.subject.until("readyok", PATIENCE)
        again = [line.text for line in lines if line.text.startswith("bestmove")]
        require(not again, f"one more '{''.join(again[:1])}' for 'go {words}', at a later command")


def _bad(talk: Talk) -> None:
    talk.stand(_spots(talk)[0])
    for words in ("depth many", "nodes", "movetime -5", "wtime soon btime 100", "depth 1 nodes 1x"):
        # The stop is for engines that search all the same, without a limit.
        said = talk.ask(f"go {words}", "stop")
        _refused(said, f"go {words}")


def _refused(said: list[str], line: str) -> None:
    complaints = errors(said)
    answers = [text for text in said if text.split()[:1] == ["bestmove"]]
    require(complaints, f"'{line}' gets no error")
    require(len(complaints) == 1, f"'{line}' gets {len(complaints)} errors")
    require(not answers, f"'{line}' is refused, yet gets '{''.join(answers[:1])}'")


def _searchmoves(talk: Talk) -> None:
    for spot in _spots(talk):
        talk.stand(spot)
        for token in dict.fromkeys((spot.legal[0], spot.legal[-1], spot.legal[len(spot.legal) // 2])):
            for words in (f"depth 1 searchmoves {token}", f"searchmoves {token} depth 1"):
                move = talk.go(words).move
                require(move == token, f"'go {words}' gets {move}")
        some = spot.legal[: 1 + len(spot.legal) // 2]
        move = talk.go(f"depth 1 searchmoves {' '.join(some)}").move
        require(move in some, f"{move} is none of the {len(some)} searchmoves")
        for wrong in ("xyzzy", f"{spot.legal[0]} xyzzy"):
            said = talk.ask(f"go depth 1 searchmoves {wrong}", "stop")
            _refused(said, f"go depth 1 searchmoves {wrong}")
            require("xyzzy" in errors(said)[0], "the error doesn't name the illegal move")


def _over(talk: Talk) -> None:
    spot = talk.reference.over()
    if spot is None:
        raise NotOffered("a short game")
    talk.stand(spot)
    for words in ("depth 3", "movetime 20", "nodes 10"):
        search = talk.go(words)
        require(search.answer == ("(none)",), f"'{search.shown}' where the game is over")


STEPS = (
    Step("legal", "`bestmove M [ponder R]`: a legal move, and a legal reply to it.", _legal),
    Step("info", "Each search ends with `info nodes N nps N time MS`, and what it reports can be read.", _reports),
    Step("pv", "A pv is legal to its end; its first move is the one that is played.", _pv),
    Step("nodes", "`go nodes N` searches exactly N nodes, and the same ones after `ucinewgame`.", _nodes),
    Step("movetime", "`go movetime N` is answered within N + 5 ms.", _movetime),
    Step("clocks", "A clock, under each of its names, ends the search before it has run out.", _clocks),
    Step("limits", "The first limit counts, 0 of anything answers at once, unknown words are skipped.", _limits),
    Step("one-bestmove", "An accepted `go` has exactly one `bestmove`.", _one),
    Step("bad-go", "A known word with a bad value refuses the line: one error and no `bestmove`.", _bad),
    Step("searchmoves", "`searchmoves` are the only ones played; an illegal one is named and refused.", _searchmoves),
    Step("over", "Where the game is over, the answer is `bestmove (none)`.", _over),
)
