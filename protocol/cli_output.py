"""Output for people: colours in a terminal, plain text elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from thudstone.position import DWARFS, Position
from thudstone.record import Battle

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

SIDES = ("dwarfs", "trolls")
_MANY_CHOICES = 12


@cache
def terminal() -> Console | None:
    """The terminal, None where the output goes elsewhere."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    from rich.console import Console

    return Console(highlight=False)


def width() -> int:
    """How many columns the output has; 80 where it is no terminal."""
    console = terminal()
    return 80 if console is None else console.width


def say(text: str = "", style: str = "") -> None:
    """A line, there at once."""
    console = terminal()
    if console is None:
        print(text, flush=True)
        return
    from rich.text import Text

    console.print(Text(text, style), soft_wrap=True)


@contextmanager
def progress(count: int, what: str) -> Iterator[Callable[[], None]]:
    """A bar on stderr while `count` steps are done, each told by a call; nothing where stderr is no terminal. What goes
    to stdout meanwhile must not be for the same terminal.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=count)
        yield lambda: bar.advance(task)


def show_board(position: Position, marked: Collection[str] = ()) -> None:
    """The board, and below it whose turn it is and the points."""
    console = terminal()
    if console is None:
        print(f"{position.diagram(marked)}\n{status(position)}", flush=True)
    else:
        console.print(coloured(position, marked), soft_wrap=True)


def show_table(text: str, styles: Mapping[str, str]) -> None:
    """A table of cards in a frame; `styles` are patterns of what stands out. In plain text between empty lines."""
    console = terminal()
    if console is None:
        print(f"\n{text}\n", flush=True)
        return
    import re

    from rich.panel import Panel
    from rich.text import Text

    shown = Text(text)
    for pattern, style in styles.items():
        shown.highlight_regex(re.compile(pattern, re.MULTILINE), style)
    console.print(Panel(shown, expand=False))


def show_choices(choices: Sequence[tuple[str, str]]) -> None:
    """A numbered list of tokens and what they do; in a terminal side by side, where there are many."""
    wide = max((len(token) for token, _ in choices), default=0)
    lines = [f"{number:>3}  {token:<{wide}}  {words}" for number, (token, words) in enumerate(choices, 1)]
    console = terminal()
    if console is None or len(lines) <= _MANY_CHOICES:
        for line in lines:
            say(line)
        return
    from rich.columns import Columns
    from rich.text import Text

    console.print(Columns([Text(line, no_wrap=True) for line in lines], equal=True, column_first=True))


def clear() -> None:
    """Empty the terminal, also what was scrolled out of it."""
    console = terminal()
    if console is not None:
        console.clear()
        print("\x1b[3J", end="", flush=True)


def coloured(position: Position, marked: Collection[str] = ()) -> Text:
    from rich.text import Text

    # The labels are capitals and numbers, so that these letters stand for pieces alone.
    text = Text(position.diagram(marked))
    for letters, style in (("d", "bold cyan"), ("T", "bold red"), ("R", "bold yellow"), (r"[\[\]]", "bold green")):
        text.highlight_regex(letters, style)
    text.highlight_regex(r"[A-P ]{20,}|\d+", "dim")
    return text.append(f"\n{status(position)}")


def last_squares(position: Position) -> set[str]:
    """The squares that the last move left, reached and cleared."""
    return {name for move in position.moves[-1:] for name in (move.from_square, move.to_square, *move.captured)}


def status(position: Position) -> str:
    outcome = position.outcome()
    turn = f"{SIDES[position.turn].capitalize()} to move" if outcome is None else f"Over: {outcome.why}"
    return f"{turn}. {len(position.dwarfs)} dwarfs, {len(position.trolls)} trolls, margin {position.margin:+d}"


def result(position: Position) -> str:
    """The result of a battle: pieces left, and the dwarfs' margin in points."""
    return f"Result: dwarfs {len(position.dwarfs)} trolls {len(position.trolls)} margin {position.margin}"


def say_results(battles: Collection[Battle]) -> None:
    for battle in battles:
        say(result(battle.position()), "bold")


def points(score: int) -> str:
    """A score in points from one in hundredths."""
    return f"{score / 100:+.2f}"


def from_dwarfs(score: int, turn: int) -> int:
    """A score of the side to move as the dwarfs see it."""
    return score if turn == DWARFS else -score
