"""What searches in the card games are made of: copies of a state, worlds that fit a view, random games. In the time of
this process alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from thudstone.engine import games
from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER, Game

Figure = Callable[[str, float, str, str], None]

SEATS = 3
PLIES_WANTED = {"dungeon": 300, "trol": 150, "whales": 300}  # thousands a second
VIEWS, GAMES = 12, 60
ROUNDS = 200  # of all views


def _start(name: str) -> Game:
    game = games.load(name)[0]
    return game.start(SEATS, {option.name: option.default for option in game.options})


def _next(world: Game, rng: Random) -> str:
    return event(world, rng) if world.turn == CHANCE else rng.choice(world.legal())


def views_of(name: str) -> list[Game]:
    """What the seat to move knows at some points of random games."""
    rng, found = Random(1), list[Game]()
    while len(found) < VIEWS:
        world = _start(name)
        views = [world.copy() for _ in range(SEATS)]
        left = 15 + 6 * len(found)
        while world.turn != OVER and (left > 0 or world.turn == CHANCE):
            token = _next(world, rng)
            for seat, view in enumerate(views):
                view.apply(world.redact(token, seat))
            world.apply(token)
            left -= 1
        if world.turn >= 0:
            found.append(views[world.turn])
    return found


@pytest.mark.parametrize("name", PLIES_WANTED)
def test_copies(name: str, benchmark: BenchmarkFixture, figure: Figure) -> None:
    views = views_of(name)

    def run() -> None:
        begun = time.process_time()
        for _ in range(ROUNDS):
            for view in views:
                view.copy()
        times.append((time.process_time() - begun) / (ROUNDS * len(views)))

    times: list[float] = []
    benchmark.pedantic(run, rounds=7)
    figure(f"{name}: a copy of a state, best of 7", min(times) * 1e6, "us", "< 3")


@pytest.mark.parametrize("name", PLIES_WANTED)
def test_worlds(name: str, benchmark: BenchmarkFixture, figure: Figure) -> None:
    views, rng = views_of(name), Random(1)

    def run() -> None:
        begun = time.process_time()
        for _ in range(ROUNDS):
            for view in views:
                view.fill(rng)
        times.append((time.process_time() - begun) / (ROUNDS * len(views)))

    times: list[float] = []
    benchmark.pedantic(run, rounds=7)
    figure(f"{name}: a world that fits a view, best of 7", min(times) * 1e6, "us", "< 15")


@pytest.mark.parametrize("name", PLIES_WANTED)
def test_random_games(name: str, benchmark: BenchmarkFixture, figure: Figure) -> None:
    start = _start(name)

    def run() -> None:
        rng, plies, begun = Random(1), 0, time.process_time()
        for _ in range(GAMES):
            world = start.copy()
            while world.turn != OVER:
                world.apply(_next(world, rng))
                plies += 1
        speeds.append(plies / (time.process_time() - begun))

    speeds: list[float] = []
    benchmark.pedantic(run, rounds=5)
    wanted = PLIES_WANTED[name]
    figure(f"{name}: random plies, best of 5", max(speeds) / 1e3, "k/s", f">= {wanted}")
