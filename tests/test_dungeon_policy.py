"""What the players of Dungeon know: chances of survival, what a score is worth, sensible moves."""

from __future__ import annotations

import time
from random import Random

import pytest
from dungeon_games import OTHERS, PLAIN, after, bidding, entering, meet
from thudstone.engine.cards.dungeon.book import Book
from thudstone.engine.cards.dungeon.kinds import KIND, ONE
from thudstone.engine.cards.dungeon.policy import Policy
from thudstone.engine.cards.dungeon.stages import BID, NONE, PLACE, SHOW, UNKNOWN
from thudstone.engine.cards.dungeon.standing import Standing
from thudstone.engine.cards.dungeon.state import Dungeon
from thudstone.engine.cards.dungeon.survival import Survival
from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER, OptionValue


def survival(hero: str, tiles: str, known: str, unknown: int, pool: str) -> float:
    """The chance of the hero before these cards, as `Survival` counts it."""
    state = entering(hero, tiles, "GOB")
    book = state.book
    heap = sum(ONE[KIND[name]] for name in pool.split())
    counted = Survival(book)
    costs = counted.costs(state.hero, state.tiles, NONE, 1, 0)
    cards = tuple(sorted(KIND[name] for name in known.split()))
    return counted.chance(state.hero, state.tiles, state.hero.total[state.tiles], costs, cards, unknown, heap)


def test_survival_where_it_can_be_counted_by_hand() -> None:
    assert survival("PRI", "", "", 0, "GOB") == 1.0
    assert survival("PRI", "", "GOB", 0, "") == 1.0
    assert survival("PRI", "", "SKE", 0, "") == 0.0
    assert survival("PRI", "", "", 1, "GOB GOB SKE") == pytest.approx(2 / 3)
    assert survival("PRI", "CHP", "", 2, "GOB GOB SKE LIC") == pytest.approx(3 / 6), "5 HP: any two without the lich"
    assert survival("PRI", "CHP", "GOB", 1, "SKE ORC LIC DRA") == pytest.approx(1 / 2 - 1 / 4 + 1 / 4)
    assert survival("PRI", "CHA", "", 2, "VAM VAM ORC") == pytest.approx(0.0)
    assert survival("PRI", "CHA SCE", "", 2, "VAM VAM ORC") == pytest.approx(1 / 3), "the second vampire is harmless"
    assert survival("PRI", "CHA SCE", "VAM", 1, "VAM ORC") == pytest.approx(1 / 2)
    assert survival("NIN", "HER BOM", "", 1, "DRA LIC") == pytest.approx(1.0)
    assert survival("NIN", "BOM", "", 1, "DRA LIC") == 0.0, "the Bomb needs other equipment"
    assert survival("BAR", "RAP", "DRA", 1, "GOB DEM") == pytest.approx(1 / 2)
    assert survival("NEC", "BON", "DRA", 0, "") == 1.0
    assert survival("NEC", "CAP BON", "GOB DRA", 0, "") == pytest.approx(1 / 2), "if the dragon comes last"
    assert survival("NEC", "CAP BON", "GOB LIC DRA", 0, "") == 0.0
    assert survival("NEC", "MIN", "GOL", 0, "") == 1.0
    assert survival("NEC", "MIN", "GOL LIC", 0, "") == pytest.approx(1.0), "if the golem comes first"


def bids_until(rng: Random, cards: int) -> Dungeon:
    """A round at random in which nobody passes until so many cards were drawn."""
    state = Dungeon.start(2, PLAIN)
    while state.stage != BID or len(state.pile) + len(state.aside) < cards:
        if state.turn == CHANCE:
            state.apply(event(state, rng))
        elif state.stage == PLACE and rng.random() < 0.6:
            state.apply("add")
        else:
            state.apply("draw" if state.stage == BID else rng.choice(state.legal()))
    return state


def view_of(state: Dungeon, seat: int) -> Dungeon:
    view = state.copy()
    for card, by in ((*zip(state.pile, state.added, strict=True), *zip(state.aside, state.asider, strict=True))):
        if by != seat:
            view.pool += ONE[card]
    view.pile = tuple(c if by == seat else UNKNOWN for c, by in zip(state.pile, state.added, strict=True))
    view.aside = tuple(c if by == seat else UNKNOWN for c, by in zip(state.aside, state.asider, strict=True))
    return view


def played_out(view: Dungeon, seat: int, policy: Policy, rng: Random, times: int) -> float:
    survived = 0
    for _ in range(times):
        world = view.fill(rng)
        world.passed |= 1 << 1 - seat
        world.enter()
        begun = world.round
        while world.round == begun and world.turn != OVER and world.stage != SHOW:
            world.apply(event(world, rng) if world.turn == CHANCE else policy.choose(world, rng))
        survived += world.wins[seat]
    return survived / times


def check_survival(dungeons: int, times: int, most_off: float, most_bias: float) -> None:
    rng, policy = Random(11), Policy()
    off: dict[str, list[float]] = {}
    for number in range(dungeons):
        state = bids_until(rng, 2 + number % 8)
        if state.pile:
            seat = state.mover
            view = view_of(state, seat)
            told = next(line for line in policy.explain(view) if line.startswith("Survival by what player"))
            told_chance = float(told.rsplit(" ", 1)[1])
            assert 0.0 <= told_chance <= 1.0
            off.setdefault(state.hero.code, []).append(told_chance - played_out(view, seat, policy, rng, times))
    assert len(off) == 4
    for hero, each in off.items():
        assert sum(map(abs, each)) / len(each) < most_off, hero
        assert abs(sum(each) / len(each)) < most_bias, hero


def test_survival_agrees_with_expeditions_played_out() -> None:
    check_survival(80, 60, 0.14, 0.10)


@pytest.mark.slow
def test_survival_agrees_with_many_expeditions_played_out() -> None:
    """Its mean error is some hundredths; what depends on the order is the worst: Bones, Harp, Coin."""
    check_survival(400, 200, 0.12, 0.06)


def test_what_a_score_is_worth() -> None:
    standing = Standing(Book(PLAIN))
    assert standing.shares((0, 0), (0, 0)) == pytest.approx((0.5, 0.5))
    assert standing.shares((2, 1), (0, 0)) == (1.0, 0.0)
    assert standing.shares((0, 0, 1), (2, 1, 2)) == (0.0, 1.0, 0.0)
    # One success each, one failure each: whoever is in the dungeon next wins or loses all.
    assert standing.shares((1, 1), (1, 1)) == pytest.approx((0.5, 0.5))
    ahead = standing.shares((1, 0, 0), (0, 0, 0))
    assert ahead[0] > 0.45 and ahead[1] == pytest.approx(ahead[2]) and sum(ahead) == pytest.approx(1.0)
    assert standing.shares((0, 0, 0), (1, 0, 0))[0] < 1 / 3
    drawn = Standing(Book({"Rex": True})).shares((0, 0), (2, 0))
    assert drawn == (0.5, 0.5)


def test_sensible_moves() -> None:
    policy, rng = Policy(), Random(1)
    safe = after(bidding(2, "NIN"), "draw", "@1=SKE", "add")
    assert policy.choose(safe, rng) == "draw", "nobody leaves a success to the other"
    deadly = bidding(2, "PRI")
    for tile in "CHA CHP SWO COL CRO SCE".split():
        deadly.apply("draw")
        after(deadly, deadly.chance()[0][0], f"x{tile}")
    after(deadly, "draw", "@1=DRA", "add")
    assert policy.choose(deadly, rng) == "pass"
    # A deadly monster is worth a tile, a weak one isn't.
    assert policy.choose(meet(entering("BAR", "TUN RAP", "DRA SKE")), rng) == "useRAP"
    assert policy.choose(meet(entering("BAR", "TUN HAT RAP", "GOB DRA DEM LIC")), rng) == "noRAP"
    assert policy.choose(meet(entering("PRI", "CHA CRO", "CUB LIC SKE")), rng) == "xCRO"
    sword = entering("PRI", "CHA SWO", "LIC DEM")
    assert policy.choose(after(sword, "at2"), rng) == "n5", "who knows that no golem lies there names its strength"


def shares_of_greedy(seats: int, games: int) -> float:
    policy, total = Policy(), 0.0
    start = Dungeon.start(seats, PLAIN)
    for number in range(games):
        state, rng, first = start.copy(), Random(number // seats), number % seats
        while state.turn != OVER:
            if state.turn == CHANCE:
                state.apply(event(state, rng))
            elif state.turn == first:
                state.apply(policy.choose(state, rng))
            else:
                state.apply(rng.choice(state.legal()))
        total += state.returns()[first]
    return total / games


@pytest.mark.parametrize(("seats", "least"), [(2, 0.9), (3, 0.8), (4, 0.7)])
def test_greedy_beats_random(seats: int, least: float) -> None:
    """Par is one in `seats`; the shares are above 0.9."""
    assert shares_of_greedy(seats, 60) > least


@pytest.mark.parametrize("options", [PLAIN, OTHERS])
def test_whole_games_by_rule_of_thumb(options: dict[str, OptionValue]) -> None:
    policy = Policy()
    for seed in range(12):
        rng, state = Random(seed), Dungeon.start(2 + seed % 3, options)
        while state.turn != OVER:
            if state.turn == CHANCE:
                state.apply(event(state, rng))
                continue
            weights = policy.weights(state, state.legal())
            assert len(weights) == len(state.legal()) and min(weights) > 0
            assert abs(sum(policy.estimate(state)) - 1) < 1e-9
            for seat in range(state.seats):
                assert policy.plausibility(state, seat) > 0
            lines = policy.explain(state)
            assert len(lines) >= state.seats and all(line.isascii() for line in lines)
            state.apply(policy.choose(state, rng))


@pytest.mark.slow
def test_speeds() -> None:
    """In time of this process alone; with much room for a slow machine."""
    state = bidding(3, "NIN")
    for token in "draw @1=? add draw @2=GOB add draw @3=? xSHU draw @1=? add draw @2=DRA xHER draw @3=? add".split():
        state.apply(token)
    rng = Random(1)
    begun = time.process_time()
    for _ in range(20_000):
        state.copy()
    assert (time.process_time() - begun) / 20_000 < 3e-6 * 2
    begun = time.process_time()
    for _ in range(10_000):
        state.fill(rng)
    assert (time.process_time() - begun) / 10_000 < 15e-6 * 2
    plies, begun, start = 0, time.process_time(), Dungeon.start(3, PLAIN)
    for _ in range(1500):
        game = start.copy()
        while game.turn != OVER:
            game.apply(event(game, rng) if game.turn == CHANCE else rng.choice(game.legal()))
            plies += 1
    assert plies / (time.process_time() - begun) > 300_000 / 2
