"""The test of the tests: leaks planted on purpose are found, wherever something of a game is shown to a seat."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any
from zlib import crc32

import pytest
from hidden_information import Leak, Table, check_log, hidden_twins, player_move
from test_hidden_information import CARD_GAMES, player
from thudstone.engine import games
from thudstone.engine.cards.player import CardPlayer
from thudstone.engine.game import Game
from thudstone.protocol import query
from thudstone.protocol.position import Position
from thudstone.protocol.session import Registry, Session

KINDS = ("random", "greedy", "flat", "search")
SEATS, LOOKS, TRIES = 4, 40, 400
QUERIES = ("fen", "legal", "turn", "score", "end", "chance")

Check = Callable[[Table, Table, int], None]


class Enough(Exception):
    """It was looked at often enough."""


def check_twins(name: str, check: Check) -> None:
    """Looks at pairs of games that a seat can't tell apart, wherever it is to move."""
    rng, game = Random(7), games.load(name)[0]
    looked = 0

    def look(one: Table, two: Table) -> None:
        nonlocal looked
        looked += 1
        check(one, two, seat)
        if looked == LOOKS:
            raise Enough

    for number in range(TRIES):
        seat = number % SEATS
        try:
            hidden_twins(game, SEATS, seat, rng, 80, look)
        except Enough:
            return
    raise AssertionError(f"{name}: {looked} looks")


def remember_the_truth(game: type[Game], patch: pytest.MonkeyPatch) -> None:
    """Every copy, and so every view, can reach the world that it was copied from: what a leak needs."""
    start = game.start

    def starting(cls: type[Game], seats: int, options: Any) -> Game:
        state = start(seats, options)
        state.__dict__["truth"] = state
        return state

    patch.setattr(game, "start", classmethod(starting))


def secret(state: Any, text: Callable[[Any], str]) -> int:
    return crc32(text(state.truth).encode())


def check_moves(one: Table, two: Table, seat: int, name: str, kind: str, nodes: int) -> None:
    moves = [player_move(player(name, kind), table.views[seat], nodes) for table in (one, two)]
    if moves[0] != moves[1]:
        raise Leak(f"seat {seat + 1}: {kind} plays {moves}")


def plant_text(game: type[Game], patch: pytest.MonkeyPatch) -> None:
    text = game.text
    patch.setattr(game, "text", lambda self: f"{text(self)}{'' if self is self.truth else secret(self, text)}")


def plant_draw(game: type[Game], patch: pytest.MonkeyPatch) -> None:
    draw, text = game.draw, game.text
    patch.setattr(game, "draw", lambda self: f"{draw(self)} {secret(self, text)}")


def plant_legal(game: type[Game], patch: pytest.MonkeyPatch) -> None:
    legal, text = game.legal, game.text
    patch.setattr(game, "legal", lambda self: legal(self)[:: 1 - 2 * (secret(self, text) % 2)])


@pytest.mark.parametrize("name", CARD_GAMES)
@pytest.mark.parametrize(
    ("plant", "what"), [(plant_text, "positions"), (plant_draw, "pictures"), (plant_legal, "lists of moves")]
)
def test_in_what_is_shown(
    name: str, plant: Callable[[type[Game], pytest.MonkeyPatch], None], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.load(name)[0]
    check_twins(name, check_log)
    remember_the_truth(game, monkeypatch)
    plant(game, monkeypatch)
    with pytest.raises(Leak, match=f"two {what} differ"):
        check_twins(name, check_log)


@pytest.mark.parametrize("name", CARD_GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_in_the_moves_of_players(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, player_class = games.load(name)
    assert issubclass(player_class, CardPlayer)
    policy = player_class.policy

    nodes = 6

    def check(one: Table, two: Table, seat: int) -> None:
        check_moves(one, two, seat, name, kind, nodes)

    check_twins(name, check)
    remember_the_truth(game, monkeypatch)
    if kind == "random":
        plant_text(game, monkeypatch)  # its seed
    elif kind == "greedy":
        text = game.text

        def peek(self: object, state: Any, rng: Random) -> str:
            moves: list[str] = state.legal()
            return moves[secret(state, text) % len(moves)]

        monkeypatch.setattr(policy, "choose", peek)
    else:
        # Its worlds are the truth; with so many that they settle something.
        nodes = 40
        monkeypatch.setattr(game, "fill", lambda self, rng: self.truth.copy())
    with pytest.raises(Leak, match=f"{kind} plays"):
        check_twins(name, check)


def shown(session: Session, table: Table, seat: int) -> list[str]:
    """What an engine that was sent a seat's log answers about it, right after it was a referee of the same game."""
    head = f"position startpos players {table.world.seats} seat"
    session.set_position(f"{head} * moves {' '.join(table.tokens)}".encode())
    session.set_position(f"{head} {seat + 1} moves {' '.join(table.logs[seat])}".encode())
    words = [[name.encode()] for name in QUERIES]
    answers = [query.answer(session, each) for each in [*words, [b"redact", str(seat + 1).encode()]]]
    return [*answers, session.position.state.draw()]


def check_engine(name: str) -> None:
    session = Session(Registry(games.NAMES, games.load), name)

    def check(one: Table, two: Table, seat: int) -> None:
        for first, second in zip(shown(session, one, seat), shown(session, two, seat), strict=True):
            if first != second:
                raise Leak(f"seat {seat + 1} is answered {first} or {second}")

    check_twins(name, check)


@pytest.mark.parametrize("name", CARD_GAMES)
def test_in_what_an_engine_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_engine(name)
    after = Position.after

    def careless(self: Position, line: bytes) -> Position | None:
        """Takes a seat's log for the full one that it was sent before."""
        same = b" seat *" not in line and len(line.split(b" moves ")[-1].split()) == len(self.log)
        return self if self.seat == "*" and same else after(self, line)

    monkeypatch.setattr(Position, "after", careless)
    with pytest.raises(Leak, match="is answered response"):
        check_engine(name)
