"""Who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thudstone.engine.cards.whales.roles import DOLPHIN, HENCHMAN, SPY, WHALE

if TYPE_CHECKING:
    from thudstone.engine.cards.whales.state import Whales


def shares(state: Whales) -> tuple[float, ...]:
    """Each seat's share of the win of an ended game, all roles known. Where nobody wins, all have the same."""
    won = winners(state) or list(range(state.seats))
    return tuple(1 / len(won) if seat in won else 0.0 for seat in range(state.seats))


def winners(state: Whales) -> list[int]:
    """The seats that win together, when the game has ended as `state.why` says. All roles must be known."""
    match state.why:
        case "turtle":
            return [state.holder]
        case "heroes":
            return _by_heroes(state)
    won = _by_score(state)
    rightly = [
        seat for seat, named in state.guesses if named == (*state.roles[:seat], *state.roles[seat + 1 :])
    ]  # only the Were-whale's guess is ever taken
    if rightly and state.table.options["WereWhale"] == "were-whale-alone":
        return rightly
    return sorted({*won, *rightly})


def _by_heroes(state: Whales) -> list[int]:
    spies, henchmen = having(state, SPY), having(state, HENCHMAN)
    holder = state.holder
    if holder in spies:
        return henchmen or [holder]
    if len(spies) > 1 and state.roles[holder] != WHALE and state.table.options["TwoSpiesThirdRole"] == "nobody-wins":
        return []
    return spies


def _by_score(state: Whales) -> list[int]:
    if state.why == "six" and state.roles[state.holder] == DOLPHIN:
        return [state.holder]
    table = state.table

    def rank(seat: int) -> tuple[int, ...]:
        if table.options["ScoreTie"] == "shared":
            return (state.strength(seat),)
        whales = [table.value[card] for each in state.sets[3 * seat : 3 * seat + 3] for card in each]
        return state.strength(seat), -state.heroes[seat], max(whales, default=0)

    whales = having(state, WHALE)
    best = max(map(rank, whales))
    return [seat for seat in whales if rank(seat) == best]


def having(state: Whales, role: int) -> list[int]:
    return [seat for seat, has in enumerate(state.roles) if has == role]
