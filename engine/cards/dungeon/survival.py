"""How likely a hero comes out of the dungeon alive, as far as somebody knows its cards.

The damage of a set of cards is the sum of theirs, so the sets that a hero survives can be counted: of the unseen cards
any can lie in the dungeon, each set of them as likely as another. A polynomial counts them, in x for each unseen card
chosen and in y for each point of damage; its coefficients lie side by side in one long number, so that a card is a
shift and an addition. What depends on the order of the cards is taken as it is on average; the tests hold this against
expeditions played out.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, lcm

from thudstone.engine.cards.dungeon.book import Book
from thudstone.engine.cards.dungeon.kinds import ALLY, CODES, CUBE
from thudstone.engine.cards.dungeon.stages import NONE
from thudstone.engine.cards.dungeon.tiles import MOST_TILES, Hero

NEXT_WORTH = 3  # damage saved when the card that follows is defeated, on average
FLUTE_WORTH = 1  # the same for one point off all later damage
TILE_WORTH = 1  # what a tile given up is worth that adds no HP
MOST_KEPT = 1 << 16  # results and costs remembered, about 20 MB; then all are forgotten

_SCALE = lcm(*range(1, 20))  # so that a number of sets can be divided by a number of cards
_ONE, _KNOWN, _TWO = range(3)  # an unseen card, one that is there, two of a kind of which one defeats the other

_STREAK = 1 << MOST_TILES  # as if it were a tile of its own: a streak defeats two monsters, on average

# Damage that a kind of card does (below zero where it helps), and the tiles as bits that can defeat it once.
Costs = tuple[tuple[int, int], ...]


class Survival:
    """For one book. What was found is remembered; it depends on nothing else than what is asked."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._costs: dict[tuple[int, ...], Costs] = {}
        self._chances: dict[tuple[object, ...], float] = {}

    def costs(
        self, hero: Hero, tiles: int, named: int, position: int, successes: int, flute: int = 0, seen: int = 0
    ) -> Costs:
        """What each kind of card does that comes about `position`th. `seen` are identities that were there before."""
        if not hero.repeated & tiles:
            seen = 0
        key = (hero.number, tiles, named, position, successes > 0, flute, seen)
        found = self._costs.get(key)
        if found is None:
            if len(self._costs) >= MOST_KEPT:
                self._costs.clear()
            costs = [
                self._cost(hero, tiles, named, kind, position, successes, flute, seen) for kind in range(len(CODES))
            ]
            found = self._costs[key] = tuple(costs)
        return found

    def _cost(
        self, hero: Hero, tiles: int, named: int, kind: int, position: int, successes: int, flute: int, seen: int
    ) -> tuple[int, int]:
        book = self._book
        if kind == ALLY:
            return -NEXT_WORTH, 0
        if kind == CUBE:
            # The cheapest tile goes: one that adds no HP, or the one that adds least.
            return min((tile.hp or TILE_WORTH for tile in hero.some(tiles)), default=0), 0
        strength = book.strength(kind, position, hero.number_of[tiles], successes)
        identity = book.identity(kind, position, successes)
        use = hero.defeating(strength, identity) & tiles
        if tiles == hero.smoke:
            use = 0
        if identity >= 0 and seen >> identity & 1:
            use |= hero.repeated & tiles
        if hero.named & tiles:
            names = hero.tile(hero.named).named
            # Not named yet: one that few monsters have will be named.
            if strength == (names[len(names) // 2] if named == NONE else named):
                use |= hero.named
        once = use & (hero.gives_once | hero.streak)
        sure = use & ~once
        if once & hero.streak:
            once |= _STREAK
        if sure:
            best = 0
            for tile in hero.some(sure):
                gain = strength * tile.gains + NEXT_WORTH * tile.defeats_next + FLUTE_WORTH * tile.later_less
                best = max(best, gain)
            return -best, 0
        return max(strength - hero.less[tiles] - flute, 0), once

    def chance(
        self,
        hero: Hero,
        tiles: int,
        hp: int,
        costs: Costs,
        known: tuple[int, ...],
        unknown: int,
        pool: int,
    ) -> float:
        """With the `known` cards and `unknown` ones of the heap `pool` still to come."""
        if not known and not unknown:
            return float(hp > 0)
        key = (hero.number, tiles, hp, costs, known, unknown, pool)
        found = self._chances.get(key)
        if found is None:
            if len(self._chances) >= MOST_KEPT:
                self._chances.clear()
            found = self._chances[key] = _Count(hero, tiles, hp, costs, unknown).chance(known, pool)
        return found


@lru_cache(maxsize=4096)
def _below(bits: int, rows: int, width: int, high: int) -> int:
    """A mask of the coefficients of y below `high`, in all rows; each has so many bits."""
    row = (1 << bits * max(min(high, width), 0)) - 1
    return sum(row << bits * width * at for at in range(rows))


Polys = dict[int, int]  # by the tiles that were used up


class _Count:
    """Counts sets of cards. Row k of a polynomial holds sets of k unseen cards by their damage, from -`gain` on.

    Each copy is taken in turn, the worst ones first, so a tile that defeats once meets the worst that it can. With the
    Bones `freed` holds the sets in which the damage of one card isn't counted, for each of its cards: the deadly hit.
    """

    def __init__(self, hero: Hero, tiles: int, hp: int, costs: Costs, unknown: int) -> None:
        self._hero, self._tiles, self._costs, self._unknown = hero, tiles, costs, unknown
        self._low = hero.tile(hero.low & tiles) if hero.low & tiles else None
        self._revives = hero.tile(hero.revives & tiles).revives if hero.revives & tiles else 0
        self._hp = hp
        # What the Smoke Bomb costs: the cheapest of the other tiles.
        self._price = min((tile.hp or TILE_WORTH for tile in hero.some(tiles & ~hero.smoke)), default=0)
        self._harmless = self._total = self._gain = 0

    def chance(self, known: tuple[int, ...], pool: int) -> float:
        copies = self._copies(known, pool)
        whole = comb(self._total, self._unknown)
        if not whole:
            return 0.0
        self._gain = -sum(damage for damage, _, _ in copies if damage < 0)
        if self._hero.minds & self._tiles:
            self._gain += max((damage for damage, once, _ in copies if once & self._hero.minds), default=0)
        scale = _SCALE if self._revives else 1
        largest = comb(self._total, min(self._unknown, self._total // 2)) * scale
        self._bits = (largest * (len(copies) + 1)).bit_length() + 1
        self._rows = self._unknown + 1
        self._width = self._hp + 2 * self._gain  # damage may for a time be more than the HP where gains come, too
        self._row = self._bits * self._width
        self._every = (1 << self._row * self._rows) - 1
        if self._low is not None:
            # With the Harp the order matters: the mean of the worst ones first and last.
            return (self._count(copies) + self._count(copies[::-1])) / 2 / whole / scale
        return self._count(copies) / whole / scale

    def _copies(self, known: tuple[int, ...], pool: int) -> list[tuple[int, int, int]]:
        """The cards that matter, the worst first: damage, tiles that defeat it once, and what sort it is."""
        costs = self._costs
        repeated = self._hero.repeated & self._tiles
        copies = [
            (*costs[card], _KNOWN)
            for at, card in enumerate(known)
            if costs[card][0] and not (repeated and costs[card][0] > 0 and card in known[:at])
        ]
        for kind, (damage, once) in enumerate(costs):
            number = pool >> 4 * kind & 15
            if not number:
                continue
            self._total += number
            if damage == 0 or (repeated and damage > 0 and kind in known):
                self._harmless += number
            elif repeated and number == 2 and damage > 0:
                copies.append((damage, once, _TWO))
            else:
                copies += [(damage, once, _ONE)] * number
        copies.sort(key=lambda each: -each[0])
        return copies

    def _count(self, copies: list[tuple[int, int, int]]) -> float:
        if not (self._revives or self._low or any(once for _, once, _ in copies)):
            return self._alive(self._plainly(copies))
        sets: Polys = {0: 1 << self._bits * self._gain}
        freed: Polys = {}
        revives = self._revives
        hits = sum(sort == _KNOWN and damage > 0 for damage, _, sort in copies)
        for damage, once, sort in copies:
            if revives and damage < 0:
                sets, freed, revives = self._revived(sets, freed, hits), {}, 0
            step = int(sort != _KNOWN)
            after = self._taken(sets, damage, once, step)
            after_freed = self._taken(freed, damage, once, step) if freed else {}
            if revives:
                for used, poly in sets.items():
                    if not once & ~used:
                        after_freed[used] = after_freed.get(used, 0) + self._more(poly, 0, step)
            if sort == _KNOWN:
                sets, freed = after, after_freed
                continue
            for polys, more in ((sets, after), (freed, after_freed)):
                for used, poly in more.items():
                    if sort == _TWO:
                        # Either of the two, or both, and then the second one is harmless.
                        poly = 2 * poly + (poly << self._row & self._every)
                    polys[used] = polys.get(used, 0) + poly
        if revives:
            sets = self._revived(sets, freed, hits)
        return self._alive(sum(sets.values()))

    def _plainly(self, copies: list[tuple[int, int, int]]) -> int:
        """The same for a hero of whom nothing but the sum of the damage is asked."""
        poly, bits, rows, width, row = 1 << self._bits * self._gain, self._bits, self._rows, self._width, self._row
        every = self._every
        for damage, _, sort in copies:
            if damage > 0:
                more = (poly & _below(bits, rows, width, width - damage)) << bits * damage
            else:
                more = poly >> bits * -damage
            if sort == _KNOWN:
                poly = more
            elif sort == _ONE:
                poly += more << row & every
            else:
                poly += ((more << 1) + (more << row)) << row & every
        return poly

    def _more(self, poly: int, damage: int, step: int) -> int:
        """The sets with a further card, unless it is too much for the hero."""
        bits, rows, width, low = self._bits, self._rows, self._width, self._low
        if low is not None and damage > 0:
            soft = min(damage, low.odd_damage if damage & 1 else low.even_damage)
            high = _below(bits, rows, width, self._hp + self._gain - low.low + 1)
            poly = ((poly & high & _below(bits, rows, width, width - damage)) << bits * damage) + (
                (poly & ~high & _below(bits, rows, width, width - soft)) << bits * soft
            )
        elif damage > 0:
            poly = (poly & _below(bits, rows, width, width - damage)) << bits * damage
        elif damage < 0:
            poly >>= bits * -damage
        return poly << self._row * step & self._every

    def _taken(self, polys: Polys, damage: int, once: int, step: int) -> Polys:
        hero = self._hero
        found: Polys = {}
        for used, poly in polys.items():
            free = once & ~used
            harm, after = damage, used
            if free:
                bit = free & -free
                harm = -damage if bit & hero.minds else min(self._price, damage) if bit & hero.smoke else 0
                after = used | bit
            found[after] = found.get(after, 0) + self._more(poly, harm, step)
        return found

    def _revived(self, sets: Polys, freed: Polys, hits: int) -> Polys:
        """The sets that are survived with the Bones, _SCALE times. The deadly hit must be the last one, which each card
        that does damage is as often as another."""
        row, bits = self._row, self._bits
        every = (1 << row) - 1
        enough = (1 << bits * max(self._hp + self._gain - self._revives + 1, 0)) - 1
        found: Polys = {}
        for used, poly in sets.items():
            revived = freed.get(used, 0)
            result = 0
            for k in range(self._rows):
                cards = k + hits - used.bit_count()
                if cards > 0:
                    result |= (revived >> row * k & enough) * _SCALE // cards << row * k
                else:
                    result |= (poly >> row * k & every) * _SCALE << row * k
            found[used] = result
        return found

    def _alive(self, sets: int) -> float:
        """How many sets leave the hero alive. The sum of the coefficients of a row is its remainder by `most`."""
        row, bits = self._row, self._bits
        most, enough = (1 << bits) - 1, (1 << bits * (self._hp + self._gain)) - 1
        alive = 0
        for k in range(self._rows):
            rest = comb(self._harmless, self._unknown - k)
            if rest:
                alive += (sets >> row * k & enough) % most * rest
        return float(alive)
