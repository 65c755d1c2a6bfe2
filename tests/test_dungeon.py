"""Dungeon: setup, bidding, rounds and variants."""

from __future__ import annotations

from random import Random

import pytest
from dungeon_games import HIDDEN, OTHERS, PLAIN, after, bidding, entering, meet, most_rounds, play
from thudstone.engine.cards.dungeon.kinds import CODES, FIRST_SPECIAL, KIND, ONE, listed
from thudstone.engine.cards.dungeon.stages import BID, ENDED, HERO, NONE, PLACE, REVEAL, SHOW
from thudstone.engine.cards.dungeon.state import Dungeon
from thudstone.engine.game import CHANCE, OVER, IllegalToken, OptionValue

EMPTY_DECK = 15


def refused(state: Dungeon, token: str, reason: str) -> None:
    """The token is illegal with this reason, and all is as it was."""
    before = state.text()
    assert not state.is_legal(token)
    with pytest.raises(IllegalToken, match=reason) as raised:
        state.apply(token)
    assert str(raised.value).startswith(f"{token}: ") and "\n" not in str(raised.value)
    assert state.text() == before


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 99])
def test_seats_out_of_range(seats: int) -> None:
    with pytest.raises(ValueError, match=f"^{seats} seats: dungeon has 2 to 4$"):
        Dungeon.start(seats, PLAIN)


def test_setup() -> None:
    state = Dungeon.start(3, PLAIN)
    assert state.turn == CHANCE and state.legal() == []
    assert state.chance() == [(f"@={code}", 1) for code in CODES[FIRST_SPECIAL:]]
    refused(state, "@=GOB", "a special monster")
    refused(state, "@=?", "a special monster")
    state.apply("@=MIM")
    refused(state, "@=MIM", "a special monster")
    state.apply("@=CUB")
    assert state.left == 15 and len(listed(state.pool)) == 15
    assert state.chance() == [("@=first1", 1), ("@=first2", 1), ("@=first3", 1)]
    refused(state, "@=first4", "who begins")
    state.apply("@=first3")
    assert [token for token, _ in state.chance()] == ["@=heroPRI", "@=heroNIN", "@=heroBAR", "@=heroNEC"]
    refused(state, "@=heroXXX", "heroHERO")
    state.apply("@=heroBAR")
    assert (state.turn, state.legal()) == (2, ["draw", "pass"])


def test_first_hero_may_be_chosen() -> None:
    state = after(Dungeon.start(2, {"FirstHero": "chosen", "FirstPlayer": "seat-1"}), "@=FAI", "@=ALL")
    assert (state.stage, state.turn) == (HERO, 0)
    assert state.legal() == ["heroPRI", "heroNIN", "heroBAR", "heroNEC"]


def test_the_deck_is_what_the_rules_say() -> None:
    state = bidding()
    deck = {code: state.full >> 4 * kind & 15 for code, kind in KIND.items()}
    ones = dict.fromkeys(("LIC", "DEM", "DRA", "FAI", "ALL"), 1)
    twos = dict.fromkeys(("GOB", "SKE", "ORC", "VAM", "GOL"), 2)
    assert {code: count for code, count in deck.items() if count} == {**twos, **ones}
    strengths = [state.book.cards.strength[kind] for kind in range(FIRST_SPECIAL)]
    assert strengths == [1, 2, 3, 4, 5, 6, 7, 9]
    assert [hero.total[hero.all] for hero in state.book.cards.heroes] == [10, 11, 10, 11]
    assert [len(hero.tiles) for hero in state.book.cards.heroes] == [6, 6, 6, 6]


def test_a_turn() -> None:
    state = bidding(hero="NIN")
    assert (state.turn, state.legal()) == (0, ["draw", "pass"])
    state.apply("draw")
    assert state.turn == CHANCE and dict(state.chance())["@1=GOB"] == 2 and dict(state.chance())["@1=DRA"] == 1
    refused(state, "@2=GOB", "what seat 1 drew")
    refused(state, "@1=MIM", "no such card")
    refused(state, "add", "what seat 1 drew")
    state.apply("@1=DRA")
    assert (state.turn, state.legal()) == (0, ["add", "xHER", "xTIN", "xSHU", "xNTO", "xGEA"])
    after(state, "xGEA")
    assert (state.turn, state.aside, state.asider, state.pile) == (1, (KIND["DRA"],), (0,), ())
    after(state, "draw", "@2=GOB", "add")
    assert (state.turn, state.pile, state.added) == (0, (KIND["GOB"],), (1,))
    after(state, "draw", "@1=GOB")
    refused(state, "xGEA", "doesn't have this tile any more")
    refused(state, "xSWO", "add or xHER or xTIN or xSHU or xNTO expected")
    refused(state, "draw", "expected")


def test_each_card_can_be_drawn_as_often_as_it_is_there() -> None:
    state = after(bidding(), "draw", "@1=GOB", "add", "draw", "@2=GOB", "add", "draw")
    assert "@1=GOB" not in dict(state.chance())
    refused(state, "@1=GOB", "no such card can be left")


def test_smoke_bomb_can_not_be_given_up() -> None:
    state = bidding(hero="NIN")
    for tile, seat in zip("HER TIN SHU NTO GEA".split(), (1, 2, 1, 2, 1), strict=True):
        state.apply("draw")
        state.apply(state.chance()[0][0])
        assert "xBOM" not in state.legal() and state.turn == seat - 1
        refused(state, "xBOM", "can't be given up")
        state.apply(f"x{tile}")
    after(state, "draw", "@2=DRA")
    assert state.legal() == ["add"], "with only the Bomb left the card must be added"


def test_no_tile_left_the_card_must_be_added() -> None:
    state = bidding()
    for tile in "CHA CHP SWO COL CRO SCE".split():
        state.apply("draw")
        after(state, state.chance()[0][0], f"x{tile}")
    state.apply("draw")
    after(state, state.chance()[0][0])
    assert state.legal() == ["add"]


def test_empty_deck() -> None:
    state = bidding(3)
    for _ in range(EMPTY_DECK):
        state.apply("draw")
        after(state, state.chance()[0][0], "add")
    assert (state.left, state.legal()) == (0, ["pass"])
    refused(state, "draw", "the deck is empty, you must pass")
    after(state, "pass")
    assert state.legal() == ["pass"], "forced for each until one is left"
    after(state, "pass", "at1", "n5")
    assert (state.stage, state.mover, len(state.pile)) == (REVEAL, 2, 15)


def test_the_last_who_has_not_passed_enters() -> None:
    state = after(bidding(4, "NIN"), "pass", "draw", "@2=ORC", "add", "pass", "draw", "@4=GOB", "add")
    assert state.turn == 1, "seats that passed are left out"
    after(state, "draw", "@2=LIC", "add", "pass")
    assert (state.stage, state.mover) == (REVEAL, 1)
    assert state.chance() == [("!LIC", 1)]
    assert after(state, "!LIC", "noBOM").chance() == [("!GOB", 1)]


def test_next_round() -> None:
    """Cards laid aside are shown; then the one who was in the dungeon chooses the hero and begins; all is back."""
    state = after(bidding(3, "NIN"), "draw", "@1=DRA", "xNTO", "draw", "@2=GOB", "xGEA", "pass", "pass")
    assert (state.stage, state.wins, state.turn, state.chance()) == (SHOW, (0, 1, 0), CHANCE, [("!DRA", 1)])
    refused(state, "!GOB", "the card shown next is DRA")
    after(state, "!DRA", "!GOB")
    assert (state.stage, state.turn, state.round) == (HERO, 1, 2)
    assert state.legal() == ["heroPRI", "heroNIN", "heroBAR", "heroNEC"], "any hero, also the same again"
    after(state, "heroNIN")
    assert (state.turn, state.tiles, state.left) == (1, state.hero.all, 15)
    assert state.pool == state.full and not state.pile and not state.aside and state.passed == 0


def test_hidden_rest_of_the_dungeon() -> None:
    def dead(options: dict[str, OptionValue]) -> Dungeon:
        state = bidding(2, "PRI", options)
        for tile in "CHA CHP SWO COL CRO SCE".split():
            state.apply("draw")
            after(state, state.chance()[0][0], f"x{tile}")
        for card in ("LIC", "DEM", "GOL"):
            after(state, "draw", f"@{state.mover + 1}={card}", "add")
        return after(state, "pass", "!GOL")

    plain, shown = dead(PLAIN), dead({"ShowRest": True})
    assert plain.fails == shown.fails == (1, 0)
    assert len(plain.aside) == 6 and len(shown.aside) == 8
    while shown.stage == SHOW:
        last = shown.chance()[0][0]
        shown.apply(last)
    assert last == "!LIC", "in the order in which they would have been met"


def test_eliminated_players_are_left_out() -> None:
    state = meet(entering("PRI", "", "LIC", wins=(0, 0, 0), fails=(1, 0, 0)))
    assert (state.stage, state.turn) == (HERO, 1), "the next to the left begins"
    after(state, "heroPRI", "draw", "@2=GOB", "add")
    assert state.turn == 2
    after(state, "draw", "@3=GOB", "add")
    assert state.turn == 1
    far = meet(entering("PRI", "", "LIC", wins=(0, 0, 0, 0), fails=(1, 2, 0, 0)))
    assert far.turn == 2
    chance = meet(entering("PRI", "", "LIC", {"Successor": "random"}, (0, 0, 0), (1, 0, 0)))
    assert chance.chance() == [("@=first2", 1), ("@=first3", 1)]
    after(chance, "@=first3")
    assert (chance.stage, chance.turn) == (HERO, 2)


@pytest.mark.parametrize("scope", ["first-laps", "first-lap", "first-round"])
def test_author_variant(scope: str) -> None:
    options: dict[str, OptionValue] = {"AuthorVariant": True, "AuthorScope": scope}
    state = bidding(2, "PRI", options)
    for card in ("GOB", "ORC"):
        assert state.legal() == ["draw"]
        refused(state, "pass", "author's variant makes you draw")
        after(state, "draw", f"@{state.mover + 1}={card}")
        assert state.legal() == ["add"]
        refused(state, "xCHA", "author's variant makes you add")
        state.apply("add")
    if scope == "first-round":
        assert state.legal() == ["draw"]
        for _ in range(EMPTY_DECK - 2):
            state.apply("draw")
            after(state, state.chance()[0][0], "add")
        assert state.legal() == ["pass"]
    else:
        assert state.legal() == ["draw", "pass"]
    state.apply("pass")
    state = meet(state, "at2" if state.mover == 0 else "at1", "n7")
    assert state.stage == HERO and state.round == 2
    state.apply("heroPRI")
    assert state.legal() == (["draw"] if scope == "first-laps" else ["draw", "pass"])


def test_hidden_special_monsters() -> None:
    """Nobody is told which are in the game; a seat knows those that it drew or that were shown."""
    state = Dungeon.start(2, HIDDEN)
    view = state.copy()
    for token in "@=MIM @=CUB @=first1 @=heroNEC draw @1=MIM add draw @2=CUB xZOM".split():
        view.apply(state.redact(token, 0))
        state.apply(token)
    assert state.redact("draw", 0) == "draw" and "specials=MIM,?" in view.text() and view.excess == 4
    weights = dict(after(view.copy(), "draw").chance())
    assert weights["@1=CUB"] == weights["@1=FAI"] == 1 and "@1=MIM" not in weights
    assert weights["@1=GOB"] == 10, "two of them, while each of the five others is there once in five games"
    seen = {after(view.fill(Random(seed)), "pass").specials for seed in range(60)}
    assert {pair[0] for pair in seen} == {KIND["MIM"]} and {pair[1] for pair in seen} >= {KIND["FAI"], KIND["CUB"]}
    for token in "pass !MIM useMIN !CUB".split():
        if token in state.legal() or state.turn == CHANCE:
            view.apply(state.redact(token, 0))
            state.apply(token)
    assert view.excess == 0 and view.full == state.full, "both are known, and so is the deck"


def test_scores_and_reasons() -> None:
    state = bidding(4)
    assert (state.score(), state.end()) == ((0, 0, 0, 0), "none")
    assert after(state, "pass", "pass", "pass").score() == (0, 0, 0, 1)


def test_five_success_cards_are_enough() -> None:
    """Four seats with one each, then the winner's second."""
    state = bidding(4)
    for seat in (4, 1, 2, 3):
        while state.mover != seat - 1 or state.stage != BID or (state.passed | 1 << seat - 1) != 15:
            if state.stage == HERO:
                state.apply("heroPRI")
            elif state.stage != BID or state.wins[seat - 1]:
                break
            elif state.mover == seat - 1:
                after(state, "draw", f"@{seat}=GOB", "add")
            else:
                state.apply("pass")
            if state.wins[seat - 1] == 0 and state.stage not in (BID, HERO):
                meet(state, "at1" if seat != 1 else "at2", "n5")
    assert sum(state.wins) <= 5 and max(state.wins) == 1 == min(state.wins)
    assert state.end() == "none"


@pytest.mark.parametrize("options", [PLAIN, HIDDEN, OTHERS])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games(seats: int, options: dict[str, OptionValue]) -> None:
    """They end, no card is lost, and no more rounds are played than there can be."""
    _check_games(seats, options, 60)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ten_thousand_random_games(seats: int) -> None:
    _check_games(seats, PLAIN, 10_000)


def _check_games(seats: int, options: dict[str, OptionValue], games: int) -> None:
    ends = set()

    def seen(state: Dungeon, token: str) -> None:
        assert bool(state.legal()) == (state.turn >= 0) and bool(state.chance()) == (state.turn == CHANCE)
        if state.turn >= 0:
            assert state.is_legal(token)
        if state.stage in (BID, PLACE):
            cards = [*state.pile, *state.aside, *([state.card] if state.card != NONE else [])]
            heap = state.pool + sum(ONE[card] for card in cards)
            assert heap == state.full and len(listed(state.pool)) == state.left
        assert not state.hero.smoke or state.tiles & state.hero.smoke or state.stage not in (BID, PLACE)

    for seed in range(games):
        state, _ = play(seats, options, Random(seed), seen)
        ends.add(state.end())
        assert state.stage == ENDED and state.turn == OVER and state.chance() == [] == state.legal()
        assert abs(sum(state.returns()) - 1) < 1e-12 and state.round <= most_rounds(seats)
        refused(state, "draw", "the game is over")
    assert "success" in ends


def test_texts_come_back() -> None:
    for number, options in enumerate((PLAIN, HIDDEN, OTHERS)):

        def seen(state: Dungeon, token: str, options: dict[str, OptionValue] = options) -> None:
            again = Dungeon.from_text(state.text(), options)
            same = {name: value for name, value in again.__dict__.items() if name not in ("book", "hero")}
            assert same == {name: value for name, value in state.__dict__.items() if name in same}
            assert again.hero.code == state.hero.code or "hero=" not in state.text()
            assert state.text().isascii() and " " not in state.text() and state.draw().isascii()

        for seed in range(12):
            state, _ = play(2 + seed % 3, options, Random(100 * number + seed), seen)
            assert Dungeon.from_text(state.text(), options).returns() == state.returns()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("seats=2", "seats=7"), "seats=7: 2 to 4 expected"),
        (("stage=bid", "stage=nap"), "stage=nap: one of"),
        (("round=1", "round=x"), "round=x: a number"),
        (("wins=0,0", "wins=0"), "wins: 2 numbers expected"),
        (("wins=0,0", "wins=9,0"), "wins=9: a number from 0 to 2"),
        (("wins=0,0", "wins=2,0"), "wins: doesn't go with stage=bid"),
        (("fails=0,0", "fails=2,0"), "fails: doesn't go with stage=bid"),
        (("mover=1", "mover=3"), "mover=3: a number from 1 to 2"),
        (("specials=FAI,ALL", "specials=FAI,FAI"), "specials: no such special monsters"),
        (("specials=FAI,ALL", "specials=FAI,?"), "specials: no such special monsters"),
        (("specials=FAI,ALL", "specials=FAI"), "specials: 2 expected"),
        (("specials=FAI,ALL", "specials=FAI,XXX"), "specials: no card is called XXX"),
        (("hero=PRI", "hero=XXX"), "hero=XXX: one of PRI NIN BAR NEC expected"),
        (("hero=PRI;", ""), "hero: missing"),
        (("tiles=CHA", "tiles=BOM"), "tiles: the hero has no tile BOM"),
        (("deck=13", "deck=14"), "pool: 14 cards expected, not 13"),
        (("deck=13", "deck=99"), "deck=99: a number from 0 to 15"),
        (("GOB*1", "GOB*2"), "there are only 2 cards GOB"),
        (("pile=1:GOB", "pile=1:GOB,1:?"), "pool: 14 cards expected, not 13"),
        (("pile=1:GOB", "pile=1"), "pile: 1: 2 parts expected"),
        (("aside=2:DRA:SCE", "aside=2:DRA"), "aside: 2:DRA: 3 parts expected"),
        (("acted=1,2", "acted=1,2;acted=1"), "acted=1: FIELD=VALUE expected, each field once"),
        (("acted=1,2", "acted=1,2;passed=2"), "passed: doesn't go with stage=bid"),
        (("acted=1,2", "acted=1,2;colour=red"), "colour: no such field"),
        (("acted=1,2", "acted=1,2;why=luck"), "why=luck: one of"),
        (("acted=1,2", "acted=1,2;coin=yes"), "coin=yes: only 1 is written"),
        (("acted=1,2", "acted=2,1"), "not as the game writes it"),
        (("acted=1,2", "acted=1,2;card=GOL"), "card: doesn't go with stage=bid|there are only|cards expected"),
    ],
)
def test_broken_texts(change: tuple[str, str], message: str) -> None:
    text = after(bidding(), "draw", "@1=GOB", "add", "draw", "@2=DRA", "xSCE").text()
    broken = text.replace(*change)
    assert broken != text
    with pytest.raises(ValueError, match=message) as raised:
        Dungeon.from_text(broken, PLAIN)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 600


def test_no_text_makes_a_broken_position() -> None:
    """Fields changed at random: one line that says why, or a position from which a game can be played to its end."""
    rng, read = Random(8), 0
    texts: list[str] = []
    for seed in range(6):
        play(2 + seed % 3, PLAIN, Random(seed), lambda state, token: texts.append(state.text()))
    words = [word for text in texts for word in text.split(";")]
    for _ in range(4000):
        fields = rng.choice(texts).split(";")
        fields[rng.randrange(len(fields))] = rng.choice(words)
        try:
            state = Dungeon.from_text(";".join(fields), PLAIN)
        except ValueError as error:
            assert "\n" not in str(error)
            continue
        read += 1
        while state.turn != OVER:
            state.apply(rng.choice(state.chance())[0] if state.turn == CHANCE else rng.choice(state.legal()))
            state.draw()
    assert read > 50
