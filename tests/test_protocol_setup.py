"""Handshakes, options, positions, and what bad input gets."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from protocol_client import Client
from thudstone.engine.thud import core
from thudstone.version import __version__

NAMES = [
    "Hash",
    "Clear Hash",
    "Threads",
    "MultiPV",
    "Ponder",
    "Move Overhead",
    "OfferEnd",
    "Skill Level",
    "OwnBook",
    "BookFile",
    "TrollCapture",
    "NoCaptureLimit",
    "UCI_Variant",
]
LINES = {
    "option name Clear Hash type button",
    "option name Ponder type check default false",
    "option name OfferEnd type check default false",
    "option name Skill Level type spin default 20 min 0 max 20",
    "option name OwnBook type check default false",
    "option name BookFile type string default <empty>",
    "option name TrollCapture type combo default any var any var all-or-none var all var one",
    "option name NoCaptureLimit type spin default 200 min 0 max 9999",
    "option name UCI_Variant type combo default thud var thud var dungeon var trol var whales",
}


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    with Client() as client:
        yield client


@pytest.fixture
def client(shared: Client) -> Client:
    """One process for all tests, each of which leaves the options as it found them."""
    assert shared.ask("uci")[-1] == "uciok"
    assert shared.ask("position startpos") == []
    return shared


def error(client: Client, *lines: str | bytes) -> str:
    """The one error line that a command gets; nothing has changed."""
    before = [client.query(words) for words in ("fen", "legal", "end")]
    (line,) = client.ask(*lines)
    assert line.startswith("info string error: ")
    assert line.isascii() and len(line) < 300
    assert [client.query(words) for words in ("fen", "legal", "end")] == before
    return line.removeprefix("info string error: ")


@pytest.mark.parametrize(("hello", "last"), [("uci", "uciok"), ("ugi", "ugiok")])
def test_a_handshake(client: Client, hello: str, last: str) -> None:
    lines = client.ask(hello)
    assert lines[0] == f"id name Thudstone {__version__}"
    assert lines[1] == "id author the Thudstone authors"
    assert lines[-1] == last
    options = lines[2:-1]
    assert [line.split(" type ")[0] for line in options] == [f"option name {name}" for name in NAMES]
    assert set(options) >= LINES
    spins = {line.split(" type ")[0][12:]: line for line in options if " type spin " in line}
    for name, default in (("Hash", 64), ("Threads", 1), ("MultiPV", 1), ("Move Overhead", 10)):
        assert f" default {default} min " in spins[name]
    assert spins["Threads"].endswith(" min 1 max 64")


def test_handshakes_come_at_any_time_and_again(client: Client) -> None:
    lines = client.ask("uci", "ugi", "uci")
    assert [line for line in lines if line.endswith("iok")] == ["uciok", "ugiok", "uciok"]


def test_before_any_position_the_start_is_set() -> None:
    with Client() as client:
        assert client.query("fen") == core.START
        assert client.query("turn") == "1"


@pytest.mark.parametrize("line", ["", "   ", "\t", "\r", " \t\r"])
def test_blank_lines_say_nothing(client: Client, line: str) -> None:
    assert client.ask(line) == []


def test_tabs_and_carriage_returns_are_white_space(client: Client) -> None:
    assert client.ask("\tposition\tstartpos  moves\tdO11-O9 \r") == []
    assert client.query("fen").split()[1:] == ["T", "1", "1"]
    assert client.ask("query\tturn\r", " query  turn ") == ["response 2", "response 2"]


@pytest.mark.parametrize("line", ["hello", "UCI", "debug on", "position2", "\x00", "readyok", "=", "dO11-O9"])
def test_an_unknown_command_gets_one_line(client: Client, line: str) -> None:
    assert error(client, line).startswith("unknown command '")


@pytest.mark.parametrize("name", ["nocapturelimit", "NOCAPTURELIMIT", "NoCaptureLimit"])
def test_option_names_match_in_any_case(client: Client, name: str) -> None:
    assert client.ask(f"setoption name {name} value 1", "position startpos moves dO11-O9") == []
    assert client.query("end") == "limit"
    assert client.ask(f"setoption name {name} value 200") == []
    assert client.query("end") == "none"


def test_option_values_match_in_any_case(client: Client) -> None:
    assert client.ask("setoption name TrollCapture value ALL-or-None") == []
    assert "Trolls capture: all-or-none" in client.ask("d")
    assert client.ask("setoption name TrollCapture value any", "setoption name ponder value TRUE") == []
    assert client.ask("setoption name ponder value false") == []


@pytest.mark.parametrize("name", ["clear hash", "Clear Hash", "CLEAR  HASH"])
def test_a_button(client: Client, name: str) -> None:
    assert client.ask(f"setoption name {name}") == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("setoption", "setoption: 'name' expected"),
        ("setoption Hash 5", "setoption: 'name' expected"),
        ("setoption name", "setoption: the name is missing"),
        ("setoption name value 5", "setoption: the name is missing"),
        ("setoption name Hsah value 5", "setoption: no option is called 'Hsah'"),
        ("setoption name Hash", "setoption Hash: 'value' expected"),
        ("setoption name Hash value", "setoption Hash: '' is not a number from 1 to "),
        ("setoption name Hash value -1", "setoption Hash: '-1' is not a number from 1 to "),
        ("setoption name Hash value 0", "setoption Hash: '0' is not a number from 1 to "),
        ("setoption name Hash value banana", "setoption Hash: 'banana' is not a number from 1 to "),
        ("setoption name Hash value 16 MB", "setoption Hash: '16 MB' is not a number from 1 to "),
        ("setoption name Hash value 1e3", "setoption Hash: '1e3' is not a number from 1 to "),
        ("setoption name Hash value 1000000000000", "setoption Hash: '1000000000000' is not a number from 1 to "),
        ("setoption name Threads value 65", "setoption Threads: '65' is not a number from 1 to 64"),
        ("setoption name Ponder value maybe", "setoption Ponder: 'maybe' is not true or false"),
        ("setoption name TrollCapture value some", "setoption TrollCapture: 'some' is not one of any, all-or-none, "),
        ("setoption name TrollCapture value", "setoption TrollCapture: '' is not one of any, all-or-none, all, one"),
        ("setoption name NoCaptureLimit value 10000", "setoption NoCaptureLimit: '10000' is not a number from 0 to "),
        ("setoption name UCI_Variant value chess", "setoption UCI_Variant: 'chess' is not one of thud"),
        ("setoption name Clear Hash value now", "setoption Clear Hash: a button has no value"),
    ],
)
def test_a_bad_option_is_refused(client: Client, line: str, what: str) -> None:
    assert error(client, line).startswith(what)


def test_a_hash_beyond_the_memory_is_refused_before_it_is_touched(client: Client) -> None:
    (line,) = [line for line in client.ask("uci") if line.startswith("option name Hash ")]
    most = line.split()[-1]
    assert int(most) > 10**6, "the range is the address space's, the refusal the memory's"
    assert error(client, f"setoption name Hash value {most}").startswith("setoption Hash: ")
    _, best = client.go("depth 1")
    assert client.query(f"islegal {best.split()[1]}") == "true"


def test_options_of_the_rules_hold_for_the_position_that_is_set(client: Client) -> None:
    assert client.ask("position startpos moves dO11-O9 TG7-F6") == []
    assert client.ask("setoption name NoCaptureLimit value 2") == []
    assert client.query("gameover") == "true"
    assert client.ask("setoption name NoCaptureLimit value 3") == []
    assert client.query("gameover") == "false"
    assert client.ask("setoption name NoCaptureLimit value 200") == []


def test_a_rule_under_which_the_moves_are_illegal_keeps_what_stands_on_the_board(client: Client) -> None:
    fen = "d3d/7/9/11/13/15/15/7R7/15/15/13/11/9/d6/T2dT T 0 1"
    assert client.ask(f"position fen {fen} moves TF15-G15") == []  # it leaves the dwarf beside it
    after = client.query("fen")
    assert client.ask("setoption name TrollCapture value all") == []
    assert client.query("fen") == after
    assert client.ask("setoption name TrollCapture value any") == []


def test_every_form_of_a_position(client: Client) -> None:
    for line in (
        "position startpos",
        "position fen startpos",
        f"position fen {core.START}",
        "position startpos players 2",
        "position startpos seat 1",
        "position startpos seat 2 moves",
        "position startpos players 2 seat * moves",
        f"position fen {core.START.rsplit(' ', 2)[0]} players 2",
    ):
        assert client.ask(line) == []
        assert client.query("fen") == core.START
    assert client.ask("position startpos players 2 seat * moves dO11-O9 moves g7-f6 moves") == []
    assert client.query("redact 1") == "dO11-O9 TG7-F6"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("position", "'startpos' or 'fen' expected"),
        ("position moves dO11-O9", "'startpos' or 'fen' expected"),
        ("position fen", "the text after 'fen' is missing"),
        ("position fen moves dO11-O9", "the text after 'fen' is missing"),
        ("position startpos dO11-O9", "'dO11-O9' is not expected there"),
        ("position startpos players", "players: a number expected"),
        ("position startpos players two", "players: a number expected"),
        ("position startpos players 3", "players 3: thud has 2"),
        ("position startpos seat", "seat: a number or * expected"),
        ("position startpos seat x", "seat: a number or * expected"),
        ("position startpos seat 3", "seat 3: it can be 1 to 2, or *"),
        ("position startpos seat 0", "seat 0: it can be 1 to 2, or *"),
        ("position startpos moves dO8-O5", "ply 1, dO8-O5: no dwarf on O8"),
        ("position startpos moves dO11-O9 TG7-F6 dO9-O8 TF6-F5 dO9-O8", "ply 5, dO9-O8: no dwarf on O9"),
        ("position startpos moves =", "ply 1, =: no offer stands"),
        ("position startpos moves dO11-O9= = TG7-F6", "ply 3, TG7-F6: the battle is over: agreed"),
        ("position startpos moves @1=A", "ply 1, @1=A: "),
        ("position startpos moves !A", "ply 1, !A: "),
        ("position startpos moves dO11-O9,TG7-F6", "ply 1, dO11-O9,TG7-F6: "),
    ],
)
def test_a_bad_position_is_refused(client: Client, line: str, what: str) -> None:
    assert client.ask("position startpos moves dO11-O9 TG7-F6 dO9-O8 TF6-F5=") == []
    assert error(client, line).startswith(f"position: {what}")


START_ROWS = core.START.split()[0].split("/")


@pytest.mark.parametrize(
    "fen",
    [
        "/".join(START_ROWS[:14]) + " d 0 1",
        "/".join([*START_ROWS, "dd1dd"]) + " d 0 1",
        core.START.replace("dd1dd", "dd2dd", 1),
        core.START.replace("dd1dd", "dd1d", 1),
        core.START.replace("dd1dd", "dd1dx", 1),
        core.START.replace("dd1dd", "dd1dD", 1),
        core.START.replace("dd1dd", "dd01dd", 1),
        core.START.replace("dd1dd", "d11d1", 1),
        core.START.replace("dd1dd", "dd0dd", 1),
        core.START.replace("6TRT6", "6T1T6"),
        core.START.replace("6TRT6", "6TdT6"),
        core.START.replace("6TRT6", "6RRT6"),
        core.START.replace("6TRT6", "7TRT5"),
        core.START.replace(" d 0 1", ""),
        core.START.replace(" d 0 1", " D 0 1"),
        core.START.replace(" d 0 1", " t 0 1"),
        core.START.replace(" d 0 1", " d x 1"),
        core.START.replace(" d 0 1", " d -1 1"),
        core.START.replace(" d 0 1", " d 10000 1"),
        core.START.replace(" d 0 1", " d 0 0"),
        core.START.replace(" d 0 1", " d 0 10000"),
        core.START + " 1",
        "\x00",
        "=",
    ],
)
def test_a_text_that_is_no_position_is_refused(client: Client, fen: str) -> None:
    assert client.ask("position startpos moves dO11-O9=") == []
    assert error(client, f"position fen {fen}").startswith("position: ")


def test_moves_play_on(client: Client) -> None:
    assert client.ask("moves dO11-O9 TG7-F6", "moves dO9-O8= moves") == []
    assert client.query("redact 2") == "dO11-O9 TG7-F6 dO9-O8="
    assert error(client, "moves TF6-F5 dA1-A2").startswith("moves: ply 5, dA1-A2: ")
    assert error(client, "moves") == "moves: a move expected"
    assert client.ask("position startpos moves dO11-O9 TG7-F6 dO9-O8= =") == []
    assert client.query("end") == "agreed"


def test_a_position_may_extend_shorten_or_change_the_last_one(client: Client) -> None:
    for line, log in (
        ("position startpos moves dO11-O9", "dO11-O9"),
        ("position startpos moves dO11-O9", "dO11-O9"),
        ("position startpos moves dO11-O9 TG7-F6", "dO11-O9 TG7-F6"),
        ("position startpos moves dO11-O9 TG7-F6 dO9-O8", "dO11-O9 TG7-F6 dO9-O8"),
        ("position startpos moves dO11-O9", "dO11-O9"),
        ("position startpos", ""),
        ("position startpos moves dO11-O10 TG7-F6", "dO11-O10 TG7-F6"),
        (f"position fen {core.START} moves dO11-O10 TG7-F6", "dO11-O10 TG7-F6"),
        (f"position fen {core.START} moves dO11-O10 TG7-F6  dO10-O9", "dO11-O10 TG7-F6 dO10-O9"),
    ):
        assert client.ask(line) == []
        assert client.query("redact 1") == log
        tokens = log.split()
        assert client.query("turn") == str(len(tokens) % 2 + 1)
    assert error(client, "position startpos moves dO11-O9 TG7-F6x").startswith("position: ply 2, TG7-F6x")
    assert client.ask("position fen " + core.START[:-4]) == []
    assert client.ask("position fen " + core.START) == []
    assert client.query("fen") == core.START


def test_a_record_may_run_past_the_limit(client: Client) -> None:
    moves = "dO11-O9 TG7-F6 dO9-O11 TF6-G7"
    assert client.ask("setoption name NoCaptureLimit value 2", f"position startpos moves {moves}") == []
    assert client.query("end") == "limit"
    assert client.query("islegal dO11-O9") == "false"
    assert client.ask("moves dO11-O9") == []
    assert client.ask("position startpos moves dO11-O9") == []
    assert client.query("end") == "none"
    assert client.ask("setoption name NoCaptureLimit value 200") == []


def test_long_and_binary_lines(client: Client) -> None:
    long = 10_000_000
    for line, what in (
        (b"x" * long, "unknown command 'xxx"),
        (b"position " + b"y" * long, "position: 'startpos' or 'fen' expected"),
        (b"position fen " + b"d" * long, "position: "),
        (b"position startpos moves " + b"dO11-O9" * (long // 7), "position: ply 1, dO11-O9"),
        (b"position startpos " + b"moves " * (long // 6) + b"zz", "position: ply 1, zz"),
        (b"setoption name " + b"Hash " * (long // 5), "setoption: no option is called 'Hash Hash"),
        (b"setoption name Hash value " + b"9" * long, "setoption Hash: '999"),
        (b"go depth " + b"9" * long, "go depth: '999"),
        (b"go searchmoves " + b"x" * long, "go searchmoves: xxx"),
        (b"query " + b"q" * long, "query: 'qqq"),
        (b"query islegal " + b"q " * (long // 2), "query islegal: one move expected"),
        (b"\x00" * 1000, "unknown command '\\x00"),
        (bytes(range(128, 256)), "unknown command '"),
        (b"position startpos moves \xff\xfe", "position: ply 1, \\xff\\xfe"),
    ):
        begun = time.monotonic()
        assert error(client, line).startswith(what)
        assert time.monotonic() - begun < 5


def test_a_last_line_without_a_newline_counts() -> None:
    with Client() as client:
        client.send_raw(b"isready")
        client.end_input()
        assert client.rest() == (["readyok"], 0)


def test_lines_may_come_in_pieces(client: Client) -> None:
    for piece in (b"qu", b"ery tur", b"n\nquery ", b"p1turn", b"\n"):
        client.send_raw(piece)
        time.sleep(0.02)
    assert [client.line(), client.line()] == ["response 1", "response true"]


def test_a_long_list_costs_its_new_moves_only() -> None:
    """Not a benchmark: a guard against replaying the list, which takes ten times as long as what is allowed here."""
    plies = ["dO11-O9", "TG7-F6", "dO9-O11", "TF6-G7"] * 500
    with Client() as client:
        assert client.ask("setoption name NoCaptureLimit value 0") == []
        line = "position startpos moves " + " ".join(plies)
        assert client.ask(line) == []
        begun = time.monotonic()
        lines = []
        for ply in plies[:100]:
            line += f" {ply}"
            lines.append(line)
        assert client.ask(*lines) == []
        assert time.monotonic() - begun < 0.5
        assert client.query("fen").split()[2] == "2100"


def test_help_lists_the_commands(client: Client) -> None:
    client.send("help")
    text = client.until("")
    assert text.count("") == 1
    commands = "uci isready setoption position moves go stop ponderhit query bench quit"
    for command in commands.split():
        assert any(command in line for line in text), command


def test_the_board_and_the_evaluation_are_ended_by_an_empty_line(client: Client) -> None:
    for command in ("d", "eval"):
        client.send(command)
        assert len(client.until("")) > 1
    assert client.ask("d").count("") == 1
