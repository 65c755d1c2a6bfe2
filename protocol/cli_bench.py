"""`thudstone bench`: a fixed search, whose node count identifies how the engine plays."""

from __future__ import annotations

import click
from thudstone.engine.game import Stop
from thudstone.protocol.cli_output import say
from thudstone.protocol.cli_worker import run


@click.command(epilog="\b\nExample:\n  thudstone bench")
def bench() -> None:
    """Search fixed positions to a fixed depth with one thread.

    The last line, the number of nodes, is the same on every machine; the one before it is the speed.
    """
    from thudstone.engine.thud.player import ThudPlayer

    stop = Stop()

    def lines() -> None:
        for line in ThudPlayer().bench(stop):
            say(line)

    run(lines, stop)
