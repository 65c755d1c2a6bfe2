"""The card data of Whales as the game needs it, checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from thudstone.engine.cards.whales.claim import COLOURS
from thudstone.engine.cards.whales.roles import ROLES

DEFAULT = Path(__file__).parent.parent / "data" / "whales.json"
ABILITIES = ("purge_hero", "unstealable", "triple", "universal")
COLOUR_OF = {**{name: number for number, name in enumerate(COLOURS)}, "any": len(COLOURS)}
MARKS = ("rulebook", "sourced", "assumed")
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
    return _own() if not path else _read(Path(path))


@lru_cache(maxsize=1)
def _own() -> WhalesData:
    return _read(DEFAULT)


def _read(path: Path) -> WhalesData:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON: {error}") from None
    try:
        return _checked(_Place(content, ""))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


class _Place:
    """A value of the file and where it stands."""

    def __init__(self, value: object, path: str) -> None:
        self.value, self.path = value, path

    def __getitem__(self, key: str) -> _Place:
        if not isinstance(self.value, Mapping):
            raise ValueError(f"{self.path or 'the file'}: an object expected")
        if key not in self.value:
            raise ValueError(f"{self.path or 'the file'}: {key!r} is missing")
        return _Place(self.value[key], f"{self.path}.{key}".lstrip("."))

    def marked(self) -> _Place:
        """This object, which must say where its figures come from."""
        self["mark"].one_of(MARKS)
        if not isinstance(self["source"].value, str):
            raise ValueError(f"{self.path}.source: a text expected")
        return self

    def items(self) -> list[_Place]:
        if not isinstance(self.value, list) or not self.value:
            raise ValueError(f"{self.path}: a list with at least one entry expected")
        return [_Place(value, f"{self.path}[{at}]") for at, value in enumerate(self.value)]

    def number(self, low: int = 0) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not low <= self.value <= MOST:
            raise ValueError(f"{self.path}: a whole number from {low} to {MOST} expected, not {str(self.value)[:40]!r}")
        return self.value

    def one_of(self, words: tuple[str, ...]) -> str:
        if not isinstance(self.value, str) or self.value not in words:
            raise ValueError(f"{self.path}: one of {', '.join(words)} expected, not {str(self.value)[:40]!r}")
        return self.value


def _checked(root: _Place) -> WhalesData:
    root["game"].marked()["id"].one_of(("whales",))
    setup = root["setup"].marked()
    colours = tuple(COLOUR_OF)
    whales = tuple(
        (
            COLOUR_OF[card["colour"].one_of(COLOURS)],
            card["value"].number(1),
            card["count"].number(),
            card["count_5plus"].number(),
        )
        for card in root["whales"].marked()["list"].items()
    )
    dolphins = []
    for card in root["dolphins"].marked()["list"].items():
        ability = card["ability"].one_of(ABILITIES)
        colour = card["colour"].one_of(colours[3:] if ability == "universal" else COLOURS)
        dolphins.append((ability, COLOUR_OF[colour], card["value"].number(1), card["count"].number()))
    heroes, turtles, roles = root["superheroes"].marked(), root["turtles"].marked(), root["roles"].marked()
    more = roles["expansion"].marked()
    return WhalesData(
        start_whales=_at_most(setup["start_whales"], 2),
        five_plus_from=setup["five_plus_removed_below"].number(),
        whales=whales,
        dolphins=tuple(dolphins),
        heroes=(heroes["count"].number(), heroes["count_5plus"].number()),
        turtles=(turtles["count"].number(), turtles["count_5plus"].number()),
        roles=tuple(
            (roles if role in ("whale", "spy") else more)[role].number(low=role in ("whale", "spy")) for role in ROLES
        ),
    )


def _at_most(place: _Place, most: int) -> int:
    """More starting whales could be a third of a colour, for which the setup has no rule."""
    if place.number(1) > most:
        raise ValueError(f"{place.path}: at most {most}")
    return place.number(1)
