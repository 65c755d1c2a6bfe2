"""The group of commands, and what becomes of their errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click
from thudstone.engine import games
from thudstone.protocol.cli_analyse import analyse
from thudstone.protocol.cli_bench import bench
from thudstone.protocol.cli_board import board
from thudstone.protocol.cli_book import book
from thudstone.protocol.cli_check import check
from thudstone.protocol.cli_convert import convert
from thudstone.protocol.cli_datagen import datagen
from thudstone.protocol.cli_db import db
from thudstone.protocol.cli_match import match
from thudstone.protocol.cli_perft import perft
from thudstone.protocol.cli_play import play
from thudstone.protocol.cli_selfplay import selfplay
from thudstone.protocol.cli_solve import solve
from thudstone.protocol.cli_tune import tune
from thudstone.version import __version__


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n  thudstone analyse game.thud\n  thudstone play --side trolls\n"
    "  printf 'uci\\ngo depth 5\\n' | thudstone",
)
@click.version_option(__version__, prog_name="thudstone", message="%(prog)s %(version)s")
@click.option("--game", type=click.Choice(games.NAMES), help="The game that the engine plays (without a command).")
@click.option("--data", metavar="FILE", help="Figures that replace the card game's own (without a command).")
@click.pass_context
def thudstone(context: click.Context, game: str | None, data: str | None) -> int:
    """A Thud engine. Without a command it speaks its protocol on stdin and stdout."""
    if context.invoked_subcommand is None:
        from thudstone.protocol import server

        return server.main(game or "thud", data=data or "")
    for name, value in (("--game", game), ("--data", data)):
        if value is not None:
            raise click.UsageError(f"{name} before a command is the engine's, which goes without one.")
    return 0


for command in (analyse, bench, board, book, check, convert, datagen, db, match, perft, play, selfplay, solve, tune):
    thudstone.add_command(command)


def run(arguments: Sequence[str]) -> int:
    """Run a command and return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A locale that lacks a letter must not stop a command half-way.
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _invoke(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "thudstone"
        return _fail(f"{error.format_message()} (see {where} -h)")
    except click.ClickException as error:
        return _fail(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        _discard_output()
        return 130
    except BrokenPipeError:
        _discard_output()
        return 0  # whoever read the output has seen enough
    except OSError as error:
        _discard_output()
        return _fail(f"cannot write the output: {error.strerror}")
    return status


def _invoke(arguments: Sequence[str]) -> int:
    """What click's own `main` does, without its handling of Ctrl-C and broken pipes, which is not quiet."""
    try:
        with thudstone.make_context("thudstone", list(arguments)) as context:
            status = thudstone.invoke(context)
    except click.exceptions.Exit as end:  # after --help and --version
        return end.exit_code
    return status if isinstance(status, int) else 0


def _fail(message: str) -> int:
    line = " ".join(message.split())
    print("thudstone: error:", "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line), file=sys.stderr)
    return 2


def _discard_output() -> None:
    """Let the interpreter's last flush of stdout go nowhere, where it can't fail."""
    if sys.stdout is not None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
