"""`thudstone book`: makes an opening book, and shows what one says."""

from __future__ import annotations

import os
from pathlib import Path

import click
from thudstone.engine import processors
from thudstone.engine.game import Stop
from thudstone.engine.thud import core
from thudstone.engine.thud.book import RULE, SHIPPED, Book, BookError
from thudstone.protocol.cli_input import SIDES, read_position
from thudstone.protocol.cli_outfile import OutFile
from thudstone.protocol.cli_output import points, say, show_board
from thudstone.protocol.cli_worker import run


@click.group(epilog="\b\nExamples:\n  thudstone book show\n  thudstone book build book.txt")
def book() -> None:
    """The opening book of the option OwnBook."""


@book.command(epilog="\b\nExample:\n  thudstone book build book.txt --positions 100 --nodes 200000")
@click.argument("out", type=click.Path(dir_okay=False))
@click.option("--positions", type=click.IntRange(1), default=400, show_default=True, help="How many OUT shall hold.")
@click.option("--nodes", type=click.IntRange(1), default=2_000_000, show_default=True, help="For each position.")
@click.option("--lines", type=click.IntRange(1, 256), default=5, show_default=True, help="Moves kept of each position.")
@click.option("--plies", type=click.IntRange(0), default=12, show_default=True, help="The last ply it goes on from.")
@click.option("--concurrency", type=click.IntRange(1), help="Positions at once (all processors).")
def build(out: str, positions: int, nodes: int, lines: int, plies: int, concurrency: int | None) -> None:
    """Analyse the opening and write it to OUT.

    First come the positions that a player who follows the book meets when the other one plays nearly the best. OUT is
    written after every eight positions; the same command goes on with what is there. The book is the same with any
    concurrency.
    """
    from thudstone.engine.thud import bookmaking

    plan = bookmaking.Plan(nodes, lines, plies)
    made = Book()
    if os.path.exists(out) and os.path.getsize(out):
        made = _read(Path(out))
        if bookmaking.settings(plan) not in Path(out).read_text(encoding="ascii").splitlines():
            raise click.ClickException(f"{out}: a book of other --nodes or --lines; it is left as it is")
    stop = Stop()

    def work() -> None:
        threads = concurrency or processors.available()
        for grown in bookmaking.make(made, plan, positions, threads, stop.flags):
            file = OutFile("OUT", out)
            try:
                file.replace(bookmaking.text(grown, plan).encode("ascii"))
            finally:
                file.discard()
            say(f"{len(grown)}/{positions} positions")

    OutFile("OUT", out).discard()  # finds out before the long work whether it can be written
    try:
        run(work, stop)
    except KeyboardInterrupt:
        there = f"{len(made)} positions are in {out}, and the same command goes on from them"
        raise click.ClickException(f"interrupted: {there}") from None
    if len(made) < positions:
        say(f"{len(made)} positions are all down to ply {plies}")


@book.command(epilog='\b\nExample:\n  thudstone book show\n  thudstone book show game.thud --book book.txt')
@click.argument("position", metavar="[POSITION|FILE]", default="startpos")
@click.option("--book", "path", type=click.Path(exists=True, dir_okay=False), help="Another book than the shipped one.")
@click.option("--side", type=SIDES, help="To move, where POSITION is a piece list.")
def show(position: str, path: str | None, side: str | None) -> None:
    """What the book says of a position: each move, its score with what follows in the book, and as searched."""
    where = read_position(position, RULE, side)
    entries = _read(Path(path) if path else SHIPPED)
    show_board(where)
    found = entries.find(core.Board(where.tfen, RULE))
    if found is None:
        say(f"Not among the {len(entries)} positions of the book")
        return
    say(f"Searched to depth {found.depth}; {len(entries)} positions are in the book")
    for move in found.moves:
        say(f"{move.text:16} {points(move.score):>7} {points(move.searched):>7}")


def _read(path: Path) -> Book:
    try:
        return Book.read(path)
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    except BookError as error:
        raise click.ClickException(f"{path}: {error}") from None
