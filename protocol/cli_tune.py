"""`thudstone tune`: fits the evaluation's network to self-play positions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
from thudstone.protocol.cli_outfile import OutFile
from thudstone.protocol.cli_output import say


def _lines(paths: tuple[str, ...]) -> Iterator[str]:
    for path in paths:
        with open(path, encoding="ascii", errors="replace") as file:
            yield from file
        yield ""


@click.command(epilog="\b\nExample:\n  thudstone tune data.txt --out network.json --header engine/thud/weights.h")
@click.argument("data", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--out", required=True, type=click.Path(dir_okay=False), help="The network, as JSON.")
@click.option("--header", type=click.Path(dir_okay=False), help="The same as the built-in weights' C source.")
@click.option("--share", type=click.FloatRange(0, 1), default=0.6, show_default=True,
              help="Of the battle's margin in the goal; the rest is the search's score.")  # fmt: skip
@click.option("--epochs", type=click.IntRange(1), default=30, show_default=True, help="Times through the data.")
@click.option("--seed", default=0, show_default=True)
def tune(data: tuple[str, ...], out: str, header: str | None, share: float, epochs: int, seed: int) -> None:
    """Fit the evaluation to the positions that `thudstone datagen` wrote to DATA."""
    try:
        from thudstone.engine.thud import training
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise click.ClickException("tune needs NumPy: pip install 'thudstone[tune]'") from None
    files = [OutFile("--out", out)]
    try:
        if header:
            files.append(OutFile("--header", header))
        positions = training.read(_lines(data))
        say(f"{len(positions.margins)} positions of {len(set(positions.battles.tolist()))} battles")
        network = training.train(
            positions, share, epochs, seed,
            lambda epoch, error, check: say(f"epoch {epoch}: error {error:.3f} points, on battles apart {check:.3f}"),
        )  # fmt: skip
        texts = [json.dumps(network) + "\n", training.header(network)]
        for file, text in zip(files, texts, strict=False):
            file.replace(text.encode("ascii"))
    except (ValueError, OSError) as error:
        raise click.ClickException(f"{', '.join(Path(path).name for path in data)}: {error}") from None
    finally:
        for file in files:
            file.discard()
