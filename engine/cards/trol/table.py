"""What lies on the table and in the hands, and what comes next: the data of a state, and how it is copied.

A view is the same with some cards not known: `veiled` counts those in a hand, and a card of a line may be HIDDEN. They
are then still in the tribe's `pool`, which in a full world is the deck alone.
"""

from __future__ import annotations

from random import Random
from typing import TypeVar

from thudstone.engine.cards.trol.book import Book
from thudstone.engine.cards.trol.tribe import HIDDEN, KIND, ONE, TRIBE, WEA, count, listed
from thudstone.engine.game import CHANCE, Game

STAGES = (
    "first",  # who begins
    "toss",  # day or night
    "lay",  # prey at the start
    "deal",  # the hands
    "top",  # the first cards of the piles
    "act",  # add a card or begin a hunt
    "reveal",
    "stab",  # whom a Backstabber picks
    "roll",
    "force",  # whether a Shaman has a roll made again
    "dice",  # which dice the Chief or the Shaman takes
    "copy",  # whether a Copycat copies
    "weakling",  # plus or minus one
    "hand",  # a Weakling out of a hand
    "cook",  # whose food is doubled
    "next",  # which of the last hunts
    "refill",
    "turnup",  # the next card of a pile
    "draw",
    "tie",  # dice decide who wins
    "end",
)
(
    FIRST,
    TOSS,
    LAY,
    DEAL,
    TOP,
    ACT,
    REVEAL,
    STAB,
    ROLL,
    FORCE,
    DICE,
    COPY,
    PLUS_MINUS,
    HAND,
    COOK,
    NEXT,
    REFILL,
    TURN_UP,
    DRAW,
    TIE,
    END,
) = range(len(STAGES))

PILES = 4  # of a second tribe

Self = TypeVar("Self", bound="Table")


class Table(Game):
    """Tribes count from 0; a tribe is its seat's, but with two seats each has a second one: seat 0 has 0 and 2."""

    turn: int = CHANCE

    def __init__(self, seats: int, book: Book) -> None:
        cards = book.cards
        self.seats, self.book = seats, book
        self.tribes = tribes = 4 if seats == 2 else seats
        self.stage, self.turn = FIRST, CHANCE
        self.mover = -1  # the seat whose turn it is
        self.tribe = -1  # the tribe that acts in it
        self.night = False
        self.deck = [*(prey.copies for prey in cards.prey), cards.day_changes]  # the prey deck; day changes last
        self.deck_size = sum(self.deck)
        self.places = [-1] * tribes  # the prey, as its number; none is -1
        self.lines: list[tuple[int, ...]] = [()] * tribes  # the cards under it, the nearest first
        self.hands = [0] * tribes  # known cards; of a second tribe the face-up ones
        self.veiled = [0] * tribes
        self.held = [0] * tribes  # all cards of the hand
        self.pool = [cards.tribe] * tribes
        self.left = [16] * tribes  # cards of the deck; of a second tribe those that lie under others
        self.weak = [cards.weaklings] * tribes  # Weaklings that nobody but their owner can have seen
        self.saved = [0] * tribes  # survivors
        self.gone = [0] * tribes
        self.food = [0] * tribes
        self.trophies: list[tuple[int, ...]] = [()] * tribes
        self.wasted: tuple[int, ...] = ()  # prey nobody got
        self.piles: list[tuple[int, int]] = []  # of tribes 2 and 3: the face-up card (or -1), how many lie under it
        self.pile = -1  # whose next card is to be turned up
        self.flipped = False  # the phase has changed in this refill
        # The hunt that is going on.
        self.place = -1
        self.starter = -1  # the card that began it; none in the last hunts
        self.step = 0  # the card of the line whose turn it is
        self.target = -1  # the card it would remove; none while prey is bashed
        self.asked = 0  # the card, or how many seats after the mover, that was asked last
        self.total = 0
        self.shredder = -1  # the tribe whose card took the total above the prey's most
        self.reds = self.whites = self.rolled = 0
        self.party = 0  # bits of the tribes that take part
        self.late: tuple[int, ...] = ()  # tribes whose Weakling came out of the hand
        self.doubled: tuple[int, ...] = ()
        # The end.
        self.rivals: tuple[int, ...] = ()
        self.rolls: tuple[int, ...] = ()
        self.winner = -1

    def copy(self: Self) -> Self:
        other = object.__new__(type(self))
        own = other.__dict__
        own.update(self.__dict__)
        own["deck"] = self.deck[:]
        own["places"] = self.places[:]
        own["lines"] = self.lines[:]
        own["hands"] = self.hands[:]
        own["veiled"] = self.veiled[:]
        own["held"] = self.held[:]
        own["pool"] = self.pool[:]
        own["left"] = self.left[:]
        own["weak"] = self.weak[:]
        own["saved"] = self.saved[:]
        own["gone"] = self.gone[:]
        own["food"] = self.food[:]
        own["trophies"] = self.trophies[:]
        own["piles"] = self.piles[:]
        return other

    def fill(self: Self, rng: Random) -> Self:
        """The hidden cards of each tribe are any of those not seen: all ways to spread them are equally likely, for
        nothing that others do or leave undone excludes a card."""
        other = self.copy()
        dark = [0] * self.tribes
        for line in self.lines:
            for card in line:
                if card & KIND == HIDDEN:
                    dark[(card & TRIBE) >> 4] += 1
        for tribe, veiled in enumerate(self.veiled):
            hidden = veiled + dark[tribe]
            if not hidden:
                continue
            cards = list(listed(self.pool[tribe]))
            left = len(cards)
            drawn = 0
            for _ in range(hidden):
                at = int(rng.random() * left)
                left -= 1
                cards[at], cards[left] = cards[left], cards[at]
                drawn += ONE[cards[left]]
            other.pool[tribe] -= drawn
            if dark[tribe]:
                laid = cards[left + veiled :]
                for kind in laid:
                    drawn -= ONE[kind]
                other._uncover(tribe, laid)
            other.hands[tribe] += drawn
            other.veiled[tribe] = 0
        return other

    def owner(self, tribe: int) -> int:
        return tribe % self.seats

    def may_hold(self, tribe: int, kind: int) -> bool:
        """Whether the tribe has the card in hand, as far as is known here."""
        return bool(count(self.hands[tribe], kind) or (self.veiled[tribe] and count(self.pool[tribe], kind)))

    def _take(self, tribe: int, kind: int) -> None:
        """A card leaves the hand; HIDDEN is one that isn't seen here."""
        if kind == HIDDEN:
            self.veiled[tribe] -= 1
        elif self.hands[tribe] >> 4 * kind & 15:
            self.hands[tribe] -= ONE[kind]
        else:
            self.veiled[tribe] -= 1
            self.pool[tribe] -= ONE[kind]
        self.held[tribe] -= 1

    def _publish(self, tribe: int, kind: int) -> None:
        """Everybody has seen the card now."""
        if kind == WEA:
            self.weak[tribe] -= 1

    def _uncover(self, tribe: int, kinds: list[int]) -> None:
        """Fill in the hidden cards that a tribe has in lines."""
        for place, line in enumerate(self.lines):
            for card in line:
                if card & KIND == HIDDEN and (card & TRIBE) >> 4 == tribe:
                    self.lines[place] = line = tuple(
                        each & ~KIND | kinds.pop() if each & KIND == HIDDEN and (each & TRIBE) >> 4 == tribe else each
                        for each in line
                    )
                    break
