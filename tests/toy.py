"""A card game for 2 to 4, as simple as can be while it has all that a game may have: chance, hidden cards, facts shown
at the end, more than two seats. Run as a script it is an engine process for it, which knows Thud as well.

Each seat is dealt a card from a pack of two aces (A) and four kings (K): `@2=A`, which only seat 2 sees. In each of
`Rounds` rounds every seat says `stay` or, once and for all, `fold`. Then the cards of those who stayed are shown
(`!2=A`), and the best of them share the win; where all folded, all share it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random

from thudstone.engine import games
from thudstone.engine.game import (
    CHANCE,
    OVER,
    Choice,
    Game,
    IllegalToken,
    Info,
    Limits,
    Option,
    OptionValue,
    Player,
    Stop,
)
from thudstone.protocol.server import main
from thudstone.protocol.session import Registry

PACK = "AAKKKK"


class Toy(Game):
    name = "toy"
    options = (Option("Rounds", "spin", 1, 1, 9),)
    seat_range = (2, 4)

    def __init__(self, seats: int, rounds: int) -> None:
        self.seats = seats
        self.rounds = rounds
        self.cards: list[str] = []
        self.said: list[str] = []
        self.shown: list[str] = []

    @classmethod
    def start(cls, seats: int, options: Mapping[str, OptionValue]) -> Toy:
        return cls(seats, int(options["Rounds"]))

    @classmethod
    def from_text(cls, text: str, options: Mapping[str, OptionValue]) -> Toy:
        seats, *tokens = text.split(",")
        if seats not in ("2", "3", "4"):
            raise ValueError(f"{seats}: 2 to 4 seats")
        game = cls(int(seats), int(options["Rounds"]))
        for token in tokens:
            game.apply(token)
        return game

    def text(self) -> str:
        dealt = [f"@{seat}={card}" for seat, card in enumerate(self.cards, 1)]
        return ",".join([str(self.seats), *dealt, *self.said, *(f"!{shown}" for shown in self.shown)])

    def _folded(self) -> set[int]:
        return {at % self.seats for at, word in enumerate(self.said) if word == "fold"}

    def _to_show(self) -> list[int]:
        stayed = [seat for seat in range(self.seats) if seat not in self._folded()]
        return stayed[len(self.shown) :]

    @property
    def turn(self) -> int:
        if len(self.cards) < self.seats:
            return CHANCE
        if len(self.said) < self.seats * self.rounds:
            return len(self.said) % self.seats
        return CHANCE if self._to_show() else OVER

    def legal(self) -> list[str]:
        if self.turn < 0:
            return []
        return ["fold"] if self.turn in self._folded() else ["stay", "fold"]

    def is_legal(self, token: str) -> bool:
        return token.lower() in self.legal()

    def chance(self) -> list[tuple[str, int]]:
        if self.turn != CHANCE:
            return []
        if len(self.cards) < self.seats:
            left = {card: PACK.count(card) - self.cards.count(card) for card in "AK"}
            return [(f"@{len(self.cards) + 1}={card}", count) for card, count in left.items() if count]
        seat = self._to_show()[0]
        return [(f"!{seat + 1}={self.cards[seat]}", 1)]

    def apply(self, token: str) -> str:
        if self.turn == OVER:
            raise IllegalToken(f"{token}: the game is over")
        if self.turn >= 0:
            if not self.is_legal(token):
                raise IllegalToken(f"{token}: stay or fold expected")
            self.said.append(token.lower())
            return token.lower()
        dealing = len(self.cards) < self.seats
        seat = len(self.cards) if dealing else self._to_show()[0]
        mark, cards = ("@", "AK?") if dealing else ("!", "AK" if self.cards[seat] == "?" else self.cards[seat])
        if token not in [f"{mark}{seat + 1}={card}" for card in cards]:
            raise IllegalToken(f"{token}: {mark}{seat + 1}=CARD expected")
        if dealing:
            self.cards.append(token[-1])
        else:
            self.shown.append(token[1:])
        return token

    def end(self) -> str:
        return "showdown" if self.turn == OVER else "none"

    def score(self) -> tuple[int, ...]:
        return tuple(self.said[seat :: self.seats].count("stay") for seat in range(self.seats))

    def returns(self) -> tuple[float, ...]:
        if self.turn != OVER:
            raise ValueError("the game isn't over")
        seats = {int(shown[0]) - 1: shown[-1] for shown in self.shown} or dict.fromkeys(range(self.seats), "K")
        best = [seat for seat, card in seats.items() if card == min(seats.values())]
        return tuple(1 / len(best) if seat in best else 0.0 for seat in range(self.seats))

    def copy(self) -> Toy:
        other = Toy(self.seats, self.rounds)
        other.cards, other.said, other.shown = self.cards.copy(), self.said.copy(), self.shown.copy()
        return other

    def redact(self, token: str, seat: int) -> str:
        return f"{token[:-1]}?" if token[0] == "@" and token[1] != str(seat + 1) else token

    def fill(self, rng: Random) -> Toy:
        other = self.copy()
        other.cards = [rng.choice("AK") if card == "?" else card for card in self.cards]
        return other

    def draw(self) -> str:
        return f"Seats: {self.seats}\n\nCards: {' '.join(self.cards)}\nSaid: {' '.join(self.said)}"


class ToyPlayer(Player):
    """Stays with an ace. `Fail` is what a player with a mistake in it does, `Busy` a search that never lets go of the
    interpreter by itself."""

    options = (
        Option("Hash", "spin", 1, 1, 64),
        Option("Note", "string", ""),
        Option("Clear", "button"),
        Option("Busy", "check", False),
        Option("Fail", "combo", "no", choices=("no", "at-once", "after-a-report", "cleared")),
    )

    def __init__(self) -> None:
        self.values: dict[str, OptionValue] = {option.name: option.default for option in self.options}

    def set_option(self, name: str, value: OptionValue | None) -> None:
        if name == "Note" and value == "bad":
            raise ValueError("this note won't do")
        if value is None:
            self.values["Note"] = "cleared"
        else:
            self.values[name] = value

    def new_game(self) -> None:
        self.values["Note"] = "new"

    def search(self, view: Game, limits: Limits, report: Callable[[Info], None], stop: Stop) -> Choice:
        assert isinstance(view, Toy)
        if self.values["Fail"] == "at-once":
            raise RuntimeError("a mistake\nof the player")
        begun = time.monotonic()
        seat = view.turn
        legal = limits.searchmoves or tuple(view.legal())
        move = legal[0] if view.cards[seat] == "A" else legal[-1]
        even = Fraction(1, view.seats)
        shares = tuple(float(even) for _ in range(view.seats))
        nodes = depth = 0
        while not stop.is_set:
            depth += 1
            if limits.depth is not None and depth > limits.depth:
                break
            if limits.nodes is not None and nodes >= limits.nodes:
                break
            if limits.movetime is not None and (time.monotonic() - limits.started) * 1000 >= limits.movetime:
                break
            nodes += 1
            if depth <= 3:
                report(Info(nodes, 1, depth=depth, seldepth=depth, multipv=1, shares=shares, pv=(move,)))
            if self.values["Fail"] == "after-a-report":
                raise RuntimeError("a later mistake")
            if not self.values["Busy"]:
                time.sleep(0.001)
        report(Info(nodes, round((time.monotonic() - begun) * 1000)))
        return Choice(move, "stay")

    def explain(self, view: Game) -> str:
        if self.values["Fail"] != "no":
            raise RuntimeError("unexplained")
        return f"Note: {self.values['Note']}\nHash: {self.values['Hash']}"

    def bench(self, stop: Stop) -> Iterator[str]:
        for number in range(200):
            if stop.is_set:
                return
            yield f"position {number}"
            time.sleep(0.001)
        yield "NPS: 1000"
        yield "Bench: 1000"


def load(name: str) -> tuple[type[Game], type[Player]]:
    return (Toy, ToyPlayer) if name == "toy" else games.load(name)


if __name__ == "__main__":
    raise SystemExit(main("toy", Registry(("toy", "thud"), load)))
