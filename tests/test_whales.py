"""The rules of Whales: every case of its rule text, every option, every token that is refused."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from thudstone.engine.cards.whales import claim as claims
from thudstone.engine.cards.whales.data import DEFAULT
from thudstone.engine.cards.whales.roles import ROLES, RoleDeck
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.game import CHANCE, IllegalToken, OptionValue
from whales_games import EXPANSION, PLAIN, after, answering, army, at_random, cards_of, play, shown


@pytest.mark.parametrize(
    ("seats", "options", "cards", "roles"),
    [
        (3, PLAIN, 56, {"whale": 2, "spy": 1}),
        (4, PLAIN, 56, {"whale": 3, "spy": 1}),
        (5, PLAIN, 78, {"whale": 4, "spy": 1}),
        (6, PLAIN, 78, {"whale": 4, "spy": 2}),
        (3, EXPANSION, 73, None),
        (4, EXPANSION, 73, None),
        (5, EXPANSION, 75, None),
        (6, EXPANSION, 75, None),
        (7, PLAIN, 75, None),
        (7, {"SevenPlayers": "as-eight"}, 90, None),
        (8, PLAIN, 90, None),
    ],
)
def test_decks(seats: int, options: dict[str, OptionValue], cards: int, roles: dict[str, int] | None) -> None:
    state = Whales.start(seats, options)
    assert state.left == cards
    rng = Random(seats)
    for _ in range(20):
        end, _ = play(seats, options, rng)
        dealt = [ROLES[role] for role in end.roles]
        if roles is not None:
            assert {role: dealt.count(role) for role in set(dealt)} == roles
        assert "whale" in dealt and "spy" in dealt
        assert seats >= 5 or "were" not in dealt
        assert seats >= 6 or dealt.count("spy") == 1


def test_each_starts_with_two_whales() -> None:
    def seen(state: Whales, token: str) -> None:
        if token.startswith("@=first"):
            assert [sum(map(len, state.sets[3 * seat : 3 * seat + 3])) for seat in range(state.seats)] == [
                2
            ] * state.seats
            assert not any(state.heroes)

    for seats in range(3, 9):
        play(seats, EXPANSION, Random(seats), at_random, seen)


def test_the_weights_of_the_role_deal_are_those_of_the_cards() -> None:
    """Every order of every role deck of four seats, counted one by one."""
    pool = ["whale", "whale", "spy", "turtle", "dolphin"]
    counts: dict[tuple[str, ...], int] = {}
    for drawn in permutations(range(len(pool)), 2):
        if drawn[0] > drawn[1]:
            continue
        deck = ["whale", "spy", *(pool[number] for number in drawn)]
        for order in permutations(range(4)):
            dealt = tuple(deck[number] for number in order)
            counts[dealt] = counts.get(dealt, 0) + 1
    deck_ = RoleDeck(4, (1, 1, 0, 0, 0, 0), (2, 1, 1, 1, 0, 0))
    total = sum(counts.values())
    for dealt, count in counts.items():
        share = 1.0
        known = [0] * len(ROLES)
        for role in map(ROLES.index, dealt):
            weights = deck_.weights(tuple(known), 0, False)
            share *= weights[role] / sum(weights)
            known[role] += 1
        assert share == pytest.approx(count / total)
    # Two later seats and this one are known not to be the Turtle: the last must be it, if there is one.
    fits = [dealt for dealt in counts if "turtle" not in dealt[:3]]
    weights = deck_.weights((0,) * 6, 2, True)
    for number, name in enumerate(ROLES):
        share = sum(counts[dealt] for dealt in fits if dealt[0] == name) / sum(counts[dealt] for dealt in fits)
        assert weights[number] / sum(weights) == pytest.approx(share)


def test_a_kept_card_and_a_refused_one() -> None:
    state = answering({1: "r1,b1", 2: "g1", 3: "g2"}, "r3")
    assert state.turn == 1
    assert (army(after(state.copy(), "keep", "!r3"), 2), army(after(state.copy(), "refuse", "!r3"), 1)) == (
        "r3 / - / g1 +0H",
        "r1 r3 / b1 / - +0H",
    )
    assert state.copy().apply("refuse") == "refuse"
    following = after(state.copy(), "keep", "!r3")
    assert (following.turn, following.mover) == (CHANCE, 1)


def test_the_third_of_a_colour() -> None:
    state = after(answering({1: "b3,b1", 2: "r1,r2,g4", 3: "r5,r4,b2,H"}, "r3"), "keep", "!r3")
    assert (state.turn, army(state, 2)) == (1, "- / - / g4 +0H")
    assert {"r1", "r2", "r3"} <= {name for name, count in zip(state.table.name, state.gone, strict=True) if count}
    assert state.legal() == ["steal1=b1", "steal3=r4", "steal3=b2", "steal3=H"], "the weakest of each set only"
    for token in ("steal3=r5", "steal2=g4", "steal1=H", "nosteal", "keep"):
        assert not state.is_legal(token)
    taken = after(state.copy(), "steal3=H")
    assert (army(taken, 2), army(taken, 3)) == ("- / - / g4 +1H", "r4 r5 / b2 / - +0H")
    # A stolen third discards that set, too, and steals again.
    chain = after(answering({1: "b3", 2: "r1,r2,b1,b2", 3: "b4"}, "r3"), "keep", "!r3", "steal3=b4")
    assert (army(chain, 2), chain.legal()) == ("- / - / - +0H", ["steal1=b3"])


def test_steals_can_be_left_only_with_the_option() -> None:
    options = {"StealCompulsory": False}
    state = after(answering({2: "r1,r2", 3: "b1"}, "r3", options=options), "keep", "!r3")
    assert state.legal() == ["steal3=b1", "nosteal"]
    assert after(state, "nosteal").turn == CHANCE
    nothing = after(answering({2: "r1,r2"}, "r3"), "keep", "!r3")
    assert nothing.turn == CHANCE, "where nobody has a card to steal, the turn ends"


@pytest.mark.parametrize(("answer", "armies"), [("keep", {2: "r1,H,H"}), ("refuse", {1: "r1,H,H"})])
def test_the_third_superhero_ends_the_game(answer: str, armies: dict[int, str]) -> None:
    state = shown(after(answering({**armies, 3: "b10,g10"}, "H"), answer, "!H"))
    assert (state.end(), state.returns()) == ("heroes", (0.0, 0.0, 1.0))


def test_a_stolen_third_superhero_ends_it_too() -> None:
    state = after(answering({2: "r1,r2,H,H", 3: "H"}, "r3"), "keep", "!r3", "steal3=H")
    assert shown(state).end() == "heroes"


def test_turtles() -> None:
    state = after(answering({1: "b1", 2: "r1,r4,H"}, "T"), "keep", "!T")
    assert (state.turn, state.legal()) == (1, ["lose=r1", "lose=r4", "lose=H"])
    assert army(after(state.copy(), "lose=r4"), 2) == "r1 / - / - +1H"
    last = after(state, "lose=H")
    assert (army(last, 2), last.turn, last.gone[last.table.turtle]) == ("r1 r4 / - / - +0H", CHANCE, 1)
    refused = after(answering({1: "b1", 2: "r1"}, "T"), "refuse", "!T")
    assert (refused.turn, refused.legal()) == (0, ["lose=b1"])
    assert after(answering({1: "b1"}, "T"), "keep", "!T").turn == CHANCE, "an empty army loses nothing"


def test_six_whales_end_the_game_and_the_strongest_wins() -> None:
    state = shown(after(answering({1: "r10,b10,g10", 2: "r1,r2,b1,b2,g1", 3: "r3"}, "g2"), "keep", "!g2"))
    assert (state.end(), state.score(), state.returns()) == ("six", (30, 9, 3), (1.0, 0.0, 0.0))


def test_scoring_takes_the_weakest_for_each_superhero() -> None:
    state = answering({1: "r6,r10,b3,b4,g1,g2,H,H", 2: "r1,H,H", 3: "b1"}, "r2")
    assert state.score() == (23, 0, 1)


def test_the_superspy_never_wins_by_strength() -> None:
    armies = {1: "r1", 2: "r2,r3,b1,b2,g1", 3: "r10,b10"}
    state = shown(after(answering(armies, "g2"), "keep", "!g2"))
    assert (state.score(), state.returns()) == ((1, 11, 20), (0.0, 1.0, 0.0))


def test_the_deck_ends_the_game() -> None:
    def seen(state: Whales, token: str) -> None:
        if token.startswith("@") and state.mover >= 0 and not state.hand and "first" not in token:
            assert state.left >= 2

    reasons = set()
    for seed in range(60):
        state, _ = play(3, PLAIN, Random(seed), at_random, seen)
        reasons.add(state.end())
        if state.end() == "deck":
            assert state.left < 2
            whales = [seat for seat, role in enumerate(state.roles) if role == 0]
            best = max(state.score()[seat] for seat in whales)
            winners = [seat for seat in whales if state.score()[seat] == best]
            assert state.returns() == tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(3))
    assert reasons == {"heroes", "six", "deck"}


SIX = "whale,whale,spy,spy,whale,whale"


@pytest.mark.parametrize(
    ("roles", "holder", "options", "winners"),
    [
        (SIX, 3, PLAIN, {3}),
        (SIX, 2, PLAIN, {3, 4}),
        ("whale,whale,spy,spy,turtle,whale", 5, EXPANSION, {3, 4}),
        ("whale,whale,spy,spy,turtle,whale", 5, {**EXPANSION, "TwoSpiesThirdRole": "nobody-wins"}, {1, 2, 3, 4, 5, 6}),
        ("whale,whale,spy,spy,henchman,whale", 3, EXPANSION, {5}),
        ("whale,whale,spy,spy,henchman,whale", 5, EXPANSION, {3, 4}),
        ("whale,henchman,spy,whale", 3, EXPANSION, {2}),
        ("whale,henchman,spy,whale", 2, EXPANSION, {3}),
        ("whale,henchman,spy,whale", 4, EXPANSION, {3}),
    ],
)
def test_who_wins_by_superheroes(roles: str, holder: int, options: dict[str, OptionValue], winners: set[int]) -> None:
    armies = {seat: f"{'rbg'[seat % 3]}{1 + seat // 3}" for seat in range(1, len(roles.split(",")) + 1)}
    state = answering({**armies, holder: "H,H"}, "H", roles, options, target=str(holder))
    state = shown(after(state, "keep", "!H"))
    assert state.end() == "heroes"
    assert {seat + 1 for seat, share in enumerate(state.returns()) if share} == winners
    assert sum(state.returns()) == pytest.approx(1)


def test_ties() -> None:
    armies = {1: "r6,b2,H,r1", 2: "r2,r3,b1,g1,g2", 3: "g10"}
    assert shown(after(answering(armies, "b3"), "keep", "!b3")).returns() == (0.0, 1.0, 0.0)
    tied = {1: "r5,b5,g1,H", 2: "r2,r1,b1,g1,g2", 3: "g10"}
    for tie, won in (("shared", (0.5, 0.5, 0.0)), ("fewer-heroes-then-highest-whale", (0.0, 1.0, 0.0))):
        state = shown(after(answering(tied, "b3", options={"ScoreTie": tie}), "keep", "!b3"))
        assert (state.end(), state.score()[:2], state.returns()) == ("six", (10, 10), won)


def test_the_dolphin_role_wins_by_completing_three_sets() -> None:
    armies = {1: "r10,b10,g10", 2: "r1,r2,b1,b2,g1", 3: "r3", 4: "r4"}
    state = answering(armies, "g2", "whale,dolphin,spy,whale", EXPANSION)
    assert shown(after(state, "keep", "!g2")).returns() == (0.0, 1.0, 0.0, 0.0)
    other = answering({**armies, 1: armies[2], 2: armies[1]}, "g2", "whale,dolphin,spy,whale", EXPANSION)
    assert shown(after(other, "refuse", "!g2")).returns() == (1.0, 0.0, 0.0, 0.0), "only if he completes them himself"


WERE = "whale,whale,spy,were,turtle"


def test_the_were_whale_names_all_roles() -> None:
    armies = {1: "r10,b10,g10", 2: "r1,r2,b1,b2,g1", 3: "r3", 4: "r4", 5: "r5"}
    start = after(answering(armies, "g2", WERE, EXPANSION), "keep", "!g2")
    assert (start.turn, start.legal()) == (0, ["pass"]), "everybody is asked, the others have nothing to say"
    asked = after(start, "pass", "pass", "pass")
    assert asked.turn == 3
    assert asked.legal()[0] == "pass" and "is1=whale" in asked.legal()
    right = after(asked.copy(), "is1=whale", "is2=whale", "is3=spy", "is5=turtle")
    assert right.turn == 4
    assert shown(right).returns() == (0.5, 0.0, 0.0, 0.5, 0.0)
    wrong = after(asked.copy(), "is1=whale", "is2=spy", "is3=whale", "is5=turtle")
    assert shown(wrong).returns() == (1.0, 0.0, 0.0, 0.0, 0.0)
    with pytest.raises(IllegalToken, match="pass or is1=whale"):
        asked.copy().apply("is2=whale")
    alone = after(answering(armies, "g2", WERE, {**EXPANSION, "WereWhale": "were-whale-alone"}), "keep", "!g2")
    alone = after(alone, "pass", "pass", "pass", "is1=whale", "is2=whale", "is3=spy", "is5=turtle")
    assert shown(alone).returns() == (0.0, 0.0, 0.0, 1.0, 0.0)


def test_a_triple_dolphin_makes_room_for_a_third() -> None:
    roles = "whale,whale,spy"
    third = after(answering({2: "r1,r2", 3: "b1"}, "r3t", roles, EXPANSION), "keep", "!r3t")
    assert army(third, 2) == "r1 r2 r3t / - / - +0H"
    inside = after(answering({2: "r1,r3t", 3: "b1"}, "r2", roles, EXPANSION), "keep", "!r2")
    assert army(inside, 2) == "r1 r2 r3t / - / - +0H"
    fourth = after(answering({2: "r1,r2,r3t", 3: "b1"}, "r4", roles, EXPANSION), "keep", "!r4")
    assert (army(fourth, 2), fourth.legal()) == ("- / - / - +0H", ["steal3=b1"])
    orphaned = answering({2: "r1,r2,r4", 3: "b1"}, "r3", roles, EXPANSION)
    assert army(orphaned, 2) == "r1 r2 r4 / - / - +0H", "three stay when the dolphin has left"
    assert army(after(orphaned, "keep", "!r3"), 2) == "- / - / - +0H"


def test_universal_dolphins() -> None:
    roles = "whale,whale,spy"
    state = after(answering({2: "r1,r2", 3: "b1"}, "u2", roles, EXPANSION), "keep", "!u2")
    assert (state.turn, state.legal()) == (1, ["set=red", "set=blue", "set=grey"])
    assert army(after(state.copy(), "set=blue"), 2) == "r1 r2 / u2b / - +0H"
    full = after(state, "set=red")
    assert (army(full, 2), full.legal()) == ("- / - / - +0H", ["steal3=b1"])
    assert full.gone[full.table.index["u2"]] == 1
    stolen = after(answering({2: "r1,r2", 3: "u2b"}, "r3", roles, EXPANSION), "keep", "!r3", "steal3=u2b")
    assert stolen.legal() == ["set=red", "set=blue", "set=grey"], "it is placed anew"
    options = {**EXPANSION, "UniversalReplaced": False}
    stolen = after(answering({2: "r1,r2", 3: "u2b"}, "r3", roles, options), "keep", "!r3", "steal3=u2b")
    assert army(stolen, 2) == "- / u2b / - +0H"


def test_protected_and_purging_dolphins() -> None:
    roles = "whale,whale,spy"
    state = after(answering({2: "r1,r2", 3: "b3u,b4,g3u,H"}, "r3", roles, EXPANSION), "keep", "!r3")
    assert state.legal() == ["steal3=b4", "steal3=H"]
    options = {**EXPANSION, "StealSkipsProtected": False}
    state = after(answering({2: "r1,r2", 3: "b3u,b4,g3u,H"}, "r3", roles, options), "keep", "!r3")
    assert state.legal() == ["steal3=H"]
    assert answering({2: "r2p,r5,b1,H,H"}, "r3", roles, EXPANSION).score()[1] == 7, "one of the two is sent away"


TURTLE = "whale,turtle,spy,whale"


def test_the_turtle_role() -> None:
    robbed = after(answering({1: "r1,r2", 2: "b1", 3: "g1", 4: "g2"}, "r3", TURTLE, EXPANSION), "refuse", "!r3")
    robbed = after(robbed, "steal2=b1")
    assert robbed.chance() == [("!2=turtle", 1)]
    assert shown(robbed).returns() == (0.0, 1.0, 0.0, 0.0)
    own = after(answering({1: "b1", 2: "r1,r2", 3: "g1,H", 4: "g2"}, "r3", TURTLE, EXPANSION), "keep", "!r3")
    assert shown(after(own.copy(), "steal3=H")).end() == "turtle"
    assert after(own, "steal3=g1").turn == CHANCE and own.why == "", "a stolen whale keeps the game going"
    for check, ends in (("after-effects", True), ("after-any-steal", False), ("stolen-from-only", False)):
        options = {**EXPANSION, "TurtleRole": check}
        lost = after(answering({1: "b1", 2: "r1", 3: "g1", 4: "g2"}, "T", TURTLE, options), "keep", "!T", "lose=r1")
        assert (lost.chance() == [("!2=turtle", 1)]) == ends
    other = after(answering({1: "r1,r2", 2: "g2", 3: "g1", 4: "b1"}, "r3", TURTLE, EXPANSION), "refuse", "!r3")
    other = after(other, "steal4=b1")
    assert other.chance() == [("!4=-turtle", 1)], "asked of whoever has no whales, so that it tells nothing"
    assert after(other, "!4=-turtle").checked == 0b1000
    with pytest.raises(ValueError, match="the game isn't over"):
        other.returns()


def test_the_order_of_turns_and_the_first_player() -> None:
    for first in range(1, 4):
        state = Whales.start(3, PLAIN)
        for token in ("@=r1", "@=b1", "@=r2", "@=b2", "@=r3", "@=b3", "@1=whale", "@2=spy", "@3=whale"):
            state.apply(token)
        assert state.chance() == [("@=first1", 1), ("@=first2", 1), ("@=first3", 1)]
        after(
            state, f"@=first{first}", f"@{first}=H", f"@{first}=T", "xT", f"to{first % 3 + 1}", "silent", "refuse", "!H"
        )
        assert state.mover == first % 3
    assert play(3, {"FirstPlayer": "seat-1"}, Random(1))[1][9].startswith("@1=")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("silent", "SILENT"),
        ("say:red+4", "Say:RED+4"),
        ("say:red/blue+-hero", "say:red/blue+-hero"),
        ("say:~ahoj%20ty", "say:~ahoj%20ty"),
        ("say:take~%C5%99", "say:TAKE~%c5%99"),
    ],
)
def test_claims_are_written_one_way(written: str, read: str) -> None:
    state = answering({2: "r1"}, "r3")
    state = Whales.from_text(state.text().replace("phase=answer", "phase=say").replace("claim=silent;", ""), PLAIN)
    assert state.is_legal(read)
    assert state.copy().apply(read) == written
    assert after(state, read).claim == written
    assert Whales.from_text(state.text(), PLAIN).claim == written


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("say:", "nothing is said"),
        ("say:~", "nothing is said"),
        ("say:purple", "purple: red blue grey"),
        ("say:red+", "an empty term"),
        ("say:--red", "--red"),
        ("say:-take", "-take"),
        ("say:0", "0: red"),
        ("say:100", "100"),
        ("say:red~a b", "percent-encoded"),
        ("say:red~%ff", "isn't UTF-8"),
        ("say:~" + "a" * 281, "281 bytes"),
        ("say:" + "+".join(["red"] * 17), "more than 16 terms"),
        ("shout:red", "silent or say:CLAIM expected"),
        ("", "silent or say:CLAIM expected"),
    ],
)
def test_what_is_no_claim(token: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        claims.parse(token)


@pytest.mark.parametrize(
    ("claim", "true", "false", "neither"),
    [
        ("say:red", "r3 u2", "b3 H T", ""),
        ("say:red+3", "r3", "r4 b3", ""),
        ("say:red/3", "r4 b3", "b4 H", ""),
        ("say:-hero", "r3 T", "H", ""),
        ("say:whale", "r3 r3t u2", "H T", ""),
        ("say:dolphin+-blue", "r3t", "u2 r3 b3t", ""),
        ("say:hero+take", "H", "T", ""),
        ("say:take", "", "", "r3 H"),
        ("say:red/leave", "", "", "r3 H"),
        ("say:~nothing", "", "", "r3"),
        ("silent", "", "", "r3"),
    ],
)
def test_the_truth_of_claims(claim: str, true: str, false: str, neither: str) -> None:
    table = Whales.start(4, EXPANSION).table
    for names, verdict in ((true, True), (false, False), (neither, None)):
        for name in names.split():
            assert claims.parse(claim).holds(table.cards[table.index[name]].true) is verdict, name


def test_silence_can_be_forbidden() -> None:
    options = {"ClaimCompulsory": True}
    state, log = play(4, options, Random(5))
    assert "silent" not in log
    state = answering({2: "r1"}, "r3", options=options)
    state = Whales.from_text(state.text().replace("phase=answer", "phase=say").replace("claim=silent;", ""), options)
    assert not state.is_legal("silent") and "silent" not in state.legal() and state.is_legal("say:take")
    with pytest.raises(IllegalToken, match="silent: something must be said"):
        state.apply("silent")


def test_refused_tokens_change_nothing() -> None:
    rng = Random(8)
    bad = "x keep refuse say:red silent to1 to9 xr3 xH @1=r1 @=r1 @9=spy !r1 !H !1=spy !1=-turtle steal1=H lose=H"

    def seen(state: Whales, token: str) -> None:
        before = state.text()
        allowed = {*state.legal(), *(each for each, _ in state.chance())}
        for other in f"{bad} set=red pass is1=spy".split():
            if other not in allowed and not state.is_legal(other):
                with pytest.raises(IllegalToken) as refused:
                    state.apply(other)
                assert str(refused.value).startswith((other, "x"))
        assert state.text() == before

    for seats in (3, 6, 8):
        end, _ = play(seats, EXPANSION, rng, at_random, seen)
        with pytest.raises(IllegalToken, match="keep: the game is over"):
            end.apply("keep")


def test_no_card_is_lost_and_logs_replay() -> None:
    def seen(state: Whales, token: str) -> None:
        assert cards_of(state) == state.table.deck
        assert (state.turn == CHANCE) == bool(state.chance()) and (state.turn >= 0) == bool(state.legal())
        assert Whales.from_text(state.text(), options).__dict__ == state.__dict__
        assert state.draw().isascii()

    for seats in range(3, 9):
        for options in (PLAIN, EXPANSION):
            end, log = play(seats, options, Random(seats), at_random, seen)
            again = after(Whales.start(seats, options), *log)
            assert again.__dict__ == end.__dict__
            assert sum(end.returns()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("seats=4", "seats=9"), "seats=9: 3 to 8"),
        (("phase=answer", "phase=lunch"), "phase=lunch: one of deal"),
        (("hand=r3", "hand=r3,r4"), "hand: doesn't go with phase=answer"),
        (("hand=r3", "hand=q3"), "hand: no card is called q3"),
        (("target=2", "target=1"), "target: doesn't go"),
        (("target=2", "target=7"), "target=7: a number from 0 to 4"),
        (("roles=whale,whale,spy,whale", "roles=spy,spy,spy,whale"), "no deal of the role cards fits"),
        (("roles=whale,whale,spy,whale", "roles=whale"), "roles: 4 expected"),
        (("army2=r1", "army2=r10,r10"), "there are only 1 cards r10"),
        (("army2=r1", "army2=H,H,H"), "army: doesn't go"),
        (("army2=r1", "army2=T"), "T can't lie in an army"),
        (("army2=r1", "army2=r1;mood=good"), "mood: no such field"),
        (("claim=silent", "claim=say:purple"), "say:purple"),
        (("gone=g6*1", "gone=g6*x"), "gone=x"),
        (("gone=g6*1", "gone=g6*1;facts=1.2"), "facts: 36 counters"),
        (("step=0", "step=00"), "not as the game writes it"),
        (("step=0;", "step=0;step=0;"), "each field once"),
        (("step=0;", "step=0;why=deck;"), "why: doesn't go"),
        (("step=0;", "step=0;;"), "FIELD=VALUE"),
    ],
)
def test_texts_that_are_none(change: tuple[str, str], what: str) -> None:
    text = answering({2: "r1"}, "r3", "whale,whale,spy,whale").text()
    assert change[0] in text
    with pytest.raises(ValueError, match=what):
        Whales.from_text(text.replace(*change), PLAIN)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (('"count": 13', '"count": -1'), r"superheroes.count: a whole number from 0 to 99 expected, not '-1'"),
        (('"mark": "assumed"', '"mark": "guessed"'), "whales.mark: one of rulebook, sourced, assumed"),
        (('"colour": "blue"', '"colour": "pink"'), r"whales.list\[7\].colour: one of red, blue, grey"),
        (('"start_whales": 2', '"start_whales": 3'), "setup.start_whales: a whole number from 1 to 2 expected"),
        (('"count": 13, ', ""), "superheroes: 'count' is missing"),
        (('"whale": 4', '"whale": 1'), "3 seats need 2 whales' role cards"),
        (('{"id"', '{{"id"'), "not JSON"),
    ],
)
def test_data_files(change: tuple[str, str], what: str, tmp_path: Path) -> None:
    own = DEFAULT.read_text(encoding="utf-8")
    assert change[0] in own
    file = tmp_path / "mine.json"
    file.write_text(own.replace(*change, 1) if "mark" in change[0] else own.replace(*change), encoding="utf-8")
    with pytest.raises(ValueError, match=what) as error:
        Whales.start(3, {"Data": str(file)})
    assert str(error.value).count("\n") == 0


def test_a_data_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(DEFAULT.read_text(encoding="utf-8").replace('"count": 13', '"count": 20'), encoding="utf-8")
    assert Whales.start(3, {"Data": str(file)}).left == 63
    with pytest.raises(ValueError, match=r"nowhere\.json: No such file"):
        Whales.start(3, {"Data": str(tmp_path / "nowhere.json")})


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(3, 9))
def test_ten_thousand_random_games_end(seats: int) -> None:
    rng = Random(seats)
    for number in range(10_000):
        state, _ = play(seats, EXPANSION if number % 2 else PLAIN, rng)
        assert state.end() in ("heroes", "six", "deck", "turtle")
