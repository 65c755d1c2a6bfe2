"""The position as text, one word of fields.

    seats=4;phase=answer;mover=1;target=3;claim=say:red;hand=?;dropped=r3;roles=whale,?,?,?;army1=r1,b4,H;...;gone=r3*2

Fields that are as at the start are left out. What is in neither armies, discards nor known hands is unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from thudstone.engine.cards.whales import claim as claims
from thudstone.engine.cards.whales import phase as s
from thudstone.engine.cards.whales.claim import COLOURS
from thudstone.engine.cards.whales.roles import HIDDEN, ROLES, TURTLE
from thudstone.engine.cards.whales.table import ANY
from thudstone.engine.game import CHANCE, OVER, OptionValue

if TYPE_CHECKING:
    from thudstone.engine.cards.whales.state import Whales

_NUMBERS = ("step", "mover", "target", "holder")
_MOST_FACTS = 999


def write(state: Whales) -> str:
    table = state.table
    fields = [f"seats={state.seats}", f"phase={s.PHASES[state.phase]}"]
    fields.append(f"step={state.step}")
    for name in _NUMBERS[1:]:
        seat = getattr(state, name)
        if seat >= 0:
            fields.append(f"{name}={seat + 1}")
    if state.claim:
        fields.append(f"claim={state.claim}")
    if state.kept:
        fields.append("kept=1")
    if state.hand:
        fields.append(f"hand={names(state, state.hand)}")
    for name, card in (("dropped", state.dropped), ("placing", state.placing)):
        if card >= 0:
            fields.append(f"{name}={table.name[card]}")
    if state.blind:
        fields.append("blind=1")
    for name, bits in (("stolen", state.stolen), ("checked", state.checked)):
        if bits:
            fields.append(f"{name}={''.join(str(seat + 1) for seat in range(state.seats) if bits >> seat & 1)}")
    if state.why:
        fields.append(f"why={state.why}")
    fields.append(f"roles={_roles(state.roles)}")
    if state.named:
        fields.append(f"named={_roles(state.named)}")
    fields += [f"guess{seat + 1}={_roles(named)}" for seat, named in state.guesses]
    for seat in range(state.seats):
        cards = [card for each in state.sets[3 * seat : 3 * seat + 3] for card in each]
        cards += [table.hero] * state.heroes[seat]
        if cards:
            fields.append(f"army{seat + 1}={names(state, cards)}")
    if any(state.gone):
        gone = [f"{name}*{count}" for name, count in zip(table.name, state.gone, strict=True) if count]
        fields.append(f"gone={','.join(gone)}")
    if any(state.facts):
        fields.append(f"facts={'.'.join(map(str, state.facts))}")
    return ";".join(fields)


def names(state: Whales, cards: list[int] | tuple[int, ...]) -> str:
    return ",".join("?" if card < 0 else state.table.name[card] for card in cards)


def _roles(roles: tuple[int, ...]) -> str:
    return ",".join("?" if role == HIDDEN else ROLES[role] for role in roles)


def read(text: str, options: Mapping[str, OptionValue]) -> Whales:
    """The position that `write` wrote. ValueError names the field and what is wrong with it."""
    from thudstone.engine.cards.whales.state import Whales

    fields: dict[str, str] = {}
    for field in text.split(";"):
        name, equals, value = field.partition("=")
        if not equals or not value or name in fields:
            raise ValueError(f"{field[:40]}: FIELD=VALUE expected, each field once")
        fields[name] = value
    seats = fields.pop("seats", "")
    if seats not in ("3", "4", "5", "6", "7", "8"):
        raise ValueError(f"seats={seats[:40]}: 3 to 8 expected")
    state = Whales.start(int(seats), options)
    _Reader(state, fields).read()
    if write(state) != text:
        raise ValueError(f"{text[:40]}...: not as the game writes it: {write(state)}")
    return state


class _Reader:
    """Fills a state at its start from fields; each is taken out of `fields` when it is read."""

    def __init__(self, state: Whales, fields: dict[str, str]) -> None:
        self.state, self.fields = state, fields

    def read(self) -> None:
        state, fields = self.state, self.fields
        state.phase = self._word("phase", s.PHASES)
        state.step = self._count("step", fields.pop("step", ""), 3 * state.seats)
        for name in _NUMBERS[1:]:
            if name in fields:
                setattr(state, name, self._seat(name, fields.pop(name)))
        if "claim" in fields:
            state.claim = claims.parse(fields.pop("claim")).token
        state.kept, state.blind = self._flag("kept"), self._flag("blind")
        state.hand = tuple(self._cards("hand", hidden=True))
        for name in ("dropped", "placing"):
            found = self._cards(name)
            if len(found) > 1 or (name == "placing" and any(state.table.colour[card] != ANY for card in found)):
                raise ValueError(f"{name}: no such card can stand there")
            if found:
                setattr(state, name, found[0])
        state.stolen, state.checked = self._bits("stolen"), self._bits("checked")
        if "why" in fields:
            reasons = ("heroes", "six", "deck", "turtle")
            state.why = reasons[self._word("why", reasons)]
        self._read_roles()
        for seat in range(state.seats):
            self._read_army(seat)
        self._read_gone()
        self._read_facts()
        if fields:
            raise ValueError(f"{next(iter(fields))[:40]}: no such field")
        self._count_unseen()
        self._fit()

    def _word(self, name: str, words: list[str] | tuple[str, ...]) -> int:
        value = self.fields.pop(name, "")
        if value not in words:
            raise ValueError(f"{name}={value[:40]}: one of {' '.join(words)} expected")
        return words.index(value)

    def _count(self, name: str, value: str, most: int) -> int:
        if not value.isascii() or not value.isdecimal() or len(value) > 4 or int(value) > most:
            raise ValueError(f"{name}={value[:40]}: a number from 0 to {most} expected")
        return int(value)

    def _seat(self, name: str, value: str) -> int:
        seat = self._count(name, value, self.state.seats)
        if not seat:
            raise ValueError(f"{name}=0: seats count from 1")
        return seat - 1

    def _flag(self, name: str) -> bool:
        value = self.fields.pop(name, None)
        if value not in (None, "1"):
            raise ValueError(f"{name}={value[:40]}: only 1 is written")
        return value == "1"

    def _bits(self, name: str) -> int:
        return sum({1 << self._seat(name, digit) for digit in self.fields.pop(name, "")})

    def _cards(self, name: str, *, hidden: bool = False) -> list[int]:
        return [self._card(name, word, hidden=hidden) for word in self.fields.pop(name, "").split(",") if word]

    def _card(self, name: str, word: str, *, hidden: bool = False) -> int:
        if hidden and word == "?":
            return -1
        if word not in self.state.table.index:
            raise ValueError(f"{name}: no card is called {word[:40]}")
        return self.state.table.index[word]

    def _some_roles(self, name: str, value: str, *, hidden: bool = False) -> tuple[int, ...]:
        words = value.split(",")
        for word in words:
            if word not in ROLES and not (hidden and word == "?"):
                raise ValueError(f"{name}: no role is called {word[:40]}")
        return tuple(HIDDEN if word == "?" else ROLES.index(word) for word in words)

    def _read_roles(self) -> None:
        state, fields = self.state, self.fields
        state.roles = self._some_roles("roles", fields.pop("roles", ""), hidden=True)
        if len(state.roles) != state.seats:
            raise ValueError(f"roles: {state.seats} expected")
        known = [role for role in state.roles if role != HIDDEN]
        if len(known) == state.seats:
            last = state.roles[-1]
            counts = state.known_roles()
            counts[last] -= 1
            fits = state.table.roles.weights(tuple(counts), 0, False)[last] > 0
        else:
            counts = state.known_roles()
            barred = sum(state.checked >> seat & 1 for seat, role in enumerate(state.roles) if role == HIDDEN)
            first = state.roles.index(HIDDEN)
            itself = bool(state.checked >> first & 1)
            fits = any(state.table.roles.weights(tuple(counts), barred - itself, itself))
        if not fits or any(state.checked >> seat & 1 and role == TURTLE for seat, role in enumerate(state.roles)):
            raise ValueError(f"roles={_roles(state.roles)}: no deal of the role cards fits")
        if "named" in fields:
            state.named = self._some_roles("named", fields.pop("named"))
        for seat in range(state.seats):
            if f"guess{seat + 1}" in fields:
                named = self._some_roles("guess", fields.pop(f"guess{seat + 1}"))
                if len(named) != state.seats - 1:
                    raise ValueError(f"guess{seat + 1}: {state.seats - 1} roles expected")
                state.guesses = (*state.guesses, (seat, named))

    def _read_army(self, seat: int) -> None:
        state, table = self.state, self.state.table
        for card in self._cards(f"army{seat + 1}"):
            if card == table.hero:
                state.heroes[seat] += 1
            elif table.colour[card] < len(COLOURS):
                at = 3 * seat + table.colour[card]
                state.sets[at] = tuple(sorted((*state.sets[at], card), key=table.sorts.__getitem__))
            else:
                raise ValueError(f"army{seat + 1}: {table.name[card]} can't lie in an army")
        if state.heroes[seat] > 3 or any(len(cards) > 3 for cards in state.sets[3 * seat : 3 * seat + 3]):
            raise ValueError(f"army{seat + 1}: more cards than an army can hold")

    def _read_gone(self) -> None:
        for word in self.fields.pop("gone", "").split(","):
            if word:
                name, _, count = word.partition("*")
                self.state.gone[self._card("gone", name)] += self._count("gone", count, 99)

    def _read_facts(self) -> None:
        state = self.state
        if "facts" in self.fields:
            words = self.fields.pop("facts").split(".")
            if len(words) != len(state.facts):
                raise ValueError(f"facts: {len(state.facts)} counters expected")
            state.facts = [self._count("facts", word, _MOST_FACTS) for word in words]

    def _count_unseen(self) -> None:
        state, table = self.state, self.state.table
        seen = [*(card for card in state.hand if card >= 0), *(card for each in state.sets for card in each)]
        seen += [table.hero] * sum(state.heroes)
        if state.placing >= 0:
            seen.append(state.placing)
        if any(table.home[card] != card for card in (*state.hand, state.dropped) if card >= 0):
            raise ValueError("hand, dropped: a dolphin that lies in a set can't stand there")
        for card in seen:
            state.unseen[table.home[card]] -= 1
        for card, count in enumerate(state.gone):
            state.unseen[card] -= count
        for card, count in enumerate(state.unseen):
            if count < 0:
                raise ValueError(f"there are only {table.deck[card]} cards {table.name[card]}")
        state.left = sum(state.unseen) - state.hand.count(-1)
        if state.left < 0:
            raise ValueError("hand: more cards than are left")

    def _fit(self) -> None:
        """The fields must go together as the phase needs them; sets `turn`."""
        state = self.state
        phase = state.phase
        started = phase > s.FIRST and not (phase == s.PLACE and state.mover < 0)
        needs: list[tuple[str, bool]] = [
            ("mover", (state.mover >= 0) == started or (phase == s.FIRST and state.mover == 0)),
            ("why", bool(state.why) == (phase in (s.GUESS, s.SHOW, s.ENDED))),
            ("placing", (state.placing >= 0) == (phase == s.PLACE)),
            ("holder", state.holder >= 0 or phase not in (s.PLACE, s.STEAL, s.LOSE, s.CHECK)),
            ("holder", state.holder >= 0 or state.why not in ("heroes", "six", "turtle")),
            ("hand", len(state.hand) in _HANDS.get(phase, (0,))),
            ("dropped", state.dropped >= 0 or not s.OFFER <= phase <= s.REVEAL),
            ("target", state.target not in (-1, state.mover) or not s.SAY <= phase <= s.REVEAL),
            ("claim", bool(state.claim) or phase not in (s.ANSWER, s.REVEAL)),
            ("step", state.step <= self._last_step()),
            ("why", not (state.why == "heroes" and state.heroes[state.holder] != s.HEROES_TO_END)),
            ("roles", HIDDEN not in state.roles or phase != s.ENDED),
            ("deck", phase != s.DRAW or state.left + len(state.hand) >= 2),
            ("named", not state.named or (phase == s.GUESS and len(state.named) < state.seats - 1)),
            ("army", started or self._is_dealt()),
            ("roles", all(role == HIDDEN for role in state.roles[state.dealt_roles() :])),
            ("army", phase in (s.GUESS, s.SHOW, s.ENDED) or max(state.heroes) < s.HEROES_TO_END),
        ]
        for name, fits in needs:
            if not fits:
                raise ValueError(f"{name}: doesn't go with phase={s.PHASES[phase]}")
        if phase in (s.DISCARD, s.OFFER, s.SAY):
            state.turn = state.mover
        elif phase == s.ANSWER:
            state.turn = state.target
        elif phase in (s.PLACE, s.STEAL, s.LOSE):
            state.turn = state.holder
        elif phase == s.GUESS:
            state.turn = state.step
        else:
            state.turn = OVER if phase == s.ENDED else CHANCE
        if phase != s.ENDED and not (state.legal() or state.chance()):
            raise ValueError(f"phase={s.PHASES[phase]}: nothing could come next")

    def _is_dealt(self) -> bool:
        """Whether in the setup each seat has as many whales as were dealt to it, and nothing else has happened."""
        state, each = self.state, self.state.table.start_whales
        if state.phase not in (s.DEAL, s.PLACE):
            dealt = each * state.seats
        else:
            dealt = state.step
            if state.phase == s.PLACE and state.holder != dealt // each:
                return False
        whales = [sum(map(len, state.sets[at : at + 3])) for at in range(0, len(state.sets), 3)]
        right = [min(max(dealt - each * seat, 0), each) for seat in range(state.seats)]
        return whales == right and not (any(state.heroes) or any(state.gone) or any(state.facts))

    def _last_step(self) -> int:
        seats = self.state.seats
        if self.state.phase in (s.DEAL, s.PLACE):
            return seats * self.state.table.start_whales - (self.state.mover < 0)
        return seats if self.state.phase == s.ENDED else seats - 1


_HANDS = {3: (0, 1), 4: (2,), 5: (1,), 6: (1,), 7: (1,), 8: (1,)}  # by phase, draw to reveal
