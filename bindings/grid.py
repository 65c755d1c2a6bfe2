"""A position as 15 rows of characters: `d`, `T`, `.` an empty square, `O` or `R` the Thudstone, `#` or blank what is
off the board. Rows may have their numbers at the ends, and lines of file letters may stand above and below; blanks and
brackets between squares are skipped, so that the board that `thudstone board` draws is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from thudstone.engine.thud import core
from thudstone.position import Position

ROWS = 15
LABELS = re.compile(r"(?:[A-P]\s*){15}")
_ROW = re.compile(r"(?:\d{1,2}\s)?([\sdTOR.#\[\]]*[dTOR.][\sdTOR.#\[\]]*?)(?:\s\d{1,2})?")
_BOARD = sorted([*core.SQUARES, core.square("H8")])
_NAMES = [[core.square_name(square) for square in _BOARD if square >> 4 == row] for row in range(1, ROWS + 1)]


def squares(line: str) -> str | None:
    """The squares of a row's line, one character each, None where it is no row."""
    found = _ROW.fullmatch(line)
    row = "" if found is None else re.sub(r"[\s#\[\]]", "", found[1])
    return row if len(row) >= len(_NAMES[0]) else None


def pieces(rows: Sequence[str]) -> str:
    """The piece list of 15 rows as `squares` gives them. ValueError names the row that is wrong."""
    found: dict[str, list[str]] = {"d": [], "T": [], "R": []}
    for number, (row, names) in enumerate(zip(rows, _NAMES, strict=True), start=1):
        if len(row) != len(names):
            raise ValueError(f"row {number} of the grid has {len(row)} squares, not {len(names)}")
        for letter, name in zip(row.replace("O", "R"), names, strict=True):
            if (letter == "R") != (name == "H8"):
                raise ValueError(f"row {number} of the grid: the Thudstone stands on H8, and {letter} on {name}")
            if letter != ".":
                found[letter].append(name)
    return ",".join(letter + name for letter, names in found.items() for name in names)


def write(position: Position) -> str:
    """15 lines of 15 characters."""
    return "".join(
        "".join(position.piece(name) or "." for name in names).center(ROWS, "#") + "\n" for names in _NAMES
    )
