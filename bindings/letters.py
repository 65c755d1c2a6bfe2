"""How a file's text letters the files of the board: `thud`, A to P without I, or `abc`, A to O with it."""

from __future__ import annotations

import re
from typing import Literal

Files = Literal["thud", "abc"]
LETTERS: tuple[Files, ...] = ("thud", "abc")
_SQUARE = re.compile(r"[a-z](?=\d{1,2}(?!\d))", re.IGNORECASE | re.ASCII)
_THUD = "ABCDEFGHJKLMNOP"
_ABC = "ABCDEFGHIJKLMNO"
_READ = dict(zip(_ABC + _ABC.lower(), _THUD + _THUD.lower(), strict=True))
_WRITTEN = {ours: theirs for theirs, ours in _READ.items()}


def read(text: str, files: Files) -> str:
    """Moves or pieces with the letters of this library. ValueError names a letter that `files` does not have."""
    return text if files == "thud" else _SQUARE.sub(_letter, text)


def written(text: str, files: Files) -> str:
    """The moves or pieces in a text of this library with the letters of `files`."""
    return text if files == "thud" else _SQUARE.sub(lambda letter: _WRITTEN.get(letter[0], letter[0]), text)


def _letter(found: re.Match[str]) -> str:
    ours = _READ.get(found[0])
    if ours is None:
        row = found.string[found.end() :][:2]
        raise ValueError(f"{found[0]}{row if row.isdigit() else row[:1]}: no file {found[0]} from A to O")
    return ours
