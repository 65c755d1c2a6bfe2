"""A data file of a card game: JSON whose figures say where they come from, so that an owner of the game can correct
those that are assumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

MARKS = ("rulebook", "sourced", "assumed")
_SHOWN = 40  # letters of a wrong value in a message


class Place:
    """A value of the file and where it stands. Every complaint is a ValueError that names the file, the place and the
    reason.

    An object may have `mark` (one of MARKS) with `source`: they hold for everything inside it up to the next mark.
    `except` marks single fields otherwise, by name, there or further inside.
    """

    def __init__(self, file: str, path: str, value: object, marks: Mapping[str, str]) -> None:
        """`marks` are those in force: by name of a field, under "" for all others."""
        self._file, self.path, self.value = file, path, value
        self._marks = dict(marks)
        if isinstance(value, dict) and "mark" in value:
            self._marks = {"": self._checked_mark(value, path)}
        if isinstance(value, dict) and "except" in value:
            self._marks |= self._excepted(value)

    def _excepted(self, value: dict[str, object]) -> dict[str, str]:
        found = value["except"]
        if not isinstance(found, dict):
            raise self.wrong("an object expected as `except`")
        return {str(name): self._checked_mark(each, f"{self.path}.except.{name}") for name, each in found.items()}

    def _checked_mark(self, value: object, path: str) -> str:
        if not isinstance(value, dict) or value.get("mark") not in MARKS:
            raise ValueError(f"{self._file}: {path}.mark: one of {', '.join(MARKS)} expected")
        if not isinstance(value.get("source"), str) or not value["source"]:
            raise ValueError(f"{self._file}: {path}.source: a text expected")
        return str(value["mark"])

    def wrong(self, reason: str) -> ValueError:
        return ValueError(f"{self._file}: {self.path or 'the file'}: {reason}")

    def __getitem__(self, key: str) -> Place:
        fields = self._fields()
        if key not in fields:
            raise self.wrong(f"{key!r} is missing")
        marks = {**self._marks, "": self._marks[key]} if key in self._marks else self._marks
        return Place(self._file, f"{self.path}.{key}".lstrip("."), fields[key], marks)

    def __contains__(self, key: str) -> bool:
        return key in self._fields()

    def _fields(self) -> dict[str, object]:
        if not isinstance(self.value, dict):
            raise self.wrong("an object expected")
        return self.value

    def only(self, *names: str) -> Place:
        """This object, which has no other fields: a name that was mistyped is no figure left out."""
        for name in self._fields():
            if name not in names and name not in ("mark", "source", "except"):
                raise self.wrong(f"{name[:_SHOWN]!r} is no field here; there are {', '.join(names)}")
        return self

    @property
    def mark(self) -> str:
        """Where this value comes from."""
        if not self._marks.get(""):
            raise self.wrong("nothing says where this comes from: `mark` and `source` expected, here or further out")
        return self._marks[""]

    def items(self, low: int = 0, high: int = 99) -> Iterator[Place]:
        if not isinstance(self.value, list) or not low <= len(self.value) <= high:
            raise self.wrong(f"a list of {low} to {high} entries expected")
        for at, value in enumerate(self.value):
            yield Place(self._file, f"{self.path}[{at}]", value, self._marks)

    def number(self, low: int, high: int) -> int:
        value = self._figure()
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(f"a whole number from {low} to {high} expected, not {str(value)[:_SHOWN]!r}")
        return value

    def flag(self) -> bool:
        value = self._figure()
        if type(value) is not bool:
            raise self.wrong(f"true or false expected, not {str(value)[:_SHOWN]!r}")
        return value

    def text(self) -> str:
        value = self._figure()
        if not isinstance(value, str) or not value or not value.isprintable():
            raise self.wrong("a text of one line expected")
        return value

    def one_of(self, words: tuple[str, ...]) -> str:
        value = self._figure()
        if not isinstance(value, str) or value not in words:
            raise self.wrong(f"one of {', '.join(words)} expected, not {str(value)[:_SHOWN]!r}")
        return value

    def _figure(self) -> object:
        """The value, which must be marked."""
        assert self.mark
        return self.value


def read(path: Path, game: str, *parts: str) -> Place:
    """The whole file, which must be of this game and have no other parts. ValueError where it can't be read, isn't JSON
    or isn't such a file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON: {error}") from None
    root = Place(str(path), "", content, {}).only("game", *parts)
    root["game"].only("id", "title")["id"].one_of((game,))
    return root
