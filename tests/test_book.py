"""The opening book: found in every image, played only where it may be, made the same way by any number of threads."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from protocol_client import Client
from thudstone.engine.game import Choice, Info, Limits, Stop
from thudstone.engine.thud import bookmaking, core
from thudstone.engine.thud.book import SHIPPED, Book, BookError
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.state import Thud
from thudstone.engine.thud.symmetry import BACK, IMAGES, canonical, distinct, turned, turned_move

THUDSTONE = (sys.executable, "-m", "thudstone")


def image_of(board: core.Board, image: int) -> core.Board:
    dwarfs, trolls = (
        [turned(square, image) for square in board.squares(side)] for side in (core.DWARFS, core.TROLLS)
    )
    return core.Board.from_pieces(dwarfs, trolls, board.side)


@pytest.fixture(scope="module")
def shipped() -> Book:
    return Book.read()


def test_images_of_a_position_have_one_form_and_the_moves_of_one_another() -> None:
    rng = random.Random(3)
    board = core.Board()
    for _ in range(9):
        board.push(rng.choice(board.legal_moves()))
    texts = [core.move_text(move, board.side) for move in board.legal_moves()]
    for image in range(IMAGES):
        twin = image_of(board, image)
        assert canonical(twin)[0] == canonical(board)[0]
        assert sorted(turned_move(text, image) for text in texts) == sorted(
            core.move_text(move, twin.side) for move in twin.legal_moves()
        )
        assert [turned_move(turned_move(text, image), BACK[image]) for text in texts] == texts
    assert len(distinct(board)) == board.legal_count()
    assert len(distinct(core.Board())) == 82  # of 656


def test_the_shipped_book_has_the_best_moves_first_and_both_sides(shipped: Book) -> None:
    assert len(shipped) >= 300
    assert {core.Board(entry.tfen).side for entry in shipped} == {core.DWARFS, core.TROLLS}
    for entry in shipped:
        scores = [move.score for move in entry.moves]
        assert scores == sorted(scores, reverse=True)
        assert entry.depth >= 5


def test_the_shipped_book_goes_on_after_its_best_moves(shipped: Book) -> None:
    board = core.Board()
    plies = 0
    while (entry := shipped.find(board)) is not None:
        board.push(board.parse(entry.moves[0].text))
        plies += 1
    assert plies >= 6


def answer(view: Thud, limits: Limits | None = None, **options: int | bool | str) -> tuple[Choice, list[Info]]:
    player = ThudPlayer()
    for name, value in options.items():
        player.set_option(name.replace("_", " "), value)
    infos: list[Info] = []
    return player.search(view, limits or Limits(nodes=500), infos.append, Stop()), infos


@pytest.mark.parametrize("image", range(IMAGES))
def test_a_book_move_costs_no_node_in_any_image(shipped: Book, image: int) -> None:
    entry = next(entry for entry in shipped if entry.plies == 2)
    board = image_of(core.Board(entry.tfen), image)
    choice, infos = answer(Thud(board), OwnBook=True)
    assert choice.move == turned_move(entry.moves[0].text, BACK[canonical(board)[1]])
    assert choice.move in Thud(board).legal()
    assert [info.nodes for info in infos] == [0, 0]
    assert (infos[0].score, infos[0].pv) == (entry.moves[0].score, (choice.move,))


def offered() -> Thud:
    view = Thud.start(2, {})
    view.apply("dO11-O9=")
    return view


START = Thud.start(2, {})


@pytest.mark.parametrize(
    ("view", "limits", "options"),
    [
        (START, Limits(nodes=500), {}),
        (START, Limits(nodes=500), {"OwnBook": False}),
        (START, Limits(nodes=500), {"OwnBook": True, "MultiPV": 2}),
        (START, Limits(nodes=500), {"OwnBook": True, "Skill_Level": 19}),
        (START, Limits(nodes=500, infinite=True), {"OwnBook": True}),
        (START, Limits(nodes=500, ponder=True), {"OwnBook": True}),
        (START, Limits(nodes=500, searchmoves=("dO11-O9", "dF1-F2")), {"OwnBook": True}),
        (Thud.start(2, {"TrollCapture": "all"}), Limits(nodes=500), {"OwnBook": True}),
        (Thud.start(2, {"NoCaptureLimit": 20}), Limits(nodes=500), {"OwnBook": True}),
        (offered(), Limits(nodes=500), {"OwnBook": True}),
    ],
)
def test_where_the_book_is_not_asked(view: Thud, limits: Limits, options: dict[str, int | bool]) -> None:
    _, infos = answer(view, limits, **options)
    assert infos[-1].nodes > 0


def test_searchmoves_that_allow_the_book_move_keep_the_book(shipped: Book) -> None:
    found = shipped.find(core.Board())
    assert found is not None
    choice, infos = answer(START, Limits(nodes=500, searchmoves=(found.moves[0].text, "dO11-O9")), OwnBook=True)
    assert (choice.move, infos[-1].nodes) == (found.moves[0].text, 0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense; plies 0; depth 4; dF1-F2 0 0", "line 2: "),
        ("{start} d; plies 0; depth 4", "line 2: no moves"),
        ("{start} d; plies 0; depth 4; dF1-F1 0 0", "line 2: dF1-F1"),
        ("{start} d; plies 0; depth 4; dF1-F2 0", "line 2: "),
        ("{start} d; plies x; depth 4; dF1-F2 0 0", "line 2: 'plies x' should be plies and a number"),
        ("{start} d; depth 4; dF1-F2 0 0", "line 2: "),
        ("5/7/9/11/13/15/15/7R7/15/15/13/11/9/6T/4d d; plies 0; depth 4; dP1-O1 0 0", "line 2: "),
        ("5/7/9/11/13/15/15/7R7/15/15/13/11/9/T6/d4 d; plies 0; depth 4; dF15-F14xF14 0 0", "line 2: the position"),
    ],
)
def test_a_bad_line_is_named_and_the_engine_keeps_what_it_had(line: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("# a book\n" + line.replace("{start}", core.START.split()[0]) + "\n")
    with pytest.raises(BookError, match=f"^{reason}"):
        Book.read(path)
    player = ThudPlayer()
    player.set_option("OwnBook", True)
    with pytest.raises(ValueError, match=reason):
        player.set_option("BookFile", str(path))
    infos: list[Info] = []
    player.search(START, Limits(nodes=500), infos.append, Stop())
    assert infos[-1].nodes == 0  # still from the shipped one


def test_over_the_protocol(tmp_path: Path) -> None:
    with Client() as client:
        client.ask("setoption name OwnBook value true")
        infos, best = client.go("movetime 1000")
        assert infos[-1].startswith("info nodes 0 nps 0 time ") and len(infos) == 2
        assert client.query(f"islegal {best.split()[1]}") == "true"
        (missing,) = client.ask(f"setoption name BookFile value {tmp_path / 'none.txt'}")
        assert missing.startswith("info string error: ") and missing.endswith("No such file or directory")
        again, same = client.go("movetime 1000")
        assert (len(again), same) == (2, best)


PLAN = bookmaking.Plan(nodes=3000, lines=3, plies=6)


def made(positions: int, threads: int, book: Book | None = None) -> str:
    book = Book() if book is None else book
    for _ in bookmaking.make(book, PLAN, positions, threads, bytearray(2)):
        pass
    assert len(book) == positions
    return bookmaking.text(book, PLAN)


def test_a_book_is_the_same_with_any_number_of_threads_and_can_be_read_back(tmp_path: Path) -> None:
    whole = made(20, 1)
    assert made(20, 3) == whole
    path = tmp_path / "book.txt"
    path.write_text(whole)
    assert bookmaking.text(Book.read(path), PLAN) == whole
    assert made(20, 2, Book.read(path)) == whole  # nothing left to do


def test_a_score_is_that_of_what_follows(tmp_path: Path) -> None:
    book = Book()
    for _ in bookmaking.make(book, PLAN, 20, 2, bytearray(2)):
        pass
    checked = 0
    for entry in book:
        board = core.Board(entry.tfen)
        for move in entry.moves:
            board.push(board.parse(move.text))
            after = book.get(canonical(board)[0])
            board.pop()
            deeper = after is not None and after.plies > entry.plies
            assert move.score == (-after.moves[0].score if after and deeper else move.searched)
            checked += deeper
    assert checked >= 15


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*THUDSTONE, "book", *arguments], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("book") / "small.txt"
    done = run("build", str(path), "--positions", "9", "--nodes", "1000", "--lines", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "9/9 positions"
    yield path


def test_the_same_command_goes_on(small: Path) -> None:
    before = small.read_text()
    done = run("build", str(small), "--positions", "12", "--nodes", "1000", "--lines", "2")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "12/12 positions")
    assert len(Book.read(small)) == 12
    other = run("build", str(small), "--positions", "12", "--nodes", "2000", "--lines", "2")
    assert other.returncode == 2 and "a book of other --nodes or --lines" in other.stderr
    assert before != small.read_text()


def test_show(small: Path, tmp_path: Path) -> None:
    shown = run("show", "--book", str(small))
    assert shown.returncode == 0 and "Dwarfs to move" in shown.stdout
    assert len(shown.stdout.splitlines()[-1].split()) == 3
    assert "Not among" in run("show", "dF1,TG7,RH8").stdout
    (tmp_path / "bad.txt").write_text("x\n")
    bad = run("show", "--book", str(tmp_path / "bad.txt"))
    assert (bad.returncode, bad.stderr.count("\n")) == (2, 1) and "line 1" in bad.stderr


def test_the_shipped_file_is_where_the_package_is() -> None:
    assert SHIPPED.is_file()
