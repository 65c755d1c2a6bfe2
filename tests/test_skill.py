"""Levels below full strength: weaker by degrees, repeatable, and within what is asked."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from thudstone.engine.game import Choice, Info, Limits, Stop
from thudstone.engine.thud import core
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.skill import FULL, Skill
from thudstone.engine.thud.state import Thud

pytestmark = pytest.mark.slow


def player(level: int, **options: int) -> ThudPlayer:
    made = ThudPlayer()
    made.set_option("Skill Level", level)
    for name, value in options.items():
        made.set_option(name, value)
    return made


def run(made: ThudPlayer, view: Thud, limits: Limits) -> tuple[Choice, list[Info]]:
    infos: list[Info] = []
    choice = made.search(view, limits, infos.append, Stop())
    return choice, [replace(info, time=0) for info in infos]


def positions(count: int, seed: int = 5) -> list[Thud]:
    """From battles in which both sides take what they can, so that the pieces have met."""
    rng = random.Random(seed)
    found: list[Thud] = []
    while len(found) < count:
        state = Thud.start(2, {})
        for _ in range(rng.randint(10, 60)):
            moves = state.board.legal_moves()
            most = max(len(core.captured(move)) for move in moves)
            state.board.push(rng.choice([move for move in moves if len(core.captured(move)) == most]))
            if state.end() != "none":
                break
        else:
            found.append(state)
    return found


def test_the_highest_level_changes_nothing() -> None:
    for view in positions(4):
        limits = Limits(nodes=20_000)
        assert run(player(FULL), view, limits) == run(ThudPlayer(), view, limits)


@pytest.mark.parametrize("level", [0, 5, 10, 15, 19])
def test_a_level_can_be_repeated_and_says_what_it_plays(level: int) -> None:
    used = player(level)
    for view in positions(4):
        used.new_game()
        choice, infos = run(used, view, Limits(depth=5))
        assert run(player(level, Threads=2), view, Limits(depth=5)) == (choice, infos)
        depths = [info.depth for info in infos if info.pv]
        assert depths == list(range(1, len(depths) + 1))
        assert infos[-2].pv[0] == choice.move
        assert view.is_legal(str(choice.move))
        replay = view.copy()
        for token in infos[-2].pv:
            replay.apply(token)
        assert infos[-1].pv == ()


def test_lower_levels_lose_more_by_their_moves() -> None:
    """What the chosen moves lose against the best one, on the average, as a deeper search of full strength has it."""
    lost = Counter[int]()
    judge = ThudPlayer()

    def worth(view: Thud, *moves: str) -> int:
        judge.new_game()
        score = run(judge, view, Limits(depth=5, searchmoves=moves))[1][-2].score
        assert score is not None
        return score

    views = positions(30)
    for view in views:
        best = worth(view)
        for level in (0, 5, 10, 15):
            move = run(player(level, Hash=1), view, Limits())[0].move
            lost[level] += best - worth(view, str(move))
    means = [lost[level] / len(views) for level in (0, 5, 10, 15)]
    assert means == sorted(means, reverse=True)
    assert means[0] > 4 * means[3]


def test_lines_are_sorted_and_begin_with_the_move_that_is_played() -> None:
    for view in positions(4):
        choice, infos = run(player(8, MultiPV=3), view, Limits())
        last = [info for info in infos if info.pv and info.depth == infos[-2].depth]
        scores = [info.score for info in last if info.score is not None]
        assert [info.multipv for info in last] == [1, 2, 3]
        assert scores == sorted(scores, reverse=True)
        assert last[0].pv[0] == choice.move
        assert len({info.pv[0] for info in last}) == 3


def test_limits_and_restrictions_hold_at_every_level() -> None:
    view = Thud.start(2, {})
    for level in (0, 7, 14):
        weak = player(level)
        choice, infos = run(weak, view, Limits(searchmoves=("dA6-B6", "dP6-O7")))
        assert choice.move in ("dA6-B6", "dP6-O7")
        for limits in (Limits(nodes=1), Limits(nodes=0), Limits(movetime=0)):
            choice, infos = run(weak, view, limits)
            assert view.is_legal(str(choice.move))
            assert infos[-1].nodes <= 1
    alone = Thud(core.Board.from_pieces([core.square("A6")], [core.square("H2")], core.TROLLS))
    assert run(player(0), alone, Limits(searchmoves=("TH2-H3",)))[0].move == "TH2-H3"


def test_a_line_is_the_less_likely_the_more_it_loses() -> None:
    moves = core.Board().legal_moves()
    chosen: Counter[int] = Counter()
    for key in range(2000):
        skill = Skill(0, key, moves, 1, lambda *line: None)
        for line in range(skill.lines):
            skill.take(1, 1, line + 1, -50 * line, [line])
        chosen[skill.best[0]] += 1
    assert skill.lines == 12
    counts = [chosen[line] for line in range(12)]
    share = 1 / sum(0.6065**line for line in range(12))  # e to the power of -1/2
    assert all(abs(counts[line] - 2000 * share * 0.6065**line) < 60 for line in range(12))


def test_quiet_moves_are_overlooked_more_than_captures() -> None:
    view = positions(1)[0]
    board = view.board
    while not any(core.captured(move) for move in board.legal_moves()):
        board.push(board.legal_moves()[0])
    moves = board.legal_moves()
    captures = {move for move in moves if core.captured(move)}
    for level, quiet, taking in ((0, 0.1, 0.55), (5, 0.316, 0.658), (10, 1.0, 1.0)):
        seen: Counter[int] = Counter()
        for key in range(300):
            seen.update(Skill(level, key, moves, 1, lambda *line: None).roots)
        share = sum(seen[move] for move in captures) / (300 * len(captures))
        assert share == pytest.approx(taking, abs=0.08)
        share = sum(seen[move] for move in moves if move not in captures) / (300 * (len(moves) - len(captures)))
        assert share == pytest.approx(quiet, abs=0.02)


@pytest.mark.parametrize("level", [-1, FULL])
def test_there_is_no_such_level(level: int) -> None:
    with pytest.raises(ValueError, match=f"level {level} is not between 0 and 19"):
        Skill(level, 0, [1], 1, lambda *line: None)


@pytest.mark.parametrize("side", [core.DWARFS, core.TROLLS])
def test_a_middle_level_beats_a_beginner(side: int) -> None:
    for seed in range(3):
        state = Thud.start(2, {})
        rng = random.Random(seed)
        for _ in range(4):
            state.board.push(rng.choice([m for m in state.board.legal_moves() if not core.captured(m)]))
        seats = [player(0, Hash=1), player(0, Hash=1)]
        seats[side] = player(8, Hash=1)
        while state.end() == "none":
            state.apply(str(run(seats[state.turn], state, Limits())[0].move))
        dwarfs, trolls = state.score()
        assert (dwarfs - trolls) * (1 if side == core.DWARFS else -1) > 0
