"""Pictures of positions."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from thudstone import Position
from thudstone.picture import png


def classes(svg: str) -> list[str]:
    return [element.get("class", "") for element in ElementTree.fromstring(svg).iter()]


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_every_piece_and_square_is_drawn(theme: str) -> None:
    found = classes(Position().svg(theme=theme))  # type: ignore[arg-type]
    assert (found.count("dwarf"), found.count("troll"), found.count("stone")) == (32, 8, 1)
    assert found.count("even") + found.count("odd") == 165 and found.count("label") == 60


def test_marks_arrows_and_the_last_move() -> None:
    found = classes(Position().svg("TF7-D5xC4", [("A6", "B6", "better"), ("O9", "O11")], ["P9"]))
    assert (found.count("last"), found.count("mark")) == (3, 1)
    assert found.count("line-better") == found.count("line-plain") == 1


def test_flipped_turns_the_board() -> None:
    position = Position.from_pieces("dF1,RH8")
    assert 'cx="200" cy="40" r="10"' in position.svg()
    assert 'cx="328" cy="488" r="10"' in position.svg(flipped=True)


def test_what_can_not_be_drawn_is_named() -> None:
    for arguments, reason in (
        ({"squares": ["I4"]}, "I4"),
        ({"arrows": [("A6", "A6")]}, "to itself"),
        ({"arrows": [("A6", "A7", "pink")]}, "pink"),
        ({"theme": "blue"}, "blue"),
    ):
        with pytest.raises(ValueError, match=reason):
            Position().svg(**arguments)


def test_notebooks_show_the_last_move() -> None:
    position = Position()
    position.push("dO11-O9")
    assert classes(position._repr_svg_()).count("last") == 2


def test_png() -> None:
    pytest.importorskip("resvg_py")
    data = png(Position().svg(theme="light"), 300)
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(data[16:20], "big") == 300


def test_board_writes_its_picture(tmp_path: Path) -> None:
    from thudstone.protocol.cli import main

    assert main(["board", "startpos", "--svg", str(tmp_path / "b.svg")]) == 0
    assert classes((tmp_path / "b.svg").read_text()).count("troll") == 8
    assert [path.name for path in tmp_path.iterdir()] == ["b.svg"]
