"""Positions in which the trolls do better to spare a dwarf: looked for, and proved.

    python bench/sparing.py --battles 1000
    python bench/sparing.py --built 10000
    python bench/sparing.py --check tests/data/sparing.txt

`--battles` looks at self-play from random openings, `--built` at random pieces around a line of dwarfs that aims at a
troll over a dwarf in between. Where the dwarfs could answer the capture of all neighbours of a square by a capture, a
search to depth 4 compares it with the smaller ones. One that it prefers is proved when after 4, 5 and 6 plies it
leaves a better margin than each larger one, every sequence of moves looked at. Prints those, `TFEN; MOVE`, and how many
there were. That another move of the position is better still is possible.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from make_suite import FAR, gain, value
from thudstone.engine.thud import core

# Fewer than four don't show the hurl that matters, after an odd number the trolls have taken last, and of those that
# hold after 4 and 5 about half don't after 6.
PLIES = (4, 5, 6)
OPENING = 6  # random plies that a battle begins with
DEPTH = 2  # of the search that plays on
DEEPER = 4  # of the search that compares
QUIET = 60  # plies without a capture after which a battle brings nothing new


def battles(count: int, rng: Random) -> Iterator[core.Board]:
    """Every position with trolls to move of so many battles."""
    searcher = core.Searcher(core.Table(16))
    for _ in range(count):
        board = core.Board()
        for _ in range(OPENING):
            board.push(rng.choice(board.legal_moves()))
        while board.end() == "none" and board.quiet < QUIET:
            if board.side == core.TROLLS:
                yield board
            board.push(searcher.search(board, None, bytearray(2), depth=DEPTH)[0])


def built(count: int, rng: Random) -> Iterator[core.Board]:
    """A line of dwarfs, one in its way, a troll behind that, and up to nine pieces around."""
    while count:
        step = rng.choice((-17, -16, -15, -1, 1, 15, 16, 17))
        back, length = rng.choice(core.SQUARES), rng.randint(2, 4)
        line = [back + step * i for i in range(length)]
        path = [line[-1] + step * i for i in range(1, rng.randint(2, length) + 1)]
        if not set(core.SQUARES).issuperset(line + path):
            continue
        between = rng.choice(path[:-1])
        near = [
            square
            for square in core.SQUARES
            if max(abs((square >> 4) - (between >> 4)), abs((square & 15) - (between & 15))) <= 3
            and square not in line + path
        ]
        pieces = rng.sample(near, min(len(near), rng.randint(4, 9)))
        trolls = rng.randint(1, 3)
        count -= 1
        yield core.Board.from_pieces([*line, between, *pieces[trolls:]], [path[-1], *pieces[:trolls]], core.TROLLS)


def answered(board: core.Board, move: int) -> bool:
    """Can the dwarfs take a troll after this move?"""
    board.push(move)
    found = any(core.captured(reply) for reply in board.legal_moves())
    board.pop()
    return found


def candidates(board: core.Board, searcher: core.Searcher) -> Iterator[int]:
    """Moves that take fewer dwarfs than they could and are better for it, says a search of no great depth."""
    places: dict[int, list[int]] = {}
    for move in board.legal_moves():
        places.setdefault(move & 0xFFFF, []).append(move)
    for moves in places.values():
        fullest = max(moves, key=lambda move: gain(board, move))
        if len(moves) > 1 and answered(board, fullest):
            best = searcher.search(board, None, bytearray(2), moves=moves, depth=DEEPER)[0]
            if best != fullest:
                yield best


def larger(board: core.Board, move: int) -> list[int]:
    """The moves to the same square that take what this one takes, and more."""
    taken = set(core.captured(move))
    return [
        other for other in board.legal_moves() if other & 0xFFFF == move & 0xFFFF and taken < set(core.captured(other))
    ]


def margin(board: core.Board, move: int, plies: int, low: int = -FAR, high: int = FAR) -> int:
    """The margin for the side to move after this move and best play, exact between low and high."""
    board.push(move)
    score = -value(board, plies - 1, -high, -low)
    board.pop()
    return score


def spares(board: core.Board, move: int) -> bool:
    """Is there more to take than this move does, and is it better not to?"""
    more = larger(board, move)
    for plies in PLIES:
        score = margin(board, move, plies)
        if any(margin(board, other, plies, score - 1, score) >= score for other in more):
            return False
    return bool(more)


def look(boards: Iterator[core.Board], name: str) -> None:
    searcher = core.Searcher(core.Table(16))
    seen = captures = tried = proved = 0
    for board in boards:
        seen += 1
        captures += any(core.captured(move) for move in board.legal_moves())
        for move in candidates(board, searcher):
            tried += 1
            if spares(board, move):
                proved += 1
                print(f"{board.tfen}; {core.move_text(move, core.TROLLS)}", flush=True)
    print(
        f"# {name}: {seen} positions with trolls to move, {captures} with a capture; {tried} smaller captures that "
        f"the search prefers, {proved} of them proved better than the larger ones",
        flush=True,
    )


def check(text: str) -> int:
    """How many lines are not what they say; prints which."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    wrong = 0
    for line in lines:
        tfen, move = line.split("; ")
        board = core.Board(tfen)
        if not spares(board, board.parse(move)):
            wrong += 1
            print(f"not proved: {line}")
    print(f"Proved: {len(lines) - wrong} of {len(lines)}")
    return wrong


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=0, metavar="COUNT")
    parser.add_argument("--built", type=int, default=0, metavar="COUNT")
    parser.add_argument("--check", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    if options.check:
        return 1 if check(options.check.read_text(encoding="utf-8")) else 0
    if options.battles:
        look(battles(options.battles, Random(options.seed)), "battles")
    if options.built:
        look(built(options.built, Random(options.seed)), "built")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
