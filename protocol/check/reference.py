"""What the rules say, so that an engine's moves can be judged: this package's own game where it has it, otherwise the
engine itself, asked by queries.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from thudstone.client import EngineOption
from thudstone.engine.game import CHANCE, OVER, Game, OptionValue
from thudstone.protocol.check.step import require

_TURN = re.compile(r"chance|over|[1-9][0-9]?")
_NUMBER = re.compile(r"-?[0-9]{1,18}")

LONGEST_GAME = 600  # tokens in which a random game should have ended
# No dwarfs are left.
THUD_OVER = "5/7/9/11/13/15/15/7R7/15/15/13/11/9/5T1/5 d 0 1"


@dataclass(frozen=True)
class Spot:
    """A position of a game: the whole `log` that leads to it, the command that sets it for the engine whose turn it is,
    the seat to move (from 1, 0 where the game is over) and its legal moves.
    """

    log: tuple[str, ...]
    command: str
    seat: int
    legal: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """Whose turn it is (a seat from 1, `chance` or `over`), its moves, and what chance may do."""

    turn: str
    legal: tuple[str, ...]
    chance: tuple[str, ...]


class Reference(ABC):
    """`name` is the game's, `hidden` says whether seats see different things."""

    name: str
    hidden = False

    @abstractmethod
    def facts(self, log: Sequence[str]) -> Facts:
        """About the position after these tokens from the start."""

    @abstractmethod
    def view(self, log: Sequence[str], seat: int) -> list[str]:
        """The log as one seat, from 1, sees it."""

    def begin(self) -> Spot:
        """The first position in which a seat is to move. Failed where there is none."""
        spot = self._spot(())
        require(spot.seat, "the game is over before a move")
        return spot

    def after(self, spot: Spot, token: str) -> Spot:
        """The next position in which a seat is to move, or the game is over."""
        return self._spot((*spot.log, token))

    def over(self) -> Spot | None:
        """A position in which the game is over; None where none was found."""
        rng = Random(1)
        spot = self.begin()
        while spot.seat and len(spot.log) < LONGEST_GAME:
            spot = self.after(spot, rng.choice(spot.legal))
        return None if spot.seat else spot

    def illegal_in(self, line: Spot, pv: Sequence[str]) -> str:
        """The first move of a line of play that is illegal, empty where all are legal. With hidden information only the
        first can be judged, and nothing behind a chance event.
        """
        log = list(line.log)
        legal: Sequence[str] = line.legal
        for token in pv:
            if token not in legal:
                return token
            log.append(token)
            facts = self.facts(log)
            if self.hidden or facts.turn == "chance":
                return ""
            legal = facts.legal
        return ""

    def _spot(self, log: tuple[str, ...]) -> Spot:
        while (facts := self.facts(log)).turn == "chance":
            require(len(log) < LONGEST_GAME, f"it is chance's turn after {len(log)} tokens")
            log = (*log, facts.chance[0])
        if facts.turn == "over":
            return Spot(log, _command(log, None), 0, ())
        seat = int(facts.turn)
        view = self.view(log, seat)
        return Spot(log, _command(view, seat if self.hidden else None), seat, facts.legal)


class Known(Reference):
    """A game of this package."""

    def __init__(self, game: type[Game], options: Mapping[str, OptionValue]) -> None:
        self.name = game.name
        self.game = game
        self.options = dict(options)
        self.hidden = game.redact is not Game.redact

    def facts(self, log: Sequence[str]) -> Facts:
        state = self.state(log)
        turn = {CHANCE: "chance", OVER: "over"}.get(state.turn) or str(state.turn + 1)
        return Facts(turn, tuple(state.legal()), tuple(token for token, _ in state.chance()))

    def view(self, log: Sequence[str], seat: int) -> list[str]:
        state = self.state(())
        seen = []
        for token in log:
            seen.append(state.redact(token, seat - 1))
            state.apply(token)
        return seen

    def over(self) -> Spot | None:
        if self.name == "thud":
            return Spot((), f"position fen {THUD_OVER}", 0, ())
        return super().over()

    def state(self, log: Sequence[str]) -> Game:
        """The position after these tokens from the start."""
        state = self.game.start(self.game.seat_range[0], self.options)
        for token in log:
            state.apply(token)
        return state

    def from_text(self, text: str, **rules: OptionValue) -> Spot:
        """The position that a text describes, under other rules where they are given."""
        state = self.game.from_text(text, {**self.options, **rules})
        seat = state.turn + 1 if state.turn >= 0 else 0
        return Spot((), f"position fen {text}", seat, tuple(state.legal()))


class Asked(Reference):
    """Any other game; `ask` sends a query about the position after a log."""

    def __init__(self, name: str, ask: Callable[[str, str], str]) -> None:
        """`ask` takes a position command and the words of a query, and returns the values of the response."""
        self.name = name
        self._ask = ask
        begin = self.begin()
        self.hidden = any(self.view(begin.log, seat) != list(begin.log) for seat in (1, 2))

    def facts(self, log: Sequence[str]) -> Facts:
        command = _command(log, "*")
        turn = self._ask(command, "turn")
        require(_TURN.fullmatch(turn), f"'query turn' gets '{turn}'")
        if turn == "over":
            return Facts(turn, (), ())
        question = "chance" if turn == "chance" else "legal"
        tokens = self._ask(command, question).split()
        require(tokens, f"'query {question}' gets nothing although 'query turn' gets '{turn}'")
        if turn == "chance":
            return Facts(turn, (), tuple(token.rpartition("*")[0] for token in tokens))
        return Facts(turn, tuple(tokens), ())

    def view(self, log: Sequence[str], seat: int) -> list[str]:
        return self._ask(_command(log, "*"), f"redact {seat}").split()


def default_options(game: type[Game], announced: Mapping[str, EngineOption]) -> dict[str, OptionValue]:
    """The game's options as the engine has them when it starts."""
    values: dict[str, OptionValue] = {}
    for option in game.options:
        values[option.name] = option.default
        found = announced.get(option.name.lower())
        if found is None:
            continue
        if option.type == "spin" and _NUMBER.fullmatch(found.default):
            if option.low <= int(found.default) <= option.high:
                values[option.name] = int(found.default)
        elif option.type == "combo" and found.default in option.choices:
            values[option.name] = found.default
        elif option.type == "check":
            values[option.name] = found.default == "true"
    return values


def _command(log: Sequence[str], seat: int | str | None) -> str:
    words = ["position", "startpos"]
    words += [] if seat is None else ["seat", str(seat)]
    return " ".join([*words, *(["moves", *log] if log else [])])
