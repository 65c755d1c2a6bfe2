"""What a hunt will come to: the distribution of its damage, and what each tribe can expect of it.

The sums of dice are exact. What their owners will decide is not known and is taken so: nobody is betrayed, no roll is
forced, a Weakling adds 1, the Chief and the Shaman take red dice unless white ones make success likelier. A card that
isn't known is any card of a full tribe.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from thudstone.engine.cards.trol import dice
from thudstone.engine.cards.trol.book import Cards
from thudstone.engine.cards.trol.tribe import (
    BAC,
    CHI,
    COP,
    DAU,
    DOG,
    HIDDEN,
    KIND,
    KINDS,
    PUN,
    SHA,
    TIN,
    TRA,
    TRK,
    WEA,
    acts_as,
    listed,
)

Attack = tuple[int, int, int]  # red dice, white dice, fixed damage
ANYTHING: Attack = (-1, 0, 0)  # the attack of a card that isn't known
KNOWN = 0x7F  # the bits of a card that a forecast looks at
MOST_KEPT = 200_000
_FIXED = {WEA: 1, DOG: 2, COP: 2}  # a Copycat where it is not known what it copies


class Outlook(NamedTuple):
    """How likely failure and success are, and for each card still to attack that it shreds the prey; `over` is 1
    where it is shredded already."""

    fail: float
    success: float
    shreds: tuple[float, ...]
    over: float


class Expected(NamedTuple):
    """Food, masks and skulls that each tribe can expect."""

    food: tuple[float, ...]
    masks: tuple[float, ...]
    skulls: tuple[float, ...]


@lru_cache(maxsize=65536)
def _anything(heap: int) -> tuple[float, ...]:
    """The damage of any card of the heap, in a line of middling length."""
    kinds = listed(heap)
    damages = [0.0] * 17
    for kind in kinds:
        reds, whites, fixed = _attack(kind, 2, 3, 1)
        for damage, chance in enumerate(dice.distribution(reds, whites), fixed):
            damages[damage] += chance / len(kinds)
    return tuple(damages)


def _attack(kind: int, before: int, trolls: int, punchers: int) -> Attack:
    if kind == TRK:
        return (2, 0, 0)
    if kind == PUN:
        return (0, punchers, 0)
    if kind in (BAC, SHA):
        return (1, 0, 0)
    if kind == CHI:
        return (3, 0, 0)
    if kind == TIN:
        return (max(1, 4 - before), 0, 0)
    return (0, 0, trolls if kind == DAU else _FIXED.get(kind, 0))


@lru_cache(maxsize=65536)
def attacks(line: tuple[int, ...], white: bool = False) -> tuple[Attack, ...]:
    """The attack of each card. `white`: the Chief and the Shaman take white dice."""
    kinds = [card & KIND if card & KIND != COP else acts_as(line, at) for at, card in enumerate(line)]
    trolls = sum([card & KIND < DOG or card & KIND == HIDDEN for card in line])
    punchers = kinds.count(PUN)
    found = []
    for at, kind in enumerate(kinds):
        if kind == HIDDEN:
            found.append(ANYTHING)
        elif white and kind in (CHI, SHA):
            found.append((0, 3 if kind == CHI else 1, 0))
        else:
            found.append(_attack(kind, at, trolls, punchers))
    return tuple(found)


class Forecasts:
    """Forecasts under the figures of one game's cards; they are kept, since the same lines come again and again."""

    def __init__(self, cards: Cards, tribes: int) -> None:
        self.cards, self.tribes = cards, tribes
        self._unknown = _anything(cards.tribe)
        self._sums: dict[tuple[int, int, tuple[Attack, ...]], tuple[list[float], tuple[float, ...]]] = {}
        self._expected: dict[tuple[tuple[int, ...], int, int, int], Expected] = {}
        self._unknowns: dict[tuple[int, int], list[float]] = {}
        self._average = sum(damage * chance for damage, chance in enumerate(self._unknown))

    def outlook(self, line: tuple[int, ...], prey: int, step: int = 0, total: int = 0, more: int = 0) -> Outlook:
        """Of a hunt in which the cards from `step` on are still to attack and `total` is dealt; `more` unknown cards
        follow (in `shreds` they have no place)."""
        return self._best(attacks(line), line, prey, step, total, more)

    def _best(
        self, strikes: tuple[Attack, ...], line: tuple[int, ...], prey: int, step: int, total: int, more: int
    ) -> Outlook:
        low, high = self.cards.prey[prey].low, self.cards.prey[prey].high
        found = self._outlook(strikes[step:], low, high, total, more)
        if found.success + 2 * found.fail < 1 and any(card & KIND in (CHI, SHA) for card in line):
            other = self._outlook(attacks(line, white=True)[step:], low, high, total, more)
            return max(found, other, key=lambda each: each.success)
        return found

    def _outlook(self, strikes: tuple[Attack, ...], low: int, high: int, total: int, more: int) -> Outlook:
        if total > high:
            return Outlook(0.0, 0.0, (0.0,) * len(strikes), 1.0)
        if total < 0:  # a Weakling's minus
            low, high, total = low - total, high - total, 0
        sums, shreds = self._sum(strikes, high, total)
        if not more:
            fail = sum(sums[:low])
            return Outlook(fail, sum(sums) - fail, shreds, 0.0)
        at_most = self._unknown_at_most(more, high)
        fail = success = 0.0
        for dealt, chance in enumerate(sums):
            if chance:
                little = at_most[low - 1 - dealt] if dealt < low else 0.0
                fail += chance * little
                success += chance * (at_most[high - dealt] - little)
        return Outlook(fail, success, shreds, 0.0)

    def _unknown_at_most(self, cards: int, high: int) -> list[float]:
        """How likely so many unknown cards deal at most 0, 1, …, `high`."""
        found = self._unknowns.get((cards, high))
        if found is None:
            sums, _ = self._sum((ANYTHING,) * cards, high, 0)
            found = self._unknowns[cards, high] = list(accumulate(sums))
        return found

    def _sum(self, attacks: tuple[Attack, ...], high: int, total: int) -> tuple[list[float], tuple[float, ...]]:
        """How likely each sum up to `high` is, and for each attack that it goes beyond."""
        key = (high, total, attacks)
        found = self._sums.get(key)
        if found is None:
            if len(self._sums) > MOST_KEPT:
                self._sums.clear()
            if attacks:
                before, shreds = self._sum(attacks[:-1], high, total)
                reds, whites, fixed = attacks[-1]
                damages = self._unknown if reds < 0 else dice.distribution(reds, whites)
                after = [0.0] * (high + 1)
                for sum_, chance in enumerate(before):
                    if chance:
                        at = sum_ + (fixed if reds >= 0 else 0)
                        for damage in damages:
                            if at > high:
                                break
                            after[at] += chance * damage
                            at += 1
                found = (after, (*shreds, max(0.0, sum(before) - sum(after))))
            else:
                start = [0.0] * (high + 1)
                start[total] = 1.0
                found = (start, ())
            self._sums[key] = found
        return found

    def _missing(self, strikes: tuple[Attack, ...], prey: int) -> int:
        """How many cards more would make a hunt on the prey likely to succeed."""
        mean = 0.0
        for reds, whites, fixed in strikes:
            mean += self._average if reds < 0 else 2 * reds + 7 / 6 * whites + fixed
        middle = (self.cards.prey[prey].low + self.cards.prey[prey].high) / 2
        return max(0, round((middle - mean) / self._average))

    def expected(self, line: tuple[int, ...], prey: int, starter: int, step: int = 0, total: int = 0) -> Expected:
        """What each tribe can expect of a hunt begun now by the tribe `starter`; -1: of one that somebody begins once
        enough cards lie there (one of those who have cards in the line, as likely as they have many). Cards are only
        their kind and tribe."""
        key = (line, prey, starter, step << 10 | total + 99)
        found = self._expected.get(key)
        if found is None:
            if len(self._expected) > MOST_KEPT:
                self._expected.clear()
            found = self._expected[key] = self._expect(line, prey, starter, step, total)
        return found

    def _expect(self, line: tuple[int, ...], prey: int, starter: int, step: int, total: int) -> Expected:
        cards, tribes = self.cards, self.tribes
        strikes = attacks(line)
        more = self._missing(strikes, prey) if starter < 0 else 0
        outlook = self._best(strikes, line, prey, step, total, more)
        food, masks, skulls = [0.0] * tribes, [0.0] * tribes, [0.0] * tribes
        survive = 1 - outlook.fail
        trap = next((at for at, card in enumerate(line) if card & KIND == TRA and at > 1), -1)
        dogs = sum(card & KIND == DOG for card in line)
        worth, shares = cards.prey[prey], cards.prey[prey].food
        eaten = 1 if dogs else 0
        for at, card in enumerate(line):
            kind, tribe = card & KIND, card >> 4
            value = cards.masks[kind] if kind < KINDS else 1.5
            if kind == DOG:
                food[tribe] += outlook.success * (shares[0] // dogs)
            elif kind != TRA:
                if eaten < 3:
                    food[tribe] += outlook.success * shares[eaten]
                eaten += 1
            if kind != TRA:
                masks[tribe] += value * (1.0 if 0 <= trap < at else survive)
            if at >= step:
                skulls[tribe] += worth.skulls * outlook.shreds[at - step]
            if starter < 0:
                skulls[tribe] += worth.skulls * outlook.success / len(line)
        if trap >= 0:
            food[line[trap] >> 4] += cards.trap_food * outlook.fail
        if starter >= 0:
            skulls[starter] += worth.skulls * outlook.success
            if trap >= 0 and line[trap] >> 4 == starter:
                skulls[starter] += worth.skulls * outlook.fail
        return Expected(tuple(food), tuple(masks), tuple(skulls))
