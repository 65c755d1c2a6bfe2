"""`thudstone datagen`: self-play positions to fit the evaluation to."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import count

import click
from thudstone.engine import processors
from thudstone.protocol.cli_output import say
from thudstone.protocol.cluster import Cluster, ClusterError

Work = tuple[int, str, int]  # number of the battle, its seed, nodes a ply
Played = tuple[int, list[str]]


def _play(number: int, seed: str, nodes: int) -> Played:
    from thudstone.engine.thud.selfplay import battle

    return number, battle(seed, nodes)


def _play_one(work: Work) -> Played:
    return _play(*work)


def _ignore_interrupts() -> None:
    """Ctrl-C is the parent's: it ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _here(work: Iterator[Work], workers: int) -> Generator[Played, None, None]:
    """Battles played by processes of this machine. Of endless work only a little is asked for ahead."""
    with multiprocessing.get_context("spawn").Pool(workers, _ignore_interrupts) as pool:
        waiting = [pool.apply_async(_play_one, (item,)) for _, item in zip(range(2 * workers), work, strict=False)]
        while waiting:
            yield waiting.pop(0).get()
            if (item := next(work, None)) is not None:
                waiting.append(pool.apply_async(_play_one, (item,)))


def _there(work: Iterator[Work], address: str) -> Generator[Played, None, None]:
    """Battles played on a cluster, as they are finished."""
    with Cluster(address) as cluster:
        yield from cluster.each(_play, work)


def _in_order(played: Iterator[Played], first: int) -> Iterator[list[str]]:
    """The battles' lines by their numbers, from the first on: the file doesn't depend on who was faster."""
    early: dict[int, list[str]] = {}
    for number, lines in played:
        early[number] = lines
        while first in early:
            yield early.pop(first)
            first += 1


def _held(path: str) -> tuple[int, int]:
    """How many battles and positions a file of this format holds; what was cut in the middle of one is removed."""
    if not os.path.exists(path):
        return 0, 0
    with open(path, "r+b") as file:
        battles = positions = lines = end = at = 0
        for line in file:
            at += len(line)
            if line == b"\n":
                battles, positions, lines, end = battles + 1, positions + lines, 0, at
            else:
                lines += 1
        if at and not battles:
            raise click.ClickException(f"{path}: not a file of battles that an empty line ends; it is left as it is")
        file.truncate(end)
    return battles, positions


@click.command(
    epilog="\b\nExamples:\n  thudstone datagen data.txt --battles 2000 --nodes 1500\n"
    "  thudstone datagen data.txt --positions 1000000 --cluster tcp://10.0.0.1:8786"
)
@click.argument("out", type=click.Path(dir_okay=False))
@click.option("--battles", type=click.IntRange(1), help="How many OUT shall hold (1000).")
@click.option("--positions", type=click.IntRange(1), help="How many OUT shall hold at least.")
@click.option("--nodes", type=click.IntRange(1), default=1500, show_default=True, help="A ply, times a factor.")
@click.option("--seed", default=0, show_default=True, help="Of the battles; the same seed gives the same ones.")
@click.option("--concurrency", type=click.IntRange(1), help="Battles at once (all processors).")
@click.option("--cluster", metavar="ADDRESS", help="Play them on the workers of this Dask cluster.")
def datagen(
    out: str,
    battles: int | None,
    positions: int | None,
    nodes: int,
    seed: int,
    concurrency: int | None,
    cluster: str | None,
) -> None:
    """Write positions of self-play to OUT, one `TFEN;score;margin` a line, an empty line after each battle.

    A file that is there already is continued. With any number of processes or machines the same file comes out. The
    lines go to `thudstone tune`.
    """
    if cluster and concurrency:
        raise click.UsageError("--concurrency is of this machine; a cluster has as many workers as it has")
    if battles is None and positions is None:
        battles = 1000
    try:
        number, held = _held(out)
        ahead = count(number) if battles is None else range(number, battles)
        work = ((each, f"{seed}:{each}", nodes) for each in ahead)
        goal = f"{battles} battles" if positions is None else f"{positions} positions"

        def done() -> bool:
            return (battles is not None and number >= battles) or (positions is not None and held >= positions)

        with open(out, "a", encoding="ascii") as file:
            if done():
                say(f"{number} battles, {held} positions are there already")
                return
            played = _there(work, cluster) if cluster else _here(work, concurrency or processors.available())
            with closing(played):
                for lines in _in_order(played, number):
                    file.write("".join(f"{line}\n" for line in lines) + "\n")
                    file.flush()
                    number, held = number + 1, held + len(lines)
                    say(f"{number} battles, {held} positions of {goal}")
                    if done():
                        break
    except KeyboardInterrupt:
        raise click.ClickException(f"interrupted: the same command goes on with what {out} has") from None
    except ClusterError as error:
        raise click.ClickException(f"{error}: the same command goes on with what {out} has") from None
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror}") from None
