"""`thudstone convert`: records and positions from one format into another."""

from __future__ import annotations

import io
import os

import click
from thudstone import grid, letters, pgn
from thudstone.letters import Files
from thudstone.protocol.cli_input import FILES, RULES, SIDES, read_source
from thudstone.protocol.cli_outfile import OutFile
from thudstone.protocol.cli_output import say
from thudstone.record import Battle, Record

_FORMATS = ("thud", "pgn", "tfen", "pieces", "grid")


@click.command(
    epilog="\b\nExamples:\n  thudstone convert game.pgn game.thud\n  thudstone convert game.thud - --to tfen"
)
@click.argument("source", metavar="POSITION|FILE")
@click.argument("target", metavar="OUT")
@click.option("--to", "kind", type=click.Choice(_FORMATS), help="Format of OUT; its name's ending by default.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@click.option("--side", type=SIDES, help="Side to move of a piece list.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
@click.option("--files", type=FILES, default="thud", show_default=True, help="How SOURCE letters the files.")
@click.option("--to-files", type=FILES, default="thud", show_default=True, help="How OUT letters the files.")
def convert(
    source: str,
    target: str,
    kind: str | None,
    force: bool,
    side: str | None,
    rules: str,
    files: Files,
    to_files: Files,
) -> None:
    """Write a record or a position in another format; - is stdin or stdout.

    The formats are thud (piece list and plies), pgn, tfen, pieces and grid; the last three give the position that each
    battle ends with, a line a battle (15 of a grid). Files are lettered A to P without I (thud) or A to O (abc). OUT is
    written when all of it is there, so that a failure leaves it as it was.
    """
    kind = kind or os.path.splitext(target)[1][1:]
    if kind not in _FORMATS:
        raise click.UsageError(f"the format of {target} is not known: name one with --to ({', '.join(_FORMATS)})")
    if target != "-" and os.path.exists(target) and not force:
        raise click.ClickException(f"{target} exists (--force writes over it)")
    text = _text(read_source(source, rules, side, files).battles, kind, to_files)
    if target == "-":
        say(text.removesuffix("\n"))
    else:
        OutFile.written("cannot write", target, text.encode())


def _text(battles: tuple[Battle, ...], kind: str, files: Files) -> str:
    if kind == "pgn":
        return pgn.write(Record(battles), files)
    if kind == "thud":
        text = io.StringIO()
        Record(battles).write(text, files)
        return text.getvalue()
    ends = [battle.position() for battle in battles]
    if kind == "grid":
        return "\n".join(map(grid.write, ends))
    return "".join(f"{end.tfen if kind == 'tfen' else letters.written(end.piece_list, files)}\n" for end in ends)
