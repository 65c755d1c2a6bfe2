"""`thudstone perft`: how many sequences of moves there are."""

from __future__ import annotations

import time

import click
from thudstone.engine.game import Stop
from thudstone.engine.memory import available_mb
from thudstone.engine.thud import core
from thudstone.letters import Files
from thudstone.protocol.cli_input import FILES, RULES, SIDES, read_position
from thudstone.protocol.cli_output import say
from thudstone.protocol.cli_worker import run


@click.command(epilog="\b\nExample:\n  thudstone perft 3 --rules all --divide")
@click.argument("depth", type=click.IntRange(0, 100))
@click.option("--position", default="startpos", help="TFEN, piece list or record (its last position).")
@click.option("--side", type=SIDES, help="Side to move of a piece list.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
@click.option("--files", type=FILES, default="thud", show_default=True, help="How the position letters the files.")
@click.option("--divide", is_flag=True, help="Show the count of each move.")
@click.option("--no-bulk", is_flag=True, help="Make the last ply's moves too instead of counting them.")
@click.option("--hash", "hash_mb", type=click.IntRange(0), default=0, help="MB of hash table; none by default.")
def perft(
    depth: int,
    position: str,
    side: str | None,
    rules: str,
    files: Files,
    divide: bool,
    no_bulk: bool,
    hash_mb: int,
) -> None:
    """Count the sequences of DEPTH legal moves."""
    tfen = read_position(position, rules, side, files=files).tfen
    free = available_mb()
    if free is not None and hash_mb > free:
        raise click.ClickException(f"--hash {hash_mb}: only {free} MB of memory are available")
    stop = Stop()
    board = core.Board(tfen, rules)

    def count() -> int:
        if not divide or depth == 0:
            return board.perft(depth, not no_bulk, hash_mb, stop.flags)
        total = 0
        for move in board.legal_moves():
            text = core.move_text(move, board.side)
            board.push(move)
            nodes = board.perft(depth - 1, not no_bulk, hash_mb, stop.flags)
            board.pop()
            if nodes < 0:
                break
            say(f"{text}: {nodes}")
            total += nodes
        return total

    started = time.perf_counter()
    try:
        nodes = run(count, stop)
    except (MemoryError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    seconds = time.perf_counter() - started
    say(f"NPS: {int(nodes / max(seconds, 1e-9))}")
    say(f"Nodes searched: {nodes}")
