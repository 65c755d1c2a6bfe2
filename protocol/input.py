"""Lines from a file descriptor."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator

CHUNK = 1 << 16


def lines(source: int) -> Iterator[tuple[bytes, float]]:
    """Each line without its newline, and the `time.monotonic()` at which it was read, until the end of the input.

    Bytes of any kind, lines of any length, in linear time. A last line without a newline counts as one.
    """
    begun: list[bytes] = []  # the pieces of a line that is not complete yet
    while True:
        try:
            chunk = os.read(source, CHUNK)
        except BlockingIOError:  # some parent made the pipe non-blocking
            select.select([source], [], [])
            continue
        except OSError:  # a closed descriptor is at its end, too
            chunk = b""
        now = time.monotonic()
        if not chunk:
            break
        first, *others = chunk.split(b"\n")
        begun.append(first)
        for following in others:
            yield b"".join(begun), now
            begun = [following]
    if any(begun):
        yield b"".join(begun), now
