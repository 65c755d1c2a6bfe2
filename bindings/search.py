"""The engine's search in this process: `analyse` for its result, `Search` for all that it says on the way.

Each search has a table and a thread of its own and lets other threads of Python run, so that several may go on at once.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from types import TracebackType

from thudstone.engine.game import Choice, Stop
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.state import Thud
from thudstone.game import limits, seen
from thudstone.info import Info
from thudstone.limit import Limit
from thudstone.position import Position

_BLINK = 0.1  # seconds between looks at Ctrl-C where waiting for a lock can't be interrupted


class Search:
    """A search that runs; iterate over it to get each line as it comes, the totals last.

        with thudstone.Search(position, Limit(time=5), multipv=2) as search:
            for info in search:
                print(info.depth, info.score, info.pv)

    `cancel()`, from any thread, ends it at once; so does leaving the `with` block. `hash_mb` is the size of its table,
    `limit_plies` the NoCaptureLimit that it plays under. The position may be moved on meanwhile: a copy is searched.
    ValueError for a value out of range.
    """

    def __init__(
        self,
        position: Position,
        limit: Limit,
        multipv: int = 1,
        *,
        hash_mb: int = 64,
        threads: int = 1,
        limit_plies: int = 200,
    ) -> None:
        self._player = ThudPlayer()
        for name, value in (("Hash", hash_mb), ("Threads", threads), ("MultiPV", multipv)):
            option = next(known for known in self._player.options if known.name == name)
            if not option.low <= value <= option.high:
                raise ValueError(f"{name} is {value}, should be from {option.low} to {option.high}")
            if value != option.default:
                self._player.set_option(name, value)
        self._state = Thud(position.copy()._board, limit_plies)
        self._turn = position.turn
        self._limits = limits(limit)
        self._stop = Stop()
        self._queue: queue.SimpleQueue[Info | None] = queue.SimpleQueue()
        self._lines: dict[int, Info] = {}
        self._choice: Choice | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="thudstone search", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            self._choice = self._player.search(
                self._state, self._limits, lambda info: self._queue.put(seen(info, self._turn)), self._stop
            )
        except BaseException as error:  # told to whoever waits for the result
            self._error = error
        finally:
            self._queue.put(None)

    def __iter__(self) -> Iterator[Info]:
        while (info := self._next()) is not None:
            yield info

    def _next(self) -> Info | None:
        if not self._thread.is_alive() and self._queue.empty():
            return None
        while True:
            try:
                info = self._queue.get(timeout=_BLINK)
            except queue.Empty:
                continue
            if info is None:
                self._thread.join()
                if self._error is not None:
                    raise self._error
                return None
            if info.pv:
                self._lines[info.multipv or 1] = info
            return info

    def cancel(self) -> None:
        """End the search now; what it has found stays. Harmless when repeated."""
        self._stop.set()

    def result(self) -> list[Info]:
        """Wait for the end: the last line of each of the best moves, best first; none where no move is legal."""
        try:
            for _ in self:
                pass
        except BaseException:
            self.cancel()
            self._thread.join()
            raise
        return [self._lines[number] for number in sorted(self._lines)]

    @property
    def move(self) -> str | None:
        """The move that the search chose, once it has ended; None where none is legal."""
        return None if self._choice is None else self._choice.move

    def __enter__(self) -> Search:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()
        self._thread.join()


def analyse(
    position: Position,
    limit: Limit,
    multipv: int = 1,
    *,
    hash_mb: int = 64,
    threads: int = 1,
    limit_plies: int = 200,
    report: Callable[[Info], None] | None = None,
) -> list[Info]:
    """The `multipv` best moves of a position, best first: of each the last completed line, with `score` (from the side
    to move), `pv` and `depth`. `report` is called with each line as it comes. Empty where no move is legal.

    Ctrl-C ends the search. ValueError for a limit without any bound, which would never end, and as Search has it.
    """
    if limit == Limit():
        raise ValueError("Limit() has no bound, and the search would never end; use Search for one to cancel")
    with Search(position, limit, multipv, hash_mb=hash_mb, threads=threads, limit_plies=limit_plies) as search:
        if report is not None:
            for info in search:
                report(info)
        return search.result()
