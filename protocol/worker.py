"""The one thread that searches, so that the thread that reads commands is always free."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

from thudstone.engine.game import Stop
from thudstone.protocol.output import Output


class Job(ABC):
    """Something that takes its time. `endless` ones go on until they are stopped."""

    name: str
    endless = False

    def __init__(self, output: Output) -> None:
        self.output = output
        self.stop = Stop()  # exists before the job runs: a stop that comes early isn't lost

    @abstractmethod
    def run(self) -> None:
        """Do it, writing lines as they come."""

    @abstractmethod
    def last_words(self) -> list[str]:
        """The lines that end its output, after `run` has returned or failed."""

    def ponderhit(self) -> None:  # noqa: B027 (jobs that don't ponder leave it as it is)
        """Means nothing but to a search that ponders."""


class Worker:
    """Runs one job at a time. The engine is idle from the moment that the last words of a job are written."""

    def __init__(self, output: Output) -> None:
        self._output = output
        # On the lock of the output: a controller that has read the last words must find the engine idle.
        self._changed = threading.Condition(output.lock)
        self._job: Job | None = None
        threading.Thread(target=self._work, name="search", daemon=True).start()

    @property
    def job(self) -> Job | None:
        """What is running now."""
        with self._changed:
            return self._job

    def start(self, job: Job) -> None:
        with self._changed:
            assert self._job is None, "one job at a time"
            self._job = job
            self._changed.notify_all()

    def stop(self) -> None:
        """End the job that is running, if any, and wait until its last words are written."""
        job = self.job
        if job is not None:
            job.stop.set()
            self.wait()

    def wait(self, timeout: float | None = None) -> bool:
        """Until idle; False after `timeout` seconds without."""
        with self._changed:
            return self._changed.wait_for(lambda: self._job is None, timeout)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._job is not None)
                job = self._job
            assert job is not None
            try:
                job.run()
            except Exception as error:  # whatever goes wrong, the controller gets its answer and the thread lives
                self._output.failure(job.name, error)
            with self._changed:
                self._output.text(job.last_words())
                self._job = None
                self._changed.notify_all()
