"""What is seen of a match while it runs: in a terminal the standings with a bar, elsewhere a line for each battle."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING

from thudstone.protocol.cli_output import say
from thudstone.protocol.match.result import Battle
from thudstone.protocol.match.tally import Tally

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_REFRESHES = 4  # a second


class Progress:
    """Lines, one a battle."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._already = tally.played  # by a run before this one
        self._began = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return

    def battle(self, battle: Battle) -> None:
        """A battle is finished, and counted already."""
        tally = self._tally
        llr = f"  {tally.llr()}" if tally.llr() else ""
        say(f"[{tally.played}/{tally.total}] {outcome(battle)}  {_clock(self.left())} left{llr}")

    def left(self) -> float:
        """Seconds until the last battle, at the pace of this run."""
        played = self._tally.played - self._already
        return (time.monotonic() - self._began) / max(played, 1) * (self._tally.total - self._tally.played)


class LiveProgress(Progress):
    """The standings, drawn again in their place. Forfeits stay above them, because they want to be read."""

    def __init__(self, tally: Tally, console: Console) -> None:
        from rich.live import Live

        super().__init__(tally)
        self._console = console
        self._last = ""
        # Made when a battle comes, not when it is drawn, which another thread does.
        self._rows = tally.table()
        self._live = Live(
            get_renderable=self._draw, console=console, refresh_per_second=_REFRESHES, transient=True
        )

    def __enter__(self) -> LiveProgress:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def battle(self, battle: Battle) -> None:
        self._last = outcome(battle)
        self._rows = self._tally.table()
        if battle.forfeit is not None:
            from rich.text import Text

            self._console.print(Text(self._last, "yellow"), soft_wrap=True)

    def _draw(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        tally = self._tally
        line = Table.grid(padding=(0, 1))
        left = _clock(self.left()) if tally.played > self._already else "?"
        words = [f"{tally.played}/{tally.total}", f"{left} left", *([tally.llr()] if tally.llr() else [])]
        line.add_row(ProgressBar(tally.total, tally.played, width=30), *map(Text, words))
        return Group(rich_table(self._rows), line, Text(self._last, "dim"))


def rich_table(rows: list[list[str]]) -> Table:
    """The standings for a terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE)
    for number, name in enumerate(rows[0]):
        table.add_column(name, justify="right" if number else "left")
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    return table


def plain_table(rows: list[list[str]]) -> list[str]:
    """The standings in lines, the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def outcome(battle: Battle) -> str:
    """`pair 3, battle 2: a 20 - 16 b (limit, 240 plies)`, and of a forfeit the reason with the offending line."""
    if len(battle.seats) == 2:
        result = f"{battle.seats[0]} {battle.points[0]} - {battle.points[1]} {battle.seats[1]}"
    else:
        shares = zip(battle.seats, battle.shares, strict=True)
        result = ", ".join(f"{name} {share:.3f}" for name, share in shares)
    text = f"pair {battle.pair}, battle {battle.battle}: {result} ({battle.end}, {battle.plies} plies)"
    if battle.forfeit is not None:
        text += f": {battle.seats[battle.forfeit.seat - 1]} {battle.forfeit.reason}"
        if battle.forfeit.line:
            text += f": it said {battle.forfeit.line!a}"
    return text


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
