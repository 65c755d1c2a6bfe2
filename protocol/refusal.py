"""A command that changes nothing, and how its words are quoted in the line that says so."""

from __future__ import annotations

LONGEST = 200  # characters of a message; what a controller sent may be megabytes


class Refusal(Exception):
    """The command was not carried out; the message is the text of its error line."""


class IllegalMove(Refusal):
    """Moves that can't be played. `seat` is the one of `seats` whose move was illegal, None where it is unknown."""

    def __init__(self, message: str, seat: int | None, seats: int) -> None:
        super().__init__(message)
        self.seat = seat
        self.seats = seats


def plain(text: str) -> str:
    """`text` as one short line of printable ASCII; what is too long loses its middle."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}...{text[-LONGEST // 2 :]}"
    return "".join(char if " " <= char <= "~" else char.encode("unicode_escape").decode("ascii") for char in text)


def quoted(words: list[bytes], longest: int = 40) -> str:
    """What the controller sent, in quotation marks."""
    text = b" ".join(words[:longest])[: longest + 1].decode("ascii", "backslashreplace")
    return f"'{plain(text[:longest])}{'...' if len(text) > longest else ''}'"
