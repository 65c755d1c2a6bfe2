"""The client of asyncio: the same exchanges, and the same faults told in the same words."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest
import thudstone
from thudstone import AsyncEngine, Engine, EngineDied, EngineError, EngineTimeout, Limit, Position

THUDSTONE = [sys.executable, "-m", "thudstone"]
BROKEN = [sys.executable, str(Path(__file__).with_name("broken_engine.py")), "--fault"]


@pytest.fixture(autouse=True)
def _nothing_is_left_behind() -> Iterator[None]:
    yield
    assert psutil.Process().children(recursive=True) == []  # no zombie either


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def test_play_and_analyse() -> None:
    async def work() -> None:
        position = Position()
        position.push("dO11-O9")
        async with AsyncEngine.open(THUDSTONE) as engine:
            assert engine.name.startswith("Thudstone ") and engine.author and engine.options["Hash"].low == 1
            answer = await engine.play(position, Limit(nodes=500))
            assert answer.move is not None and position.is_legal(answer.move)
            seen: list[thudstone.Info] = []
            lines = await engine.analyse(position, Limit(depth=2), 3, seen.append)
            assert len(lines) == 3 and len(seen) > 3
            score = lines[0].score
            assert score is not None and score.trolls == score.points == -score.dwarfs
            assert len((await engine.play(position, Limit(depth=1))).lines) == 1  # MultiPV is as before
            assert await engine.query("turn") == "2"
            with pytest.raises(EngineError, match="no dwarf on O8"):
                await engine.position(moves=["dO8-O5"])
            await engine.ready()
        with pytest.raises(EngineDied, match="ended with status 0 before it answered"):
            await engine.ready()

    run(work())


def test_two_engines_think_at_once_and_one_is_stopped() -> None:
    async def work() -> None:
        one, two = await asyncio.gather(AsyncEngine.open(THUDSTONE), AsyncEngine.open(THUDSTONE))
        async with one, two:
            endless = asyncio.create_task(one.play(None, Limit()))
            assert (await two.play(None, Limit(nodes=500))).move
            assert not endless.done()
            await one.stop()
            assert (await endless).move
            task = asyncio.create_task(one.play(None, Limit()))
            await two.ready()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await one.play(None, Limit(nodes=100))).move  # as good as new

    run(work())


@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        ("dies-at-go", EngineDied, "ended with status 3 before it answered 'go movetime 10'"),
        ("hangs-at-go", EngineTimeout, "did not answer 'go movetime 10' in time"),
        ("silent", EngineTimeout, "did not answer 'uci' in time"),
        ("no-uciok", EngineTimeout, "did not answer 'uci' in time"),
        ("hangs", EngineTimeout, "did not answer 'isready' in time"),
        ("stops-reading", EngineTimeout, "did not answer 'isready' in time"),
    ],
)
def test_broken_engines(fault: str, error: type[EngineError], message: str) -> None:
    timeout = 2.0 if fault in ("silent", "no-uciok") else 3.0

    async def work() -> None:
        with pytest.raises(error, match=message):
            async with AsyncEngine.open([*BROKEN, fault], timeout=timeout) as engine:
                await engine.play(None, Limit(time=0.01))

    run(work())
    with pytest.raises(error, match=message), Engine.open([*BROKEN, fault], timeout=timeout) as engine:
        engine.play(None, Limit(time=0.01))


def test_bad_lines_and_commands() -> None:
    async def work() -> None:
        with pytest.raises(EngineDied, match="cannot start no-such-engine: No such file or directory"):
            await AsyncEngine.open("no-such-engine")
        with pytest.raises(EngineDied, match="the command is empty"):
            await AsyncEngine.open("")
        with pytest.raises(EngineDied, match="cannot start a 'b: No closing quotation"):
            await AsyncEngine.open("a 'b")
        program = "input(); raise SystemExit('out of luck')"
        with pytest.raises(EngineDied, match="ended with status 1 before it answered 'uci': out of luck"):
            await AsyncEngine.open([sys.executable, "-c", program])
        program = "print('x' * 2000000, flush=True); input(); input()"
        with pytest.raises(EngineError, match="sent a line of more than 1048576 bytes"):
            await AsyncEngine.open([sys.executable, "-c", program])

    run(work())


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX's")
def test_an_engine_that_ignores_quit_is_killed_with_its_children() -> None:
    program = (
        "import subprocess, time; subprocess.Popen(['sleep', '600']); input()\n"
        "print('uciok', flush=True); time.sleep(600)"
    )

    async def work() -> None:
        engine = await AsyncEngine.open([sys.executable, "-c", program])
        started = time.monotonic()
        await engine.close(patience=0.1)
        await engine.close()
        assert time.monotonic() - started < 10

    run(work())


@pytest.mark.parametrize("name", thudstone.GAMES)
def test_every_game_is_played_over_the_protocol_and_in_process(name: str) -> None:
    rng = Random(1)
    game = thudstone.new(name)
    with Engine.open([*THUDSTONE, "--game", name]) as engine:
        for ply in range(6):
            assert list(game.deal(rng)) is not None and game.turn >= 0
            if ply % 2:
                move = engine.play(game, Limit(nodes=8)).move
            else:
                move = game.think(Limit(nodes=8))
            assert move is not None and game.is_legal(move)
            game.apply(move)


def test_games_without_a_move() -> None:
    game = thudstone.new("trol", 3)
    assert game.turn == thudstone.CHANCE
    with Engine.open([*THUDSTONE, "--game", "trol"]) as engine, pytest.raises(ValueError, match="a chance event"):
        engine.play(game, Limit(nodes=1))
    with pytest.raises(ValueError, match="a chance event comes next, no seat is to move"):
        game.think(Limit(nodes=1))
