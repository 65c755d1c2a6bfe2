"""How hunts of Trol are decided: each case is small enough to check by hand. P15 takes 11 to 14 and feeds 6, 4, 2."""

from __future__ import annotations

import pytest
from thudstone.engine.cards.trol.state import Trol
from thudstone.engine.cards.trol.tribe import CODES, listed
from thudstone.engine.game import CHANCE, IllegalToken
from trol_games import conserved, table, tokens


def heap(cards: int) -> str:
    return " ".join(CODES[kind] for kind in listed(cards))


def trophies(game: Trol, tribe: int) -> list[str]:
    return [game.book.cards.prey[kind].code for kind in game.trophies[tribe - 1]]


@pytest.mark.parametrize(
    ("rolls", "food", "skulls"),
    [
        ("@=r4r4 @=r0r2 @=r0r0", [0, 0, 0, 0], []),  # 10
        ("@=r4r4 @=r0r3 @=r0r0", [6, 4, 2, 0], [1]),  # 11
        ("@=r4r4 @=r3r3 @=r0r0", [6, 4, 2, 0], [1]),  # 14
        ("@=r4r4 @=r3r4 @=r0r0", [0, 0, 0, 0], [2]),  # 15: the second card went over
        ("@=r4r4 @=r2r4 @=r0r2", [0, 0, 0, 0], [3]),
    ],
)
def test_the_total_decides(rolls: str, food: list[int], skulls: list[int]) -> None:
    game = tokens(table("1TRK,2TRK,3TRK", "CHI"), f"hunt1=CHI {rolls}")
    assert game.food == food
    assert [tribe for tribe in range(1, 5) if trophies(game, tribe)] == skulls
    survived = ["CHI TRK", "TRK", "TRK", ""] if any(food) or skulls else ["", "", "", ""]
    assert [heap(cards) for cards in game.saved] == survived
    assert game.chance()[0][0] == "@=P04"  # the place is refilled
    conserved(game)


def test_who_may_begin_a_hunt() -> None:
    game = table("1DOG / 2TRK", "CHI,TRA")
    hunts = [token for token in game.legal() if token.startswith("hunt")]
    assert hunts == ["hunt1=CHI"]  # a lone dog of the tribe is enough; a Trap or a dog can't begin
    for token, reason in (("hunt1=TRA", "expected"), ("hunt2=CHI", "no card there"), ("hunt1=TRK", "in the hand")):
        before = game.text()
        with pytest.raises(IllegalToken, match=reason):
            game.apply(token)
        assert game.text() == before


def test_the_starter_takes_no_part_but_shares_the_fate() -> None:
    lost = tokens(table("1COO", "CHI"), "hunt1=CHI")
    assert lost.total == 0 and heap(lost.gone[0]) == "CHI COO" and not lost.saved[0] and lost.wasted == (14,)
    won = tokens(table("2DOG,1TRK", "CHI", prey="P05"), "hunt1=CHI @=r3r4")
    assert won.total == 9 and trophies(won, 1) == ["P05"] and heap(won.saved[0]) == "CHI TRK"  # shredded: 6 to 8


def test_food_of_missing_trolls_is_lost() -> None:
    game = tokens(table("1TRK,2TRK", "CHI"), "hunt1=CHI @=r4r4 @=r0r4")
    assert game.food == [6, 4, 0, 0]


def test_a_fifth_troll_survives_hungry() -> None:
    game = tokens(table("1TRK,2TRK,3TRK,4TRK,2COO", "CHI"), "hunt1=CHI @=r4r4 @=r0r4 @=r0r0 @=r0r0 nocook")
    assert game.food == [6, 4, 2, 0] and heap(game.saved[3]) == "TRK" and heap(game.saved[1]) == "COO TRK"


def test_a_dog_eats_first_and_two_share() -> None:
    game = tokens(table("4DOG,1TRK,2TRK,3TRK", "CHI"), "hunt1=CHI @=r4r4 @=r0r3 @=r0r0")
    assert game.food == [4, 2, 0, 6]
    game = tokens(table("4DOG,1TRK,2TRK,3DOG", "CHI", prey="P11"), "hunt1=CHI @=r0r4 @=r0r3")  # 9 to 12: 5, 4, 2
    assert game.food == [4, 2, 2, 2]


@pytest.mark.parametrize(("before", "dice"), [(0, 4), (1, 3), (2, 2), (3, 1), (5, 1)])
def test_tiny_rolls_fewer_dice_behind_others(before: int, dice: int) -> None:
    line = ",".join([*["2COO", "3COO", "4COO", "2DOG", "3TRA"][:before], "1TIN"])
    game = tokens(table(line, "CHI"), "hunt1=CHI")
    assert game.turn == CHANCE and (game.reds, game.whites) == (dice, 0)
    assert game.chance()[0] == ("@=" + "r0" * dice, 2**dice)


def test_tiny_counts_removed_cards_by_option() -> None:
    for option, dice in ((False, 4), (True, 3)):
        game = tokens(table("2TRA,1TIN", "CHI", TinyCountsRemoved=option), "hunt1=CHI")
        assert game.reds == dice  # the Trap was played first, so it is gone


def test_punchers_roll_a_die_for_each_puncher() -> None:
    game = tokens(table("1PUN,2PUN,3PUN", "CHI"), "hunt1=CHI")
    for _ in range(3):
        assert (game.reds, game.whites) == (0, 3)
        game.apply("@=w0w1w2")
    assert game.total == 9
    game = tokens(table("1PUN,2PUN,3PUN,4COP", "CHI"), "hunt1=CHI")
    for _ in range(4):
        assert (game.reds, game.whites) == (0, 4)
        game.apply("@=w0w1w2w2")
    assert game.total == 20


def test_the_daughter_counts_trolls() -> None:
    game = tokens(table("2COO,3COO,4DOG,1DAU", "CHI"), "hunt1=CHI")
    assert game.total == 2 + 3


def test_a_copycat_without_a_troll_before_it() -> None:
    game = tokens(table("2DOG,1COP,3TRK", "CHI", prey="P05"), "hunt1=CHI @=r0r4")
    assert game.total == 6 and game.food == [3, 4, 1, 0]


def test_a_copycat_copies_what_is_left() -> None:
    game = table("2TRK,3BAC,1COP,4BAC", "CHI")
    tokens(game, "hunt1=CHI stab4 @=r0")  # the first Backstabber fails at the second
    assert game.turn == 0 and game.legal() == ["stab1", "stab2", "stab3", "stab4", "nostab"]  # the Copycat is the next
    tokens(game, "stab2 @=r2")
    assert heap(game.gone[2]) == "BAC" and game.turn == 3  # the other Backstabber
    tokens(game, "nostab")
    assert game.reds == 2  # the Tracker
    tokens(game, "@=r4r4")
    assert game.step == 1 and game.reds == 2  # the Copycat is a Tracker now
    conserved(game)


def test_a_copycat_copies_through_a_copycat() -> None:
    game = tokens(table("2TRK,3COP,1COP", "CHI"), "hunt1=CHI")
    for step in range(3):
        assert (game.step, game.reds, game.whites) == (step, 2, 0)
        game.apply("@=r0r0")


def test_a_copycat_that_comes_to_copy_a_backstabber_may_still_betray() -> None:
    game = tokens(table("2BAC,3TRK,1COP,4BAC", "CHI"), "hunt1=CHI nostab")
    assert game.turn == 3  # the Copycat is a Tracker
    tokens(game, "stab2 @=r3")
    assert game.turn == 0 and game.step == 1  # and now a Backstabber that had no turn yet
    tokens(game, "nostab")
    assert game.turn == CHANCE and game.reds == 1


def test_betrayal_is_nearest_first_and_a_removed_card_does_not_act() -> None:
    game = tokens(table("2BAC,3BAC,1TRK", "CHI"), "hunt1=CHI")
    assert game.turn == 1
    tokens(game, "stab2 @=r2")
    assert game.turn == CHANCE and game.step == 0 and game.reds == 1  # bashing: the first Backstabber's one die
    assert heap(game.gone[2]) == "BAC"
    itself = tokens(table("2BAC,1TRK", "CHI"), "hunt1=CHI stab1 @=r4")
    assert heap(itself.gone[1]) == "BAC" and itself.reds == 2
    other = tokens(table("2BAC,1TRK", "CHI", BackstabberTargetsSelf=False), "hunt1=CHI")
    assert other.legal() == ["stab2", "nostab"]


def test_traps_played_first_or_second_are_removed() -> None:
    game = tokens(table("2TRA,3TRA,4TRA,1COO", "CHI"), "hunt1=CHI")
    assert [heap(cards) for cards in game.gone] == ["CHI", "TRA", "TRA", ""]  # the third stays, and snaps
    assert game.food == [0, 0, 0, 5] and heap(game.saved[3]) == "TRA" and heap(game.saved[0]) == "COO"


def test_a_trap_that_comes_to_be_second_stays() -> None:
    game = tokens(table("2COO,3BAC,4TRA,1COO", "CHI"), "hunt1=CHI stab1 @=r2 @=r0")
    assert game.food == [0, 0, 0, 5] and heap(game.gone[1]) == "COO" and heap(game.gone[2]) == "BAC"


def test_a_trap_is_discarded_when_the_hunt_does_not_fail() -> None:
    for roll, food in (("@=r4r4 @=r0r3", [6, 4, 0, 0]), ("@=r4r4 @=r4r4", [0, 0, 0, 0])):
        game = tokens(table("1TRK,2TRK,3TRA", "CHI"), f"hunt1=CHI {roll}")
        assert game.food == food and heap(game.gone[2]) == "TRA"


def test_a_snapping_trap() -> None:
    line = "1COO,2COO,3TRA,4COO"
    own = tokens(table("1COO,2COO,3TRA,4COO,3COO", "- / - / CHI", mover=3), "hunt1=CHI")
    assert own.food == [0, 0, 5, 0] and trophies(own, 3) == ["P15"]
    assert [heap(cards) for cards in own.saved] == ["", "", "CHI COO TRA", "COO"]
    other = tokens(table(line, "CHI"), "hunt1=CHI")
    assert other.food == [0, 0, 5, 0] and other.wasted == (14,) and heap(other.gone[0]) == "CHI COO"
    assert [heap(cards) for cards in other.saved] == ["", "", "TRA", "COO"]
    gone = tokens(table(line, "CHI", SnappedTrapSurvives=False), "hunt1=CHI")
    assert heap(gone.gone[2]) == "TRA" and not gone.saved[2]


def test_only_the_first_of_two_traps_works() -> None:
    game = tokens(table("1COO,2COO,3TRA,4TRA", "CHI"), "hunt1=CHI")
    assert game.food == [0, 0, 5, 0] and heap(game.saved[3]) == "TRA"


def test_a_trap_by_day_may_be_illegal_by_option() -> None:
    game = table("1COO / 1TRK,2TRK", "TRA", TrapInFirstTwo="illegal-by-day")
    assert game.legal() == ["add2=TRA"]
    with pytest.raises(IllegalToken, match="by day"):
        game.apply("add1=TRA")
    assert "add1=TRA" in table("1COO", "TRA", phase="night", TrapInFirstTwo="illegal-by-day").legal()


def test_a_weakling_in_the_line_adds_or_takes_away() -> None:
    game = tokens(table("1TRK,2TRK,3WEA", "CHI"), "hunt1=CHI @=r4r4 @=r3r4")
    assert game.turn == 2 and game.legal() == ["+1", "-1"]
    assert tokens(game.copy(), "-1").food == [6, 4, 2, 0]
    shredded = tokens(game.copy(), "+1")
    assert shredded.food == [0, 0, 0, 0] and trophies(shredded, 2) == ["P15"]


def test_who_comes_back_over_the_limit_gets_the_prey() -> None:
    game = tokens(table("1TRK,2TRK,3WEA,4DOG", "CHI"), "hunt1=CHI @=r4r4 @=r3r4 -1")  # 15, 14, 16
    assert trophies(game, 4) == ["P15"]


def test_a_weakling_out_of_the_hand() -> None:
    # Tribes 1 and 2 are in the line and hold cards; 4 takes no part, 3 has no cards.
    game = tokens(table("1TRK,2TRK", "CHI,COO / WEA,COO / - / WEA,COO"), "hunt1=CHI @=r4r4 @=r0r2")
    assert game.turn == 0 and game.legal() == ["no"]  # who hasn't got it is asked as well
    game.apply("no")
    assert game.turn == 1 and game.legal() == ["weakling", "no"]
    assert tokens(game.copy(), "no").food == [0, 0, 0, 0]
    game.apply("weakling")
    assert game.food == [6, 4, 0, 0] and heap(game.gone[1]) == "WEA" and game.held[1] == 1 and game.left[1] == 13
    assert heap(game.saved[1]) == "TRK"
    conserved(game)


def test_a_weakling_out_of_the_hand_may_shred() -> None:
    game = tokens(table("1TRK,2TRK", "CHI / WEA,COO"), "hunt1=CHI @=r4r4 @=r3r3 weakling")
    assert trophies(game, 2) == ["P15"]
    eats = tokens(table("1TRK,2TRK", "CHI / WEA,COO", WeaklingFromHandEats=True), "hunt1=CHI @=r4r4 @=r0r4 weakling")
    assert eats.food == [6, 4 + 2, 0, 0]


def test_who_takes_part_after_a_betrayal() -> None:
    line, hands = "2BAC,1TRK,3TRK", "CHI / COO / WEA,COO"
    for option, turn in (("in-line", 1), ("any-card", 1)):
        game = tokens(table(line, hands, WeaklingFromHand=option), "hunt1=CHI stab3 @=r2 @=r0 @=r4r4")
        assert game.turn == turn  # tribe 2 is asked
        game.apply("no")
        assert (game.turn == 2) == (option == "any-card")  # tribe 3's only card was removed


def test_who_has_shown_the_weakling_is_not_asked() -> None:
    game = tokens(table("1TRK,2WEA", "CHI / COO"), "hunt1=CHI @=r0r0 +1")
    assert game.turn == CHANCE and not any(game.food)


def test_a_shaman_forces_one_roll_of_a_hunt() -> None:
    game = tokens(table("1TRK,2SHA,3TRK", "CHI"), "hunt1=CHI @=r0r0")
    assert game.turn == 1 and game.legal() == ["force", "keep"]
    tokens(game, "force")
    assert game.turn == CHANCE and (game.reds, game.whites) == (2, 0)
    tokens(game, "@=r4r4")
    assert game.turn == 1 and game.legal() == ["w", "r"] and game.total == 8  # the second result stands
    tokens(game, "w @=w2")
    assert game.turn == CHANCE and game.step == 2  # not asked again


def test_two_shamans_are_asked_one_after_another() -> None:
    game = tokens(table("1TRK,2SHA,3SHA", "CHI"), "hunt1=CHI @=r0r0 keep")
    assert game.turn == 2
    tokens(game, "force @=r0r2")
    assert game.turn == 1  # may have the new roll made again
    tokens(game, "force @=r4r4")
    assert game.total == 8


def test_a_shaman_and_its_own_roll() -> None:
    game = tokens(table("1SHA", "CHI"), "hunt1=CHI r @=r0")
    assert game.turn == 0 and game.legal() == ["force", "keep"]
    other = tokens(table("1SHA", "CHI", ShamanRerollsSelf=False), "hunt1=CHI r @=r0")
    assert other.turn == CHANCE and other.wasted == (14,)


def test_a_copycat_as_a_shaman_has_its_own_reaction() -> None:
    game = tokens(table("1TRK,2SHA,3COP", "CHI"), "hunt1=CHI @=r0r0 force @=r0r0")
    assert game.turn == 2 and game.legal() == ["force", "keep"]
    tokens(game, "force @=r4r4")
    assert game.total == 8


def test_a_shaman_in_the_betrayal() -> None:
    game = tokens(table("2BAC,3SHA,1COO", "CHI"), "hunt1=CHI stab2 @=r0")
    assert game.turn == 2 and game.legal() == ["force", "keep"]
    only = table("2BAC,4COP,3SHA,1COO", "CHI", ShamanInBetrayal="copycat-only")
    tokens(only, "hunt1=CHI stab4 @=r0")
    assert only.turn == 3  # not asked about the Backstabber; the Copycat's turn
    tokens(only, "stab1 @=r0")
    assert only.turn == 2
    gone = tokens(table("2BAC,3SHA,1TRK", "CHI"), "hunt1=CHI stab2 @=r2 keep @=r0")
    assert heap(gone.gone[2]) == "SHA" and gone.turn == CHANCE  # a removed Shaman doesn't react


def test_the_chief_mixes_dice() -> None:
    game = tokens(table("1CHI", "TRK"), "hunt1=TRK")
    assert game.legal() == ["www", "rww", "rrw", "rrr"]
    game.apply("rww")
    assert (game.reds, game.whites) == (1, 2)
    assert game.apply("@=w2r4w1") == "@=r4w1w2"
    assert game.total == 7


def test_a_cook_doubles_one_own_share() -> None:
    game = tokens(table("1TRK,2TRK,1COO", "CHI"), "hunt1=CHI @=r4r4 @=r0r3")
    assert game.turn == 0 and game.legal() == ["cook1", "cook3", "nocook"]
    assert tokens(game.copy(), "cook1").food == [6 * 2 + 2, 4, 0, 0]
    assert tokens(game.copy(), "cook3").food == [6 + 2 * 2, 4, 0, 0]
    assert tokens(game.copy(), "nocook").food == [8, 4, 0, 0]
    dog = tokens(table("4DOG,2TRK,1TRK,4COO", "CHI"), "hunt1=CHI @=r4r4 @=r0r3")
    assert dog.food == [2, 4, 0, 6] and dog.turn == CHANCE  # a dog's food isn't doubled, and the cook got nothing


def test_two_cooks() -> None:
    line = "1TRK,2TRK,1COO,1COP"
    game = tokens(table(line, "CHI"), "hunt1=CHI @=r4r4 @=r0r3 cook1")
    assert game.legal() == ["cook3", "nocook"]
    stacked = tokens(table(line, "CHI", CookStack=True), "hunt1=CHI @=r4r4 @=r0r3 cook1")
    assert stacked.legal() == ["cook1", "cook3", "nocook"]
    assert tokens(stacked, "cook1").food == [6 * 4 + 2, 4, 0, 0]


def test_a_copycat_may_decline_by_option() -> None:
    game = tokens(table("2TRK,1COP", "CHI", CopycatMayDecline=True), "hunt1=CHI @=r0r0")
    assert game.turn == 0 and game.legal() == ["copy", "plain"]
    assert tokens(game.copy(), "copy").reds == 2 and tokens(game.copy(), "copy").turn == CHANCE
    assert tokens(game.copy(), "plain").wasted == (14,)


def test_cards_laid_by_night_are_shown_when_the_hunt_begins() -> None:
    game = table("1TRK", "COO,CHI / TRA,COO", phase="night")
    assert game.redact("add1=COO", 0) == "add1=COO" and game.redact("add1=COO", 1) == "add1=?"
    tokens(game, "add1=COO @1=TRK add1=COO @2=TRK add1=TRK @1=DOG add1=TRK @2=PUN")
    flipped = table("1TRK,2COO~", "CHI / TRA", phase="day")
    assert "2COO~" in flipped.text()  # lies face down still
    tokens(flipped, "hunt1=CHI")
    assert flipped.chance() == [("!COO", 1)]
    with pytest.raises(IllegalToken, match="!COO expected, the card at place 2"):
        flipped.apply("!TRK")
    assert "~" not in tokens(flipped, "!COO").text()


def test_a_card_laid_by_day_must_be_shown() -> None:
    game = table("", "COO,?x2", phase="day")
    with pytest.raises(IllegalToken, match="must be shown"):
        game.apply("add1=?")
    night = table("", "COO,?x2", phase="night")
    assert night.legal()[-1] == "add4=?"
    night.apply("add1=?")
    assert "1?~" in night.text()
