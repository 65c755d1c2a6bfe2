"""Positions for tests: named by their pieces, or random and the same ones for the same generator."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import oracle
from thudstone.engine.thud import core

SQUARES = sorted(oracle.BOARD - {oracle.STONE})
START = oracle.parse("dd1dd/d5d/d7d/d9d/d11d/d13d/d5TTT5d/6TRT6/d5TTT5d/d13d/d11d/d9d/d7d/d5d/dd1dd d 0 1")


def scattered(random: Random) -> oracle.Pieces:
    """0 to 164 pieces anywhere."""
    count = random.randint(0, len(SQUARES))
    share = random.random()
    return {square: "d" if random.random() < share else "T" for square in random.sample(SQUARES, count)}


def lined(random: Random) -> oracle.Pieces:
    """A few straight lines of each kind, a troll where most lines of dwarfs aim, and some single pieces: what makes
    hurls and shoves long."""
    pieces: oracle.Pieces = {}
    for kind, most in (("T", 4), ("d", 6)):
        for _ in range(random.randint(1, most)):
            squares = oracle.ray(random.choice(SQUARES), random.choice(oracle.DIRECTIONS))
            length = random.randint(2, 5)
            pieces.update(dict.fromkeys(squares[:length], kind))
            if kind == "d" and random.random() < 0.8:
                aim = length - 1 + random.randint(min(3, length), length)
                pieces.update(dict.fromkeys(squares[aim : aim + 1], "T"))
    for square in random.sample(SQUARES, random.randint(0, 20)):
        pieces.setdefault(square, random.choice("dddT"))
    return pieces


def played(random: Random, pieces: oracle.Pieces, side: str, plies: int) -> Iterator[tuple[oracle.Pieces, str]]:
    """The positions of one random battle, without its first. Every second ply a capture is preferred."""
    for ply in range(plies):
        moves = sorted(oracle.legal_moves(pieces, side, "any"), key=lambda move: (*move[:2], sorted(move.captured)))
        if not moves:
            return
        if ply % 4 < 2:
            moves = [move for move in moves if move.captured] or moves
        pieces = oracle.play(pieces, random.choice(moves))
        side = "T" if side == "d" else "d"
        yield pieces, side


def core_square(square: oracle.Square) -> int:
    """The core's number of a square: the row times 16 plus the file."""
    return square[1] * 16 + square[0]


def core_board(pieces: oracle.Pieces, side: str, rule: str = "any") -> core.Board:
    squares = {kind: [core_square(square) for square in pieces if pieces[square] == kind] for kind in "dT"}
    return core.Board.from_pieces(squares["d"], squares["T"], side="dT".index(side), rule=rule)


def listed(pieces: str, side: str, rule: str = "any") -> core.Board:
    """The board with the pieces of a list like `"dB5 TD10"`."""
    squares = {kind: [core.square(piece[1:]) for piece in pieces.split() if piece[0] == kind] for kind in "dT"}
    return core.Board.from_pieces(squares["d"], squares["T"], side="dT".index(side), rule=rule)


def texts(board: core.Board) -> set[str]:
    """The legal moves as they are written."""
    return {core.move_text(move, board.side) for move in board.legal_moves()}
