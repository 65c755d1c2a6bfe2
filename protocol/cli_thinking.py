"""Searches in this process, for the commands that analyse and play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from thudstone.engine.game import Choice, Game, Info, Limits, Player, Stop
from thudstone.engine.thud.state import Thud
from thudstone.position import Position
from thudstone.protocol.cli_worker import run


@dataclass(frozen=True)
class Thought:
    """A search's choice and the last line of each multipv, best first."""

    choice: Choice
    lines: tuple[Info, ...]


def think(player: Player, game: Game, limits: Limits, report: Callable[[Info], None] | None = None) -> Thought:
    """Search `game` until a limit is reached; Ctrl-C ends the search and is raised."""
    lines: dict[int, Info] = {}

    def keep(info: Info) -> None:
        if info.pv and not info.bound:
            lines[info.multipv or 1] = info
        if report is not None:
            report(info)

    stop = Stop()
    choice = run(lambda: player.search(game, limits, keep, stop), stop)
    return Thought(choice, tuple(lines[key] for key in sorted(lines)))


def analysed(position: Position) -> Thud:
    """The position as an analysis searches it: without the limit of plies that pass without a capture, because a record
    may have run past it, and without what was played before, because the search takes a repetition for the battle's
    end, which in a record it was not.
    """
    return Thud.from_text(position.tfen, {"TrollCapture": position.rule, "NoCaptureLimit": 0})
