"""Games of Trol for tests: random ones, and positions set up by hand."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from thudstone.engine.cards.trol.state import Trol
from thudstone.engine.cards.trol.tribe import HIDDEN, KIND, ONE, listed, size
from thudstone.engine.game import CHANCE, OVER, OptionValue

DEFAULTS: dict[str, OptionValue] = {option.name: option.default for option in Trol.options}


def start(seats: int, **options: OptionValue) -> Trol:
    assert set(options) <= set(DEFAULTS)
    return Trol.start(seats, {**DEFAULTS, **options})


def from_text(text: str, **options: OptionValue) -> Trol:
    return Trol.from_text(text, {**DEFAULTS, **options})


def choose(game: Trol, rng: Random) -> str:
    """A random token, chance events by their weights."""
    if game.turn != CHANCE:
        return rng.choice(game.legal())
    events = game.chance()
    return rng.choices([token for token, _ in events], [weight for _, weight in events])[0]


def play(game: Trol, rng: Random) -> Iterator[tuple[Trol, str]]:
    """Play at random to the end; before each token the state and the token."""
    while game.turn != OVER:
        token = choose(game, rng)
        yield game, token
        game.apply(token)


def conserved(game: Trol) -> None:
    """Every card is in exactly one place."""
    full = game.book.cards.tribe
    lines = [card for line in game.lines for card in line]
    for tribe in range(game.tribes):
        heap = game.hands[tribe] + game.saved[tribe] + game.gone[tribe] + game.pool[tribe]
        own = [card & KIND for card in lines if card >> 4 & 7 == tribe]
        heap += sum(ONE[kind] for kind in own if kind != HIDDEN)
        if game.stage in range(6, 15) and game.starter >= 0 and game.starter >> 4 == tribe:
            heap += ONE[game.starter & KIND]
        assert heap == full, (tribe, listed(heap), listed(full))
        assert game.left[tribe] == size(game.pool[tribe]) - game.veiled[tribe] - own.count(HIDDEN) >= 0
        assert game.held[tribe] == size(game.hands[tribe]) + game.veiled[tribe]
    for kind, prey in enumerate(game.book.cards.prey):
        there = game.deck[kind] + game.places.count(kind) + game.wasted.count(kind)
        assert there + sum(trophies.count(kind) for trophies in game.trophies) == prey.copies


def tokens(game: Trol, log: str) -> Trol:
    """Play the tokens of a log."""
    for token in log.split():
        game.apply(token)
    return game


def table(
    lines: str = "",
    hands: str = "",
    *,
    prey: str = "P15",
    seats: int = 4,
    mover: int = 1,
    phase: str = "day",
    tribes: dict[int, str] | None = None,
    deck: str | None = None,
    wasted: str = "-",
    **options: OptionValue,
) -> Trol:
    """Tribe `mover` is to act. `lines` are those of places 1, 2, … (`1TRK,2DOG / 3TRA`), `hands` those of tribes
    (`CHI,TRK / - / DOG`), `prey` lies on place 1, P01, P02, … on the others. `tribes` has the parts after the hand."""
    places = ["P01", "P02", "P03", "P04"][: seats - 1]
    on_table = [prey, *places]
    rest = [f"P{number:02}" for number in range(1, 21) if f"P{number:02}" not in on_table]
    taken = " ".join([wasted, *(tribes or {}).values()])
    rest = [name for name in rest if name not in taken]
    filled = [line.strip() for line in lines.split("/")] + [""] * seats
    laid = "/".join(f"{name}:{line}" if line else name for name, line in zip(on_table, filled, strict=False))
    held = [hand.strip() or "-" for hand in hands.split("/")] + ["-"] * seats
    words = [f"{held[tribe]};{(tribes or {}).get(tribe + 1, '-;-;-;0')}" for tribe in range(seats)]
    deck_word = ",".join([*rest, "flipx5"]) if deck is None else deck
    text = f"{seats} {mover} {mover} {phase} act {laid} {deck_word} {' '.join(words)} {wasted} -"
    return from_text(text, **options)
