"""Runs what computes long, so that Ctrl-C ends it at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from thudstone.engine.game import Stop

Result = TypeVar("Result")


def run(work: Callable[[], Result], stop: Stop) -> Result:
    """What `work` returns or raises. It runs on a thread of its own, because the interpreter handles Ctrl-C only on the
    main one, between two steps of Python; when it comes, `stop` is set and the work waited for.
    """
    results: list[Result] = []
    failures: list[BaseException] = []

    def target() -> None:
        try:
            results.append(work())
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=target)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)  # some systems handle no signal while a join waits without an end
    except BaseException:
        stop.set()
        thread.join()
        raise
    if failures:
        raise failures[0]
    return results[0]
