"""What the rules leave to the cards and to options: the figures of the cards, checked, and the chosen readings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from thudstone.engine.cards.trol.tribe import IDS, KINDS, WEA
from thudstone.engine.game import Option, OptionValue

DEFAULT = Path(__file__).parent.parent / "data" / "trol.json"
MARKS = ("rulebook", "sourced", "assumed")
LANGUAGES = ("en", "cs")
MOST_PREY = 99  # kinds of prey: they are written with two digits
MOST_COPIES = 15  # of a tribe card: what four bits can count

OPTIONS = (
    Option("Data", "string", ""),
    Option("FirstPlayer", "combo", "random", choices=("random", "seat-1")),
    Option("StartPhase", "combo", "toss", choices=("toss", "day", "night")),
    Option("Team", "check", False),
    Option("Scoring", "combo", "win", choices=("win", "series")),
    Option("TrapInFirstTwo", "combo", "removed", choices=("removed", "illegal-by-day")),
    Option("BackstabberTargetsSelf", "check", True),
    Option("ShamanInBetrayal", "combo", "any-roll", choices=("any-roll", "copycat-only")),
    Option("ShamanRerollsSelf", "check", True),
    Option("CopycatMayDecline", "check", False),
    Option("TinyCountsRemoved", "check", False),
    Option("WeaklingFromHand", "combo", "in-line", choices=("in-line", "any-card")),
    Option("WeaklingFromHandEats", "check", False),
    Option("CookStack", "check", False),
    Option("SnappedTrapSurvives", "check", True),
    Option("FoodTie", "combo", "tied-stay", choices=("tied-stay", "nobody-out")),
    Option("FinalHunts", "combo", "left-to-right", choices=("left-to-right", "random")),
    Option("MostDangerous", "combo", "max-then-min", choices=("max-then-min", "min-then-max")),
)


@dataclass(frozen=True)
class Prey:
    """`low` to `high` is the damage that kills it and leaves something to eat, `food` the first shares."""

    code: str
    low: int
    high: int
    food: tuple[int, ...]
    skulls: int
    copies: int


@dataclass(frozen=True)
class Cards:
    """The figures. `tribe` and `masks` are by kind of tribe card, the former as a heap; `names` are by language, then
    by kind."""

    hand: int
    trap_food: int
    tribe: int
    weaklings: int
    masks: tuple[int, ...]
    names: dict[str, tuple[str, ...]]
    prey: tuple[Prey, ...]
    day_changes: int


class Book:
    """The figures and the readings that hold in one game. Shared by all copies of a state, never changed."""

    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        """ValueError where the data file is wrong."""
        self.cards = load(str(options["Data"]))
        self.random_first = options["FirstPlayer"] == "random"
        self.phase = str(options["StartPhase"])
        self.team = bool(options["Team"])
        self.series = options["Scoring"] == "series"
        self.trap_illegal = options["TrapInFirstTwo"] == "illegal-by-day"
        self.stab_self = bool(options["BackstabberTargetsSelf"])
        self.force_any_stab = options["ShamanInBetrayal"] == "any-roll"
        self.force_self = bool(options["ShamanRerollsSelf"])
        self.may_decline = bool(options["CopycatMayDecline"])
        self.tiny_counts_removed = bool(options["TinyCountsRemoved"])
        self.weakling_any_card = options["WeaklingFromHand"] == "any-card"
        self.weakling_eats = bool(options["WeaklingFromHandEats"])
        self.cook_stack = bool(options["CookStack"])
        self.trap_survives = bool(options["SnappedTrapSurvives"])
        self.tied_stay = options["FoodTie"] == "tied-stay"
        self.final_random = options["FinalHunts"] == "random"
        self.max_first = options["MostDangerous"] == "max-then-min"


def load(path: str) -> Cards:
    """The figures of a file; the game's own for an empty path. ValueError names the file, the place and the reason."""
    return _own() if not path else _read(Path(path))


@lru_cache(maxsize=1)
def _own() -> Cards:
    return _read(DEFAULT)


def _read(path: Path) -> Cards:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON: {error}") from None
    try:
        return _checked(content)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _checked(content: object) -> Cards:
    setup, play = _part(content, "setup"), _part(content, "play")
    kinds: dict[str, tuple[int, int]] = {}
    names: dict[tuple[str, str], str] = {}
    for at, card in enumerate(_list(_part(content, "tribe"), "tribe")):
        place = f"tribe.list[{at}]"
        name = _field(card, "id", place)
        if name not in IDS or name in kinds:
            raise ValueError(f"{place}.id: {name!r}: each of {', '.join(IDS)} once expected")
        for language in LANGUAGES:
            names[language, str(name)] = _text(card, f"name_{language}", place)
        kinds[str(name)] = (_number(card, "count", place, 0, MOST_COPIES), _number(card, "masks", place, 0, 99))
    missing = [name for name in IDS if name not in kinds]
    if missing:
        raise ValueError(f"tribe.list: {missing[0]} is missing")
    tribe = sum(kinds[name][0] << 4 * kind for kind, name in enumerate(IDS))
    total = sum(copies for copies, _ in kinds.values())
    if total != 16:
        raise ValueError(f"tribe.list: the counts add up to {total}, should be 16")
    prey = []
    for at, card in enumerate(_list(_part(content, "prey"), "prey")):
        place = f"prey.list[{at}]"
        food = _field(card, "food", place)
        if not isinstance(food, list) or len(food) != 3 or not all(type(f) is int and 0 <= f <= 99 for f in food):
            raise ValueError(f"{place}.food: three numbers from 0 to 99 expected")
        low = _number(card, "min", place, 1, 999)
        high = _number(card, "max", place, low, 999)
        skulls, copies = _number(card, "skulls", place, 0, 99), _number(card, "count", place, 1, 99)
        prey.append(Prey(f"P{at + 1:02}", low, high, tuple(food), skulls, copies))
    if len(prey) > MOST_PREY or sum(card.copies for card in prey) < 5:
        raise ValueError(f"prey.list: at least 5 cards of at most {MOST_PREY} kinds expected")
    return Cards(
        hand=_number(setup, "hand", "setup", 2, 16),
        trap_food=_number(play, "trap_food", "play", 0, 99),
        tribe=tribe,
        weaklings=kinds[IDS[WEA]][0],
        masks=tuple(kinds[IDS[kind]][1] for kind in range(KINDS)),
        names={language: tuple(names[language, name] for name in IDS) for language in LANGUAGES},
        prey=tuple(prey),
        day_changes=_number(_part(content, "day_change"), "count", "day_change", 0, 99),
    )


def _part(content: object, name: str) -> object:
    """A part of the file, which must say where its figures come from."""
    part = _field(content, name, "")
    if _field(part, "mark", name) not in MARKS:
        raise ValueError(f"{name}.mark: one of {', '.join(MARKS)} expected")
    _text(part, "source", name)
    return part


def _text(value: object, name: str, place: str) -> str:
    text = _field(value, name, place)
    if not isinstance(text, str) or not text:
        raise ValueError(f"{place}.{name}: a text expected")
    return text


def _field(value: object, name: str, place: str) -> object:
    if not isinstance(value, dict):
        raise ValueError(f"{place or 'the file'}: an object expected")
    if name not in value:
        raise ValueError(f"{place or 'the file'}: {name!r} is missing")
    return value[name]


def _list(part: object, place: str) -> list[object]:
    found = _field(part, "list", place)
    if not isinstance(found, list):
        raise ValueError(f"{place}.list: a list expected")
    return found


def _number(value: object, name: str, place: str, low: int, high: int) -> int:
    number = _field(value, name, place)
    if type(number) is not int or not low <= number <= high:
        raise ValueError(f"{place}.{name}: a number from {low} to {high} expected")
    return number
