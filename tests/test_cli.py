"""The command line, by real processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from matches import wait_until
from thudstone import START, Position, Record, __version__

DATA = Path(__file__).parent / "data" / "records"
OPEN = DATA / "open.thud"
COMMANDS = "analyse bench board book check convert datagen db match perft play selfplay solve tune".split()
HURL = "dD10,dD11,dE10,dE11,TG10,RH8"
THUDSTONE = [sys.executable, "-m", "thudstone"]

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX's files and signals")


def run(
    *arguments: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*THUDSTONE, *arguments],
        input=data,
        capture_output=True,
        timeout=60,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        check=False,
    )
    output, errors = (stream.decode("utf-8").replace("\r\n", "\n") for stream in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, output, errors)


def lines(*arguments: str, stdin: str | bytes = "") -> list[str]:
    """The output of a command that succeeds."""
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def refusal(*arguments: str, stdin: str | bytes = "") -> str:
    """The one line on stderr of a command that fails."""
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("thudstone: error: ")
    return line.removeprefix("thudstone: error: ")


def test_version() -> None:
    assert lines("--version") == [f"thudstone {__version__}"]


@pytest.mark.parametrize("arguments", [[], ["--game", "thud"], ["--game=thud"]])
def test_alone_it_is_the_engine(arguments: list[str]) -> None:
    output = lines(*arguments, stdin="uci\nisready\nposition startpos\ngo depth 2\n")
    assert output[0] == f"id name Thudstone {__version__}"
    assert "uciok" in output and "readyok" in output
    move = output[-1].split()[1]
    assert output[-1].startswith("bestmove ") and Position().is_legal(move)


def test_the_engine_loads_nothing_that_only_other_commands_need() -> None:
    program = (
        "import sys\nfrom thudstone.protocol.cli import main\n"
        "status = main([])\n"
        "print(status, sorted({'click', 'rich', 'asyncio'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], input=b"isready\n", capture_output=True, check=True)
    assert done.stdout.split() == [b"readyok", b"0", b"[]"]


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_an_example(command: str, option: str) -> None:
    output = lines(*([command] if command else []), option)
    assert output[0].startswith(f"Usage: thudstone {command}".rstrip())
    assert any(line.strip().startswith(f"thudstone {command}".rstrip()) for line in output[output.index("Options:") :])
    assert any(line.strip() in ("Example:", "Examples:") for line in output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'. (see thudstone -h)"),
        (["--nonsense"], "No such option '--nonsense'. (see thudstone -h)"),
        (["--game", "chess"], "Invalid value for '--game': 'chess' is not one of 'thud', "),
        (["--game", "thud", "perft", "1"], "--game before a command is the engine's, which goes without one."),
        (["--data", "x", "perft", "1"], "--data before a command is the engine's, which goes without one."),
        (["perft"], "Missing argument 'DEPTH'. (see thudstone perft -h)"),
        (["perft", "x"], "Invalid value for 'DEPTH': 'x' is not a valid integer"),
        (["perft", "101"], "Invalid value for 'DEPTH': 101 is not in the range 0<=x<=100."),
        (["perft", "1", "--rules", "most"], "Invalid value for '--rules': 'most' is not one of"),
        (["perft", "1", "--hash", "999999999"], "--hash 999999999: "),
        (["perft", "1", "2"], "Got unexpected extra argument (2)"),
        (["board"], "Missing argument 'POSITION|FILE'."),
        (["board", "no/such.thud"], "no/such.thud: no such file, nor is it a TFEN or a piece list"),
        (["board", str(OPEN), "--ply", "7"], "--ply 7: there are 6 plies"),
        (["board", str(OPEN), "--battle", "2"], "--battle 2: the record has 1"),
        (["board", START.replace("/d5d/", "/d5x/", 1)], "TFEN: row 2: unknown letter 'x'"),
        (["board", START.replace("R", "T")], "TFEN: row 8: a troll on the Thudstone's square H8"),
        (["analyse", START.replace(" d ", " x ")], "TFEN: the side to move is x, should be d or T"),
        (["analyse", "dF1,dZ4,RH8"], "piece 2 of the list, dZ4: Z4 is not a square of the board"),
        (["analyse", "startpos", "--nodes", "0"], "Invalid value for '--nodes': 0 is not in the range x>=1."),
        (["play", "--side", "elves"], "Invalid value for '--side': 'elves' is not one of 'dwarfs', 'trolls'."),
        (["selfplay", "--engine", "a", "--engine", "b", "--engine", "c"], "3 engines were named, two can play."),
        (["selfplay", "--engine", "no-such-engine"], "cannot start no-such-engine: No such file or directory"),
    ],
)
def test_errors_are_one_line(arguments: list[str], message: str) -> None:
    assert refusal(*arguments).startswith(message)


@pytest.mark.parametrize("command", ["analyse", "board"])
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty: neither a piece list nor a ply"),
        (b"\n# nothing\n", "empty: neither a piece list nor a ply"),
        (b"\x89PNG\r\n\x1a\n\0\0", "line 1: not UTF-8 text (byte 0x89)"),
        (b"\0\1\2", r"line 1: neither a ply nor a piece list: '\x00\x01\x02'"),
        (OPEN.read_bytes() + b"\xff", "line 8: not UTF-8 text (byte 0xff)"),
        (OPEN.read_bytes()[:-4], "line 7: ply 6, TJ8-L10: a shove must capture"),
        (OPEN.read_bytes()[:-10], "line 7: ply 6, neither a ply nor a piece list: 'T'"),
        (OPEN.read_bytes()[:99], "line 1: piece 24 of the list, 'dN': not a piece on a square"),
        (OPEN.read_bytes()[:101], "line 1: the piece list names no Thudstone (RH8)"),
        (OPEN.read_bytes() + b"dO8-O5\n", "line 8: ply 7, dO8-O5: no dwarf on O8"),
    ],
    ids=["empty", "comment", "png", "nul", "latin", "cut-capture", "cut-ply", "cut-list", "short-list", "illegal"],
)
def test_broken_files(command: str, data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.thud"
    path.write_bytes(data)
    assert refusal(command, str(path)).startswith(f"{path}: {message}")
    assert refusal(command, "-", stdin=data).startswith(f"stdin: {message}")


@posix
def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    assert refusal("board", str(tmp_path)) == f"cannot read {tmp_path}: Is a directory"
    assert refusal("board", "/dev/zero") == "/dev/zero: larger than 16 MiB, which no record is"
    path = tmp_path / "closed.thud"
    path.write_bytes(OPEN.read_bytes())
    path.chmod(0)
    if not os.access(path, os.R_OK):  # root may read everything
        assert refusal("board", str(path)) == f"cannot read {path}: Permission denied"


def test_names_with_odd_letters(tmp_path: Path) -> None:
    name = "né\n\x1b[31m.thud" if os.name == "posix" else "né.thud"
    (tmp_path / name).write_text("hello")
    assert "neither a ply nor a piece list: 'hello'" in refusal("board", str(tmp_path / name))
    done = run("board", str(tmp_path / name), env={"PYTHONIOENCODING": "ascii", "LANG": "C"})
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and done.stderr.isascii()


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["2"], 22624),
        (["0"], 1),
        (["2", "--rules", "all"], 21736),
        (["2", "--no-bulk"], 22624),
        (["3", "--hash", "1"], 14142624),
        (["1", "--position", "d4/d6/d8/d10/d12/5d7Td/d6T7/7Rd4d1/7ddd3d1/1TTTTTT6d1/9d2d/11/9/7/1ddd1 T"], 90),
        (["1", "--position", str(OPEN)], Record.read(OPEN).battles[0].position().legal_moves.count()),
        (["2", "--position", "dF1,RH8"], 0),
    ],
)
def test_perft(arguments: list[str], count: int) -> None:
    speed, total = lines("perft", *arguments)
    assert re.fullmatch(r"NPS: \d+", speed)
    assert total == f"Nodes searched: {count}"


def test_perft_divides() -> None:
    *moves, _, total = lines("perft", "2", "--divide", "--position", START.replace(" d ", " T "))
    counts = dict(line.split(": ") for line in moves)
    assert len(counts) == 32 and "TG7-F7" in counts
    assert sum(map(int, counts.values())) == 20360 and total == "Nodes searched: 20360"


def test_board_of_a_position() -> None:
    output = lines("board", "startpos")
    assert output[0] == output[16] == "    A B C D E F G H J K L M N O P"
    assert output[8] == " 8  . . . . . . T R T . . . . . .  8"
    assert output[17] == "Dwarfs to move. 32 dwarfs, 8 trolls, margin +0"
    assert output[18:] == ["Result: dwarfs 32 trolls 8 margin 0"]
    assert lines("board", START) == lines("board", "-", stdin=START + "\n") == output
    assert lines("board", "-", stdin=Position().piece_list) == output
    assert "Trolls to move. 4 dwarfs, 1 trolls, margin +0" in lines("board", HURL, "--side", "trolls")
    assert "Trolls to move. 4 dwarfs, 1 trolls, margin +0" in lines("board", "-", "--side", "trolls", stdin=HURL)


def test_board_of_a_record() -> None:
    output = lines("board", str(OPEN))
    assert output[0] == "after ply 6 of 6, TJ8-L10xM9"
    assert " 9  d . . . . . T T T . .[.]d d d  9" in output
    assert output[-1] == "Result: dwarfs 30 trolls 8 margin -2"
    output = lines("board", str(OPEN), "--ply", "1")
    assert output[0] == "after ply 1 of 6, dO11-O9"
    assert " 9  d . . . . . T T T . . . .[d]d  9" in output
    assert "Trolls to move. 32 dwarfs, 8 trolls, margin +0" in output
    assert output[-1] == "Result: dwarfs 30 trolls 8 margin -2"


def test_board_of_two_battles(tmp_path: Path) -> None:
    path = tmp_path / "game.thud"
    path.write_bytes(OPEN.read_bytes() + b"# end: agreed\n" + f"{HURL}\ndE10-G10xG10\n".encode())
    output = lines("board", str(path))
    assert [line for line in output if line.startswith(("Battle", "Ended", "Over"))] == [
        "Battle 1: after ply 6 of 6, TJ8-L10xM9",
        "Ended: agreed",
        "Battle 2: after ply 1 of 1, dE10-G10xG10",
        "Over: no-pieces. 4 dwarfs, 0 trolls, margin +4",
    ]
    assert output[-2:] == ["Result: dwarfs 30 trolls 8 margin -2", "Result: dwarfs 4 trolls 0 margin 4"]
    output = lines("board", str(path), "--battle", "2", "--ply", "0")
    assert output[0] == "Battle 2: the start"


def test_analyse_a_position() -> None:
    output = lines("analyse", HURL, "--depth", "2")
    assert output[-2:] == ["Best: dE10-G10xG10 +4.00", "Result: dwarfs 4 trolls 1 margin 0"]
    header = next(number for number, line in enumerate(output) if "points for the dwarfs" in line)
    depths = [line.split()[0] for line in output[header + 1 : -2]]
    assert depths[0] == "1"
    assert re.fullmatch(r" +\d+ +\+4\.00 +\d+ +\d+\.\d\ds  dE10-G10xG10", output[header + 1])


def test_analyse_several_best_moves() -> None:
    output = lines("analyse", "startpos", "--depth", "2", "--multipv", "3")
    assert [line.split()[:2] for line in output if " #" in line][-3:] == [["2", "#1"], ["2", "#2"], ["2", "#3"]]


def test_analyse_an_ended_battle() -> None:
    output = lines("analyse", "dF1,RH8")
    assert output[-2:] == ["Over: no-pieces. 1 dwarfs, 0 trolls, margin +1", "Result: dwarfs 1 trolls 0 margin 1"]


def test_analyse_a_record() -> None:
    output = lines("analyse", str(OPEN), "--depth", "2")
    assert output[0].split() == ["ply", "move", "points", "depth", "instead"]
    plies = [line.split() for line in output[2:8]]
    assert [(words[0], words[1]) for words in plies] == [
        ("1", "dO11-O9"),
        ("2", "TG7-F7"),
        ("3", "dN12-N9"),
        ("4", "TF7-D5xC4"),
        ("5", "dM13-M9"),
        ("6", "TJ8-L10xM9"),
    ]
    assert all(re.fullmatch(r"[+-]\d+\.\d\d", words[2]) and words[3] == "2" for words in plies)
    assert output[-1] == "Result: dwarfs 30 trolls 8 margin -2"


def test_analyse_sees_from_the_dwarfs() -> None:
    text = f"{HURL}\ndE10-G10xG10\n"
    output = lines("analyse", "-", "--depth", "2", stdin=text)
    assert output[1].split()[:2] == ["0", "+4.00"]
    assert output[2].split() == ["1", "dE10-G10xG10", "+4.00", "over"]
    # A troll that takes the lone dwarf next to it: -4 for the dwarfs.
    output = lines("analyse", "-", "--depth", "2", stdin="dA6,TC6,RH8\nTC6-B6xA6\n")
    assert output[1].split()[:2] == ["0", "-4.00"]
    assert output[2].split()[:4] == ["1", "TC6-B6xA6", "-4.00", "over"]


def test_analyse_past_the_limit_without_captures() -> None:
    there = "dO11-O9\nTG7-G6\ndO9-O11\nTG6-G7\n"
    output = lines("analyse", "-", "--nodes", "50", stdin=there * 51 + "# end: limit\n")
    assert output[205].split()[:2] == ["204", "TG6-G7"]
    assert "over" not in "".join(output[:206])
    assert output[-2:] == ["Ended: limit", "Result: dwarfs 32 trolls 8 margin 0"]


def test_play_by_a_script() -> None:
    script = (
        "help\nhint\nnonsense\ndO11-O5\ndO11-O9\nundo\nundo\nmoves a6\nmoves\nlevel 10\nlevel quickly\nlevel instant\n"
        "\nboard\ntfen\no11-o9\n=\nresign\n"
    )
    output = lines("play", "--movetime", "10", stdin=script)
    assert "Battle 1 of 1: you play the dwarfs" in output
    for expected in (
        "dwarfs> help",
        "nonsense: not a move",
        "dO11-O5: a dwarf stands on O5",
        "You have made no move yet.",
        "no move from there (name a square, as in: moves O11)",
        "The engine now thinks 10 ms a move.",
        "no level 'quickly': there is instant, quick, normal, long, or a number of milliseconds",
        "The engine now thinks 50 ms a move.",
        START,
        "=: no offer stands",
        "You resign.",
    ):
        assert any(line.startswith(expected) for line in output), expected
    assert sum(line.startswith("The engine plays T") for line in output) == 2
    assert any(line.startswith("Hint: d") for line in output)
    assert "dA6-B6" in output[output.index("dwarfs> moves a6") + 1].split()
    assert re.fullmatch(r"Result: dwarfs 0 trolls \d margin -\d+", output[-2])
    assert re.fullmatch(r"Total: you -\d+, engine \+\d+", output[-1])


def test_play_two_battles_with_sides_swapped() -> None:
    script = "dE10-G10xG10\n"
    output = lines("play", "--movetime", "10", "--battles", "2", "--position", HURL, stdin=script)
    assert "Battle 1 of 2: you play the dwarfs" in output and "Battle 2 of 2: you play the trolls" in output
    assert output.count("The battle is over: no-pieces.") == 2
    # Both times the dwarfs take the only troll: what you win in one battle you lose in the other.
    assert [line for line in output if line.startswith("Result")] == ["Result: dwarfs 4 trolls 0 margin 4"] * 2
    assert output[-1] == "Total: you +0, engine +0"


def test_play_as_trolls_undo_keeps_the_opening_move() -> None:
    output = lines("play", "--movetime", "10", "--side", "trolls", stdin="undo\ntfen\nTG7-F7\nundo\ntfen\nquit\n")
    tfens = [line for line in output if re.fullmatch(r"\S+ T \d+ \d+", line)]
    assert len(tfens) == 2 and tfens[0] == tfens[1]
    assert output[-1] == "Battle 1 was not finished."


def test_play_ends_with_its_input() -> None:
    assert lines("play", "--movetime", "10")[-1] == "Battle 1 was not finished."
    assert lines("play", "--movetime", "10", stdin=b"\xff\xfe\0\n")[-1] == "Battle 1 was not finished."


def test_play_answers_an_offer() -> None:
    output = lines("play", "--movetime", "10", stdin="dO11-O9=\n" + "quit\n")
    assert any(line in output for line in ("The engine accepts your offer.", "The engine declines your offer."))


def test_selfplay_plays_two_battles_and_writes_them_down(tmp_path: Path) -> None:
    path = tmp_path / "game.thud"
    arguments = ["--battles", "2", "--nodes", "200", "--limit", "6", "--random", "4", "--seed", "3"]
    output = lines("selfplay", *arguments, "--record", str(path))
    record = Record.read(path)
    results = []
    for battle in record.battles:
        last = battle.position()
        assert battle.end == "limit" and last.tfen.split()[2] == "6"
        results.append(f"Result: dwarfs {len(last.dwarfs)} trolls {len(last.trolls)} margin {last.margin}")
    assert len(results) == 2 and output[-3:-1] == results
    first, second = (battle.position().margin for battle in record.battles)
    sums = re.findall(r"engine \d \(Thudstone [^)]*\) ([+-]\d+)", output[-1])
    assert list(map(int, sums)) == [first - second, second - first]
    # Both battles of a pair begin alike, and the same seed gives the same game.
    assert record.battles[0].moves[:4] == record.battles[1].moves[:4]
    again = tmp_path / "again.thud"
    lines("selfplay", *arguments, "--record", str(again))
    assert again.read_text() == path.read_text()
    assert lines("analyse", str(path), "--nodes", "50")[-2:] == results
    plies = [line.split()[1] for line in output if re.match(r" +\d+  [dT][A-P]\d+-", line)]
    played = [move.text for battle in record.battles for move in battle.moves]
    assert set(plies) <= set(played) and len(plies) == len(played) - 8
    assert sum(line == "    A B C D E F G H J K L M N O P" for line in output) >= 4


def test_selfplay_with_engines_that_misbehave(tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'go' and sys.argv[1] == 'die':\n        sys.exit('oh')\n"
        "    answers = {'uci': 'id name Odd\\nuciok', 'isready': 'readyok', 'go': 'bestmove ' + sys.argv[1]}\n"
        "    print(answers.get(word, ''), flush=True)\n"
    )
    command = f"{sys.executable} {engine}"
    record = tmp_path / "game.thud"
    options = ["--nodes", "50", "--record", str(record)]
    assert refusal("selfplay", "--engine", f"{command} TG7-G1", *options).startswith(
        "Odd played an illegal move: ply 2, TG7-G1: "
    )
    # What was played is kept.
    assert len(Record.read(record).battles[0].moves) == 1
    assert refusal("selfplay", "--engine", f"{command} (none)", *options) == "Odd has a legal move, but answered (none)"
    assert refusal("selfplay", "--engine", f"{command} die", *options) == (
        "Odd ended with status 1 before it answered 'go nodes 50': oh"
    )
    assert refusal("selfplay", "--engine", f"{command} x", "--rules", "all") == "Odd has no option 'TrollCapture'"


@posix
def test_records_that_can_not_be_written_are_told_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "no" / "game.thud"
    assert refusal("selfplay", "--record", str(path)) == f"cannot write {path}: No such file or directory"
    assert "is a directory" in refusal("selfplay", "--record", str(tmp_path))
    if Path("/dev/full").exists():
        assert refusal("selfplay", "--record", "/dev/full") == "cannot write the record: No space left on device"


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ["selfplay", "--movetime", "300", "--record", "game.thud"],
        ["analyse", "startpos", "--movetime", "60000"],
        ["analyse", str(DATA / "game2.thud"), "--movetime", "10000"],
        ["perft", "6"],
        ["bench"],
        ["play", "--movetime", "60000", "--side", "trolls"],
        ["play"],
        ["play", "--game", "trol"],
    ],
    ids=lambda arguments: "-".join(arguments[:2])[:20],
)
def test_ctrl_c_is_quiet(arguments: list[str], tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*THUDSTONE, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    time.sleep(1.5)  # long enough for any to begin
    if arguments[0] == "selfplay":
        game = tmp_path / "game.thud"
        wait_until(lambda: game.exists() and b"-" in game.read_bytes(), "no ply is on record")
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, b"")
    assert time.monotonic() - started < 5
    if arguments[0] == "selfplay":
        (battle,) = Record.read(tmp_path / "game.thud").battles
        assert battle.moves and battle.end == ""


@posix
@pytest.mark.parametrize("arguments", [["perft", "2", "--divide"], ["board", str(OPEN)], ["analyse", HURL], ["-h"]])
def test_a_reader_that_has_seen_enough(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run([*THUDSTONE, *arguments], stdout=writer, stderr=subprocess.PIPE, timeout=30, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_behind_stdout() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*THUDSTONE, "board", "startpos"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"thudstone: error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("env", [{"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}])
def test_poor_locales(env: dict[str, str]) -> None:
    for arguments in (["board", str(OPEN)], ["analyse", HURL, "--depth", "1"], ["-h"]):
        done = run(*arguments, env={**env, "PYTHONUTF8": "0"})
        assert (done.returncode, done.stderr) == (0, "") and done.stdout.isascii()


@posix
@pytest.mark.parametrize(
    ("arguments", "stdin", "expected"),
    [
        (["board", str(OPEN)], "", "Result: dwarfs 30 trolls 8 margin -2"),
        (["analyse", HURL, "--depth", "2"], "", "Best: dE10-G10xG10 +4.00"),
        (["selfplay", "--nodes", "50", "--limit", "3", "--random", "2"], "", "Total: engine 1 (Thudstone"),
        (["play", "--movetime", "10"], "dO11-O9\nquit\n", "Battle 1 was not finished."),
    ],
    ids=["board", "analyse", "selfplay", "play"],
)
def test_in_a_terminal_it_is_coloured(arguments: list[str], stdin: str, expected: str) -> None:
    import pty

    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*THUDSTONE, *arguments], stdin=end, stdout=end, stderr=subprocess.PIPE, env=environment, close_fds=True
    )
    os.close(end)
    os.write(terminal, stdin.encode())
    output = b""
    while True:
        try:
            read = os.read(terminal, 65536)
        except OSError:  # the other end was closed
            break
        if not read:
            break
        output += read
    os.close(terminal)
    assert process.stderr is not None
    with process.stderr:
        assert (process.wait(30), process.stderr.read()) == (0, b"")
    text = output.decode()
    assert "\x1b[1;31m" in text  # the trolls' red
    assert expected in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
