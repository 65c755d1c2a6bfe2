"""The client of engines for programs that run on asyncio: the same as `thudstone.client`, with `await`."""

from __future__ import annotations

import asyncio
import contextlib
import time
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from types import TracebackType
from typing import Any, Literal, TypeVar

from thudstone.client import kill_group, not_started, split
from thudstone.dialogue import LONGEST_LINE, Answer, Dialogue, EngineDied, EngineError, EngineOption, Exchange, Read
from thudstone.game import Game
from thudstone.info import Info
from thudstone.limit import Limit
from thudstone.position import Position

T = TypeVar("T")


class AsyncEngine:
    """An engine process, as `thudstone.Engine` is, whose methods are awaited; it raises the same errors.

        async with await AsyncEngine.open("thudstone") as engine:
            answer = await engine.play(position, Limit(time=1))

    `async with AsyncEngine.open("thudstone") as engine` does the same. A search whose task is cancelled is stopped, and
    the engine can be used further.
    """

    def __init__(self, talk: Dialogue, process: Process) -> None:
        """For `open` to call."""
        self._talk = talk
        self._process = process
        self._errors: deque[bytes] = deque(maxlen=20)
        self._listener = asyncio.create_task(self._collect_errors())

    @classmethod
    def open(
        cls, command: str | Sequence[str], *, protocol: Literal["uci", "ugi"] = "uci", timeout: float = 10.0
    ) -> Opening:
        """Start an engine: await it, or use it in `async with`."""
        return Opening(cls, command, protocol, timeout)

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        return self._talk.name

    @property
    def author(self) -> str:
        return self._talk.author

    @property
    def options(self) -> dict[str, EngineOption]:
        """The settings that it announced, by name."""
        return self._talk.options

    @property
    def pid(self) -> int:
        return self._process.pid

    async def set_option(self, name: str, value: str | int | bool | None = None) -> None:
        """As `Engine.set_option`."""
        await self._run(self._talk.set_option(name, value))

    async def new_game(self) -> None:
        """As `Engine.new_game`."""
        await self._run(self._talk.new_game())

    async def ready(self) -> None:
        """As `Engine.ready`."""
        await self._run(self._talk.tell(""))

    async def position(
        self, start: Position | Game | str | None = None, moves: Iterable[str] = (), arguments: str = ""
    ) -> None:
        """As `Engine.position`."""
        await self._run(self._talk.position(start, moves, arguments))

    async def go(
        self, limit: Limit, report: Callable[[Info], None] | None = None, timeout: float | None = None
    ) -> Answer:
        """As `Engine.go`."""
        return await self._run(self._talk.go(limit, report, timeout))

    async def play(
        self, start: Position | Game | str | None, limit: Limit, report: Callable[[Info], None] | None = None
    ) -> Answer:
        """As `Engine.play`."""
        return await self._run(self._talk.play(start, limit, report))

    async def analyse(
        self,
        start: Position | Game | str | None,
        limit: Limit,
        multipv: int = 1,
        report: Callable[[Info], None] | None = None,
    ) -> list[Info]:
        """As `Engine.analyse`."""
        return await self._run(self._talk.analyse(start, limit, multipv, report))

    async def stop(self) -> None:
        """End the search that another task waits for. Harmless when there is none."""
        await self._send("stop")

    async def query(self, question: str) -> str:
        """As `Engine.query`."""
        return await self._run(self._talk.query(question))

    async def close(self, patience: float = 1.0) -> None:
        """End the process: politely first, by force after `patience` seconds. Harmless when repeated."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(OSError, RuntimeError):  # it has ended already, or was closed
            self._process.stdin.write(b"quit\n")
            self._process.stdin.close()
        drain = asyncio.create_task(self._drain())
        try:
            await asyncio.wait_for(self._process.wait(), patience)
        except asyncio.TimeoutError:
            kill_group(self._process)
            await self._process.wait()
        # A reader that sees no end is kept by a child that the engine left.
        _, kept = await asyncio.wait({drain, self._listener}, timeout=0.5)
        if kept:
            kill_group(self._process)
            _, kept = await asyncio.wait(kept, timeout=1.0)
        for task in kept:
            task.cancel()

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, exchange: Exchange[T]) -> T:
        """Carry an exchange to its end."""
        try:
            wanted = next(exchange)
            while True:
                if isinstance(wanted, Read):
                    wanted = exchange.send(await self._read(wanted))
                else:
                    await self._send(wanted)
                    wanted = next(exchange)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        except asyncio.CancelledError:
            with contextlib.suppress(EngineError):  # the cancellation says enough
                await self._run(self._talk.settle())
            raise

    async def _send(self, command: str) -> None:
        assert self._process.stdin is not None
        line = self._talk.encoded(command)
        try:
            self._process.stdin.write(line)
            await self._process.stdin.drain()
        except (OSError, RuntimeError):  # RuntimeError: closed by us
            raise await self._death(command) from None

    async def _read(self, wanted: Read) -> str:
        assert self._process.stdout is not None
        left = None if wanted.deadline is None else max(wanted.deadline - time.monotonic(), 0.0)
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), left)
        except asyncio.TimeoutError:
            raise self._talk.overdue(wanted.command) from None
        except ValueError:  # asyncio's word for a line beyond its limit
            line = bytes(LONGEST_LINE)
        if not line:
            raise await self._death(wanted.command)
        return self._talk.decoded(line)

    async def _death(self, command: str) -> EngineDied:
        try:
            status = await asyncio.wait_for(self._process.wait(), 1.0)
        except asyncio.TimeoutError:
            return self._talk.death(command, None, ())
        await asyncio.wait({self._listener}, timeout=1.0)
        return self._talk.death(command, status, self._errors)

    async def _collect_errors(self) -> None:
        assert self._process.stderr is not None
        while block := await self._process.stderr.read(1 << 16):
            self._errors.extend(block.splitlines())

    async def _drain(self) -> None:
        """Make room for what the engine still prints, so that it can't be stuck on its output."""
        assert self._process.stdout is not None
        while await self._process.stdout.read(1 << 16):
            pass


class Opening:
    """An engine that is being started: `await` it, or use it in `async with`."""

    def __init__(
        self,
        kind: type[AsyncEngine],
        command: str | Sequence[str],
        protocol: Literal["uci", "ugi"],
        timeout: float,
    ) -> None:
        self._kind = kind
        self._command = command
        self._protocol: Literal["uci", "ugi"] = protocol
        self._timeout = timeout
        self._engine: AsyncEngine | None = None

    async def _start(self) -> AsyncEngine:
        argv = split(self._command)
        try:
            process = await asyncio.create_subprocess_exec(
                *argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LONGEST_LINE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise not_started(argv, error) from None
        engine = self._kind(Dialogue(argv, self._protocol, self._timeout), process)
        try:
            await engine._run(engine._talk.shake_hands())
        except BaseException:
            await engine.close()
            raise
        return engine

    def __await__(self) -> Generator[Any, Any, AsyncEngine]:
        return self._start().__await__()

    async def __aenter__(self) -> AsyncEngine:
        self._engine = await self._start()
        return self._engine

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._engine is not None
        await self._engine.close()
