"""Games of Whales for tests: played at random, or set up by text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.game import OVER, OptionValue

PLAIN: dict[str, OptionValue] = {}
EXPANSION: dict[str, OptionValue] = {"Dolphins": True, "ExpansionRoles": True}
MOST_PLIES = 700  # of a game for 8: a bound that follows from the deck, which each turn makes two cards shorter

Chooser = Callable[[Whales, Random], str]


def at_random(state: Whales, rng: Random) -> str:
    return rng.choice(state.legal())


def chance(state: Whales, rng: Random) -> str:
    tokens, weights = zip(*state.chance(), strict=True)
    token: str = rng.choices(tokens, weights)[0]
    return token


def play(
    seats: int,
    options: Mapping[str, OptionValue],
    rng: Random,
    choose: Chooser = at_random,
    seen: Callable[[Whales, str], None] = lambda state, token: None,
) -> tuple[Whales, list[str]]:
    """A whole game; `seen` is called before each token is applied."""
    state = Whales.start(seats, options)
    log: list[str] = []
    while state.turn != OVER:
        token = choose(state, rng) if state.turn >= 0 else chance(state, rng)
        seen(state, token)
        assert state.apply(token) == token
        log.append(token)
        assert len(log) <= MOST_PLIES
    return state, log


def cards_of(state: Whales) -> list[int]:
    """How many there are of each card, wherever it lies."""
    table = state.table
    count = [unseen + gone for unseen, gone in zip(state.unseen, state.gone, strict=True)]
    for card in (card for cards in state.sets for card in cards):
        count[table.home[card]] += 1
    count[table.hero] += sum(state.heroes)
    for card in state.hand:
        if card >= 0:
            count[card] += 1
    if state.placing >= 0:
        count[state.placing] += 1
    return count


def answering(
    armies: Mapping[int, str],
    card: str,
    roles: str = "whale,whale,spy",
    options: Mapping[str, OptionValue] = PLAIN,
    gone: str = "g6*1",
    **more: str,
) -> Whales:
    """Seat 1 has offered `card` to seat 2, after discarding a grey six; `more` are other fields of the text."""
    fields = {
        "seats": str(len(roles.split(","))),
        "phase": "answer",
        "step": "0",
        "mover": "1",
        "target": "2",
        "claim": "silent",
        "hand": card,
        "dropped": "g6",
        **more,
        "roles": roles,
        **{f"army{seat}": ",".join(sorted(cards.split(","), key=_place)) for seat, cards in sorted(armies.items())},
        "gone": gone,
    }
    return Whales.from_text(";".join(f"{name}={value}" for name, value in fields.items()), options)


def _place(card: str) -> tuple[int, int, str]:
    """Where a card stands in the text of an army."""
    if card == "H":
        return 3, 0, ""
    colour, ability = (card[2], "universal") if card[0] == "u" else (card[0], card[2:].strip("0"))
    return "rbg".find(colour), int("".join(filter(str.isdigit, card))), ability


def after(state: Whales, *tokens: str) -> Whales:
    for token in tokens:
        state.apply(token)
    return state


def shown(state: Whales) -> Whales:
    """The end, with the roles shown; nobody guesses."""
    while state.turn != OVER:
        state.apply(state.chance()[0][0] if state.turn < 0 else "pass")
    return state


def army(state: Whales, seat: int) -> str:
    """`r1 r3 / b4 / - +2H`: a seat's sets and superheroes."""
    names = state.table.name
    sets = [" ".join(names[card] for card in cards) or "-" for cards in state.sets[3 * seat - 3 : 3 * seat]]
    return f"{' / '.join(sets)} +{state.heroes[seat - 1]}H"
