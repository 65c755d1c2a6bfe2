"""An existing Dask cluster as a place where tasks run, for matches and self-play alike."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed import Client

_CONNECT = 10.0  # seconds to reach the scheduler, and for a first worker to be there
_AHEAD = 1  # tasks a worker thread that wait at it, so that none is idle while results travel


class ClusterError(Exception):
    """The cluster can't be used, or not any more. One line, for people."""


class Cluster:
    """The workers of an existing cluster, each as many at once as it has threads. The task of a lost worker is run
    again, by Dask. Leaving the `with` block releases what still runs there.
    """

    def __init__(self, address: str, foreseen: tuple[type[Exception], ...] = ()) -> None:
        """What a task raises of the `foreseen` is raised here, anything else is a ClusterError, as is no cluster and
        one without workers.
        """
        try:
            import distributed
            from distributed.comm.addressing import get_address_host_port
        except ImportError as error:
            raise ClusterError(
                f"--cluster needs the package distributed ({error}): pip install 'thudstone[cluster]'"
            ) from None
        # It tells of every lost connection, several lines each; what it means for the work is said by us.
        for name in logging.root.manager.loggerDict:
            if name.split(".")[0] in ("distributed", "tornado"):
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self._address = address
        self._passed: tuple[type[BaseException], ...] = (*foreseen, CancelledError)
        try:
            get_address_host_port(address)  # a client that is given nonsense takes 20 s to say so
            self._client: Client = distributed.Client(address, timeout=_CONNECT, set_as_default=False)
        except (OSError, ValueError, asyncio.TimeoutError) as error:
            raise ClusterError(f"no cluster at {address}: {_reason(error)}") from None
        try:
            self._client.wait_for_workers(1, timeout=_CONNECT)
        except (OSError, asyncio.TimeoutError):
            self._client.close()
            raise ClusterError(f"the cluster at {address} has no workers") from None

    @property
    def threads(self) -> int:
        """Of all workers that are there at this moment, at least 1."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def call(self, function: Callable[..., Any], *arguments: object) -> Any:
        """What the function returns on some worker."""
        try:
            return self._result(self._client.submit(function, *arguments, pure=False))
        except (OSError, CancelledError, asyncio.TimeoutError) as error:
            raise self._gone(error) from None

    def each(self, function: Callable[..., Any], tasks: Iterator[tuple[object, ...]]) -> Iterator[Any]:
        """What the function returns for the arguments of each task, as they are finished."""
        from distributed import as_completed

        waiting: Any = as_completed(loop=self._client.loop)
        pending = 0
        try:
            while True:
                # As many as the workers of this moment can take.
                for _ in range(self.threads * (1 + _AHEAD) - pending):
                    arguments = next(tasks, None)
                    if arguments is None:
                        break
                    waiting.add(self._client.submit(function, *arguments, pure=False))
                    pending += 1
                if not pending:
                    return
                result = self._result(next(waiting))
                pending -= 1
                yield result
        except (OSError, CancelledError, asyncio.TimeoutError) as error:
            raise self._gone(error) from None
        finally:
            waiting.clear()

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except self._passed:
            raise
        except Exception as error:
            if future.status != "error":  # it is not the task that failed
                raise self._gone(error) from None
            raise ClusterError(f"a worker of the cluster at {self._address} failed: {_reason(error)}") from None

    def _gone(self, error: BaseException) -> ClusterError:
        return ClusterError(f"the cluster at {self._address} is gone ({type(error).__name__})")


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + text if text else ''}"[:200]
