"""`thudstone check`: whether an engine keeps to the protocol."""

from __future__ import annotations

import json
import shlex
from contextlib import closing

import click
from thudstone.protocol.check import report
from thudstone.protocol.check.run import Check
from thudstone.protocol.check.step import Verdict
from thudstone.protocol.cli_output import say

_STYLES = {Verdict.PASSED: "green", Verdict.FAILED: "bold red", Verdict.NOT_OFFERED: "dim"}


@click.command(epilog='\b\nExamples:\n  thudstone check thudstone\n  thudstone check "./mine --fast" --json')
@click.argument("command", metavar="CMD")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with each exchange in full.")
def check(command: str, as_json: bool) -> int:
    """Check an engine against the protocol.

    CMD is its command, one argument that is split as a shell would. Each step passes, fails (then the end of the
    exchange is shown), or is not offered by the engine. The status is 1 where a step fails.
    """
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise click.ClickException(f"{command}: {str(error).lower()}") from None
    if not argv:
        raise click.UsageError("CMD is empty.")
    try:
        engine = Check(argv)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise click.ClickException(f"cannot start {command}: {reason}") from None
    outcomes = []
    with closing(engine.run()) as run:
        for outcome in run:
            outcomes.append(outcome)
            if not as_json:
                head, *exchange = report.lines(outcome)
                say(head, _STYLES[outcome.verdict])
                for line in exchange:
                    say(line)
    if as_json:
        say(json.dumps(report.as_json(command, engine.known.name, outcomes), indent=1))
    else:
        say(report.summary(engine.known.name, outcomes), "bold")
    return int(any(outcome.verdict is Verdict.FAILED for outcome in outcomes))
