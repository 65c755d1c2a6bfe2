"""`thudstone convert` keeps every ply, and never a half-written file."""

from pathlib import Path

import pytest
from thudstone import Record
from thudstone.protocol.cli_commands import run

PLIES = "dO11-O9\nTG7-F7\n# a note\ndO9-O11\n# end: agreed\n"


def test_there_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, three = (str(tmp_path / name) for name in ("a.thud", "b.pgn", "c.thud"))
    Path(one).write_text(PLIES)
    assert run(["convert", one, two]) == 0
    assert run(["convert", two, three]) == 0
    assert Record.read(three) == Record.read(one)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.thud", "b.pgn", "c.thud"]
    assert run(["convert", two, "-", "--to", "tfen"]) == 0
    assert capsys.readouterr().out == Record.read(one).battles[0].position().tfen + "\n"


def test_existing_file_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, out = tmp_path / "a.thud", tmp_path / "bad.thud", tmp_path / "out.pgn"
    good.write_text(PLIES)
    bad.write_text("dO11-O9\nTO8-O5\n")
    out.write_text("mine")
    assert run(["convert", str(good), str(out)]) == 2
    assert run(["convert", str(bad), str(out), "--force"]) == 2
    assert out.read_text() == "mine"
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"thudstone: error: {out} exists (--force writes over it)"
    assert second == f"thudstone: error: {bad}: line 2: ply 2, TO8-O5: no troll on O8"
    assert run(["convert", str(good), str(out), "--force"]) == 0
    assert Record.read(out).battles[0].end == "agreed"


def test_where_nothing_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "startpos", str(tmp_path / "none" / "a.thud")]) == 2
    assert run(["convert", "startpos", str(tmp_path / "a.xyz")]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("a.thud: No such file or directory")
    assert "is not known: name one with --to" in second
