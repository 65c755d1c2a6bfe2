"""Whales Destroying the World: the position, and what one seat knows of it.

`docs/whales.md` has the rules as implemented here. Tokens, with C a card, S a seat, R a role and K a colour:

    @=C  @S=R  @=firstS  @S=C     starting whale, role card, first player, a card drawn
    xC  toS  CLAIM  keep  refuse  the mover discards, offers and says something; the other answers
    !C                            the card offered is turned up
    stealS=C  nosteal  lose=C  set=K
    !S=turtle  !S=-turtle         whether the seat without whales has the role that wins by that
    isS=R  pass                   the Were-whale's guess, seat by seat
    !S=R                          the roles shown at the end
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from thudstone.engine.cards.whales import claim as claims
from thudstone.engine.cards.whales.choices import CHANCES, LEGAL, chance_check, chance_first, chance_show
from thudstone.engine.cards.whales.claim import COLOURS, short
from thudstone.engine.cards.whales.phase import (
    ANSWER,
    CHECK,
    DEAL,
    DISCARD,
    DRAW,
    ENDED,
    FACTS,
    FIRST,
    GUESS,
    HEROES_TO_END,
    LOSE,
    NOBODY,
    OFFER,
    PLACE,
    REVEAL,
    ROLE,
    SAY,
    SHOW,
    STEAL,
    UNKNOWN,
    remember,
)
from thudstone.engine.cards.whales.roles import HIDDEN, ROLES, TURTLE, WERE
from thudstone.engine.cards.whales.scoring import shares
from thudstone.engine.cards.whales.table import ANY, OPTIONS, SET_FULL, Table, table_of
from thudstone.engine.game import CHANCE, OVER, Game, IllegalToken, OptionValue


class Whales(Game):
    """`sets[3 * seat + colour]` holds a seat's whales of a colour, sorted; `unseen` counts the cards this view hasn't
    seen: those of the deck, and those in a hand that it doesn't know."""

    name = "whales"
    options = OPTIONS
    seat_range = (3, 8)
    turn: int = CHANCE

    table: Table
    seats: int
    phase: int
    mover: int  # whose turn it is; `turn` is who decides now
    target: int  # to whom the card is offered
    claim: str
    kept: bool
    hand: tuple[int, ...]
    dropped: int  # the card discarded this turn
    blind: bool  # this view knew neither of the two cards that it was discarded from
    placing: int  # the universal dolphin for which a colour is chosen
    holder: int  # whose army a card enters; at the end, who brought it about
    stolen: int  # the seats stolen from this turn, as bits
    checked: int  # the seats known not to be the Turtle, as bits
    step: int  # cards dealt, roles dealt or shown
    left: int  # cards in the deck
    why: str
    roles: tuple[int, ...]
    named: tuple[int, ...]  # by the seat that is guessing
    guesses: tuple[tuple[int, tuple[int, ...]], ...]
    unseen: list[int]
    gone: list[int]
    sets: list[tuple[int, ...]]
    heroes: list[int]
    facts: list[int]

    def __init__(self, table: Table) -> None:
        seats = table.seats
        self.table, self.seats, self.phase, self.turn = table, seats, DEAL, CHANCE
        self.mover = self.target = self.holder = self.dropped = self.placing = NOBODY
        self.claim, self.kept, self.hand, self.blind, self.why = "", False, (), False, ""
        self.stolen = self.checked = self.step = 0
        self.left = sum(table.deck)
        self.roles = (HIDDEN,) * seats
        self.named, self.guesses = (), ()
        self.unseen = table.deck.copy()
        self.gone = [0] * len(table.deck)
        self.sets = [()] * (3 * seats)
        self.heroes = [0] * seats
        self.facts = [0] * (FACTS * seats)

    @classmethod
    def start(cls, seats: int, options: Mapping[str, OptionValue]) -> Whales:
        fewest, most = cls.seat_range
        if not fewest <= seats <= most:
            raise ValueError(f"{seats} seats: whales has {fewest} to {most}")
        return cls(table_of(seats, options))

    @classmethod
    def from_text(cls, text: str, options: Mapping[str, OptionValue]) -> Whales:
        from thudstone.engine.cards.whales.text import read

        return read(text, options)

    def text(self) -> str:
        from thudstone.engine.cards.whales.text import write

        return write(self)

    def legal(self) -> list[str]:
        lists = LEGAL.get(self.phase)
        return lists(self) if lists is not None else []

    def is_legal(self, token: str) -> bool:
        if self.phase == SAY:
            try:
                self._heard(token)
            except IllegalToken:
                return False
            return True
        return token in self.legal()

    def chance(self) -> list[tuple[str, int]]:
        phase = self.phase
        if phase == DRAW:
            return [pair for pair in zip(self.table.draws[self.mover], self.unseen, strict=True) if pair[1]]
        if phase == REVEAL:
            card = self.hand[0]
            if card >= 0:
                return self.table.shown[card].copy()
            return [(f"!{name}", count) for name, count in zip(self.table.name, self.unseen, strict=True) if count]
        return CHANCES[phase](self) if phase in CHANCES else []

    def apply(self, token: str) -> str:
        return _APPLY[self.phase](self, token)

    def end(self) -> str:
        return self.why if self.phase == ENDED else "none"

    def score(self) -> tuple[int, ...]:
        return tuple(self.strength(seat) for seat in range(self.seats))

    def returns(self) -> tuple[float, ...]:
        if self.phase != ENDED:
            raise ValueError("the game isn't over")
        return shares(self)

    def copy(self) -> Whales:
        other = Whales.__new__(Whales)
        other.__dict__.update(self.__dict__)
        other.unseen = self.unseen.copy()
        other.gone = self.gone.copy()
        other.sets = self.sets.copy()
        other.heroes = self.heroes.copy()
        other.facts = self.facts.copy()
        return other

    def redact(self, token: str, seat: int) -> str:
        sees = {DRAW: self.mover, ROLE: self.step}.get(self.phase, seat)
        return token if seat == sees else f"{token.partition('=')[0]}=?"

    def fill(self, rng: Random) -> Whales:
        """Every deal that fits is as likely as the cards make it; what the others chose is not weighed here."""
        other = self.copy()
        unseen = other.unseen
        if UNKNOWN in self.hand:
            cards = []
            for card in self.hand:
                if card == UNKNOWN:
                    weights = unseen
                    if self.blind and self.dropped >= 0:
                        # Of two cards of which one was discarded: another kind can have come first or second.
                        weights = [2 * count for count in unseen]
                        weights[self.dropped] //= 2
                    card = rng.choices(range(len(unseen)), weights)[0]
                    unseen[card] -= 1
                cards.append(card)
            other.hand = tuple(cards)
        if HIDDEN in self.roles:
            other.roles = self.some_roles(rng)
        return other

    def some_roles(self, rng: Random) -> tuple[int, ...]:
        """A deal of the roles that fits what this view knows."""
        known = self.known_roles()
        roles = list(self.roles)
        hidden = [seat for seat in range(self.dealt_roles()) if roles[seat] == HIDDEN]
        barred = sum(self.checked >> seat & 1 for seat in hidden)
        for seat in hidden:
            itself = bool(self.checked >> seat & 1)
            barred -= itself
            weights = self.table.roles.weights(tuple(known), barred, itself)
            at = rng.random() * sum(weights)
            role = -1
            while at >= 0:
                role += 1
                at -= weights[role]
            roles[seat] = role
            known[role] += 1
        return tuple(roles)

    def dealt_roles(self) -> int:
        """How many seats have got their role card."""
        if self.mover != NOBODY:
            return self.seats
        return self.step if self.phase == ROLE else 0

    def known_roles(self) -> list[int]:
        """How many seats are known to have each role."""
        return [self.roles.count(role) for role in range(len(ROLES))]

    def draw(self) -> str:
        from thudstone.engine.cards.whales.picture import picture

        return picture(self)

    def strength(self, seat: int) -> int:
        """What a seat's army would count now."""
        return self.table.strength(self.sets[3 * seat : 3 * seat + 3], self.heroes[seat])

    def stealable(self, thief: int) -> list[tuple[int, int]]:
        """(victim, card): a superhero, or the weakest whale of a colour."""
        table = self.table
        found: list[tuple[int, int]] = []
        skips = table.options["StealSkipsProtected"]
        for victim in range(self.seats):
            if victim == thief:
                continue
            for cards in self.sets[3 * victim : 3 * victim + 3]:
                if not cards:
                    continue
                open_cards = [card for card in cards if not table.is_protected[card]] if skips else cards
                if open_cards:
                    low = table.value[open_cards[0]]  # sets are sorted by strength
                    same = {card for card in open_cards if table.value[card] == low and not table.is_protected[card]}
                    found.extend((victim, card) for card in sorted(same))
            if self.heroes[victim]:
                found.append((victim, table.hero))
        return found

    def no_whales(self, seat: int) -> bool:
        at, sets = 3 * seat, self.sets
        return not (sets[at] or sets[at + 1] or sets[at + 2])

    def ended(self, why: str, holder: int) -> None:
        """The game has ended but for the Were-whale's guess and the roles."""
        self.why, self.holder, self.step = why, holder, 0
        if self.table.has_were and why in ("six", "deck"):
            self.phase, self.turn, self.named = GUESS, 0, ()
        else:
            self.phase, self.turn = SHOW, CHANCE

    # A card enters an army.

    def _enter(self, holder: int, card: int) -> None:
        table = self.table
        colour = table.colour[card]
        self.holder = holder
        if colour < ANY:
            self._join(holder, card, colour)
        elif colour == ANY:
            self.placing, self.phase, self.turn = card, PLACE, holder
        elif card == table.hero:
            self.heroes[holder] += 1
            if self.heroes[holder] == HEROES_TO_END:
                self.ended("heroes", holder)
            else:
                self._settle()
        else:
            self.gone[card] += 1
            if self.heroes[holder] or not self.no_whales(holder):
                self.phase, self.turn = LOSE, holder
            else:
                self._settle()

    def _join(self, holder: int, card: int, colour: int) -> None:
        table, sets = self.table, self.sets
        at = 3 * holder + colour
        cards = (*sets[at], card)
        if len(cards) <= table.capacity(cards):
            if len(cards) > 1:
                cards = tuple(sorted(cards, key=table.sorts.__getitem__))
            sets[at] = cards
            first = 3 * holder
            if len(sets[first]) >= SET_FULL and len(sets[first + 1]) >= SET_FULL and len(sets[first + 2]) >= SET_FULL:
                self.ended("six", holder)
            else:
                self._settle()
            return
        sets[at] = ()
        for each in cards:
            self.gone[table.home[each]] += 1
        if self.stealable(holder):
            self.phase, self.turn = STEAL, holder
        else:
            self._settle()

    def _settle(self) -> None:
        """All effects are done: the next turn, unless somebody may win as the Turtle."""
        if self.table.has_turtle:
            for at in range(self.seats):
                seat = (self.mover + at) % self.seats
                if self.no_whales(seat) and not self.checked >> seat & 1 and self._may_be_checked(seat):
                    self.phase, self.turn, self.holder = CHECK, CHANCE, seat
                    return
        self.stolen, self.hand, self.dropped, self.blind = 0, (), NOBODY, False
        self.target, self.claim, self.holder, self.placing = NOBODY, "", NOBODY, NOBODY
        self.mover = (self.mover + 1) % self.seats
        self._begin_turn()

    def _begin_turn(self) -> None:
        if self.left < 2:
            self.ended("deck", NOBODY)
        else:
            self.phase, self.turn = DRAW, CHANCE

    def _may_be_checked(self, seat: int) -> bool:
        match self.table.options["TurtleRole"]:
            case "after-any-steal":
                return self.stolen != 0
            case "stolen-from-only":
                return bool(self.stolen >> seat & 1)
        return True

    # Tokens, by phase.

    def _apply_deal(self, token: str) -> str:
        card = self.table.start_of.get(token)
        if card is None or self.table.colour[card] > ANY or not self.unseen[card]:
            raise IllegalToken(f"{token}: a starting whale expected, @=CARD of those left in the deck")
        self.unseen[card] -= 1
        self.left -= 1
        seat = self.step // self.table.start_whales
        if self.table.colour[card] == ANY:
            self.placing, self.phase, self.turn, self.holder = card, PLACE, seat, seat
        else:
            self._start_with(seat, card, self.table.colour[card])
        return token

    def _start_with(self, seat: int, card: int, colour: int) -> None:
        at = 3 * seat + colour
        self.sets[at] = tuple(sorted((*self.sets[at], card), key=self.table.sorts.__getitem__))
        self.step += 1
        self.phase, self.turn, self.holder = DEAL, CHANCE, NOBODY
        if self.step == self.seats * self.table.start_whales:
            self.phase, self.step = ROLE, 0

    def _apply_role(self, token: str) -> str:
        seat, role = self._seat_and_role(token, "@")
        if seat != self.step:
            raise IllegalToken(f"{token}: the role of seat {self.step + 1} is dealt next, @{self.step + 1}=ROLE")
        if role != HIDDEN:
            self._learn(seat, role, token)
        self.step += 1
        if self.step == self.seats:
            self.step = 0
            self.mover = 0
            if self.table.options["FirstPlayer"] == "random":
                self.phase = FIRST
            else:
                self._begin_turn()
        return token

    def _apply_first(self, token: str) -> str:
        if token not in [first for first, _ in chance_first(self)]:
            raise IllegalToken(f"{token}: the first player expected, @=first1 to @=first{self.seats}")
        self.mover = int(token[-1]) - 1
        self._begin_turn()
        return token

    def _apply_draw(self, token: str) -> str:
        card = self.table.draw_of[self.mover].get(token)
        if card is None:
            raise IllegalToken(f"{token}: seat {self.mover + 1} draws, @{self.mover + 1}=CARD")
        if card >= 0:
            if not self.unseen[card]:
                raise IllegalToken(f"{token}: no {self.table.name[card]} is left in the deck")
            self.unseen[card] -= 1
        self.left -= 1
        if self.hand:
            self.hand = (self.hand[0], card)
            self.phase, self.turn = DISCARD, self.mover
        else:
            self.hand = (card,)
        return token

    def _apply_discard(self, token: str) -> str:
        card = self.table.discard_of.get(token)
        first, second = self.hand
        if card is not None and card == first:
            self.hand = (second,)
        elif card is not None and card == second:
            self.hand = (first,)
        elif card is not None and UNKNOWN in self.hand and self.unseen[card]:
            self.unseen[card] -= 1
            self.blind = first == second
            self.hand = (second if first == UNKNOWN else first,)
        else:
            raise IllegalToken(f"{token}: {' or '.join(self.legal())} expected")
        self.dropped = card
        self.gone[card] += 1
        self.phase = OFFER
        return token

    def _apply_offer(self, token: str) -> str:
        target = self.table.offer_of[self.mover].get(token)
        if target is None:
            raise IllegalToken(f"{token}: {' or '.join(self.legal())} expected")
        self.target = target
        self.phase = SAY
        return token

    def _heard(self, token: str) -> str:
        """The claim as the game writes it. IllegalToken where it is none, or silence is not allowed."""
        if token in self.table.claims:
            return token
        try:
            written = claims.parse(token).token
        except ValueError as error:
            raise IllegalToken(str(error)) from None
        if written == "silent" and self.table.options["ClaimCompulsory"]:
            raise IllegalToken("silent: something must be said")
        return written

    def _apply_say(self, token: str) -> str:
        self.claim = token = self._heard(token)
        self.phase, self.turn = ANSWER, self.target
        return token

    def _apply_answer(self, token: str) -> str:
        if token == "keep":
            self.kept = True
        elif token == "refuse":
            self.kept = False
        else:
            raise IllegalToken(f"{token}: keep or refuse expected")
        self.phase, self.turn = REVEAL, CHANCE
        return token

    def _apply_reveal(self, token: str) -> str:
        card = self.table.shown_of.get(token)
        hidden = self.hand[0]
        if card is None or (card != hidden if hidden >= 0 else not self.unseen[card]):
            raise IllegalToken(f"{token}: the offered card expected, {' or '.join(t for t, _ in self.chance()[:9])}")
        if hidden < 0:
            self.unseen[card] -= 1
        self.hand = ()
        remember(self, card)
        self._enter(self.target if self.kept else self.mover, card)
        return token

    def _apply_place(self, token: str) -> str:
        if token not in self.legal():
            raise IllegalToken(f"{token}: {' or '.join(self.legal())} expected")
        colour = COLOURS.index(token[4:])
        card, seat = self.table.placed(self.placing, colour), self.turn
        self.placing = NOBODY
        if self.mover == NOBODY:
            self._start_with(seat, card, colour)
        else:
            self._join(seat, card, colour)
        return token

    def _apply_steal(self, token: str) -> str:
        steals = self.table.steals
        found = next(((seat, card) for seat, card in self.stealable(self.turn) if steals[seat][card] == token), None)
        if found is None:
            if token != "nosteal" or self.table.options["StealCompulsory"]:
                raise IllegalToken(f"{short(token)}: {' or '.join(self.legal())} expected")
            self._settle()
            return token
        victim, card = found
        self._remove(victim, card)
        self.stolen |= 1 << victim
        if self.table.options["UniversalReplaced"]:
            self._enter(self.turn, self.table.home[card])
        else:
            self._enter(self.turn, card)
        return token

    def _apply_lose(self, token: str) -> str:
        if token not in self.legal():
            raise IllegalToken(f"{short(token)}: {' or '.join(self.legal())} expected")
        card = self.table.index[token[5:]]
        self._remove(self.turn, card)
        self.gone[self.table.home[card]] += 1
        self._settle()
        return token

    def _remove(self, seat: int, card: int) -> None:
        if card == self.table.hero:
            self.heroes[seat] -= 1
            return
        at = 3 * seat + self.table.colour[card]
        cards = list(self.sets[at])
        cards.remove(card)
        self.sets[at] = tuple(cards)

    def _apply_check(self, token: str) -> str:
        seat, fits = self.holder, [token for token, _ in chance_check(self)]
        if token not in fits:
            raise IllegalToken(f"{short(token)}: {' or '.join(fits)} expected")
        if token.endswith("=turtle"):
            self.roles = (*self.roles[:seat], TURTLE, *self.roles[seat + 1 :])
            self.ended("turtle", seat)
        else:
            self.checked |= 1 << seat
            self._settle()
        return token

    def _apply_guess(self, token: str) -> str:
        if token not in self.legal():
            raise IllegalToken(f"{short(token)}: {' or '.join(self.legal())} expected")
        seat = self.turn
        if token != "pass":
            if self.roles[seat] == HIDDEN:
                self._learn(seat, WERE, token)
            self.named = (*self.named, ROLES.index(token.partition("=")[2]))
            if len(self.named) < self.seats - 1:
                return token
            self.guesses = (*self.guesses, (seat, self.named))
            self.named = ()
        if seat + 1 < self.seats:
            self.turn = self.step = seat + 1
        else:
            self.phase, self.turn, self.step = SHOW, CHANCE, 0
        return token

    def _apply_show(self, token: str) -> str:
        seat, role = self._seat_and_role(token, "!")
        if seat != self.step or role == HIDDEN or self.roles[seat] not in (HIDDEN, role):
            fits = " or ".join(fit for fit, _ in chance_show(self))
            raise IllegalToken(f"{token}: the role of seat {self.step + 1} is shown next, {fits}")
        if self.roles[seat] == HIDDEN:
            self._learn(seat, role, token)
        self.step += 1
        if self.step == self.seats:
            self.phase, self.turn = ENDED, OVER
        return token

    def _apply_ended(self, token: str) -> str:
        raise IllegalToken(f"{short(token)}: the game is over")

    def _seat_and_role(self, token: str, mark: str) -> tuple[int, int]:
        seat, equals, role = token[1:].partition("=")
        if token[:1] != mark or not equals or len(seat) != 1 or seat not in "12345678" or role not in (*ROLES, "?"):
            raise IllegalToken(f"{short(token)}: {mark}{self.step + 1}=ROLE expected, ROLE one of {' '.join(ROLES)}")
        return int(seat) - 1, HIDDEN if role == "?" else ROLES.index(role)

    def _learn(self, seat: int, role: int, token: str) -> None:
        """Fill in a role. IllegalToken where it can't be with what is known of the others."""
        itself = bool(self.checked >> seat & 1)
        others = [other for other, known in enumerate(self.roles) if known == HIDDEN and other != seat]
        barred = sum(self.checked >> other & 1 for other in others)
        if not self.table.roles.weights(tuple(self.known_roles()), barred, itself)[role]:
            raise IllegalToken(f"{token}: no role card {ROLES[role]} can be there with the others")
        self.roles = (*self.roles[:seat], role, *self.roles[seat + 1 :])


_APPLY: tuple[Callable[[Whales, str], str], ...] = (
    Whales._apply_deal,
    Whales._apply_role,
    Whales._apply_first,
    Whales._apply_draw,
    Whales._apply_discard,
    Whales._apply_offer,
    Whales._apply_say,
    Whales._apply_answer,
    Whales._apply_reveal,
    Whales._apply_place,
    Whales._apply_steal,
    Whales._apply_lose,
    Whales._apply_check,
    Whales._apply_guess,
    Whales._apply_show,
    Whales._apply_ended,
)
