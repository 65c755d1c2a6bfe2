"""`thudstone convert` keeps every ply, and never a half-written file."""

import random
from pathlib import Path

import pytest
from thudstone import Battle, Position, Record
from thudstone.protocol.cli_commands import run
from thudstone.record import OFFER

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


GAMES = sorted((Path(__file__).parent / "data" / "records").glob("*.thud"))


def random_game(path: Path, seed: int) -> Path:
    """A record of two battles: one from the start with offers, one from a later position with counters."""
    rng = random.Random(seed)
    position = Position()
    for _ in range(rng.randrange(20, 60)):
        position.push(rng.choice(list(position.legal_moves)))
    later = Position(position.tfen)
    for _ in range(rng.randrange(3)):
        later.push(rng.choice(list(later.legal_moves)))
    offers = tuple((ply, OFFER) for ply in sorted(rng.sample(range(1, position.ply), 3)))
    battles = (
        Battle(position.start, position.moves, "limit", offers, headers=(("dwarfs", "I1 and P9"),)),
        Battle(later.start, later.moves),
    )
    with path.open("w") as file:
        Record(battles).write(file)
    return path


def plies(path: Path, files: str = "thud") -> list[tuple[str, list[str], list[tuple[int, str]], str]]:
    record = Record.read(path, files=files)  # type: ignore[arg-type]
    return [
        (battle.start, [move.text for move in battle.moves], [c for c in battle.comments if c[1] == OFFER], battle.end)
        for battle in record.battles
    ]


@pytest.mark.parametrize("game", [*GAMES, *range(6)], ids=lambda game: getattr(game, "name", str(game)))
def test_every_format_keeps_every_ply(game: Path | int, tmp_path: Path) -> None:
    source = game if isinstance(game, Path) else random_game(tmp_path / "random.thud", game)
    wanted = plies(source)
    at, files = source, "thud"
    for number, (kind, letters) in enumerate(
        [("pgn", "thud"), ("thud", "abc"), ("pgn", "abc"), ("thud", "thud"), ("thud", "abc"), ("pgn", "thud")]
    ):
        out = tmp_path / f"{number}.{kind}"
        assert run(["convert", str(at), str(out), "--files", files, "--to-files", letters]) == 0
        assert plies(out, letters) == wanted
        at, files = out, letters


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_positions_through_every_format(game: Path, tmp_path: Path) -> None:
    end = Record.read(game).battles[0].position()
    turn = ("dwarfs", "trolls")[end.turn]
    for kind, letters in (("tfen", "thud"), ("pieces", "abc"), ("pieces", "thud"), ("grid", "thud")):
        out, back = tmp_path / f"a.{kind}", tmp_path / "back.tfen"
        assert run(["convert", str(game), str(out), "--force", "--to-files", letters]) == 0
        assert run(["convert", str(out), str(back), "--force", "--files", letters, "--side", turn]) == 0
        assert Position(back.read_text().strip()) == end
