"""Trol as it is told at a terminal."""

from __future__ import annotations

from random import Random

import pytest
from thudstone.engine.game import OVER
from thudstone.protocol.table_trol import WORDS, TrolTold
from thudstone.protocol.told import LANGUAGES
from trol_games import choose, start, table, tokens


def test_the_table() -> None:
    board = TrolTold("en", 0).board(table("1TRK,2?~", "CHI,DOG / ?x2", phase="night"))
    assert board.splitlines()[:3] == [
        "Night; 21 cards in the prey deck",
        "1. 11-14 damage, food 6/4/2, skulls 3",
        "   1. Tracker (1), 2. face down (2)",
    ]
    assert "Tribe 1 (you): food 0, masks 0, skulls 0, hand 2, deck 13" in board and "in hand: Chief, Rock Dog" in board
    czech = TrolTold("cs", 1).board(table("1TRK,2COO~", "CHI", phase="day"))
    assert "Den; v balíčku" in czech and "Stopař (1), 2. Kuchař (2) (lícem dolů)" in czech


def test_a_hunt_is_told() -> None:
    told, game = TrolTold("en", 0), table("1TRK,2TRK,3TRA", "CHI")
    lines = []
    for token in "hunt1=CHI @=r0r2 @=r0r3 @=P04 @1=DOG".split():
        before = game.copy()
        tokens(game, token)
        lines += told.told(before, token, game)
    assert lines == [
        "Tribe 1 (you) begins the hunt at place 1 with Chief.",
        "Tribe 1 (you) rolls red 0, red 2 for Tracker: 2.",
        "That makes 2; wanted: 11 to 14.",
        "Tribe 2 rolls red 0, red 3 for Tracker: 3.",
        "Damage 5: the hunt fails.",
        "Tribe 1 (you) loses Chief, Tracker.",
        "Tribe 2 loses Tracker.",
        "Tribe 3: food +5, skulls +0.",
        "New prey at place 1: 5-8 damage, food 3/3/1, skulls 1.",
        "Tribe 1 (you) draws Rock Dog.",
    ]


def test_a_forecast_of_day_and_night() -> None:
    before = tokens(table("1COO", "CHI"), "hunt1=CHI")
    after = tokens(before.copy(), "@=flip")
    assert TrolTold("en", None).told(before, "@=flip", after) == [
        "The phase changes. It is night: cards are played face down."
    ]
    again = tokens(after.copy(), "@=flip")
    assert TrolTold("cs", None).told(after, "@=flip", again) == ["Karta změny denní doby jde stranou."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_token_of_whole_games_is_told(language: str, seats: int) -> None:
    """Also to a seat that sees `?` only; no text has a field left open."""
    rng = Random(seats)
    for _ in range(6):
        game = start(seats, CopycatMayDecline=True, FinalHunts="random")
        view = start(seats, CopycatMayDecline=True, FinalHunts="random")
        told = TrolTold(language, 0)
        while game.turn != OVER:
            token = choose(game, rng)
            shown = game.redact(token, 0)
            before = view.copy()
            assert len(told.choices(view)) == len(view.legal())
            game.apply(token)
            view.apply(shown)
            text = "\n".join([*told.told(before, shown, view), told.board(view)])
            assert "{" not in text and "}" not in text
            assert all(text.splitlines())
        assert told.told(before, shown, view)[-1] == WORDS["chief"][LANGUAGES.index(language)].format(view.winner + 1)


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match="de: one of en, cs"):
        TrolTold("de", 0)
