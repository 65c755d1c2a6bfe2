"""`thudstone datagen`: self-play positions to fit the evaluation to."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.pool import Pool

import click
from thudstone.engine import processors
from thudstone.protocol.cli_output import say

Work = tuple[str, int]


def _play(work: Work) -> list[str]:
    from thudstone.engine.thud.selfplay import battle

    return battle(*work)


def _ignore_interrupts() -> None:
    """Ctrl-C is the parent's: it ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _pool(workers: int) -> Iterator[Pool]:
    with multiprocessing.get_context("spawn").Pool(workers, _ignore_interrupts) as pool:
        yield pool


def _whole_battles(path: str) -> int:
    """How many battles a file of this format holds; what was cut in the middle of one is removed."""
    if not os.path.exists(path):
        return 0
    with open(path, "r+b") as file:
        count = end = at = 0
        for line in file:
            at += len(line)
            if line == b"\n":
                count, end = count + 1, at
        if at and not count:
            raise click.ClickException(f"{path}: not a file of battles that an empty line ends; it is left as it is")
        file.truncate(end)
    return count


@click.command(epilog="\b\nExample:\n  thudstone datagen data.txt --battles 2000 --nodes 1500")
@click.argument("out", type=click.Path(dir_okay=False))
@click.option("--battles", type=click.IntRange(1), default=1000, show_default=True, help="How many OUT shall hold.")
@click.option("--nodes", type=click.IntRange(1), default=1500, show_default=True, help="A ply, times a factor.")
@click.option("--seed", default=0, show_default=True, help="Of the battles; the same seed gives the same ones.")
@click.option("--concurrency", type=click.IntRange(1), help="Battles at once (all processors).")
def datagen(out: str, battles: int, nodes: int, seed: int, concurrency: int | None) -> None:
    """Write positions of self-play to OUT, one `TFEN;score;margin` a line, an empty line after each battle.

    A file that is there already is continued. The lines go to `thudstone tune`.
    """
    positions = 0
    try:
        done = _whole_battles(out)
        work = [(f"{seed}:{number}", nodes) for number in range(done, battles)]
        workers = min(concurrency or processors.available(), max(len(work), 1))
        with open(out, "a", encoding="ascii") as file, _pool(workers) as pool:
            for number, lines in enumerate(pool.imap(_play, work), done + 1):
                file.write("".join(f"{line}\n" for line in lines) + "\n")
                file.flush()
                positions += len(lines)
                say(f"{number}/{battles} battles, {positions} new positions")
    except KeyboardInterrupt:
        raise click.ClickException(f"interrupted: the same command goes on with what {out} has") from None
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror}") from None
