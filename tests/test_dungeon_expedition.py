"""The hero in the dungeon: every tile and every monster. Numbers in brackets are damage unless said otherwise."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from dungeon_games import PLAIN, entering, hits, meet
from thudstone.engine.cards.dungeon.kinds import KIND
from thudstone.engine.cards.dungeon.stages import CUBE_TAKES, ENDED, HERO, PAY, REVEAL, USE
from thudstone.engine.game import IllegalToken, OptionValue

# Hero, tiles, cards as they are met, answers, HP before the first card and after each one.
CASES = [
    # The Crown lowers damage, not what a monster is (1).
    ("PRI", "CHA CRO", "VAM GOB SKE DRA", "", [7, 5, 5, 5, 0]),
    ("PRI", "CHA CRO SCE", "VAM VAM", "", [7, 5, 5]),
    # Flute: one less from each later monster for each goblin (2); the vampire stays even.
    ("BAR", "TUN FLU", "GOB VAM SKE", "", [8, 8, 5, 4]),
    ("BAR", "TUN FLU", "GOB GOB VAM", "", [8, 8, 8, 6]),
    ("BAR", "TUN FLU COI", "GOB VAM SKE ORC", "useCOI", [8, 8, 8, 8, 6]),
    ("BAR", "TUN FLU", "VAM GOB", "", [8, 4, 4]),
    # Coin and Rapier (3).
    ("BAR", "TUN HAT COI RAP", "VAM DEM SKE ORC VAM", "useCOI useRAP", [10, 10, 10, 10, 7, 3]),
    ("BAR", "TUN HAT COI", "VAM GOB SKE", "noCOI noCOI", [10, 6, 5, 3]),
    ("BAR", "TUN HAT COI", "GOB VAM SKE", "useCOI", [10, 9, 9, 9]),
    ("BAR", "TUN HAT COI RAP", "VAM GOL ORC VAM", "useCOI noRAP useRAP", [10, 10, 5, 5, 1]),
    ("BAR", "TUN HAT COI", "VAM ALL SKE VAM", "useCOI", [10, 10, 10, 10, 6]),
    ("BAR", "TUN HAT COI", "ALL DRA VAM", "useCOI", [10, 10, 10, 10]),
    # The Shapeshifter is what its place says (4).
    ("NIN", "HER TIN SHU", "SKE GOB SKE SHA", "", [11, 9, 8, 6, 6]),
    ("NIN", "HER TIN NTO", "VAM GOB DEM DRA SKE GOB SHA", "", [11, 7, 6, 6, 6, 4, 3, 3]),
    ("PRI", "CHA CHP CRO COL", "GOB GOB SKE SKE ORC ORC VAM SHA DEM", "", [10, 10, 10, 10, 10, 9, 8, 6, 6, 6]),
    ("PRI", "CHA CHP CRO", "GOB GOB SKE SKE ORC ORC VAM VAM SHA", "", [10, 10, 10, 10, 10, 9, 8, 6, 4, 0]),
    # Three of a kind with the Scepter (5), and that the first needn't have been beaten.
    ("PRI", "CHA CHP SCE", "VAM GOB VAM SHA", "", [10, 6, 5, 5, 5]),
    ("PRI", "CHA SCE", "GOB GOB FAI MIM", "", [7, 6, 6, 6, 4]),
    # The Count: a vampire before the first success (6).
    ("NIN", "HER SHU", "COU", "", [6, 6]),
    # The Mimic is as strong as there are tiles (7).
    ("PRI", "CHA CHP COL CRO SCE", "MIM", "", [10, 7]),
    ("PRI", "SCE", "MIM", "", [2, 1]),
    ("PRI", "", "MIM", "", [2, 2]),
    ("BAR", "TUN HAT COI FLU", "MIM", "useCOI", [10, 10]),
    # The Cube takes a tile (8).
    ("PRI", "CHP", "SKE CUB", "xCHP", [5, 3, 0]),
    ("PRI", "CHA CRO", "CUB VAM", "xCRO", [7, 7, 3]),
    ("PRI", "CHA CRO", "CUB", "xCHA", [7, 2]),
    ("PRI", "", "CUB GOB", "", [2, 2, 1]),
    # The Ally beats the next card, whatever it is (9), and nothing when it comes last.
    ("PRI", "", "ALL DRA", "", [2, 2, 2]),
    ("PRI", "", "GOB ALL", "", [2, 1, 1]),
    ("PRI", "CHA", "ALL CUB GOB", "", [7, 7, 7, 6]),
    ("PRI", "CHA SCE", "ALL VAM VAM", "", [7, 7, 7, 7]),
    ("PRI", "CHA CHP", "ALL VAM SHA", "", [10, 10, 10, 7]),
    # The Bones (10), again after the Wand, and not with one HP.
    ("NEC", "CAP BON", "DRA GOB", "", [5, 1, 0]),
    ("NEC", "CAP BON WAN", "DRA VAM DEM", "", [5, 1, 5, 1]),
    ("NEC", "CAP BON MIN", "DRA ORC DEM", "useMIN", [5, 1, 4, 1]),
    # Harp (11): below 5 HP only, and by parity.
    ("BAR", "HAT HAR", "GOB DEM LIC", "", [5, 4, 3, 1]),
    ("BAR", "HAT HAR", "LIC", "", [5, 0]),
    ("BAR", "HAR", "FAI", "", [3, 1]),
    ("BAR", "HAR FLU", "GOB GOB LIC", "", [3, 3, 3, 3]),
    ("BAR", "HAR FLU", "GOB LIC DEM", "", [3, 3, 2, 2]),
    # The Collar beats the dragon and the next; not after the Ally, and no chain from what comes next.
    ("PRI", "COL", "DRA LIC GOB", "", [2, 2, 2, 1]),
    ("PRI", "CHA COL", "ALL DRA VAM", "", [7, 7, 7, 3]),
    ("PRI", "CHA CHP CRO COL", "GOB GOB SKE SKE ORC ORC DRA SHA LIC", "", [10, 10, 10, 10, 10, 9, 8, 8, 8, 4]),
    # The Smoke Bomb costs another tile, once; alone it is of no use.
    ("NIN", "HER BOM", "DRA SKE", "useBOM xHER", [6, 3, 1]),
    ("NIN", "GEA BOM", "DRA SKE", "useBOM xGEA", [3, 3, 1]),
    ("NIN", "BOM", "SKE GOB", "", [3, 1, 0]),
    ("NIN", "HER BOM", "CUB SKE", "useBOM xHER", [6, 3, 1]),
    ("NIN", "HER BOM", "CUB SKE", "noBOM xBOM", [6, 6, 4]),
    ("NIN", "TIN BOM", "LIC", "useBOM xTIN", [8, 3]),
    # Ninja's tiles work again and again.
    ("NIN", "SHU NTO GEA", "VAM VAM DEM DRA GOB GOB ORC GOL SKE", "", [3, 3, 3, 3, 3, 3, 3, 3, 3, 1]),
    # Mind Control takes what is weak, once; where the Wand would, too, the player chooses.
    ("NEC", "MIN", "GOL GOL", "useMIN", [2, 7, 2]),
    ("NEC", "MIN", "LIC", "", [2, 0]),
    ("NEC", "MIN WAN", "VAM VAM", "noWAN", [2, 6, 10]),
    ("NEC", "MIN WAN", "VAM GOL", "useWAN useMIN", [2, 6, 11]),
    ("NEC", "MIN STO", "GOB ORC", "useSTO noSTO", [2, 2, 5]),
    ("NEC", "ZOM MIN", "CUB", "xMIN", [8, 8]),
]


@pytest.mark.parametrize(("hero", "tiles", "dungeon", "answers", "hp"), CASES)
def test_hp_after_each_card(hero: str, tiles: str, dungeon: str, answers: str, hp: list[int]) -> None:
    state = entering(hero, tiles, dungeon)
    assert hits(state, *answers.split()) == hp
    assert (state.wins, state.fails) == (((0, 0), (1, 0)) if hp[-1] == 0 else ((1, 0), (0, 0)))


SIX = "GOB GOB SKE SKE ORC ORC"

OPTIONS: list[tuple[dict[str, OptionValue], str, str, str, str, list[int]]] = [
    ({"HarpCaps": True}, "BAR", "HAR", "FAI", "", [3, 3]),
    ({"CollarChains": True}, "PRI", "CHA COL", "ALL DRA VAM", "", [7, 7, 7, 3]),
    ({"CollarChains": True}, "PRI", "CHA CHP CRO COL", f"{SIX} DRA SHA LIC", "", [*[10] * 5, 9, 8, 8, 8, 8]),
    ({"CoinLostToSpecials": False}, "BAR", "TUN COI", "VAM ALL GOB SKE", "useCOI", [8, 8, 8, 8, 8]),
    ({"BonesHelpAgainstCube": False}, "NEC", "ZOM BON", "LIC CUB", "xZOM", [8, 2, 0]),
    ({}, "NEC", "ZOM BON", "LIC CUB", "xZOM", [8, 2, 1]),
    ({}, "NEC", "ZOM BON", "LIC CUB", "xBON", [8, 2, 2]),
    ({"SmokeBomb": "free"}, "NIN", "HER BOM", "DRA SKE", "useBOM", [6, 6, 4]),
    ({"SmokeBombBeatsCube": False}, "NIN", "HER BOM", "CUB", "xBOM", [6, 6]),
    ({"MindControlBeatsCube": True}, "NEC", "ZOM MIN", "CUB", "useMIN", [8, 8]),
    ({"SingleUseOptional": False}, "BAR", "TUN RAP COI", "GOB VAM ORC SKE", "", [8, 8, 8, 5, 3]),
    ({"HpCap": 6}, "NEC", "WAN", "VAM VAM", "", [2, 6, 6]),
    ({"HpCap": 9}, "NIN", "HER TIN", "GOB", "", [9, 8]),
]


@pytest.mark.parametrize(("options", "hero", "tiles", "dungeon", "answers", "hp"), OPTIONS)
def test_readings_by_option(
    options: Mapping[str, OptionValue], hero: str, tiles: str, dungeon: str, answers: str, hp: list[int]
) -> None:
    assert hits(entering(hero, tiles, dungeon, options), *answers.split()) == hp


def test_the_count_is_no_vampire_after_a_success() -> None:
    state = entering("NIN", "HER TIN SHU", "COU", wins=(1, 0))
    assert (state.hp, meet(state).hp) == (11, 3) and state.end() == "success"
    other = entering("NIN", "HER TIN SHU", "COU", wins=(0, 1))
    assert meet(other).hp == 11, "only the success cards of the one who is in the dungeon count"


@pytest.mark.parametrize("position", range(1, 15))
def test_shapeshifter(position: int) -> None:
    """Identity by place, strength by place; from the ninth on no identity."""
    state = entering("PRI", "", "SHA GOB")
    state.hp, state.position, state.tiles = 50, position - 1, state.hero.bit["SCE"]
    state.seen = 255
    state.apply("!SHA")
    lost = 50 - state.hp
    assert lost == (0 if position <= 8 else position), "the Scepter knows it as one that was there"
    other = entering("PRI", "", "SHA GOB")
    other.hp, other.position = 50, position - 1
    other.apply("!SHA")
    assert 50 - other.hp == position
    assert other.seen == (1 << position - 1 if position <= 8 else 0)


@pytest.mark.parametrize("tiles", range(7))
def test_mimic(tiles: int) -> None:
    state = entering("NIN", " ".join("HER TIN SHU NTO GEA BOM".split()[:tiles]), "MIM")
    before = state.hp
    meet(state, *(["noBOM"] if tiles == 6 else []))
    assert before - state.hp == tiles


def test_sword() -> None:
    state = entering("PRI", "CHA SWO", "GOL LIC", wins=(0, 0, 0), fails=(0, 0, 2))
    assert state.legal() == ["at2", "at3"], "also a player who is out of the game"
    state.apply("at3")
    assert state.turn == 2 and state.legal() == ["n5", "n6", "n7"]
    for token in ("n4", "n8", "n", "n55", "pass"):
        with pytest.raises(IllegalToken, match=token):
            state.apply(token)
    state.apply("n5")
    assert hits(state) == [7, 7, 1]


@pytest.mark.parametrize(("matches", "hp"), [("strength", 10), ("identity", 7)])
def test_sword_and_mimic(matches: str, hp: int) -> None:
    """The other reading names a kind, which the Mimic isn't."""
    state = entering("PRI", "CHA CHP SWO CRO SCE", "MIM", {"SwordMatches": matches})
    assert meet(state, "at2", "n5").hp == hp


@pytest.mark.parametrize("matches", ["strength", "identity"])
def test_sword_beats_a_shapeshifter(matches: str) -> None:
    state = entering("PRI", "CHA CHP SWO", "GOB GOB SKE SKE SHA", {"SwordMatches": matches})
    meet(state, "at2", "n5")
    assert state.hp == 10 - 1 - 1 - 2 - 2


def test_no_sword_no_question() -> None:
    assert entering("PRI", "CHA", "GOB").stage == REVEAL
    assert entering("PRI", "CHA SWO", "").stage == HERO, "nor before an empty dungeon"


@pytest.mark.parametrize(("reading", "wins"), [("success", (1, 0)), ("failure", (0, 0))])
def test_empty_dungeon(reading: str, wins: tuple[int, ...]) -> None:
    assert entering("PRI", "CHA", "", {"EmptyDungeon": reading}).wins == wins


def test_tiles_are_asked_for_one_by_one() -> None:
    """Those that work in any case first, and the last of these not at all."""
    state = meet(entering("NIN", "HER SHU BOM", "VAM"))
    assert (state.stage, state.legal()) == (USE, ["useSHU", "noSHU"])
    assert state.copy().apply("noSHU") and meet(state.copy(), "useSHU").hp == 6
    state.apply("noSHU")
    assert (state.stage, state.legal()) == (PAY, ["xHER", "xSHU"]), "the Bomb is what is left"
    bard = meet(entering("BAR", "TUN FLU RAP", "GOB ORC"))
    assert bard.legal() == ["useFLU", "noFLU"]
    assert meet(bard, "noFLU").hp == 5, "the Rapier was used"
    assert meet(entering("PRI", "CHA SWO SCE", "GOL GOL"), "at2", "n5").hp == 7, "nothing depends on it"


def test_what_was_used_once_is_gone() -> None:
    state = meet(entering("BAR", "TUN RAP", "GOB ORC VAM"), "useRAP")
    assert state.hp == 8 - 3 - 4
    state = meet(entering("NIN", "HER GEA BOM", "DRA LIC"), "useBOM", "xGEA")
    assert state.fails == (1, 0)


def test_cube_takes_one_of_all_tiles() -> None:
    state = meet(entering("NIN", "HER SHU BOM", "CUB"), "noBOM")
    assert (state.stage, state.legal()) == (CUBE_TAKES, ["xHER", "xSHU", "xBOM"])
    coin = meet(entering("BAR", "TUN HAT COI", "VAM CUB SKE"), "useCOI")
    assert coin.legal() == ["xTUN", "xHAT", "xCOI"]
    assert meet(coin.copy(), "xCOI").hp == 8
    assert meet(coin, "xHAT").hp == 6, "the Coin goes, too: the Cube isn't even"


def test_nothing_is_revealed_after_death() -> None:
    state = meet(entering("PRI", "", "LIC GOB", fails=(0, 1)))
    assert state.fails == (1, 1) and state.stage == HERO and state.pile == ()


def test_what_is_met_is_what_was_added_last() -> None:
    state = entering("PRI", "CHA", "GOB ORC")
    assert state.pile == (KIND["ORC"], KIND["GOB"])
    assert state.chance() == [("!GOB", 1)]
    with pytest.raises(IllegalToken, match="!ORC: the top card of the dungeon is GOB"):
        state.apply("!ORC")
    for token in ("!?", "GOB", "!gob", "", "@=GOB", "!GOB?"):
        with pytest.raises(IllegalToken):
            state.apply(token)
    assert state.chance() == [("!GOB", 1)]


def test_success_and_failure_end_the_game() -> None:
    won = meet(entering("PRI", "CHA", "GOB", wins=(1, 0)))
    assert (won.end(), won.stage, won.returns(), won.score()) == ("success", ENDED, (1.0, 0.0), (2, 0))
    out = meet(entering("PRI", "", "LIC", fails=(1, 0)))
    assert (out.end(), out.returns()) == ("elimination", (0.0, 1.0))
    going = meet(entering("PRI", "", "LIC", wins=(0, 0, 0), fails=(1, 0, 0)))
    assert (going.end(), going.alive(), going.turn) == ("none", [1, 2], 1)
    with pytest.raises(ValueError, match="isn't over"):
        going.returns()


def test_rex() -> None:
    """A winner by elimination needs a success card, at any number of players."""
    for seats in (2, 3, 4):
        rest = (0,) * (seats - 1)
        out = (1, *(2,) * (seats - 2), 0)
        drawn = meet(entering("PRI", "", "LIC", {"Rex": True}, (0, *rest), out))
        assert (drawn.end(), drawn.returns()) == ("draw", (1 / seats,) * seats)
        won = meet(entering("PRI", "", "LIC", {"Rex": True}, (0, *rest[:-1], 1), out))
        assert (won.end(), won.returns()[-1]) == ("elimination", 1.0)
        plain = meet(entering("PRI", "", "LIC", PLAIN, (0, *rest), out))
        assert plain.end() == "elimination"
