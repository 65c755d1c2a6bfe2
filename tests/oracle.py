"""Thud's rules once more, written from the rule text alone: slow, obvious, sharing nothing with the core.

A square is a pair (file, row), both from 1; row 1 is at the top. A position is a dict of the pieces that stand on the
board, `"d"` or `"T"` by square, and the side to move, likewise `"d"` or `"T"`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations
from typing import NamedTuple

Square = tuple[int, int]
Pieces = dict[Square, str]

RULES = ("any", "all-or-none", "all", "one")
FILES = "ABCDEFGHJKLMNOP"
STONE: Square = (8, 8)
# In each row the files from 1+n to 15-n are on the board.
INDENTS = (5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5)
BOARD = {(file, row) for row, indent in enumerate(INDENTS, 1) for file in range(1 + indent, 16 - indent)}
DIRECTIONS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]


class Move(NamedTuple):
    """`captured` are dwarfs, except where a hurled dwarf lands on a troll: then it is that one square."""

    start: Square
    stop: Square
    captured: frozenset[Square]

    @property
    def distance(self) -> int:
        return max(abs(self.start[0] - self.stop[0]), abs(self.start[1] - self.stop[1]))

    @property
    def is_hurl(self) -> bool:
        return self.stop in self.captured


@cache
def ray(square: Square, direction: Square) -> tuple[Square, ...]:
    """The squares a piece on `square` meets in one direction, nearest first, up to the edge or the stone."""
    met = []
    file, row = square[0] + direction[0], square[1] + direction[1]
    while (file, row) in BOARD and (file, row) != STONE:
        met.append((file, row))
        file, row = file + direction[0], row + direction[1]
    return tuple(met)


def line_behind(pieces: Pieces, square: Square, direction: Square) -> int:
    """How many pieces of one kind stand in the unbroken line that ends on `square` and points in `direction`."""
    length = 1
    for behind in ray(square, (-direction[0], -direction[1])):
        if pieces.get(behind) != pieces[square]:
            break
        length += 1
    return length


def dwarf_moves(pieces: Pieces) -> Iterator[Move]:
    for square in [square for square, kind in pieces.items() if kind == "d"]:
        for direction in DIRECTIONS:
            for distance, target in enumerate(ray(square, direction), 1):
                if target not in pieces:
                    yield Move(square, target, frozenset())
                    continue
                if pieces[target] == "T" and distance <= line_behind(pieces, square, direction):
                    yield Move(square, target, frozenset([target]))
                break


def dwarfs_around(pieces: Pieces, square: Square) -> list[Square]:
    around = [(square[0] + file, square[1] + row) for file, row in DIRECTIONS]
    return [neighbour for neighbour in around if pieces.get(neighbour) == "d"]


def subsets(squares: list[Square]) -> Iterator[frozenset[Square]]:
    return map(frozenset, chain.from_iterable(combinations(squares, size) for size in range(len(squares) + 1)))


def captures_after(pieces: Pieces, target: Square, distance: int, rule: str) -> list[frozenset[Square]]:
    """Which sets of dwarfs a troll that stops on `target` may take there, `distance` squares from where it stood. A
    move over one square is a step and may take nothing; one over more is a shove and has to take something."""
    around = dwarfs_around(pieces, target)
    is_step = distance == 1
    match rule:
        case "any":
            choices = list(subsets(around))
        case "all-or-none":
            choices = [frozenset(), frozenset(around)]
        case "all":
            choices = [frozenset(around)]
        case "one":
            choices = [frozenset(), *(frozenset([dwarf]) for dwarf in around)] if is_step else [frozenset(around)]
    return [choice for choice in choices if choice or is_step]


def troll_moves(pieces: Pieces, rule: str) -> Iterator[Move]:
    for square in [square for square, kind in pieces.items() if kind == "T"]:
        for direction in DIRECTIONS:
            reach = line_behind(pieces, square, direction)
            for distance, target in enumerate(ray(square, direction)[:reach], 1):
                if target in pieces:
                    break
                for captured in captures_after(pieces, target, distance, rule):
                    yield Move(square, target, captured)


def legal_moves(pieces: Pieces, side: str, rule: str) -> set[Move]:
    """Nobody moves once a side has no pieces left."""
    if set(pieces.values()) != {"d", "T"}:
        return set()
    return set(dwarf_moves(pieces) if side == "d" else troll_moves(pieces, rule))


def play(pieces: Pieces, move: Move) -> Pieces:
    after = {square: kind for square, kind in pieces.items() if square not in move.captured}
    after[move.stop] = after.pop(move.start)
    return after


def perft(pieces: Pieces, side: str, rule: str, depth: int) -> int:
    moves = legal_moves(pieces, side, rule)
    if depth == 1:
        return len(moves)
    other = "T" if side == "d" else "d"
    return sum(perft(play(pieces, move), other, rule, depth - 1) for move in moves)


def parse(tfen: str) -> tuple[Pieces, str]:
    """A well-formed TFEN's pieces and side to move."""
    rows, side = tfen.split()[:2]
    pieces = {}
    for row, text in enumerate(rows.split("/"), 1):
        file = 1 + INDENTS[row - 1]
        number = ""
        for letter in text + "/":
            if letter.isdigit():
                number += letter
                continue
            file += int(number or 0)
            number = ""
            if letter in "dT":
                pieces[file, row] = letter
            file += 1
    return pieces, side
