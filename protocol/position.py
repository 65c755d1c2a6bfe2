"""The position a controller has set: its start, the log of tokens since, and the state they lead to."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from thudstone.engine.game import OVER, Game, IllegalToken, OptionValue
from thudstone.protocol.number import whole
from thudstone.protocol.refusal import IllegalMove, Refusal, quoted

_KEYWORDS = (b"players", b"seat", b"moves")


class Position:
    """Never changed once it is set: playing on gives another one.

    `line` is the command that leads here: a longer one is recognised by comparing bytes, and costs only its new moves.
    `log` is in the game's own writing; `views` holds what each seat sees of it, where seats see different things.
    """

    def __init__(self, line: bytes, game: type[Game], options: Mapping[str, OptionValue]) -> None:
        """From a whole `position …` line. Refusal says what is wrong with it."""
        words = line.split()[1:]
        start, rest = _start(words)
        players, self.seat, moves = _settings(rest)
        self.line = line
        self.log: list[str] = []
        self.state = _state(start, players, game, options)
        if isinstance(self.seat, int) and not 1 <= self.seat <= self.state.seats:
            raise Refusal(f"seat {self.seat}: it can be 1 to {self.state.seats}, or *")
        redacts = game.redact is not Game.redact
        self.views: list[list[str]] | None = [[] for _ in range(self.state.seats)] if redacts else None
        self._begin = self.state.copy()
        self._has_moves = moves is not None
        self._play(moves or [])

    def after(self, line: bytes) -> Position | None:
        """The position of a `position` line that extends this one; None where it doesn't."""
        if not line.startswith(self.line):
            return None
        tail = line[len(self.line) :]
        words = tail.split()
        if not words:
            return self
        if not tail[:1].isspace() or not (self._has_moves or words[0] == b"moves"):
            return None
        return self._extended(line, words)

    def plus(self, moves: list[bytes]) -> Position:
        """The position after more moves."""
        if not moves:
            return self
        return self._extended(b" ".join((self.line, *(() if self._has_moves else (b"moves",)), *moves)), moves)

    def seen_by(self, seat: int) -> list[str]:
        """The log as one seat (from 0) sees it."""
        return self.log if self.views is None else self.views[seat]

    def as_start(self) -> bytes:
        """A line that sets what the board shows now, without how it came about."""
        seat = "" if self.seat is None else f" seat {self.seat}"
        return f"position fen {self.state.text()} players {self.state.seats}{seat}".encode("ascii")

    def read_move(self, token: bytes) -> str:
        """A legal token as the game writes it. Refusal names one that isn't, with the reason."""
        text = token.decode("ascii", "backslashreplace")
        try:
            written = self.state.copy().apply(text)
        except IllegalToken as error:
            raise Refusal(str(error)) from None
        if self.state.turn == OVER:  # by what `apply` doesn't look at
            raise Refusal(f"{text}: the game is over: {self.state.end()}")
        return written

    def _extended(self, line: bytes, moves: list[bytes]) -> Position:
        longer = copy(self)
        longer.line = line
        longer.state = self.state.copy()
        longer.log = self.log.copy()
        longer.views = None if self.views is None else [view.copy() for view in self.views]
        longer._has_moves = True
        longer._play(moves)
        return longer

    def _play(self, moves: list[bytes]) -> None:
        state = self.state
        for move in moves:
            if move == b"moves":  # runners paste an opening line, `moves` and all, into the list
                continue
            before = state if self.views is None else state.copy()
            try:
                token = state.apply(move.decode("ascii", "backslashreplace"))
            except IllegalToken as error:
                raise IllegalMove(f"ply {len(self.log) + 1}, {error}", self._mover(), state.seats) from None
            self.log.append(token)
            for seat, view in enumerate(self.views or ()):
                view.append(before.redact(token, seat))

    def _mover(self) -> int | None:
        """Whose move would be next; after the end, the seat that follows the last mover's."""
        if self.state.turn != OVER:
            return self.state.turn if self.state.turn >= 0 else None
        state = self._begin.copy()
        for token in self.log[:-1]:
            state.apply(token)
        return (state.turn + 1) % state.seats if self.log and state.turn >= 0 else None


def _start(words: list[bytes]) -> tuple[str | None, list[bytes]]:
    """The text of the start (None: the game's own), and the words after it."""
    if words and words[0] == b"startpos":
        return None, words[1:]
    if not words or words[0] != b"fen":
        raise Refusal("'startpos' or 'fen' expected")
    end = next((at for at, word in enumerate(words) if word in _KEYWORDS), len(words))
    fen = words[1:end]
    if not fen:
        raise Refusal("the text after 'fen' is missing")
    if fen == [b"startpos"]:  # runners write this for a start that has no text
        return None, words[end:]
    return b" ".join(fen).decode("ascii", "backslashreplace"), words[end:]


def _settings(words: list[bytes]) -> tuple[int | None, int | str | None, list[bytes] | None]:
    """`players`, `seat` (from 1, `*` or None) and the moves (None without the word)."""
    players: int | None = None
    seat: int | str | None = None
    at = 0
    while at < len(words) and words[at] != b"moves":
        word, value = words[at], words[at + 1 : at + 2]
        number = whole(value[0]) if value else None
        if word == b"players" and number is not None:
            players = number
        elif word == b"seat" and (number is not None or value == [b"*"]):
            seat = "*" if number is None else number
        elif word in _KEYWORDS:
            wanted = "a number" if word == b"players" else "a number or *"
            raise Refusal(f"{word.decode('ascii')}: {wanted} expected")
        else:
            raise Refusal(f"{quoted([word])} is not expected there")
        at += 2
    return players, seat, words[at + 1 :] if at < len(words) else None


def _state(text: str | None, players: int | None, game: type[Game], options: Mapping[str, OptionValue]) -> Game:
    fewest, most = game.seat_range
    if players is not None and not fewest <= players <= most:
        among = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise Refusal(f"players {players}: {game.name} has {among}")
    try:
        if text is None:
            return game.start(players or fewest, options)
        state = game.from_text(text, options)
    except ValueError as error:
        raise Refusal(str(error)) from None
    if players is not None and players != state.seats:
        raise Refusal(f"players {players}: the text is of {state.seats}")
    return state
