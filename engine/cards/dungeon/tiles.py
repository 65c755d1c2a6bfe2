"""Heroes and their equipment. Which tiles a hero has is a number, one bit a tile in the order of the data file."""

from __future__ import annotations

from dataclasses import dataclass

from thudstone.engine.cards.datafile import Place
from thudstone.engine.cards.dungeon.kinds import MONSTERS

MOST_TILES = 6
MOST_HP = 99
_PARITIES = ("even", "odd")
_SINGLE = ("named", "streak", "low", "revives")  # effects of which a hero has one at most


@dataclass(frozen=True)
class Tile:
    """`defeats_*` say which monsters it defeats: identities as bits, strengths from `weakest` to `strongest`, a parity
    (0 even, 1 odd, -1 none); the rest what else it does."""

    code: str
    names: tuple[str, str]
    hp: int = 0
    identities: int = 0
    weakest: int = 0
    strongest: int = -1
    parity: int = -1
    any: bool = False
    repeated: bool = False
    named: tuple[int, ...] = ()
    discards: bool = False
    streak: bool = False  # defeats on until a monster comes that neither it nor another tile defeats
    gains: bool = False  # the hero gains the strength of what it defeats
    defeats_next: bool = False  # and what follows, too
    later_less: int = 0  # less damage from what comes after each one it defeated
    less: int = 0  # less damage from everything
    low: int = 0  # with fewer HP than this the damage is `odd_damage` or `even_damage`
    odd_damage: int = 0
    even_damage: int = 0
    revives: int = 0  # HP before a deadly hit from which it brings the hero back
    revived: int = 0
    smoke: bool = False  # can't be given up in bidding, and needs other equipment

    @property
    def mind(self) -> bool:
        """Whether it defeats by strength and makes it the hero's own."""
        return self.gains and self.strongest >= 0

    def defeats(self, strength: int, identity: int) -> bool:
        """By what it says of strength, parity and identity (-1 for none); repetition and naming are not asked here."""
        return (
            self.any
            or (identity >= 0 and bool(self.identities >> identity & 1))
            or self.weakest <= strength <= self.strongest
            or (strength >= 0 and strength % 2 == self.parity)
        )


class Hero:
    """A hero with what follows from each set of its tiles, worked out once."""

    def __init__(self, number: int, code: str, names: tuple[str, str], hp: int, tiles: tuple[Tile, ...]) -> None:
        self.number, self.code, self.names, self.hp, self.tiles = number, code, names, hp, tiles
        self.all = (1 << len(tiles)) - 1
        self.bit = {tile.code: 1 << at for at, tile in enumerate(tiles)}
        sets = range(self.all + 1)
        self.total = [hp + sum(tile.hp for tile in self.some(tile_set)) for tile_set in sets]
        self.less = [sum(tile.less for tile in self.some(tile_set)) for tile_set in sets]
        self.number_of = [tile_set.bit_count() for tile_set in sets]
        self.gives_up = {f"x{code}": bit for code, bit in self.bit.items()}
        self.giving_up = [[token for token, bit in self.gives_up.items() if bit & tile_set] for tile_set in sets]
        self.smoke = self._mask("smoke")
        self.placing = [["add", *self.giving_up[tile_set & ~self.smoke]] for tile_set in sets]
        self.asking = {bit: [f"use{code}", f"no{code}"] for code, bit in self.bit.items()}
        self.gives_once = self._mask("discards")
        self.streak, self.repeated, self.named = self._mask("streak"), self._mask("repeated"), self._mask("named")
        self.minds, self.revives, self.low = self._mask("mind"), self._mask("revives"), self._mask("low")
        self.next = self._mask("defeats_next")
        self.plain = self.all & ~sum(
            1 << at
            for at, tile in enumerate(tiles)
            if tile.discards or tile.streak or tile.gains or tile.defeats_next or tile.later_less or tile.smoke
        )
        self._defeating: dict[tuple[int, int], int] = {}

    def _mask(self, effect: str) -> int:
        return sum(1 << at for at, tile in enumerate(self.tiles) if getattr(tile, effect))

    def some(self, tile_set: int) -> list[Tile]:
        return [tile for at, tile in enumerate(self.tiles) if tile_set >> at & 1]

    def tile(self, bit: int) -> Tile:
        return self.tiles[bit.bit_length() - 1]

    def defeating(self, strength: int, identity: int) -> int:
        """The tiles that defeat such a monster by what they say of it."""
        key = (strength, identity)
        found = self._defeating.get(key)
        if found is None:
            found = sum(1 << at for at, tile in enumerate(self.tiles) if tile.defeats(strength, identity))
            self._defeating[key] = found
        return found


def read_hero(number: int, place: Place) -> Hero:
    """A hero of the data file. ValueError names the place."""
    place.only("id", "code", "name_en", "name_cs", "hp", "tiles")
    place["id"].text()
    tiles = tuple(_read_tile(tile) for tile in place["tiles"].items(0, MOST_TILES))
    codes = [tile.code for tile in tiles]
    for code in codes:
        if codes.count(code) > 1:
            raise place["tiles"].wrong(f"two tiles have the code {code}")
    for effect in _SINGLE:
        if sum(bool(getattr(tile, effect)) for tile in tiles) > 1:
            raise place["tiles"].wrong(
                "at most one tile that names a strength, one with a streak, one with_hp_below, one revives"
            )
    names = (place["name_en"].text(), place["name_cs"].text())
    return Hero(number, _code(place["code"]), names, place["hp"].number(1, MOST_HP), tiles)


def _code(place: Place) -> str:
    code = place.text()
    if not (code.isascii() and code.isalpha() and code.isupper() and 2 <= len(code) <= 4):
        raise place.wrong(f"2 to 4 capital letters expected, not {code[:40]!r}")
    return code


def _read_tile(place: Place) -> Tile:
    place.only("code", "name_en", "name_cs", "effect", "discards")
    effect = place["effect"].only(
        "hp",
        "defeats_identity",
        "defeats_strength",
        "defeats_parity",
        "defeats_any",
        "defeats_repeated_identity",
        "defeats_named_strength",
        "streak",
        "gains_strength",
        "defeats_next",
        "later_damage_less",
        "damage_less",
        "with_hp_below",
        "odd_damage",
        "even_damage",
        "revives_from_hp",
        "revived_hp",
        "smoke",
    )

    def number(name: str, low: int = 0, high: int = MOST_HP) -> int:
        return effect[name].number(low, high) if name in effect else 0

    def flag(name: str) -> bool:
        return name in effect and effect[name].flag()

    identities, weakest, strongest, parity = 0, 0, -1, -1
    named: tuple[int, ...] = ()
    if "defeats_identity" in effect:
        for each in effect["defeats_identity"].items(1, len(MONSTERS)):
            identities |= 1 << MONSTERS.index(each.one_of(MONSTERS))
    if "defeats_strength" in effect:
        ends = [each.number(0, MOST_HP) for each in effect["defeats_strength"].items(2, 2)]
        if ends[0] > ends[1]:
            raise effect["defeats_strength"].wrong("the weakest, then the strongest expected")
        weakest, strongest = ends
    if "defeats_parity" in effect:
        parity = _PARITIES.index(effect["defeats_parity"].one_of(_PARITIES))
    if "defeats_named_strength" in effect:
        named = tuple(each.number(0, MOST_HP) for each in effect["defeats_named_strength"].items(1, 9))
        if len(set(named)) < len(named):
            raise effect["defeats_named_strength"].wrong("a strength stands there twice")
    low = number("with_hp_below", 1)
    revives = number("revives_from_hp", 1)
    return Tile(
        code=_code(place["code"]),
        names=(place["name_en"].text(), place["name_cs"].text()),
        hp=number("hp", 1),
        identities=identities,
        weakest=weakest,
        strongest=strongest,
        parity=parity,
        any=flag("defeats_any"),
        repeated=flag("defeats_repeated_identity"),
        named=named,
        discards=place["discards"].flag(),
        streak=flag("streak"),
        gains=flag("gains_strength"),
        defeats_next=flag("defeats_next"),
        later_less=number("later_damage_less", 1),
        less=number("damage_less", 1),
        low=low,
        odd_damage=effect["odd_damage"].number(0, MOST_HP) if low else 0,
        even_damage=effect["even_damage"].number(0, MOST_HP) if low else 0,
        revives=revives,
        revived=effect["revived_hp"].number(1, MOST_HP) if revives else 0,
        smoke=flag("smoke"),
    )
