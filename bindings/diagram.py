"""The board as plain text, files and rows labelled."""

from __future__ import annotations

from collections.abc import Collection

from thudstone.engine.thud import core

_FILES = "ABCDEFGHJKLMNOP"
_ON_BOARD = frozenset(core.SQUARES) | {core.square("H8")}


def diagram(board: core.Board, marked: Collection[str] = ()) -> str:
    """17 lines: `d` a dwarf, `T` a troll, `R` the Thudstone, `.` an empty square; `marked` squares are in brackets."""
    names = "    " + " ".join(_FILES)
    brackets = {core.square(name) for name in marked}
    lines = [names]
    for row in range(1, 16):
        # A square is one character, and between two squares stands one more, which a bracket can take.
        line = [" "] * 31
        for file in range(1, 16):
            square = row * 16 + file
            if square in _ON_BOARD:
                line[2 * file - 1] = board.piece(square) or "."
            if square in brackets:
                line[2 * file - 2], line[2 * file] = "[", "]"
        lines.append(f"{row:>2} {''.join(line)} {row}")
    return "\n".join([*lines, names])
