"""Steps: positions and moves, good and bad."""

from __future__ import annotations

import re
from itertools import cycle, islice
from random import Random

from thudstone.protocol.check.reference import Known, Spot
from thudstone.protocol.check.setting import CAPTURES
from thudstone.protocol.check.step import NotOffered, Step, require
from thudstone.protocol.check.talk import PATIENCE, Talk, within

LONG_LIST = 1000  # moves
READ = 0.1  # seconds in which a long list that was there before is read again

# After these, the same squares are occupied as before.
_SHUFFLE = ("dO11-O10", "TG7-F7", "dO10-O11", "TF7-G7")


def _line(talk: Talk, plies: int) -> Spot:
    """A position some random plies from the start, or as far as the game goes."""
    rng = Random(plies)
    spot = talk.reference.begin()
    for _ in range(plies):
        later = talk.reference.after(spot, rng.choice(spot.legal))
        if not later.seat:
            break
        spot = later
    return spot


def _second(talk: Talk) -> Spot:
    """A position with a move behind it."""
    return _line(talk, 1)


def _moves(talk: Talk) -> None:
    for plies in (0, 1, 2, 12, 1, 13, 0):
        spot = _line(talk, plies)
        talk.stand(spot)
        talk.stands(spot, f"'{spot.command[:60]}'")


def _fen(talk: Talk) -> None:
    texts: list[tuple[str, tuple[str, ...]]] = []
    reference = talk.reference
    if isinstance(reference, Known) and not reference.hidden:
        for plies in (0, 3, 12):
            spot = _line(talk, plies)
            texts.append((reference.state(spot.log).text(), spot.legal))
    else:
        talk.stand(_second(talk))
        texts.append((talk.query("fen"), ()))
    if reference.name == "thud":
        texts.append((texts[1][0].rsplit(" ", 2)[0], texts[1][1]))  # the counters may be left out
    for text, legal in texts:
        talk.accept(f"position fen {text}")
        if legal:
            talk.stands(Spot((), f"position fen {text}", 1, legal), "position fen")


def _spelling(talk: Talk) -> None:
    thud = talk.thud()
    token = max(thud.from_text(CAPTURES).legal, key=lambda move: move.count("x"))
    squares, *captures = token.split("x")
    turned = "x".join([squares, *reversed(captures)])
    state = thud.game.from_text(CAPTURES, thud.options)
    state.apply(token)
    for move in (token, turned, turned[1:], turned[1:].lower(), turned.lower()):
        talk.accept(f"position fen {CAPTURES} moves {move}")
        talk.stands(Spot((), f"... moves {move}", 1, tuple(state.legal())), f"the move {move}")
    for move in (f"{token}x{captures[0]}", f"d{token[1:]}", "TI10-H9"):
        talk.refuse(f"position fen {CAPTURES} moves {move}")


def _runners(talk: Talk) -> None:
    spot = _line(talk, 3)
    words = spot.command.split()
    if "seat" in words or len(words) < 6:
        raise NotOffered(f"such lists: {talk.reference.name} has none")
    first, *others = words[3:]
    talk.accept(f"position fen startpos moves {first} moves {' '.join(others)}")
    talk.stands(spot, "'fen startpos' and a second 'moves'")


def _illegal(talk: Talk) -> None:
    spot = _second(talk)
    moves = spot.command.split()[2:]
    count = len(moves[moves.index("moves") + 1 :]) if "moves" in moves else 0
    word = " " if count else " moves "
    begin = talk.reference.begin()
    wrong = [token for token in begin.legal if token not in spot.legal][:1]
    for token in [*wrong, "xyzzy"]:
        talk.stand(spot)
        why = talk.refuse(f"{spot.command}{word}{token}")
        require(token in why, f"the error doesn't name the illegal move {token}: {why}")
        require(
            re.search(rf"\b{count + 1}\b", why.replace(token, "")),
            f"the error doesn't say that ply {count + 1} is the illegal one: {why}",
        )
        _stays(talk, spot, "an illegal move")
        talk.refuse(f"moves {token}")
        _stays(talk, spot, "an illegal move")


def _stays(talk: Talk, spot: Spot, after: str) -> None:
    """After `ugi`, a rejected position counts as over instead."""
    if talk.known.hello == "uci":
        talk.stands(spot, after)


def _bad(talk: Talk) -> None:
    spot = _second(talk)
    talk.stand(spot)
    for line in ("position", "position sideways", "position fen", "position fen no/such/place x"):
        talk.refuse(line)
        _stays(talk, spot, f"'{line}'")


def _play_on(talk: Talk) -> None:
    begin = talk.reference.begin()
    talk.stand(begin)
    if talk.reference.hidden:
        raise NotOffered(f"moves that all seats see alike: {talk.reference.name} has none")
    spot = begin
    for _ in range(4):
        log = len(spot.log)
        spot = talk.reference.after(spot, spot.legal[len(spot.legal) // 2])
        if not spot.seat:
            break
        talk.accept(f"moves {' '.join(spot.log[log:])}")
        talk.stands(spot, "moves")


def _long_list(talk: Talk) -> None:
    talk.thud()  # no other game is sure to last so long
    tokens = list(islice(cycle(_SHUFFLE), LONG_LIST))
    line = f"position startpos moves {' '.join(tokens)}"
    talk.ask(line, patience=2 * PATIENCE)

    def once() -> float:
        tokens.append(_SHUFFLE[len(tokens) % len(_SHUFFLE)])
        begun = talk.send(f"position startpos moves {' '.join(tokens)}", "isready")
        return talk.subject.until("readyok", PATIENCE)[-1].at - begun

    within(READ, f"a list of {LONG_LIST} moves with one more is read", once)


STEPS = (
    Step("position-moves", "`position startpos moves ...` sets the position after these moves, in silence.", _moves),
    Step("position-fen", "`position fen TEXT` sets the position that a text describes.", _fen),
    Step("spelling", "Moves may be in lower case, without the side, and name captures in any order.", _spelling),
    Step("runner-forms", "`fen startpos` is the start, and a second `moves` in the list is skipped.", _runners),
    Step("illegal-move", "An illegal move is named with its ply, and the position stays as it was.", _illegal),
    Step("bad-position", "A bad position gets one error, and the position stays as it was.", _bad),
    Step("moves", "`moves ...` plays on from the position that is set.", _play_on),
    Step("long-list", "A long list that was there before costs only its new moves.", _long_list),
)
