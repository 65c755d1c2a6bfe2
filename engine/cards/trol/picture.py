"""The position for people, in ASCII."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thudstone.engine.cards.trol.table import ACT, COOK, COPY, DICE, FORCE, HAND, PLUS_MINUS, REVEAL, ROLL, STAB, STAGES
from thudstone.engine.cards.trol.tribe import CODES, DOWN, HIDDEN, KIND, listed
from thudstone.engine.game import OVER

if TYPE_CHECKING:
    from thudstone.engine.cards.trol.state import Trol

IN_HUNT = (REVEAL, STAB, ROLL, FORCE, DICE, COPY, PLUS_MINUS, HAND, COOK)


def picture(game: Trol) -> str:
    phase = "night" if game.night else "day"
    rows = [f"Trol, {game.seats} seats, {phase}; {game.deck_size} cards in the prey deck", ""]
    rows += [_place(game, at) for at in range(game.tribes)]
    rows.append("")
    masks = game.tally().masks
    for tribe in range(game.tribes):
        name = f"Tribe {tribe + 1}" + (f" of seat {game.owner(tribe) + 1}" if game.seats == 2 else "")
        skulls = game.tally().skulls(tribe)
        trophies = " ".join(game.book.cards.prey[kind].code for kind in game.trophies[tribe])
        rows.append(
            f"{name}: food {game.food[tribe]}, masks {masks[tribe]}, skulls {skulls}"
            f"{f' ({trophies})' if trophies else ''}, deck {game.left[tribe]}"
        )
        hand = [CODES[kind] for kind in listed(game.hands[tribe])] + ["?"] * game.veiled[tribe]
        rows.append(f"  hand: {' '.join(hand) or '-'}")
        if game.saved[tribe]:
            rows.append(f"  survivors: {' '.join(CODES[kind] for kind in listed(game.saved[tribe]))}")
    rows += ["", _next(game)]
    return "\n".join(rows)


def _place(game: Trol, at: int) -> str:
    kind = game.places[at]
    if kind < 0:
        return f"{at + 1}  no prey"
    prey = game.book.cards.prey[kind]
    food = "/".join(str(share) for share in prey.food)
    line = " ".join(
        f"{(card >> 4 & 7) + 1}:{'?' if card & KIND == HIDDEN else CODES[card & KIND]}{'~' if card & DOWN else ''}"
        for card in game.lines[at]
    )
    return f"{at + 1}  {prey.code} {prey.low}-{prey.high}, food {food}, skulls {prey.skulls}:  {line or '-'}"


def _next(game: Trol) -> str:
    if game.turn == OVER:
        return f"Tribe {game.winner + 1} is the chief of all."
    tail = ""
    if game.stage in IN_HUNT:
        starter = f" begun by {(game.starter >> 4) + 1}:{CODES[game.starter & KIND]}" if game.starter >= 0 else ""
        tail = f"; the hunt at place {game.place + 1}{starter}, damage {game.total}"
    if game.turn < 0:
        return f"Chance comes next ({STAGES[game.stage]}){tail}"
    which = f" with tribe {game.tribe + 1}" if game.seats == 2 and game.stage == ACT else ""
    return f"Seat {game.turn + 1} decides ({STAGES[game.stage]}){which}{tail}"
