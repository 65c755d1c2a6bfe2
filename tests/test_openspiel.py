"""OpenSpiel as a second judge: its own simulation test of each card game."""

from __future__ import annotations

import pyspiel
import pytest
from thudstone import openspiel
from thudstone.engine import games


@pytest.mark.parametrize("name", [name for name in games.NAMES if name != "thud"])
def test_openspiel_random_simulation(name: str) -> None:
    for seats in games.load(name)[0].seat_range:
        game = pyspiel.load_game(openspiel.register(name, seats))
        pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
