"""`thudstone solve`: how many positions of a suite the engine finds the best move of."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click
from thudstone.engine.game import Limits, Stop
from thudstone.protocol.cli_input import RULES
from thudstone.protocol.cli_output import say
from thudstone.protocol.cli_worker import run
from thudstone.suite import read


@click.command(epilog="\b\nExample:\n  thudstone solve examples/tactics.suite --movetime 1000")
@click.argument("suite", type=click.Path(exists=True, dir_okay=False))
@click.option("--movetime", type=click.IntRange(1), metavar="MS", help="For each position (1000).")
@click.option("--nodes", type=click.IntRange(1), help="For each position.")
@click.option("--depth", type=click.IntRange(1), help="For each position.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a position, and one for all.")
def solve(
    suite: str, movetime: int | None, nodes: int | None, depth: int | None, rules: str, as_json: bool
) -> int:
    """Let the engine choose a move in each position of SUITE, and count the best ones.

    A line of SUITE is `TFEN; bm MOVE [MOVE ...]`, with `; plies N; margin M` where they are known. Status 1 when some
    position is not solved.
    """
    from thudstone.engine.thud.player import ThudPlayer
    from thudstone.engine.thud.state import Thud

    try:
        problems = read(Path(suite).read_text(encoding="utf-8"), rules)
    except OSError as error:
        raise click.ClickException(f"{suite}: {error.strerror}") from None
    except ValueError as error:
        raise click.ClickException(f"{suite}: {error}") from None
    if movetime is None and nodes is None and depth is None:
        movetime = 1000
    player = ThudPlayer()
    stop = Stop()
    solved = 0

    def work() -> None:
        nonlocal solved
        for number, problem in enumerate(problems, 1):
            player.new_game()
            started = time.monotonic()
            limits = Limits(depth=depth, nodes=nodes, movetime=movetime)
            state = Thud.from_text(problem.tfen, {"TrollCapture": rules, "NoCaptureLimit": 200})
            move = player.search(state, limits, lambda info: None, stop).move
            if stop.is_set:
                return
            good = move in problem.best
            solved += good
            ms = round((time.monotonic() - started) * 1000)
            if as_json:
                row = {"number": number, "position": problem.tfen, "best": problem.best, "move": move}
                say(json.dumps({**row, "solved": good, "ms": ms}))
            else:
                best = "" if good else f", should be {' or '.join(problem.best)}"
                say(f"{number:3} {'solved' if good else 'FAILED'} {move}{best} ({ms} ms)  {problem.tfen}")

    run(work, stop)
    if as_json:
        say(json.dumps({"solved": solved, "of": len(problems)}))
    else:
        say(f"Solved: {solved} of {len(problems)} ({100 * solved / len(problems):.1f} %)")
    return 0 if solved == len(problems) else 1
