"""The position as a picture for people."""

from __future__ import annotations

from thudstone.engine.cards.whales import phase as s
from thudstone.engine.cards.whales.claim import COLOURS
from thudstone.engine.cards.whales.roles import HIDDEN, ROLES
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.cards.whales.text import names


def picture(state: Whales) -> str:
    """Armies, the offer that stands and what is known of the roles, in ASCII."""
    table = state.table
    lines = [f"Whales, {state.seats} players. Deck: {state.left}. {_news(state)}", ""]
    for seat in range(state.seats):
        role = "?" if state.roles[seat] == HIDDEN else ROLES[state.roles[seat]]
        sets = [
            f"{colour} {' '.join(table.name[card] for card in state.sets[3 * seat + number]) or '-':<8}"
            for number, colour in enumerate(COLOURS)
        ]
        told, true = state.facts[s.FACTS * seat + s.TOLD], state.facts[s.FACTS * seat + s.TRUE]
        honest = f"  true {true} of {told} claims" if told else ""
        mark = ">" if seat == state.turn else " "
        lines.append(
            f"{mark} {seat + 1} {role:<8}  {'  '.join(sets)}  heroes {state.heroes[seat]}"
            f"  strength {state.strength(seat):>2}{honest}"
        )
    gone = [f"{name}*{count}" for name, count in zip(table.name, state.gone, strict=True) if count]
    lines += ["", f"Discarded: {' '.join(gone) or '-'}"]
    return "\n".join(lines)


def _news(state: Whales) -> str:
    who, hand = f"Player {state.turn + 1}", names(state, state.hand)
    match state.phase:
        case s.DISCARD:
            return f"{who} discards one of {hand}."
        case s.OFFER:
            return f"{who} offers {hand} to whom?"
        case s.SAY:
            return f"{who} offers {hand} to player {state.target + 1} and says what?"
        case s.ANSWER:
            offer = f"Player {state.mover + 1} offers a card ({hand}) and says: {state.claim}."
            return f"{offer} {who} keeps or refuses it."
        case s.PLACE:
            return f"{who} chooses a set for {state.table.name[state.placing]}."
        case s.STEAL:
            return f"{who} steals a card."
        case s.LOSE:
            return f"{who} got a turtle and loses a card."
        case s.GUESS:
            return f"{who} may name all roles."
        case s.ENDED:
            return f"Ended: {state.why}."
    return "The cards come next."
