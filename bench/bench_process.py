"""How soon the engine answers: its start, the end of a search, long lists of moves. Medians of 50 and, of the 50, the
time that 95 in 100 stay under."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random

import pytest
from engine_process import EngineProcess
from pytest_benchmark.fixture import BenchmarkFixture
from thudstone.engine.thud import core

Figure = Callable[[str, float, str, str], None]
ROUNDS = 50


def note(figure: Figure, name: str, seconds: list[float], goal: float) -> None:
    assert len(seconds) == ROUNDS
    ordered = sorted(1000 * value for value in seconds)
    figure(f"{name}, median", (ordered[ROUNDS // 2 - 1] + ordered[ROUNDS // 2]) / 2, "ms", f"< {goal}")
    figure(f"{name}, 95 %", ordered[ROUNDS * 95 // 100], "ms", f"< {2 * goal}")


def long_battle(plies: int) -> tuple[list[str], core.Board]:
    """Random moves with few captures, so that it lasts, but enough that no limit of plies without one ends it."""
    random, board = Random(5), core.Board()
    texts: list[str] = []
    while len(texts) < plies:
        moves = board.legal_moves()
        wanted = [move for move in moves if bool(core.captured(move)) == (board.quiet > 50)]
        move = random.choice(wanted or moves)
        texts.append(core.move_text(move, board.side))
        board.push(move)
        assert board.quiet < 200
    return texts, board


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        process.send("uci\n")
        process.until("uciok")
        yield process


def test_start(benchmark: BenchmarkFixture, figure: Figure) -> None:
    seconds = []

    def start() -> None:
        began = time.perf_counter()
        with EngineProcess() as process:
            process.send("uci\n")
            process.until("uciok")
            seconds.append(time.perf_counter() - began)

    benchmark.pedantic(start, rounds=ROUNDS)
    note(figure, "process start to uciok", seconds, 150)


def test_stop(benchmark: BenchmarkFixture, figure: Figure, engine: EngineProcess) -> None:
    seconds = []
    pauses = Random(3)

    def search() -> None:
        engine.send("position startpos\ngo infinite\n")
        time.sleep(pauses.uniform(0.05, 0.3))

    def stop() -> None:
        began = time.perf_counter()
        engine.send("stop\n")
        engine.until("bestmove")
        seconds.append(time.perf_counter() - began)

    benchmark.pedantic(stop, setup=search, rounds=ROUNDS)
    note(figure, "stop to bestmove", seconds, 10)


def test_first_position(benchmark: BenchmarkFixture, figure: Figure) -> None:
    text = f"position startpos moves {' '.join(long_battle(300)[0])}\nisready\n"
    seconds = []

    def fresh() -> tuple[tuple[EngineProcess], dict[str, object]]:
        process = EngineProcess()
        process.send("uci\n")
        process.until("uciok")
        return (process,), {}

    def position(process: EngineProcess) -> None:
        began = time.perf_counter()
        process.send(text)
        process.until("readyok")
        seconds.append(time.perf_counter() - began)
        process.close()

    benchmark.pedantic(position, setup=fresh, rounds=ROUNDS)
    note(figure, "first position with 300 moves to readyok", seconds, 5)


def test_extended_position(benchmark: BenchmarkFixture, figure: Figure, engine: EngineProcess) -> None:
    moves, last = long_battle(300 + ROUNDS)
    engine.send(f"position startpos moves {' '.join(moves[:300])}\nisready\n")
    engine.until("readyok")
    seconds: list[float] = []

    def extend() -> None:
        text = f"position startpos moves {' '.join(moves[: 301 + len(seconds)])}\nisready\n"
        began = time.perf_counter()
        engine.send(text)
        engine.until("readyok")
        seconds.append(time.perf_counter() - began)

    benchmark.pedantic(extend, rounds=ROUNDS)
    engine.send("query fen\n")
    assert engine.until("response") == f"response {last.tfen}"
    note(figure, "position one move longer to readyok", seconds, 0.5)
