"""What the rules leave to the cards and to options: the figures of the data file, and the chosen readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from thudstone.engine.cards.datafile import Place, read
from thudstone.engine.cards.dungeon.kinds import (
    CODES,
    COUNT,
    FAIRY,
    FIRST_SPECIAL,
    IDS,
    MIMIC,
    MONSTERS,
    MOST_COPIES,
    ONE,
    SHAPESHIFTER,
    SPECIALS,
    VAMPIRE,
    listed,
)
from thudstone.engine.cards.dungeon.tiles import MOST_HP, Hero, read_hero
from thudstone.engine.game import Option, OptionValue

DEFAULT = Path(__file__).parent.parent / "data" / "dungeon.json"
MOST_HEROES = 9

OPTIONS = (
    Option("Data", "string", ""),
    Option("FirstPlayer", "combo", "random", choices=("random", "seat-1")),
    Option("FirstHero", "combo", "random", choices=("random", "chosen")),
    Option("SpecialsPublic", "check", True),
    Option("AuthorVariant", "check", False),
    Option("AuthorScope", "combo", "first-laps", choices=("first-laps", "first-lap", "first-round")),
    Option("Rex", "check", False),
    Option("Successor", "combo", "left", choices=("left", "random")),
    Option("EmptyDungeon", "combo", "success", choices=("success", "failure")),
    Option("SingleUseOptional", "check", True),
    Option("SwordMatches", "combo", "strength", choices=("strength", "identity")),
    Option("HarpCaps", "check", False),
    Option("CollarChains", "check", False),
    Option("CoinLostToSpecials", "check", True),
    Option("BonesHelpAgainstCube", "check", True),
    Option("SmokeBomb", "combo", "discard-other", choices=("discard-other", "free")),
    Option("SmokeBombBeatsCube", "check", True),
    Option("MindControlBeatsCube", "check", False),
    Option("ShowRest", "check", False),
    Option("HpCap", "spin", 0, 0, MOST_HP),
)
DEFAULTS: dict[str, OptionValue] = {option.name: option.default for option in OPTIONS}


@dataclass(frozen=True)
class Cards:
    """The figures. `strength` is by kind of regular monster, `names` by language, then by kind; `monsters` and
    `specials` are heaps."""

    names: tuple[tuple[str, ...], tuple[str, ...]]
    strength: tuple[int, ...]
    monsters: int
    specials: int
    drawn_specials: int
    count_strength: tuple[int, int]
    heroes: tuple[Hero, ...]
    successes: int
    failures: int


class Book:
    """The figures and the readings that hold in one game. Shared by all copies of a state, never changed."""

    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        """ValueError where the data file is wrong."""
        options = {**DEFAULTS, **options}
        self.cards = load(str(options["Data"]))
        self.deck_size = len(listed(self.cards.monsters)) + self.cards.drawn_specials
        self.random_first = options["FirstPlayer"] == "random"
        self.random_hero = options["FirstHero"] == "random"
        self.specials_public = bool(options["SpecialsPublic"])
        self.author = str(options["AuthorScope"]) if options["AuthorVariant"] else ""
        self.rex = bool(options["Rex"])
        self.random_successor = options["Successor"] == "random"
        self.empty_succeeds = options["EmptyDungeon"] == "success"
        self.once_optional = bool(options["SingleUseOptional"])
        self.sword_by_strength = options["SwordMatches"] == "strength"
        self.harp_caps = bool(options["HarpCaps"])
        self.collar_chains = bool(options["CollarChains"])
        self.coin_lost_to_specials = bool(options["CoinLostToSpecials"])
        self.bones_help_against_cube = bool(options["BonesHelpAgainstCube"])
        self.bomb_costs = options["SmokeBomb"] == "discard-other"
        self.bomb_beats_cube = bool(options["SmokeBombBeatsCube"])
        self.mind_beats_cube = bool(options["MindControlBeatsCube"])
        self.show_rest = bool(options["ShowRest"])
        self.hp_cap = int(options["HpCap"]) or 10 * MOST_HP
        self.choosing = [f"hero{hero.code}" for hero in self.cards.heroes]

    def strength(self, kind: int, position: int, tiles: int, successes: int) -> int:
        """The strength of a card that comes `position`th while the hero has so many tiles and his player so many
        successes; -1 for none."""
        if kind < FIRST_SPECIAL:
            return self.cards.strength[kind]
        if kind == SHAPESHIFTER:
            return position
        if kind == MIMIC:
            return tiles
        if kind == COUNT:
            return self.cards.count_strength[successes > 0]
        return 0 if kind == FAIRY else -1

    @staticmethod
    def identity(kind: int, position: int, successes: int) -> int:
        """Which regular monster a card counts as; -1 for none."""
        if kind < FIRST_SPECIAL:
            return kind
        if kind == SHAPESHIFTER and position <= FIRST_SPECIAL:
            return position - 1
        return VAMPIRE if kind == COUNT and not successes else -1


def load(path: str) -> Cards:
    """The figures of a file; the game's own for an empty path. ValueError names the file, the place and the reason."""
    return _own() if not path else _checked(_read(Path(path)))


@lru_cache(maxsize=1)
def _own() -> Cards:
    return _checked(_read(DEFAULT))


def _read(path: Path) -> Place:
    return read(path, "dungeon", "setup", "end", "monsters", "specials", "heroes")


def _checked(root: Place) -> Cards:
    monsters, specials = root["monsters"].only("list"), root["specials"]
    specials.only("count_strength", "count_strength_after_success", "list")
    names: dict[int, tuple[str, str]] = {}
    counts: dict[int, int] = {}
    strength: dict[int, int] = {}
    for part, ids, most in ((monsters, MONSTERS, MOST_COPIES), (specials, SPECIALS, 1)):
        for card in part["list"].items(len(ids), len(ids)):
            fields = ("id", "name_en", "name_cs", "strength", "count")
            card.only(*fields) if most > 1 else card.only(*fields[:3], "count")
            kind = IDS.index(card["id"].one_of(ids))
            if kind in names:
                raise card["id"].wrong(f"{IDS[kind]} stands there twice")
            names[kind] = (card["name_en"].text(), card["name_cs"].text())
            counts[kind] = card["count"].number(0, most)
            if most > 1:
                strength[kind] = card["strength"].number(1, MOST_HP)
    heap = sum(ONE[kind] * counts[kind] for kind in range(len(IDS)))
    low = FIRST_SPECIAL * 4
    specials_heap = heap >> low << low
    per_game = root["setup"].only("specials_per_game")["specials_per_game"]
    drawn = per_game.number(0, len(SPECIALS))
    if drawn > len(listed(specials_heap)):
        raise per_game.wrong(f"there are only {len(listed(specials_heap))} special monsters")
    if heap == specials_heap:
        raise monsters["list"].wrong("there are no monsters")
    heroes = tuple(
        read_hero(number, hero) for number, hero in enumerate(root["heroes"].only("list")["list"].items(1, MOST_HEROES))
    )
    codes = [hero.code for hero in heroes]
    if len(set(codes)) < len(codes):
        raise root["heroes"]["list"].wrong("two heroes have the same code")
    end = root["end"].only("successes_to_win", "failures_to_be_out")
    return Cards(
        names=(
            tuple(names[kind][0] for kind in range(len(CODES))),
            tuple(names[kind][1] for kind in range(len(CODES))),
        ),
        strength=tuple(strength[kind] for kind in range(FIRST_SPECIAL)),
        monsters=heap - specials_heap,
        specials=specials_heap,
        drawn_specials=drawn,
        count_strength=(
            specials["count_strength"].number(0, MOST_HP),
            specials["count_strength_after_success"].number(0, MOST_HP),
        ),
        heroes=heroes,
        successes=end["successes_to_win"].number(1, 9),
        failures=end["failures_to_be_out"].number(1, 9),
    )
