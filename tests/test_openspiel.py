"""OpenSpiel as a second judge: its own simulation test of each card game, and equilibria of cut-down Dungeons."""

from __future__ import annotations

import json
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability
from thudstone import openspiel
from thudstone.engine import games
from thudstone.engine.cards.dungeon.book import DEFAULT

MOST_ITERATIONS = 60


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in games.NAMES if name != "thud"])
def test_openspiel_random_simulation(name: str) -> None:
    for seats in games.load(name)[0].seat_range:
        game = pyspiel.load_game(openspiel.register(name, seats))
        pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def cut_down(path: Path, monsters: dict[str, int], hp: int, tiles: str) -> str:
    """The figures of a Dungeon of few monsters, with one hero of few tiles, that the first expedition decides."""
    content = json.loads(DEFAULT.read_text(encoding="utf-8"))
    content["setup"]["specials_per_game"] = 0
    content["end"].update(successes_to_win=1, failures_to_be_out=1)
    for card in content["monsters"]["list"]:
        card["count"] = monsters.get(card["id"], 0)
    hero = content["heroes"]["list"][-1]
    hero.update(hp=hp, tiles=[tile for tile in hero["tiles"] if tile["code"] in tiles.split()])
    content["heroes"]["list"] = [hero]
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("monsters", "hp", "tiles", "states"),
    [
        ({"goblin": 1, "orc": 1, "golem": 1}, 3, "STO CAP", 118),
        ({"goblin": 2, "orc": 1, "golem": 1}, 4, "STO MIN", 553),
    ],
)
def test_an_equilibrium_is_found(
    monsters: dict[str, int], hp: int, tiles: str, states: int, tmp_path: Path
) -> None:
    """What CFR+ finds loses less than a hundredth of the win to the best answer: what a seat is shown, its moves, the
    chances and the shares of the win go together as in a game they must."""
    options = {"Data": cut_down(tmp_path / "small.json", monsters, hp, tiles), "FirstPlayer": "seat-1"}
    game = pyspiel.load_game(openspiel.register("dungeon", 2, options, suffix=f"_{states}"))
    assert exploitability.exploitability(game, policy.UniformRandomPolicy(game)) > 0.1
    solver = cfr.CFRPlusSolver(game)
    assert len(solver.average_policy().action_probability_array) == states
    for iteration in range(1, MOST_ITERATIONS + 1):
        solver.evaluate_and_update_policy()
        if iteration % 5 == 0 and exploitability.exploitability(game, solver.average_policy()) < 0.01:
            return
    raise AssertionError(f"{MOST_ITERATIONS} iterations weren't enough")
