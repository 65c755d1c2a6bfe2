"""The library's positions and moves."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import thudstone
from thudstone import DWARFS, TROLLS, IllegalMoveError, Move, Position

START_PIECES = (
    "dF1,dG1,dJ1,dK1,dE2,dL2,dD3,dM3,dC4,dN4,dB5,dO5,dA6,dP6,dA7,dP7,dA9,dP9,dA10,dP10,dB11,dO11,dC12,dN12,dD13,dM13,"
    "dE14,dL14,dF15,dG15,dJ15,dK15,TG7,TH7,TJ7,TG8,TJ8,TG9,TH9,TJ9,RH8"
)
HURL = "dD10,dD11,dE10,dE11,TG10,RH8"
SHOVE = "dB5,dK9,dK10,dK11,TD10,TE10,TF10,RH8"


def test_start() -> None:
    position = Position()
    assert position.tfen == thudstone.START
    assert position.piece_list == START_PIECES
    assert (position.turn, position.points, position.margin) == (DWARFS, (32, 32), 0)
    assert position.outcome() is None
    assert [position.piece(square) for square in ("F1", "g7", "H8", "H1")] == ["d", "T", "R", ""]


def test_legal_moves_are_counted_listed_and_asked() -> None:
    moves = Position().legal_moves
    assert moves.count() == len(moves) == len(list(moves)) == len(set(moves)) == 656
    assert Move("dO11-O9") in moves
    assert "o11-o9" in moves
    assert Move("dO11-O10") in moves and "dO11-O5" not in moves
    assert "nonsense" not in moves and 7 not in moves
    assert all(Move(move.text) == move for move in moves)


def test_legal_moves_follow_the_position() -> None:
    position = Position()
    moves = position.legal_moves
    position.push("dO11-O9")
    assert moves.count() == position.legal_moves.count() == 32
    assert all(move.side == "T" for move in moves)


def test_push_and_pop() -> None:
    position = Position()
    made = [position.push(text) for text in ("dO11-O9", Move("TG7-F7"), "n12-n9", "f7-D5XC4")]
    assert [move.text for move in made] == ["dO11-O9", "TG7-F7", "dN12-N9", "TF7-D5xC4"]
    assert position.moves == tuple(made) and position.ply == 4
    assert position.points == (31, 32) and position.margin == -1
    assert position.tfen.endswith(" d 0 3")
    assert [position.pop() for _ in made] == made[::-1]
    assert position.tfen == thudstone.START and position.moves == ()
    with pytest.raises(IndexError, match="no move to take back"):
        position.pop()


def test_copy_is_independent() -> None:
    position = Position()
    position.push("dO11-O9")
    twin = position.copy()
    twin.push("TG7-F7")
    assert position.ply == 1 and twin.ply == 2
    assert twin.pop() == Move("TG7-F7") and twin.pop() == Move("dO11-O9")
    assert twin == Position() != position


def test_equality_counts_transpositions_as_equal() -> None:
    one, two = Position(), Position()
    for text in ("dO11-O9", "TG7-F7", "dN12-N9"):
        one.push(text)
    for text in ("dN12-N9", "TG7-F7", "dO11-O9"):
        two.push(text)
    assert one == two and hash(one) == hash(two) and len({one, two}) == 1
    assert Position.from_pieces(START_PIECES, TROLLS) != Position()
    assert Position() != thudstone.START


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dO8-O5", "dO8-O5: no dwarf on O8"),
        ("dO11-O5", "dO11-O5: a dwarf stands on O5"),
        ("TG7-F7", "TG7-F7: it is the dwarfs' turn"),
        ("dA1-A2", "dA1-A2: A1 is not a square of the board"),
        ("hello", "hello: not a move"),
    ],
)
def test_illegal_moves_say_why_and_change_nothing(text: str, reason: str) -> None:
    position = Position()
    for call in (position.push, position.parse):
        with pytest.raises(IllegalMoveError) as caught:
            call(text)
        assert str(caught.value).startswith(reason)
    assert not position.is_legal(text)
    assert position.tfen == thudstone.START


def test_a_hurl_needs_its_capture() -> None:
    position = Position.from_pieces(HURL)
    with pytest.raises(IllegalMoveError, match="dE10-G10: a hurl is written with its capture: xG10"):
        position.push("dE10-G10")
    move = position.push("dE10-G10xG10")
    assert move.is_hurl and move.captured == ("G10",)
    outcome = position.outcome()
    assert outcome == thudstone.Outcome((4, 0), 4, "no-pieces")
    assert position.legal_moves.count() == 0 and not position.legal_moves
    with pytest.raises(IllegalMoveError, match="the battle is over: no-pieces"):
        position.push("TA6-A7")


def test_a_shove_with_its_captures_in_any_order() -> None:
    position = Position.from_pieces(SHOVE, TROLLS)
    move = position.push("tf10-j10xk11xk9xk10")
    assert move == Move("TF10-J10xK9xK10xK11") and not move.is_hurl
    assert (move.from_square, move.to_square, move.captured) == ("F10", "J10", ("K9", "K10", "K11"))
    assert position.dwarfs == ("B5",) and position.trolls == ("D10", "E10", "J10")


def test_rules_are_kept() -> None:
    position = Position.from_pieces(SHOVE, TROLLS, rule="all")
    assert position.rule == "all"
    assert not position.is_legal("TF10-J10xK9")
    assert Position.from_pieces(SHOVE, TROLLS).is_legal("TF10-J10xK9")
    with pytest.raises(ValueError, match="TrollCapture most is not one of any, all-or-none, all, one"):
        Position(rule="most")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dF1,dZ4,RH8", "piece 2 of the list, dZ4: Z4 is not a square of the board"),
        ("dF1,xG4,RH8", "piece 2 of the list, 'xG4': not a piece on a square"),
        ("dF1,,RH8", "piece 2 of the list, '': not a piece on a square"),
        ("dF1,dF1,RH8", "F1 holds two pieces"),
        ("dF1,TH8,RH8", "H8 is the Thudstone's square"),
        ("dF1", r"the piece list names no Thudstone \(RH8\)"),
        ("dF1,RG8", r"the piece list must name the Thudstone once, on H8 \(RH8\)"),
        ("dF1,RH8,RH8", r"the piece list must name the Thudstone once, on H8 \(RH8\)"),
    ],
)
def test_bad_piece_lists(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Position.from_pieces(text)


def test_piece_lists_round_trip() -> None:
    for text in (START_PIECES, SHOVE, "RH8", "dA6,dP10,TG7,TA10,RH8"):
        assert Position.from_pieces(text).piece_list == text
    assert Position.from_pieces(" rh8 , td10 ").piece_list == "TD10,RH8"


def test_bad_tfen() -> None:
    with pytest.raises(ValueError, match="row 2: unknown letter 'x'"):
        Position(thudstone.START.replace("/d5d/", "/d5x/", 1))


@pytest.mark.parametrize("text", ["dO11-O9", "TF7-D5xC4", "TG7-F6xE5xE6", "dG9-M9xM9", "O11-O9", "D5-D6"])
def test_move_text_round_trips(text: str) -> None:
    assert str(Move(text)) == text == Move(text.lower()).text
    assert Move(text) == Move(text) != Move("dA6-A7")
    assert repr(Move(text)) == f"Move('{text}')"


def test_parts_of_a_move() -> None:
    move = Move("d5-d6")
    assert (move.side, move.from_square, move.to_square, move.captured) == ("", "D5", "D6", ())
    move = Move("tg7-f6xe6xe5")
    assert (move.side, move.text, move.captured) == ("T", "TG7-F6xE5xE6", ("E5", "E6"))
    assert Move("TD10-D9xP9xA10xA9").captured == ("A9", "A10", "P9")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'': not a move"),
        ("dO11", "'dO11': not a move"),
        ("dO11-O9x", "'dO11-O9x': not a move"),
        ("d O11-O9", "'d O11-O9': not a move"),
        ("dO11-O9\n", "not a move"),
        ("dI5-I6", "dI5-I6: I5 is not a square of the board"),
        ("TF7-D5xC4xC4", "TF7-D5xC4xC4: C4 is captured twice"),
    ],
)
def test_what_is_no_move(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        Move(text)
    assert reason in str(caught.value)


def test_diagram() -> None:
    lines = Position().diagram({"O11", "P6"}).split("\n")
    assert len(lines) == 17 and lines[0] == lines[16] == "    A B C D E F G H J K L M N O P"
    assert lines[1] == " 1            d d . d d            1"
    assert lines[6] == " 6  d . . . . . . . . . . . . .[d] 6"
    assert lines[8] == " 8  . . . . . . T R T . . . . . .  8"
    assert lines[11] == "11    d . . . . . . . . . . .[d]   11"
    assert str(Position()) == Position().diagram()


def test_names_are_loaded_when_they_are_used() -> None:
    program = (
        "import sys, thudstone\n"
        "assert 'thudstone.position' not in sys.modules\n"
        "assert thudstone.Position().legal_moves.count() == 656\n"
        "assert set(thudstone.__all__) <= set(dir(thudstone))\n"
        "assert all(hasattr(thudstone, name) for name in thudstone.__all__)\n"
        "assert not {'asyncio', 'rich', 'click'} & set(sys.modules)\n"
        "try:\n    thudstone.nothing\nexcept AttributeError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "module 'thudstone' has no attribute 'nothing'\n"


def test_examples_of_the_documentation(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert doctest.testmod(thudstone) == (0, 5)
    root = Path(__file__).parent.parent
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    readme = (root / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    exec(compile(program, "README.md", "exec"), {})
    output = capfd.readouterr().out.splitlines()
    assert output[0] == "656" and output[1].startswith("(32, 32) dd1dd/") and output[-1] == "150 -6"
