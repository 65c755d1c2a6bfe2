"""The players of card games: their limits, what they report, and that the same question has the same answer."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from random import Random

import pytest
from hidden_information import Table
from thudstone.engine import games
from thudstone.engine.cards.flat import Arms
from thudstone.engine.cards.player import CardPlayer
from thudstone.engine.cards.search import Tree
from thudstone.engine.game import CHANCE, OVER, Game, Info, Limits, Stop

CARD_GAMES = [name for name in games.NAMES if name != "thud"]
KINDS = ("random", "greedy", "flat", "search")


def card_player(name: str, kind: str = "search", seed: int = 0) -> CardPlayer:
    made = games.load(name)[1]()
    assert isinstance(made, CardPlayer)
    made.set_option("Player", kind)
    made.set_option("Seed", seed)
    return made


def view_of(name: str, seed: int = 1) -> Game:
    """What the seat to move knows, with more than one move to choose from."""
    rng = Random(seed)
    while True:
        table = Table.of(games.load(name)[0], games.load(name)[0].seat_range[0])
        table.play(rng, 30)
        if table.world.turn >= 0 and len(table.world.legal()) > 2:
            return table.views[table.world.turn]


def ask(player: CardPlayer, view: Game, limits: Limits) -> tuple[str | None, list[Info]]:
    told: list[Info] = []
    return player.search(view, limits, told.append, Stop()).move, told


@pytest.mark.parametrize("name", CARD_GAMES)
@pytest.mark.parametrize("kind", ("flat", "search"))
def test_nodes_are_exact_and_reports_sum_to_one(name: str, kind: str) -> None:
    view = view_of(name)
    before = view.text()
    move, told = ask(card_player(name, kind), view, Limits(nodes=37))
    assert view.text() == before and move in view.legal()
    assert [info.nodes for info in told] == [1, 2, 4, 8, 16, 32, 37, 37]
    assert [info.depth for info in told] == [0, 1, 2, 3, 4, 5, 6, None]
    for info in told[:-1]:
        assert info.shares is not None and len(info.shares) == view.seats and abs(sum(info.shares) - 1) < 1e-9
    assert told[-2].pv == (move,)


@pytest.mark.parametrize("name", CARD_GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_limits(name: str, kind: str) -> None:
    view, player = view_of(name), card_player(name, kind)
    legal = view.legal()
    for limits in (Limits(nodes=0), Limits(depth=0), Limits(movetime=0), Limits(nodes=5, searchmoves=(legal[-1],))):
        move, told = ask(player, view, limits)
        assert move in (limits.searchmoves or legal) and told[-1].pv == ()
    if kind in ("flat", "search"):
        assert ask(player, view, Limits(depth=3))[1][-1].nodes == 8
        begun = time.monotonic()
        assert ask(player, view, Limits(movetime=100))[1][-1].nodes > 1
        assert time.monotonic() - begun < 0.5
        begun = time.monotonic()
        assert ask(player, view, Limits(clock=(2000,) * view.seats))[1][-1].nodes > 1
        assert time.monotonic() - begun < 0.5


@pytest.mark.parametrize("name", CARD_GAMES)
def test_stop_ends_an_infinite_search_at_once(name: str) -> None:
    stop, ended = Stop(), []
    view, player = view_of(name), card_player(name)

    def search() -> None:
        player.search(view, Limits(infinite=True), lambda info: None, stop)
        ended.append(time.monotonic())

    thread = threading.Thread(target=search)
    thread.start()
    time.sleep(0.2)
    stopped = time.monotonic()
    stop.set()
    thread.join(5)
    assert ended and ended[0] - stopped < 0.5


@pytest.mark.parametrize("name", CARD_GAMES)
def test_nobody_to_move(name: str) -> None:
    game = games.load(name)[0]
    begin = Table.of(game, game.seat_range[0])
    assert begin.world.turn == CHANCE
    assert ask(card_player(name), begin.world, Limits(nodes=5))[0] is None
    begin.play(Random(1), 10_000)
    assert begin.world.turn == OVER
    assert ask(card_player(name), begin.world, Limits(nodes=5))[0] is None


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from test_card_players import KINDS, ask, card_player, view_of
from thudstone.engine.game import Limits
for kind in KINDS:
    told = ask(card_player(sys.argv[2], kind, 7), view_of(sys.argv[2]), Limits(nodes=60))
    print(kind, told[0], [info.shares for info in told[1]])
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", CARD_GAMES)
def test_one_seed_gives_one_move_in_every_process(name: str) -> None:
    here = os.path.dirname(__file__)
    answers = set()
    for seed in ("0", "1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", SCRIPT, here, name]
        answers.add(subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout)
    assert len(answers) == 1 and "search" in answers.pop()


def test_engine_process_of_each_card_game() -> None:
    for name in CARD_GAMES:
        lines = f"uci\nsetoption name UCI_Variant value {name}\nquery turn\ngo nodes 3\neval\nquit\n"
        done = subprocess.run(
            [sys.executable, "-m", "thudstone"], input=lines, capture_output=True, text=True, check=True
        )
        assert "response chance\n" in done.stdout and "bestmove (none)" in done.stdout and not done.stderr


class Bandit(Game):
    """Seat 1 takes one of two lotteries by its name, seat 2 then takes what is better for seat 2: the search must look
    past the rule of thumb, which takes the first."""

    name = "bandit"
    seat_range = (2, 2)
    seats = 2

    def __init__(self, said: str = "") -> None:
        self.said = said

    @classmethod
    def start(cls, seats: int, options: Mapping[str, object]) -> Bandit:
        return cls()

    @classmethod
    def from_text(cls, text: str, options: Mapping[str, object]) -> Bandit:
        return cls(text)

    def text(self) -> str:
        return self.said

    @property
    def turn(self) -> int:
        return len(self.said) if len(self.said) < 2 else OVER

    def legal(self) -> list[str]:
        return ["a", "b"] if self.turn >= 0 else []

    def is_legal(self, token: str) -> bool:
        return token in self.legal()

    def apply(self, token: str) -> str:
        self.said += token
        return token

    def end(self) -> str:
        return "over" if self.turn == OVER else "none"

    def score(self) -> tuple[int, ...]:
        return (0, 0)

    def returns(self) -> tuple[float, ...]:
        first = {"aa": 1.0, "ab": 0.0, "ba": 0.7, "bb": 0.6}[self.said]
        return (first, 1 - first)

    def copy(self) -> Bandit:
        return Bandit(self.said)

    def draw(self) -> str:
        return self.said


class Naive:
    def choose(self, state: Game, rng: Random) -> str:
        return state.legal()[0]

    def weights(self, state: Game, tokens: list[str]) -> list[float]:
        return [4.0, 1.0][: len(tokens)]

    def settled(self, state: Game, root: Game) -> bool:
        return False

    def estimate(self, state: Game) -> tuple[float, ...]:
        raise AssertionError("nothing is settled before the end")

    def plausibility(self, world: Game, seat: int) -> float:
        return 1.0

    def explain(self, state: Game) -> list[str]:
        return []


def test_the_tree_foresees_an_answer_that_flat_search_and_the_rule_of_thumb_do_not() -> None:
    tree, arms = Tree(Naive(), Bandit(), ["a", "b"], Random(1)), Arms(Naive(), Bandit(), ["a", "b"], Random(1))
    for _ in range(500):
        tree.playout()
        arms.playout()
    assert tree.best() == "b" and 0.55 < tree.shares()[0] < 0.7
    assert arms.best() == "a" and arms.shares()[0] == 1.0


@pytest.mark.parametrize("name", CARD_GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_seat_that_is_not_to_move_can_be_asked_what_the_other_will_do(name: str, kind: str) -> None:
    """What another seat may do differs between the worlds that fit a view."""
    rng = Random(5)
    asked = 0
    player = card_player(name, kind)
    for _ in range(3):
        table = Table.of(games.load(name)[0], games.load(name)[0].seat_range[1])
        for _ in range(12):
            table.play(rng, 12)
            turn = table.world.turn
            if turn >= 0:
                view = table.views[(turn + 1) % table.world.seats]
                move, _ = ask(player, view, Limits(nodes=5))
                assert move in view.legal()
                asked += 1
    assert asked > 5
