"""Self-play data and the fit of the evaluation to them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from thudstone.engine.thud import core, selfplay, training


@pytest.fixture(scope="module")
def lines() -> list[str]:
    found = []
    for number in range(24):
        found += [*selfplay.battle(f"test:{number}", 20), ""]
    return found


@pytest.fixture
def builtin() -> Iterator[None]:
    yield
    core.set_network(core.builtin_network())


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "thudstone", *arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_battle_is_the_same_each_time_and_its_margin_is_the_last_positions() -> None:
    first = selfplay.battle("a", 30)
    assert first == selfplay.battle("a", 30) != selfplay.battle("b", 30)
    margins = set()
    for line in first:
        tfen, score, margin = line.split(";")
        board = core.Board(tfen)
        assert abs(int(score)) <= 100_000
        margins.add(int(margin))
        assert -4 * board.trolls <= int(margin) <= board.dwarfs
    assert len(margins) == 1


def test_training_lowers_the_error_and_the_integers_say_what_the_floats_say(lines: list[str], builtin: None) -> None:
    data = training.read(lines)
    assert len(data.margins) == sum(1 for line in lines if line)
    errors: list[float] = []
    network = training.train(data, 1.0, 40, 1, lambda epoch, error, check: errors.append(error))
    spread = float(np.std(data.margins))
    assert errors[-1] < errors[0] and errors[-1] < 0.8 * spread
    core.set_network(network)
    missed = []
    for line in lines[:: max(1, len(lines) // 200)]:
        if line:
            tfen, _, margin = line.split(";")
            board = core.Board(tfen)
            missed.append(board.evaluate() * (1 if board.side == core.DWARFS else -1) / 100 - int(margin))
    assert float(np.sqrt(np.mean(np.square(missed)))) < spread


def test_the_float_network_and_its_integers_agree(lines: list[str], builtin: None) -> None:
    data = training.read(lines)
    rng = np.random.default_rng(3)
    network = training.Network(data, rng)
    network.values["plain"] = rng.normal(0, 0.5, (2, training.FEATURES)).astype(np.float32)
    rare = network.scale < 0.1  # their weights would be beyond the bounds
    network.values["plain"][:, rare] = 0
    network.values["layer"][rare] = 0
    network.values["output"] = rng.normal(0, 2, (2, training.UNITS)).astype(np.float32)
    wanted = network.predict(network.inputs(data), data.sides)
    core.set_network(network.integers())
    for line, points in zip([line for line in lines if line], wanted, strict=True):
        board = core.Board(line.split(";")[0])
        score = board.evaluate() * (1 if board.side == core.DWARFS else -1)
        assert score == pytest.approx(100 * float(points), abs=60)


def test_bad_networks_are_refused_and_change_nothing() -> None:
    before = core.Board().evaluate()
    good = core.builtin_network()
    wrong: list[tuple[str, Any]] = [("layer", []), ("bias", [[0] * 32]), ("plain", [[0.5] * training.FEATURES] * 2)]
    for name, value in wrong:
        with pytest.raises(ValueError, match=name):
            core.set_network({**good, name: value})
    with pytest.raises(ValueError, match="is no integer up to 32767"):
        core.set_network({**good, "layer": [[40000] * 32] * training.FEATURES})
    assert core.Board().evaluate() == before


def test_the_header_holds_the_builtin_weights() -> None:
    path = Path(__file__).parent.parent / "engine" / "thud" / "weights.h"
    numbers = [int(n) for n in re.findall(r"-?\d+(?=,)", path.read_text())]
    network = core.builtin_network()
    assert numbers == [n for name in ("layer", "bias", "output", "plain") for row in network[name] for n in row]
    made = training.header(network)
    assert [int(n) for n in re.findall(r"-?\d+(?=,)", made)] == numbers


def test_the_commands_go_on_where_they_stopped_and_write_a_network(tmp_path: Path, builtin: None) -> None:
    data, out = tmp_path / "data.txt", tmp_path / "network.json"
    whole = run("datagen", str(data), "--battles", "21", "--nodes", "10", "--concurrency", "2")
    assert (whole.returncode, whole.stderr) == (0, "")
    text = data.read_text()
    cut = text.index("\n\n", len(text) // 2) + 40
    data.write_text(text[:cut])
    again = run("datagen", str(data), "--battles", "21", "--nodes", "10", "--concurrency", "1")
    assert (again.returncode, data.read_text()) == (0, text)
    positions = sum(line != "" for line in text.splitlines())
    there = run("datagen", str(data), "--positions", str(positions), "--nodes", "10")
    assert there.stdout == f"21 battles, {positions} positions are there already\n"
    more = run("datagen", str(data), "--positions", str(positions + 1), "--nodes", "10")
    assert more.returncode == 0 and data.read_text().startswith(text) and data.read_text().count("\n\n") == 22
    fitted = run("tune", str(data), "--out", str(out), "--epochs", "2")
    assert (fitted.returncode, fitted.stderr) == (0, ""), fitted.stderr
    core.set_network(json.loads(out.read_text()))


def test_bad_data_get_one_line(tmp_path: Path) -> None:
    data = tmp_path / "data.txt"
    data.write_text("nonsense\n")
    done = run("tune", str(data), "--out", str(tmp_path / "n.json"))
    assert done.returncode == 2
    assert done.stderr == "thudstone: error: data.txt: line 1: should be TFEN;score;margin\n"
    assert list(tmp_path.iterdir()) == [data]
    done = run("datagen", str(data))
    assert (done.returncode, data.read_text()) == (2, "nonsense\n")
    assert "not a file of battles" in done.stderr
    done = run("datagen", str(tmp_path / "d.txt"), "--cluster", "nowhere")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "no cluster at nowhere: " in done.stderr
