"""Records: the line format as other programs write it, and what becomes of broken ones."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from thudstone import TROLLS, Battle, IllegalMoveError, Move, Position, Record, RecordError, RecordWriter, grid
from thudstone.record import OFFER

RECORDS = Path(__file__).parent / "data" / "records"
PIECES: dict[str, list[int]] = json.loads((RECORDS / "pieces.json").read_text())
OPEN = (RECORDS / "open.thud").read_text()
HEADER, *OPEN_PLIES = OPEN.split()


def moves(text: str) -> list[str]:
    return [move.text for battle in Record.parse(text).battles for move in battle.moves]


def written(record: Record) -> str:
    file = io.StringIO()
    record.write(file)
    return file.getvalue()


def test_all_records_are_here() -> None:
    assert sorted(path.name for path in RECORDS.glob("*.thud")) == sorted(PIECES)


@pytest.mark.parametrize("name", sorted(PIECES))
def test_records_replay_to_their_piece_counts(name: str) -> None:
    record = Record.read(RECORDS / name)
    assert len(record.battles) == 1
    last = record.battles[0].position()
    assert [len(last.dwarfs), len(last.trolls)] == PIECES[name]


@pytest.mark.parametrize("name", sorted(PIECES))
def test_writing_keeps_every_ply(name: str) -> None:
    text = (RECORDS / name).read_text()
    record = Record.parse(text)
    assert [move.text for move in record.battles[0].moves] == text.split()[1:]
    assert written(record).split() == text.split()
    assert Record.parse(written(record)) == record


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(OPEN_PLIES),
        OPEN.replace("\n", "\r\n"),
        OPEN.replace("\n", "\r"),
        "\ufeff" + OPEN,
        "# a comment\n\n" + OPEN.replace("\n", "\n\n  # another\n"),
        OPEN.replace("\nd", "\nd ").replace("\nT", "\nT "),
        OPEN.replace("\nd", "\nd\t").replace("\nT", "\n  T   "),
        "\n".join([HEADER, *(ply.lower() for ply in OPEN_PLIES)]),
        "\n".join([HEADER, *(ply[1:] for ply in OPEN_PLIES)]),
        "\n".join([HEADER.replace(",", " , "), *(ply + "  " for ply in OPEN_PLIES)]),
        OPEN.rstrip("\n"),
    ],
    ids=["bare", "crlf", "cr", "bom", "comments", "space", "spaces", "lower", "no-letters", "loose", "no-newline"],
)
def test_how_other_programs_write(text: str) -> None:
    assert moves(text) == OPEN_PLIES
    assert [move.text for move in Record.decode(text.encode()).battles[0].moves] == OPEN_PLIES


def test_captures_in_any_order() -> None:
    text = "dB5,dK9,dK10,dK11,TD10,TE10,TF10,RH8\nT F10-J10xK11xK9xK10\n"
    record = Record.parse(text)
    assert record.battles[0].moves == (Move("TF10-J10xK9xK10xK11"),)
    assert written(record).endswith("\nTF10-J10xK9xK10xK11\n")


@pytest.mark.parametrize("first", ["TG7-F7", "t g7-f7", "G7-F7"])
def test_the_first_ply_says_who_moves(first: str) -> None:
    for header in ("", HEADER + "\n"):
        battle = Record.parse(f"{header}{first}\ndO11-O9\n").battles[0]
        assert [move.text for move in battle.moves] == ["TG7-F7", "dO11-O9"]
        assert battle.position(0).turn == TROLLS


def test_two_battles_with_their_ends_and_comments() -> None:
    text = (
        "# dwarfs: A\n# end: of the preface\n" + HEADER + "\ndO11-O9\n# good\nTG7-F7\n# end: agreed\n"
        "dF1,TG1,RH8\n# second\ndF1-G1xG1\n# end: no-pieces\n# bye\n"
    )
    first, second = Record.parse(text).battles
    assert (first.end, second.end) == ("agreed", "no-pieces")
    assert first.headers == (("dwarfs", "A"),)
    assert first.comments == ((0, "end: of the preface"), (1, "good"))
    assert second.comments == ((0, "second"), (1, "bye"))
    assert (len(first.moves), len(second.moves)) == (2, 1)
    assert second.position().outcome() is not None
    again = Record.parse(written(Record((first, second))))
    assert again == Record((first, second))


def test_a_piece_list_alone_is_a_battle_without_plies() -> None:
    (battle,) = Record.parse(HEADER).battles
    assert battle.moves == () and battle.position() == Position()


def test_the_limit_without_captures_is_not_looked_at() -> None:
    there = ["dO11-O9", "TG7-G6", "dO9-O11", "TG6-G7"]
    (battle,) = Record.parse("\n".join(there * 60 + ["# end: limit", *there])).battles
    assert len(battle.moves) == 244 and battle.end == ""
    assert battle.comments == ((240, "end: limit"),)
    assert battle.position().tfen.endswith(" d 244 123")


def test_long_battles_are_read_in_linear_time() -> None:
    there = ["dO11-O9", "TG7-G6", "dO9-O11", "TG6-G7"]
    (battle,) = Record.parse("\n".join(there * 5000)).battles
    assert len(battle.moves) == 20_000


@pytest.mark.parametrize(
    ("lines", "number", "ply", "message"),
    [
        (["dO11-O9", "TG7-F7", "dO8-O5"], 4, 3, "line 4: ply 3, dO8-O5: no dwarf on O8"),
        (["# x", "", "d O8-O5"], 4, 1, "line 4: ply 1, dO8-O5: no dwarf on O8"),
        (["dO11-O9", "dN12-N9"], 3, 2, "line 3: ply 2, dN12-N9: it is the trolls' turn"),
        (["dO11-O9", "TG7-F7", "dN12-N9", "TF7-D5xC4xC4"], 5, 4, "line 5: ply 4, TF7-D5xC4xC4: C4 is captured twice"),
        (["dO11-O9", "TG7-F7", "dN12-N9", "TF7-D5x"], 5, 4, "line 5: ply 4, TF7-D5x: not a move"),
        (["dO11-O9", "TG7"], 3, 2, "line 3: ply 2, neither a ply nor a piece list: 'TG7'"),
        (["dO11-"], 2, 1, "line 2: ply 1, dO11-: not a move"),
        (["dQ5-Q6"], 2, 1, "line 2: ply 1, dQ5-Q6: Q5 is not a square of the board"),
        (["Q5-Q6"], 2, 1, "line 2: ply 1, Q5-Q6: Q5 is not a square of the board"),
        (["dO11 - O9"], 2, 1, "line 2: ply 1, neither a ply nor a piece list: 'dO11 - O9'"),
        (["dO11-O9=="], 2, 1, "line 2: ply 1, dO11-O9=: not a move"),
        (["dO11-O9", "="], 3, 2, "line 3: ply 2, =: no offer stands"),
        (["dO11-O9=", "=", "TG7-F7"], 4, 2, "line 4: ply 2, TG7-F7: the battle is over: agreed"),
        (["hello"], 2, 1, "line 2: ply 1, neither a ply nor a piece list: 'hello'"),
        (["dF1,dG1,dJ"], 2, None, "line 2: piece 3 of the list, 'dJ': not a piece on a square"),
        (["dF1,dG1,dJ1"], 2, None, "line 2: the piece list names no Thudstone (RH8)"),
        (["\x00\x01"], 2, 1, r"line 2: ply 1, neither a ply nor a piece list: '\x00\x01'"),
        (["dO11-O9", "# end: agreed", "TG7-F7"], 4, 2, "line 4: ply 2, TG7-F7: the battle is over: agreed"),
    ],
)
def test_broken_records_name_line_ply_and_reason(lines: list[str], number: int, ply: int | None, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse("\n".join([HEADER, *lines]))
    assert str(caught.value).startswith(message)
    assert (caught.value.line, caught.value.ply) == (number, ply)


def test_text_that_is_no_record_at_all() -> None:
    with pytest.raises(RecordError, match=r"^line 1: neither a ply nor a piece list: 'hello'$"):
        Record.parse("hello\n")


def test_no_ply_follows_the_last_capture() -> None:
    with pytest.raises(RecordError, match="line 3: ply 2, TG1-F1: the battle is over: no-pieces"):
        Record.parse("dF1,TG1,RH8\ndF1-G1xG1\nTG1-F1\n")


def test_a_hurl_without_its_capture() -> None:
    with pytest.raises(RecordError, match="line 2: ply 1, dE10-G10: a hurl is written with its capture: xG10"):
        Record.parse("dD10,dD11,dE10,dE11,TG10,RH8\ndE10-G10\n")


@pytest.mark.parametrize("text", ["", "\n\n", "# end: agreed\n", "\ufeff"])
def test_empty_records(text: str) -> None:
    with pytest.raises(RecordError, match=r"^empty: neither a piece list nor a ply$"):
        Record.parse(text)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(RecordError, match=r"^line 3: not UTF-8 text \(byte 0xff\)$"):
        Record.decode(b"# one\r\n# two\n\xff\xfe")
    with pytest.raises(RecordError, match="larger than 16 MiB"):
        Record.decode(b"#" * ((16 << 20) + 1))


def test_the_rule_is_looked_at() -> None:
    text = "dB5,dK9,dK10,dK11,TD10,TE10,TF10,RH8\nTF10-J10xK9\n"
    assert Record.parse(text).battles[0].position().points == (3, 12)
    with pytest.raises(RecordError, match="ply 1, TF10-J10xK9: the capture is not one that TrollCapture all allows"):
        Record.parse(text, rule="all")


def test_positions_of_a_battle() -> None:
    battle = Battle(moves=(Move("dO11-O9"), Move("TG7-F7")))
    assert [position.ply for position in battle.positions()] == [0, 1, 2]
    assert battle.position(1).turn == TROLLS
    for ply in (-1, 3):
        with pytest.raises(IndexError, match=f"ply {ply}: the battle has plies 0 to 2"):
            battle.position(ply)
    with pytest.raises(IllegalMoveError):
        Battle(moves=(Move("dO8-O9"),)).position()


def test_the_writer_writes_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "game.thud"
    position = Position()
    with path.open("w", encoding="ascii") as file:
        writer = RecordWriter(file)
        writer.start(position)
        writer.comment("two\nlines")
        writer.ply(position.push("o11-o9"))
        assert path.read_text() == f"{HEADER}\n# two lines\ndO11-O9\n"
        writer.end("agreed")
    (battle,) = Record.read(path).battles
    assert (battle.moves, battle.end) == ((Move("dO11-O9"),), "agreed")


def test_files_with_a_letter_i() -> None:
    text = "dI1,dO9,TI7,RH8\nO9-O8\nI7-I6\n# variation: O8-N8\n"
    record = Record.parse(text, files="abc")
    (battle,) = record.battles
    assert [move.text for move in battle.moves] == ["dP9-P8", "TJ7-J6"]
    assert battle.variations == ((2, (Move("dP8-O8"),)),)
    file = io.StringIO()
    record.write(file, "abc")
    assert file.getvalue().split("\n")[:3] == ["dI1,dO9,TI7,RH8", "dO9-O8", "TI7-I6"]
    for wrong, message in (
        ("dO9,TI7,RH8\ndP9-P8", "line 2: ply 1, dP9-P8: P9: no file P from A to O"),
        ("dP9,RH8", "line 1: P9: no file P from A to O"),
        ("dO9,TI7,RH8\ndN9-N8", "line 2: ply 1, dN9-N8: no dwarf on N9"),
    ):
        with pytest.raises(RecordError) as caught:
            Record.parse(wrong, files="abc")
        assert str(caught.value) == message


def test_grids() -> None:
    (battle,) = Record.read(RECORDS / "game3.thud").battles
    position = battle.position()
    plain = grid.write(position)
    assert [len(line) for line in plain.splitlines()] == [15] * 15
    shown = position.diagram(["A6", position.dwarfs[0]])
    variants = {
        "plain": plain,
        "O": plain.replace("R", "O"),
        "blank": plain.replace("#", " "),
        "bare": plain.replace("#", ""),
        "shown": shown,
        "comments": f"# a grid\n{plain}\n# after it\n",
    }
    for name, text in variants.items():
        (found,) = Record.parse(text).battles
        assert found.position().piece_list == position.piece_list, name
    first, second = Record.parse(f"{grid.write(Position())}dO11-O9\nTG7-F7\n\n{plain}").battles
    assert len(first.moves) == 2 and second.position().piece_list == position.piece_list


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:14], "the grid ends after 14 of 15 rows"),
        (lambda rows: [*rows[:3], "dO11-O9"], "line 4: the grid ends after 3 of 15 rows"),
        (lambda rows: [rows[0] + ".", *rows[1:]], "line 15: row 1 of the grid has 6 squares, not 5"),
        (lambda rows: [*rows[:7], rows[7].replace("R", "."), *rows[8:]], "line 15: row 8 of the grid: the Thudstone"),
    ],
)
def test_broken_grids(change: Callable[[list[str]], list[str]], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse("\n".join(change(grid.write(Position()).splitlines())))
    assert str(caught.value).startswith(message)


def test_counters_and_side_are_kept() -> None:
    pieces = "dF1,TG7,RH8"
    for tail in ("d 17 40", "T 3 9", "T 0 1"):
        start = Position(Position.from_pieces(pieces).tfen.replace("d 0 1", tail)).tfen
        text = written(Record((Battle(start),)))
        assert text == f"{pieces}\n# fen: {start}\n"
        assert Record.parse(text).battles[0].start == start
    other = Position.from_pieces("dG1,TG7,RH8").tfen
    for line, message in ((other, "line 2: fen: other pieces than the list before it"), ("x", "line 2: fen: ")):
        with pytest.raises(RecordError) as caught:
            Record.parse(f"{pieces}\n# fen: {line}\n")
        assert str(caught.value).startswith(message)


def test_comments_before_the_list_stay_comments() -> None:
    record = Record.parse(f"# end: agreed\n# fen: none\n{HEADER}\ndO11-O9\n")
    assert record.battles[0].comments == ((0, "end: agreed"), (0, "fen: none"))
    again = Record.parse(written(record))
    assert (again.battles[0].moves, again.battles[0].end) == (record.battles[0].moves, "")
    assert again.battles[0].comments == ((0, "# end: agreed"), (0, "# fen: none"))
    assert Record.parse(written(again)) == again


def test_offers_in_plies() -> None:
    (battle,) = Record.parse("dO11-O9=\nTG7-F7\ndO9-O11 =\n=\n".replace(" =", "=")).battles
    assert battle.comments == ((1, OFFER), (3, OFFER)) and battle.end == "agreed"
    assert Record.parse(written(Record((battle,)))).battles == (battle,)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_byte_order_marks(encoding: str) -> None:
    mark = "\ufeff" if encoding[-2:] in ("le", "be") else ""
    data = (mark + "# Grüße\r\n" + OPEN).encode(encoding)
    assert [move.text for move in Record.decode(data).battles[0].moves] == OPEN_PLIES
    with pytest.raises(RecordError, match=r"^not UTF-16 text, as its first bytes say: truncated data$"):
        Record.decode(b"\xff\xfea")
