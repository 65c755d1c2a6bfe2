"""What a seat knows of a game of Dungeon: views agree with the truth, worlds are filled in rightly, logs replay."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from dungeon_games import HIDDEN, OTHERS, PLAIN, after, bidding, play
from thudstone.engine.cards.dungeon.kinds import CODES, FIRST_SPECIAL, KIND, listed
from thudstone.engine.cards.dungeon.stages import BID, DRAWN, NONE, PLACE, SPECIAL, UNKNOWN
from thudstone.engine.cards.dungeon.state import Dungeon
from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER, IllegalToken, OptionValue

GOLDEN = Path(__file__).parent / "data" / "dungeon_games.json"
DOC = Path(__file__).parent.parent / "docs" / "dungeon.md"
PUBLIC = (
    "seats stage turn moves round why wins fails mover namer hero tiles left added asider given passed acted hp "
    "position seen charmed coin flute named strength identity ask must"
).split()


def watched(seats: int, options: Mapping[str, OptionValue], seed: int) -> Iterator[tuple[Dungeon, list[Dungeon]]]:
    """Every position of a game at random, with every seat's view of it."""
    rng = Random(seed)
    state = Dungeon.start(seats, options)
    views = [state.copy() for _ in range(seats)]
    while True:
        yield state, views
        if state.turn == OVER:
            return
        token = event(state, rng) if state.turn == CHANCE else rng.choice(state.legal())
        for seat, view in enumerate(views):
            shown = state.redact(token, seat)
            assert view.apply(shown) == shown
        state.apply(token)


@pytest.mark.parametrize("options", [PLAIN, HIDDEN, OTHERS])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_views_agree_with_the_truth(seats: int, options: dict[str, OptionValue]) -> None:
    for seed in range(10):
        for state, views in watched(seats, options, seed):
            for seat, view in enumerate(views):
                assert [getattr(view, name) for name in PUBLIC] == [getattr(state, name) for name in PUBLIC]
                for mine, true, by in zip(view.pile, state.pile, state.added, strict=True):
                    assert mine == (true if by == seat else UNKNOWN), "what it drew it remembers, and no more"
                for mine, true, by in zip(view.aside, state.aside, state.asider, strict=True):
                    assert mine == (true if by == seat else UNKNOWN)
                drew = state.stage == PLACE and state.mover != seat
                assert view.card == (UNKNOWN if drew else state.card)
                if state.turn == CHANCE:
                    possible = dict(view.chance())
                    assert all(token in possible for token, _ in state.chance()) or state.stage == SPECIAL
                assert (view.score(), view.end()) == (state.score(), state.end())
        assert all(view.returns() == state.returns() for view in views)


@pytest.mark.parametrize("options", [PLAIN, HIDDEN, OTHERS])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_filled_world_plays_on_to_the_end(seats: int, options: dict[str, OptionValue]) -> None:
    rng = Random(seats)
    for seed in range(4):
        for _, views in watched(seats, options, 20 + seed):
            for view in views:
                before = dict(view.__dict__)
                world = view.fill(rng)
                assert view.__dict__ == before
                assert UNKNOWN not in (*world.pile, *world.aside, world.card) and not world.excess
                lying = [*world.pile, *world.aside, *([world.card] if world.stage == PLACE else [])]
                if world.stage in (BID, DRAWN, PLACE):
                    cards = Counter([*lying, *listed(world.pool)])
                    assert cards == Counter(listed(world.full)), "every card is somewhere, and none twice"
                while world.turn != OVER:
                    world.apply(event(world, rng) if world.turn == CHANCE else rng.choice(world.legal()))


def test_what_must_be_shown_can_not_be_hidden() -> None:
    view = after(bidding(3), "draw", "@1=?", "add", "draw", "@2=GOB", "xCHA", "pass", "pass")
    assert view.mover == 1
    after(view, "at1", "n5")
    for token in ("!?", "?", "@1=?", "@2=GOL"):
        before = view.text()
        with pytest.raises(IllegalToken, match=r"!CARD expected"):
            view.apply(token)
        assert view.text() == before
    assert [token for token, _ in view.chance()] == [f"!{code}" for code in CODES[:10]]
    after(view, "!GOB")
    with pytest.raises(IllegalToken, match="show"):
        after(view.copy(), "!ORC")


def unlikely(counts: Counter[str], shares: Mapping[str, float]) -> bool:
    """Whether the chi-square of what was counted has a probability below one in 10,000 (by Wilson and Hilferty)."""
    total = sum(counts.values())
    chi = sum((counts[name] - total * share) ** 2 / (total * share) for name, share in shares.items())
    free = len(shares) - 1
    deviation = ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5
    return set(counts) != set(shares) or deviation > 3.72


def view_of_three_hidden() -> Dungeon:
    """Seat 1 drew a goblin and added it, and a dragon; seat 2 added a card, laid one aside, and has just drawn one."""
    return after(
        bidding(2, "NIN"),
        *"draw @1=GOB add draw @2=? add draw @1=DRA xSHU draw @2=? xHER draw @1=GOB add draw @2=?".split(),
    )


def name(world: Dungeon) -> str:
    return " ".join(CODES[card] for card in (world.pile[1], world.aside[1], world.card))


def shares_of_three_hidden() -> dict[str, float]:
    """By counting the ordered triples of the cards that are left."""
    rest = listed(bidding(2, "NIN").full)
    for known in ("GOB", "GOB", "DRA"):
        rest.remove(KIND[known])
    triples = Counter(" ".join(CODES[card] for card in triple) for triple in permutations(rest, 3))
    return {each: count / triples.total() for each, count in triples.items()}


def check_fill(number: int) -> None:
    rng, view, expected = Random(77), view_of_three_hidden(), shares_of_three_hidden()
    triples: Counter[str] = Counter()
    for _ in range(number):
        world = view.fill(rng)
        triples[name(world)] += 1
        assert len(listed(world.pool)) == world.left
    for at in range(3):
        single: Counter[str] = Counter()
        shares: Counter[str] = Counter()
        for each, count in triples.items():
            single[each.split()[at]] += count
        for each, share in expected.items():
            shares[each.split()[at]] += share  # type: ignore[assignment]
        assert not unlikely(single, dict(shares)), "each of the three, every card that can be there"
    if number >= 50_000:
        assert not unlikely(triples, expected), "all three together"


def test_fill_has_the_right_proportions() -> None:
    check_fill(5000)


@pytest.mark.slow
def test_fill_has_the_right_proportions_in_50000_worlds() -> None:
    check_fill(50_000)


@pytest.mark.slow
def test_hidden_special_monsters_are_filled_like_the_deal() -> None:
    """Against games dealt at random, those thrown away in which seat 1 would have seen something else."""
    tokens = "@=? @=? @=first1 @=heroNIN draw @1=FAI add draw @2=? add draw @1=ORC add draw @2=? xHER".split()
    view = after(Dungeon.start(2, HIDDEN), *tokens)
    rng = Random(3)
    filled: Counter[str] = Counter()
    for _ in range(50_000):
        world = view.fill(rng)
        filled[f"{CODES[world.specials[1]]} {CODES[world.pile[1]]}"] += 1
    monsters = listed(view.full)
    regular = [kind for kind in monsters if kind < FIRST_SPECIAL]
    shares: Counter[str] = Counter()
    specials = [kind for kind in range(FIRST_SPECIAL, len(CODES)) if CODES[kind] != "FAI"]
    for other in specials:
        rest = [*regular, other]
        rest.remove(KIND["ORC"])
        for card in rest:
            shares[f"{CODES[other]} {CODES[card]}"] += 1
    assert not unlikely(filled, {each: count / shares.total() for each, count in shares.items()})


def test_the_test_of_proportions_finds_wrong_ones() -> None:
    assert unlikely(Counter({"a": 2200, "b": 1800}), {"a": 0.5, "b": 0.5})
    assert unlikely(Counter({"a": 50, "b": 50, "c": 1}), {"a": 0.5, "b": 0.5})
    assert unlikely(Counter({"a": 50}), {"a": 0.99, "b": 0.01}), "a value that never occurs"
    assert not unlikely(Counter({"a": 2030, "b": 1970}), {"a": 0.5, "b": 0.5})


def test_golden_games() -> None:
    """Whole games with each seat's view of them, as they were when the rules were checked. They replay without a random
    generator."""
    games = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert {game["end"] for game in games} == {"success", "elimination", "draw"}
    for game in games:
        state = Dungeon.start(game["seats"], game["options"])
        seen: list[list[str]] = [[] for _ in range(state.seats)]
        views = [state.copy() for _ in range(state.seats)]
        for token in game["log"].split():
            for seat, view in enumerate(seen):
                view.append(state.redact(token, seat))
                views[seat].apply(view[-1])
            state.apply(token)
        assert [" ".join(view) for view in seen] == game["views"]
        assert (state.end(), list(state.score())) == (game["end"], game["score"])
        assert list(state.returns()) == game["returns"]
        assert state.text() == game["text"]
        assert [view.text() for view in views] == game["view_texts"]


def test_the_session_of_the_documentation() -> None:
    blocks = [block.split("\n", 1) for block in DOC.read_text(encoding="utf-8").split("```")[1::2]]
    full, view = (" ".join(body.split()).split() for name, body in blocks if name in ("log", "view"))
    state = Dungeon.start(2, PLAIN)
    for token, seen in zip(full, view, strict=True):
        assert state.redact(token, 1) == seen
        assert state.apply(token) == token
    assert (state.end(), state.turn) == ("success", OVER)


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from random import Random
from dungeon_games import HIDDEN, OTHERS, play
for seed, options in enumerate(({}, HIDDEN, OTHERS)):
    state, log = play(3, options, Random(seed))
    print(" ".join(log), state.text(), state.fill(Random(1)).text())
"""


def test_no_hash_seed_matters() -> None:
    here = os.path.dirname(__file__)
    told = set()
    for seed in ("0", "1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", SCRIPT, here], env=env, capture_output=True, text=True, check=True)
        told.add(done.stdout)
    assert len(told) == 1 and "success" in told.pop()


def test_copies_are_their_own() -> None:
    def seen(state: Dungeon, token: str) -> None:
        before, other = state.text(), state.copy()
        other.apply(token)
        assert state.text() == before
        assert other.book is state.book and other.card >= NONE

    play(3, PLAIN, Random(6), seen)
