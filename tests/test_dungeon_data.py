"""The data file of Dungeon: what it says, and what is said of a wrong one."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from dungeon_games import bidding, play
from thudstone.engine.cards.dungeon.book import DEFAULT, load
from thudstone.engine.cards.dungeon.state import Dungeon

OURS = json.loads(DEFAULT.read_text(encoding="utf-8"))


def written(tmp_path: Path, change: Callable[[Any], object]) -> str:
    data = copy.deepcopy(OURS)
    change(data)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def put(*path: str | int, value: object = None, drop: bool = False) -> Callable[[Any], object]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        if drop:
            del data[path[-1]]
        else:
            data[path[-1]] = value

    return change


PRINCESS = ("heroes", "list", 0)
CROWN = (*PRINCESS, "tiles", 4)
SWORD = (*PRINCESS, "tiles", 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("game", "id", value="trol"), "game.id: one of dungeon expected, not 'trol'"),
        (put("game", drop=True), "the file: 'game' is missing"),
        (put("monsters", "mark", value="guess"), "monsters.mark: one of rulebook, sourced, assumed expected"),
        (put("monsters", "source", drop=True), "monsters.source: a text expected"),
        (put("monsters", "except", "count", "mark", value=""), "monsters.except.count.mark: one of rulebook"),
        (put("setup", value={"specials_per_game": 2}), "setup.specials_per_game: nothing says where this comes from"),
        (put("setup", "specials_per_game", value=7), "setup.specials_per_game: a whole number from 0 to 6 expected"),
        (put("specials", "list", 0, "count", value=2), "specials.list[0].count: a whole number from 0 to 1"),
        (put("monsters", "list", 0, "strength", value=True), "monsters.list[0].strength: a whole number"),
        (put("monsters", "list", 0, "strength", value="1"), "monsters.list[0].strength: a whole number"),
        (put("monsters", "list", 0, "strength", value=0), "monsters.list[0].strength: a whole number from 1 to 99"),
        (put("monsters", "list", 1, "id", value="goblin"), "monsters.list[1].id: goblin stands there twice"),
        (put("monsters", "list", 1, "id", value="bear"), "monsters.list[1].id: one of goblin, skeleton"),
        (put("monsters", "list", 1, drop=True), "monsters.list: a list of 8 to 8 entries expected"),
        (put("monsters", "list", value={}), "monsters.list: a list of 8 to 8 entries expected"),
        (put("monsters", "list", 0, "colour", value="red"), "monsters.list[0]: 'colour' is no field here"),
        (put("monsters", "list", 0, "name_cs", value=""), "monsters.list[0].name_cs: a text of one line expected"),
        (put("monsters", "list", 0, "name_cs", value="a\nb"), "monsters.list[0].name_cs: a text of one line expected"),
        (put("heroes", "list", value=[]), "heroes.list: a list of 1 to 9 entries expected"),
        (put(*PRINCESS, "hp", value=0), "heroes.list[0].hp: a whole number from 1 to 99 expected"),
        (put(*PRINCESS, "code", value="Pri"), "heroes.list[0].code: 2 to 4 capital letters expected, not 'Pri'"),
        (put(*PRINCESS, "code", value="NIN"), "heroes.list: two heroes have the same code"),
        (put(*CROWN, "code", value="SWO"), "heroes.list[0].tiles: two tiles have the code SWO"),
        (put(*CROWN, "effect", "damage_les", value=2), "heroes.list[0].tiles[4].effect: 'damage_les' is no field here"),
        (put(*CROWN, "effect", value=[]), "heroes.list[0].tiles[4].effect: an object expected"),
        (put(*CROWN, "discards", value="no"), "heroes.list[0].tiles[4].discards: true or false expected, not 'no'"),
        (put(*SWORD, "effect", "defeats_named_strength", value=[5, 5]), "a strength stands there twice"),
        (put(*CROWN, "effect", "defeats_named_strength", value=[5]), "heroes.list[0].tiles: at most one tile"),
        (put(*CROWN, "effect", "defeats_strength", value=[9, 5]), "defeats_strength: the weakest, then the strongest"),
        (put(*CROWN, "effect", "with_hp_below", value=5), "heroes.list[0].tiles[4].effect: 'odd_damage' is missing"),
        (put(*CROWN, "effect", "defeats_identity", value=["elf"]), "defeats_identity[0]: one of goblin"),
        (put("end", "successes_to_win", value=0), "end.successes_to_win: a whole number from 1 to 9 expected, not '0'"),
        (put("extra", value=1), "the file: 'extra' is no field here"),
    ],
)
def test_wrong_files(tmp_path: Path, change: Callable[[Any], object], message: str) -> None:
    """One line that names the file, the place and the reason."""
    path = written(tmp_path, change)
    with pytest.raises(ValueError) as raised:
        Dungeon.start(2, {"Data": path})
    text = str(raised.value)
    assert text.startswith(f"{path}: ") and message in text and "\n" not in text


def test_files_that_are_none(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    contents = {b"{": "not JSON", b"\xff\xfe": "not JSON", b"[" * 100_000: "not JSON", b"[]": "an object"}
    for content, reason in contents.items():
        bad.write_bytes(content)
        with pytest.raises(ValueError, match=reason) as raised:
            load(str(bad))
        assert str(bad) in str(raised.value) and "\n" not in str(raised.value)
    with pytest.raises(ValueError, match=r"none\.json: No such file"):
        load(str(tmp_path / "none.json"))
    with pytest.raises(ValueError, match="Is a directory"):
        load(str(tmp_path))


def test_too_few_cards(tmp_path: Path) -> None:
    def no_specials(data: Any) -> None:
        for card in data["specials"]["list"][1:]:
            card["count"] = 0

    with pytest.raises(ValueError, match=r"setup\.specials_per_game: there are only 1 special monsters"):
        load(written(tmp_path, no_specials))

    def no_monsters(data: Any) -> None:
        for card in data["monsters"]["list"]:
            card["count"] = 0

    with pytest.raises(ValueError, match=r"monsters\.list: there are no monsters"):
        load(written(tmp_path, no_monsters))


def test_figures_of_another_file_are_used(tmp_path: Path) -> None:
    def smaller(data: Any) -> None:
        """Two kinds of monsters, one hero with two tiles, no special monsters."""
        for card in data["monsters"]["list"]:
            card["count"] = 2 * (card["id"] in ("goblin", "lich"))
        data["setup"]["specials_per_game"] = 0
        data["heroes"]["list"] = data["heroes"]["list"][:1]
        data["heroes"]["list"][0]["tiles"] = data["heroes"]["list"][0]["tiles"][:2]
        data["heroes"]["list"][0]["hp"] = 4

    options = {"Data": written(tmp_path, smaller)}
    state = Dungeon.start(2, options)
    assert (state.left, state.chance()) == (4, [("@=first1", 1), ("@=first2", 1)])
    for seed in range(20):
        end, log = play(2, options, Random(seed))
        assert {token for token in log if token.startswith("!")} <= {"!GOB", "!LIC"}
        assert Dungeon.from_text(end.text(), options).text() == end.text()
    assert end.hero.total == [4, 9, 7, 12]
    assert bidding().hero.total[-1] == 10, "our own figures are as they were"


def test_texts_of_the_file_need_no_ascii() -> None:
    assert load("").names[1][3] == "Upír"
    assert bidding(hero="NIN").draw().isascii()
