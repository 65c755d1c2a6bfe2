"""What the rules leave to the cards and to options: the figures of the cards, checked, and the chosen readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from thudstone.engine.cards.datafile import Place, read
from thudstone.engine.cards.trol.tribe import IDS, KINDS, WEA
from thudstone.engine.game import Option, OptionValue

DEFAULT = Path(__file__).parent.parent / "data" / "trol.json"
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
    return _own() if not path else _checked(_read(Path(path)))


@lru_cache(maxsize=1)
def _own() -> Cards:
    return _checked(_read(DEFAULT))


def _read(path: Path) -> Place:
    return read(path, "trol", "setup", "play", "tribe", "prey", "day_change")


def _checked(root: Place) -> Cards:
    tribe, prey = root["tribe"].only("list")["list"], root["prey"].only("list")["list"]
    counts, masks = [0] * KINDS, [0] * KINDS
    names: dict[str, list[str]] = {language: [""] * KINDS for language in LANGUAGES}
    found: list[int] = []
    for card in tribe.items(KINDS, KINDS):
        card.only("id", "count", "masks", *(f"name_{language}" for language in LANGUAGES))
        kind = IDS.index(card["id"].one_of(IDS))
        if kind in found:
            raise card["id"].wrong(f"{IDS[kind]} stands there twice")
        found.append(kind)
        counts[kind], masks[kind] = card["count"].number(0, MOST_COPIES), card["masks"].number(0, 99)
        for language in LANGUAGES:
            names[language][kind] = card[f"name_{language}"].text()
    if sum(counts) != 16:
        raise tribe.wrong(f"the counts add up to {sum(counts)}, should be 16")
    kinds = tuple(_prey(f"P{number:02}", card) for number, card in enumerate(prey.items(1, MOST_PREY), 1))
    if sum(card.copies for card in kinds) < 5:
        raise prey.wrong("at least 5 cards expected")
    return Cards(
        hand=root["setup"].only("hand")["hand"].number(2, 16),
        trap_food=root["play"].only("trap_food")["trap_food"].number(0, 99),
        tribe=sum(count << 4 * kind for kind, count in enumerate(counts)),
        weaklings=counts[WEA],
        masks=tuple(masks),
        names={language: tuple(names[language]) for language in LANGUAGES},
        prey=kinds,
        day_changes=root["day_change"].only("count")["count"].number(0, 99),
    )


def _prey(code: str, card: Place) -> Prey:
    card.only("min", "max", "food", "skulls", "count")
    low = card["min"].number(1, 999)
    return Prey(
        code,
        low,
        card["max"].number(low, 999),
        tuple(share.number(0, 99) for share in card["food"].items(3, 3)),
        card["skulls"].number(0, 99),
        card["count"].number(1, 99),
    )
