"""`thudstone convert`: records and positions from one format into another."""

from __future__ import annotations

import io
import os
import tempfile

import click
from thudstone import pgn
from thudstone.protocol.cli_input import RULES, SIDES, read_source
from thudstone.protocol.cli_output import say
from thudstone.record import Battle, Record

_FORMATS = ("thud", "pgn", "tfen", "pieces")


@click.command(
    epilog="\b\nExamples:\n  thudstone convert game.pgn game.thud\n  thudstone convert game.thud - --to tfen"
)
@click.argument("source", metavar="POSITION|FILE")
@click.argument("target", metavar="OUT")
@click.option("--to", "kind", type=click.Choice(_FORMATS), help="Format of OUT; its name's ending by default.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@click.option("--side", type=SIDES, help="Side to move of a piece list.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
def convert(source: str, target: str, kind: str | None, force: bool, side: str | None, rules: str) -> None:
    """Write a record or a position in another format; - is stdin or stdout.

    The formats are thud (piece list and plies), pgn, tfen and pieces; the last two give the position that each battle
    ends with, a line a battle. OUT is written when all of it is there, so that a failure leaves it as it was.
    """
    kind = kind or os.path.splitext(target)[1][1:]
    if kind not in _FORMATS:
        raise click.UsageError(f"the format of {target} is not known: name one with --to ({', '.join(_FORMATS)})")
    if target != "-" and os.path.exists(target) and not force:
        raise click.ClickException(f"{target} exists (--force writes over it)")
    text = _text(read_source(source, rules, side).battles, kind)
    if target == "-":
        say(text.removesuffix("\n"))
        return
    try:
        _replace(target, text)
    except OSError as error:
        raise click.ClickException(f"cannot write {target}: {error.strerror}") from None


def _text(battles: tuple[Battle, ...], kind: str) -> str:
    if kind == "pgn":
        return pgn.write(Record(battles))
    if kind == "thud":
        text = io.StringIO()
        Record(battles).write(text)
        return text.getvalue()
    ends = [battle.position() for battle in battles]
    return "".join(f"{end.tfen if kind == 'tfen' else end.piece_list}\n" for end in ends)


def _replace(path: str, text: str) -> None:
    """Write a file beside the path, and move it there. OSError where it can't be; the path is as it was then."""
    number, name = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".thudstone-")
    try:
        with open(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)  # as a file that is simply opened; mkstemp's is for its owner alone
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
