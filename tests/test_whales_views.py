"""What a seat knows of a game of Whales: nothing leaks, views agree with the truth, worlds are filled in rightly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random

import pytest
from thudstone.engine.cards.whales import choices, policy
from thudstone.engine.cards.whales.phase import ANSWER, PHASES, ROLE
from thudstone.engine.cards.whales.policy import Policy
from thudstone.engine.cards.whales.roles import ROLES, SPY, TURTLE
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.game import CHANCE, OVER, OptionValue
from whales_games import EXPANSION, PLAIN, after, at_random, chance, play

GOLDEN = Path(__file__).parent / "data" / "whales_games.json"
DOC = Path(__file__).parent.parent / "docs" / "whales.md"
PUBLIC = "seats phase turn mover target claim kept placing holder stolen checked step left why named guesses".split()
SEEN = "gone sets heroes facts".split()


def watched(seats: int, options: Mapping[str, OptionValue], seed: int) -> Iterator[tuple[Whales, list[Whales]]]:
    """Every position of a game at random, with every seat's view of it."""
    rng = Random(seed)
    state = Whales.start(seats, options)
    views = [state.copy() for _ in range(seats)]
    while True:
        yield state, views
        if state.turn == OVER:
            return
        token = at_random(state, rng) if state.turn >= 0 else chance(state, rng)
        for seat, view in enumerate(views):
            view.apply(state.redact(token, seat))
        state.apply(token)


def leaks(seats: int, options: Mapping[str, OptionValue], seed: int) -> list[str]:
    """Where a seat could tell two worlds apart that differ only in what it can't know, or its player would."""
    player, found = Policy(), []
    for at, (state, views) in enumerate(watched(seats, options, seed)):
        for seat, view in enumerate(views):
            if any(role >= 0 for other, role in enumerate(view.roles) if other != seat) and state.why == "":
                found.append(f"{at}: seat {seat + 1} sees roles")
            if view.mover != seat and any(card >= 0 for card in view.hand):
                found.append(f"{at}: seat {seat + 1} sees cards")
            world = view.fill(Random(at))
            if state.turn == seat:
                moves = [each.legal() for each in (view, world, state)]
                chosen = [player.choose(each, Random(1)) for each in (view, world, state)]
                weights = [player.weights(each, moves[0]) for each in (view, world, state)]
                if not (moves[0] == moves[1] == moves[2]) or len(set(chosen)) > 1 or weights[1:] != weights[:2]:
                    found.append(f"{at}: seat {seat + 1} is told in phase {PHASES[state.phase]}")
    return found


@pytest.mark.parametrize("options", [PLAIN, EXPANSION])
@pytest.mark.parametrize("seats", range(3, 9))
def test_nothing_leaks(seats: int, options: dict[str, OptionValue]) -> None:
    assert leaks(seats, options, seats) == []


def test_planted_leaks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as planted:
        planted.setattr(Whales, "redact", lambda state, token, seat: token)
        assert {leak.rsplit(" ", 1)[1] for leak in leaks(4, PLAIN, 1)} >= {"roles", "cards"}
    with monkeypatch.context() as planted:
        planted.setattr(policy, "spies", lambda state, seat: [float(role == SPY) for role in state.roles])
        assert any("told in phase answer" in leak for leak in leaks(4, PLAIN, 1)), "a player that looks at roles"
    with monkeypatch.context() as planted:
        planted.setitem(choices.LEGAL, ANSWER, lambda state: ["keep", "refuse"][:: 1 - 2 * (state.hand[0] % 2)])
        assert any("told in phase answer" in leak for leak in leaks(4, PLAIN, 1)), "an order that tells the card"


@pytest.mark.parametrize("options", [PLAIN, EXPANSION])
@pytest.mark.parametrize("seats", range(3, 9))
def test_views_agree_with_the_truth(seats: int, options: dict[str, OptionValue]) -> None:
    for state, views in watched(seats, options, 10 + seats):
        for seat, view in enumerate(views):
            assert [getattr(view, name) for name in PUBLIC] == [getattr(state, name) for name in PUBLIC]
            assert [getattr(view, name) for name in SEEN] == [getattr(state, name) for name in SEEN]
            assert view.score() == state.score() and view.end() == state.end()
            assert len(view.hand) == len(state.hand)
            assert view.roles[seat] == state.roles[seat] or state.phase <= ROLE
            if state.turn == CHANCE and state.chance():
                hidden = dict(view.chance())
                assert all(token in hidden for token, _ in state.chance())
    assert all(view.returns() == state.returns() for view in views)


@pytest.mark.parametrize("seats", [3, 5, 8])
def test_a_filled_world_plays_on_to_the_end(seats: int) -> None:
    rng = Random(seats)
    for at, (state, views) in enumerate(watched(seats, EXPANSION, 20 + seats)):
        if at % 11 and state.mover >= 0:
            continue
        for view in views:
            before = dict(view.__dict__)
            world = view.fill(rng)
            assert view.__dict__ == before and -1 not in world.hand and -1 not in world.roles[: state.dealt_roles()]
            assert not any(world.checked >> seat & 1 and role == TURTLE for seat, role in enumerate(world.roles))
            while world.turn != OVER:
                world.apply(at_random(world, rng) if world.turn >= 0 else chance(world, rng))


def unlikely(counts: Counter[str], shares: Mapping[str, float]) -> bool:
    """Whether the chi-square of what was counted has a probability below one in 10,000 (by Wilson and Hilferty)."""
    total = sum(counts.values())
    chi = sum((counts[name] - total * share) ** 2 / (total * share) for name, share in shares.items() if share)
    free = sum(share > 0 for share in shares.values()) - 1
    deviation = ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5
    return set(counts) - {name for name, share in shares.items() if share} != set() or deviation > 3.72


def offered(seat: int) -> Whales:
    """Four seats; seat 1 has offered a card to seat 2, after discarding one; the view of `seat`."""
    deal = "@=r1 @=b1 @=r2 @=b2 @=r3 @=b3 @=g1 @=g2 @1=whale @2=whale @3=spy @4=whale @=first1"
    state = Whales.start(4, PLAIN)
    view = state.copy()
    for token in f"{deal} @1=r1 @1=H xr1 to2 silent".split():
        view.apply(state.redact(token, seat))
        state.apply(token)
    return view


def samples(number: int) -> Iterator[tuple[int, Whales]]:
    rng = Random(77)
    for seat in (1, 2):
        view = offered(seat)
        for _ in range(number):
            yield seat, view.fill(rng)


def shares_of_hand(view: Whales) -> dict[str, float]:
    """By counting the ordered pairs of cards of which one is the red one that was discarded."""
    table = view.table
    deck = view.unseen.copy()
    red = table.index["r1"]
    deck[red] += 1
    pairs: Counter[str] = Counter()
    for first, second in product(range(len(deck)), repeat=2):
        if red in (first, second):
            other = second if first == red else first
            pairs[table.name[other]] += deck[first] * (deck[second] - (first == second))
    return {name: count / sum(pairs.values()) for name, count in pairs.items()}


def check_fill(number: int) -> None:
    hands: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
    spies: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
    for seat, world in samples(number):
        hands[seat][world.table.name[world.hand[0]]] += 1
        spies[seat][str(world.roles.index(1))] += 1
        assert sum(world.unseen) == world.left
    expected = shares_of_hand(offered(1))
    for seat in (1, 2):
        assert set(hands[seat]) == {name for name, share in expected.items() if share}, "every card that can be there"
        assert not unlikely(hands[seat], expected)
    assert not unlikely(spies[1], {"0": 1 / 3, "2": 1 / 3, "3": 1 / 3})
    assert set(spies[2]) == {"2"}, "the superspy knows that he is the only one"


def test_fill_has_the_right_proportions() -> None:
    check_fill(4000)


@pytest.mark.slow
def test_fill_has_the_right_proportions_in_50000_worlds() -> None:
    check_fill(50_000)


def test_the_test_of_proportions_finds_wrong_ones() -> None:
    assert unlikely(Counter({"a": 2200, "b": 1800}), {"a": 0.5, "b": 0.5})
    assert unlikely(Counter({"a": 50, "b": 50, "c": 1}), {"a": 0.5, "b": 0.5})
    assert not unlikely(Counter({"a": 2030, "b": 1970}), {"a": 0.5, "b": 0.5})


@pytest.mark.slow
def test_roles_are_filled_like_the_deal_with_what_is_known() -> None:
    """Six seats of the expansion; seat 1 is a whale, seats 2 and 3 are known not to be the Turtle: against deals of the
    cards, those thrown away that don't fit."""
    rng = Random(4)
    view = Whales.start(6, EXPANSION)
    whales = "@=r1 @=b1 @=r2 @=b2 @=r3 @=b3 @=g1 @=g2 @=r4 @=b4 @=g3 @=g4"
    after(view, *f"{whales} @1=whale @2=? @3=? @4=? @5=? @6=? @=first1".split())
    view.checked = 0b110
    drawn: Counter[str] = Counter(",".join(ROLES[role] for role in view.some_roles(rng)[1:4]) for _ in range(30_000))
    pool = "whale whale whale spy dolphin turtle henchman were".split()
    dealt: Counter[str] = Counter()
    while sum(dealt.values()) < 60_000:
        deck = ["whale", "spy", *rng.sample(pool, 4)]
        rng.shuffle(deck)
        if deck[0] == "whale" and "turtle" not in deck[1:3]:
            dealt[",".join(deck[1:4])] += 1
    common = [name for name, count in dealt.items() if count > 300]
    for name in common:
        expected = dealt[name] / 2
        assert abs(drawn[name] - expected) < 5.5 * (1.5 * expected) ** 0.5, name
    assert len(common) > 40


def test_golden_games() -> None:
    """Whole games with each seat's view of them, as they were when the rules were checked."""
    for game in json.loads(GOLDEN.read_text(encoding="utf-8")):
        state = Whales.start(game["seats"], game["options"])
        seen: list[list[str]] = [[] for _ in range(state.seats)]
        for token in game["log"].split():
            for seat, view in enumerate(seen):
                view.append(state.redact(token, seat))
            state.apply(token)
        assert [" ".join(view) for view in seen] == game["views"]
        assert (state.end(), list(state.score())) == (game["end"], game["score"])
        assert list(state.returns()) == game["returns"]
        assert state.text() == game["text"]


def test_the_session_of_the_documentation() -> None:
    blocks = DOC.read_text(encoding="utf-8").split("```")[1::2]
    logs = [block.split("\n", 1) for block in blocks]
    full, view = (" ".join(body.split()).split() for name, body in logs if name in ("log", "view"))
    state = Whales.start(4, PLAIN)
    for token, seen in zip(full, view, strict=True):
        assert state.redact(token, 1) == seen
        assert state.apply(token) == token
    assert (state.end(), state.turn) == ("six", OVER)
    told = "".join(body for name, body in logs if name == "end")
    assert told.split() == [state.end(), *map(str, state.score()), *(f"{share:.3f}" for share in state.returns())]


def test_games_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from random import Random\n"
        "from whales_games import *\n"
        "from thudstone.engine.cards.whales.policy import Policy\n"
        "for seats in (4, 8): print(*play(seats, EXPANSION, Random(3), Policy().choose)[1])"
    )
    outputs = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)}
        command = [sys.executable, "-c", program]
        outputs.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(outputs) == 1 and "to2" in outputs.pop()


def test_the_guess_phase_is_reached() -> None:
    rng = Random(2)
    reached = 0
    for _ in range(40):
        end, log = play(6, EXPANSION, rng)
        reached += end.why in ("six", "deck") and log.count("pass") >= 5
    assert reached


def test_texts_with_mistakes_are_refused_or_can_be_played_on() -> None:
    rng = Random(12)
    texts = [each.text() for state, views in watched(6, EXPANSION, 31) for each in (state, views[0])]
    accepted = refused = 0
    for _ in range(1500):
        fields, others = rng.choice(texts).split(";"), rng.choice(texts).split(";")
        at = rng.randrange(len(fields))
        match rng.randrange(3):
            case 0:
                fields[at : at + 1] = [each for each in others if each.split("=")[0] == fields[at].split("=")[0]]
            case 1:
                del fields[at]
            case _:
                cut = rng.randrange(len(fields[at]))
                fields[at] = f"{fields[at][:cut]}{rng.choice('0123456789,;=?rbgHTu*.-~x')}{fields[at][cut + 1 :]}"
        try:
            view = Whales.from_text(";".join(fields), EXPANSION)
        except ValueError as error:
            assert str(error) and "\n" not in str(error)
            refused += 1
            continue
        accepted += 1
        world = view.fill(rng)
        while world.turn != OVER:
            world.apply(at_random(world, rng) if world.turn >= 0 else chance(world, rng))
        assert sum(world.returns()) == pytest.approx(1)
    assert accepted > 100 and refused > 500
