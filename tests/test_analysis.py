"""Analysis of battles, its cache, its report and what `thudstone analyse` writes."""

import errno
import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from thudstone import Battle, Move, Position, Record
from thudstone import cache as cache_module
from thudstone.analysis import Judgement, analysis, judge_battle
from thudstone.cache import Cache
from thudstone.engine.thud import core
from thudstone.engine.thud.symmetry import turned, turned_move
from thudstone.graph import graph_svg, graph_text
from thudstone.protocol.cli import main
from thudstone.protocol.cli_analyse import analyse
from thudstone.report import report_html
from thudstone.store import StoreError

MOVES = tuple(map(Move, ["dO11-O9", "TG7-F7", "dN12-N9", "TF7-D5xC4"]))
BATTLE = Battle(moves=MOVES)
JUDGED = [
    Judgement(0.0, 5, "dO11-O9", ("dO11-O9",)),
    Judgement(0.5, 5, "TG7-G6", ("TG7-G6",)),
    Judgement(3.0, 5, "dA6-B6", ("dA6-B6",)),
    Judgement(-2.0, 5, "TF7-E7", ("TF7-E7",)),
    Judgement(-5.0, 5, "dA6-B6", ("dA6-B6",)),
]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "thudstone", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.thud"
    path.write_text("# dwarfs: <script>alert(1)</script>\n" + "".join(f"{move}\n" for move in MOVES))
    return path


def test_losses_are_the_movers() -> None:
    plies = analysis(BATTLE, JUDGED).plies
    # The engine's own move loses nothing, whatever the next search says; the last ply gained.
    assert [ply.loss for ply in plies] == [0, 2.5, 5.0, 0]
    assert [ply.kind for ply in plies] == ["best", "mistake", "blunder", "good"]
    assert [ply.side for ply in plies] == [0, 1, 0, 1]


def test_accuracy_and_turning_points() -> None:
    done = analysis(BATTLE, JUDGED)
    assert done.accuracy(0) == pytest.approx((100 + 100 * math.exp(-5 / 4)) / 2)
    assert [ply.number for ply in done.turning_points()] == [2, 3]
    assert "TG7-G6 was better" in done.plies[1].sentence
    assert not analysis(BATTLE, JUDGED[:3]).complete and analysis(BATTLE, JUDGED[:1]).accuracy(0) is None


def test_every_position_is_judged_once() -> None:
    asked: list[str] = []

    def judge(position: Position) -> Judgement:
        asked.append(position.tfen)
        return JUDGED[0]

    found = list(judge_battle(BATTLE, judge))
    assert len(found) == len(asked) == len(set(asked)) == 5


def test_annotated_record_keeps_every_ply() -> None:
    battle = replace(BATTLE, comments=((2, "hm"),))
    made = analysis(battle, JUDGED).annotated()
    assert made.moves == MOVES and made.comments == ((2, "hm"), (2, "mistake"), (3, "blunder"))
    assert made.scores == ((0, 0.0), (1, 0.5), (2, 3.0), (3, -2.0), (4, -5.0))
    assert made.variations == ((1, (Move("TG7-G6"),)), (2, (Move("dA6-B6"),)))


def test_cache_finds_images_and_maps_moves_back(tmp_path: Path) -> None:
    rng = random.Random(5)
    position = Position()
    for _ in range(9):
        position.push(rng.choice(list(position.legal_moves)))
    moves = [move.text for move in position.legal_moves]
    with Cache(tmp_path / "c.db", "depth 2") as cache:
        cache.put(position, Judgement(1.5, 2, moves[3], (moves[3],)))
        for image in range(8):
            pieces = [
                f"{piece}{core.square_name(turned(core.square(name), image))}"
                for piece, names in (("d", position.dwarfs), ("T", position.trolls))
                for name in names
            ]
            twin = Position.from_pieces(",".join([*pieces, "RH8"]), position.turn)
            move = turned_move(moves[3], image)
            assert cache.get(twin) == Judgement(1.5, 2, move, (move,))
    with Cache(tmp_path / "c.db", "depth 3") as cache:
        assert cache.get(position) is None


def test_cache_holds_nothing_for_another_build_of_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Cache(tmp_path / "c.db", "depth 2") as cache:
        cache.put(Position(), Judgement(1.5, 2, "dO11-O9", ("dO11-O9",)))
        assert cache.get(Position()) is not None
    other = tmp_path / "core.so"
    other.write_bytes(Path(core.__file__).read_bytes() + b"\0")
    monkeypatch.setattr(core, "__file__", str(other))
    cache_module._engine.cache_clear()
    try:
        with Cache(tmp_path / "c.db", "depth 2") as cache:
            assert cache.get(Position()) is None
    finally:
        cache_module._engine.cache_clear()


def test_cache_refuses_what_is_not_its_own(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as base:
        base.execute("CREATE TABLE a (b)")
    base.close()
    (tmp_path / "text").write_text("no database at all, but long enough to be looked at" * 20)
    for path, reason in ((foreign, "something else"), (tmp_path / "text", "not a database"), (tmp_path, "unable")):
        with pytest.raises(StoreError, match=reason):
            Cache(path, "depth 1")


def test_report_is_safe_and_whole() -> None:
    battle = replace(BATTLE, headers=(("dwarfs", "<script>alert(1)</script>"),), end="</section>")
    page = report_html("a <b> \x00", [analysis(battle, JUDGED)])
    assert "<script>alert" not in page and "\x00" not in page and page.count("</section>") == 1
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert page.count("<svg") == 4  # the graph, the board to click through, two turning points
    for script in page.split('class="plies">')[1:]:
        assert len(json.loads(script.split("</script>")[0])) == 5


def test_graph_is_xml_with_a_strip_a_ply() -> None:
    gap = [*JUDGED[:2], Judgement(None, 0), *JUDGED[3:]]
    tree = ElementTree.fromstring(graph_svg(analysis(BATTLE, gap)))
    assert sum("data-ply" in element.attrib for element in tree.iter()) == 5
    assert not [element for element in tree.iter() if element.tag.endswith("text")]  # which would need a font


def test_analyse_writes_everything(record: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("r.html", "r.svg", "r.thud", "r.db")}
    arguments = ["analyse", str(record), "--nodes", "300", "--html", str(files["r.html"])]
    arguments += ["--plot", str(files["r.svg"]), "--annotate", str(files["r.thud"]), "--cache", str(files["r.db"])]
    first = run(*arguments)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines()[-1].startswith("Result: ")
    assert run(*arguments).stdout == first.stdout  # from the cache
    assert [battle.moves for battle in Record.read(files["r.thud"]).battles] == [MOVES]
    assert not list(tmp_path.glob(".thudstone-*"))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_keeps_what_is_done(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    command = [sys.executable, "-m", "thudstone", "analyse", str(record), "--movetime", "1500", "--html", str(page)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while not process.stdout.readline().startswith("   1 "):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=20)
    assert rest.splitlines()[-1] == "Result: dwarfs 31 trolls 8 margin -1"
    assert process.returncode == 130 and errors.count("\n") == 1 and "1 plies" in errors
    assert "Analysed: 1 of 4 plies." in page.read_text(encoding="utf-8")


def test_analyse_as_json(record: Path) -> None:
    two = Record((BATTLE, Battle(moves=MOVES[:2], end="agreed")))
    with record.open("w") as file:
        two.write(file)
    *rows, first, second = run("analyse", str(record), "--depth", "1", "--json").stdout.splitlines()
    read = [json.loads(row) for row in rows]
    assert [(row["battle"], row["move"]) for row in read if "move" in row] == [
        *((1, move.text) for move in MOVES),
        *((2, move.text) for move in MOVES[:2]),
    ]
    summaries = [row for row in read if "accuracy" in row]
    assert [(row["battle"], row["plies"], row["end"]) for row in summaries] == [(1, 4, ""), (2, 2, "agreed")]
    assert summaries[0]["accuracy"].keys() == {"dwarfs", "trolls"}
    assert first.startswith("Result: ") and second.startswith("Result: ")


def test_one_battle_of_two(record: Path, tmp_path: Path) -> None:
    with record.open("w") as file:
        Record((BATTLE, Battle(moves=MOVES[:2]))).write(file)
    arguments = ["analyse", str(record), "--depth", "1", "--json", "--plot", str(tmp_path / "r.svg")]
    assert run(*arguments).stderr == "thudstone: error: --plot shows one battle of 2: choose with --battle\n"
    assert run(*arguments, "--battle", "3").stderr == "thudstone: error: --battle 3: the record has 2\n"
    *rows, last = run(*arguments, "--battle", "2").stdout.splitlines()
    assert {json.loads(row)["battle"] for row in rows} == {2} and len(rows) == 4
    assert last.startswith("Result: ") and (tmp_path / "r.svg").exists()


def test_graph_in_text() -> None:
    text = graph_text(analysis(BATTLE, JUDGED), 40)
    assert text.splitlines() == [
        " +3.2 |  #",
        " +1.6 | .#",
        "    0 |-----",
        " -1.6 |   ##",
        " -3.2 |    #",
        " -4.8 |    #",
        "         ^^",
        "       0   4",
    ]
    many = analysis(replace(BATTLE, moves=MOVES * 100), [*JUDGED[:4], *[Judgement(-8.0)] * 397])
    assert max(map(len, graph_text(many, 40).splitlines())) == 40
    assert graph_text(analysis(BATTLE, [Judgement(None)] * 3)).startswith(" +1.6 |\n    0 |---\n -1.6 |\n")


@pytest.mark.skipif(os.name != "posix", reason="terminals")
def test_progress_is_for_a_terminal_and_leaves_the_output_alone(record: Path) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "thudstone", "analyse", str(record), "--nodes", "100"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # Linux's way to say that the other end is closed
        pass
    os.close(ours)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0 and b"Analysing" in shown
    assert out.decode() == run(*command[3:]).stdout


def test_a_file_that_fails_keeps_no_other_from_being_written(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = os.replace

    def replaced(source: str, target: str) -> None:
        if target.endswith(".html"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        plain(source, target)

    monkeypatch.setattr(os, "replace", replaced)
    page, plot = tmp_path / "r.html", tmp_path / "r.svg"
    page.write_text("what stood there")
    arguments = ["analyse", str(record), "--nodes", "100", "--html", str(page), "--plot", str(plot)]
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"thudstone: error: --html {page}: No space left on device\n"
    assert page.read_text() == "what stood there" and plot.read_text().startswith("<svg")
    assert not list(tmp_path.glob(".thudstone-*"))


def test_interrupted_record_keeps_battles_not_begun(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with record.open("w") as file:
        Record((BATTLE, BATTLE)).write(file)

    def judged(battle: Battle, judge: object) -> Iterator[Judgement]:
        yield from JUDGED[:3]
        raise KeyboardInterrupt

    monkeypatch.setattr("thudstone.protocol.cli_analyse.judge_battle", judged)
    with pytest.raises(click.Abort):
        analyse.main(["--annotate", str(tmp_path / "out.thud"), str(record)], standalone_mode=False)
    first, second = Record.read(tmp_path / "out.thud").battles
    assert (first.moves, len(first.scores), second) == (MOVES, 3, BATTLE)


@pytest.mark.parametrize("option", ["--html", "--plot", "--annotate", "--cache"])
def test_unwritable_files_are_found_before_the_analysis(option: str, record: Path, tmp_path: Path) -> None:
    done = run("analyse", str(record), "--movetime", "60000", option, str(tmp_path / "none" / "x.svg"))
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and option in done.stderr
