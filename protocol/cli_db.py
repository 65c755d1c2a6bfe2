"""`thudstone db`: a folder of games as a database."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import click
from thudstone.database import RESULTS, Database, Found
from thudstone.letters import Files
from thudstone.protocol.cli_input import FILES, SIDES, read_position
from thudstone.protocol.cli_output import progress, say
from thudstone.record import RecordError
from thudstone.store import StoreError

ENDINGS = (".thud", ".pgn", ".txt")
POSITION = "A TFEN, a piece list, or a file."


@click.group(
    epilog="\b\nExamples:\n  thudstone db add games.db folder\n  thudstone db explore games.db\n"
    "  thudstone db find games.db --player Ann --result trolls"
)
def db() -> None:
    """Keep games in a database, find them, and see what was played from a position."""


@db.command(epilog="\b\nExample:\n  thudstone db add games.db folder game.thud")
@click.argument("database", metavar="DB")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--files", type=FILES, default="thud", show_default=True, help="How the records letter the files.")
def add(database: str, paths: tuple[str, ...], files: Files) -> int:
    """Add records to a database, which is made where there is none.

    Of a folder these are all files in and below it that end in .thud, .pgn or .txt. Files that did not change since
    they were added are skipped, and a battle that is there already is not added twice. A file that can't be read is
    named with the line and the reason, the others are added, and the status is 1.
    """
    broken = 0
    found = list(_records(paths))
    with _opened(database, create=True) as base:
        task = base.importing(files)
        try:
            with task, progress(len(found), "Adding") as advance:
                for path in found:
                    try:
                        task.read(path)
                    except RecordError as error:
                        broken += 1
                        _name(path, str(error))
                    except OSError as error:
                        broken += 1
                        _name(path, error.strerror or str(error))
                    advance()
        except StoreError as error:
            done = f"; {task.counts.added} battles were added before" if task.counts.added else ""
            raise click.ClickException(f"{database}: {error}{done}") from None
        finally:
            counts = task.counts
        say(
            f"Battles: {counts.added} added, {counts.known} known. "
            f"Files: {len(found)}, {counts.unchanged} unchanged, {broken} broken"
        )
    return 1 if broken else 0


@db.command(epilog="\b\nExample:\n  thudstone db find games.db --dwarfs Ann --date 2026")
@click.argument("database", metavar="DB")
@click.option("--player", default="", help="Who played either side: a part of the name.")
@click.option("--dwarfs", default="", help="Who played the dwarfs.")
@click.option("--trolls", default="", help="Who played the trolls.")
@click.option("--event", default="", help="A part of the event's name.")
@click.option("--date", default="", help="How the date begins: 2026, 2026-05.")
@click.option("--result", type=click.Choice(RESULTS), default=None, help="Who won.")
@click.option("--position", default=None, help=f"{POSITION} It or an image of it was reached.")
@click.option("--side", type=SIDES, help="Side to move of a piece list.")
@click.option("--files", type=FILES, default="thud", show_default=True, help="How the position letters the files.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def find(
    database: str,
    player: str,
    dwarfs: str,
    trolls: str,
    event: str,
    date: str,
    result: str | None,
    position: str | None,
    side: str | None,
    files: Files,
    as_json: bool,
) -> None:
    """List the battles that fit everything asked, by date."""
    place = None if position is None else read_position(position, "any", side, files=files)
    with _opened(database) as base:
        count = 0
        for battle in base.find(
            player=player, dwarfs=dwarfs, trolls=trolls, event=event, date=date, result=result or "", position=place
        ):
            count += 1
            say(json.dumps(asdict(battle)) if as_json else _line(battle))
        if not as_json:
            say(f"{count} of {base.count()} battles", "bold")


@db.command(epilog="\b\nExamples:\n  thudstone db explore games.db\n  thudstone db explore games.db game.thud --ply 4")
@click.argument("database", metavar="DB")
@click.argument("position", metavar="[POSITION|FILE]", default="startpos")
@click.option("--ply", type=click.IntRange(0), help="Of a record: the position after so many plies, not the last.")
@click.option("--side", type=SIDES, help="Side to move of a piece list.")
@click.option("--files", type=FILES, default="thud", show_default=True, help="How the position letters the files.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def explore(
    database: str, position: str, ply: int | None, side: str | None, files: Files, as_json: bool
) -> None:
    """List what was played from a position or an image of it, the most played first.

    Each move has the number of battles it was played in, how many of them the dwarfs won, were drawn and the trolls
    won, and the mean of their margins in points for the dwarfs. Moves that are images of each other are one.
    """
    place = read_position(position, "any", side, ply, files)
    with _opened(database) as base:
        moves = base.moves(place)
    if as_json:
        for played in moves:
            say(json.dumps(asdict(played)))
        return
    say(" battles   dwarfs    drawn   trolls   margin  move", "dim")
    for played in moves:
        counts = f"{played.battles:8} {played.dwarfs:8} {played.draws:8} {played.trolls:8}"
        say(f"{counts} {played.margin:+8.2f}  {played.move}")
    say(f"{len(moves)} moves", "bold")


@contextmanager
def _opened(path: str, create: bool = False) -> Iterator[Database]:
    try:
        with Database(path, create) as base:
            yield base
    except StoreError as error:
        raise click.ClickException(f"{path}: {error}") from None


def _records(paths: tuple[str, ...]) -> Iterator[str]:
    """The files to read. ClickException for a path that isn't there."""
    for path in paths:
        if not os.path.lexists(path):
            raise click.ClickException(f"{path}: no such file or folder")
        if not os.path.isdir(path):
            yield path
            continue
        for folder, inner, names in os.walk(path, onerror=_unreadable):
            inner.sort()
            yield from (os.path.join(folder, name) for name in sorted(names) if name.lower().endswith(ENDINGS))


def _unreadable(error: OSError) -> None:
    raise click.ClickException(f"{error.filename}: {error.strerror}")


def _name(path: str, reason: str) -> None:
    print(f"thudstone: {path}: {reason}", file=sys.stderr)


def _line(battle: Found) -> str:
    players = f"{battle.dwarfs or '?'} - {battle.trolls or '?'}"
    where = f"{battle.path}" + (f" battle {battle.number}" if battle.number > 1 else "")
    there = "" if battle.ply is None else f", there after ply {battle.ply}"
    end = f"{battle.result} {battle.margin:+d} in {battle.plies} plies{there}"
    return f"{battle.date or '?':10}  {players}  {end}  {where}"
