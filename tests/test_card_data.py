"""The data files of the card games: each figure is marked, mistakes are told with their place, and every command that
plays a card game takes a file of one's own."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matches import by_key, engine, match, refused
from protocol_client import Client
from test_cli import THUDSTONE, lines, refusal
from test_hidden_information import CARD_GAMES
from thudstone.engine import games
from thudstone.engine.cards.datafile import MARKS, Place
from thudstone.engine.cards.dungeon import book as dungeon
from thudstone.engine.cards.trol import book as trol
from thudstone.engine.cards.whales import data as whales

FILES = {"dungeon": dungeon.DEFAULT, "trol": trol.DEFAULT, "whales": whales.DEFAULT}
LOADERS: dict[str, Callable[[str], object]] = {"dungeon": dungeon.load, "trol": trol.load, "whales": whales.load}
LEAST = {"dungeon": 200, "trol": 150, "whales": 130}


def leaves(place: Place) -> list[Place]:
    value = place.value
    if isinstance(value, dict):
        return [leaf for key in value if key not in ("mark", "source", "except") for leaf in leaves(place[key])]
    if isinstance(value, list):
        return [leaf for each in place.items() for leaf in leaves(each)]
    return [place]


def marks(name: str) -> dict[str, str]:
    root = Place(str(FILES[name]), "", json.loads(FILES[name].read_text("utf-8")), {})
    return {leaf.path: leaf.mark for leaf in leaves(root)}


@pytest.mark.parametrize("name", CARD_GAMES)
def test_every_figure_is_marked(name: str) -> None:
    found = marks(name)
    none = {"trol": {"sourced"}}.get(name, set())
    assert set(found.values()) == set(MARKS) - none and len(found) > LEAST[name]


def test_what_is_known_and_what_is_not() -> None:
    found = marks("dungeon")
    assert found["monsters.list[0].strength"] == "rulebook" and found["monsters.list[0].count"] == "sourced"
    assert found["heroes.list[0].hp"] == "rulebook" and found["heroes.list[1].hp"] == "sourced"
    assert found["heroes.list[3].tiles[4].effect.gains_strength"] == "assumed"
    assert found["heroes.list[3].tiles[2].effect.revived_hp"] == "assumed"
    assert found["heroes.list[3].tiles[2].effect.revives_from_hp"] == "rulebook"
    assert found["heroes.list[1].tiles[5].effect.smoke"] == "rulebook"
    found = marks("trol")
    assert found["tribe.list[0].count"] == "rulebook" and found["tribe.list[0].masks"] == "assumed"
    assert found["prey.list[14].min"] == "rulebook" and found["prey.list[14].food[0]"] == "assumed"
    found = marks("whales")
    assert found["roles.whale"] == "rulebook" and found["roles.expansion.were"] == "assumed"
    assert found["whales.list[0].count"] == "assumed" and found["setup.start_whales"] == "rulebook"


def changed(name: str, tmp_path: Path, change: Callable[[Any], object]) -> str:
    content = json.loads(FILES[name].read_text("utf-8"))
    change(content)
    path = tmp_path / "my figures, 1.json"
    path.write_text(json.dumps(content), "utf-8")
    return str(path)


PART = {"dungeon": "setup", "trol": "prey", "whales": "turtles"}


@pytest.mark.parametrize("name", CARD_GAMES)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda part: part.pop("mark"), "nothing says where this comes from"),
        (lambda part: part.update(mark="guessed"), "mark: one of rulebook, sourced, assumed expected"),
        (lambda part: part.pop("source"), "source: a text expected"),
        (lambda part: part.update(colour="red"), "'colour' is no field here; there are"),
        (lambda part: part.update(**{"except": 3}), "an object expected as `except`"),
    ],
)
def test_marks_and_fields_are_checked(
    name: str, change: Callable[[Any], object], message: str, tmp_path: Path
) -> None:
    path = changed(name, tmp_path, lambda content: change(content[PART[name]]))
    with pytest.raises(ValueError) as raised:
        LOADERS[name](path)
    assert str(raised.value).startswith(f"{path}: {PART[name]}") and message in str(raised.value)


@pytest.mark.parametrize("name", CARD_GAMES)
def test_the_file_of_another_game_is_refused(name: str) -> None:
    other = CARD_GAMES[CARD_GAMES.index(name) - 1]
    with pytest.raises(ValueError, match=f"{other}\\.json: the file: '.*' is no field here"):
        LOADERS[name](str(FILES[other]))


# A change of each game that a whole game shows.
CHANGES: dict[str, Callable[[Any], object]] = {
    "dungeon": lambda content: content["end"].update(successes_to_win=1),
    "trol": lambda content: content["setup"].update(hand=3),
    "whales": lambda content: content["superheroes"].update(count=30),
}
SHOWN = {
    "dungeon": "Player 1 (you): 0 of 1 successes, 0 of 2 failures",
    "trol": "Tribe 2: food 0, masks 0, skulls 0, hand 3, deck 13",
    "whales": "65 cards in the deck",
}


@pytest.mark.parametrize("name", CARD_GAMES)
def test_play_takes_a_file(name: str, tmp_path: Path) -> None:
    path = changed(name, tmp_path, CHANGES[name])
    first = ["--rule", "FirstPlayer=seat-1"]
    said = lines("play", "--game", name, "--data", path, *first, "--nodes", "2", stdin="quit\n")
    assert SHOWN[name] in said
    assert SHOWN[name] not in lines("play", "--game", name, *first, "--nodes", "2", stdin="quit\n")


@pytest.mark.parametrize("name", CARD_GAMES)
def test_the_engine_takes_a_file(name: str, tmp_path: Path) -> None:
    path = changed(name, tmp_path, CHANGES[name])
    with Client([*THUDSTONE, "--game", name, "--data", path]) as client:
        client.send("d")
        given = client.until("")
    with Client([*THUDSTONE, "--game", name]) as client:
        client.send("d")
        assert client.until("") == given or name == "whales", "the start looks the same"
        assert client.ask(f"setoption name Data value {path}") == []
        assert client.ask("position startpos") == []
        client.send("d")
        assert client.until("") == given


def test_a_name_of_a_file_may_have_any_letters(tmp_path: Path) -> None:
    path = tmp_path / "žába.json"
    path.write_bytes(FILES["trol"].read_bytes().replace(b'"hand": 7', b'"hand": 3'))
    with Client([*THUDSTONE, "--game", "trol"]) as client:
        client.send(f"setoption name Data value {path}".encode(), b"isready")
        client.until("readyok")
        deal = " ".join(["@=first1", "@=day", "@=P01", "@=P02", "@=P03", *["@1=?"] * 3, "@2=?"])
        assert client.ask(f"position startpos players 3 moves {deal}") == []
        client.send("setoption name Data value /nowhere/žába.json".encode())
        error = "info string error: setoption Data: /nowhere/\\u017e\\xe1ba.json: No such file or directory"
        assert client.line() == error


@pytest.mark.parametrize("name", CARD_GAMES)
def test_a_file_stays_with_its_game(name: str, tmp_path: Path) -> None:
    """Another game has its own figures; and a refused file changes nothing."""
    path = changed(name, tmp_path, CHANGES[name])
    other = CARD_GAMES[CARD_GAMES.index(name) - 1]
    with Client([*THUDSTONE, "--game", name, "--data", path]) as client:
        before = client.query("fen")
        (line,) = client.ask(f"setoption name Data value {FILES[other]}")
        assert line.startswith("info string error: setoption Data: ") and "is no field here" in line
        assert client.query("fen") == before
        assert client.ask(f"setoption name UCI_Variant value {other}") == []
        assert client.query("turn") == "chance"


def test_a_match_takes_a_file(tmp_path: Path) -> None:
    path = changed("dungeon", tmp_path, CHANGES["dungeon"])
    out = tmp_path / "out.jsonl"
    greedy = [*engine(f"{shlex.join(THUDSTONE)} --game dungeon", name="a"), *engine(shlex.join(THUDSTONE), name="b")]
    match(*greedy, "--game", "dungeon", "--data", path, "--nodes", "1", "--pairs", "2", "--out", str(out))
    played = by_key(out)
    assert len(played) == 4
    assert all(sorted(battle["points"]) in ([0, 1], [0, 0]) for battle in played.values())


def test_files_that_can_not_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = changed("trol", tmp_path, lambda content: content["setup"].update(hand=99))
    reason = f"{path}: setup.hand: a whole number from 2 to 16 expected, not '99'"
    assert refusal("--game", "trol", "--data", path) == f"--data: {reason}"
    assert refusal("play", "--game", "trol", "--data", path) == reason
    pair = [*engine(shlex.join(THUDSTONE), name="a"), *engine(shlex.join(THUDSTONE), name="b")]
    assert refused(capsys, *pair, "--game", "trol", "--pairs", "1", "--data", path) == reason
    nowhere = str(tmp_path / "none.json")
    assert refusal("--game", "whales", "--data", nowhere) == f"--data: {nowhere}: No such file or directory"
    assert refusal("--data", nowhere) == "--data: thud has no data file"
    assert refusal("play", "--data", nowhere) == "--data doesn't go with --game thud. (see thudstone play -h)"
    assert refused(capsys, *pair, "--pairs", "1", "--data", nowhere) == "thud has no option Data"


def test_options_named_data_are_those_of_the_games() -> None:
    for name in CARD_GAMES:
        assert [option.type for option in games.load(name)[0].options if option.name == "Data"] == ["string"]
