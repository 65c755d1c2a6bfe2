"""What stays the same during a game of Whales: its cards, its role deck, its options, and the tokens of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from thudstone.engine.cards.whales.claim import COLOURS, parse
from thudstone.engine.cards.whales.data import WhalesData, load
from thudstone.engine.cards.whales.roles import DOLPHIN, HENCHMAN, ROLES, SPY, TURTLE, WERE, WHALE, RoleDeck
from thudstone.engine.game import Option, OptionValue

HERO = "H"
TURTLE_CARD = "T"
LETTERS = "rbg"  # of COLOURS
ANY = 3  # the colour of a universal dolphin that lies in no set yet
NO_COLOUR = 4
SET_FULL = 2  # whales of a colour; with a triple dolphin one more
STOLEN = 3.0  # what the steal after a full set is worth, in points: a player's guess

OPTIONS = (
    Option("Dolphins", "check", False),
    Option("ExpansionRoles", "check", False),
    Option("FirstPlayer", "combo", "random", choices=("random", "seat-1")),
    Option("ScoreTie", "combo", "shared", choices=("shared", "fewer-heroes-then-highest-whale")),
    Option("StealCompulsory", "check", True),
    Option("StealSkipsProtected", "check", True),
    Option("TurtleRole", "combo", "after-effects", choices=("after-effects", "after-any-steal", "stolen-from-only")),
    Option("TwoSpiesThirdRole", "combo", "spies-share", choices=("spies-share", "nobody-wins")),
    Option("WereWhale", "combo", "both-win", choices=("both-win", "were-whale-alone")),
    Option("UniversalReplaced", "check", True),
    Option("SevenPlayers", "combo", "as-five-or-more", choices=("as-five-or-more", "as-eight")),
    Option("ClaimCompulsory", "check", False),
    Option("SecondSpy", "combo", "six-or-more", choices=("six-or-more", "never", "always")),
    Option("Data", "string", ""),
)

DEFAULTS: dict[str, OptionValue] = {option.name: option.default for option in OPTIONS}


@dataclass(frozen=True)
class Card:
    """A kind of card. `colour` is an index into COLOURS, ANY or NO_COLOUR; `true` the terms of a claim that hold of it.
    `home` is the card it becomes again outside an army: the universal dolphin for one that lies in a set."""

    name: str
    colour: int
    value: int = 0
    ability: str = ""
    home: int = 0
    true: frozenset[str] = frozenset()


class Table:
    """Cards are numbers, indices into `cards`; decks are lists of how many there are of each."""

    def __init__(self, seats: int, options: Mapping[str, OptionValue], data: WhalesData) -> None:
        """ValueError where the data has too few cards for so many seats."""
        self.seats = seats
        self.options: dict[str, OptionValue] = {**DEFAULTS, **options}
        # More than six seats need roles of the expansion, and the rule text gives them a deck only with its dolphins.
        self.dolphins = bool(self.options["Dolphins"]) or seats > 6
        self.expansion = bool(self.options["ExpansionRoles"]) or seats > 6
        self.cards: list[Card] = []
        self.deck: list[int] = []
        self._make_cards(data)
        self.index = {card.name: number for number, card in enumerate(self.cards)}
        self.hero = self.index[HERO]
        self.turtle = self.index[TURTLE_CARD]
        self.colour = [card.colour for card in self.cards]
        self.value = [card.value for card in self.cards]
        self.name = [card.name for card in self.cards]
        self.home = [card.home for card in self.cards]
        self.is_triple = [card.ability == "triple" for card in self.cards]
        self.is_protected = [card.ability == "unstealable" for card in self.cards]
        self.purges = [card.ability == "purge_hero" for card in self.cards]
        self.sorts = [(card.colour, card.value, card.ability) for card in self.cards]
        self.start_whales = data.start_whales
        self.roles = self._role_deck(data)
        self.has_turtle = self.roles.most[TURTLE] > 0
        self.has_were = self.roles.most[WERE] > 0
        self.expected_spies = self.roles.expected(SPY)
        whales = sum(self.deck[number] for number, card in enumerate(self.cards) if card.colour <= ANY)
        if whales < seats * self.start_whales:
            raise ValueError(f"{seats} seats start with {seats * self.start_whales} whales, and the deck has {whales}")
        self._make_tokens()
        self.effect = lru_cache(maxsize=1 << 16)(self._effect)
        self.truth = lru_cache(maxsize=4096)(self._truth)

    def placed(self, card: int, colour: int) -> int:
        """The universal dolphin as it lies in a set."""
        return self.index[f"{self.name[card]}{LETTERS[colour]}"]

    def strength(self, sets: Sequence[tuple[int, ...]], heroes: int) -> int:
        """What an army counts at the end: its whales without the weakest, one for each superhero that no dolphin sends
        away."""
        cards = [card for each in sets for card in each]
        value = self.value
        if not heroes:
            return sum([value[card] for card in cards])
        if self.dolphins:
            heroes = max(0, heroes - sum(self.purges[card] for card in cards))
        return sum(sorted([value[card] for card in cards])[heroes:])

    def capacity(self, cards: Sequence[int]) -> int:
        """How many cards a set with these may hold."""
        return SET_FULL + (self.dolphins and any(self.is_triple[card] for card in cards))

    def _effect(
        self, red: tuple[int, ...], blue: tuple[int, ...], grey: tuple[int, ...], heroes: int, card: int
    ) -> tuple[float, int, int, bool]:
        sets = [red, blue, grey]
        before = self.strength(sets, heroes)
        if card == self.hero:
            return self.strength(sets, heroes + 1) - before, 0, 0, False
        if card == self.turtle:
            return self._turtle(sets, heroes, before)
        colour = self.colour[card]
        if colour == ANY:
            choices = [self._effect(red, blue, grey, heroes, self.placed(card, each)) for each in range(len(COLOURS))]
            return max(choices, key=lambda each: (each[3], each[0]))
        cards = (*sets[colour], card)
        slots, whales = 0, 1
        if len(cards) <= self.capacity(cards):
            slots = int(len(cards) <= SET_FULL)
            sets[colour] = cards
        else:
            slots, whales = -min(SET_FULL, len(cards) - 1), 1 - len(cards)
            sets[colour] = ()
        six = min(map(len, sets)) >= SET_FULL
        gain = self.strength(sets, heroes) - before
        return gain if whales > 0 else gain + STOLEN, slots, whales, six

    def _turtle(self, sets: Sequence[tuple[int, ...]], heroes: int, before: int) -> tuple[float, int, int, bool]:
        """Its receiver gives up a superhero if he has one, else his weakest whale."""
        if heroes:
            return self.strength(sets, heroes - 1) - before, 0, 0, False
        cards = [card for each in sets for card in each]
        if not cards:
            return 0.0, 0, 0, False
        low = min(cards, key=lambda card: self.value[card])
        return -float(self.value[low]), -1, -1, False

    def _truth(self, claim: str) -> tuple[int, ...] | None:
        """The cards of which a claim is true; None for one that is neither true nor false."""
        parsed = parse(claim)
        holds = [parsed.holds(card.true) for card in self.cards]
        return None if None in holds else tuple(card for card, true in enumerate(holds) if true)

    def _make_cards(self, data: WhalesData) -> None:
        dolphins, five = self.dolphins, self.seats >= data.five_plus_from
        all_cards = self.seats == 8 or (self.seats == 7 and self.options["SevenPlayers"] == "as-eight")
        whales_5plus = all_cards if dolphins else five
        for colour, value, count, extra in data.whales:
            true = frozenset(("whale", COLOURS[colour], str(value)))
            self._add(Card(f"{LETTERS[colour]}{value}", colour, value, true=true), count + extra * whales_5plus)
        for ability, colour, value, count in data.dolphins if dolphins else ():
            true = frozenset(("whale", "dolphin", str(value), *(COLOURS if colour == ANY else (COLOURS[colour],))))
            if colour == ANY:
                home = len(self.cards)
                self._add(Card(f"u{value}", ANY, value, ability, home, true), count)
                for number, letter in enumerate(LETTERS):
                    self._add(Card(f"u{value}{letter}", number, value, ability, home, true), 0)
            else:
                self._add(Card(f"{LETTERS[colour]}{value}{ability[0]}", colour, value, ability, true=true), count)
        heroes = data.heroes[0] + data.heroes[1] * (five or dolphins)
        self._add(Card(HERO, NO_COLOUR, true=frozenset(("hero",))), heroes)
        self._add(Card(TURTLE_CARD, NO_COLOUR, true=frozenset(("turtle",))), data.turtles[0] + data.turtles[1] * five)

    def _add(self, card: Card, count: int) -> None:
        for number, other in enumerate(self.cards):
            if other.name == card.name:  # listed twice in the data
                self.deck[number] += count
                return
        number = len(self.cards)
        self.cards.append(card if card.ability == "universal" else Card(**{**card.__dict__, "home": number}))
        self.deck.append(count)

    def _role_deck(self, data: WhalesData) -> RoleDeck:
        have = data.roles
        if not self.expansion:
            spies = min(have[SPY], 2 if self.seats == 6 else 1)
            sure = [0] * len(ROLES)
            sure[WHALE], sure[SPY] = self.seats - spies, spies
            if sure[WHALE] > have[WHALE] or not spies:
                raise ValueError(f"{self.seats} seats need {sure[WHALE]} whales' role cards and a spy's")
            return RoleDeck(self.seats, sure, [0] * len(ROLES))
        sure = [0] * len(ROLES)
        sure[WHALE] = sure[SPY] = 1
        pool = [0] * len(ROLES)
        pool[WHALE] = have[WHALE] - 1
        second = {"always": True, "never": False}.get(str(self.options["SecondSpy"]), self.seats >= 6)
        pool[SPY] = have[SPY] - 1 if second else 0
        for role in (DOLPHIN, TURTLE, HENCHMAN):
            pool[role] = have[role]
        pool[WERE] = have[WERE] if self.seats >= 5 else 0
        if min(pool) < 0:
            raise ValueError("the expansion's role deck needs a whale and a spy")
        return RoleDeck(self.seats, sure, pool)

    def _make_tokens(self) -> None:
        seats, names = range(self.seats), self.name
        # What a draw can be, for each seat; and the card of every token that names one.
        self.draws = [[f"@{seat + 1}={name}" for name in names] for seat in seats]
        self.draw_of = [{**{t: n for n, t in enumerate(row)}, f"@{s + 1}=?": -1} for s, row in enumerate(self.draws)]
        self.starts = [f"@={name}" for name in names]
        self.start_of = {token: number for number, token in enumerate(self.starts)}
        self.discards = [f"x{name}" for name in names]
        self.discard_of = {token: number for number, token in enumerate(self.discards)}
        self.shown = [[(f"!{name}", 1)] for name in names]
        self.shown_of = {f"!{name}": number for number, name in enumerate(names)}
        self.losses = [f"lose={name}" for name in names]
        self.steals = [[f"steal{seat + 1}={name}" for name in names] for seat in seats]
        self.offers = [[f"to{other + 1}" for other in seats if other != seat] for seat in seats]
        self.offer_of = [{f"to{other + 1}": other for other in seats if other != seat} for seat in seats]
        say = [*COLOURS, "whale", *(("dolphin",) if self.dolphins else ()), "hero", "-hero", "turtle"]
        silent = () if self.options["ClaimCompulsory"] else ("silent",)
        self.claims = [*silent, *(f"say:{term}" for term in (*say, "take", "leave", "need", "return"))]


_TABLES: dict[tuple[object, ...], Table] = {}
_MOST_TABLES = 64


def table_of(seats: int, options: Mapping[str, OptionValue]) -> Table:
    """What states of such a game share. ValueError for data that can't be read or doesn't suffice."""
    data = load(str(options.get("Data", "")))
    key = (seats, data, tuple(sorted(options.items())))
    if key not in _TABLES:
        if len(_TABLES) >= _MOST_TABLES:
            _TABLES.clear()
        _TABLES[key] = Table(seats, options, data)
    return _TABLES[key]
