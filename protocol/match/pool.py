"""Where the battles of a match are played: here by processes of this machine, in `cluster` by those of many."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Protocol

from thudstone.protocol.match.opening import OpeningError
from thudstone.protocol.match.player import SetupError
from thudstone.protocol.match.referee import Referee
from thudstone.protocol.match.result import Battle
from thudstone.protocol.match.schedule import Job
from thudstone.protocol.match.settings import Settings

LOSSES = 3  # workers that one battle may cost before it is given up

_PATIENCE = 3.0  # seconds that workers may take to end


class PoolError(Exception):
    """No more battles can be played. One line, for people."""


class Pool(Protocol):
    """Workers that play battles. Leaving the `with` block ends them, and what they play."""

    @property
    def concurrency(self) -> int:
        """How many battles are played at once."""

    def probe(self, settings: Settings) -> list[str]:
        """What the engines call themselves. SetupError where one can't take part."""

    def play(self, settings: Settings, jobs: Iterator[Job]) -> Iterator[Battle]:
        """The battles as they are finished. A lost worker's battle is played again, and none comes twice. One
        of run.ERRORS ends them.
        """

    def __enter__(self) -> Pool: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    job: Job | None = None


@dataclass
class LocalPool:
    """Processes of this machine; each keeps its engines from battle to battle."""

    concurrency: int
    _workers: list[_Worker] = field(default_factory=list)

    def __enter__(self) -> LocalPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(_PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
        self._workers.clear()

    def probe(self, settings: Settings) -> list[str]:
        with Referee(settings) as referee:
            return referee.probe()

    def play(self, settings: Settings, jobs: Iterator[Job]) -> Iterator[Battle]:
        again: list[Job] = []  # of lost workers
        losses: dict[Job, int] = {}

        def assign(worker: _Worker) -> None:
            worker.job = again.pop() if again else next(jobs, None)
            if worker.job is not None:
                with contextlib.suppress(OSError):  # a dead worker is noticed by its pipe
                    worker.pipe.send(worker.job)

        def replace(worker: _Worker) -> None:
            self._workers.remove(worker)
            worker.pipe.close()
            worker.process.join(_PATIENCE)
            if worker.job is not None:
                losses[worker.job] = losses.get(worker.job, 0) + 1
                if losses[worker.job] == LOSSES:
                    where = f"pair {worker.job.pair}, battle {worker.job.battle}"
                    raise PoolError(f"{where}: {LOSSES} worker processes in a row died of it")
                again.append(worker.job)
            assign(self._start(settings))

        for _ in range(self.concurrency - len(self._workers)):
            worker = self._start(settings)
            assign(worker)
            if worker.job is None:
                break
        while busy := {worker.pipe: worker for worker in self._workers if worker.job is not None}:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                worker = busy[pipe]
                try:
                    answer = pipe.recv()
                except (EOFError, OSError):
                    replace(worker)
                    continue
                if isinstance(answer, Exception):
                    raise answer
                assign(worker)
                yield answer
            for worker in self._workers:  # a battle that came back may find others idle
                if worker.job is None and again:
                    assign(worker)

    def _start(self, settings: Settings) -> _Worker:
        context = multiprocessing.get_context("spawn")  # a fork would hold the pipes of its siblings open
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(settings, theirs), daemon=True)
        # Ctrl-C reaches the new process, too, which can't ignore it before it runs.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker


def _work(settings: Settings, pipe: Connection) -> None:
    """A worker process: battles for jobs, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the process that asks for the battles
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    signal.signal(signal.SIGTERM, _leave)
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    with Referee(settings) as referee, contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            job = pipe.recv()
            answer: Battle | Exception
            try:
                answer = referee.play(job)
            except (SetupError, OpeningError) as error:
                answer = error
            except Exception as error:  # a mistake in a game or here: said in one line, instead of a trace per worker
                answer = PoolError(f"pair {job.pair}, battle {job.battle}: internal error: {error!r}")
            pipe.send(answer)


def _leave(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _follow(parent: BaseProcess) -> None:
    """End with the process that started this one, also when it is killed. The engines' guards then end them."""
    parent.join()
    os._exit(1)
