"""`thudstone board`: a position to look at."""

from __future__ import annotations

import click
from thudstone import picture
from thudstone.letters import Files
from thudstone.picture import Theme
from thudstone.protocol.cli_input import FILES, RULES, SIDES, read_source
from thudstone.protocol.cli_outfile import OutFile
from thudstone.protocol.cli_output import last_squares, say, say_results, show_board
from thudstone.record import Battle


@click.command(epilog="\b\nExamples:\n  thudstone board game.thud --ply 12\n  thudstone board startpos")
@click.argument("source", metavar="POSITION|FILE")
@click.option("--ply", type=click.IntRange(0), help="Show the position after so many plies, not the last.")
@click.option("--battle", type=click.IntRange(1), help="Which battle of a record; all by default.")
@click.option("--side", type=SIDES, help="Side to move of a piece list.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
@click.option("--files", type=FILES, default="thud", show_default=True, help="How the record letters the files.")
@click.option("--svg", metavar="FILE", help="Write the board as SVG, too.")
@click.option("--png", metavar="FILE", help="Write the board as PNG, too.")
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", help="Colours of the picture.")
@click.option("--flipped", is_flag=True, help="Row 15 at the top of the picture.")
def board(
    source: str,
    ply: int | None,
    battle: int | None,
    side: str | None,
    rules: str,
    files: Files,
    svg: str | None,
    png: str | None,
    theme: Theme,
    flipped: bool,
) -> None:
    """Show a position (a TFEN or a piece list) or where a record ends; - is stdin.

    The squares that the last move left, reached and cleared stand in brackets. The last lines are the results: pieces
    left and the dwarfs' margin in points, one line a battle.
    """
    battles = read_source(source, rules, side, files).battles
    if battle is not None and battle > len(battles):
        raise click.ClickException(f"--battle {battle}: the record has {len(battles)}")
    if svg is not None or png is not None:
        if battle is None and len(battles) > 1:
            raise click.ClickException(f"a picture shows one battle of {len(battles)}: choose with --battle")
        _draw(battles[(battle or 1) - 1], ply, svg, png, theme, flipped)
    for number, shown in enumerate(battles, start=1):
        if battle in (None, number):
            _show(shown, f"Battle {number}: " if len(battles) > 1 else "", ply)
    say_results(battles)


def _draw(battle: Battle, ply: int | None, svg: str | None, png: str | None, theme: Theme, flipped: bool) -> None:
    if ply is not None and ply > len(battle.moves):
        raise click.ClickException(f"--ply {ply}: there are {len(battle.moves)} plies")
    position = battle.position(ply)
    last = next(iter(position.moves[-1:]), None)
    if svg is not None:
        OutFile.written("--svg", svg, position.svg(last, flipped=flipped, theme=theme).encode())
    if png is not None:
        # The renderer knows no preference of a viewer, so that auto is light.
        drawn = position.svg(last, flipped=flipped, theme="dark" if theme == "dark" else "light")
        try:
            data = picture.png(drawn)
        except RuntimeError as error:
            raise click.ClickException(f"--png {png}: {error}") from None
        OutFile.written("--png", png, data)


def _show(battle: Battle, heading: str, ply: int | None) -> None:
    count = len(battle.moves)
    if ply is not None and ply > count:
        raise click.ClickException(f"--ply {ply}: {heading}there are {count} plies")
    shown = count if ply is None else ply
    if shown:
        say(f"{heading}after ply {shown} of {count}, {battle.moves[shown - 1]}")
    elif heading:
        say(f"{heading}the start")
    position = battle.position(shown)
    show_board(position, last_squares(position))
    if battle.end and shown == count:
        say(f"Ended: {battle.end}")
