"""What a match has come to so far."""

from __future__ import annotations

from collections import Counter

from thudstone.protocol.match.result import Battle
from thudstone.protocol.match.schedule import Schedule
from thudstone.protocol.match.settings import Settings
from thudstone.protocol.match.sprt import Sprt
from thudstone.protocol.match.standing import Standing


class Tally:
    """Takes the battles as they come, each once."""

    def __init__(self, settings: Settings, schedule: Schedule, sprt: Sprt | None = None) -> None:
        self.names = [engine.name for engine in settings.engines]
        self.done = bytearray(schedule.battles)  # by the schedule's index; small, because a match may be long
        self.played = 0
        self.forfeits: Counter[tuple[str, str]] = Counter()  # by engine and offence
        self.thinking = 0  # milliseconds, of all engines
        self._schedule = schedule
        self._sprt = sprt
        self._standing = Standing(self.names)

    def add(self, battle: Battle) -> None:
        index = self._schedule.index(battle.pair, battle.battle)
        assert not self.done[index], "a battle counts once"
        self.done[index] = True
        self.played += 1
        self.thinking += sum(battle.times.thinking)
        if battle.forfeit is not None:
            self.forfeits[battle.seats[battle.forfeit.seat - 1], battle.end] += 1
        self._standing.add(battle)

    def has(self, battle: Battle) -> bool:
        return bool(self.done[self._schedule.index(battle.pair, battle.battle)])

    @property
    def verdict(self) -> str:
        """What SPRT came to, a sentence; empty without it."""
        if self._sprt is None:
            return ""
        first, second = self.names
        decided = {"H0": (f"H0 accepted: {first} is not ahead of {second} by {self._sprt.elo1:g} Elo"), "H1": (
            f"H1 accepted: {first} is ahead of {second} by more than {self._sprt.elo0:g} Elo")}
        return f"SPRT: {decided.get(self.decision or '', 'not decided')}, {self.llr()}"

    @property
    def total(self) -> int:
        """Battles of the whole match, which SPRT may end sooner."""
        return self._schedule.battles

    @property
    def is_complete(self) -> bool:
        return self.played == self.total or self.decision is not None

    @property
    def decision(self) -> str | None:
        """`H0` or `H1` once SPRT has decided."""
        return None if self._sprt is None else self._sprt.decision(self._standing.pairs(*self.names[:2]))

    def llr(self) -> str:
        """The log-likelihood ratio with its bounds; empty without SPRT."""
        if self._sprt is None:
            return ""
        low, high = self._sprt.bounds
        return f"LLR {self._sprt.llr(self._standing.pairs(*self.names[:2])):+.2f} ({low:+.2f} to {high:+.2f})"

    def table(self) -> list[list[str]]:
        """The standings: a row of headings, then the rest."""
        return self._standing.table()

    def ends_line(self) -> str:
        """How the battles ended, the most frequent first."""
        return ", ".join(f"{why} {count}" for why, count in self._standing.ends.most_common())

    def forfeit_lines(self) -> list[str]:
        """Who forfeited battles, by which offence, and how many."""
        return [f"{name} forfeited {count} by {why}" for (name, why), count in self.forfeits.most_common()]
