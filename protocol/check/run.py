"""Carries out the steps, whatever the engine does: one process for each, and an end to all of them."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Sequence

from thudstone.engine import games
from thudstone.engine.thud.state import Thud
from thudstone.protocol.check import asking, greeting, leaving, placing, searching, setting, stopping
from thudstone.protocol.check.reference import Asked, Known, Reference, default_options
from thudstone.protocol.check.step import Failed, Hung, NotOffered, Outcome, Step, Verdict
from thudstone.protocol.check.talk import HELLO, Knowledge, Talk, learn

STEPS: tuple[Step, ...] = (
    *greeting.STEPS,
    *setting.STEPS,
    *placing.STEPS,
    *searching.STEPS,
    *stopping.STEPS,
    *asking.STEPS,
    *leaving.STEPS,
)
MOST_HANGS = 10  # in a row; then nothing is expected of the engine any more
TIME = 200.0  # seconds for all steps


class Check:
    """The check of one engine."""

    def __init__(self, argv: Sequence[str], steps: Sequence[Step] = STEPS) -> None:
        """Starts the engine once, to learn what it has. OSError or ValueError where it can't be started."""
        self.steps = tuple(steps)
        self._argv = list(argv)
        self._begun = time.monotonic()
        self._side: Talk | None = None  # the process that is asked for the rules of a game that isn't known here
        self._broken = ""  # why there is nothing to check
        self._exchange: tuple[str, ...] = ()
        self.known = Knowledge()
        self._reference: Reference | None = None
        talk = Talk(self._argv, self.known, None, HELLO)
        try:
            learn(talk)
            self._reference = self._learn_game(talk)
        except Failed as error:
            self._broken = str(error) + _late(talk)
            self._exchange = talk.subject.exchange()
        finally:
            talk.subject.kill()

    def run(self) -> Generator[Outcome, None, None]:
        """Each step's outcome as it comes. Closing the iterator ends what runs."""
        hangs = 0
        try:
            for step in self.steps:
                if self._broken:
                    yield Outcome(step, Verdict.FAILED, self._broken, self._exchange)
                elif hangs >= MOST_HANGS:
                    yield Outcome(step, Verdict.FAILED, f"not tried: the engine hung {hangs} times in a row")
                elif time.monotonic() - self._begun > TIME:
                    yield Outcome(step, Verdict.FAILED, f"not tried: {TIME:.0f} s have passed")
                else:
                    outcome, hung = self._run(step)
                    hangs = hangs + 1 if hung else 0
                    yield outcome
        finally:
            if self._side is not None:
                self._side.subject.kill()

    def _run(self, step: Step) -> tuple[Outcome, bool]:
        """The outcome, and whether the engine hung."""
        try:
            talk = Talk(self._argv, self.known, self._reference, HELLO / 2)
        except (OSError, ValueError) as error:  # it could be started before
            return Outcome(step, Verdict.FAILED, f"it can't be started any more: {error}"), False
        try:
            if step.hello:
                talk.hello()
            step.check(talk)
        except NotOffered as what:
            return Outcome(step, Verdict.NOT_OFFERED, str(what)), False
        except Failed as error:
            hung = isinstance(error, Hung)
            return Outcome(step, Verdict.FAILED, str(error), talk.subject.exchange()), hung
        finally:
            talk.subject.kill()
        return Outcome(step, Verdict.PASSED), False

    def _learn_game(self, talk: Talk) -> Reference | None:
        """The rules of the engine's game; None where there is no way to know them."""
        variant = self.known.options.get("uci_variant")
        name = variant.default.lower() if variant is not None else "thud"
        if variant is None and self.known.queries:
            talk.ask("position startpos")
            try:
                Thud.from_text(talk.query("fen"), {})
            except (ValueError, Failed):
                name = ""
        if name in games.NAMES:
            game = games.load(name)[0]
            return Known(game, default_options(game, self.known.options))
        if not self.known.queries:
            return None
        self._side = Talk(self._argv, self.known, None, HELLO)
        self._side.subject.limit = math.inf  # it serves all steps
        self._side.hello()
        return Asked(name or "an unknown game", self._ask)

    def _ask(self, command: str, words: str) -> str:
        assert self._side is not None
        self._side.accept(command)
        return self._side.query(words)


def _late(talk: Talk) -> str:
    """Whether the missing answer comes when the engine ends, and with it what is wrong."""
    talk.subject.end_input()
    try:
        lines, _ = talk.subject.rest(1.0)
    except Failed:
        return ""
    return "; it came once the input had ended: each line has to be flushed" if lines else ""
