"""The rules of a battle, one after the other, on positions small enough to check by hand."""

from __future__ import annotations

import pytest
from placements import listed, texts
from thudstone.engine.thud import core


def destinations(board: core.Board, start: str) -> set[str]:
    """Where the piece on a square can go without a capture."""
    return {text.split("-")[1] for text in texts(board) if text[1:].startswith(f"{start}-") and "x" not in text}


def captures(board: core.Board) -> set[str]:
    return {text for text in texts(board) if "x" in text}


def test_the_battle_starts_with_the_dwarfs_to_move() -> None:
    board = core.Board()
    assert (board.side, board.dwarfs, board.trolls, board.quiet, board.turn) == (core.DWARFS, 32, 8, 0, 1)
    trolls = {core.square_name(square) for square in board.squares(core.TROLLS)}
    assert trolls == {"G7", "H7", "J7", "G8", "J8", "G9", "H9", "J9"}
    assert board.piece(core.square("H8")) == "R"


def test_a_dwarf_goes_any_distance_in_eight_directions() -> None:
    board = listed("dE5 TP10", "d")
    row = {"B5", "C5", "D5", "F5", "G5", "H5", "J5", "K5", "L5", "M5", "N5", "O5"}
    column = {"E2", "E3", "E4", "E6", "E7", "E8", "E9", "E10", "E11", "E12", "E13", "E14"}
    falling = {"D4", "F6", "G7"}  # to the Thudstone
    rising = {"F4", "G3", "H2", "J1", "D6", "C7", "B8", "A9"}
    assert destinations(board, "E5") == row | column | falling | rising


def test_a_troll_goes_one_square_in_eight_directions() -> None:
    board = listed("dA6 TL8", "T")
    assert destinations(board, "L8") == {"K7", "L7", "M7", "K8", "M8", "K9", "L9", "M9"}
    assert destinations(listed("dP6 TA10", "T"), "A10") == {"A9", "B9", "B10", "B11"}


def test_nothing_passes_or_enters_an_occupied_square() -> None:
    board = listed("dE5 dE8 dH5 TP10", "d")
    assert {to for to in destinations(board, "E5") if to[0] == "E"} == {"E2", "E3", "E4", "E6", "E7"}
    board = listed("dE5 TH5 TP10", "d")
    assert {to for to in destinations(board, "E5") if to[1:] == "5"} == {"B5", "C5", "D5", "F5", "G5"}
    board = listed("dM7 TL8 TL7", "T")
    assert destinations(board, "L8") == {"K7", "M8", "M9", "L9", "K9", "K8"}


def test_the_thudstone_stops_everybody() -> None:
    assert {to for to in destinations(listed("dH5 TP10", "d"), "H5") if to[0] == "H"} == {
        "H1", "H2", "H3", "H4", "H6", "H7"
    }  # fmt: skip
    assert destinations(listed("dP10 TH7", "T"), "H7") == {"G6", "H6", "J6", "G7", "J7", "G8", "J8"}
    assert not captures(listed("dH6 dH7 dH5 TH9", "d"))  # a hurl of two squares with the stone between
    assert not captures(listed("dH11 TH7 TH6 TH5", "T"))  # a shove through it


def test_a_line_of_trolls_does_not_run_through_the_stone() -> None:
    assert captures(listed("dM9 TJ8 TG8 TF8", "T")) == set()  # L8 is too far for one troll
    assert captures(listed("dN9 TK8 TJ8", "T")) == {"TK8-M8xN9"}


def test_a_dwarf_may_stop_beside_a_troll_and_nothing_happens() -> None:
    board = listed("dE5 TH5", "d")
    board.push(board.parse("dE5-G5"))
    assert (board.dwarfs, board.trolls) == (1, 1)


def test_a_troll_takes_by_stepping_beside_dwarfs_not_onto_them() -> None:
    board = listed("dF5 dP10 TD5", "T")
    assert texts(board) == {
        "TD5-C4", "TD5-D4", "TD5-C5", "TD5-C6", "TD5-D6",
        "TD5-E4", "TD5-E5", "TD5-E6", "TD5-E4xF5", "TD5-E5xF5", "TD5-E6xF5",
    }  # fmt: skip
    board.push(board.parse("TD5-E5xF5"))
    assert [core.square_name(square) for square in board.squares(core.DWARFS)] == ["P10"]


def test_a_troll_must_move_to_take() -> None:
    board = listed("dA7 dB7 dB6 TA6 dB5", "T")  # in the corner, with no square to step to
    assert board.end() == "no-move"
    assert texts(board) == set()


def test_capturing_is_voluntary_and_any_choice_is_one_move() -> None:
    board = listed("dE4 dE5 dE6 dP10 TC5", "T")
    beside = {text for text in texts(board) if text.startswith("TC5-D5")}
    assert beside == {
        "TC5-D5", "TC5-D5xE4", "TC5-D5xE5", "TC5-D5xE6", "TC5-D5xE4xE5", "TC5-D5xE4xE6", "TC5-D5xE5xE6",
        "TC5-D5xE4xE5xE6",
    }  # fmt: skip


def test_seven_neighbours_give_every_choice_once() -> None:
    board = listed("dK5 dL5 dM5 dK6 dM6 dK7 dM7 TL7", "T")  # the eighth beside L6 is where the troll came from
    onto = [move for move in board.legal_moves() if core.move_text(move, core.TROLLS).startswith("TL7-L6")]
    assert len(onto) == len(set(onto)) == 2**7


@pytest.mark.parametrize("trolls", [1, 2, 3, 4])
def test_a_line_shoves_its_front_troll_as_far_as_it_is_long(trolls: int) -> None:
    line = ["TD10", "TC10", "TB10", "TA10"][:trolls]
    for distance, target in enumerate("EFGHJ", 1):
        victim = {"E": "E9", "F": "F9", "G": "G9", "H": "H9", "J": "J9"}[target]
        board = listed(" ".join([*line, f"d{victim}", "dP10"]), "T")
        move = f"TD10-{target}10x{victim}"
        assert (move in texts(board)) == (distance <= trolls)
        if distance <= trolls:
            board.push(board.parse(move))
            left = {core.square_name(square) for square in board.squares(core.TROLLS)}
            assert left == {f"{target}10", *(name[1:] for name in line[1:])}  # the others stay


def test_a_shove_must_capture() -> None:
    board = listed("dH9 TD10 TC10 TB10", "T")
    assert {text for text in texts(board) if text.startswith("TD10-")} == {
        "TD10-C9", "TD10-D9", "TD10-E9", "TD10-E10", "TD10-C11", "TD10-D11", "TD10-E11", "TD10-G10xH9"
    }  # fmt: skip


def test_a_shove_of_one_square_is_the_capturing_step() -> None:
    board = listed("dF9 dP10 TD10 TC10", "T")
    moves = [core.move_text(move, core.TROLLS) for move in board.legal_moves()]
    assert moves.count("TD10-E10xF9") == 1
    assert moves.count("TD10-F10xF9") == 1
    assert moves.count("TD10-E10") == 1


def test_a_shove_crosses_only_empty_squares() -> None:
    assert "TD10-F10xG9" in texts(listed("dG9 TD10 TC10", "T"))
    assert "TD10-F10xG9" not in texts(listed("dG9 dE10 TD10 TC10", "T"))
    assert "TD10-F10xG9" not in texts(listed("dG9 TE10 TD10 TC10", "T"))
    assert "TD10-F10xG9" not in texts(listed("dG9 dF10 TD10 TC10", "T"))


def test_a_shove_takes_any_choice_of_those_around() -> None:
    board = listed("dG9 dG10 dF11 dP10 TD10 TC10", "T")
    assert {text for text in texts(board) if text.startswith("TD10-F10")} == {
        "TD10-F10xG9", "TD10-F10xG10", "TD10-F10xF11", "TD10-F10xG9xG10", "TD10-F10xF11xG9", "TD10-F10xF11xG10",
        "TD10-F10xF11xG9xG10",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("dL4 TL8 TL7", "TL7-L5xL4"),
        ("dL12 TL8 TL9", "TL9-L11xL12"),
        ("dG10 TC10 TD10", "TD10-F10xG10"),
        ("dH10 TM10 TL10", "TL10-J10xH10"),
        ("dL6 TG10 TH9", "TH9-K7xL6"),
        ("dG6 TL10 TK9", "TK9-H7xG6"),
        ("dO9 TK5 TL6", "TL6-N8xO9"),
        ("dH9 TM5 TL6", "TL6-J8xH9"),
    ],
)
def test_shoves_run_along_rows_columns_and_diagonals(pieces: str, move: str) -> None:
    assert captures(listed(pieces, "T")) == {move}


@pytest.mark.parametrize("dwarfs", [1, 2, 3, 4])
def test_a_line_hurls_its_front_dwarf_as_far_as_it_is_long(dwarfs: int) -> None:
    line = ["dD10", "dC10", "dB10", "dA10"][:dwarfs]
    for distance, target in enumerate("EFGHJ", 1):
        board = listed(" ".join([*line, f"T{target}10", "TP6"]), "d")
        hurls = {f"dD10-{target}10x{target}10"} if distance <= dwarfs else set()
        assert {text for text in captures(board) if text.startswith("dD10")} == hurls
        if hurls:
            board.push(board.parse(hurls.pop()))
            assert board.trolls == 1
            stand = {core.square_name(square) for square in board.squares(core.DWARFS)}
            assert stand == {f"{target}10", *(name[1:] for name in line[1:])}


def test_only_the_front_dwarf_is_hurled_and_only_forward() -> None:
    assert captures(listed("dB10 dC10 dD10 TF10 TP6", "d")) == {"dD10-F10xF10"}
    assert captures(listed("dB10 dC10 dE10 TG10 TP6", "d")) == set()  # the gap breaks the line
    assert captures(listed("dD9 dD10 dD11 TF10 TP6", "d")) == set()  # a line across is none


def test_a_hurl_crosses_only_empty_squares() -> None:
    assert captures(listed("dB10 dC10 dD10 TG10 TP6", "d")) == {"dD10-G10xG10"}
    assert captures(listed("dB10 dC10 dD10 TF10 TG10 TP6", "d")) == {"dD10-F10xF10"}
    # A dwarf on the way is itself the front of a line of one, two squares from the troll.
    assert captures(listed("dB10 dC10 dD10 dF10 TH10 TP6", "d")) == set()


def test_hurls_run_along_rows_columns_and_diagonals() -> None:
    assert captures(listed("dL3 dL4 TL6 TP6", "d")) == {"dL4-L6xL6"}
    assert captures(listed("dL12 dL11 TL9 TP6", "d")) == {"dL11-L9xL9"}
    assert captures(listed("dC6 dD7 TF9 TP6", "d")) == {"dD7-F9xF9"}
    assert captures(listed("dN6 dM7 TK9 TP6", "d")) == {"dM7-K9xK9"}
    assert captures(listed("dN12 dM11 TK9 TP6", "d")) == {"dM11-K9xK9"}
    assert captures(listed("dD12 dE11 TG9 TP6", "d")) == {"dE11-G9xG9"}


def test_a_single_dwarf_takes_the_troll_beside_it_on_its_next_turn() -> None:
    board = listed("dB10 TE10 TP6", "d")
    assert captures(board) == set()
    board.push(board.parse("dB10-D10"))
    board.push(board.parse("TP6-P7"))
    assert captures(board) == {"dD10-E10xE10"}


def test_a_line_of_dwarfs_does_not_run_through_the_stone() -> None:
    assert captures(listed("dG8 dF8 dJ8 TL8 TP6", "d")) == set()
    assert captures(listed("dJ8 dK8 TM8 TP6", "d")) == {"dK8-M8xM8"}


@pytest.mark.parametrize(
    ("rule", "step", "shove"),
    [
        (
            "any",
            {"", "xG9", "xG10", "xG11", "xG9xG10", "xG9xG11", "xG10xG11", "xG9xG10xG11"},
            {"xH9", "xH11", "xH9xH11"},
        ),
        ("all-or-none", {"", "xG9xG10xG11"}, {"xH9xH11"}),
        ("all", {"xG9xG10xG11"}, {"xH9xH11"}),
        ("one", {"", "xG9", "xG10", "xG11"}, {"xH9xH11"}),
    ],
)
def test_troll_capture(rule: str, step: set[str], shove: set[str]) -> None:
    def after(pieces: str, move: str) -> set[str]:
        found = texts(listed(pieces, "T", rule))
        return {text.removeprefix(move) for text in found if text.startswith(move)}

    for behind in ("", " TD10", " TD10 TC10"):  # one square is one square, however many stand behind
        assert after("dG9 dG10 dG11 TE10" + behind, "TE10-F10") == step
    assert after("dH9 dH11 TE10 TD10", "TE10-G10") == shove
    assert after("dP10 TE10 TD10", "TE10-F10") == {""}
    assert after("dP10 TE10 TD10", "TE10-G10") == set()


def test_a_battle_ends_without_pieces() -> None:
    for pieces in ("dA6 dB7", "TG7", ""):
        for side in "dT":
            board = listed(pieces, side)
            assert (board.end(), board.legal_moves(), board.legal_count()) == ("no-pieces", [], 0)
            assert [board.perft(depth) for depth in (0, 1, 2)] == [1, 0, 0]


def test_a_battle_ends_without_a_move_for_the_side_to_move() -> None:
    corner = "dA7 dB7 dB6 dB5 TA6"
    assert listed(corner, "T").end() == "no-move"
    assert listed(corner, "d").end() == "none"


def test_the_last_capture_ends_the_battle() -> None:
    board = listed("dD10 TE10", "d")
    board.push(board.parse("dD10-E10xE10"))
    assert board.end() == "no-pieces"
    board = listed("dF10 TD10", "T")
    board.push(board.parse("TD10-E10xF10"))
    assert board.end() == "no-pieces"


def test_counters() -> None:
    board = core.Board()
    counters = []
    for text in ["dF1-F2", "TG7-G6", "dD3-E3", "TG6-D3xC4xE2xE3", "dB5-D3xD3", "TH7-H6"]:
        board.push(board.parse(text))
        counters.append((board.side, board.quiet, board.turn))
    assert counters == [(1, 1, 1), (0, 2, 2), (1, 3, 2), (0, 0, 3), (1, 0, 3), (0, 1, 4)]
    assert (board.dwarfs, board.trolls) == (29, 7)


@pytest.mark.parametrize(
    ("pieces", "side", "move"),
    [
        ("dB5 dK9 dK10 dK11 TD10 TE10 TF10", "T", "TF10-J10xK9xK10xK11"),
        ("dK9 dK10 dK11 dL9 dL10 dL11 dM10 TD10 TE10 TF10", "T", "TF10-J10xK9xK10xK11"),
        ("dC10 dC11 dC12 dD10 dD11 dD12 dE10 dE11 dE12 TG11", "d", "dE11-G11xG11"),
        ("dD10 dD11 dE10 dE11 TG10", "d", "dE10-G10xG10"),
    ],
)
def test_tactics_are_legal(pieces: str, side: str, move: str) -> None:
    assert move in texts(listed(pieces, side))


def test_a_capture_may_spare_a_dwarf() -> None:
    board = core.Board("5/7/9/11/10d2/10d4/3d5dT4/7Rd6/6d8/6d8/5dT3T2/1TT8/9/3d3/5 T 0 1")
    assert {"TH11-H10xG9xG11", "TH11-H10xG9xG10xG11", "TH11-H10"} <= texts(board)
