"""Thud as the wrapper sees it: tokens, offers, ends, the limit."""

from __future__ import annotations

import pytest
from thudstone.engine.game import OVER, IllegalToken, Stop
from thudstone.engine.thud import core
from thudstone.engine.thud.state import Thud

QUIET = ("dO11-O9", "TG7-F6", "dO9-O11", "TF6-G7")  # four plies without a capture


def start(**options: str | int) -> Thud:
    return Thud.start(2, options)


def placed(dwarfs: str, trolls: str, side: int, limit: int = 200) -> Thud:
    squares = [[core.square(name) for name in names.split()] for names in (dwarfs, trolls)]
    return Thud(core.Board.from_pieces(squares[0], squares[1], side), limit)


def play(state: Thud, *tokens: str) -> Thud:
    for token in tokens:
        state.apply(token)
    return state


def reason(state: Thud, token: str) -> str:
    before = (state.text(), state.legal(), state.end(), state.offered)
    with pytest.raises(IllegalToken) as caught:
        state.apply(token)
    assert (state.text(), state.legal(), state.end(), state.offered) == before
    return str(caught.value)


def test_the_start() -> None:
    state = start()
    assert state.text() == core.START
    assert state.turn == 0
    assert len(state.legal()) == 656
    assert state.end() == "none"
    assert state.score() == (32, 32)
    with pytest.raises(ValueError, match="isn't over"):
        state.returns()


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_a_battle_is_for_two(seats: int) -> None:
    with pytest.raises(ValueError, match=f"thud has 2 players, not {seats}"):
        Thud.start(seats, {})


def test_legal_lists_the_core_s_moves_in_its_order() -> None:
    board = core.Board()
    assert start().legal() == [core.move_text(move, 0) for move in board.legal_moves()]


def test_apply_writes_the_token_as_the_game_does() -> None:
    state = start()
    assert state.apply("o11-o9") == "dO11-O9"
    assert state.apply("g7-f6=") == "TG7-F6="
    assert state.text().split()[1:] == ["d", "2", "2"]


def test_the_rule_and_the_limit_come_from_the_options() -> None:
    state = start(TrollCapture="one", NoCaptureLimit=7)
    assert (state.board.rule, state.limit) == ("one", 7)
    state = start()
    assert (state.board.rule, state.limit) == ("any", 200)


def test_illegal_tokens_are_named_with_the_reason() -> None:
    state = start()
    assert reason(state, "dO8-O5") == "dO8-O5: no dwarf on O8"
    assert reason(state, "=") == "=: no offer stands"
    assert reason(state, "dO11-O9==").startswith("dO11-O9=: ")
    assert reason(state, "@=r1").startswith("@=r1: ")
    assert reason(state, "!x").startswith("!x: ")
    assert reason(state, "")


@pytest.mark.parametrize("token", ["dO11-O9", "O11-O9", "o11-o9", "dO11-O9="])
def test_is_legal_accepts_what_apply_does(token: str) -> None:
    assert start().is_legal(token)


@pytest.mark.parametrize("token", ["TO11-O9", "dO11-O10xO9", "=", "", "dO11-O9==", "moves", "dO11-A1"])
def test_is_legal_rejects_what_apply_does(token: str) -> None:
    assert not start().is_legal(token)
    assert reason(start(), token)


def test_an_offer_may_be_accepted() -> None:
    state = play(start(), "dO11-O9=")
    assert state.legal()[-1] == "="
    assert state.legal().count("=") == 1
    assert len(state.legal()) == 1 + state.board.legal_count()
    assert state.is_legal("=")
    before = state.text()
    assert state.apply("=") == "="
    assert state.text() == before
    assert (state.end(), state.turn, state.legal()) == ("agreed", OVER, [])
    assert state.returns() == (0.5, 0.5)
    assert reason(state, "TG7-F6") == "TG7-F6: the battle is over: agreed"
    assert reason(state, "=") == "=: the battle is over: agreed"
    assert not state.is_legal("TG7-F6")


def test_any_other_move_declines_and_may_offer_itself() -> None:
    state = play(start(), "dO11-O9=", "TG7-F6")
    assert not state.is_legal("=")
    state = play(start(), "dO11-O9=", "TG7-F6=", "=")
    assert state.end() == "agreed"


def test_an_illegal_answer_leaves_the_offer_standing() -> None:
    state = play(start(), "dO11-O9=")
    reason(state, "dA6-B7")
    assert state.is_legal("=")


def test_a_battle_without_dwarfs_is_over() -> None:
    state = play(placed("F1", "F3", core.TROLLS), "TF3-F2xF1")
    assert (state.end(), state.turn, state.legal()) == ("no-pieces", OVER, [])
    assert state.score() == (0, 4)
    assert state.returns() == (0.0, 1.0)
    assert reason(state, "TF2-F3") == "TF2-F3: the battle is over: no-pieces"


def test_a_battle_without_trolls_is_over() -> None:
    state = play(placed("F1 F2", "F3", core.DWARFS), "dF2-F3xF3")
    assert state.end() == "no-pieces"
    assert state.score() == (2, 0)
    assert state.returns() == (1.0, 0.0)


def test_a_side_that_can_t_move_ends_the_battle() -> None:
    state = placed("G1 E2 F2 G2", "F1", core.TROLLS)
    assert (state.end(), state.turn, state.legal()) == ("no-move", OVER, [])
    assert state.returns() == (0.5, 0.5)
    assert reason(state, "TF1-E1") == "TF1-E1: the battle is over: no-move"


def test_an_offer_on_a_move_that_ends_the_battle_is_void() -> None:
    state = placed("F1", "F3", core.TROLLS)
    assert state.is_legal("TF3-F2xF1=")
    assert state.apply("TF3-F2xF1=") == "TF3-F2xF1="
    assert state.end() == "no-pieces"
    assert reason(state, "=") == "=: the battle is over: no-pieces"


def test_the_limit_ends_the_battle_only_where_it_is_looked_at() -> None:
    state = play(start(NoCaptureLimit=3), *QUIET[:2])
    assert state.end() == "none"
    state.apply(QUIET[2])
    assert (state.end(), state.turn, state.legal()) == ("limit", OVER, [])
    assert not state.is_legal(QUIET[3])
    assert state.returns() == (0.5, 0.5)
    assert state.apply(QUIET[3]) == QUIET[3]  # a record may run past it
    assert state.end() == "limit"
    state = Thud.from_text("d3d/7/9/11/13/15/15/7R7/15/15/13/11/9/7/3dT d 200 1", {})
    assert state.end() == "limit"
    state.apply("dJ15-K15xK15")
    assert state.end() == "no-pieces"


def test_a_capture_takes_the_battle_back_below_the_limit() -> None:
    state = Thud.from_text("d3d/7/9/11/13/15/15/7R7/15/15/13/11/9/7/T2dT d 5 9", {"NoCaptureLimit": 5})
    assert state.end() == "limit"
    state.apply("dJ15-K15xK15")
    assert state.end() == "none"
    assert state.turn == 1


def test_no_limit() -> None:
    state = Thud.from_text(core.START.replace("d 0 1", "d 9000 1"), {"NoCaptureLimit": 0})
    assert state.end() == "none"


def test_a_text_that_is_no_position() -> None:
    with pytest.raises(ValueError, match="row"):
        Thud.from_text("dd1dd/d5d d 0 1", {})


def test_a_copy_goes_its_own_way() -> None:
    state = play(start(NoCaptureLimit=9), "dO11-O9=")
    other = state.copy()
    assert (other.limit, other.is_legal("=")) == (9, True)
    other.apply("=")
    assert state.end() == "none"
    state.apply("TG7-F6")
    assert (other.end(), other.text().split()[1]) == ("agreed", "T")
    assert play(state.copy(), "dO9-O11").text() != state.text()


def test_every_seat_sees_everything() -> None:
    state = start()
    assert [state.redact("dO11-O9", seat) for seat in (0, 1)] == ["dO11-O9", "dO11-O9"]
    assert state.chance() == []


def test_perft_counts_no_offers_and_looks_at_no_limit() -> None:
    state = play(start(NoCaptureLimit=1), "dO11-O9=")
    assert state.end() == "limit"
    plain = play(start(), "dO11-O9")
    for depth in (0, 1, 2):
        assert state.perft(depth, Stop()) == plain.perft(depth, Stop())
    counts = dict(state.divide(2, Stop()))
    assert list(counts) == plain.legal()
    assert sum(counts.values()) == state.perft(2, Stop())


def test_perft_of_the_start() -> None:
    assert [start().perft(depth, Stop()) for depth in range(4)] == [1, 656, 22624, 14142624]
    assert start(TrollCapture="all").perft(2, Stop()) == 21736


def test_perft_of_an_ended_battle() -> None:
    agreed = play(start(), "dO11-O9=", "=")
    for state in (agreed, placed("G1 E2 F2 G2", "F1", core.TROLLS)):
        assert [state.perft(depth, Stop()) for depth in range(3)] == [1, 0, 0]
        assert list(state.divide(2, Stop())) == []


def test_perft_can_be_stopped() -> None:
    stop = Stop()
    stop.set()
    assert start().perft(6, stop) is None
    assert list(start().divide(6, stop)) == []


def test_the_drawing() -> None:
    state = play(start(), "dO11-O9=")
    lines = state.draw().splitlines()
    assert lines[0] == lines[16] == "     A B C D E F G H J K L M N O P"
    assert lines[1] == "  1            d d . d d            1"
    assert lines[8] == "  8  . . . . . . T R T . . . . . .  8"
    assert lines[9] == "  9  d . . . . . T T T . . . . d d  9"
    assert lines[15] == " 15            d d . d d            15"
    assert lines[17:] == [
        "To move: trolls",
        "An offer to end the battle stands",
        "Turn: 1, plies since the last capture: 1 of 200",
        "Points: dwarfs 32, trolls 32 (8 trolls)",
        "Trolls capture: any",
        f"Fen: {state.text()}",
    ]
    state.apply("=")
    assert state.draw().splitlines()[17] == "Over: agreed"
