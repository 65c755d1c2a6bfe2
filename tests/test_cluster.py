"""Matches and self-play on a Dask cluster: a real scheduler and two workers on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from matches import MATCH, PATIENCE, THUDSTONE, battles, by_key, engine, lines_of, match, refused, run, two, wait_until

pytest.importorskip("distributed", reason="needs the extra `cluster`")

NODES = [*engine(THUDSTONE, name="full", nodes=60), *engine(THUDSTONE, name="half", nodes=30)]
SETTINGS = [*NODES, "--pairs", "6", "--no-capture-limit", "60"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="matches need POSIX")


@dataclass
class Cluster:
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers of one thread each, processes of their own."""
    log = (tmp_path / "dask.log").open("wb")
    found = tmp_path / "scheduler.json"

    def dask(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=tmp_path)

    scheduler = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(found))
    workers: list[subprocess.Popen[bytes]] = []
    try:
        wait_until(found.exists, "the scheduler doesn't start")
        address = json.loads(found.read_text())["address"]
        workers += [dask("worker", address, "--no-nanny", "--nthreads", "1") for _ in range(2)]
        text = tmp_path / "dask.log"
        wait_until(lambda: text.read_bytes().count(b"Registered to") == 2, "the workers don't start")
        yield Cluster(address, scheduler, workers)
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()
        log.close()


@pytest.mark.slow
def test_a_cluster_plays_what_one_machine_plays_though_a_worker_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    local, out = tmp_path / "local.jsonl", tmp_path / "out.jsonl"
    table = match(*SETTINGS, "--out", str(local))[-4:]
    process = subprocess.Popen(
        [*MATCH, *SETTINGS, "--cluster", cluster.address, "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(lambda: lines_of(out) > 2, "no battle is finished")
    cluster.workers[0].kill()
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert output.splitlines()[-4:] == table
    assert by_key(out) == by_key(local) and len(by_key(out)) == 12


@pytest.mark.slow
def test_a_cluster_that_goes_away(cluster: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    process = subprocess.Popen(
        [*MATCH, *SETTINGS, "--pairs", "500", "--cluster", cluster.address, "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(lambda: lines_of(out) > 2, "no battle is finished")
    cluster.scheduler.kill()
    _, errors = process.communicate(timeout=PATIENCE)
    count = len(battles(out))
    (line,) = errors.splitlines()
    assert process.returncode == 2
    assert line.startswith(f"thudstone: error: the cluster at {cluster.address} is gone (")
    assert line.endswith(f": {count} of 1000 battles are in {out}; the same command with --resume plays the rest")


@pytest.mark.slow
def test_an_engine_that_a_worker_cannot_start(cluster: Cluster) -> None:
    done = run(*engine("no-such-engine"), *engine(), "--pairs", "1", "--cluster", cluster.address)
    assert done.returncode == 2
    wanted = "engine no-such-engine: cannot start no-such-engine: No such file or directory"
    assert done.stderr == f"thudstone: error: {wanted}\n"


@pytest.mark.slow
def test_self_play_is_the_same_there_though_a_worker_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    local, out = tmp_path / "local.txt", tmp_path / "out.txt"
    asked = ["--battles", "40", "--nodes", "100", "--seed", "7"]
    datagen = [sys.executable, "-m", "thudstone", "datagen"]
    subprocess.run([*datagen, str(local), *asked], check=True, capture_output=True, timeout=PATIENCE)
    process = subprocess.Popen(
        [*datagen, str(out), *asked, "--cluster", cluster.address],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(lambda: lines_of(out) > 100, "no battle is finished")
    cluster.workers[0].kill()
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert out.read_text() == local.read_text()


@pytest.mark.slow
def test_nobody_is_there() -> None:
    done = run(*two(), "--pairs", "1", "--cluster", "tcp://127.0.0.1:9")
    assert done.returncode == 2
    assert done.stderr.startswith("thudstone: error: no cluster at tcp://127.0.0.1:9: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("address", ["nowhere", "http://nowhere:80", "127.0.0.1:port", ""])
def test_what_is_no_address(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, *two(), "--pairs", "1", "--cluster", address)
    assert message.startswith(f"no cluster at {address}: ")


def test_concurrency_is_not_the_cluster_s(capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, *two(), "--pairs", "1", "--cluster", "tcp://127.0.0.1:9", "--concurrency", "1")
    assert message.startswith("--concurrency is of this machine")
