"""Any game of this package, Thud or cards, with the log of what happened: `thudstone.new("dungeon", players=3)`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from random import Random

from thudstone.engine import game as engine
from thudstone.engine import games
from thudstone.engine.game import CHANCE, OVER, IllegalToken, OptionValue
from thudstone.info import Info, Score
from thudstone.limit import Limit

GAMES = games.NAMES


class Game:
    """A game from its start on. Seats count from 0; tokens, in which they count from 1, are those of the protocol.

    The turn is a seat, CHANCE where a chance event comes next, or OVER. `apply` takes a move of that seat or a chance
    event alike. Nothing is drawn by itself: `for token in game.deal(rng)` plays the chance events that are due.
    """

    def __init__(self, state: engine.Game, start: str | None = None) -> None:
        """For `new` to call; `start` is the text that the state was read from."""
        self._state = state
        self.start = start
        self._first = state.copy()
        self._log: list[str] = []
        self._views: list[list[str]] = [[] for _ in range(state.seats)]

    @property
    def name(self) -> str:
        return self._state.name

    @property
    def seats(self) -> int:
        return self._state.seats

    @property
    def turn(self) -> int:
        """The seat to move, CHANCE or OVER."""
        return self._state.turn

    @property
    def text(self) -> str:
        """The position, as the protocol's `fen` writes it."""
        return self._state.text()

    @property
    def log(self) -> tuple[str, ...]:
        """The tokens that were applied: a complete record."""
        return tuple(self._log)

    def log_of(self, seat: int) -> tuple[str, ...]:
        """The log as a seat sees it, `?` in place of what it may not know."""
        return tuple(self._views[self._seat(seat)])

    def legal(self) -> list[str]:
        """The legal tokens of the seat to move; see `chance` for chance events."""
        return self._state.legal()

    def is_legal(self, token: str) -> bool:
        return self._state.is_legal(token)

    def chance(self) -> list[tuple[str, int]]:
        """The chance events that may come next, each with its weight."""
        return self._state.chance()

    def deal(self, rng: Random) -> Iterator[str]:
        """Play the chance events that are due, drawn by their weights, and yield each."""
        while self.turn == CHANCE:
            tokens, weights = zip(*self.chance(), strict=True)
            yield self.apply(rng.choices(tokens, weights)[0])

    def apply(self, token: str) -> str:
        """Play a token and return it as the game writes it. IllegalToken, a ValueError, with the reason changes
        nothing.
        """
        before = self._state.copy()
        written = self._state.apply(token)
        self._log.append(written)
        for seat, view in enumerate(self._views):
            view.append(before.redact(written, seat))
        return written

    def redact(self, token: str, seat: int) -> str:
        """What a seat sees of a token, asked before it is applied."""
        return self._state.redact(token, self._seat(seat))

    def view(self, seat: int) -> Game:
        """The game as a seat knows it: the same start with the seat's log."""
        seen = Game(self._first, self.start)
        for token in self.log_of(seat):
            seen._state.apply(token)
            seen._log.append(token)
        seen._views = [seen._log.copy() if one == seat else [] for one in range(self.seats)]
        return seen

    def fill(self, rng: Random) -> engine.Game:
        """A full world, without a log, that fits what is known: of a view another one each time."""
        return self._state.fill(rng)

    def end(self) -> str:
        """Why the game ended, `none` while it goes on."""
        return self._state.end()

    def score(self) -> tuple[int, ...]:
        """Points of each seat now."""
        return self._state.score()

    def returns(self) -> tuple[float, ...]:
        """Each seat's share of the win, summing to 1. ValueError before the end."""
        return self._state.returns()

    def copy(self) -> Game:
        """An independent game with the same log."""
        other = Game(self._first, self.start)
        other._state = self._state.copy()
        other._log = self._log.copy()
        other._views = [view.copy() for view in self._views]
        return other

    def think(
        self,
        limit: Limit,
        report: Callable[[Info], None] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> str:
        """The move that the game's own player chooses for the seat to move, which knows that seat's view alone.
        `options` are the player's, such as `{"Player": "greedy", "Seed": 3}`. ValueError where nobody is to move.
        """
        self.check_movable()
        player = games.load(self.name)[1]()
        for name, value in (options or {}).items():
            player.set_option(name, value)
        stop = engine.Stop()
        try:
            choice = player.search(
                self.view(self.turn)._state, limits(limit), lambda info: report(seen(info)) if report else None, stop
            )
        finally:
            stop.set()
        assert choice.move is not None
        return choice.move

    def check_movable(self) -> None:
        """ValueError where no seat is to move."""
        if self.turn == OVER:
            raise ValueError(f"the game is over: {self.end()}")
        if self.turn == CHANCE:
            raise ValueError("a chance event comes next, no seat is to move")

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise ValueError(f"seat {seat}: there is 0 to {self.seats - 1}")
        return seat

    def __str__(self) -> str:
        return self._state.draw()

    def __repr__(self) -> str:
        return f"<{self.name} for {self.seats}, {len(self._log)} tokens>"


def new(
    name: str, players: int | None = None, *, text: str | None = None, options: Mapping[str, OptionValue] | None = None
) -> Game:
    """A game by its name (one of GAMES) at its start, or at the position of `text`. `options` are the game's, as
    `{"TrollCapture": "one"}`. ValueError says what there is not.
    """
    rules = games.load(name)[0]
    known = {option.name: option.default for option in rules.options}
    for option in options or {}:
        if option not in known:
            raise ValueError(f"{name} has no option {option!r}: there is {', '.join(known) or 'none'}")
    settings = known | dict(options or {})
    if text is None:
        return Game(rules.start(rules.seat_range[0] if players is None else players, settings))
    state = rules.from_text(text, settings)
    if players not in (None, state.seats):
        raise ValueError(f"players {players}: the text is of {state.seats}")
    return Game(state, text)


def limits(limit: Limit) -> engine.Limits:
    """A limit as the players take it."""

    def milliseconds(seconds: float | None) -> int | None:
        return None if seconds is None else round(seconds * 1000)

    return engine.Limits(
        depth=limit.depth,
        nodes=limit.nodes,
        movetime=milliseconds(limit.time),
        clock=tuple(map(milliseconds, limit.clock)),
        increment=tuple(map(milliseconds, limit.increment)),
        infinite=limit == Limit(),
        started=time.monotonic(),
    )


def seen(info: engine.Info, turn: int | None = None) -> Info:
    """What a player reports, as the clients of engines have it."""
    return Info(
        depth=info.depth,
        seldepth=info.seldepth,
        multipv=info.multipv,
        score=None if info.score is None else Score(info.score, turn),
        bound=info.bound,
        shares=info.shares,
        nodes=info.nodes,
        nps=info.nps,
        hashfull=info.hashfull,
        time=info.time / 1000,
        pv=info.pv,
    )


__all__ = ["CHANCE", "GAMES", "OVER", "Game", "IllegalToken", "limits", "new", "seen"]
