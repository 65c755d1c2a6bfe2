"""Trol: setup, turns, the end, positions as text, and what each seat sees."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from thudstone.engine.cards.trol import book, dice
from thudstone.engine.cards.trol.ending import Tally, leaders, put_out, series_points
from thudstone.engine.cards.trol.state import Trol
from thudstone.engine.cards.trol.table import ACT, LAY
from thudstone.engine.cards.trol.tribe import size
from thudstone.engine.game import CHANCE, OVER, IllegalToken, OptionValue
from trol_games import DEFAULTS, choose, conserved, from_text, play, start, table, tokens

READINGS: dict[str, OptionValue] = {
    "FirstPlayer": "seat-1",
    "StartPhase": "night",
    "Team": True,
    "Scoring": "series",
    "TrapInFirstTwo": "illegal-by-day",
    "BackstabberTargetsSelf": False,
    "ShamanInBetrayal": "copycat-only",
    "ShamanRerollsSelf": False,
    "CopycatMayDecline": True,
    "TinyCountsRemoved": True,
    "WeaklingFromHand": "any-card",
    "WeaklingFromHandEats": True,
    "CookStack": True,
    "SnappedTrapSurvives": False,
    "FoodTie": "nobody-out",
    "FinalHunts": "random",
    "MostDangerous": "min-then-max",
}


def begun(seats: int, rng: Random, **options: OptionValue) -> Trol:
    """After the setup."""
    game = start(seats, **options)
    while game.stage < ACT:
        game.apply(choose(game, rng))
    return game


@pytest.mark.parametrize(("seats", "places"), [(2, 4), (3, 3), (4, 4), (5, 5)])
def test_setup(seats: int, places: int) -> None:
    game = begun(seats, Random(seats))
    assert len(game.places) == places and min(game.places) >= 0
    assert game.held[:seats] == [7] * seats and game.left[:seats] == [9] * seats
    if seats == 2:
        assert game.held[2:] == [4, 4] and [under for _, under in game.piles] == [3] * 8
    assert game.turn == game.mover == game.tribe


def test_the_first_player_and_the_phase_are_drawn_or_set() -> None:
    assert start(3).chance() == [("@=first1", 1), ("@=first2", 1), ("@=first3", 1)]
    assert tokens(start(3), "@=first3").chance() == [("@=day", 1), ("@=night", 1)]
    game = start(3, FirstPlayer="seat-1", StartPhase="night")
    assert (game.mover, game.night, game.stage) == (0, True, LAY)


def test_a_day_change_at_setup_is_removed_and_changes_nothing() -> None:
    game = tokens(start(3), "@=first1 @=day @=P01 @=flip @=flip @=P02")
    assert not game.night and game.deck[-1] == 3 and game.places == [0, 1, -1]


def test_the_phase_changes_once_in_a_refill() -> None:
    game = tokens(table("1COO", "CHI"), "hunt1=CHI")
    assert game.turn == CHANCE and ("@=flip", 5) in game.chance()
    assert tokens(game.copy(), "@=flip @=P20").night
    again = tokens(game.copy(), "@=flip @=flip @=P20")
    assert again.night and again.deck[-1] == 3
    night = tokens(table("1COO", "CHI", phase="night"), "hunt1=CHI @=flip @=P20")
    assert not night.night


def test_a_refill_from_an_empty_deck() -> None:
    rest = ",".join(f"P{number:02}" for number in range(4, 21) if number != 15)
    game = tokens(table("1COO", "CHI / COO", deck="-", wasted=rest), "hunt1=CHI @1=TRK")
    assert game.places[0] == -1 and game.turn == 1
    flips = tokens(table("1COO", "CHI / COO", deck="flip", wasted=rest), "hunt1=CHI @=flip @1=TRK")
    assert flips.night and flips.places[0] == -1


def test_a_turn_is_one_action_and_one_card() -> None:
    game = table("", "CHI,TRK / COO / - / DOG")
    tokens(game, "add2=TRK")
    assert game.turn == CHANCE and all(event.startswith("@1=") for event, _ in game.chance())
    assert sum(weight for _, weight in game.chance()) == game.left[0] == 14
    tokens(game, "@1=TRK")
    assert game.turn == 1
    tokens(game, "add1=COO @2=COP")
    assert game.turn == 3  # tribe 3 holds no cards


def test_without_prey_the_game_ends_and_unplayed_cards_count_for_nothing() -> None:
    rest = ",".join(f"P{number:02}" for number in range(1, 21) if number != 15)
    text = f"3 1 1 day act P15:1COO/-/- - CHI,TRK;-;-;-;3 DOG;-;-;-;2 -;DAU;-;-;9 {rest} -"
    game = tokens(from_text(text), "hunt1=CHI no")
    assert game.wasted[-1] == 14
    assert game.end() == "none" and game.rivals == (0, 2)  # tribe 2 has least food; no skulls: dice decide
    tokens(game, "@=r0r0r0 @=r2r3r4")
    assert (game.end(), game.winner, game.returns()) == ("no-prey", 2, (0.0, 0.0, 1.0))


SPENT = "COO,DAU,SHA,TIN,TRK,PUNx3,BACx2,COP,WEA,DOG,TRA"  # all but the Chief and a Tracker


def last_hunts(line: str, order: str = "left-to-right") -> Trol:
    """Tribe 1 lays its last card; nobody else has any, and the hunts of places 1 and 2 are left."""
    tribes = {1: f"-;{SPENT};-;0", **{tribe: f"-;CHI,{SPENT};-;{tribe}" for tribe in (2, 3, 4)}}
    return table(f"{line} / 2TRK", "CHI", tribes=tribes, FinalHunts=order)


def test_the_last_hunts_start_by_themselves_and_their_prey_is_nobodys() -> None:
    game = tokens(last_hunts("1TRK,3TRK,4TRK"), "add3=CHI @=r4r4 @=r0r4 @=r0r0")
    assert game.food == [6, 2, 3 + 4, 4 + 2] and game.wasted == (14,)
    assert game.place == 1  # the next one, from left to right
    tokens(game, "@=r3r4")  # P01 is shredded: 4 to 6
    assert game.trophies == [()] * 4 and size(game.saved[1]) == 1 and game.place == 2
    tokens(game, "rrr @=r0r0r0")
    assert size(game.gone[0]) == 15  # and the Chief is lost
    assert game.turn == CHANCE and game.stage == 19  # nobody has skulls: dice


def test_the_order_of_the_last_hunts_may_be_drawn() -> None:
    game = tokens(last_hunts("1TRK,3TRK,4TRK", "random"), "add3=CHI")
    assert game.chance() == [("@=hunt1", 1), ("@=hunt2", 1), ("@=hunt3", 1)]
    assert tokens(game, "@=hunt2").place == 1


def test_a_trap_in_a_last_hunt_feeds_without_prey() -> None:
    tribes = {1: f"-;{SPENT};-;0", 2: f"-;{SPENT.replace('TRA', 'CHI')};-;1"}
    tribes |= {tribe: f"-;CHI,TRK,{SPENT};-;{tribe}" for tribe in (3, 4)}
    game = table("1TRK,2TRK,2TRA", "CHI", tribes=tribes)
    tokens(game, "add3=CHI @=r0r0 @=r0r0")
    assert game.food == [0, 1 + 5, 3, 4] and not game.trophies[1] and game.wasted == (14,)


def tally(*tribes: tuple[int, int, list[int]]) -> Tally:
    """(food, masks, skulls of each trophy) of each tribe."""
    return Tally(
        [food for food, _, _ in tribes],
        [masks for _, masks, _ in tribes],
        [[(skulls, (10 + skulls, 8)) for skulls in trophies] for _, _, trophies in tribes],
    )


def test_elimination() -> None:
    four = tally((1, 9, [9]), (5, 2, [8]), (5, 5, [3]), (5, 5, [2, 2]))
    assert put_out(four, True) == ([0], [1]) and leaders(four, True) == [3]
    three = tally((1, 9, [9]), (5, 2, [8]), (5, 5, [3]))
    assert put_out(three, True) == ([0], []) and leaders(three, True) == [1]
    five = tally((1, 9, [9]), (2, 9, [9]), (5, 2, [8]), (5, 5, [3]), (5, 5, [4]))
    assert put_out(five, True) == ([0, 1], [2]) and leaders(five, True) == [4]


def test_ties_in_the_elimination() -> None:
    by_masks = tally((1, 9, [9]), (1, 2, [8]), (5, 5, [3]), (5, 6, [4]))
    assert put_out(by_masks, True) == ([1], [2])
    nobody = tally((1, 2, [1]), (1, 2, [8]), (5, 5, [3]), (5, 6, [4]))
    assert put_out(nobody, True) == ([], [0])  # then masks, and of those with as few the one with fewer skulls
    neither = tally((1, 2, [8]), (1, 2, [8]), (5, 5, [3]), (5, 6, [4]))
    assert put_out(neither, True) == ([], []) and leaders(neither, True) == [0, 1]
    boundary = tally((1, 9, []), (2, 3, []), (2, 3, []), (5, 1, [1]), (5, 5, [3]))
    assert put_out(boundary, True) == ([0], [3])
    assert put_out(boundary, False) == ([], [3])


def test_ties_for_the_first_place() -> None:
    cards = tally((0, 0, []), (5, 1, []), (5, 5, [4]), (5, 5, [2, 2]))
    assert leaders(cards, True) == [3]  # as many skulls on more cards
    danger = Tally([0, 5, 5, 5], [0, 1, 5, 5], [[], [], [(3, (14, 11))], [(3, (15, 12))]])
    assert leaders(danger, True) == [3]
    same = Tally([0, 5, 5, 5], [0, 1, 5, 5], [[], [], [(3, (14, 11))], [(3, (14, 11))]])
    assert leaders(same, True) == [2, 3]


def test_series_points() -> None:
    four = tally((1, 9, [9]), (5, 2, [8]), (5, 5, [3]), (5, 5, [2, 2]))
    assert series_points(four, True, 3) == [1, 2, 3, 5]
    tied = tally((5, 5, [3]), (5, 5, [3]), (5, 5, [3]), (5, 5, [3]))
    assert series_points(tied, True, 2) == [1, 1, 5, 1]


def ended(seats: int, winner: int, **options: OptionValue) -> Trol:
    """A game that tribe `winner` (from 1) has won, its order of elimination being 1, 2, 3, 4 else."""
    parts = ["-;-;-;-;0", "-;COO;-;P01;5", "-;CHI;-;P02,P03;5", "-;CHI;-;P04,P05,P08;5"]
    if winner == 3:
        parts[2], parts[3] = parts[3], parts[2]
    rest = ",".join(f"P{number:02}" for number in range(1, 21) if number not in (1, 2, 3, 4, 5, 8))
    piles = "-0,-0,-0,-0,-0,-0,-0,-0" if seats == 2 else "-"
    if seats == 2:
        gone = "COOx0"
        full = {"CHI": 1, "DAU": 1, "SHA": 1, "TIN": 1, "COO": 1, "TRK": 2, "PUN": 3, "BAC": 2, "COP": 1}
        full |= {"WEA": 1, "DOG": 1, "TRA": 1}
        for tribe in (2, 3):
            hand, saved, gone, trophies, food = parts[tribe].split(";")
            left = {code: count - (code == saved) for code, count in full.items()}
            gone = ",".join(f"{code}x{count}" for code, count in left.items() if count)
            parts[tribe] = ";".join((hand, saved, gone, trophies, food))
    text = f"{seats} 1 1 day end,winner={winner} -/-/-/- - {' '.join(parts)} {rest} {piles}"
    return from_text(text, **options)


def test_shares_and_scores() -> None:
    assert ended(4, 4).returns() == (0, 0, 0, 1) and ended(4, 4).score() == (0, 1, 2, 4)
    assert ended(2, 4).returns() == (0, 1) and ended(2, 3).returns() == (1, 0)
    assert ended(4, 4, Team=True).returns() == (0, 0.5, 0, 0.5)
    series = ended(4, 4, Scoring="series")
    assert series.score() == (1, 2, 3, 5) and series.returns() == (1 / 11, 2 / 11, 3 / 11, 5 / 11)
    two = ended(2, 4, Scoring="series")
    assert two.score() == (4, 7) and two.returns() == (4 / 11, 7 / 11)
    team = ended(4, 4, Scoring="series", Team=True)
    assert team.score() == (1, 4, 3, 5)  # two more for the winner's partner
    assert team.returns() == (4 / 26, 9 / 26, 4 / 26, 9 / 26)


def test_two_seats_act_with_both_tribes() -> None:
    game = begun(2, Random(1), FirstPlayer="seat-1", StartPhase="night")
    hand = game.legal()[0]
    game.apply(hand)
    assert (game.turn, game.tribe) == (0, 2)  # at once with the second tribe
    assert {token[-3:] for token in game.legal()} == {token[-3:] for token in game.legal() if token.startswith("add")}
    top = game.legal()[0]
    assert game.redact(top, 1) == top and game.redact(hand, 1) == hand  # open before, so not hidden
    game.apply(top)
    assert game.stage == 17 and game.turn == CHANCE  # the card under it
    game.apply(game.chance()[0][0])
    assert all(event.startswith("@1=") for event, _ in game.chance())  # only now tribe 1 draws
    game.apply(game.chance()[0][0])
    assert (game.turn, game.tribe) == (1, 1)
    assert "~" in game.text().split()[5]
    conserved(game)


def test_of_equal_piles_the_higher_one_is_used() -> None:
    game = begun(2, Random(1), FirstPlayer="seat-1")
    game.piles[:4] = [(5, 0), (5, 2), (6, 1), (-1, 0)]
    game.hands[2], game.tribe = (2 << 20) + (1 << 24), 2
    game.apply("add1=TRK")
    assert game.piles[:2] == [(5, 0), (-1, 2)]


@pytest.mark.parametrize("options", [{}, READINGS], ids=["default", "readings"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_games(seats: int, options: dict[str, OptionValue]) -> None:
    """Cards are conserved, texts lead back to the same position, and each seat's view agrees with the truth."""
    rng = Random(seats)
    for _ in range(4):
        game = start(seats, **options)
        views = [start(seats, **options) for _ in range(seats)]
        for state, token in play(game, rng):
            conserved(state)
            back = from_text(state.text(), **options)
            assert back.text() == state.text() and back.turn == state.turn
            assert back.legal() == state.legal() and back.chance() == state.chance()
            copy = state.copy()
            assert copy.apply(token) == back.apply(token) == token
            assert copy.text() == back.text()
            for seat, view in enumerate(views):
                assert view.turn == state.turn
                if state.turn == seat:
                    assert view.legal() == state.legal()
                else:
                    assert set(state.legal()) <= set(view.legal()) or (state.night and state.stage == ACT)
                view.apply(state.redact(token, seat))
                assert (view.food, view.places, view.saved) == (copy.food, copy.places, copy.saved)
                assert (view.held, view.left, view.weak, view.deck) == (copy.held, copy.left, copy.weak, copy.deck)
                if rng.random() < 0.1:
                    world = view.fill(rng)
                    conserved(world)
                    assert not any(world.veiled) and "?" not in world.text() and world.turn == view.turn
        assert all(view.returns() == game.returns() for view in views)
        assert sum(game.returns()) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ten_thousand_games_end(seats: int) -> None:
    """A game has at most 16 actions a tribe; what lies between them is bounded, too."""
    rng = Random(seats)
    ends: Counter[str] = Counter()
    for _ in range(10000):
        game = start(seats)
        actions = plies = 0
        while game.turn != OVER:
            token = choose(game, rng)
            actions += token.startswith(("add", "hunt"))
            plies += 1
            game.apply(token)
        assert actions <= 16 * game.tribes and plies < 1200
        ends[game.end()] += 1
    assert set(ends) <= {"played-out", "no-prey"} and ends["played-out"]


@pytest.mark.parametrize("number", [5000, pytest.param(50000, marks=pytest.mark.slow)])
def test_a_view_is_filled_in_proportion(number: int) -> None:
    """Of the cards of a tribe that a seat hasn't seen each is as likely in the hand as any other."""
    view = table("2?~", "CHI / TRK,?x3", mover=1, phase="night", tribes={2: "CHI,DAU,PUNx2;SHA;-;0"})
    rng = Random(7)
    unseen = {"TIN": 1, "COO": 1, "TRK": 1, "PUN": 1, "BAC": 2, "COP": 1, "WEA": 1, "DOG": 1, "TRA": 1}
    in_line: Counter[str] = Counter()
    in_hand: Counter[str] = Counter()
    for _ in range(number):
        words = view.fill(rng).text().split()
        in_line[words[5].split("/")[0][5:8]] += 1
        for item in words[8].split(";")[0].split(","):
            code, _, count = item.partition("x")
            in_hand[code] += int(count or 1)
    in_hand["TRK"] -= number
    assert set(in_line) == set(unseen) == set(in_hand)
    for found, drawn in ((in_line, 1), (in_hand, 3)):
        expected = {code: number * drawn * count / 10 for code, count in unseen.items()}
        chi = sum((found[code] - mean) ** 2 / mean for code, mean in expected.items())
        assert chi < 33.7  # p > 1e-4 with 8 degrees of freedom


def test_what_a_seat_sees() -> None:
    game = start(3, FirstPlayer="seat-1", StartPhase="night")
    assert game.redact("@=P01", 2) == "@=P01"
    tokens(game, "@=P01 @=P02 @=P03")
    assert game.redact("@1=CHI", 0) == "@1=CHI" and game.redact("@1=CHI", 2) == "@1=?"
    night, day = table("", "COO,CHI", phase="night"), table("", "COO,CHI")
    assert [night.redact("add2=COO", seat) for seat in (0, 1)] == ["add2=COO", "add2=?"]
    assert day.redact("add2=COO", 1) == "add2=COO"
    assert table("1COO", "CHI", phase="night").redact("hunt1=CHI", 1) == "hunt1=CHI"


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("add9=CHI", "expected"),
        ("add1=XYZ", "expected"),
        ("add1=TRK", "no such card in the hand"),
        ("@1=TRK", "expected"),
        ("stab1", "expected"),
        ("\xe9", "expected"),
    ],
)
def test_illegal_tokens_change_nothing(token: str, reason: str) -> None:
    game = table("1COO", "CHI")
    before = game.text()
    with pytest.raises(IllegalToken, match=reason):
        game.apply(token)
    assert game.text() == before


def test_chance_tokens_that_cannot_be() -> None:
    game = tokens(table("1TRK", "CHI"), "hunt1=CHI")
    for token in ("@=r4", "@=r4w1", "@=r5r0", "@=", "r4r4", "@=r4r4r4"):
        with pytest.raises(IllegalToken, match="2 red and 0 white"):
            game.apply(token)
    tokens(game, "@=r0r4")
    for token in ("@=P01", "@=P00", "@=P99", "@=Pxx", "@1=P04", "@=\xb2\xb2\xb2"):
        with pytest.raises(IllegalToken):
            game.apply(token)
    tokens(game, "@=P04")
    for token in ("@1=CHI", "@2=COO", "@1=", "@=TRK"):
        with pytest.raises(IllegalToken):
            game.apply(token)
    game.apply("@1=?")
    assert game.veiled[0] == 1


def test_bad_positions() -> None:
    good = table("1COO,2TRK", "CHI / DOG").text()
    for change, reason in (
        (("1COO", "1CHI"), "tribe 1: too many of CHI"),
        (("1COO", "9COO"), "9COO: a card of a line expected"),
        (("P15:", "P20:"), "P15: 0 of it"),
        (("act", "stab"), "the details"),
        (("act", "draw"), None),
        (("flipx5", "flipx6"), "more than 5 day changes"),
        (("CHI;-", "CHI;TRAx2"), "tribe 1: too many of TRA"),
        (("CHI;-;-;-;0", "CHI;-;-;-"), "tribe 1: 4 parts"),
        (("day", "dusk"), "day or night"),
        (("4 1", "6 1"), "seats from 2 to 5"),
        (("4 1 1", "4 1"), "words, should be 13"),
        (("1 1 day act", "3 3 day act"), "the tribe can't act"),
    ):
        if reason is None:
            assert from_text(good.replace(*change)).turn == CHANCE
            continue
        with pytest.raises(ValueError, match=reason) as error:
            from_text(good.replace(*change))
        assert "\n" not in str(error.value)


def test_broken_positions_are_refused_or_can_be_played() -> None:
    """A text with something changed at random is either refused by one line or leads through a whole game."""
    rng = Random(11)
    texts = []
    for seats in (2, 3, 4, 5):
        texts += [state.text() for state, _ in play(start(seats), rng) if rng.random() < 0.2]
    played = 0
    for text in texts:
        words = text.split(" ")
        for _ in range(12):
            changed = words.copy()
            at = rng.randrange(len(changed))
            letters = list(changed[at])
            letters[rng.randrange(len(letters))] = rng.choice("0123456789-?,;:/=+x~!*@PTR")
            changed[at] = "".join(letters)
            try:
                game = from_text(" ".join(changed))
            except ValueError as error:
                assert "\n" not in str(error)
                continue
            played += 1
            for state, _ in play(game, rng):
                assert state.turn == CHANCE or state.legal()
                state.draw()
    assert played > 20


def write(tmp_path: Path, change: dict[str, object]) -> str:
    content = json.loads(book.DEFAULT.read_text(encoding="utf-8"))
    for path, value in change.items():
        *parents, last = path.split(".")
        inner = content
        for name in parents:
            inner = inner[int(name)] if isinstance(inner, list) else inner[name]
        if value is None:
            del inner[last]
        else:
            inner[int(last) if isinstance(inner, list) else last] = value
    file = tmp_path / "cards.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"prey.list.3.min": 99}, r"prey.list\[3\].max: a whole number from 99"),
        ({"prey.list.0.food": [1, 2]}, r"prey.list\[0\].food: a list of 3 to 3 entries"),
        ({"prey.mark": "guessed"}, "prey.mark: one of rulebook, sourced, assumed"),
        ({"tribe.list.0.masks": -1}, r"tribe.list\[0\].masks"),
        ({"tribe.list.0.id": "ogre"}, "'ogre'"),
        ({"tribe.list.0.count": 2}, "add up to 17"),
        ({"setup.hand": 1}, "setup.hand: a whole number from 2 to 16"),
        ({"setup": None}, "'setup' is missing"),
        ({"prey.list": 7}, "prey.list: a list of 1 to 99 entries expected"),
    ],
)
def test_errors_of_a_data_file(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    file = write(tmp_path, change)
    with pytest.raises(ValueError, match=reason) as error:
        start(3, Data=file)
    assert str(error.value).startswith(f"{file}: ") and "\n" not in str(error.value)


def test_a_data_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No such file"):
        start(3, Data=str(tmp_path / "none.json"))
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="not JSON"):
        start(3, Data=str(bad))


def test_figures_of_a_data_file_hold(tmp_path: Path) -> None:
    file = write(tmp_path, {"play.trap_food": 9, "prey.list.14.food": [9, 8, 7], "tribe.list.0.masks": 11})
    game = tokens(table("1COO,2COO,3TRA", "CHI", Data=file), "hunt1=CHI")
    assert game.food == [0, 0, 9, 0]
    game = tokens(table("1TRK,2TRK", "CHI", Data=file), "hunt1=CHI @=r4r4 @=r0r3")
    assert game.food == [9, 8, 0, 0] and game.tally().masks[0] == 11 + 2


def test_dice() -> None:
    assert dict(dice.outcomes(1, 0)) == {"@=r0": 2, "@=r2": 1, "@=r3": 2, "@=r4": 1}
    assert dict(dice.outcomes(0, 1)) == {"@=w0": 1, "@=w1": 3, "@=w2": 2}
    for reds, whites in ((3, 0), (1, 2), (0, 20)):
        assert sum(weight for _, weight in dice.outcomes(reds, whites)) == 6 ** (reds + whites)
        mean = sum(damage * chance for damage, chance in enumerate(dice.distribution(reds, whites)))
        assert mean == pytest.approx(2 * reds + 7 / 6 * whites)
    totals: Counter[int] = Counter()
    for token, weight in dice.outcomes(2, 1):
        totals[dice.totals(2, 1)[token]] += weight
    assert [totals[damage] / 216 for damage in range(11)] == pytest.approx(list(dice.distribution(2, 1)))


def test_a_lone_trap_may_be_played_where_it_is_barred_else() -> None:
    alone = table("1COO", "TRA", TrapInFirstTwo="illegal-by-day")
    assert alone.legal() == ["add1=TRA", "add2=TRA", "add3=TRA", "add4=TRA"]
    seen = table("1COO", "- / ?", mover=2, TrapInFirstTwo="illegal-by-day")
    assert "add1=TRA" in seen.legal()
    assert "2TRA" in tokens(seen, "add1=TRA").text()
    assert "add1=TRA" not in table("1COO", "- / ?x2", mover=2, TrapInFirstTwo="illegal-by-day").legal()


def test_options_are_known() -> None:
    assert set(READINGS) | {"Data"} == set(DEFAULTS)
