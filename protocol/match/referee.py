"""Plays battles between engine processes. It knows games through `Game` alone, and holds chance and the whole log."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from random import Random

from thudstone.engine.game import CHANCE, OVER, Game, IllegalToken
from thudstone.limit import Limit
from thudstone.protocol.match.opening import Opening
from thudstone.protocol.match.player import Answer, Player, SetupError
from thudstone.protocol.match.process import Failure
from thudstone.protocol.match.result import FORFEIT_POINTS, Battle, Forfeit, Times
from thudstone.protocol.match.schedule import Job
from thudstone.protocol.match.settings import Adjudication, Settings, load_game
from thudstone.protocol.match.spec import Pace


class Referee:
    """Keeps the engines running from battle to battle. Use it in a `with` block, or call `close`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._game = load_game(settings.game)
        self._players: dict[tuple[int, int], Player] = {}  # by engine, and by how many of it sit at the table before
        self._opening = (0, Opening("", ()))  # the last random one with its number: the pair's next battle has it, too

    def __enter__(self) -> Referee:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(at_once=kind is not None)

    def close(self, *, at_once: bool = False) -> None:
        """End the engines; `at_once` by force."""
        for player in self._players.values():
            player.close(at_once=at_once)

    def probe(self) -> list[str]:
        """Start each engine once, and return what they call themselves (empty where they don't). SetupError
        where one can't take part.
        """
        announced = []
        for spec in self._settings.engines:
            player = Player(spec, self._settings)
            try:
                player.start()
                announced.append(player.announced)
            except Failure as failure:
                raise SetupError(f"engine {player.name}: {failure}") from None
            finally:
                player.close()
        return announced

    def play(self, job: Job) -> Battle:
        """Play a battle. SetupError where an engine can't be started any more."""
        settings = self._settings
        opening = job.opening if job.opening is not None else self._random_opening(job.number)
        names = [settings.engines[engine].name for engine in job.seats]
        players = [self._player(engine, job.seats[:at].count(engine)) for at, engine in enumerate(job.seats)]
        paces = [settings.engines[engine].pace for engine in job.seats]
        table = _Table(settings, self._game, opening, players, paces, Random(f"chance {settings.seed} {job.number}"))
        began = time.monotonic()
        outcome = table.play()
        return Battle(
            pair=job.pair,
            battle=job.battle,
            seats=tuple(names),
            points=outcome[1],
            shares=outcome[2],
            end=outcome[0],
            plies=table.plies,
            times=Times(
                tuple(round(seconds * 1000) for seconds in table.thought),
                tuple(round(seconds * 1000) for seconds in table.longest),
                round((time.monotonic() - began) * 1000),
            ),
            start=table.start,
            moves=tuple(table.log),
            opening=len(opening.moves),
            forfeit=table.forfeit,
            game=self._game.name,
        )

    def _player(self, engine: int, twin: int) -> Player:
        if (engine, twin) not in self._players:
            self._players[engine, twin] = Player(self._settings.engines[engine], self._settings)
        return self._players[engine, twin]

    def _random_opening(self, number: int) -> Opening:
        if self._settings.openings is None:
            return Opening("", ())
        if self._opening[0] != number:
            self._opening = number, self._settings.openings.opening(number, self._settings.start())
        return self._opening[1]


Outcome = tuple[str, tuple[int, ...], tuple[float, ...]]  # why it ended, points, shares


class _Table:
    """One battle."""

    def __init__(
        self,
        settings: Settings,
        game: type[Game],
        opening: Opening,
        players: Sequence[Player],
        paces: Sequence[Pace],
        rng: Random,
    ) -> None:
        self.log: list[str] = []
        self.plies = 0
        self.thought = [0.0] * len(players)
        self.longest = [0.0] * len(players)
        self.forfeit: Forfeit | None = None
        self._settings = settings
        self._players = players
        self._paces = paces
        self._rng = rng
        self._state = opening.state(game, settings.seats, dict(settings.rules))
        self.start = self._state.text()
        self._redacts = game.redact is not Game.redact
        # What each seat's engine is sent: one line where all see the same.
        receivers = range(settings.seats) if self._redacts else [None]
        self._lines = [_position(opening, settings.seats, seat) for seat in receivers]
        self._clocks = [None if pace.clock is None else pace.clock.base for pace in paces]
        self._increments = tuple(None if pace.clock is None else pace.clock.increment for pace in paces)
        # Without clocks the command never changes.
        self._go = [None if pace.clock else pace.limit((), ()).go().encode() for pace in paces]
        self._decided = None if settings.adjudication is None else _Decided(settings.adjudication)
        for token in opening.moves:
            self._play(token)

    def play(self) -> Outcome:
        """To the end. What goes wrong is the offender's loss."""
        seat = 0  # whom a Failure is due to
        try:
            while seat < len(self._players):
                self._players[seat].new_game()
                seat += 1
            while True:
                seat = self._state.turn
                if seat == OVER:
                    return self._state.end(), tuple(self._state.score()), tuple(self._state.returns())
                if seat == CHANCE:
                    tokens, weights = zip(*self._state.chance(), strict=True)
                    self._play(self._rng.choices(tokens, weights)[0])
                    continue
                if 0 < self._settings.max_plies <= self.plies:
                    return self._stopped("max-plies", self._state.score())
                answer = self._ask(seat)
                try:
                    if answer.move in ("", "(none)"):
                        raise IllegalToken("no move, where there is a legal one")
                    self._play(answer.move)
                except IllegalToken as error:
                    reason = f"ply {self.plies + 1}, {_one_line(error)}"
                    raise Failure("illegal-move", reason, answer.line) from None
                if self._decided is not None:
                    points = self._decided.after(seat, answer.score, self._state.score())
                    if points is not None and self._state.turn != OVER:
                        return self._stopped("adjudicated", points)
        except Failure as failure:
            self.forfeit = Forfeit(seat + 1, failure.reason, failure.line)
            self._players[seat].close(at_once=True)  # whatever it did, the next battle starts another process
            return _lost(failure.offence, seat, len(self._players))

    def _ask(self, seat: int) -> Answer:
        """The answer of the engine whose turn it is. Failure, also for a clock that ran out."""
        grace = self._settings.grace / 1000
        pace = self._paces[seat]
        left = self._clocks[seat]
        limits = [left, None if pace.movetime is None else pace.movetime / 1000]
        known = [seconds for seconds in limits if seconds is not None]
        allowed = min(known) + grace if known else self._settings.patience
        go = self._go[seat] or self._with_clocks(pace).go().encode()
        line = self._lines[seat if self._redacts else 0]
        answer = self._players[seat].go(line, go, allowed, scored=self._decided is not None)
        self.thought[seat] += answer.seconds
        self.longest[seat] = max(self.longest[seat], answer.seconds)
        if left is not None:
            # Overstepping eats up the grace of the whole battle: below zero the clock goes on.
            self._clocks[seat] = left - answer.seconds + (self._increments[seat] or 0.0)
        return answer

    def _with_clocks(self, pace: Pace) -> Limit:
        shown = tuple(None if seconds is None else max(seconds, 0.0) for seconds in self._clocks)
        return pace.limit(shown, self._increments)

    def _play(self, token: str) -> None:
        """Apply a token and tell it to whom it may concern. IllegalToken changes nothing."""
        state = self._state
        turn = state.turn
        before = state.copy() if self._redacts else state
        written = state.apply(token)
        self.log.append(written)
        if turn >= 0:
            self.plies += 1
        begins = b" moves " if len(self.log) == 1 else b" "
        if not self._redacts:
            self._lines[0] += begins + written.encode()
            return
        for seat, line in enumerate(self._lines):
            line += begins + before.redact(written, seat).encode()

    def _stopped(self, why: str, points: Sequence[int]) -> Outcome:
        """An end that is not the game's: the win goes by points."""
        best = [seat for seat, value in enumerate(points) if value == max(points)]
        return why, tuple(points), tuple(1 / len(best) if seat in best else 0.0 for seat in range(len(points)))


class _Decided:
    """Whether the engines have agreed for long enough that one side of two is ahead, and by how much."""

    def __init__(self, rule: Adjudication) -> None:
        self._rule = rule
        self._scores: list[int] = []  # of the last plies in a row, from the first seat, in hundredths of a point

    def after(self, seat: int, score: int | None, points: Iterable[int]) -> tuple[int, ...] | None:
        """The points to end with, None while nothing is decided. The side ahead keeps what it has, the other gets what
        the most cautious of the scores leaves it.
        """
        first, second = points
        if score is None or abs(score) < 100 * self._rule.margin:
            self._scores.clear()
            return None
        seen = score if seat == 0 else -score
        if self._scores and (self._scores[-1] > 0) != (seen > 0):
            self._scores.clear()
        self._scores = [*self._scores, seen][-self._rule.plies :]
        if len(self._scores) < self._rule.plies:
            return None
        margin = round(min(map(abs, self._scores)) / 100)
        return (first, max(first - margin, 0)) if seen > 0 else (max(second - margin, 0), second)


def _position(opening: Opening, seats: int, seat: int | None) -> bytearray:
    """The command without its moves; `seat` is that of the receiver, None where all see everything."""
    words = ["position", f"fen {opening.text}" if opening.text else "startpos"]
    if seat is not None:
        words += ["players", str(seats), "seat", str(seat + 1)]
    return bytearray(" ".join(words).encode())


def _lost(offence: str, offender: int, seats: int) -> Outcome:
    points = tuple(0 if seat == offender else FORFEIT_POINTS for seat in range(seats))
    return offence, points, tuple(0.0 if seat == offender else 1 / (seats - 1) for seat in range(seats))


def _one_line(error: Exception) -> str:
    return ascii(" ".join(str(error).split())[:200])[1:-1]
