"""Any game through `thudstone.new`: its log, its views, its player."""

from __future__ import annotations

from random import Random

import pytest
import thudstone
from thudstone import CHANCE, OVER, Game, IllegalToken, Limit


def played(name: str, players: int | None = None, seed: int = 1) -> Game:
    """A game of random moves to its end."""
    rng = Random(seed)
    options = {"NoCaptureLimit": 10} if name == "thud" else None
    game = thudstone.new(name, players, options=options)
    while game.turn != OVER:
        if not list(game.deal(rng)):
            game.apply(rng.choice(game.legal()))
    return game


@pytest.mark.parametrize("name", thudstone.GAMES)
def test_a_game_to_its_end(name: str) -> None:
    game = played(name)
    assert game.legal() == [] and game.end() != "none" and sum(game.returns()) == pytest.approx(1)
    assert len(game.score()) == game.seats and game.turn == OVER
    replayed = thudstone.new(name, options={"NoCaptureLimit": 10} if name == "thud" else None)
    for token in game.log:
        replayed.apply(token)
    assert (replayed.text, replayed.returns()) == (game.text, game.returns())
    with pytest.raises(ValueError, match="the game is over"):
        game.think(Limit(nodes=1))


def test_the_example_of_the_issue() -> None:
    game = thudstone.new("dungeon", players=3)
    assert game.turn == CHANCE or game.turn in range(3)
    assert game.seats == 3
    rng = Random(2)
    list(game.deal(rng))
    assert game.legal() and all(game.is_legal(token) for token in game.legal())
    assert [game.redact(game.legal()[0], seat) for seat in range(3)]
    with pytest.raises(ValueError, match="over|end"):
        game.returns()


def test_views_hide_and_are_filled() -> None:
    rng = Random(4)
    game = thudstone.new("trol", 3)
    for _ in range(12):
        if not list(game.deal(rng)):
            game.apply(rng.choice(game.legal()))
    assert any("?" in token for token in game.log_of(0)) and not any("?" in token for token in game.log)
    view = game.view(0)
    assert view.log == game.log_of(0) == view.log_of(0) and view.turn == game.turn
    assert "?" not in view.fill(rng).text()
    twin = game.copy()
    list(twin.deal(rng)) or twin.apply(twin.legal()[0])
    assert len(twin.log) > len(game.log)
    with pytest.raises(ValueError, match="seat 3: there is 0 to 2"):
        game.view(3)


def test_bad_games_tokens_and_options() -> None:
    with pytest.raises(ValueError, match="no game is called 'chess': there is thud, dungeon, trol, whales"):
        thudstone.new("chess")
    with pytest.raises(ValueError, match="players|2"):
        thudstone.new("thud", 3)
    with pytest.raises(ValueError, match="thud has no option 'Colour'"):
        thudstone.new("thud", options={"Colour": 1})
    game = thudstone.new("thud", options={"TrollCapture": "one"})
    with pytest.raises(IllegalToken, match="dO8-O5: no dwarf on O8"):
        game.apply("dO8-O5")
    assert game.log == () and "To move: dwarfs" in str(game)
    assert thudstone.new("thud", 2, text=thudstone.START).text == game.text
    assert game.think(Limit(nodes=50)) in game.legal()
