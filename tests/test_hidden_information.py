"""No seat is shown what it can't know: the checks of `hidden_information`, and that they find leaks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hidden_information import (
    Leak,
    Table,
    check_log,
    check_policy,
    check_redacted,
    check_twins,
    check_view,
    hidden_twins,
    player_move,
)
from thudstone.engine import games
from thudstone.engine.cards.player import CardPlayer
from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER, Game, Player

CARD_GAMES = [name for name in games.NAMES if name != "thud"]
TABLES = [
    (name, seats)
    for name in CARD_GAMES
    for low, high in [games.load(name)[0].seat_range]
    for seats in range(low, high + 1)
]


def player(name: str, kind: str, seed: int = 1) -> Player:
    made = games.load(name)[1]()
    made.set_option("Player", kind)
    made.set_option("Seed", seed)
    return made


def policy_of(name: str) -> Callable[[Any, Random], str]:
    made = games.load(name)[1]
    assert issubclass(made, CardPlayer)
    return made.policy().choose


def positions(name: str, seats: int, number: int, rng: Random) -> list[Table]:
    """Tables of random games, each with a seat to move."""
    found: list[Table] = []
    while len(found) < number:
        table = Table.of(games.load(name)[0], seats)
        table.play(rng, rng.randrange(10, 90))
        if table.world.turn >= 0:
            found.append(table)
    return found


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_views_agree_with_the_truth_token_by_token(name: str, seats: int) -> None:
    rng = Random(seats)
    for _ in range(3):
        table = Table.of(games.load(name)[0], seats)
        while table.world.turn != OVER:
            check_view(table)
            chance = table.world.turn == CHANCE
            token = event(table.world, rng) if chance else rng.choice(table.world.legal())
            check_redacted(table.world, token)
            table.apply(token)
        check_view(table)
        assert all(view.returns() == table.world.returns() for view in table.views)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_hidden_events_leave_what_a_seat_sees_as_it_was(name: str, seats: int) -> None:
    rng = Random(seats)
    differed = 0
    for seat in range(seats):
        for _ in range(3):
            one, two = hidden_twins(games.load(name)[0], seats, seat, rng, 60)
            check_log(one, two, seat)
            differed += one.world.text() != two.world.text()
            if one.world.turn == two.world.turn == seat:
                for kind in ("random", "greedy", "flat", "search"):
                    moves = [player_move(player(name, kind), table.views[seat]) for table in (one, two)]
                    assert moves[0] == moves[1], kind
    assert differed, "no two worlds differed"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_worlds_of_one_view_offer_the_same_moves(name: str, seats: int) -> None:
    rng = Random(seats)
    tables = positions(name, seats, 12, rng)
    players = [None if at % 6 else player(name, "search") for at in range(len(tables))]
    assert sum(check_twins(table, rng, each) for table, each in zip(tables, players, strict=True))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_rule_of_thumb_reads_only_what_its_seat_knows(name: str, seats: int) -> None:
    rng = Random(5)
    for table in positions(name, seats, 20, rng):
        check_policy(table, rng, policy_of(name))


@pytest.mark.parametrize("name", CARD_GAMES)
def test_planted_leaks_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load(name)[0]
    seats = game.seat_range[0]

    def run() -> None:
        for seed in range(4):
            rng, table = Random(seed), Table.of(game, seats)
            for _ in range(60):
                if table.world.turn == OVER:
                    break
                chance = table.world.turn == CHANCE
                token = event(table.world, rng) if chance else rng.choice(table.world.legal())
                check_redacted(table.world, token)
                table.apply(token)

    with monkeypatch.context() as patched:
        redact = game.redact
        patched.setattr(game, "redact", lambda self, token, seat: token if seat == 0 else redact(self, token, seat))
        with pytest.raises(Leak, match="seat 1 is shown @2="):
            run()
    with monkeypatch.context() as patched:
        legal = game.legal

        def peeking(self: Game) -> list[str]:
            return legal(self)[:: 1 if "?" in self.text() else -1]

        patched.setattr(game, "legal", peeking)
        with pytest.raises(Leak):
            for table in positions(name, seats, 12, Random(1)):
                check_view(table)
    run()


@pytest.mark.parametrize("name", CARD_GAMES)
def test_a_policy_that_peeks_is_found(name: str) -> None:
    rng = Random(3)

    def peeking(state: Game, rng: Random) -> str:
        moves = state.legal()
        return moves[sum(map(ord, state.text())) % len(moves)]

    with pytest.raises(Leak):
        for table in positions(name, games.load(name)[0].seat_range[1], 20, rng):
            check_policy(table, rng, peeking)
