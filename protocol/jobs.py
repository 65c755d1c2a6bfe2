"""What runs on the worker: a search, a perft, a bench."""

from __future__ import annotations

from thudstone.engine.game import Choice, Game, Info, Limits, Player
from thudstone.protocol.info import bestmove_line, info_line
from thudstone.protocol.output import Output
from thudstone.protocol.session import Session
from thudstone.protocol.worker import Job


class Search(Job):
    """A `go`: reports while it runs, and one answer."""

    name = "go"

    def __init__(self, output: Output, session: Session, limits: Limits, *, bounded: bool) -> None:
        super().__init__(output)
        self._session = session
        self._player: Player = session.player
        # A copy: queries look at the position meanwhile. Nothing can be searched once the game is over.
        searchable = session.rejected is None and session.position.state.turn >= 0
        self._state = session.position.state.copy() if searchable else None
        self._limits = limits
        self._bounded = bounded
        self.endless = limits.infinite or limits.ponder
        self._totals = Info(nodes=0, time=0)
        self._choice = Choice(None)

    def ponderhit(self) -> None:
        self.stop.ponderhit()
        if not self._bounded and not self._limits.infinite:
            self.stop.set()  # no limit takes over from pondering

    def run(self) -> None:
        try:
            if self._state is not None:
                self._choice = self._player.search(self._state, self._limits, self._report, self.stop)
        except Exception as error:  # a mistake in a player must not cost its side the game as well
            self.output.failure(self.name, error)
            self._choice = Choice(self._any_move())
        if self._limits.infinite:
            self.stop.wait(ponder=False)
        elif self._limits.ponder:
            self.stop.wait(ponder=True)

    def last_words(self) -> list[str]:
        totals = Info(nodes=self._totals.nodes, time=self._totals.time)
        return [info_line(totals), bestmove_line(self._choice, two_tokens=self._session.universal)]

    def _report(self, info: Info) -> None:
        if info.pv:
            if (info.multipv or 1) == 1 and not info.bound:
                self._choice = Choice(info.pv[0])
            self.output.line(info_line(info))
        self._totals = info

    def _any_move(self) -> str | None:
        """The best one reported so far, or else the first."""
        if self._choice.move is not None or self._state is None:
            return self._choice.move
        return next(iter(self._limits.searchmoves or self._state.legal()), None)


class Perft(Job):
    """A `go perft`: the count of each root move, then the sum of the lines that were written."""

    name = "go perft"

    def __init__(self, output: Output, state: Game, depth: int) -> None:
        super().__init__(output)
        self._state = state.copy()
        self._depth = depth
        self._total = 0

    def run(self) -> None:
        if self._depth == 0:
            self._total = 1
            return
        for token, count in self._state.divide(self._depth, self.stop):
            self.output.line(f"{token}: {count}")
            self._total += count

    def last_words(self) -> list[str]:
        return [f"Nodes searched: {self._total}"]


class Bench(Job):
    """A `bench`: text for people."""

    name = "bench"

    def __init__(self, output: Output, player: Player) -> None:
        super().__init__(output)
        self._player = player

    def run(self) -> None:
        for line in self._player.bench(self.stop):
            self.output.line(line)

    def last_words(self) -> list[str]:
        return [""]
