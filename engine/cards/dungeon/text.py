"""The position as one text without white space, and back: `NAME=VALUE` fields joined by `;`, those left out that hold
nothing."""

from __future__ import annotations

from thudstone.engine.cards.dungeon import stages as s
from thudstone.engine.cards.dungeon.book import Book
from thudstone.engine.cards.dungeon.expedition import BY_ALLY, BY_COLLAR, DRAGON
from thudstone.engine.cards.dungeon.kinds import CODES, CUBE, KIND, ONE, code, listed
from thudstone.engine.cards.dungeon.stages import NONE, STAGES, UNKNOWN
from thudstone.engine.cards.dungeon.state import MOST_SEATS, ONLY_ADD, Dungeon
from thudstone.engine.game import CHANCE, OVER

_SETUP = (s.SPECIAL, s.FIRST, s.DEAL_HERO, s.HERO)
_DUNGEON = (s.AT, s.NAME, s.REVEAL, s.USE, s.PAY, s.CUBE_TAKES)
_MOST = 9999
_REASONS = ("success", "elimination", "draw")
_FLAGS = ("coin", "must")


def write(state: Dungeon) -> str:
    """ASCII; what this view doesn't know is `?`."""
    book = state.book
    unknown = 0
    if state.excess:
        unknown = state.excess if state.stage == s.SPECIAL else book.cards.drawn_specials - len(state.specials)
    fields = {
        "seats": str(state.seats),
        "stage": STAGES[state.stage],
        "round": str(state.round),
        "wins": _numbers(state.wins),
        "fails": _numbers(state.fails),
        "mover": str(state.mover + 1),
        "specials": ",".join([*map(code, state.specials), *["?"] * unknown]),
    }
    if state.tiles or state.stage not in _SETUP:
        fields["hero"] = state.hero.code
        fields["tiles"] = ",".join(tile.code for tile in state.hero.some(state.tiles))
        fields["deck"] = str(state.left)
        fields["pool"] = ",".join(
            f"{code(kind)}*{state.pool >> 4 * kind & 15}" for kind in range(len(CODES)) if state.pool >> 4 * kind & 15
        )
    fields["pile"] = ",".join(f"{seat + 1}:{code(card)}" for seat, card in zip(state.added, state.pile, strict=True))
    fields["aside"] = ",".join(
        f"{seat + 1}:{code(card)}:{state.hero.tile(bit).code if bit else '-'}"
        for seat, card, bit in zip(state.asider, state.aside, state.given, strict=True)
    )
    fields["card"] = "" if state.card == NONE else code(state.card)
    fields["passed"], fields["acted"] = _seats(state.passed), _seats(state.acted)
    if state.hp:
        fields["hp"] = str(state.hp)
    for name in ("position", "flute", "charmed"):
        fields[name] = str(getattr(state, name) or "")
    fields["seen"] = ",".join(CODES[kind] for kind in range(DRAGON + 1) if state.seen >> kind & 1)
    fields["namer"] = "" if state.namer == NONE else str(state.namer + 1)
    fields["named"] = "" if state.named == NONE else str(state.named)
    fields["strength"] = "" if state.strength == NONE else str(state.strength)
    fields["identity"] = "" if state.identity < 0 else CODES[state.identity]
    fields["ask"] = ",".join(tile.code for tile in state.hero.some(state.ask))
    for name in _FLAGS:
        fields[name] = "1" if getattr(state, name) else ""
    fields["why"] = state.why
    return ";".join(f"{name}={value}" for name, value in fields.items() if value)


def _numbers(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _seats(bits: int) -> str:
    return ",".join(str(seat + 1) for seat in range(MOST_SEATS) if bits >> seat & 1)


def read(text: str, book: Book) -> Dungeon:
    """The position that `write` wrote. ValueError names the field and what is wrong with it."""
    fields: dict[str, str] = {}
    for field in text.split(";"):
        name, equals, value = field.partition("=")
        if not equals or not value or name in fields:
            raise ValueError(f"{field[:40]}: FIELD=VALUE expected, each field once")
        fields[name] = value
    seats = fields.pop("seats", "")
    if seats not in [str(number) for number in range(Dungeon.seat_range[0], MOST_SEATS + 1)]:
        raise ValueError(f"seats={seats[:40]}: 2 to {MOST_SEATS} expected")
    state = Dungeon(int(seats), book)
    _Reader(state, fields).read()
    if write(state) != text:
        raise ValueError(f"{text[:40]}...: not as the game writes it: {write(state)}")
    return state


class _Reader:
    """Fills a state at its start from fields; each is taken out of `fields` when it is read."""

    def __init__(self, state: Dungeon, fields: dict[str, str]) -> None:
        self.state, self.fields = state, fields

    def read(self) -> None:
        state, fields = self.state, self.fields
        stage = self._take("stage")
        if stage not in STAGES:
            raise ValueError(f"stage={stage[:40]}: one of {' '.join(STAGES)} expected")
        state.stage = STAGES.index(stage)
        state.round = self._number("round", 1)
        cards = state.book.cards
        state.wins = self._each("wins", cards.successes)
        state.fails = self._each("fails", cards.failures)
        state.mover = self._seat("mover", self._take("mover"))
        self._read_specials()
        if "hero" in fields:
            self._read_hero()
        elif state.stage not in _SETUP:
            raise ValueError("hero: missing")
        self._read_heap()
        for entry in self._list("pile"):
            seat, card = self._split("pile", entry, 2)
            state.pile += (self._card("pile", card),)
            state.added += (self._seat("pile", seat),)
        for entry in self._list("aside"):
            seat, card, tile = self._split("aside", entry, 3)
            state.aside += (self._card("aside", card),)
            state.asider += (self._seat("aside", seat),)
            state.given += (0 if tile == "-" else self._tile("aside", tile),)
        if "card" in fields:
            state.card = self._card("card", fields.pop("card"))
        state.passed, state.acted = self._bits("passed"), self._bits("acted")
        for name in ("hp", "position", "flute", "charmed", "named", "strength"):
            if name in fields:
                setattr(state, name, self._number(name, -1 if name == "strength" else 0))
        if "namer" in fields:
            state.namer = self._seat("namer", fields.pop("namer"))
        for name in self._list("seen"):
            state.seen |= 1 << self._monster("seen", name)
        state.identity = self._monster("identity", fields.pop("identity")) if "identity" in fields else state.identity
        if state.strength != NONE and state.identity == NONE:
            state.identity = -1
        for name in self._list("ask"):
            state.ask |= self._tile("ask", name)
        for name in _FLAGS:
            value = fields.pop(name, "")
            if value not in ("", "1"):
                raise ValueError(f"{name}={value[:40]}: only 1 is written")
            setattr(state, name, value == "1")
        if "why" in fields:
            state.why = fields.pop("why")
            if state.why not in _REASONS:
                raise ValueError(f"why={state.why[:40]}: one of {' '.join(_REASONS)} expected")
        if fields:
            raise ValueError(f"{next(iter(fields))[:40]}: no such field")
        self._check_cards()
        self._check_stage()
        self._set_turn()

    # Single fields.

    def _take(self, name: str) -> str:
        if name not in self.fields:
            raise ValueError(f"{name}: missing")
        return self.fields.pop(name)

    def _number(self, name: str, low: int = 0) -> int:
        return self._count(name, self._take(name), low, _MOST)

    @staticmethod
    def _count(name: str, value: str, low: int, high: int) -> int:
        if value == "-1" and low < 0:
            return -1
        if not value.isascii() or not value.isdecimal() or len(value) > 4 or not low <= int(value) <= high:
            raise ValueError(f"{name}={value[:40]}: a number from {low} to {high} expected")
        return int(value)

    def _list(self, name: str) -> list[str]:
        return self.fields.pop(name).split(",") if name in self.fields else []

    @staticmethod
    def _split(name: str, entry: str, parts: int) -> list[str]:
        found = entry.split(":")
        if len(found) != parts:
            raise ValueError(
                f"{name}: {entry[:40]}: {parts} parts expected, as in {':'.join(('2', 'GOL', 'HAT')[:parts])}"
            )
        return found

    def _each(self, name: str, high: int) -> tuple[int, ...]:
        numbers = tuple(self._count(name, value, 0, high) for value in self._take(name).split(","))
        if len(numbers) != self.state.seats:
            raise ValueError(f"{name}: {self.state.seats} numbers expected")
        return numbers

    def _seat(self, name: str, value: str) -> int:
        return self._count(name, value, 1, self.state.seats) - 1

    def _bits(self, name: str) -> int:
        return sum({1 << self._seat(name, value) for value in self._list(name)})

    def _card(self, name: str, value: str) -> int:
        if value == "?":
            return UNKNOWN
        if value not in KIND:
            raise ValueError(f"{name}: no card is called {value[:40]}")
        return KIND[value]

    def _monster(self, name: str, value: str) -> int:
        kind = self._card(name, value)
        if not 0 <= kind <= DRAGON:
            raise ValueError(f"{name}: {value[:40]} is no identity")
        return kind

    def _tile(self, name: str, value: str) -> int:
        hero = self.state.hero
        if value not in hero.bit:
            raise ValueError(f"{name}: the hero has no tile {value[:40]}")
        return hero.bit[value]

    # The parts.

    def _read_specials(self) -> None:
        state = self.state
        cards = state.book.cards
        found = [self._card("specials", name) for name in self._list("specials")]
        known = [kind for kind in found if kind != UNKNOWN]
        unknown = len(found) - len(known)
        fits = all(ONE[kind] & cards.specials for kind in known) and len(set(known)) == len(known)
        if not fits or len(found) > cards.drawn_specials or (unknown and state.book.specials_public):
            raise ValueError("specials: no such special monsters can be in the game")
        state.specials = tuple(known)
        if state.stage == s.SPECIAL:
            if len(found) == cards.drawn_specials:
                raise ValueError("specials: all are drawn, which doesn't go with stage=special")
            state.excess = unknown
            return
        if len(found) < cards.drawn_specials:
            raise ValueError(f"specials: {cards.drawn_specials} expected")
        heap = cards.specials if unknown else sum(ONE[kind] for kind in known)
        state.excess = len(listed(cards.specials)) - cards.drawn_specials if unknown else 0
        state.full = state.pool = cards.monsters + heap

    def _read_hero(self) -> None:
        state = self.state
        name = self.fields.pop("hero")
        heroes = [hero for hero in state.book.cards.heroes if hero.code == name]
        if not heroes:
            raise ValueError(
                f"hero={name[:40]}: one of {' '.join(hero.code for hero in state.book.cards.heroes)} expected"
            )
        state.hero = heroes[0]
        for tile in self._list("tiles"):
            state.tiles |= self._tile("tiles", tile)

    def _read_heap(self) -> None:
        state = self.state
        if state.stage in _SETUP:
            return
        heap = 0
        for entry in self._list("pool"):
            name, _, copies = entry.partition("*")
            kind = self._card("pool", name)
            if kind == UNKNOWN:
                raise ValueError("pool: only cards with names stand there")
            heap += self._count("pool", copies, 1, 15) << 4 * kind
        state.pool = heap
        state.left = self._count("deck", self._take("deck"), 0, state.book.deck_size)

    def _check_cards(self) -> None:
        """Every card is somewhere, and none twice."""
        state = self.state
        if state.stage in _SETUP:
            return
        in_dungeon = state.stage in _DUNGEON
        # A card revealed still stands as `card`, though it is counted by `position`.
        held = 0 if in_dungeon else int(state.card != NONE)
        lying = [*state.pile, *state.aside, *([state.card] if state.card != NONE else [])]
        for kind in range(len(CODES)):
            copies = (state.pool >> 4 * kind & 15) + lying.count(kind)
            if copies > state.full >> 4 * kind & 15:
                raise ValueError(f"there are only {state.full >> 4 * kind & 15} cards {CODES[kind]}")
        hidden = lying.count(UNKNOWN)
        pool, least = len(listed(state.pool)), state.left + hidden + state.excess
        # When the cards laid aside are shown, those that the hero didn't meet are out of the game unseen.
        if pool < least or (pool > least and state.stage != s.SHOW):
            raise ValueError(f"pool: {least} cards expected, not {pool}")
        seen = state.book.deck_size - state.left - len(state.pile) - len(state.aside) - held
        if state.stage in (s.BID, s.DRAWN, s.PLACE) and seen:
            raise ValueError(f"deck={state.left}: {seen} cards more or less than there are")
        if seen < state.position and state.stage in _DUNGEON:
            raise ValueError(f"position={state.position}: so many cards can't have been revealed")

    def _check_stage(self) -> None:
        """The fields must go together as the stage needs them."""
        state = self.state
        stage = state.stage
        alive = state.alive()
        out = sum(1 << seat for seat in range(state.seats) if seat not in alive)
        bidding = stage in (s.BID, s.DRAWN, s.PLACE)
        in_dungeon = stage in _DUNGEON
        in_play = (1 << state.seats) - 1 & ~state.passed
        won = max(state.wins) == state.book.cards.successes
        needs: list[tuple[str, bool]] = [
            ("why", bool(state.why) == (stage == s.ENDED)),
            ("wins", won == (state.why == "success")),
            ("fails", (len(alive) < 2) == (state.why in ("elimination", "draw"))),
            ("round", state.round == 1 or stage not in (s.SPECIAL, s.DEAL_HERO)),
            ("passed", state.passed & out == out or stage in (s.SPECIAL, s.FIRST, s.DEAL_HERO, s.SHOW, s.ENDED)),
            ("mover", not state.passed >> state.mover & 1 or stage in (s.FIRST, s.SHOW, s.ENDED)),
            ("passed", not bidding or in_play & in_play - 1 != 0),
            ("passed", not in_dungeon or in_play == 1 << state.mover),
            ("card", (state.card != NONE) == (stage in (s.PLACE, s.USE, s.PAY, s.CUBE_TAKES))),
            ("card", state.card != UNKNOWN or stage == s.PLACE),
            ("card", state.card == CUBE or stage != s.CUBE_TAKES),
            ("deck", stage != s.DRAWN or state.left > 0),
            ("hp", state.hp > 0 or not in_dungeon),
            ("pile", bool(state.pile) or stage not in (s.AT, s.NAME, s.REVEAL)),
            ("aside", bool(state.aside) or stage != s.SHOW),
            ("named", state.named == NONE or (in_dungeon and state.hero.named > 0) or stage in (s.SHOW, s.ENDED)),
            ("named", state.named == NONE or state.named in self._names()),
            ("namer", state.namer not in (NONE, state.mover) or stage != s.NAME),
            ("tiles", bool(state.hero.named & state.tiles) or stage not in (s.AT, s.NAME)),
            ("tiles", bool(state.tiles) or stage != s.CUBE_TAKES),
            ("ask", (state.ask != 0) == (stage == s.USE) and state.ask & ~state.tiles == 0),
            ("tiles", self._bomb_pays() or stage != s.PAY),
            ("charmed", state.charmed in (0, BY_ALLY, BY_COLLAR)),
            ("strength", state.strength != NONE or stage not in (s.USE, s.PAY, s.CUBE_TAKES)),
        ]
        for name, fits in needs:
            if not fits:
                raise ValueError(f"{name}: doesn't go with stage={STAGES[stage]}")

    def _names(self) -> tuple[int, ...]:
        hero = self.state.hero
        return hero.tile(hero.named).named if hero.named else ()

    def _bomb_pays(self) -> bool:
        state = self.state
        return bool(state.hero.smoke and state.tiles & ~state.hero.smoke)

    def _set_turn(self) -> None:
        state = self.state
        stage, hero = state.stage, state.hero
        state.turn = state.mover
        if stage == s.HERO:
            state.moves = state.book.choosing
        elif stage == s.BID:
            state._await_bid()
        elif stage == s.PLACE:
            state.moves = ONLY_ADD if state.book.author and state.forced() else hero.placing[state.tiles]
        elif stage == s.AT:
            state.moves = [f"at{seat + 1}" for seat in range(state.seats) if seat != state.mover]
        elif stage == s.NAME:
            state.turn = state.namer
            state.moves = [f"n{strength}" for strength in self._names()]
        elif stage == s.USE:
            state._ask()
        elif stage == s.PAY:
            state.moves = hero.giving_up[state.tiles & ~hero.smoke]
        elif stage == s.CUBE_TAKES:
            state.moves = hero.giving_up[state.tiles]
        else:
            state.turn = OVER if stage == s.ENDED else CHANCE
        if stage != s.ENDED and not (state.moves or state.chance()):
            raise ValueError(f"stage={STAGES[stage]}: nothing could come next")
