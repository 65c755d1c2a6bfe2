"""Trol: setup, turns and the end. How a hunt is decided stands in hunt.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from thudstone.engine.cards.trol import dice, ending
from thudstone.engine.cards.trol.book import OPTIONS, Book
from thudstone.engine.cards.trol.hunt import Hunt
from thudstone.engine.cards.trol.table import (
    ACT,
    COOK,
    COPY,
    DEAL,
    DICE,
    DRAW,
    END,
    FIRST,
    FORCE,
    HAND,
    LAY,
    NEXT,
    PILES,
    PLUS_MINUS,
    REFILL,
    REVEAL,
    ROLL,
    STAB,
    STAGES,
    TIE,
    TOP,
    TOSS,
    TURN_UP,
)
from thudstone.engine.cards.trol.tribe import (
    CODES,
    DOG,
    DOWN,
    HIDDEN,
    KIND,
    KINDS,
    NUMBER,
    ONE,
    PLACE,
    TRA,
    WEA,
    count,
    listed,
    present,
    weighted,
)
from thudstone.engine.game import CHANCE, OVER, IllegalToken, OptionValue

MOST_PLACES = 5

# Every action: whether it begins a hunt, the place, the card.
ACTIONS: dict[str, tuple[bool, int, int]] = {}
for _place in range(MOST_PLACES):
    for _kind, _code in enumerate(CODES):
        ACTIONS[f"add{_place + 1}={_code}"] = (False, _place, _kind)
        if _kind < DOG:
            ACTIONS[f"hunt{_place + 1}={_code}"] = (True, _place, _kind)
    ACTIONS[f"add{_place + 1}=?"] = (False, _place, HIDDEN)
_WRITTEN = {token.lower(): token for token in ACTIONS}

_ADDS: list[dict[int, list[str]]] = [{} for _ in range(MOST_PLACES)]  # by the kinds in hand
_HUNTS: list[dict[int, list[str]]] = [{} for _ in range(MOST_PLACES)]


class Trol(Hunt):
    name = "trol"
    options = OPTIONS
    seat_range = (2, 5)

    @classmethod
    def start(cls, seats: int, options: Mapping[str, OptionValue]) -> Trol:
        if not 2 <= seats <= 5:
            raise ValueError(f"{seats} seats: Trol has 2 to 5")
        game = cls(seats, Book(options))
        if game.book.random_first:
            game.stage = FIRST
        else:
            game.mover = 0
            game._set_phase()
        return game

    @classmethod
    def from_text(cls, text: str, options: Mapping[str, OptionValue]) -> Trol:
        from thudstone.engine.cards.trol.text import read

        game = read(text, cls, Book(options))
        assert isinstance(game, Trol)
        return game

    def text(self) -> str:
        from thudstone.engine.cards.trol.text import write

        return write(self)

    def draw(self) -> str:
        from thudstone.engine.cards.trol.picture import picture

        return picture(self)

    # What may come next.

    def legal(self) -> list[str]:
        return [] if self.turn < 0 else _LEGAL[self.stage](self)

    def is_legal(self, token: str) -> bool:
        return token.lower() in [legal.lower() for legal in self.legal()]

    def chance(self) -> list[tuple[str, int]]:
        return list(_CHANCE[self.stage](self)) if self.turn == CHANCE else []

    def apply(self, token: str) -> str:
        if self.turn == OVER:
            raise IllegalToken(f"{token}: the game is over")
        if not token:
            raise IllegalToken("an empty token")
        return _APPLY[self.stage](self, token)

    def redact(self, token: str, seat: int) -> str:
        if token[0] == "@":
            return f"{token[:3]}?" if token[1] not in f"={seat + 1}" else token
        if self.stage == ACT and self._hides() and self.mover != seat and token.startswith("add"):
            return f"{token[:5]}?"
        return token

    def _hides(self) -> bool:
        """Whether a card added now is seen by its owner only. Those of a second tribe were open before."""
        return self.night and self.tribe < self.seats

    # Setup.

    def _first(self, token: str) -> str:
        word = token.lower()
        if word not in [f"@=first{seat + 1}" for seat in range(self.seats)]:
            raise IllegalToken(f"{token}: @=firstSEAT expected, who begins")
        self.mover = int(word[-1]) - 1
        self._set_phase()
        return word

    def _set_phase(self) -> None:
        if self.book.phase == "toss":
            self.stage = TOSS
        else:
            self.night = self.book.phase == "night"
            self.stage = LAY

    def _toss(self, token: str) -> str:
        word = token.lower()
        if word not in ("@=day", "@=night"):
            raise IllegalToken(f"{token}: @=day or @=night expected")
        self.night = word == "@=night"
        self.stage = LAY
        return word

    def _prey_chances(self) -> list[tuple[str, int]]:
        names = self.book.cards.prey
        events = [(f"@={names[kind].code}", copies) for kind, copies in enumerate(self.deck[:-1]) if copies]
        return [*events, ("@=flip", self.deck[-1])] if self.deck[-1] else events

    def _draw_prey(self, token: str) -> int:
        """The prey that a token turns up, -1 for a day change."""
        word = token.upper()
        kind = -1
        if word != "@=FLIP":
            kind = next((at for at, prey in enumerate(self.book.cards.prey) if word == f"@={prey.code}"), -1)
            if kind < 0:
                raise IllegalToken(f"{token}: @=PREY or @=flip expected")
        if not self.deck[kind]:
            raise IllegalToken(f"{token}: no such card is left in the prey deck")
        self.deck[kind] -= 1
        self.deck_size -= 1
        return kind

    def _lay(self, token: str) -> str:
        kind = self._draw_prey(token)
        if kind < 0:
            return "@=flip"
        self.places[self.places.index(-1)] = kind
        if min(self.places) >= 0:
            self.tribe, self.stage = 0, DEAL
        return f"@={self.book.cards.prey[kind].code}"

    def _get_card(self, token: str, private: bool) -> tuple[str, int]:
        """A card drawn by `tribe`, as it is written and as its kind."""
        tribe = self.tribe
        head = f"@{tribe + 1}=" if private else "@="
        if not token.startswith(head):
            raise IllegalToken(f"{token}: {head}CARD expected")
        code = token[len(head) :].upper()
        if code == "?" and private:
            self.veiled[tribe] += 1
            kind = HIDDEN
        else:
            kind = NUMBER.get(code, -1)
            if kind < 0:
                raise IllegalToken(f"{token}: {head}CARD expected, one of {', '.join(CODES)}")
            if not count(self.pool[tribe], kind):
                raise IllegalToken(f"{token}: no such card of the tribe can be left")
            self.pool[tribe] -= ONE[kind]
            self.hands[tribe] += ONE[kind]
        self.left[tribe] -= 1
        self.held[tribe] += 1
        return head + code, kind

    def _deal_card(self, token: str) -> str:
        written, _ = self._get_card(token, private=True)
        if self.held[self.tribe] == self.book.cards.hand:
            self.tribe += 1
            if self.tribe == self.seats:
                if self.seats == 2:
                    self.stage = TOP
                else:
                    self._to_act(self.mover)
        return written

    def _top(self, token: str) -> str:
        written, kind = self._get_card(token, private=False)
        self.piles.append((kind, PILES - 1))
        if self.held[self.tribe] == PILES:
            self.tribe += 1
            if self.tribe == self.tribes:
                self._to_act(self.mover)
        return written

    # Turns.

    def _to_act(self, tribe: int) -> None:
        self.tribe, self.stage, self.turn = tribe, ACT, self.mover

    def _piles_of(self, tribe: int) -> list[tuple[int, int]]:
        at = (tribe - self.seats) * PILES
        return self.piles[at : at + PILES]

    def _actions(self) -> list[str]:
        tribe = self.tribe
        heap = self.hands[tribe]
        veiled = self.veiled[tribe]
        kinds = present(heap) | present(self.pool[tribe]) if veiled else present(heap)
        tokens: list[str] = []
        for place, prey in enumerate(self.places):
            if prey < 0:
                continue
            line = self.lines[place]
            addable = kinds & ~ONE[TRA] if self.book.trap_illegal and self._bars_trap(line) else kinds
            adds = _ADDS[place].get(addable)
            tokens += adds if adds is not None else _store(_ADDS, "add", place, addable)
            if veiled and self._hides():
                tokens.append(f"add{place + 1}=?")
            for card in line:
                if card >> 4 & 7 == tribe:
                    hunts = _HUNTS[place].get(kinds)
                    tokens += hunts if hunts is not None else _store(_HUNTS, "hunt", place, kinds)
                    break
        return tokens

    def _bars_trap(self, line: tuple[int, ...]) -> bool:
        """Whether a Trap can't be added by day, which it always can when nothing else is left to do."""
        if self.night or len(line) >= 2:
            return False
        traps = count(self.hands[self.tribe], TRA) + min(self.veiled[self.tribe], count(self.pool[self.tribe], TRA))
        return self.held[self.tribe] > traps or any(len(other) >= 2 for other in self.lines)

    def _act(self, token: str) -> str:
        action = ACTIONS.get(token)
        if action is None:
            written = _WRITTEN.get(token.lower())
            if written is None:
                raise IllegalToken(f"{token}: addPLACE=CARD or huntPLACE=CARD expected")
            token, action = written, ACTIONS[written]
        hunts, place, kind = action
        tribe = self.tribe
        if place >= self.tribes or self.places[place] < 0:
            raise IllegalToken(f"{token}: there is no prey at place {place + 1}")
        line = self.lines[place]
        if kind == HIDDEN:
            if not self._hides():
                raise IllegalToken(f"{token}: the card must be shown")
            if not self.veiled[tribe]:
                raise IllegalToken(f"{token}: the cards of this hand are known")
        elif not (self.hands[tribe] >> 4 * kind & 15 or self.may_hold(tribe, kind)):
            raise IllegalToken(f"{token}: no such card in the hand")
        if hunts:
            if not any(card >> 4 & 7 == tribe for card in line):
                raise IllegalToken(f"{token}: the tribe has no card there")
            self._play(tribe, kind)
            self._publish(tribe, kind)
            self._begin_hunt(place, tribe << 4 | kind)
            return token
        if kind == TRA and self.book.trap_illegal and self._bars_trap(line):
            raise IllegalToken(f"{token}: a Trap can't be the first or second card by day")
        self._play(tribe, kind)
        hidden = self._hides()
        if not hidden:
            self._publish(tribe, kind)
        self.lines[place] = (*line, tribe << 4 | kind | len(line) << PLACE | (DOWN if hidden else 0))
        self._acted()
        return token

    def _play(self, tribe: int, kind: int) -> None:
        self._take(tribe, kind)
        if tribe >= self.seats:
            # Of several piles with the same card on top the highest is used: more cards stay to choose among.
            first = (tribe - self.seats) * PILES
            fitting = [at for at in range(first, first + PILES) if self.piles[at][0] == kind]
            self.pile = max(fitting, key=lambda at: self.piles[at][1])
            self.piles[self.pile] = (-1, self.piles[self.pile][1])

    def _hunted(self) -> None:
        if self.starter < 0:
            self._last_hunts()
            return
        self.flipped = False
        self._refill_or_go_on()

    def _refill_or_go_on(self) -> None:
        if self.deck_size:
            self.stage, self.turn = REFILL, CHANCE
        else:
            self._acted()

    def _refill(self, token: str) -> str:
        kind = self._draw_prey(token)
        if kind < 0:
            if not self.flipped:
                self.night, self.flipped = not self.night, True
            self._refill_or_go_on()
            return "@=flip"
        self.places[self.place] = kind
        self._acted()
        return f"@={self.book.cards.prey[kind].code}"

    def _acted(self) -> None:
        """Go on after a tribe's action: the second tribe's, the card under its, the draw, the next seat."""
        if max(self.places) < 0:
            self._tally()  # nobody can do anything any more
            return
        if self.seats == 2 and self.tribe < 2 and self.held[self.tribe + 2]:
            self._to_act(self.tribe + 2)
            return
        if self.pile >= 0 and self.piles[self.pile][1]:
            self.stage, self.turn = TURN_UP, CHANCE
            return
        self._end_turn()

    def _turn_up(self, token: str) -> str:
        written, kind = self._get_card(token, private=False)
        self.piles[self.pile] = (kind, self.piles[self.pile][1] - 1)
        self._end_turn()
        return written

    def _end_turn(self) -> None:
        self.pile = -1
        if self.left[self.mover]:
            self.tribe, self.stage, self.turn = self.mover, DRAW, CHANCE
        else:
            self._next_seat()

    def _draw_card(self, token: str) -> str:
        written, _ = self._get_card(token, private=True)
        self._next_seat()
        return written

    def _next_seat(self) -> None:
        for further in range(1, self.seats + 1):
            seat = (self.mover + further) % self.seats
            for tribe in range(seat, self.tribes, self.seats):
                if self.held[tribe]:
                    self.mover = seat
                    self._to_act(tribe)
                    return
        self._last_hunts()

    # The end.

    def _last_hunts(self) -> None:
        open_ = [place for place, line in enumerate(self.lines) if line]
        if not open_:
            self._tally()
        elif len(open_) > 1 and self.book.final_random:
            self.stage, self.turn = NEXT, CHANCE
        else:
            self._begin_hunt(open_[0], -1)

    def _next_hunts(self) -> list[tuple[str, int]]:
        return [(f"@=hunt{place + 1}", 1) for place, line in enumerate(self.lines) if line]

    def _next_hunt(self, token: str) -> str:
        word = token.lower()
        if word not in [event for event, _ in self._next_hunts()]:
            raise IllegalToken(f"{token}: @=huntPLACE expected, of a place with cards")
        self._begin_hunt(int(word[6:]) - 1, -1)
        return word

    def tally(self) -> ending.Tally:
        prey = self.book.cards.prey
        max_first = self.book.max_first

        def trophy(kind: int) -> tuple[int, tuple[int, int]]:
            low, high = prey[kind].low, prey[kind].high
            return prey[kind].skulls, (high, low) if max_first else (low, high)

        return ending.Tally(
            self.food,
            [sum(self.book.cards.masks[kind] for kind in listed(heap)) for heap in self.saved],
            [[trophy(kind) for kind in trophies] for trophies in self.trophies],
        )

    def _tally(self) -> None:
        self._settle(ending.leaders(self.tally(), self.book.tied_stay))

    def _settle(self, leaders: list[int]) -> None:
        if len(leaders) == 1:
            self.winner = leaders[0]
            self.stage, self.turn = END, OVER
        else:
            self.rivals, self.rolls = tuple(leaders), ()
            self.reds, self.whites = 3, 0
            self.stage, self.turn = TIE, CHANCE

    def _break_tie(self, token: str) -> str:
        written = self._read_roll(token)
        self.rolls = (*self.rolls, dice.totals(3, 0)[written])
        if len(self.rolls) == len(self.rivals):
            most = max(self.rolls)
            self._settle([tribe for tribe, roll in zip(self.rivals, self.rolls, strict=True) if roll == most])
        return written

    def end(self) -> str:
        if self.turn != OVER:
            return "none"
        return "no-prey" if any(self.held) else "played-out"

    def score(self) -> tuple[int, ...]:
        """The skulls of a seat's trophies (of its two tribes together); with `Scoring` series the points of the series,
        0 before the end."""
        points = self.tally().skulls if not self._in_series() else self._series().__getitem__
        return tuple(sum(points(tribe) for tribe in range(seat, self.tribes, self.seats)) for seat in range(self.seats))

    def _in_series(self) -> bool:
        return self.book.series and self.tribes == 4

    def _in_teams(self) -> bool:
        return self.book.team and self.seats == 4

    def _series(self) -> list[int]:
        if self.turn != OVER:
            return [0] * self.tribes
        points = ending.series_points(self.tally(), self.book.tied_stay, self.winner)
        if self._in_teams():
            points[(self.winner + 2) % 4] += ending.PARTNER
        return points

    def returns(self) -> tuple[float, ...]:
        """The winner has all of the win, a winning team half each. With `Scoring` series a seat or team has as much of
        it as of the points."""
        if self.turn != OVER:
            raise ValueError("the game isn't over")
        chief = self.owner(self.winner)
        won = self.score() if self._in_series() else tuple(int(seat == chief) for seat in range(self.seats))
        if self._in_teams():
            won = tuple(won[seat] + won[(seat + 2) % 4] for seat in range(4))
        return tuple(points / sum(won) for points in won)

    # What others decide.

    def _stabs(self) -> list[str]:
        return [*(f"stab{at + 1}" for at in self._stab_targets()), "nostab"]

    def _cooks(self) -> list[str]:
        return [*(f"cook{at + 1}" for at in self._cook_targets()), "nocook"]

    def _weaklings(self) -> list[str]:
        return ["weakling", "no"] if self.may_hold(self.turn, WEA) else ["no"]

    def _shown(self) -> list[tuple[str, int]]:
        card = self.lines[self.place][self.step]
        if card & KIND == HIDDEN:
            return list(weighted("!", self.pool[(card & ~DOWN) >> 4 & 7]))
        return [(f"!{CODES[card & KIND]}", 1)]


def _store(cache: list[dict[int, list[str]]], verb: str, place: int, kinds: int) -> list[str]:
    most = KINDS if verb == "add" else DOG
    tokens = [f"{verb}{place + 1}={CODES[kind]}" for kind in range(most) if count(kinds, kind)]
    cache[place][kinds] = tokens
    return tokens


_LEGAL: dict[int, Callable[[Trol], list[str]]] = {
    ACT: Trol._actions,
    STAB: Trol._stabs,
    FORCE: lambda game: ["force", "keep"],
    DICE: lambda game: list(game._dice_choices()),
    COPY: lambda game: ["copy", "plain"],
    PLUS_MINUS: lambda game: ["+1", "-1"],
    HAND: Trol._weaklings,
    COOK: Trol._cooks,
}
_CHANCE: dict[int, Callable[[Trol], list[tuple[str, int]] | tuple[tuple[str, int], ...]]] = {
    FIRST: lambda game: [(f"@=first{seat + 1}", 1) for seat in range(game.seats)],
    TOSS: lambda game: [("@=day", 1), ("@=night", 1)],
    LAY: Trol._prey_chances,
    DEAL: lambda game: weighted(f"@{game.tribe + 1}=", game.pool[game.tribe]),
    TOP: lambda game: weighted("@=", game.pool[game.tribe]),
    REVEAL: Trol._shown,
    ROLL: lambda game: dice.outcomes(game.reds, game.whites),
    NEXT: Trol._next_hunts,
    REFILL: Trol._prey_chances,
    TURN_UP: lambda game: weighted("@=", game.pool[game.tribe]),
    DRAW: lambda game: weighted(f"@{game.tribe + 1}=", game.pool[game.tribe]),
    TIE: lambda game: dice.outcomes(3, 0),
}
_APPLY: dict[int, Callable[[Trol, str], str]] = {
    FIRST: Trol._first,
    TOSS: Trol._toss,
    LAY: Trol._lay,
    DEAL: Trol._deal_card,
    TOP: Trol._top,
    ACT: Trol._act,
    REVEAL: Trol._show,
    STAB: Trol._stab,
    ROLL: Trol._fall,
    FORCE: Trol._force,
    DICE: Trol._choose_dice,
    COPY: Trol._copy_or_not,
    PLUS_MINUS: Trol._plus_or_minus,
    HAND: Trol._from_hand,
    COOK: Trol._cook,
    NEXT: Trol._next_hunt,
    REFILL: Trol._refill,
    TURN_UP: Trol._turn_up,
    DRAW: Trol._draw_card,
    TIE: Trol._break_tie,
}
assert len(_APPLY) == len(STAGES) - 1
