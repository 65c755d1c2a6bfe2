"""How strong the players of card games are: shares of the win with seats rotated, in this process and its children.

    python bench/cards.py trol --seats 4 --players search greedy --nodes 200 --games 400

At each table one seat is the first player's and the others are the second's; in the next game the seat moves on by one.
After 52, 100, 200 and 400 games (or somewhat more, for whole rounds of the seats) it looks whether the first player's
share is clear of par, which is 1/n, and stops if so. The intervals are widened for these looks (Pocock), so that all
of a series together err in 5 % of cases. `--speed` measures playouts and random plies instead.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from collections.abc import Iterator
from random import Random

from thudstone.engine import games
from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER, Game, Limits, Player, Stop

LOOKS = (52, 100, 200, 400)
WIDTH = 2.361  # standard errors to each side; Pocock's constant for four looks at 5 %
Job = tuple[str, int, tuple[str, str], int, int]


def start(name: str, seats: int) -> Game:
    game = games.load(name)[0]
    return game.start(seats, {option.name: option.default for option in game.options})


def player(name: str, kind: str, seed: int) -> Player:
    made = games.load(name)[1]()
    made.set_option("Player", kind)
    made.set_option("Seed", seed)
    return made


def share(job: Job) -> float:
    """The first player's share of one game. Each seat's player is sent what it may see, and no more."""
    name, seats, kinds, nodes, number = job
    first = number % seats
    world = start(name, seats)
    views = [world.copy() for _ in range(seats)]
    players = [player(name, kinds[seat != first], number) for seat in range(seats)]
    rng = Random(number // seats)  # tables of one round have the same cards where the moves are the same
    while world.turn != OVER:
        if world.turn == CHANCE:
            token = event(world, rng)
        else:
            seat = world.turn
            choice = players[seat].search(views[seat], Limits(nodes=nodes), lambda info: None, Stop())
            assert choice.move is not None
            token = choice.move
        for seat, view in enumerate(views):
            view.apply(world.redact(token, seat))
        world.apply(token)
    return world.returns()[first]


def interval(shares: list[float]) -> tuple[float, float]:
    """Mean and half the width of its interval."""
    mean = sum(shares) / len(shares)
    variance = sum((each - mean) ** 2 for each in shares) / max(len(shares) - 1, 1)
    return mean, WIDTH * math.sqrt(variance / len(shares))


def measure(name: str, seats: int, kinds: tuple[str, str], nodes: int, most: int) -> None:
    begun = time.monotonic()
    par = 1 / seats
    jobs: Iterator[Job] = ((name, seats, kinds, nodes, number) for number in range(most))
    shares: list[float] = []
    looks = [look + -look % seats for look in LOOKS]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for each in pool.imap(share, jobs):
            shares.append(each)
            if len(shares) in looks:
                mean, error = interval(shares)
                if abs(mean - par) > error:
                    break
    mean, error = interval(shares)
    verdict = "above par" if mean - error > par else "below par" if mean + error < par else "open"
    print(
        f"| {name} | {seats} | {kinds[0]} | {kinds[1]} | {nodes} | {len(shares)} | {mean:.3f} +- {error:.3f} | "
        f"{par:.3f} | {verdict} | {time.monotonic() - begun:.0f} |",
        flush=True,
    )


def random_plies(name: str, seats: int, seconds: float = 1.0) -> float:
    """Random tokens, chance among them, played in a second of one process: the best of three."""
    best = 0.0
    for seed in range(3):
        rng, plies, begun = Random(seed), 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            state = start(name, seats)
            while state.turn != OVER:
                state.apply(event(state, rng) if state.turn == CHANCE else rng.choice(state.legal()))
                plies += 1
        best = max(best, plies / (time.perf_counter() - begun))
    return best


def speed(name: str, seats: int) -> None:
    *_, playouts, tokens = games.load(name)[1]().bench(Stop())
    print(f"{name}, {seats} seats: {random_plies(name, seats):,.0f} random plies/s; playouts {playouts}; {tokens}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the players of card games.")
    parser.add_argument("game", choices=[name for name in games.NAMES if name != "thud"])
    parser.add_argument("--seats", type=int, nargs="+", required=True)
    parser.add_argument("--players", nargs=2, default=("search", "greedy"), metavar=("FIRST", "SECOND"))
    parser.add_argument("--nodes", type=int, default=200, help="playouts a move (200)")
    parser.add_argument("--games", type=int, default=400, help="at most (400)")
    parser.add_argument("--speed", action="store_true", help="measure the speed instead")
    arguments = parser.parse_args()
    fewest, most = games.load(arguments.game)[0].seat_range
    for seats in arguments.seats:
        if not fewest <= seats <= most:
            parser.error(f"--seats {seats}: {arguments.game} has {fewest} to {most}")
    if not arguments.speed:
        print("| game | seats | first | second | playouts | games | share of first | par | | s |")
        print("|---|---|---|---|---|---|---|---|---|---|")
    for seats in arguments.seats:
        if arguments.speed:
            speed(arguments.game, seats)
        else:
            kinds = (arguments.players[0], arguments.players[1])
            measure(arguments.game, seats, kinds, arguments.nodes, arguments.games)


if __name__ == "__main__":
    main()
