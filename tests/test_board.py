"""The compiled board: what holds for every position, and what it says to bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import oracle
import placements
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thudstone.engine.thud import core

ANY_PIECES = st.dictionaries(st.sampled_from(placements.SQUARES), st.sampled_from("dT"))
LINED_PIECES = st.integers(0, 10**9).map(lambda seed: placements.lined(Random(seed)))
PIECES = st.one_of(ANY_PIECES, LINED_PIECES)
SIDES = st.sampled_from("dT")
RULES = st.sampled_from(core.RULES)
IMAGES: list[Callable[[int, int], oracle.Square]] = [
    lambda file, row: (file, row),
    lambda file, row: (16 - file, row),
    lambda file, row: (file, 16 - row),
    lambda file, row: (16 - file, 16 - row),
    lambda file, row: (row, file),
    lambda file, row: (16 - row, file),
    lambda file, row: (row, 16 - file),
    lambda file, row: (16 - row, 16 - file),
]


def everything(board: core.Board) -> tuple[object, ...]:
    """All that can be seen of a board except the moves that led to it."""
    return (
        board.tfen, board.rule, board.side, board.quiet, board.turn, board.dwarfs, board.trolls, board.key, board.end(),
        board.squares(core.DWARFS), board.squares(core.TROLLS), board.legal_moves(), board.legal_count(),
        board.evaluate(), board.terms(),
    )  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(PIECES, SIDES, RULES)
def test_eight_images_have_the_same_counts_and_scores(pieces: oracle.Pieces, side: str, rule: str) -> None:
    seen = set()
    for image in IMAGES:
        board = placements.core_board({image(*square): kind for square, kind in pieces.items()}, side, rule)
        parts = tuple(sorted(board.terms()))
        leaves = board.perft(2) if board.legal_count() < 500 else None
        seen.add((board.legal_count(), leaves, board.end(), board.evaluate(), parts))
    assert len(seen) == 1


@settings(deadline=None, max_examples=150)
@given(PIECES, SIDES, RULES, st.integers(0, 10**9))
def test_taking_back_restores_everything(pieces: oracle.Pieces, side: str, rule: str, seed: int) -> None:
    random = Random(seed)
    board = placements.core_board(pieces, side, rule)
    before = []
    while moves := board.legal_moves():
        if board.ply == 40:
            break
        before.append((everything(board), random.choice(moves)))
        board.push(before[-1][1])
        assert board.ply == len(before)
    while before:
        state, move = before.pop()
        assert board.pop() == move
        assert everything(board) == state
    with pytest.raises(IndexError, match="no move to take back"):
        board.pop()


@settings(deadline=None, max_examples=150)
@given(PIECES, SIDES, RULES, st.integers(0, 10**9))
def test_what_is_kept_as_moves_are_made_equals_what_is_computed_afresh(
    pieces: oracle.Pieces, side: str, rule: str, seed: int
) -> None:
    random = Random(seed)
    board = placements.core_board(pieces, side, rule)
    for _ in range(40):
        assert everything(core.Board(board.tfen, rule)) == everything(board)
        moves = board.legal_moves()
        if not moves:
            break
        board.push(random.choice(moves))


@settings(deadline=None, max_examples=150)
@given(PIECES, SIDES, RULES)
def test_counts_equal_list_lengths(pieces: oracle.Pieces, side: str, rule: str) -> None:
    board = placements.core_board(pieces, side, rule)
    moves = board.legal_moves()
    assert board.legal_count() == board.perft(1) == board.perft(1, bulk=False) == len(moves) == len(set(moves))
    assert (board.end() == "none") == bool(moves)
    assert (board.dwarfs, board.trolls) == (len(board.squares(core.DWARFS)), len(board.squares(core.TROLLS)))


@settings(deadline=None, max_examples=100)
@given(PIECES, SIDES, RULES, st.integers(0, 10**9))
def test_only_listed_moves_are_legal(pieces: oracle.Pieces, side: str, rule: str, seed: int) -> None:
    random = Random(seed)
    board = placements.core_board(pieces, side, rule)
    moves = board.legal_moves()
    legal = set(moves)
    others = placements.core_board(pieces, "dT"["Td".index(side)], "any").legal_moves()
    tried = random.sample(moves, min(len(moves), 40)) + random.sample(others, min(len(others), 40))
    tried += [move ^ 1 << random.randrange(32) for move in tried for _ in range(4)]
    tried += [random.getrandbits(25) for _ in range(40)]
    for move in tried:
        assert board.is_legal(move) == (move in legal)
        if move not in legal:
            state = board.tfen
            with pytest.raises(ValueError, match=r"\S"):
                board.push(move)
            assert (board.tfen, board.ply) == (state, 0)


@settings(deadline=None, max_examples=200)
@given(PIECES, SIDES, st.integers(0, 9999), st.integers(1, 9999))
def test_positions_round_trip(pieces: oracle.Pieces, side: str, quiet: int, turn: int) -> None:
    board = placements.core_board(pieces, side)
    assert oracle.parse(board.tfen) == (pieces, side)
    tfen = f"{board.tfen.rsplit(' ', 2)[0]} {quiet} {turn}"
    again = core.Board(tfen)
    assert again.tfen == tfen
    assert (again.quiet, again.turn, again.key) == (quiet, turn, board.key)
    for square in placements.SQUARES:
        assert again.piece(placements.core_square(square)) == pieces.get(square, "")


@settings(deadline=None, max_examples=100)
@given(PIECES, SIDES, RULES, st.integers(0, 10**9))
def test_move_text_round_trips(pieces: oracle.Pieces, side: str, rule: str, seed: int) -> None:
    random = Random(seed)
    board = placements.core_board(pieces, side, rule)
    moves = board.legal_moves()
    for move in random.sample(moves, min(len(moves), 40)):
        text = core.move_text(move, board.side)
        steps, *captures = text.split("x")
        assert captures == [core.square_name(square) for square in core.captured(move)]
        random.shuffle(captures)
        shuffled = "x".join([steps, *captures])
        for written in (text, shuffled, text.lower(), text[1:], shuffled[1:].lower(), shuffled.upper()):
            assert board.parse(written) == move


def test_counters_may_be_left_out() -> None:
    pieces = core.START.rsplit(" ", 2)[0]
    assert core.Board(pieces).tfen == core.Board(f"{pieces} 0").tfen == core.START


def test_rows_without_a_piece_are_one_number() -> None:
    empty = "5/7/9/11/13/15/15/7R7/15/15/13/11/9/7/5 d 0 1"
    assert core.Board.from_pieces([], []).tfen == empty
    assert core.Board(empty).end() == "no-pieces"


def test_a_full_board() -> None:
    for side, letter in ((core.DWARFS, "d"), (core.TROLLS, "T")):
        dwarfs, trolls = (core.SQUARES, ()) if side == core.DWARFS else ((), core.SQUARES)
        board = core.Board.from_pieces(dwarfs, trolls, side=side)
        assert board.tfen.split()[0].count(letter) == len(core.SQUARES) == 164
        assert core.Board(board.tfen).key == board.key


@pytest.mark.parametrize("entry", json.loads((Path(__file__).parent / "data" / "most_moves.json").read_text()))
def test_the_longest_lists_known(entry: dict[str, Any]) -> None:
    board = core.Board(entry["tfen"])
    assert board.legal_count() == len(set(board.legal_moves())) == entry["moves"]
    assert len(oracle.legal_moves(*oracle.parse(entry["tfen"]), "any")) == entry["moves"]


def test_keys_differ_between_sides_and_positions() -> None:
    board = core.Board()
    keys = {board.key, core.Board(core.START.replace(" d ", " T ")).key}
    for move in board.legal_moves():
        board.push(move)
        keys.add(board.key)
        board.pop()
    assert len(keys) == 2 + 656


def test_a_copy_is_independent() -> None:
    board = core.Board()
    board.push(board.parse("dA6-B7"))
    copy = board.copy()
    copy.push(copy.parse("TG7-F7"))
    assert (board.ply, copy.ply) == (1, 2)
    copy.pop()
    copy.pop()
    assert copy.tfen == core.START
    assert board.tfen != core.START


def test_passing_the_move_over() -> None:
    board = core.Board()
    board.null()
    assert board.side == core.TROLLS
    assert board.key == core.Board(core.START.replace(" d ", " T ")).key
    with pytest.raises(IndexError):
        board.pop()


def test_squares() -> None:
    assert core.square("A6") == core.square("a6") == 0x61
    assert [core.square_name(square) for square in (0x16, 0x88, 0xFA)] == ["F1", "H8", "K15"]
    assert len(core.SQUARES) == 164 and list(core.SQUARES) == sorted(core.SQUARES)
    for name in ("", "A", "A5", "I8", "H16", "H0", "Q8", "H08", "8H"):
        with pytest.raises(ValueError, match="is not a square"):
            core.square(name)


@pytest.mark.parametrize(
    ("dwarfs", "trolls", "reason"),
    [
        ([0x16, 0x16], [], "F1 holds two pieces"),
        ([0x16], [0x16], "F1 holds two pieces"),
        ([0x88], [], "H8 is the Thudstone's square"),
        ([], [0x11], "17 is not a square"),
        ([], [-1], "-1 is not a square"),
        ([999], [], "999 is not a square"),
    ],
)
def test_bad_placements(dwarfs: list[int], trolls: list[int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        core.Board.from_pieces(dwarfs, trolls)


ROWS = core.START.split()[0]


@pytest.mark.parametrize(
    ("tfen", "reason"),
    [
        ("", "empty"),
        ("5/7", "2 rows, should be 15"),
        (ROWS, "side to move is missing"),
        (f"{ROWS} w 0 1", "side to move is w"),
        (f"{ROWS} D", "side to move is D"),
        (f"{ROWS} d -1 1", "last capture is -1"),
        (f"{ROWS} d 10000 1", "last capture is 10000"),
        (f"{ROWS} d 00 1", "last capture is 00"),
        (f"{ROWS} d 0 0", "turn number is 0"),
        (f"{ROWS} d 0 1x", "turn number is 1x"),
        (f"{ROWS} d 0 1 2", "2 after the turn number"),
        (f"{ROWS.replace('d7d', 'd8d')} d", "row 3 is too long"),
        (f"{ROWS.replace('d7d', 'd7dd')} d", "row 3 is too long"),
        (f"{ROWS.replace('d7d', 'd6d')} d", "row 3 is too short"),
        (f"{ROWS.replace('d7d', 'd99999d')} d", "row 3"),
        (f"{ROWS.replace('d7d', 'd07d')} d", "row 3: unknown letter"),
        (f"{ROWS.replace('d7d', 'd7D')} d", "row 3: unknown letter"),
        (f"{ROWS.replace('d7d', 'd7é')} d", "row 3: unknown letter"),
        (f"{ROWS.replace('6TRT6', '6TTT6')} d", "row 8: a troll on the Thudstone's square"),
        (f"{ROWS.replace('6TRT6', '6TdT6')} d", "row 8: a dwarf on the Thudstone's square"),
        (f"{ROWS.replace('6TRT6', '15')} d", "row 8: the Thudstone .* is missing"),
        (f"{ROWS.replace('d7d', 'dR6d')} d", "row 3: a Thudstone .* on E3"),
        (f"{ROWS.replace('6TRT6', '6RRT6')} d", "row 8: a Thudstone .* on G8"),
    ],
)
def test_bad_positions(tfen: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        core.Board(tfen)
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).isascii()


def test_a_run_of_empty_squares_is_one_number() -> None:
    for split in ("d34d", "d61d"):
        with pytest.raises(ValueError, match="row 3"):
            core.Board(f"{ROWS.replace('d7d', split)} d")


def test_bad_rules() -> None:
    with pytest.raises(ValueError, match="TrollCapture most is not one of any, all-or-none, all, one"):
        core.Board(rule="most")


EARLY = ["dF1-F2", "TG7-G6", "dD3-E3"]


@pytest.mark.parametrize(
    ("played", "text", "reason"),
    [
        (0, "", "not a move"),
        (0, "O11", "not a move"),
        (0, "dO11-O9x", "not a move"),
        (0, "dO11 -O9", "not a move"),
        (0, "dI8-I9", "I8 is not a square"),
        (0, "dP5-P6", "P5 is not a square"),
        (0, "dO8-O5", "no dwarf on O8"),
        (0, "TG7-F7", "it is the dwarfs' turn"),
        (0, "dA6-A6", "stays where it is"),
        (0, "dA6-C7", "not in a straight line"),
        (0, "dA6-A7", "a dwarf stands on A7"),
        (0, "dA6-A8", "a dwarf on A7 is in the way"),
        (0, "dH7-H6", "no dwarf on H7"),
        (0, "dA6-B7xC8", "takes only the troll"),
        (0, "dA6-B7xB7", "no troll on B7"),
        (1, "TG7-F7xF7", "F7 is captured|F7"),
        (1, "TG7-E7", "too short|must capture"),
        (1, "TG7-H7", "a troll stands on H7"),
        (1, "TG7-G6xF5", "no dwarf on F5"),
        (1, "TG7-G6xA6", "A6 is not next to G6"),
        (1, "dF1-F2", "it is the trolls' turn"),
        (3, "TG6-D3xC4xE2xC4", "C4 is captured twice"),
        (3, "TG6-D3", "must capture"),
        (3, "TG6-D3xC4xD2", "D2 is not a square"),
    ],
)
def test_bad_moves(played: int, text: str, reason: str) -> None:
    board = core.Board()
    for move in EARLY[:played]:
        board.push(board.parse(move))
    state = everything(board)
    with pytest.raises(ValueError, match=reason) as caught:
        board.parse(text)
    assert str(caught.value).startswith(f"{text}: ")
    assert everything(board) == state


def test_a_hurl_is_written_with_its_capture() -> None:
    board = placements.listed("dD10 dC10 TF10 TP6", "d")
    assert core.move_text(board.parse("dD10-F10xF10"), core.DWARFS) == "dD10-F10xF10"
    with pytest.raises(ValueError, match="dD10-F10: a hurl is written with its capture: xF10"):
        board.parse("dD10-F10")
    with pytest.raises(ValueError, match="F10 is captured twice"):
        board.parse("dD10-F10xF10xF10")


@pytest.mark.parametrize(
    ("pieces", "side", "text", "reason"),
    [
        ("dD10 TG10 TP6", "d", "dD10-G10xG10", "the line behind D10 is too short to hurl 3 squares"),
        ("dD10 dC10 dB10 dE10 TG10", "d", "dD10-G10xG10", "a dwarf on E10 is in the way"),
        ("dH6 dH7 dH5 TH9", "d", "dH7-H9xH9", "the Thudstone is in the way"),
        ("dH6 TP10", "d", "dH6-H8", "the Thudstone stands on H8"),
        ("dG9 TD10 TP6", "T", "TD10-F10xG9", "the line behind D10 is too short to shove 2 squares"),
        ("dG9 TD10 TC10", "T", "TD10-F10", "a shove must capture"),
        ("dA7 TG7", "d", "dA6-B6", "no dwarf on A6"),
        ("dA7", "d", "dA7-B7", "the battle is over: no-pieces"),
        ("dA7 dB7 dB6 dB5 TA6", "T", "TA6-A5", "A5 is not a square|the battle is over: no-move"),
    ],
)
def test_reasons(pieces: str, side: str, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"{text}: .*({reason})"):
        placements.listed(pieces, side).parse(text)


def test_a_capture_that_the_rule_does_not_allow() -> None:
    for rule, text in (("all", "TE10-F10"), ("one", "TE10-F10xG9xG10"), ("all-or-none", "TE10-F10xG9")):
        with pytest.raises(ValueError, match=f"{text}: .*TrollCapture {rule}"):
            placements.listed("dG9 dG10 dG11 TE10", "T", rule).parse(text)
