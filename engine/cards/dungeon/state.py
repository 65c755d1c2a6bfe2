"""Welcome Back to the Dungeon: the position, and what one seat knows of it.

`docs/dungeon.md` has the rules as implemented here. Tokens, with C a card, T a tile, H a hero and S a seat:

    @=C  @=firstS  @=heroH        a special monster of this game, who begins, the first hero
    heroH                         the hero of a round is chosen
    draw  pass                    a bid
    @S=C                          the card that seat S drew
    add  xT                       it is added to the dungeon, or laid aside with a tile
    atS  n5                       who names a strength for the sword, and which
    !C                            the top card of the dungeon, or one that was laid aside, is shown
    useT  noT  xT                 a tile is used or not, or given up for the Smoke Bomb or to the Cube
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from thudstone.engine.cards.dungeon.book import OPTIONS, Book
from thudstone.engine.cards.dungeon.expedition import NO_MOVES, Expedition
from thudstone.engine.cards.dungeon.kinds import CODES, KIND, ONE, listed
from thudstone.engine.cards.dungeon.stages import (
    AT,
    BID,
    CUBE_TAKES,
    DEAL_HERO,
    DRAWN,
    ENDED,
    FIRST,
    HERO,
    NAME,
    NONE,
    PAY,
    PLACE,
    REVEAL,
    SHOW,
    SPECIAL,
    UNKNOWN,
    USE,
)
from thudstone.engine.game import CHANCE, IllegalToken, OptionValue

MOST_SEATS = 4
DRAW_OR_PASS, ONLY_DRAW, ONLY_PASS, ONLY_ADD = ["draw", "pass"], ["draw"], ["pass"], ["add"]
DRAWS = tuple(tuple(f"@{seat + 1}={code}" for code in CODES) for seat in range(MOST_SEATS))
KIND_DRAWN: tuple[dict[str, int], ...] = tuple(
    {**{token: kind for kind, token in enumerate(tokens)}, f"@{seat + 1}=?": UNKNOWN}
    for seat, tokens in enumerate(DRAWS)
)


class Dungeon(Expedition):
    name = "dungeon"
    options = OPTIONS
    seat_range = (2, MOST_SEATS)

    def __init__(self, seats: int, book: Book) -> None:
        self.book, self.seats = book, seats
        self.stage, self.turn, self.moves = SPECIAL, CHANCE, NO_MOVES
        self.round, self.why = 1, ""
        self.wins = self.fails = (0,) * seats
        self.mover, self.namer = 0, NONE
        self.hero, self.tiles = book.cards.heroes[0], 0
        self.specials, self.excess = (), 0
        self.full = self.pool = book.cards.monsters
        self.left = book.deck_size
        self.pile, self.added, self.aside, self.asider, self.given = (), (), (), (), ()
        self.card = self.named = self.strength = self.identity = NONE
        self.passed = self.acted = self.hp = self.position = self.seen = self.flute = self.ask = self.charmed = 0
        self.coin = self.must = False
        if not book.cards.drawn_specials:
            self._after_specials()

    @classmethod
    def start(cls, seats: int, options: Mapping[str, OptionValue]) -> Dungeon:
        fewest, most = cls.seat_range
        if not fewest <= seats <= most:
            raise ValueError(f"{seats} seats: dungeon has {fewest} to {most}")
        return cls(seats, Book(options))

    @classmethod
    def from_text(cls, text: str, options: Mapping[str, OptionValue]) -> Dungeon:
        from thudstone.engine.cards.dungeon.text import read

        return read(text, Book(options))

    def text(self) -> str:
        from thudstone.engine.cards.dungeon.text import write

        return write(self)

    def draw(self) -> str:
        from thudstone.engine.cards.dungeon.picture import picture

        return picture(self)

    def legal(self) -> list[str]:
        return self.moves.copy()

    def is_legal(self, token: str) -> bool:
        return token in self.moves

    def chance(self) -> list[tuple[str, int]]:
        stage = self.stage
        if stage == DRAWN:
            return self.unseen_events(DRAWS[self.mover])
        if stage == REVEAL:
            return self._chance_shown(self.pile[-1])
        if stage == SHOW:
            return self._chance_shown(self.aside[0])
        return _CHANCES[stage](self) if stage in _CHANCES else []

    def apply(self, token: str) -> str:
        return _APPLY[self.stage](self, token)

    def end(self) -> str:
        return self.why or "none"

    def score(self) -> tuple[int, ...]:
        """The success cards."""
        return self.wins

    def returns(self) -> tuple[float, ...]:
        if self.stage != ENDED:
            raise ValueError("the game isn't over")
        if self.why == "draw":
            return (1 / self.seats,) * self.seats
        winner = self.mover if self.why == "success" else self.alive()[0]
        return tuple(float(seat == winner) for seat in range(self.seats))

    def copy(self) -> Dungeon:
        other = Dungeon.__new__(Dungeon)
        other.__dict__ = self.__dict__.copy()  # nothing that it holds is ever changed
        return other

    def redact(self, token: str, seat: int) -> str:
        if self.stage == DRAWN and seat != self.mover:
            return f"@{self.mover + 1}=?"
        if self.stage == SPECIAL and not self.book.specials_public:
            return "@=?"
        return token

    def fill(self, rng: Random) -> Dungeon:
        """Every deal that fits is as likely as the cards make it; what the others chose is not weighed here."""
        other = Dungeon.__new__(Dungeon)
        other.__dict__ = self.__dict__.copy()
        pool = self.pool
        if self.excess:
            pool -= other._choose_specials(rng)
        pile, aside = self.pile, self.aside
        hidden = pile.count(UNKNOWN) + aside.count(UNKNOWN) + (self.card == UNKNOWN)
        if hidden:
            cards = iter(rng.sample(listed(pool), hidden))
            if UNKNOWN in pile:
                other.pile = pile = tuple([next(cards) if card == UNKNOWN else card for card in pile])
            if UNKNOWN in aside:
                other.aside = aside = tuple([next(cards) if card == UNKNOWN else card for card in aside])
            if self.card == UNKNOWN:
                other.card = next(cards)
            pool = _without(pool, self, other)
        other.pool = pool
        return other

    def _choose_specials(self, rng: Random) -> int:
        """Settles which special monsters are in the game; those that may have been and aren't, as a heap."""
        known, candidates = (
            self.specials,
            [kind for kind in listed(self.book.cards.specials) if kind not in self.specials],
        )
        setup = self.stage == SPECIAL
        unknown = self.excess if setup else self.book.cards.drawn_specials - len(known)
        chosen = rng.sample(candidates, unknown)
        self.specials, self.excess = (*known, *chosen), 0
        others = 0 if setup else sum(ONE[kind] for kind in candidates if kind not in chosen)
        self.full -= others
        return others

    # Setup.

    def _chance_special(self) -> list[tuple[str, int]]:
        return [(f"@={CODES[kind]}", 1) for kind in listed(self.book.cards.specials) if kind not in self.specials]

    def _apply_special(self, token: str) -> str:
        drawn = self.book.cards.drawn_specials
        if token == "@=?" and not self.book.specials_public:
            self.excess += 1  # until all are drawn: how many this view doesn't know
        else:
            kind = KIND.get(token[2:], UNKNOWN)
            if token[:2] != "@=" or not self.book.cards.specials >> 4 * max(kind, 0) & 15 or kind in self.specials:
                raise IllegalToken(f"{token}: @=CARD expected, a special monster of this game")
            self.specials = (*self.specials, kind)
        if len(self.specials) + self.excess == drawn:
            self._after_specials()
        return token

    def _after_specials(self) -> None:
        heap = sum(ONE[kind] for kind in self.specials)
        if self.excess:
            self.excess = len(listed(self.book.cards.specials)) - self.book.cards.drawn_specials
            heap = self.book.cards.specials
        self.full += heap
        self.pool = self.full
        if self.book.random_first:
            self.stage = FIRST
        else:
            self._first_hero()

    def _chance_first(self) -> list[tuple[str, int]]:
        return [(f"@=first{seat + 1}", 1) for seat in self.alive()]

    def _apply_first(self, token: str) -> str:
        if token not in [first for first, _ in self._chance_first()]:
            raise IllegalToken(f"{token}: @=firstSEAT expected, who begins")
        self.mover = int(token[7:]) - 1
        if self.round == 1:
            self._first_hero()
        else:
            self._choose_hero()
        return token

    def _first_hero(self) -> None:
        if self.book.random_hero:
            self.stage = DEAL_HERO
        else:
            self._choose_hero()

    def _choose_hero(self) -> None:
        self.stage, self.turn, self.moves = HERO, self.mover, self.book.choosing

    def _chance_hero(self) -> list[tuple[str, int]]:
        return [(f"@={token}", 1) for token in self.book.choosing]

    def _apply_deal_hero(self, token: str) -> str:
        if token[:2] != "@=" or token[2:] not in self.book.choosing:
            raise IllegalToken(f"{token}: @=heroHERO expected, one of {', '.join(self.book.choosing)}")
        self._begin(token[6:])
        return token

    def _apply_hero(self, token: str) -> str:
        if token not in self.book.choosing:
            raise IllegalToken(f"{token}: one of {', '.join(self.book.choosing)} expected")
        self._begin(token[4:])
        return token

    def _begin(self, code: str) -> None:
        self.hero = next(hero for hero in self.book.cards.heroes if hero.code == code)
        self.tiles, self.hp = self.hero.all, 0
        self._await_bid()

    def _next_round(self) -> None:
        self.round += 1
        failures, seats = self.book.cards.failures, self.seats
        out = [fails >= failures for fails in self.fails]
        self.passed = sum(1 << seat for seat in range(seats) if out[seat])
        self.pool, self.left = self.full, self.book.deck_size
        self.acted = self.tiles = self.position = self.seen = self.flute = 0
        self.charmed, self.coin = 0, False
        self.namer = self.named = self.strength = self.identity = NONE
        if not out[self.mover]:
            self._choose_hero()
        elif self.book.random_successor:
            self.stage, self.turn, self.moves = FIRST, CHANCE, NO_MOVES
        else:
            while out[self.mover]:
                self.mover = (self.mover + 1) % seats
            self._choose_hero()

    # Bidding.

    def forced(self) -> bool:
        """Whether the author's variant makes the bidder draw and add."""
        scope = self.book.author
        if not scope or (scope != "first-laps" and self.round > 1):
            return False
        return scope == "first-round" or not self.acted >> self.mover & 1

    def _await_bid(self) -> None:
        self.stage, self.turn = BID, self.mover
        if not self.left:
            self.moves = ONLY_PASS
        elif self.book.author and self.forced():
            self.moves = ONLY_DRAW
        else:
            self.moves = DRAW_OR_PASS

    def _apply_bid(self, token: str) -> str:
        if token not in self.moves:
            raise IllegalToken(f"{token}: {self._why_no_bid(token)}")
        if token == "draw":
            self.stage, self.turn, self.moves = DRAWN, CHANCE, NO_MOVES
            return token
        mover = self.mover
        self.passed |= 1 << mover
        self.acted |= 1 << mover
        self._next_bidder()
        if self.passed | 1 << self.mover == (1 << self.seats) - 1:
            self.enter()
        else:
            self._await_bid()
        return token

    def _why_no_bid(self, token: str) -> str:
        if token == "draw":
            return "the deck is empty, you must pass"
        if token == "pass":
            return "the author's variant makes you draw"
        return f"{' or '.join(self.moves)} expected"

    def _next_bidder(self) -> None:
        mover, seats, passed = self.mover, self.seats, self.passed
        mover = mover + 1 if mover + 1 < seats else 0
        while passed >> mover & 1:
            mover = mover + 1 if mover + 1 < seats else 0
        self.mover = mover

    def _apply_drawn(self, token: str) -> str:
        mover = self.mover
        kind = KIND_DRAWN[mover].get(token, NONE)
        if kind == NONE:
            raise IllegalToken(f"{token}: @{mover + 1}=CARD expected, what seat {mover + 1} drew")
        if kind >= 0:
            if not self.pool >> 4 * kind & 15:
                raise IllegalToken(f"{token}: no such card can be left in the deck")
            self.learn(kind)
        self.card = kind
        self.left -= 1
        self.stage, self.turn = PLACE, mover
        self.moves = ONLY_ADD if self.book.author and self.forced() else self.hero.placing[self.tiles]
        return token

    def _apply_place(self, token: str) -> str:
        if token not in self.moves:
            raise IllegalToken(f"{token}: {self._why_not_placed(token)}")
        mover = self.mover
        if token == "add":
            self.pile = (*self.pile, self.card)
            self.added = (*self.added, mover)
        else:
            bit = self.hero.gives_up[token]
            self.tiles -= bit
            self.aside = (*self.aside, self.card)
            self.asider = (*self.asider, mover)
            self.given = (*self.given, bit)
        self.card = NONE
        self.acted |= 1 << mover
        self._next_bidder()
        self._await_bid()
        return token

    def _why_not_placed(self, token: str) -> str:
        bit = self.hero.gives_up.get(token, 0)
        if bit and self.moves is ONLY_ADD:
            return "the author's variant makes you add the card"
        if bit & self.tiles & self.hero.smoke:
            return "this tile can't be given up in bidding"
        if bit:
            return "the hero doesn't have this tile any more"
        return f"{' or '.join(self.moves)} expected"

    def _apply_over(self, token: str) -> str:
        raise IllegalToken(f"{token}: the game is over")


def _without(pool: int, view: Dungeon, world: Dungeon) -> int:
    """The pool without the cards that the world put in place of unknown ones."""
    for before, after in ((view.pile, world.pile), (view.aside, world.aside)):
        if before is not after:
            for card, filled in zip(before, after, strict=True):
                if card == UNKNOWN:
                    pool -= ONE[filled]
    return pool - ONE[world.card] if view.card == UNKNOWN else pool


_CHANCES: dict[int, Callable[[Dungeon], list[tuple[str, int]]]] = {
    SPECIAL: Dungeon._chance_special,
    FIRST: Dungeon._chance_first,
    DEAL_HERO: Dungeon._chance_hero,
}

_APPLY: dict[int, Callable[[Dungeon, str], str]] = {
    SPECIAL: Dungeon._apply_special,
    FIRST: Dungeon._apply_first,
    DEAL_HERO: Dungeon._apply_deal_hero,
    HERO: Dungeon._apply_hero,
    BID: Dungeon._apply_bid,
    DRAWN: Dungeon._apply_drawn,
    PLACE: Dungeon._apply_place,
    AT: Dungeon._apply_at,
    NAME: Dungeon._apply_name,
    REVEAL: Dungeon._apply_reveal,
    USE: Dungeon._apply_use,
    PAY: Dungeon._apply_give,
    CUBE_TAKES: Dungeon._apply_give,
    SHOW: Dungeon._apply_show,
    ENDED: Dungeon._apply_over,
}

assert set(_APPLY) == set(range(ENDED + 1))
