"""The database of games: what is found in it, and what becomes of it when things go wrong."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from thudstone import Battle, Move, Position, Record, pgn, store
from thudstone.database import Database, Keys, Played
from thudstone.engine.thud import core
from thudstone.engine.thud.symmetry import canonical, turned, turned_move
from thudstone.protocol.cli_commands import run
from thudstone.store import StoreError

RECORDS = Path(__file__).parent / "data" / "records"
OPEN = ["dO11-O9", "TG7-F7"]


def write(path: Path, plies: Sequence[str], head: str = "") -> Path:
    path.write_text(head + "".join(f"{ply}\n" for ply in plies))
    return path


def image(plies: Sequence[str], number: int) -> list[str]:
    return [turned_move(ply, number) for ply in plies]


def random_plies(seed: int, count: int = 30) -> list[str]:
    rng = random.Random(seed)
    board = core.Board(core.START, "any")
    plies = []
    for _ in range(count):
        move = rng.choice(board.legal_moves())
        plies.append(core.move_text(move, board.side))
        board.push(move)
    return plies


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    return folder


@pytest.fixture
def base(tmp_path: Path) -> str:
    return str(tmp_path / "games.db")


def explored(base: str, position: Position | None = None) -> list[Played]:
    with Database(base) as opened:
        return opened.moves(position or Position())


def count(base: str) -> int:
    with Database(base) as opened:
        return opened.count()


def test_keys_are_the_same_for_images_alone() -> None:
    rng = random.Random(3)
    by_text: dict[str, int] = {}
    for seed in range(20):
        position = Position()
        keys = Keys(position)
        for ply in random_plies(seed):
            keys.push(position.push(ply))
            assert keys.least == Keys(position).least
            board = core.Board(position.tfen)
            by_text[canonical(board)[0]] = keys.least[0]
            number = rng.randrange(8)
            dwarfs, trolls = (
                [turned(square, number) for square in board.squares(side)] for side in (core.DWARFS, core.TROLLS)
            )
            twin = Position(core.Board.from_pieces(dwarfs, trolls, board.side).tfen)
            assert Keys(twin).least[0] == keys.least[0]
    assert len(set(by_text.values())) == len(by_text) > 500


def test_explorer_joins_images_and_transpositions(games: Path, base: str) -> None:
    write(games / "one.thud", [*OPEN, "dB5-B6"])
    write(games / "two.thud", image([*OPEN, "dB5-B7"], 5))
    # The same position by another order of the dwarfs' plies.
    write(games / "three.thud", ["dB11-B10", "TG7-F7", "dO11-O9"])
    write(games / "four.thud", ["dO11-O9", "TG7-F7", "dB11-B10", "TF7-F6"])
    assert run(["db", "add", base, str(games)]) == 0
    found = explored(base)
    assert sorted(played.battles for played in found) == [1, 3]
    assert all(played.move in Position().legal_moves for played in found)
    for number in range(8):
        position = Position()
        for ply in image(OPEN, number):
            position.push(ply)
        assert {played.move for played in explored(base, position)} == set(
            image(["dB5-B6", "dB5-B7", "dB11-B10"], number)
        )
    position = Battle(moves=tuple(map(Move, ["dO11-O9", "TG7-F7", "dB11-B10"]))).position()
    assert [played.move for played in explored(base, position)] == ["TF7-F6"]


def test_margins_and_results(games: Path, base: str) -> None:
    start = "dF1,dG1,TG2,TH2,RH8\n"
    write(games / "won.thud", ["dG1-G2xG2"], start)
    write(games / "lost.thud", ["dF1-F2", "TG2-G3xF2"], start)
    write(games / "said.thud", ["dF1-F2"], f"{start}# result: 1-0\n")
    run(["db", "add", base, str(games)])
    found = {played.move: played for played in explored(base, Position.from_pieces(start.strip()))}
    assert found["dG1-G2xG2"] == Played("dG1-G2xG2", 1, 0, 0, 1, -2.0)
    assert found["dF1-F2"] == Played("dF1-F2", 2, 1, 0, 1, -6.5)


def test_find(games: Path, base: str, capsys: pytest.CaptureFixture[str]) -> None:
    head = "# dwarfs: Ann\n# trolls: Émile\n# date: 2026-05-01\n"
    write(games / "a.thud", [*OPEN, Position().piece_list, *OPEN, "dB5-B6"], head)
    write(games / "b.pgn", ['[Dwarfs "Bob"]', '[Date "2026.06.02"]', "", "1. dO11-O9 1-0"])
    run(["db", "add", base, str(games)])
    capsys.readouterr()

    def found(*arguments: str) -> list[tuple[str, int]]:
        assert run(["db", "find", base, "--json", *arguments]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return [(Path(row["path"]).name, row["number"]) for row in rows]

    assert found() == [("a.thud", 1), ("a.thud", 2), ("b.pgn", 1)]
    # The second battle of a game names nobody: sides are swapped.
    assert found("--dwarfs", "ann") == [("a.thud", 1)] and found("--trolls", "ann") == [("a.thud", 2)]
    assert found("--player", "éMILE") == [("a.thud", 1), ("a.thud", 2)]
    assert found("--date", "2026-06") == found("--date", "2026.06") == found("--result", "dwarfs") == [("b.pgn", 1)]
    assert found("--result", "draw", "--player", "Ann") == [("a.thud", 1), ("a.thud", 2)]
    assert found("--position", str(write(games / "x.txt", image([*OPEN, "dB5-B6"], 3)))) == [("a.thud", 2)]
    assert found("--position", "startpos", "--player", "nobody") == []


def test_unchanged_files_are_skipped_and_copies_recognised(
    games: Path, base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one = write(games / "one.thud", OPEN)
    run(["db", "add", base, str(games)])
    # Another name, another format, comments, line ends: the same battle.
    (games / "two.thud").write_bytes(b"# hello\r\n" + "\r\n".join(OPEN).encode())
    (games / "three.pgn").write_text(pgn.write(Record.read(one)))
    run(["db", "add", base, str(games)])
    run(["db", "add", base, str(games), str(one)])
    assert capsys.readouterr().out.splitlines() == [
        "Battles: 1 added, 0 known. Files: 1, 0 unchanged, 0 broken",
        "Battles: 0 added, 2 known. Files: 3, 1 unchanged, 0 broken",
        "Battles: 0 added, 0 known. Files: 4, 4 unchanged, 0 broken",
    ]


def test_a_changed_file_replaces_what_it_held(games: Path, base: str) -> None:
    one = write(games / "one.thud", OPEN)
    write(games / "two.thud", OPEN)
    run(["db", "add", base, str(games)])
    write(one, ["dO11-O10", "TG7-F7"])
    run(["db", "add", base, str(games)])
    assert count(base) == 2  # the other file still holds the first battle
    write(games / "two.thud", ["dO11-O10"])
    run(["db", "add", base, str(games)])
    assert count(base) == 2 and [played.battles for played in explored(base)] == [2]
    one.write_text("not a record any more\n")
    assert run(["db", "add", base, str(games)]) == 1
    assert count(base) == 2
    with sqlite3.connect(base) as raw:
        assert raw.execute("SELECT count(*) FROM step WHERE battle NOT IN (SELECT id FROM battle)").fetchone() == (0,)
        assert raw.execute("SELECT count(*) FROM text").fetchone() == (2,)
    raw.close()


def test_broken_files_are_named_and_the_others_added(
    games: Path, base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(games / "good.thud", OPEN)
    write(games / "illegal.thud", [*OPEN, "dO8-O5"])
    (games / "empty.thud").touch()
    (games / "binary.thud").write_bytes(b"\x00\xff\xfe")
    (games / "README").write_text("skipped")
    (games / "gone.thud").symlink_to(games / "nowhere")
    os.mkfifo(games / "pipe.thud")
    assert run(["db", "add", base, str(games)]) == 1
    out, err = capsys.readouterr()
    assert out == "Battles: 1 added, 0 known. Files: 6, 0 unchanged, 5 broken\n"
    assert err.splitlines() == [
        f"thudstone: {games}/binary.thud: line 1: not UTF-8 text (byte 0xff)",
        f"thudstone: {games}/empty.thud: empty: neither a piece list nor a ply",
        f"thudstone: {games}/gone.thud: No such file or directory",
        f"thudstone: {games}/illegal.thud: line 3: ply 3, dO8-O5: no dwarf on O8",
        f"thudstone: {games}/pipe.thud: not a regular file",
    ]


def test_files_that_are_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign, text, empty = (tmp_path / name for name in ("foreign.db", "text.db", "empty.db"))
    with sqlite3.connect(foreign) as raw:
        raw.execute("CREATE TABLE a (b)")
    raw.close()
    text.write_text("no database at all, but long enough to be looked at" * 20)
    empty.touch()
    before = [path.read_bytes() for path in (foreign, text, empty)]
    reasons = {foreign: "a database of something else", text: "file is not a database"}
    for path, reason in reasons.items():
        for arguments in (["add", str(path), str(RECORDS)], ["find", str(path)], ["explore", str(path)]):
            assert run(["db", *arguments]) == 2
            assert capsys.readouterr().err == f"thudstone: error: {path}: {reason}\n"
    assert run(["db", "find", str(empty)]) == run(["db", "find", str(tmp_path / "none.db")]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"thudstone: error: {empty}: empty: no database of games",
        f"thudstone: error: {tmp_path / 'none.db'}: no such file",
    ]
    assert [path.read_bytes() for path in (foreign, text, empty)] == before
    assert run(["db", "add", str(tmp_path / "none" / "x.db"), str(RECORDS)]) == 2
    assert "unable to open database file" in capsys.readouterr().err


def test_locked(base: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(["db", "add", base, str(RECORDS / "open.thud")])
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.05)
    raw = sqlite3.connect(base, isolation_level=None)
    raw.execute("BEGIN EXCLUSIVE")
    for arguments in (["add", base, str(RECORDS)], ["find", base], ["explore", base]):
        assert run(["db", *arguments]) == 2
        assert capsys.readouterr().err == f"thudstone: error: {base}: database is locked\n"
    raw.close()
    assert count(base) == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions")
def test_read_only(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["db", "add", base, str(RECORDS / "open.thud")])
    Path(base).chmod(0o444)
    capsys.readouterr()
    assert run(["db", "add", base, str(RECORDS)]) == 2
    assert capsys.readouterr().err == f"thudstone: error: {base}: attempt to write a readonly database\n"
    assert run(["db", "explore", base]) == 0


def test_full_disk(games: Path, base: str) -> None:
    run(["db", "add", base, str(RECORDS / "open.thud")])
    with Database(base, create=True) as opened:
        (pages,) = opened._base.execute("PRAGMA page_count").fetchone()
        opened._base.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="database or disk is full"), opened.importing() as task:
            for path in sorted(RECORDS.glob("*.thud")):
                task.read(path)
        assert task.counts.added == 0
    assert count(base) == 1


@pytest.mark.skipif(os.name != "posix", reason="file size limits")
def test_no_room_is_one_line(games: Path, base: str) -> None:
    for seed in range(60):
        write(games / f"{seed}.thud", random_plies(seed))
    limited = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))\n"
        "from thudstone.protocol.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, "db", "add", base, str(games)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and done.stderr == f"thudstone: error: {base}: disk I/O error\n"
    assert run(["db", "add", base, str(games)]) == 0
    assert count(base) == 60


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_kill_loses_nothing_finished(games: Path, base: str, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(12):
        write(games / f"{seed:02}.thud", random_plies(seed))
    # Killed while the second batch is being written, three of its files in.
    killed = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from thudstone.database import Database, Import\n"
        "plain, files = Import._write, []\n"
        "def write(self, file, counts):\n"
        "    plain(self, file, counts)\n"
        "    files.append(file)\n"
        "    if len(files) == 8:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "Import._write = write\n"
        "with Database(sys.argv[1], create=True) as base, base.importing() as task:\n"
        "    base._base.execute('PRAGMA cache_size = 1')  # so that pages go to the file before the commit\n"
        "    for number, path in enumerate(sorted(Path(sys.argv[2]).iterdir()), start=1):\n"
        "        task.read(path)\n"
        "        if number == 5:\n"
        "            task.flush()\n"
    )
    done = subprocess.run([sys.executable, "-c", killed, base, str(games)], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert count(base) == 5
    assert run(["db", "add", base, str(games)]) == 0
    assert capsys.readouterr().out == "Battles: 7 added, 0 known. Files: 12, 5 unchanged, 0 broken\n"
    with sqlite3.connect(base) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert raw.execute("SELECT count(*) FROM step").fetchone() == (12 * 31,)
    raw.close()


def test_two_writers_at_once(games: Path, base: str) -> None:
    for seed in range(60):
        write(games / f"{seed:02}.thud", random_plies(seed))
    # Each file a batch of its own, so that the two meet often.
    often = (
        "import sys\n"
        "from pathlib import Path\n"
        "from thudstone.database import Database\n"
        "with Database(sys.argv[1], create=True) as base, base.importing() as task:\n"
        "    for path in sorted(Path(sys.argv[2]).iterdir(), reverse=sys.argv[3] == 'back'):\n"
        "        task.read(path)\n"
        "        task.flush()\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", often, base, str(games), way], stderr=subprocess.PIPE, text=True)
        for way in ("on", "on", "back")
    ]
    assert [writer.communicate(timeout=120)[1] for writer in writers] == ["", "", ""]
    assert count(base) == 60
    with sqlite3.connect(base) as raw:
        assert raw.execute("SELECT count(*) FROM step").fetchone() == (60 * 31,)
        assert raw.execute("SELECT count(*) FROM file").fetchone() == (60,)
    raw.close()
