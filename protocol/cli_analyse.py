"""`thudstone analyse`: what the engine thinks of a position, or of each ply of a record."""

from __future__ import annotations

from collections.abc import Callable

import click
from thudstone.engine.game import Info, Limits
from thudstone.engine.thud.player import ThudPlayer
from thudstone.protocol.cli_input import RULES, SIDES, read_source
from thudstone.protocol.cli_output import SIDES as SIDE_NAMES
from thudstone.protocol.cli_output import from_dwarfs, points, say, say_results, show_board
from thudstone.protocol.cli_thinking import Thought, analysed, think
from thudstone.record import Battle

POSITION_MS = 2000
PLY_MS = 100


@click.command(
    epilog="\b\nExamples:\n  thudstone analyse game.thud --movetime 500\n"
    '  thudstone analyse "dE11,dE10,TG10,RH8" --depth 4 --multipv 3'
)
@click.argument("source", metavar="POSITION|FILE")
@click.option("--movetime", type=click.IntRange(1), help=f"Milliseconds; {POSITION_MS}, or {PLY_MS} for each ply.")
@click.option("--depth", type=click.IntRange(1, 100), help="Plies of depth.")
@click.option("--nodes", type=click.IntRange(1), help="Moves made in the search.")
@click.option("--multipv", type=click.IntRange(1, 100), default=1, show_default=True, help="How many best moves.")
@click.option("--side", type=SIDES, help="Side to move of a piece list.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
def analyse(
    source: str, movetime: int | None, depth: int | None, nodes: int | None, multipv: int, side: str | None, rules: str
) -> None:
    """Analyse a position (a TFEN or a piece list) or a record, ply by ply; - is stdin.

    Of a position each line shows the depth, the score in points from the side to move, nodes, seconds, and the best
    line of play. Of a record each line shows a ply, the score after it in points from the dwarfs' view, and the move
    that the engine would have played instead. The last lines are the results: pieces left and the dwarfs' margin in
    points, one line a battle.
    """
    read = read_source(source, rules, side)
    if movetime is None and depth is None and nodes is None:
        movetime = POSITION_MS if read.is_position else PLY_MS

    def limits() -> Limits:
        return Limits(movetime=movetime, depth=depth, nodes=nodes)

    player = ThudPlayer()
    player.set_option("MultiPV", multipv)
    if read.is_position:
        _position(player, read.battles[0], limits(), multipv)
    else:
        for number, battle in enumerate(read.battles, start=1):
            if len(read.battles) > 1:
                say(f"Battle {number}")
            player.new_game()
            _record(player, battle, limits)
    say_results(read.battles)


def _position(player: ThudPlayer, battle: Battle, limits: Limits, multipv: int) -> None:
    position = battle.position()
    show_board(position)
    if position.outcome() is not None:
        return
    say(f"  depth   points       nodes    time  line (points for the {SIDE_NAMES[position.turn]})", "dim")

    def say_line(info: Info) -> None:
        if info.score is None:
            return
        depth = f"{info.depth or 0}" + (f" #{info.multipv or 1}" if multipv > 1 else "")
        bound = {"": " ", "lowerbound": ">", "upperbound": "<"}[info.bound]
        seconds = f"{info.time / 1000:.2f}s"
        say(f"{depth:>7} {bound}{points(info.score):>7} {info.nodes:11} {seconds:>7}  {' '.join(info.pv)}")

    thought = think(player, analysed(position), limits, say_line)
    best = f"Best: {thought.choice.move}"
    say(f"{best} {points(thought.lines[0].score or 0)}" if thought.lines else best, "bold")


def _record(player: ThudPlayer, battle: Battle, limits: Callable[[], Limits]) -> None:
    position = battle.position(0)

    def judge() -> tuple[str, Thought | None]:
        """The score in points from the dwarfs' view with its depth, and what the search found."""
        if position.outcome() is not None:
            return f"{points(100 * position.margin):>8}   over", None
        thought = think(player, analysed(position), limits())
        if not thought.lines:
            return f"{'?':>8}      0", thought
        best = thought.lines[0]
        return f"{points(from_dwarfs(best.score or 0, position.turn)):>8}  {best.depth or 0:5}", thought

    say(" ply  move                     points  depth  instead", "dim")
    judgement, thought = judge()
    say(f"   0  {'':22} {judgement}")
    _say_alternatives(thought, position.turn)
    for ply, move in enumerate(battle.moves, start=1):
        best = None if thought is None else thought.choice.move
        position.push(move)
        judgement, thought = judge()
        say(f"{ply:4}  {move.text:22} {judgement}  {'' if best in (None, move.text) else best}".rstrip())
        _say_alternatives(thought, position.turn)
    if battle.end:
        say(f"Ended: {battle.end}")


def _say_alternatives(thought: Thought | None, turn: int) -> None:
    """With several best moves asked for: what each leads to."""
    if thought is None or len(thought.lines) < 2:
        return
    for number, info in enumerate(thought.lines, start=1):
        say(f"      {number:3}. {points(from_dwarfs(info.score or 0, turn)):>7}  {' '.join(info.pv)}", "dim")
