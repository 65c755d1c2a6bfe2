"""Games of Dungeon for tests: played at random, or a hero put before a dungeon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from thudstone.engine.cards.dungeon.kinds import FIRST_SPECIAL, KIND, ONE, SPECIALS, listed
from thudstone.engine.cards.dungeon.stages import AT, CUBE_TAKES, NAME, NONE, PAY, REVEAL, USE
from thudstone.engine.cards.dungeon.state import Dungeon
from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER, OptionValue

PLAIN: dict[str, OptionValue] = {}
HIDDEN: dict[str, OptionValue] = {"SpecialsPublic": False, "ShowRest": True}
OTHERS: dict[str, OptionValue] = {
    "FirstPlayer": "seat-1",
    "FirstHero": "chosen",
    "SpecialsPublic": False,
    "AuthorVariant": True,
    "Rex": True,
    "Successor": "random",
    "EmptyDungeon": "failure",
    "SingleUseOptional": False,
    "SwordMatches": "identity",
    "HarpCaps": True,
    "CollarChains": True,
    "CoinLostToSpecials": False,
    "BonesHelpAgainstCube": False,
    "SmokeBomb": "free",
    "SmokeBombBeatsCube": False,
    "MindControlBeatsCube": True,
    "ShowRest": True,
    "HpCap": 10,
}

IN_DUNGEON = (AT, NAME, REVEAL, USE, PAY, CUBE_TAKES)


def most_rounds(seats: int) -> int:
    """Each round is a success, of which a seat has one at most before the last round, or a failure: those who are out
    have two, the others one at most."""
    return 3 * seats - 1


def play(
    seats: int,
    options: Mapping[str, OptionValue],
    rng: Random,
    seen: Callable[[Dungeon, str], None] = lambda state, token: None,
) -> tuple[Dungeon, list[str]]:
    """A whole game at random; `seen` is called before each token is applied."""
    state = Dungeon.start(seats, options)
    log: list[str] = []
    while state.turn != OVER:
        token = event(state, rng) if state.turn == CHANCE else rng.choice(state.legal())
        seen(state, token)
        assert state.apply(token) == token
        log.append(token)
        assert state.round <= most_rounds(seats)
    return state, log


def after(state: Dungeon, *tokens: str) -> Dungeon:
    for token in tokens:
        state.apply(token)
    return state


def bidding(seats: int = 2, hero: str = "PRI", options: Mapping[str, OptionValue] = PLAIN) -> Dungeon:
    """The first round begins, seat 1 bids; the Fairy and the Ally are in the game."""
    return after(Dungeon.start(seats, options), "@=FAI", "@=ALL", "@=first1", f"@=hero{hero}")


def entering(
    hero: str,
    tiles: str,
    dungeon: str,
    options: Mapping[str, OptionValue] = PLAIN,
    wins: tuple[int, ...] = (0, 0),
    fails: tuple[int, ...] = (0, 0),
) -> Dungeon:
    """Seat 1 enters with these tiles; the cards lie as they are met."""
    cards = tuple(KIND[name] for name in dungeon.split())
    specials = [kind for kind in cards if kind >= FIRST_SPECIAL]
    specials += [kind for kind in range(FIRST_SPECIAL, FIRST_SPECIAL + len(SPECIALS)) if kind not in specials]
    state = Dungeon.start(len(wins), options)
    after(state, *(f"@={name}" for kind in specials[:2] for name, each in KIND.items() if each == kind))
    after(state, "@=first1", f"@=hero{hero}")
    state.wins, state.fails = wins, fails
    state.tiles = sum(state.hero.bit[name] for name in tiles.split())
    state.pile, state.added = cards[::-1], (1,) * len(cards)
    state.pool -= sum(ONE[kind] for kind in cards)
    state.left -= len(cards)
    state.passed = (1 << state.seats) - 2
    state.enter()
    return state


def meet(state: Dungeon, *answers: str) -> Dungeon:
    """Reveals cards; an answer is given wherever something is asked. Stops when none is left to give."""
    left = list(answers)
    before = state.round
    while state.stage in IN_DUNGEON and state.round == before:
        if state.turn == CHANCE:
            state.apply(state.chance()[0][0])
        elif left:
            state.apply(left.pop(0))
        else:
            return state
    assert not left, f"{left} weren't asked for"
    return state


def hits(state: Dungeon, *answers: str) -> list[int]:
    """The HP before the first card and after each; 0 after a deadly one."""
    left, found = list(answers), [state.hp]
    while state.stage in IN_DUNGEON:
        if state.stage == REVEAL and state.position:
            found.append(state.hp)
        state.apply(state.chance()[0][0] if state.turn == CHANCE else left.pop(0))
    assert not left, f"{left} weren't asked for"
    return [*found, state.hp]


def cards_of(state: Dungeon) -> int:
    """How many cards there are in a full world, wherever they lie, and how many were met in the dungeon before."""
    lying = len(state.pile) + len(state.aside) + (state.card != NONE)
    return lying + len(listed(state.pool))
