"""The bench: fixed positions to a fixed depth with one thread. Its node count is the search's signature: the same on
every machine, and another one as soon as search or evaluation change what they do."""

from __future__ import annotations

import time
from collections.abc import Iterator

from thudstone.engine.game import Stop
from thudstone.engine.thud import core

DEPTH = 11
HASH_MB = 16
LIMIT = 200  # plies without a capture, the default of NoCaptureLimit

POSITIONS = (
    "dd1dd/d5d/d7d/d9d/d11d/d13d/d5TTT5d/6TRT6/d5TTT5d/d13d/d11d/d9d/d7d/d5d/dd1dd d 0 1",  # the start
    "5/d5d/d7d/10d/d1T9d/dd11dd/d6TT5d/6TRT6/7TTd4d/d3T9d/d11d/d9d/d7d/d5d/dd1dd T 1 5",  # game 1, ply 9
    "5/7/9/10d/9T3/2T10dd/13dd/6TR7/7T6d/13dd/12d/9dd/8d/3d2d/1d1dd d 5 21",  # game 1, ply 40
    "5/7/d7d/d9d/d11d/dd5T6d/d2T1T1T1T5/7RT6/d5T7d/d13d/d11d/d6T2d/d7d/d6/d3d d 0 11",  # game 2, ply 20
    "5/7/9/11/6T6/d5T8/5T9/6TRT6/10T3T/15/13/d10/9/3T3/5 T 5 38",  # game 2, ply 75
    "dd1dd/d5d/d7d/d10/d12/d6T7/d5T1T5d/6TR4d2/d5T4dddd/6T1T3ddd/d6T4d/d9d/d7d/d5d/4d T 9 7",  # game 3, ply 13
    "5/6T/9/8d2/13/15/1T3TT8/7R3ddd1/11dddd/10ddddd/9dddd/1T3T4d/9/7/5 d 2 31",  # game 3, ply 60
    "5/4T2/9/11/13/4T10/5T9/6TR2ddd2/7d2dddd1/10ddddd/9dddd/3T6d/3T5/7/5 T 43 51",  # game 3, ply 101
    "1d1dd/6d/8d/d9d/11d1/d7T5d/d6T6d/6TR7/d5TT5dd/10T2dd/d11d/d10/d7d/d5d/dd3 d 2 9",  # game 4, ply 16
    "5/4T2/9/d10/13/d14/14d/7R4dd1/d8d2ddd/11dddd/13/11/9/7/d4 T 0 23",  # game 4, ply 45
    "d4/6d/9/8T2/dd11/dddd11/ddd1d8T1/1d5RT6/d6T7/15/13/11/9/d6/dd1d1 T 1 16",  # game 5, ply 31
    "dd1d1/d5d/d7d/4d6/d12/6T8/d5T1T6/6TR7/dd4TT5T1/dd6T6/dd11/d9d/d7d/6d/1d2d d 4 10",  # game 6, ply 18
    "5/7/9/11/12d/13dd/13dd/7R4ddd/13d1/7T7/11d1/11/9/7/5 T 10 43",  # ending of game 1
    "4d/7/9/9d1/4T1T6/7T7/15/7R7/4T3T6/5T8T/13/11/9/7/2T2 d 50 61",  # ending of game 2
    "5/6T/9/11/13/4T10/5T5d3/6TR2ddd2/9ddddd1/11dddd/9dddd/2T7d/2T6/7/5 T 91 75",  # ending of game 3
    "5/7/9/d10/ddd10/dddd3T7/dddd11/1d5R7/d14/15/13/1d9/9/7/d4 d 11 29",  # ending of game 5
    "5/7/8T/11/13/2d12/8T6/6TR7/7T5T1/2T12/13/3T7/8T/7/5 d 8 31",  # ending of game 6
)


def run(stop: Stop) -> Iterator[str]:
    """A line for each position, then `NPS: N` and `Bench: N`; a stopped bench ends without those two."""
    total = 0
    spent = 0.0
    for number, tfen in enumerate(POSITIONS, 1):
        table = core.Table(HASH_MB)
        searcher = core.Searcher(table)
        board = core.Board(tfen)
        began = time.perf_counter()
        best = searcher.search(board, None, stop.flags, limit=LIMIT, depth=DEPTH)
        spent += time.perf_counter() - began
        if stop.is_set:
            return
        total += searcher.nodes
        yield f"{number}/{len(POSITIONS)} {core.move_text(best[0], board.side)} {searcher.nodes} nodes"
    yield f"NPS: {int(total / max(spent, 1e-9))}"
    yield f"Bench: {total}"
