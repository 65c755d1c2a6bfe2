"""Makes the opening book from the engine's own analysis.

A side that follows the book plays its best move; the other side may play anything. So a position matters as much as
the other side must lose, in the moves that lead to it, for it to come up, and the positions are analysed in that order
(best first), from the start on, until there are enough.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from thudstone.engine.thud import core
from thudstone.engine.thud.book import RULE, Book, BookMove, Entry
from thudstone.engine.thud.symmetry import canonical, distinct

BATCH = 8  # positions analysed at once; not the number of threads, on which the book does not depend
HASH_MB = 64
LIMIT = 200  # NoCaptureLimit of the analysis
NEVER = 1 << 30

_COMMENT = (
    "# The opening book, written by `thudstone book build`: positions in their least image, and the best moves of each",
    "# with two scores, in hundredths of a point for the side to move: with what follows in the book, and as searched.",
)


@dataclass(frozen=True)
class Plan:
    """`nodes` and `lines` of each search, and down to which ply."""

    nodes: int
    lines: int
    plies: int


class Stopped(Exception):
    """The making was stopped in the middle of a batch; what was there before it stands."""


def make(book: Book, plan: Plan, positions: int, threads: int, stop: bytearray) -> Iterator[Book]:
    """Add to `book` until it holds so many positions, and yield it, with all scores brought up to date, after each
    batch. What it holds already is not searched again. Stopped when stop[0] is set.
    """
    searchers = threading.local()

    def analyse(tfen: str, plies: int) -> Entry:
        if not hasattr(searchers, "own"):
            searchers.own = core.Searcher(core.Table(HASH_MB))
        return _analyse(searchers.own, tfen, plies, plan, stop)

    with ThreadPoolExecutor(threads) as pool:
        while len(book) < positions:
            wanted = _frontier(book, plan)[: min(BATCH, positions - len(book))]
            if not wanted:
                return
            for entry in list(pool.map(analyse, *zip(*wanted, strict=True))):
                book.add(entry)
            update(book)
            yield book


def _analyse(searcher: core.Searcher, tfen: str, plies: int, plan: Plan, stop: bytearray) -> Entry:
    board = core.Board(tfen, RULE)
    searcher.table.clear()
    searcher.forget()
    roots = distinct(board)
    lines = min(plan.lines, len(roots))
    found: dict[int, list[tuple[int, int]]] = {}  # of each depth, move and score

    def take(depth: int, seldepth: int, line: int, score: int, pv: list[int]) -> None:
        found.setdefault(depth, []).append((pv[0], score))

    searcher.search(board, take, stop, moves=roots, limit=LIMIT, nodes=plan.nodes, lines=lines)
    whole = [depth for depth, rows in found.items() if len(rows) == lines]
    if not whole:  # so few nodes; one ply is the least
        whole = [1]
        found.clear()
        searcher.search(board, take, stop, moves=roots, limit=LIMIT, depth=1, lines=lines)
    if stop[0]:
        raise Stopped
    moves = [BookMove(core.move_text(move, board.side), score, score) for move, score in found[max(whole)]]
    return Entry(tfen, plies, max(whole), moves)


def _frontier(book: Book, plan: Plan) -> list[tuple[str, int]]:
    """The positions next to those of the book that are not in it, TFEN and plies, what matters most first."""
    start = canonical(core.Board())[0]
    # Of each position, what the trolls lose on the way when the dwarfs follow the book, and the other way round.
    costs = {start: [0, 0]}
    plies_of = {start: 0}
    missing: set[str] = set() if book.get(start) else {start}
    for entry in sorted(book, key=lambda entry: entry.plies):
        mine = costs.get(entry.tfen)
        if mine is None or entry.plies >= plan.plies:
            continue
        board = core.Board(entry.tfen, RULE)
        side = board.side
        for rank, move in enumerate(entry.moves):
            loss = entry.moves[0].score - move.score
            after = list(mine)
            after[side] = mine[side] if rank == 0 else NEVER  # who follows the book plays the best one alone
            after[side ^ 1] = min(mine[side ^ 1] + loss, NEVER)
            board.push(board.parse(move.text))
            tfen = canonical(board)[0] if board.end() == "none" else None
            board.pop()
            if tfen is None or min(after) >= NEVER:
                continue
            known = book.get(tfen)
            if known is not None and known.plies <= entry.plies:
                continue  # it was reached sooner
            best = costs.setdefault(tfen, [NEVER, NEVER])
            costs[tfen] = [min(pair) for pair in zip(best, after, strict=True)]
            plies_of.setdefault(tfen, entry.plies + 1)
            if known is None:
                missing.add(tfen)
    ranked = sorted((min(costs[tfen]), plies_of[tfen], tfen) for tfen in missing)
    return [(tfen, plies) for _, plies, tfen in ranked]


def update(book: Book) -> None:
    """Each move's score becomes that of the position it leads to, where the book has it, and each position's moves are
    sorted by it. From the last ply to the first, so that nothing counts in a circle.
    """
    for entry in sorted(book, key=lambda entry: -entry.plies):
        board = core.Board(entry.tfen, RULE)
        for move in entry.moves:
            board.push(board.parse(move.text))
            after = book.get(canonical(board)[0])
            board.pop()
            move.score = -after.moves[0].score if after is not None and after.plies > entry.plies else move.searched
        entry.moves.sort(key=lambda move: -move.score)


def text(book: Book, plan: Plan) -> str:
    """The book's file, in the order of plies."""
    entries = sorted(book, key=lambda entry: (entry.plies, entry.tfen))
    return "".join(f"{line}\n" for line in (*_COMMENT, settings(plan), *entries))


def settings(plan: Plan) -> str:
    """The line of a book's file that says how it was made."""
    return f"# nodes {plan.nodes}, lines {plan.lines}"
