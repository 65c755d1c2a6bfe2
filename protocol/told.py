"""A card game told to people: the table, what somebody just did, and what can be chosen, in English or Czech."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from thudstone.engine.game import Game

LANGUAGES = ("en", "cs")


class Told(ABC):
    """One game in one language, for the one who plays `seat` (None: who looks on). All it is given are views of that
    seat, so that it can't tell what the seat doesn't know.

    `words` are the game's texts by name, one for each of LANGUAGES; `seat` and `you` are among them. `styles` are
    patterns of what stands out on a terminal that has colours.
    """

    words: ClassVar[Mapping[str, tuple[str, str]]]
    styles: ClassVar[Mapping[str, str]] = {}

    def __init__(self, language: str, seat: int | None) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"{language}: one of {', '.join(LANGUAGES)} expected")
        self._at, self._language, self._seat = LANGUAGES.index(language), language, seat

    def help(self) -> str:
        """How moves are typed."""
        return self._say("help")

    def rules(self) -> str:
        """A short summary."""
        return self._say("rules")

    @abstractmethod
    def board(self, game: Any) -> str:
        """The table as the view `game` knows it."""

    @abstractmethod
    def question(self, game: Any) -> str:
        """What the seat to move is asked."""

    @abstractmethod
    def choice(self, game: Any, token: str) -> str:
        """What a legal token does, said to the one who may choose it."""

    @abstractmethod
    def told(self, before: Any, token: str, after: Any) -> list[str]:
        """What a token did, a line each, from the view before it and after it."""

    def choices(self, game: Game) -> list[tuple[str, str]]:
        """The legal tokens, each with what it does."""
        return [(token, self.choice(game, token)) for token in game.legal()]

    def typed(self, game: Any, line: str) -> str:
        """A line that isn't a legal token as it stands, as the token that it may mean."""
        return "".join(line.split())

    def _say(self, word: str, *fields: object, **named: object) -> str:
        text = self.words[word][self._at]
        return text.format(*fields, **named) if fields or named else text

    def _player(self, seat: int) -> str:
        return self._say("you" if seat == self._seat else "seat", seat + 1)
