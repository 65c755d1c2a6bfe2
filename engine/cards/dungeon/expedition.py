"""The hero in the dungeon: card by card, with each choice that its player has. Setup and bidding stand in state.py."""

from __future__ import annotations

from abc import abstractmethod

from thudstone.engine.cards.dungeon.book import Book
from thudstone.engine.cards.dungeon.kinds import (
    ALLY,
    CODES,
    CUBE,
    FIRST_SPECIAL,
    ONE,
    listed,
)
from thudstone.engine.cards.dungeon.stages import (
    AT,
    CUBE_TAKES,
    ENDED,
    NAME,
    NONE,
    PAY,
    REVEAL,
    SHOW,
    UNKNOWN,
    USE,
)
from thudstone.engine.cards.dungeon.tiles import Hero
from thudstone.engine.game import CHANCE, OVER, Game, IllegalToken

NO_MOVES: list[str] = []
DRAGON = FIRST_SPECIAL - 1
BY_ALLY, BY_COLLAR = 1, 2
SHOWN = tuple(f"!{code}" for code in CODES)
KIND_SHOWN = {token: kind for kind, token in enumerate(SHOWN)}
SURE = [[(token, 1)] for token in SHOWN]  # the one event when a known card is shown


class Expedition(Game):
    """All attributes are numbers, texts and tuples, which copies share; a heap counts cards by kind.

    In a view `pool` holds every card that it hasn't seen this round: those of the deck, and those that others drew,
    which stand as UNKNOWN in `pile` and `aside`. With hidden special monsters `full` and `pool` of a view hold all that
    may be in the game, `excess` more than are.
    """

    book: Book
    seats: int
    turn: int = CHANCE
    stage: int
    moves: list[str]  # the legal tokens; shared, never changed
    round: int
    why: str
    wins: tuple[int, ...]
    fails: tuple[int, ...]
    mover: int  # who bids; then who is in the dungeon, and begins the next round
    namer: int  # who names the strength for the sword
    hero: Hero
    tiles: int  # the hero's, as bits
    full: int  # the deck of each round
    specials: tuple[int, ...]  # those that this view knows to be in the game
    excess: int
    pool: int
    left: int  # cards in the deck
    pile: tuple[int, ...]  # the dungeon, the last one on top
    added: tuple[int, ...]  # by whom
    aside: tuple[int, ...]  # cards laid aside
    asider: tuple[int, ...]  # by whom
    given: tuple[int, ...]  # with which tile, as a bit
    card: int  # the card drawn, or the one revealed; NONE
    passed: int  # the seats that passed or are out of the game, as bits
    acted: int  # the seats that had a turn in this round, as bits
    hp: int
    position: int  # how many cards were revealed
    seen: int  # identities that were in the dungeon, as bits
    charmed: int  # the next card is defeated: BY_ALLY or BY_COLLAR; 0 where it isn't
    coin: bool  # the streak of the Coin goes on
    flute: int  # how much less damage comes from now on
    named: int
    strength: int  # of the card revealed
    identity: int
    ask: int  # tiles that may yet be used on it, as bits
    must: bool  # one of them defeats it in any case

    @abstractmethod
    def _next_round(self) -> None: ...

    def may_be_unseen(self, kind: int) -> bool:
        return bool(self.pool >> 4 * kind & 15)

    def learn(self, kind: int) -> None:
        """A card that this view hadn't seen is seen."""
        self.pool -= ONE[kind]
        if self.excess and kind >= FIRST_SPECIAL and kind not in self.specials:
            self.specials = (*self.specials, kind)
            if len(self.specials) == self.book.cards.drawn_specials:
                self._settle_specials()

    def _settle_specials(self) -> None:
        """All special monsters of the game are known: no others can be in the deck."""
        low = FIRST_SPECIAL * 4
        others = self.full >> low << low
        for kind in self.specials:
            others -= ONE[kind]
        self.full -= others
        self.pool -= others
        self.excess = 0

    # Before the first card.

    def enter(self) -> None:
        """The seat that hasn't passed enters the dungeon."""
        hero = self.hero
        self.hp = min(hero.total[self.tiles], self.book.hp_cap)
        self.position = self.seen = self.flute = 0
        self.charmed, self.coin = 0, False
        self.namer = self.named = NONE
        if not self.pile:
            self._round_over(self.book.empty_succeeds)
        elif hero.named & self.tiles:
            self.stage, self.turn = AT, self.mover
            self.moves = [f"at{seat + 1}" for seat in range(self.seats) if seat != self.mover]
        else:
            self._await_card()

    def _apply_at(self, token: str) -> str:
        if token not in self.moves:
            raise IllegalToken(f"{token}: atSEAT expected, another player who names a strength")
        self.namer = self.turn = int(token[2:]) - 1
        self.stage = NAME
        self.moves = [f"n{strength}" for strength in self.hero.tile(self.hero.named).named]
        return token

    def _apply_name(self, token: str) -> str:
        if token not in self.moves:
            raise IllegalToken(f"{token}: one of {', '.join(self.moves)} expected")
        self.named = int(token[1:])
        self._await_card()
        return token

    # A card is revealed.

    def _await_card(self) -> None:
        self.stage, self.turn, self.moves = REVEAL, CHANCE, NO_MOVES
        self.card = self.strength = self.identity = NONE

    def _go_on(self) -> None:
        if self.pile:
            self._await_card()
        else:
            self._round_over(True)

    def _apply_reveal(self, token: str) -> str:
        kind = KIND_SHOWN.get(token, UNKNOWN)
        if kind < 0:
            raise IllegalToken(f"{token}: !CARD expected, the top card of the dungeon")
        pile = self.pile
        if pile[-1] == UNKNOWN:
            if not self.may_be_unseen(kind):
                raise IllegalToken(f"{token}: no such card can lie there")
            self.learn(kind)
        elif pile[-1] != kind:
            raise IllegalToken(f"{token}: the top card of the dungeon is {CODES[pile[-1]]}")
        self.pile, self.added = pile[:-1], self.added[:-1]
        self.position += 1
        self._meet(kind)
        return token

    def _meet(self, kind: int) -> None:
        book, hero, tiles = self.book, self.hero, self.tiles
        successes = self.wins[self.mover]
        self.card = kind
        self.strength = strength = book.strength(kind, self.position, hero.number_of[tiles], successes)
        self.identity = identity = book.identity(kind, self.position, successes)
        repeated = identity >= 0 and self.seen >> identity & 1
        if identity >= 0:
            self.seen |= 1 << identity
        if self.charmed:
            chains = book.collar_chains and self.charmed == BY_COLLAR and identity == DRAGON and tiles & hero.next
            self.charmed = BY_COLLAR if chains else 0
            self._go_on()
            return
        if kind == ALLY:
            self.charmed = BY_ALLY
            self._coin_ends()
            self._go_on()
            return
        if kind == CUBE:
            self.ask = self._against_cube()
            self.must = False
            self._ask()
            return
        use = self.usable(strength, identity, bool(repeated))
        if use & hero.smoke and tiles == hero.smoke:
            use &= ~hero.smoke
        alike = use & hero.plain
        if alike & alike - 1:
            use -= alike & alike - 1  # which of them defeats it makes no difference: nobody is asked
        self.ask = use
        self.must = bool(use & self._sure())
        self._ask()

    def usable(self, strength: int, identity: int, repeated: bool) -> int:
        """The tiles that defeat such a monster, as bits; `repeated`: its kind was in the dungeon before."""
        book, hero, tiles = self.book, self.hero, self.tiles
        use = hero.defeating(strength, identity) & tiles
        if repeated:
            use |= hero.repeated & tiles
        if self.named != NONE and hero.named & tiles:
            compared = strength if book.sword_by_strength or identity < 0 else book.cards.strength[identity]
            if compared == self.named and (book.sword_by_strength or identity >= 0):
                use |= hero.named
        return use

    def _sure(self) -> int:
        """The tiles that defeat without being asked."""
        hero = self.hero
        if not self.book.once_optional:
            return hero.all
        sure = hero.all & ~hero.gives_once
        return sure if self.coin else sure & ~hero.streak

    def _against_cube(self) -> int:
        hero, tiles, book = self.hero, self.tiles, self.book
        use = 0
        if book.bomb_beats_cube and tiles & hero.smoke and tiles != hero.smoke:
            use |= hero.smoke
        if book.mind_beats_cube:
            use |= hero.minds & tiles
        return use

    def _ask(self) -> None:
        """Asks tile by tile, those first that defeat in any case; the last one of these isn't asked."""
        ask = self.ask
        if not ask:
            self._undefeated()
            return
        first = ask & self._sure() or ask
        bit = first & -first
        if self.must and ask == bit:
            self._defeat(bit)
            return
        self.stage, self.turn, self.moves = USE, self.mover, self.hero.asking[bit]

    def _apply_use(self, token: str) -> str:
        moves = self.moves
        if token not in moves:
            raise IllegalToken(f"{token}: {' or '.join(moves)} expected")
        bit = self.hero.bit[moves[0][3:]]
        if token == moves[0]:
            self._defeat(bit)
        else:
            self.ask -= bit
            self._ask()
        return token

    def _defeat(self, bit: int) -> None:
        hero = self.hero
        tile = hero.tile(bit)
        self.ask, self.must = 0, False
        if tile.gains and self.strength > 0:
            self.hp = min(self.hp + self.strength, max(self.book.hp_cap, self.hp))
        self.flute += tile.later_less
        if tile.defeats_next:
            self.charmed = BY_COLLAR
        if tile.streak:
            self.coin = True
        if tile.discards:
            self.tiles -= bit
        if tile.smoke and self.book.bomb_costs:
            self.stage, self.turn, self.moves = PAY, self.mover, hero.giving_up[self.tiles & ~bit]
            return
        self._go_on()

    def _undefeated(self) -> None:
        hero, tiles = self.hero, self.tiles
        if self.card == CUBE:
            if tiles:
                self.stage, self.turn, self.moves = CUBE_TAKES, self.mover, hero.giving_up[tiles]
            else:
                self._go_on()
            return
        damage = strength = self.strength
        low = hero.low & tiles
        if low:
            harp = hero.tile(low)
            if self.hp < harp.low:
                damage = harp.odd_damage if strength & 1 else harp.even_damage
                if self.book.harp_caps:
                    damage = min(damage, strength)
        damage -= hero.less[tiles] + self.flute
        if self._survives(damage):
            if self.coin and strength & 1:
                self._coin_ends()
            self._go_on()

    def _survives(self, damage: int, helped: bool = True) -> bool:
        """Takes damage. False where the hero dies of it: then the round is over."""
        before = self.hp
        if damage > 0:
            self.hp = before - damage
        if self.hp > 0:
            return True
        hero = self.hero
        bones = hero.revives & self.tiles
        if bones and helped:
            tile = hero.tile(bones)
            if before >= tile.revives:
                self.hp = tile.revived
                return True
        self._round_over(False)
        return False

    def _coin_ends(self) -> None:
        """A card came that is neither even nor defeated by another tile."""
        if self.coin and (self.strength >= 0 or self.book.coin_lost_to_specials):
            self.coin = False
            self.tiles &= ~self.hero.streak

    def _apply_give(self, token: str) -> str:
        """A tile that the Bomb costs or the Cube takes."""
        if token not in self.moves:
            raise IllegalToken(f"{token}: {' or '.join(self.moves)} expected")
        hero = self.hero
        bit = hero.gives_up[token]
        self.tiles -= bit
        to_cube = self.stage == CUBE_TAKES
        if self._survives(hero.tile(bit).hp, self.book.bones_help_against_cube or not to_cube):
            if to_cube:
                self._coin_ends()
            self._go_on()
        return token

    # The end of the expedition.

    def _round_over(self, success: bool) -> None:
        mover, cards = self.mover, self.book.cards
        self.card = self.strength = self.identity = NONE
        self.hp = max(self.hp, 0)
        if success:
            wins = self.wins
            self.wins = (*wins[:mover], wins[mover] + 1, *wins[mover + 1 :])
            if self.wins[mover] == cards.successes:
                self._game_over("success")
                return
        else:
            fails = self.fails
            self.fails = (*fails[:mover], fails[mover] + 1, *fails[mover + 1 :])
            alive = self.alive()
            if len(alive) == 1:
                self._game_over("draw" if self.book.rex and not self.wins[alive[0]] else "elimination")
                return
        if self.pile and self.book.show_rest:
            # As if laid aside last: they are shown in the order in which they would have been met.
            self.aside += self.pile[::-1]
            self.asider += self.added[::-1]
            self.given += (0,) * len(self.pile)
        self.pile, self.added = (), ()
        if self.aside:
            self.stage, self.turn, self.moves = SHOW, CHANCE, NO_MOVES
        else:
            self._next_round()

    def alive(self) -> list[int]:
        """The seats that aren't out of the game."""
        failures = self.book.cards.failures
        return [seat for seat, fails in enumerate(self.fails) if fails < failures]

    def _game_over(self, why: str) -> None:
        self.why, self.stage, self.turn, self.moves = why, ENDED, OVER, NO_MOVES

    def _apply_show(self, token: str) -> str:
        kind = KIND_SHOWN.get(token, UNKNOWN)
        if kind < 0:
            raise IllegalToken(f"{token}: !CARD expected, a card that was laid aside")
        first = self.aside[0]
        if first == UNKNOWN:
            if not self.may_be_unseen(kind):
                raise IllegalToken(f"{token}: no such card can lie there")
            self.learn(kind)
        elif first != kind:
            raise IllegalToken(f"{token}: the card shown next is {CODES[first]}")
        self.aside, self.asider, self.given = self.aside[1:], self.asider[1:], self.given[1:]
        if not self.aside:
            self._next_round()
        return token

    # Chance.

    def unseen_events(self, tokens: tuple[str, ...]) -> list[tuple[str, int]]:
        """An unseen card as an event: the token of each kind, weighted by how likely it is."""
        pool = self.pool
        if not self.excess:
            return [(tokens[kind], pool >> 4 * kind & 15) for kind in _kinds(pool)]
        # Each of the special monsters that may be in the game is with the same chance.
        candidates = listed(self.full >> FIRST_SPECIAL * 4)
        unknown = len(candidates) - len(self.specials)
        slots = self.book.cards.drawn_specials - len(self.specials)
        events = []
        for kind in _kinds(pool):
            maybe = kind >= FIRST_SPECIAL and kind not in self.specials
            events.append((tokens[kind], slots if maybe else (pool >> 4 * kind & 15) * unknown))
        return events

    def _chance_shown(self, card: int) -> list[tuple[str, int]]:
        return SURE[card].copy() if card >= 0 else self.unseen_events(SHOWN)


_KINDS: dict[int, tuple[int, ...]] = {}
_MOST_KINDS = 1 << 14  # one entry for each set of kinds there can be


def _kinds(pool: int) -> tuple[int, ...]:
    """The kinds of which a heap has any."""
    found = _KINDS.get(pool)
    if found is None:
        if len(_KINDS) >= _MOST_KINDS:
            _KINDS.clear()
        found = _KINDS[pool] = tuple(kind for kind in range(len(CODES)) if pool >> 4 * kind & 15)
    return found
