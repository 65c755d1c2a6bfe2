"""Battles on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType

from thudstone.protocol.cluster import Cluster
from thudstone.protocol.match.opening import OpeningError
from thudstone.protocol.match.player import SetupError
from thudstone.protocol.match.pool import PoolError
from thudstone.protocol.match.referee import Referee
from thudstone.protocol.match.result import Battle
from thudstone.protocol.match.schedule import Job
from thudstone.protocol.match.settings import Settings


class ClusterPool:
    """A pool of the workers of a cluster. The engines' commands are run there."""

    def __init__(self, address: str) -> None:
        """ClusterError where there is no cluster, or no worker."""
        self._cluster = Cluster(address, foreseen=(SetupError, OpeningError, PoolError))

    @property
    def concurrency(self) -> int:
        return self._cluster.threads

    def __enter__(self) -> ClusterPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cluster.__exit__(kind, error, trace)

    def probe(self, settings: Settings) -> list[str]:
        announced: list[str] = self._cluster.call(_probe, settings)
        return announced

    def play(self, settings: Settings, jobs: Iterator[Job]) -> Iterator[Battle]:
        return self._cluster.each(_play, ((settings, job) for job in jobs))


def _probe(settings: Settings) -> list[str]:
    """On a worker."""
    with Referee(settings) as referee:
        return referee.probe()


def _play(settings: Settings, job: Job) -> Battle:
    """On a worker: a battle with engines of its own, so that nothing is left there between two."""
    with Referee(settings) as referee:
        return referee.play(job)
