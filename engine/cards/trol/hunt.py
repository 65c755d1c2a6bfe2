"""How a hunt is decided: reveal, traps, betrayal, bashing, Weaklings out of hands, and what comes of it.

Each method goes on until somebody must decide or dice must be rolled; it leaves `stage` and `turn` set for that.
"""

from __future__ import annotations

from abc import abstractmethod

from thudstone.engine.cards.trol import dice
from thudstone.engine.cards.trol.table import (
    COOK,
    COPY,
    DICE,
    FORCE,
    HAND,
    PLUS_MINUS,
    REVEAL,
    ROLL,
    STAB,
    Table,
)
from thudstone.engine.cards.trol.tribe import (
    BAC,
    CHI,
    CODES,
    COO,
    COP,
    DAU,
    DOG,
    DOWN,
    FORCED,
    HIDDEN,
    KIND,
    NOBODY,
    NUMBER,
    ONE,
    PLACE,
    PUN,
    SHA,
    STABBED,
    TIN,
    TRA,
    TRIBE,
    TRK,
    WEA,
    acts_as,
    count,
)
from thudstone.engine.game import CHANCE, IllegalToken

CHIEF_DICE = {"www": (0, 3), "rww": (1, 2), "rrw": (2, 1), "rrr": (3, 0)}
SHAMAN_DICE = {"w": (0, 1), "r": (1, 0)}


class Hunt(Table):
    @abstractmethod
    def _hunted(self) -> None:
        """Go on after a hunt. The place is empty."""

    def _begin_hunt(self, place: int, starter: int) -> None:
        """`starter` is the card that begins it, -1 for the last hunts."""
        self.place, self.starter = place, starter
        self.step = self.asked = self.total = 0
        self.target = self.shredder = -1
        self.late = self.doubled = ()
        self.party = self._tribes_of(self.lines[place]) | (0 if starter < 0 else 1 << (starter >> 4))
        self._reveal()

    @staticmethod
    def _tribes_of(line: tuple[int, ...]) -> int:
        party = 0
        for card in line:
            party |= 1 << ((card & TRIBE) >> 4)
        return party

    def _reveal(self) -> None:
        line = self.lines[self.place]
        for at, card in enumerate(line):
            if card & DOWN:
                self.step, self.stage, self.turn = at, REVEAL, CHANCE
                return
        for card in line[:2]:
            if card & KIND == TRA:  # played first or second
                self._remove(self.lines[self.place].index(card))
        self._betray()

    def _show(self, token: str) -> str:
        line = self.lines[self.place]
        card = line[self.step]
        tribe, kind = (card & TRIBE) >> 4, NUMBER.get(token[1:].upper())
        known = card & KIND
        fits = kind is not None and (kind == known or (known == HIDDEN and count(self.pool[tribe], kind)))
        if token[0] != "!" or kind is None or not fits:
            expected = "!CARD of the tribe" if known == HIDDEN else f"!{CODES[known]}"
            raise IllegalToken(f"{token}: {expected} expected, the card at place {self.step + 1} of the line is shown")
        if known == HIDDEN:
            self.pool[tribe] -= ONE[kind]
        self._publish(tribe, kind)
        self._change(self.step, card & ~(KIND | DOWN) | kind)
        self._reveal()
        return f"!{CODES[kind]}"

    def _change(self, at: int, card: int) -> None:
        line = self.lines[self.place]
        self.lines[self.place] = (*line[:at], card, *line[at + 1 :])

    def _remove(self, at: int) -> None:
        line = self.lines[self.place]
        card = line[at]
        self.gone[(card & TRIBE) >> 4] += ONE[card & KIND]
        self.lines[self.place] = line[:at] + line[at + 1 :]

    def _betray(self) -> None:
        """The nearest card that acts as a Backstabber and hasn't had its turn."""
        line = self.lines[self.place]
        for at, card in enumerate(line):
            if card & STABBED or not (card & KIND == BAC or card & KIND == COP) or acts_as(line, at) != BAC:
                continue
            if len(line) > 1 or self.book.stab_self:
                self.step, self.stage, self.turn = at, STAB, self.owner((card & TRIBE) >> 4)
                return
        self.step, self.target = 0, -1
        self._bash()

    def _stab_targets(self) -> list[int]:
        line = self.lines[self.place]
        return [at for at in range(len(line)) if self.book.stab_self or at != self.step]

    def _stab(self, token: str) -> str:
        word = token.lower()
        line = self.lines[self.place]
        if word == "nostab":
            self._change(self.step, line[self.step] | STABBED)
            self._betray()
            return word
        target = self._numbered(word, "stab", self._stab_targets(), "nostab, or a card of the line to stab")
        self._change(self.step, line[self.step] | STABBED)
        self.target = target
        self._roll(1, 0)
        return word

    def _numbered(self, word: str, verb: str, choices: list[int], expected: str) -> int:
        for at in choices:
            if word == f"{verb}{at + 1}":
                return at
        raise IllegalToken(f"{word}: {expected} expected ({', '.join(f'{verb}{at + 1}' for at in choices)})")

    def _roll(self, reds: int, whites: int) -> None:
        self.reds, self.whites, self.stage, self.turn = reds, whites, ROLL, CHANCE

    def _fall(self, token: str) -> str:
        value = dice.totals(self.reds, self.whites).get(token)
        if value is None:
            token = self._read_roll(token)
            value = dice.totals(self.reds, self.whites)[token]
        self.rolled, self.asked = value, -1
        self._react()
        return token

    def _read_roll(self, token: str) -> str:
        written = dice.read(token, self.reds, self.whites)
        if written is None:
            raise IllegalToken(f"{token}: a roll of {self.reds} red and {self.whites} white dice expected")
        return written

    def _react(self) -> None:
        """Ask the Shamans that haven't forced a roll yet, the nearest first, about the one just made."""
        line = self.lines[self.place]
        roller = self.step
        if self.target < 0 or self.book.force_any_stab or line[roller] & KIND == COP:
            for at in range(self.asked + 1, len(line)):
                card = line[at]
                kind = card & KIND
                if (
                    (kind == SHA or (kind == COP and acts_as(line, at) == SHA))
                    and not card & FORCED
                    and (at != roller or self.book.force_self)
                ):
                    self.asked, self.stage, self.turn = at, FORCE, self.owner((card & TRIBE) >> 4)
                    return
        if self.target >= 0:
            target, self.target = self.target, -1
            if self.rolled:
                self._remove(target)
            self._betray()
            return
        self._deal(self.rolled, (line[roller] & TRIBE) >> 4)
        self.step += 1
        self._bash()

    def _force(self, token: str) -> str:
        word = token.lower()
        if word == "keep":
            self._react()
        elif word == "force":
            self._change(self.asked, self.lines[self.place][self.asked] | FORCED)
            self._roll(self.reds, self.whites)
        else:
            raise IllegalToken(f"{token}: force or keep expected")
        return word

    def _deal(self, damage: int, tribe: int) -> None:
        high = self.book.cards.prey[self.places[self.place]].high
        if self.total <= high < self.total + damage:
            self.shredder = tribe
        self.total += damage

    def _bash(self) -> None:
        """Each card from `step` on hurts the prey."""
        line = self.lines[self.place]
        while self.step < len(line):
            card = line[self.step]
            kind = acts_as(line, self.step)
            if card & KIND == COP and kind != NOBODY and self.book.may_decline:
                self.stage, self.turn = COPY, self.owner((card & TRIBE) >> 4)
                return
            if self._attack(kind, card):
                return
        if not self.book.weakling_any_card:
            self.party = self._tribes_of(line) | (0 if self.starter < 0 else 1 << (self.starter >> 4))
        self.asked = 0
        self._ask_hands()

    def _copy_or_not(self, token: str) -> str:
        word = token.lower()
        line = self.lines[self.place]
        if word not in ("copy", "plain"):
            raise IllegalToken(f"{token}: copy or plain expected")
        if word == "plain":
            self.step += 1
        elif self._attack(acts_as(line, self.step), line[self.step]):
            return word
        self._bash()
        return word

    def _attack(self, kind: int, card: int) -> bool:
        """The attack of the card at `step`. True if dice or its owner must decide."""
        line = self.lines[self.place]
        tribe = (card & TRIBE) >> 4
        if kind == TRK:
            self._roll(2, 0)
        elif kind == PUN:
            self._roll(0, sum(acts_as(line, at) == PUN for at in range(len(line))))
        elif kind == BAC:
            self._roll(1, 0)
        elif kind == TIN:
            before = card >> PLACE if self.book.tiny_counts_removed else self.step
            self._roll(max(1, 4 - before), 0)
        elif kind in (CHI, SHA):
            self.stage, self.turn = DICE, self.owner(tribe)
        elif kind == WEA:
            self.stage, self.turn = PLUS_MINUS, self.owner(tribe)
        else:
            if kind == DAU:
                self._deal(sum(each & KIND < DOG for each in line), tribe)
            elif kind == DOG:
                self._deal(2, tribe)
            self.step += 1
            return False
        return True

    def _dice_choices(self) -> dict[str, tuple[int, int]]:
        return CHIEF_DICE if acts_as(self.lines[self.place], self.step) == CHI else SHAMAN_DICE

    def _choose_dice(self, token: str) -> str:
        choices = self._dice_choices()
        word = "".join(sorted(token.lower()))
        if word not in choices:
            raise IllegalToken(f"{token}: one of {', '.join(choices)} expected")
        self._roll(*choices[word])
        return word

    def _plus_or_minus(self, token: str) -> str:
        if token not in ("+1", "-1"):
            raise IllegalToken(f"{token}: +1 or -1 expected")
        self._deal(int(token), (self.lines[self.place][self.step] & TRIBE) >> 4)
        self.step += 1
        self._bash()
        return token

    def _ask_hands(self) -> None:
        """Everybody who takes part and might hold a Weakling, for all that the others know, is asked for it."""
        while self.starter >= 0 and self.asked < self.seats:
            tribe = (self.mover + self.asked) % self.seats
            self.asked += 1
            if self.weak[tribe] and self.held[tribe] and self.party >> tribe & 1:
                self.stage, self.turn = HAND, tribe
                return
        self._outcome()

    def _from_hand(self, token: str) -> str:
        word = token.lower()
        tribe = self.turn
        if word == "weakling":
            if not self.may_hold(tribe, WEA):
                raise IllegalToken(f"{token}: there is no Weakling in the hand")
            self._take(tribe, WEA)
            self._publish(tribe, WEA)
            self.gone[tribe] += ONE[WEA]
            self.late = (*self.late, tribe)
            self._deal(1, tribe)
        elif word != "no":
            raise IllegalToken(f"{token}: weakling or no expected")
        self._ask_hands()
        return word

    def _outcome(self) -> None:
        prey = self.book.cards.prey[self.places[self.place]]
        if self.total < prey.low:
            self._fail()
        elif self.total <= prey.high:
            self.asked = -1
            self._ask_cooks()
        else:
            self._shred()

    def food_shares(self) -> list[int]:
        """What each card of the line gets of the prey before Cooks double it; then the Weaklings out of hands."""
        line = self.lines[self.place]
        food = self.book.cards.prey[self.places[self.place]].food
        dogs = sum(card & KIND == DOG for card in line)
        shares = []
        eaten = 1 if dogs else 0
        trolls = [card & KIND < DOG for card in line] + [True] * (len(self.late) if self.book.weakling_eats else 0)
        for at, troll in enumerate(trolls):
            if troll:
                shares.append(food[eaten] if eaten < len(food) else 0)
                eaten += 1
            else:
                shares.append(food[0] // dogs if line[at] & KIND == DOG else 0)
        return shares

    def _cook_targets(self) -> list[int]:
        line = self.lines[self.place]
        tribe = line[self.asked] & TRIBE
        done = () if self.book.cook_stack else self.doubled
        return [
            at
            for at, (card, share) in enumerate(zip(line, self.food_shares(), strict=False))
            if share and card & TRIBE == tribe and card & KIND < DOG and at not in done
        ]

    def _ask_cooks(self) -> None:
        line = self.lines[self.place]
        for at in range(self.asked + 1, len(line)):
            kind = line[at] & KIND
            if kind == COO or (kind == COP and acts_as(line, at) == COO):
                self.asked = at
                if self._cook_targets():
                    self.stage, self.turn = COOK, self.owner((line[at] & TRIBE) >> 4)
                    return
        self._divide()

    def _cook(self, token: str) -> str:
        word = token.lower()
        if word != "nocook":
            target = self._numbered(word, "cook", self._cook_targets(), "nocook, or an own troll that eats")
            self.doubled = (*self.doubled, target)
        self._ask_cooks()
        return word

    def _divide(self) -> None:
        line = self.lines[self.place]
        tribes = [*((card & TRIBE) >> 4 for card in line), *self.late]
        for at, share in enumerate(self.food_shares()):
            self.food[tribes[at]] += share << self.doubled.count(at)
        self._win_prey(-1 if self.starter < 0 else self.starter >> 4)
        self._go_home()

    def _shred(self) -> None:
        self._win_prey(-1 if self.starter < 0 else self.shredder)
        self._go_home()

    def _win_prey(self, tribe: int) -> None:
        """The tribe gets the prey, -1 nobody."""
        prey = self.places[self.place]
        if tribe < 0:
            self.wasted = (*self.wasted, prey)
        else:
            self.trophies[tribe] = (*self.trophies[tribe], prey)

    def _go_home(self) -> None:
        for card in self.lines[self.place]:
            heap = self.gone if card & KIND == TRA else self.saved
            heap[(card & TRIBE) >> 4] += ONE[card & KIND]
        if self.starter >= 0:
            self.saved[self.starter >> 4] += ONE[self.starter & KIND]
        self._leave_place()

    def _fail(self) -> None:
        line = self.lines[self.place]
        trap = next((at for at, card in enumerate(line) if card & KIND == TRA), len(line))
        trapper = (line[trap] & TRIBE) >> 4 if trap < len(line) else -1
        for at, card in enumerate(line):
            lost = at < trap or (at == trap and not self.book.trap_survives)
            (self.gone if lost else self.saved)[(card & TRIBE) >> 4] += ONE[card & KIND]
        if trapper >= 0:
            self.food[trapper] += self.book.cards.trap_food
        own_hunt = self.starter >= 0 and self.starter >> 4 == trapper
        if self.starter >= 0:
            (self.saved if own_hunt else self.gone)[self.starter >> 4] += ONE[self.starter & KIND]
        self._win_prey(trapper if own_hunt else -1)
        self._leave_place()

    def _leave_place(self) -> None:
        self.lines[self.place] = ()
        self.places[self.place] = -1
        self._hunted()
