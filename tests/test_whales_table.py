"""Whales as it is told at a terminal."""

from __future__ import annotations

from random import Random

import pytest
from thudstone.engine.cards.whales.policy import Policy
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.game import OVER
from thudstone.protocol.table_whales import WORDS, WhalesTold
from thudstone.protocol.told import LANGUAGES
from whales_games import EXPANSION, PLAIN, answering, at_random, chance


def test_the_table() -> None:
    state = answering({1: "r1,b3t,H", 2: "g10"}, "?", "?,whale,?", EXPANSION, claim="say:red+4/-hero+take~ahoj%20ty")
    assert WhalesTold("en", 1).board(state).splitlines() == [
        "67 cards in the deck",
        "Player 1: red 1, blue 3 (room for three); superheroes 1; strength 3",
        "Player 2 (you), whale: grey 10; superheroes 0; strength 10",
        "Player 3: no whales; superheroes 0; strength 0",
        'Player 1 offers Player 2 (you) a card and says: red and 4, or no superhero and take it "ahoj ty".',
    ]
    assert "Hráč 2 (ty), velryba: šedá 10; superhrdinové 0; síla 10" in WhalesTold("cs", 1).board(state)


def test_an_offer_is_told() -> None:
    told, lines = WhalesTold("en", 1), []
    state = answering({1: "b1", 2: "r1,r2", 3: "g1"}, "r3")
    for token in "keep !r3 steal3=g1 @2=? @2=H xH to1 say:~%07hm refuse".split():
        before = state.copy()
        state.apply(token)
        lines += told.told(before, token, state)
    assert lines == [
        "Player 2 (you) keeps it.",
        "It is turned up: red 3. It goes to player 2.",
        "That was one too many: a whole set is gone.",
        "Player 2 (you) steals from player 3: grey 1.",
        "Player 2 (you) draws: a card.",
        "Player 2 (you) draws: superhero.",
        "Player 2 (you) discards: superhero.",
        "Player 2 (you) offers a card to player 1.",
        'Player 2 (you) says: "?hm".',
        "Player 1 refuses it.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", range(3, 9))
def test_every_token_of_whole_games_is_told(language: str, seats: int) -> None:
    """Also to a seat that sees `?` only; no text has a field left open."""
    rng, words = Random(seats), set()
    for number in range(6):
        options = {**EXPANSION, "StealCompulsory": False} if number % 2 else PLAIN
        state, view = Whales.start(seats, options), Whales.start(seats, options)
        told = WhalesTold(language, 0)
        while state.turn != OVER:
            choose = Policy().choose if number % 3 else at_random
            token = choose(state, rng) if state.turn >= 0 else chance(state, rng)
            shown = state.redact(token, 0)
            before = view.copy()
            assert len(told.choices(view)) == len(view.legal())
            state.apply(token)
            view.apply(shown)
            lines = told.told(before, shown, view)
            words.update(lines)
            text = "\n".join([*lines, told.board(view)])
            assert "{" not in text and "}" not in text
            assert all(text.splitlines())
        winners = sum(share > 0 for share in view.returns())
        assert len(lines) == 1 + winners
    assert len(words) > 60


def test_help_and_another_language() -> None:
    for language in LANGUAGES:
        assert all(len(line) <= 110 for line in WhalesTold(language, None).help().splitlines())
    assert all(english and czech for english, czech in WORDS.values())
    with pytest.raises(ValueError, match="de: one of en, cs"):
        WhalesTold("de", 0)
