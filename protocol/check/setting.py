"""Steps: options, one by one."""

from __future__ import annotations

from thudstone.client import EngineOption
from thudstone.protocol.check.step import NotOffered, Step, require
from thudstone.protocol.check.talk import Talk

# A troll beside three dwarfs, and one behind it: what it must take differs with every rule.
CAPTURES = "5/7/9/11/13/15/15/7R7/6d8/6dTd6/6T6/11/9/7/d3d T 0 1"
QUIET = "dd1dd/d5d/d7d/d9d/d11d/d13d/d5TTT5d/6TRT6/d5TTT5d/d13d/d11d/d9d/d7d/d5d/dd1dd d {} 9"


def _set(talk: Talk) -> None:
    options = talk.known.options.values()
    if not options:
        raise NotOffered("options")
    for option in options:
        for name in (option.name, option.name.swapcase()):
            if option.type == "button":
                talk.accept(f"setoption name {name}")
            else:
                talk.accept(f"setoption name {name} value {option.default}".rstrip())


def _bad(talk: Talk) -> None:
    tried = 0
    for option in talk.known.options.values():
        for value in _wrong_values(option):
            talk.refuse(f"setoption name {option.name} value {value}")
            tried += 1
    if not tried:
        raise NotOffered("options that limit their values")
    talk.refuse("setoption name No Such Option value 1")
    talk.refuse("setoption")


def _wrong_values(option: EngineOption) -> list[str]:
    match option.type:
        case "spin":
            return ["many", *(str(bound) for bound in _outside(option))]
        case "check":
            return ["perhaps"]
        case "combo":
            return ["no-such-value"]
    return []


def _outside(option: EngineOption) -> list[int]:
    low = [] if option.low is None else [option.low - 1]
    return low + ([] if option.high is None else [option.high + 1])


def _multipv(talk: Talk) -> None:
    most = talk.option("MultiPV").high or 1
    spot = talk.reference.begin()
    talk.stand(spot)
    for wanted in (2, 3):
        if wanted > most:
            break
        talk.accept(f"setoption name MultiPV value {wanted}")
        shown = [info for info in talk.go("depth 2").infos() if info.pv]
        require(shown, "no line with a pv")
        last = [info for info in shown if info.depth == shown[-1].depth][-wanted:]
        ranks = [info.multipv for info in last]
        expected = list(range(1, min(wanted, len(spot.legal)) + 1))
        require(ranks == expected, f"with MultiPV {wanted} the last depth has the lines {ranks}, not {expected}")
        require(len({info.pv[0] for info in last}) == len(last), "two lines begin with the same move")
        scores = [info.score.cp for info in last if info.score is not None]
        require(scores == sorted(scores, reverse=True), f"the scores {scores} are not sorted")


def _threads(talk: Talk) -> None:
    option = talk.option("Threads")
    if (option.high or 1) < 2:
        raise NotOffered("more than one thread")
    talk.accept("setoption name Threads value 2")
    spot = talk.reference.begin()
    talk.stand(spot)
    for words in ("depth 2", "nodes 1000", "movetime 30"):
        search = talk.go(words)
        require(search.move != "(none)", f"with 2 threads 'go {words}' gets '{search.shown}'")


def _troll_capture(talk: Talk) -> None:
    thud = talk.thud()
    option = talk.option("TrollCapture")
    rules = ("any", "all-or-none", "all", "one")
    require(sorted(option.choices) == sorted(rules), f"its values are {', '.join(option.choices)}")
    talk.accept(f"position fen {CAPTURES}")
    for rule in rules:
        talk.accept(f"setoption name TrollCapture value {rule}")
        legal = set(thud.from_text(CAPTURES, TrollCapture=rule).legal)
        if not talk.known.answers:
            move = talk.go("depth 1").move
            require(move in legal, f"under {rule} it plays {move}")
            continue
        listed = set(talk.query("legal").split())
        wrong = sorted(listed ^ legal)
        require(not wrong, f"under {rule} {wrong[:1]} is {'legal' if set(wrong[:1]) & listed else 'illegal'} to it")


def _no_capture_limit(talk: Talk) -> None:
    talk.thud()  # the option is that game's
    talk.option("NoCaptureLimit")
    for limit, quiet, over in ((5, 5, True), (6, 5, False), (0, 300, False), (200, 200, True)):
        talk.accept(f"setoption name NoCaptureLimit value {limit}")
        talk.accept(f"position fen {QUIET.format(quiet)}")
        search = talk.go("depth 1")
        what = f"{quiet} plies without a capture and the limit {limit}: '{search.shown}'"
        require((search.move == "(none)") == over, what)


def _offers(talk: Talk) -> None:
    first = talk.thud().begin()
    for option in talk.known.options.values():
        if option.name.lower() == "offerend":
            require(option.default == "false", "OfferEnd is on from the start")
    for command in (f"position startpos moves {first.legal[0]}=", f"position startpos moves {first.legal[0]}"):
        talk.accept(command)
        move = talk.go("depth 1").move
        require("=" not in move, f"after '{command}' it plays {move}")
    over = f"position startpos moves {first.legal[0]}= ="
    talk.accept(over)
    move = talk.go("depth 1").move
    require(move == "(none)", f"after '{over}' it plays {move}")


def _new_game(talk: Talk) -> None:
    first = talk.reference.begin()
    spot = talk.reference.after(first, first.legal[-1])
    talk.stand(spot)
    for command in ("ucinewgame", "uginewgame"):
        talk.go("depth 1")
        talk.accept(command)
        talk.stands(spot, command)


STEPS = (
    Step("set-options", "Each option takes its own default in silence; names match without regard to case.", _set),
    Step("bad-options", "A bad value, or an option that doesn't exist, gets one error.", _bad),
    Step("multipv", "`MultiPV`: so many lines of one depth, each with another move, best first.", _multipv),
    Step("threads", "`Threads`: more than one changes nothing in the conversation.", _threads),
    Step("troll-capture", "`TrollCapture` decides at once which captures are legal.", _troll_capture),
    Step("no-capture-limit", "`NoCaptureLimit`: so many plies without a capture end it, 0 never.", _no_capture_limit),
    Step("offers", "Moves may carry an offer; without `OfferEnd` the engine neither makes nor accepts one.", _offers),
    Step("new-game", "`ucinewgame` and `uginewgame` keep the position.", _new_game),
)
