"""A match overnight: killed, interrupted, out of room, resumed; nothing finished is lost, no process left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from matches import (
    MATCH,
    PATIENCE,
    PLAIN,
    THUDSTONE,
    alive,
    battles,
    by_key,
    engine,
    header,
    lines_of,
    match,
    refusal,
    run,
    two,
    wait_until,
)
from thudstone import Record

if sys.platform != "win32":
    import resource

FAST = ("--plies", "2", "--max-plies", "12")
NODES = [*engine(THUDSTONE, name="full", nodes=60), *engine(THUDSTONE, name="half", nodes=30)]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="matches need POSIX")]


def marked(mark: str, *faults: str) -> list[str]:
    """Two engines whose processes can be found by a mark."""
    return [
        word for name, fault in zip("ab", [*faults, "", ""], strict=False)
        for word in engine(f"{PLAIN} --name {mark} --fault '{fault}'", name=name)
    ]  # fmt: skip


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*MATCH, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def test_a_killed_match_is_resumed_and_ends_like_one_that_was_not(tmp_path: Path) -> None:
    whole, out, records = tmp_path / "whole.jsonl", tmp_path / "out.jsonl", tmp_path / "out.thud"
    arguments = [*NODES, "--pairs", "5", "--no-capture-limit", "40"]
    table = match(*arguments, "--out", str(whole))[-4:]
    arguments += ["--out", str(out), "--records", str(records), "--resume", "--concurrency", "1"]
    for battles_before in (2, 5):
        process = start(*arguments)
        wait_until(lambda: lines_of(out) > battles_before, "no battle is finished")  # noqa: B023
        process.kill()
        process.communicate()
    done = len(battles(out))
    lines = match(*arguments)
    assert lines[0] == f"{out}: {done} of 10 battles are there"
    assert by_key(out) == by_key(whole)
    assert lines[-4:] == table
    assert len(lines) - 1 - 4 == 10 - done, "only what was missing is played"
    assert len(Record.read(records).battles) == 10
    assert match(*arguments) == [f"{out}: 10 of 10 battles are there", *table], "nothing is left to play"
    assert len(battles(out)) == 10


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_match_says_what_it_has(number: signal.Signals, tmp_path: Path) -> None:
    out, mark = tmp_path / "out.jsonl", f"mark-{tmp_path.name}"
    process = start(*marked(mark), *FAST, "--pairs", "5000", "--out", str(out))
    wait_until(lambda: lines_of(out) > 5, "no battle is finished")
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "")
    count = len(battles(out))
    last = output.splitlines()[-1]
    wanted = f"Interrupted: {count} of 10000 battles are in {out}; the same command with --resume plays the rest"
    assert last == wanted
    assert any(line.startswith("engine ") for line in output.splitlines()), "the table so far"
    wait_until(lambda: not alive(mark), "engines are left")


@pytest.mark.parametrize("faults", [(), ("hang", "hang"), ("child", "child")])
def test_a_killed_match_leaves_no_process(faults: tuple[str, ...], tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}"
    process = start(*marked(mark, *faults), "--depth", "1", "--plies", "0", "--pairs", "5000")
    match = psutil.Process(process.pid)
    try:
        last = "left-by-match-engine" if "child" in faults else mark  # who is started last

        def is_playing() -> bool:
            return any(last in word for child in match.children(recursive=True)[1:] for word in cmdline(child))

        wait_until(is_playing, "the engines don't run")
        family = match.children(recursive=True)
    finally:
        process.kill()
        process.communicate()
    wait_until(lambda: not any(map(runs, family)), "a process is left")
    wait_until(lambda: not alive(mark), "an engine that was being started is left")


def cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_a_complete_match_leaves_no_process(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}"
    match(*marked(mark, "", "hang"), "--movetime", "1", "--grace", "100", "--pairs", "1")
    assert not alive(mark)


def test_a_lost_worker_s_battle_is_played_again(tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    arguments = [*NODES, "--pairs", "4", "--no-capture-limit", "40"]
    match(*arguments, "--out", str(whole))
    process = start(*arguments, "--concurrency", "1", "--out", str(out))
    for count in (1, 4):
        wait_until(lambda: lines_of(out) > count, "no battle is finished")  # noqa: B023
        for child in psutil.Process(process.pid).children():
            if "spawn_main" in " ".join(cmdline(child)):
                child.kill()
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert by_key(out) == by_key(whole)


def test_a_results_file_cut_short(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    arguments = [*two(), *FAST, "--pairs", "2", "--out", str(out)]
    match(*arguments)
    text = out.read_bytes()
    lines = text.splitlines(keepends=True)
    for kept, left in (
        (text[:-1], b""),  # only the line's end is missing: the battle is whole
        (text[:-20], lines[-1]),
        (b"".join(lines[:3]) + b"\0" * 50, b"".join(lines[3:])),
        (lines[0][:40], b"".join(lines[1:])),
        (b"", b"".join(lines[1:])),
    ):
        out.write_bytes(kept)
        output = match(*arguments, "--resume")
        missing = left.count(b"\n")
        assert sum(line.startswith("[") for line in output) == missing
        assert (f"{out}: dropped an unfinished last line" in output) == (bool(missing) and bool(kept))
        assert len(battles(out)) == 4
        assert out.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])


def test_a_results_file_that_is_not_of_this_match(tmp_path: Path) -> None:
    out, book = tmp_path / "out.jsonl", tmp_path / "book.txt"
    book.write_text("startpos\n")
    base = [*two(), *FAST, "--out", str(out)]
    match(*base, "--pairs", "1")
    text = out.read_text()
    other = f"{out} is from a match with other settings: "
    exists = f"{out} exists: --resume plays what is missing in it; or choose another name"
    assert refusal(*base, "--pairs", "1") == exists
    for arguments, message in (
        ([*base, "--movetime", "5"], "engines 1 limits: movetime=100, now movetime=5; engines 2 limits: "),
        ([*base, "--seed", "7"], "seed: 0, now 7; openings seed: 0, now 7"),
        ([*base, "--grace", "7"], "grace: 500, now 7"),
        ([*two(), "--max-plies", "12", "--openings", str(book), "--out", str(out)], "openings plies: 2, now None"),
        ([*base[:2], *engine(name="c"), *base[4:]], "engines 2 name: b, now c"),
        ([*base, *engine(name="c")], "engines: 2, now 3"),
    ):
        assert refusal(*arguments, "--pairs", "1", "--resume").startswith(other + message)
        assert out.read_text() == text
    match(*base, "--pairs", "2", "--resume")
    assert len(battles(out)) == 4, "how long the match is may change"
    wanted = f"{out}: line 4: pair 2, battle 1 is beyond the 1 pairs of this match"
    assert refusal(*base, "--pairs", "1", "--resume") == wanted


def test_a_results_file_with_a_mistake_in_it(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    arguments = [*two(), *FAST, "--pairs", "1", "--out", str(out)]
    match(*arguments)
    first, second, third = out.read_text().splitlines(keepends=True)
    swapped = json.loads(second)
    swapped["seats"] = swapped["seats"][::-1]
    for text, message in (
        ("not JSON\n" + second, "line 1: not JSON"),
        ("{}\n" + second, "line 1: not the results of a match"),
        (first + "garbage\n" + third, "line 2: not JSON"),
        (first + "[]\n" + third, "line 2: no battle: "),
        (first + second + second + third, "line 3: pair 1, battle 1 stands there twice"),
        (first + json.dumps(swapped) + "\n", "line 2: pair 1, battle 1 is of b, a, should be of a, b"),
        (first + '{"pair":1}\n' + third, "line 2: no battle: 'times' is missing"),
    ):
        out.write_text(text)
        assert refusal(*arguments, "--resume").startswith(f"{out}: {message}")
        assert out.read_text() == text


def test_a_file_in_use(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    arguments = [*two(), *FAST, "--pairs", "5000", "--out", str(out)]
    process = start(*arguments)
    try:
        wait_until(lambda: lines_of(out) > 1, "no battle is finished")
        assert refusal(*arguments, "--resume") == f"{out}: another match is writing to it"
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


def test_a_full_disk(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    arguments = [*two(), *FAST, "--pairs", "20", "--out", str(out)]
    size = 6000

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = run(*arguments, preexec_fn=little_room)
    count = len(battles(out))
    assert done.returncode == 2 and 2 < count < 40
    wanted = f"cannot write {out}: File too large: {count} of 40 battles are in {out}; the same command with --resume"
    assert done.stderr == f"thudstone: error: {wanted} plays the rest\n"
    assert out.read_bytes().endswith(b"}\n"), "no half line is left"
    match(*arguments, "--resume")
    assert len(battles(out)) == 40


def test_nobody_reads_the_output(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    process = start(*two(), *FAST, "--pairs", "5000", "--out", str(out))
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait(PATIENCE) == 2
    count = len(battles(out))
    wanted = f"nobody reads it any more: {count} of 10000 battles are in {out}; the same command with --resume"
    assert error == f"thudstone: error: cannot write the output: {wanted} plays the rest\n"


def test_no_room_at_all() -> None:
    message = refusal(*two(), "--pairs", "1", "--out", "/dev/full")
    assert message == "cannot write /dev/full: No space left on device"
    message = refusal(*two(), "--pairs", "1", "--records", "/dev/full")
    assert message == "cannot write /dev/full: No space left on device"


def test_files_of_others_are_not_written_over(tmp_path: Path) -> None:
    out, notes = tmp_path / "out.jsonl", tmp_path / "notes"
    notes.write_text("mine\n")
    arguments = [*two(), *FAST, "--pairs", "1", "--out", str(out), "--records", str(notes)]
    assert refusal(*arguments) == f"{notes} exists: choose another name for the records"
    assert refusal(*arguments, "--resume") == f"{notes} exists, and is not the records of a match"
    assert notes.read_text() == "mine\n" and header(out)["format"] == "thudstone match 1"


@pytest.mark.slow
def test_half_the_time_against_all_of_it_lives_through_kills(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    engines = [*engine(THUDSTONE, name="full"), *engine(THUDSTONE, name="half", movetime=25)]
    limits = ("--movetime", "50", "--no-capture-limit", "50")
    arguments = [*engines, *limits, "--pairs", "20", "--out", str(out), "--resume"]
    for count in (1, 7):
        process = start(*arguments)
        wait_until(lambda: lines_of(out) > count, "no battle is finished")  # noqa: B023
        process.kill()
        process.communicate()
    done = subprocess.run([*MATCH, *arguments], capture_output=True, text=True, timeout=580, check=True)
    assert set(by_key(out)) == {(pair, battle) for pair in range(1, 21) for battle in (1, 2)}
    table = done.stdout.splitlines()[-4:]
    assert table[0].split()[:2] == ["engine", "pairs"] and {line.split()[1] for line in table[1:3]} == {"20"}
    assert not any("forfeit" in battle for battle in battles(out))


def test_a_foreign_file_without_a_line_end_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "note.txt"
    out.write_text("important note without newline")
    process = start(*marked("foreign"), *FAST, "--pairs", "1", "--out", str(out), "--resume")
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "line 1: not the results of a match" in errors
    assert out.read_text() == "important note without newline"
