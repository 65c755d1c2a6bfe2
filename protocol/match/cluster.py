"""Battles on the workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from types import TracebackType
from typing import TYPE_CHECKING, Any

from thudstone.protocol.match.opening import OpeningError
from thudstone.protocol.match.player import SetupError
from thudstone.protocol.match.pool import PoolError
from thudstone.protocol.match.referee import Referee
from thudstone.protocol.match.result import Battle
from thudstone.protocol.match.schedule import Job
from thudstone.protocol.match.settings import Settings

if TYPE_CHECKING:
    from distributed import Client

_CONNECT = 10.0  # seconds to reach the scheduler, and for a first worker to be there
_AHEAD = 1  # battles a worker thread that wait at it, so that none is idle while results travel


class ClusterPool:
    """The workers of an existing cluster: each plays as many battles at once as it has threads. The engines' commands
    are run there.
    """

    def __init__(self, address: str) -> None:
        """PoolError where there is no cluster, or no worker."""
        try:
            import distributed
            from distributed.comm.addressing import get_address_host_port
        except ImportError as error:
            raise PoolError(
                f"--cluster needs the package distributed ({error}): pip install 'thudstone[cluster]'"
            ) from None
        # It tells of every lost connection, several lines each; what it means for the match is said by us.
        for name in logging.root.manager.loggerDict:
            if name.split(".")[0] in ("distributed", "tornado"):
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self._address = address
        try:
            get_address_host_port(address)  # a client that is given nonsense takes 20 s to say so
            self._client: Client = distributed.Client(address, timeout=_CONNECT, set_as_default=False)
        except (OSError, ValueError, asyncio.TimeoutError) as error:
            raise PoolError(f"no cluster at {address}: {_reason(error)}") from None
        try:
            self._client.wait_for_workers(1, timeout=_CONNECT)
        except (OSError, asyncio.TimeoutError):
            self._client.close()
            raise PoolError(f"the cluster at {address} has no workers") from None

    @property
    def concurrency(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def __enter__(self) -> ClusterPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()  # what is still played there is released with it

    def probe(self, settings: Settings) -> list[str]:
        try:
            future = self._client.submit(_probe, settings, pure=False)
            announced: list[str] = self._result(future)
        except (OSError, CancelledError, asyncio.TimeoutError) as error:
            raise self._gone(error) from None
        return announced

    def play(self, settings: Settings, jobs: Iterator[Job]) -> Iterator[Battle]:
        from distributed import as_completed

        waiting: Any = as_completed(loop=self._client.loop)
        pending = 0
        try:
            while True:
                # As many as the workers of this moment can take.
                for _ in range(self.concurrency * (1 + _AHEAD) - pending):
                    job = next(jobs, None)
                    if job is None:
                        break
                    waiting.add(self._client.submit(_play, settings, job, pure=False))
                    pending += 1
                if not pending:
                    return
                battle: Battle = self._result(next(waiting))
                pending -= 1
                yield battle
        except (OSError, CancelledError, asyncio.TimeoutError) as error:
            raise self._gone(error) from None
        finally:
            waiting.clear()

    def _result(self, future: Any) -> Any:
        """What a task returned. What it raised is raised, as PoolError where it is nothing foreseen."""
        try:
            return future.result()
        except (SetupError, OpeningError, PoolError, CancelledError):
            raise
        except Exception as error:
            if future.status != "error":  # it is not the task that failed
                raise self._gone(error) from None
            raise PoolError(f"a worker of the cluster at {self._address} failed: {_reason(error)}") from None

    def _gone(self, error: BaseException) -> PoolError:
        return PoolError(f"the cluster at {self._address} is gone ({type(error).__name__})")


def _probe(settings: Settings) -> list[str]:
    """On a worker."""
    with Referee(settings) as referee:
        return referee.probe()


def _play(settings: Settings, job: Job) -> Battle:
    """On a worker: a battle with engines of its own, so that nothing is left there between two."""
    with Referee(settings) as referee:
        return referee.play(job)


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + text if text else ''}"[:200]
