"""Dungeon as it is told at a terminal."""

from __future__ import annotations

from random import Random

import pytest
from dungeon_games import HIDDEN, OTHERS, PLAIN, after, bidding, entering
from thudstone.engine.cards.dungeon.policy import Policy
from thudstone.engine.cards.dungeon.state import Dungeon
from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER
from thudstone.protocol.table_dungeon import WORDS, DungeonTold
from thudstone.protocol.told import LANGUAGES


def tell(state: Dungeon, tokens: str, told: DungeonTold) -> list[str]:
    lines: list[str] = []
    for token in tokens.split():
        before = state.copy()
        state.apply(token)
        lines += told.told(before, token, state)
    return lines


def test_the_table() -> None:
    view = after(bidding(2, "NIN"), *"draw @1=GOB add draw @2=? xSHU draw @1=DRA xHER".split())
    assert DungeonTold("en", 0).board(view).splitlines() == [
        "Round 1; special monsters: Fairy, Ally",
        "Ninja: 8 HP",
        "  HER  Healing Herbs          (gone)",
        "  TIN  Mysterious Tincture    HP +5",
        "  SHU  Wooden Shuriken        (gone)",
        "  NTO  Ninjato                defeats strength 7 and more",
        "  GEA  Shinobi Gear           defeats Goblin, Orc, Golem",
        "  BOM  Smoke Bomb             defeats anything, costs another tile, can't be given up, once",
        "Deck: 12 cards",
        "Dungeon: 1 cards, from the top: Goblin of Player 1 (you)",
        "Laid aside: a card of Player 2 with Wooden Shuriken; Dragon of Player 1 (you) with Healing Herbs",
        "Player 1 (you): 0 of 2 successes, 0 of 2 failures",
        "Player 2: 0 of 2 successes, 0 of 2 failures",
    ]
    czech = DungeonTold("cs", 1).board(view)
    assert "Nindža: životy 8" in czech and "Podzemí: 1 karet, odshora: Goblin (Hráč 1)" in czech


def test_bidding_is_told() -> None:
    told = DungeonTold("en", 1)
    assert tell(bidding(), "draw @1=? xSWO draw @2=ORC add pass !ORC !GOB", told) == [
        "Player 1 draws a card.",
        "Player 1 lays the card aside with Two-Handed Sword.",
        "Player 2 (you) draws a card.",
        "It is Orc.",
        "Player 2 (you) adds the card to the dungeon: 1 now.",
        "Player 1 passes.",
        "Player 2 (you) must enter the dungeon with 10 HP; cards in there: 1.",
        "Card 1: Orc, strength 3.",
        "The hero loses 1 HP and has 9.",
        "Player 2 (you) comes out alive: a success.",
        "The card that Player 1 laid aside with Two-Handed Sword: Goblin.",
        "Round 2 begins.",
    ]


@pytest.mark.parametrize(
    ("hero", "tiles", "cards", "tokens", "lines"),
    [
        ("PRI", "CHA SWO", "GOL", "at2 n5 !GOL", ["names strength 5.", "strength 5.", "Two-Handed Sword defeats it."]),
        ("PRI", "CRO", "GOB VAM", "!GOB !VAM", ["It does no harm.", "Vampire, strength 4.", "loses 2 HP and has 0."]),
        ("BAR", "COI RAP", "LIC ALL DRA", "!LIC useCOI !ALL", ["uses Lucky", "The next card", "Coin is gone"]),
        ("NEC", "ZOM BON", "DRA", "!DRA", ["Card 1: Dragon, strength 9.", "stands up again with 1 HP."]),
        ("NEC", "WAN", "VAM", "!VAM", ["Blood Wand defeats it.", "The hero gains 4 HP and has 6."]),
        ("NIN", "HER BOM", "DRA", "!DRA useBOM xHER", ["uses Smoke Bomb.", "Bomb is gone", "gives up Healing"]),
        ("NIN", "HER", "CUB", "!CUB xHER", ["Gelatinous Cube.", "gives up Healing", "loses 3 HP and has 3."]),
        ("PRI", "COL", "DRA SKE", "!DRA !SKE", ["Dragon Collar defeats it.", "It is defeated at once"]),
        ("NEC", "MIN", "ORC", "!ORC noMIN", ["doesn't use Mind Control.", "loses 2 HP and has 0.", "has failed"]),
    ],
)
def test_an_expedition_is_told(hero: str, tiles: str, cards: str, tokens: str, lines: list[str]) -> None:
    """Each line is to be found after the one before it."""
    said = tell(entering(hero, tiles, cards), tokens, DungeonTold("en", 0))
    for line in lines:
        at = next((at for at, found in enumerate(said) if line in found), None)
        assert at is not None, (line, said)
        del said[:at]


def test_questions() -> None:
    told = DungeonTold("en", 0)
    state = after(bidding(2, "NIN"), "draw", "@1=GOB")
    assert told.question(state).startswith("You drew: Goblin.")
    assert told.choices(state)[:2] == [("add", "add it to the dungeon"), ("xHER", "lay it aside with Healing Herbs")]
    state = after(entering("BAR", "COI", "LIC"), "!LIC")
    assert told.question(state) == "Lich, strength 6, and 3 HP. Use Lucky Coin?"
    assert told.choices(state) == [("useCOI", "use Lucky Coin"), ("noCOI", "don't use Lucky Coin")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [PLAIN, HIDDEN, OTHERS])
def test_every_token_of_whole_games_is_told(language: str, options: dict[str, int | bool | str]) -> None:
    """Also to a seat that sees `?` only; no text has a field left open."""
    rng, words = Random(3), set()
    for seats in (2, 3, 4):
        state, view = Dungeon.start(seats, options), Dungeon.start(seats, options)
        told = DungeonTold(language, 0)
        while state.turn != OVER:
            token = event(state, rng) if state.turn == CHANCE else Policy().choose(state, rng)
            shown = state.redact(token, 0)
            before = view.copy()
            asked = told.question(view) if view.turn == 0 else ""
            assert len(told.choices(view)) == len(view.legal())
            state.apply(token)
            view.apply(shown)
            lines = told.told(before, shown, view)
            words.update(lines)
            text = "\n".join([*lines, asked, told.board(view)])
            assert "{" not in text and "}" not in text
            assert all(lines)
    assert len(words) > 40


def test_all_texts_are_in_both_languages() -> None:
    assert all(english and czech for english, czech in WORDS.values())
    for language in LANGUAGES:
        for text in (DungeonTold(language, None).help(), DungeonTold(language, None).rules()):
            assert all(len(line) <= 110 for line in text.splitlines())
