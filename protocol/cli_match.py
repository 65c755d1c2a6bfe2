"""`thudstone match`: which of two or more engines is stronger, and how sure that is."""

from __future__ import annotations

import os
from typing import Any

import click
from thudstone.engine.thud import core
from thudstone.protocol.cli_input import data_file, rule_pairs
from thudstone.protocol.match.opening import RANDOM_PLIES
from thudstone.protocol.match.plan import MOVETIME_MS, SPRT_PAIRS, Plan
from thudstone.protocol.match.pool import LocalPool, Pool
from thudstone.protocol.match.run import ERRORS, run

GRACE_MS = 500
PATIENCE_S = 60.0
MOST_PAIRS = 1_000_000

RULES = {"troll_capture": "TrollCapture", "no_capture_limit": "NoCaptureLimit"}
LIMITS = ("movetime", "nodes", "depth", "tc")


@click.command(
    epilog="""\b
Examples:
  thudstone match --engine cmd=thudstone --engine 'cmd="python3 examples/engine.py"' --pairs 5
  thudstone match --engine "cmd=thudstone name=full" --engine "cmd=thudstone name=half movetime=25" \\
      --pairs 20 --movetime 50 --out match.jsonl

docs/matches.md says more about everything."""
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="SPEC",
    help="Two or more: cmd=COMMAND name=NAME option.NAME=VALUE movetime=MS nodes=N depth=N tc=S+S protocol=uci|ugi, "
    "split as a shell would. An engine's own limits replace the match's.",
)
@click.option("--pairs", type=click.IntRange(1, MOST_PAIRS), help=f"Of each meeting; {SPRT_PAIRS} at most with --sprt.")
@click.option(
    "--schedule",
    type=click.Choice(["round-robin", "gauntlet"]),
    default="round-robin",
    show_default=True,
    help="Everybody meets everybody, or the first engine everybody else.",
)
@click.option("--movetime", metavar="MS", help=f"Milliseconds a ply; {MOVETIME_MS} without another limit.")
@click.option("--nodes", metavar="N", help="Moves made in a search.")
@click.option("--depth", metavar="N", help="Plies of depth.")
@click.option("--tc", metavar="S+S", help="A clock: seconds, and seconds gained by a move, as in 60+0.5.")
@click.option(
    "--grace",
    type=click.IntRange(0, 3_600_000),
    default=GRACE_MS,
    show_default=True,
    help="Milliseconds by which a limit of time may be overstepped.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 1e6),
    default=PATIENCE_S,
    show_default=True,
    help="Seconds for a ply without a limit of time; no handshake takes longer, nor longer than 10.",
)
@click.option("--openings", metavar="FILE", help="A TFEN or a list of moves on each line, used in turn.")
@click.option("--plies", type=click.IntRange(0, 100), help=f"Random plies to begin with; {RANDOM_PLIES}.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random plies, and of chance.")
@click.option("--sprt", nargs=4, type=float, metavar="ELO0 ELO1 ALPHA BETA", help="Stop once the test has decided.")
@click.option("--troll-capture", type=click.Choice(core.RULES), help="TrollCapture; any.")
@click.option("--no-capture-limit", type=click.IntRange(0, 9999), help="NoCaptureLimit; 200, and 0 for none.")
@click.option("--rule", "rules", multiple=True, metavar="NAME=VALUE", help="Another option of the game.")
@click.option("--offers", is_flag=True, help="Let the engines end battles by agreement (OfferEnd).")
@click.option("--max-plies", type=click.IntRange(0), default=0, help="End a battle after so many plies; never.")
@click.option(
    "--adjudicate",
    nargs=2,
    type=click.IntRange(1),
    metavar="MARGIN PLIES",
    help="End a battle once the scores of both engines show a lead of MARGIN points for PLIES plies; never.",
)
@click.option("--concurrency", type=click.IntRange(1), help="Battles at once; as many as there are cores.")
@click.option("--cluster", metavar="ADDRESS", help="Play on the workers of this Dask scheduler.")
@click.option("--out", metavar="FILE", help="Results: a JSON object a line, there after each battle.")
@click.option("--resume", is_flag=True, help="Play only the battles that --out does not hold yet.")
@click.option("--records", metavar="FILE", help="Records of all battles, with headers.")
@click.option("--game", default="thud", show_default=True, metavar="NAME|MODULE:CLASS", help="What is played.")
@click.option("--data", metavar="FILE", help="Figures that replace the card game's own, for referee and engines.")
@click.option("--seats", type=click.IntRange(2), help="Players at a table; the fewest that the game has.")
def match(
    out: str | None,
    resume: bool,
    records: str | None,
    cluster: str | None,
    game: str,
    rules: tuple[str, ...],
    data: str | None,
    **given: Any,
) -> int:
    """Match two or more engines.

    A pair is one opening played twice with sides swapped; the larger sum of its margins wins it. The last lines are the
    standings, with errors of 95 %. The status is 0 when the match is complete.
    """
    if os.name != "posix":
        raise click.ClickException("a match needs a POSIX system (Linux, macOS, WSL)")
    if resume and out is None:
        raise click.UsageError("--resume needs --out, the file to go on with.")
    if records is not None and game != "thud":
        raise click.UsageError("--records are of Thud; --out holds the moves of any game.")
    if cluster is not None and given["concurrency"] is not None:
        raise click.UsageError("--concurrency is of this machine; a cluster plays a battle on each of its threads.")
    limits = {name: given.pop(name) for name in LIMITS}
    chosen = [(name, str(value)) for key, name in RULES.items() if (value := given.pop(key)) is not None]
    chosen += [*rule_pairs(rules), *data_file(data)]
    try:
        plan = Plan.of(limits=limits, rules=chosen, game=game, **given)
        pool: Pool = LocalPool(plan.concurrency) if cluster is None else _cluster(cluster)
        return run(plan, pool, out=out, resume=resume, records=records)
    except ERRORS as error:
        raise click.ClickException(str(error)) from None


def _cluster(address: str) -> Pool:
    from thudstone.protocol.match.cluster import ClusterPool

    return ClusterPool(address)
