"""The positions that pairs begin from: the lines of a file, or random plies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from thudstone.engine.game import CHANCE, OVER, Game, IllegalToken, OptionValue
from thudstone.engine.thud.state import Thud

RANDOM_PLIES = 8
LARGEST = 64 << 20  # bytes of an openings file
_TRIES = 100


class OpeningError(ValueError):
    """Openings that can't be used; the message says which and why."""


class Opening(NamedTuple):
    """The text of a position, empty for the game's own start, and the tokens played from there."""

    text: str
    moves: tuple[str, ...]

    def state(self, game: type[Game], seats: int, rules: dict[str, OptionValue]) -> Game:
        """The position before the moves."""
        return game.from_text(self.text, rules) if self.text else game.start(seats, rules)


@dataclass(frozen=True)
class RandomOpenings:
    """Openings of `plies` random moves: none is a capture, and after each neither side could capture, were it to move.
    Number k depends on `seed` and k alone.
    """

    plies: int = RANDOM_PLIES
    seed: int = 0

    def opening(self, number: int, start: Game) -> Opening:
        """Opening `number` from `start`. OpeningError where chance finds no quiet position."""
        rng = Random(f"opening {self.seed} {number}")
        for _ in range(_TRIES):
            moves = _quiet_line(start.copy(), self.plies, rng)
            if moves is not None:
                return Opening("", moves)
        raise OpeningError(
            f"opening {number}: no {self.plies} random plies were found after which play goes on and nobody can capture"
        )


def default_plies(start: Game) -> int:
    """A game that begins with chance needs no random moves to be different each time."""
    return 0 if start.turn == CHANCE else RANDOM_PLIES


def read(path: str, game: type[Game], seats: int, rules: dict[str, OptionValue]) -> list[Opening]:
    """The openings of a file, each checked. OpeningError names the line that is wrong, or says why there are none."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise OpeningError(f"{path}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise OpeningError(f"{path}: larger than {LARGEST >> 20} MiB")
    openings = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        try:
            words = line.decode("ascii").partition("#")[0].split()
            if words:
                openings.append(_parse(words, game, seats, rules))
        except UnicodeDecodeError:
            raise OpeningError(f"{path}: line {number}: not ASCII text") from None
        except ValueError as error:
            raise OpeningError(f"{path}: line {number}: {error}") from None
    if not openings:
        raise OpeningError(f"{path}: no opening in it")
    return openings


def _parse(words: list[str], game: type[Game], seats: int, rules: dict[str, OptionValue]) -> Opening:
    """`[position] (startpos | [fen] TEXT) [moves TOKEN…]`, or the tokens alone. ValueError says what is wrong."""
    if words[0] == "position":
        words = words[1:]
    at = words.index("moves") if "moves" in words else len(words)
    before, moves = words[:at], words[at + 1 :]
    if before[:1] == ["startpos"] or not before:
        # Tokens may follow `startpos` without the word.
        return _checked(Opening("", (*before[1:], *moves)), game, seats, rules)
    named = before[0] == "fen"
    text = " ".join(before[1:] if named else before)
    try:
        game.from_text(text, rules)
    except ValueError as error:
        if named or "/" in before[0] or moves:
            raise ValueError(f"{error}") from None
        return _checked(Opening("", tuple(before)), game, seats, rules)
    return _checked(Opening(text, tuple(moves)), game, seats, rules)


def _checked(opening: Opening, game: type[Game], seats: int, rules: dict[str, OptionValue]) -> Opening:
    """The opening in the game's own writing. ValueError for an illegal token, and where nothing is left to play."""
    state = opening.state(game, seats, rules)
    if state.seats != seats:
        raise ValueError(f"a position of {state.seats} seats, the match has {seats}")
    text = state.text() if opening.text else ""
    written = []
    for ply, token in enumerate(opening.moves, start=1):
        try:
            written.append(state.apply(token))
        except IllegalToken as error:
            raise ValueError(f"ply {ply}, {error}") from None
    if state.turn == OVER:
        raise ValueError(f"the game is over there: {state.end()}")
    return Opening(text, tuple(written))


def _quiet_line(state: Game, plies: int, rng: Random) -> tuple[str, ...] | None:
    """Random plies from a state, each of them quiet; None where they lead to where no quiet one is left."""
    moves: list[str] = []
    for _ in range(plies):
        while state.turn == CHANCE:
            tokens, weights = zip(*state.chance(), strict=True)
            moves.append(state.apply(rng.choices(tokens, weights)[0]))
        legal = state.legal()
        points = state.score()
        while legal:
            child = state.copy()
            token = child.apply(legal.pop(rng.randrange(len(legal))))
            if child.turn != OVER and child.score() == points and not any(map(_captures, _either_side(child))):
                break
        else:
            return None
        moves.append(token)
        state = child
    return tuple(moves)


def _captures(state: Game) -> bool:
    """Whether a move here changes the points of anybody."""
    points = state.score()
    for token in state.legal():
        child = state.copy()
        child.apply(token)
        if child.score() != points:
            return True
    return False


def _either_side(state: Game) -> Iterator[Game]:
    """The position and, where the game knows such a thing, the same one with the other side to move."""
    yield state
    if isinstance(state, Thud):
        passed = state.copy()
        passed.board.null()
        yield passed
