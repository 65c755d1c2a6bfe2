"""The card data of Whales as the game needs it, checked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from thudstone.engine.cards.datafile import Place, read
from thudstone.engine.cards.whales.claim import COLOURS
from thudstone.engine.cards.whales.roles import ROLES

DEFAULT = Path(__file__).parent.parent / "data" / "whales.json"
ABILITIES = ("purge_hero", "unstealable", "triple", "universal")
MOST = 99  # of a strength, of the cards of a kind


@dataclass(frozen=True)
class WhalesData:
    """Whales are (colour, strength, count, count of 5+ cards), dolphins (ability, colour, strength, count), superheroes
    and turtles (count, count of 5+ cards), roles the number of cards in the order of ROLES."""

    start_whales: int
    five_plus_from: int
    whales: tuple[tuple[int, int, int, int], ...]
    dolphins: tuple[tuple[str, int, int, int], ...]
    heroes: tuple[int, int]
    turtles: tuple[int, int]
    roles: tuple[int, ...]


def load(path: str) -> WhalesData:
    """The data of a file; the game's own for an empty path. ValueError names the file, the place and the reason."""
    return _own() if not path else _checked(_read(Path(path)))


@lru_cache(maxsize=1)
def _own() -> WhalesData:
    return _checked(_read(DEFAULT))


def _read(path: Path) -> Place:
    return read(path, "whales", "setup", "whales", "superheroes", "turtles", "dolphins", "roles")


def _checked(root: Place) -> WhalesData:
    setup = root["setup"].only("start_whales", "five_plus_removed_below")
    whales = tuple(_whale(card) for card in root["whales"].only("list")["list"].items(1))
    dolphins = tuple(_dolphin(card) for card in root["dolphins"].only("list")["list"].items())
    base, expansion = ROLES[:2], ROLES[2:]
    roles = root["roles"].only(*base, "expansion")
    more = roles["expansion"].only(*expansion)
    return WhalesData(
        # More starting whales could be a third of a colour, for which the setup has no rule.
        start_whales=setup["start_whales"].number(1, 2),
        five_plus_from=setup["five_plus_removed_below"].number(0, MOST),
        whales=whales,
        dolphins=dolphins,
        heroes=_counts(root["superheroes"]),
        turtles=_counts(root["turtles"]),
        roles=(*(roles[role].number(1, MOST) for role in base), *(more[role].number(0, MOST) for role in expansion)),
    )


def _counts(part: Place) -> tuple[int, int]:
    part.only("count", "count_5plus")
    return part["count"].number(0, MOST), part["count_5plus"].number(0, MOST)


def _whale(card: Place) -> tuple[int, int, int, int]:
    card.only("colour", "value", "count", "count_5plus")
    count, extra = card["count"].number(0, MOST), card["count_5plus"].number(0, MOST)
    return COLOURS.index(card["colour"].one_of(COLOURS)), card["value"].number(1, MOST), count, extra


def _dolphin(card: Place) -> tuple[str, int, int, int]:
    card.only("ability", "colour", "value", "count")
    ability = card["ability"].one_of(ABILITIES)
    colour = card["colour"].one_of(("any",) if ability == "universal" else COLOURS)
    at = COLOURS.index(colour) if colour in COLOURS else len(COLOURS)
    return ability, at, card["value"].number(1, MOST), card["count"].number(0, MOST)
