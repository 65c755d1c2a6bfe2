"""Fits the evaluation's network (network.pxi) to positions of self-play. Needs NumPy (the extra `tune`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from thudstone.engine.thud import core

UNITS = 32
FEATURES = len(core.FEATURE_NAMES)
LAYER_SCALE = 4096  # a unit's 1.0
SCORE_SCALE = 1600  # a point, in sixteenths of a hundredth
BATCH = 8192
FIRST_RATE = 3e-3  # Adam's step, going down to nothing
HOPELESS = 40.0  # points: scores beyond are those of battles that are as good as over

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Data:
    """`features` (n, FEATURES), `sides` (n,), `scores` and `margins` (n,) in points, and the battle of each (n,)."""

    features: NDArray[np.int16]
    sides: NDArray[np.int64]
    scores: Floats
    margins: Floats
    battles: NDArray[np.int64]


def read(lines: Iterable[str]) -> Data:
    """From the lines of `selfplay.battle`; an empty line stands between battles. ValueError names the line."""
    features, sides, scores, margins, battles = [], [], [], [], []
    battle = 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            battle += 1
            continue
        parts = text.split(";")
        try:
            tfen, score, margin = parts
            board = core.Board(tfen)
            scores.append(int(score) / 100)
            margins.append(int(margin))
        except ValueError as error:
            why = str(error) if len(parts) == 3 else "should be TFEN;score;margin"
            raise ValueError(f"line {number}: {why}") from None
        features.append(board.features())
        sides.append(board.side)
        battles.append(battle)
    if not features:
        raise ValueError("no positions")
    return Data(
        np.array(features, np.int16),
        np.array(sides, np.int64),
        np.array(scores, np.float32),
        np.array(margins, np.float32),
        np.array(battles, np.int64),
    )


class Network:
    """The float form of network.pxi, trained by Adam on the mean squared error in points."""

    def __init__(self, data: Data, rng: np.random.Generator) -> None:
        x = data.features.astype(np.float32)
        self.mean = x.mean(0)
        self.scale = x.std(0) + 1e-3
        self.mean[0], self.scale[0] = 0, 1  # the constant stays one
        bound = 1 / np.sqrt(FEATURES)
        self.values: dict[str, Floats] = {
            "layer": rng.uniform(-bound, bound, (FEATURES, UNITS)).astype(np.float32),
            "bias": np.zeros((2, UNITS), np.float32),
            "output": rng.normal(0, 0.1, (2, UNITS)).astype(np.float32),
            "plain": np.zeros((2, FEATURES), np.float32),
        }
        self._moments = {name: (np.zeros_like(v), np.zeros_like(v)) for name, v in self.values.items()}
        self._steps = 0

    def inputs(self, data: Data) -> Floats:
        """Normalised features, (n, FEATURES)."""
        normalised: Floats = (data.features.astype(np.float32) - self.mean) / self.scale
        return normalised

    def fit_plain(self, z: Floats, sides: NDArray[np.int64], goal: Floats) -> None:
        """The best weights without the layer: where the training begins."""
        for side in (0, 1):
            rows = z[sides == side].astype(np.float64)
            if len(rows):
                square = rows.T @ rows / len(rows) + 1e-3 * np.eye(FEATURES)
                self.values["plain"][side] = np.linalg.solve(square, rows.T @ goal[sides == side] / len(rows))

    def predict(self, z: Floats, sides: NDArray[np.int64]) -> Floats:
        """Points for the dwarfs, (n,)."""
        v = self.values
        units = np.clip(z @ v["layer"] + v["bias"][sides], 0, 1)
        score: Floats = (units * v["output"][sides]).sum(1) + (z * v["plain"][sides]).sum(1)
        return score

    def step(self, z: Floats, sides: NDArray[np.int64], goal: Floats, rate: float) -> float:
        """One step on a batch; returns its mean squared error before it."""
        v = self.values
        raw = z @ v["layer"] + v["bias"][sides]
        units = np.clip(raw, 0, 1)
        error = (units * v["output"][sides]).sum(1) + (z * v["plain"][sides]).sum(1) - goal
        down = (2 / len(goal)) * error
        to_units = down[:, None] * v["output"][sides] * ((raw > 0) & (raw < 1))
        picks = [sides == side for side in (0, 1)]
        self._adam("layer", z.T @ to_units, rate)
        self._adam("bias", np.stack([to_units[pick].sum(0) for pick in picks]), rate)
        self._adam("output", np.stack([down[pick] @ units[pick] for pick in picks]), rate)
        self._adam("plain", np.stack([down[pick] @ z[pick] for pick in picks]), rate)
        return float((error * error).mean())

    def _adam(self, name: str, gradient: Floats, rate: float) -> None:
        """Kingma, Ba 2015."""
        if name == "layer":
            self._steps += 1
        first, second = self._moments[name]
        first += 0.1 * (gradient - first)
        second += 0.001 * (gradient * gradient - second)
        unbiased = first / (1 - 0.9**self._steps)
        self.values[name] -= rate * unbiased / (np.sqrt(second / (1 - 0.999**self._steps)) + 1e-8)

    def integers(self) -> dict[str, list[list[int]]]:
        """As `core.set_network` takes them, with the normalisation folded in."""
        v = self.values
        layer = v["layer"] / self.scale[:, None]
        bias = v["bias"] - self.mean @ layer
        plain = v["plain"] / self.scale
        plain[:, 0] -= (plain * self.mean).sum(1)

        def rounded(table: Floats, scale: int, bound: int) -> list[list[int]]:
            whole: list[list[int]] = np.clip(np.rint(table * scale), -bound, bound).astype(int).tolist()
            return whole

        return {
            "layer": rounded(layer, LAYER_SCALE, 32767),
            "bias": rounded(bias, LAYER_SCALE, 1 << 30),
            "output": rounded(v["output"], SCORE_SCALE, 1 << 18),
            "plain": rounded(plain, SCORE_SCALE, 16000),
        }


def train(
    data: Data, share: float, epochs: int, seed: int, report: Callable[[int, float, float], None]
) -> dict[str, list[list[int]]]:
    """The network fitted to `share` x final margin + (1 - share) x the search's score.

    Every twentieth battle is kept for validation. `report(epoch, training error, validation error)` gets root mean
    squares in points. Returns the integers of `Network.integers`.
    """
    rng = np.random.default_rng(seed)
    goal = (share * data.margins + (1 - share) * data.scores).astype(np.float32)
    usable = np.abs(data.scores) < HOPELESS
    apart = data.battles % 20 == 19
    train_rows = np.flatnonzero(usable & ~apart)
    check_rows = np.flatnonzero(usable & apart)
    if not len(train_rows) or not len(check_rows):
        raise ValueError("too few battles: every twentieth is kept for validation")
    network = Network(data, rng)
    z = network.inputs(data)
    network.fit_plain(z[train_rows], data.sides[train_rows], goal[train_rows])
    for epoch in range(1, epochs + 1):
        rate = FIRST_RATE * (1 - (epoch - 1) / epochs)
        order = rng.permutation(train_rows)
        total = 0.0
        for first in range(0, len(order), BATCH):
            rows = order[first : first + BATCH]
            total += network.step(z[rows], data.sides[rows], goal[rows], rate) * len(rows)
        missed = network.predict(z[check_rows], data.sides[check_rows]) - goal[check_rows]
        report(epoch, (total / len(order)) ** 0.5, float((missed * missed).mean()) ** 0.5)
    return network.integers()


def header(network: dict[str, list[list[int]]]) -> str:
    """The text of weights.h."""
    lines = [
        "/* The evaluation's built-in weights, made by `thudstone tune`; network.pxi says what they mean. */",
        "#ifndef THUD_WEIGHTS_H",
        "#define THUD_WEIGHTS_H",
        "#include <stdint.h>",
    ]
    for name, kind in (("layer", "int16_t"), ("bias", "int32_t"), ("output", "int32_t"), ("plain", "int32_t")):
        lines.append(f"static const {kind} WEIGHTS_{name.upper()}[] = {{")
        for row in network[name]:
            line = "   "
            for value in row:
                if len(line) + len(f" {value},") > 119:
                    lines.append(line)
                    line = "   "
                line += f" {value},"
            lines.append(line)
        lines.append("};")
    return "\n".join([*lines, "#endif", ""])
