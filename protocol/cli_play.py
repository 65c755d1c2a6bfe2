"""`thudstone play`: you against the engine, in the terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass

import click
from thudstone.engine.game import OVER, IllegalToken, Limits
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.state import ACCEPT, Thud
from thudstone.position import DWARFS, TROLLS, Position
from thudstone.protocol.cli_input import RULES, SIDES, read_position
from thudstone.protocol.cli_output import SIDES as SIDE_NAMES
from thudstone.protocol.cli_output import last_squares, points, say, show_board
from thudstone.protocol.cli_thinking import think

LEVELS = {"instant": 50, "quick": 250, "normal": 1000, "long": 5000}  # milliseconds a move

HELP = f"""\
  dO11-O9       your move; captures as in TF7-D5xC4, a hurl as in dG9-M9xM9
  dO11-O9=      your move with an offer to end the battle; the engine accepts or plays on
  =             accept the engine's offer
  moves SQUARE  the moves of the piece on a square
  hint          what the engine would play
  undo          take your last move back, with the answer to it
  board, tfen   show the position again, as a board or as text
  level LEVEL   {", ".join(LEVELS)}, or milliseconds a move
  resign        give the battle up: your pieces count nothing
  quit          leave"""


class Quit(Exception):
    """The player leaves."""


@dataclass
class Level:
    """How long the engine thinks about a move."""

    movetime: int

    def set(self, text: str) -> None:
        """ValueError for text that is neither a level's name nor a number of milliseconds."""
        movetime = LEVELS.get(text) or (int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0)
        if not movetime:
            raise ValueError(f"no level {text!r}: there is {', '.join(LEVELS)}, or a number of milliseconds")
        self.movetime = movetime


@click.command(epilog="\b\nExample:\n  thudstone play --side trolls --level quick --battles 2")
@click.option("--side", type=SIDES, default="dwarfs", show_default=True, help="Your side (in the first battle).")
@click.option("--level", type=click.Choice(list(LEVELS)), default="normal", show_default=True, help="By time a move.")
@click.option("--movetime", type=click.IntRange(1), help="Milliseconds the engine thinks a move, instead of a level.")
@click.option("--battles", type=click.IntRange(1), default=1, show_default=True, help="Sides swap after each.")
@click.option("--position", default="startpos", help="Where each battle starts: TFEN, piece list or file.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
@click.option("--limit", type=click.IntRange(0, 9999), default=200, show_default=True, help="NoCaptureLimit.")
def play(side: str, level: str, movetime: int | None, battles: int, position: str, rules: str, limit: int) -> None:
    """Play against the engine. A full game is two battles with sides swapped, whose margins are added."""
    start = read_position(position, rules)
    pace = Level(movetime or LEVELS[level])
    player = ThudPlayer()
    player.set_option("OfferEnd", True)
    margins: list[int] = []
    seat = SIDE_NAMES.index(side)
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    say("Type a move, or help.")
    try:
        for number in range(1, battles + 1):
            say(f"\nBattle {number} of {battles}: you play the {SIDE_NAMES[seat]}", "bold")
            player.new_game()
            dwarfs, trolls = Duel(start, seat, player, pace, limit).play()
            say(f"Result: dwarfs {dwarfs} trolls {trolls} margin {dwarfs - 4 * trolls}", "bold")
            margins.append((dwarfs - 4 * trolls) * (1 if seat == DWARFS else -1))
            seat ^= 1
    except Quit:
        say(f"Battle {len(margins) + 1} was not finished.")
    if margins:
        say(f"Total: you {sum(margins):+d}, engine {-sum(margins):+d}", "bold")


class Duel:
    """One battle between the person at the keyboard and the engine."""

    def __init__(self, start: Position, seat: int, player: ThudPlayer, level: Level, limit: int) -> None:
        self._seat = seat
        self._player = player
        self._level = level
        self._position = start.copy()
        self._game = Thud.from_text(start.tfen, {"TrollCapture": start.rule, "NoCaptureLimit": limit})
        self._past: list[tuple[Thud, int]] = []  # the game before each move of ours, and how many plies led there
        self._resigned = False
        self._commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: say(HELP),
            "?": lambda _: say(HELP),
            "board": lambda _: self._show(),
            "tfen": lambda _: say(self._position.tfen),
            "moves": self._moves,
            "hint": lambda _: self._hint(),
            "undo": lambda _: self._undo(),
            "level": self._set_level,
            "resign": lambda _: self._resign(),
            "quit": lambda _: self._quit(),
            "exit": lambda _: self._quit(),
        }

    def play(self) -> tuple[int, int]:
        """Play to the end; returns the dwarfs and trolls that count. Quit where the person leaves."""
        self._show()
        while self._game.turn != OVER and not self._resigned:
            if self._game.turn == self._seat:
                self._ask()
            else:
                self._answer()
        say("You resign." if self._resigned else f"The battle is over: {self._game.end()}.")
        left = [len(self._position.dwarfs), len(self._position.trolls)]
        if self._resigned:
            left[self._seat] = 0
        return left[DWARFS], left[TROLLS]

    def _ask(self) -> None:
        line = _read_line(f"{SIDE_NAMES[self._seat]}> ")
        words = line.split()
        if not words:
            return
        command = self._commands.get(words[0].lower())
        if command is not None:
            command(" ".join(words[1:]))
            return
        before = self._game.copy(), self._position.ply
        try:
            self._apply("".join(words))
        except IllegalToken as error:
            say(f"{error} (type help for what you can do)", "yellow")
            return
        self._past.append(before)

    def _answer(self) -> None:
        offered = self._game.offered
        choice = think(self._player, self._game, self._limits()).choice
        assert choice.move is not None, "the engine has a legal move while the battle goes on"
        self._apply(choice.move)
        if choice.move == ACCEPT:
            say("The engine accepts your offer.")
            return
        if offered:
            say("The engine declines your offer.")
        self._show()
        say(f"The engine plays {choice.move.removesuffix(ACCEPT)}")
        if self._game.offered:
            say("It offers to end the battle: type = to accept, or play on.", "bold")

    def _apply(self, token: str) -> None:
        played = self._game.apply(token)
        if played != ACCEPT:
            self._position.push(played.removesuffix(ACCEPT))

    def _limits(self) -> Limits:
        return Limits(movetime=self._level.movetime)

    def _show(self) -> None:
        show_board(self._position, last_squares(self._position))

    def _moves(self, square: str) -> None:
        found = [move.text for move in self._position.legal_moves if move.from_square == square.upper()]
        say(" ".join(found) if found else f"no move from {square or 'there'} (name a square, as in: moves O11)")

    def _hint(self) -> None:
        thought = think(self._player, self._game, self._limits())
        best = thought.lines[0] if thought.lines else None
        score = "" if best is None or best.score is None else f" {points(best.score)}"
        say(f"Hint: {thought.choice.move}{score}" + (f" ({' '.join(best.pv)})" if best is not None else ""))

    def _undo(self) -> None:
        if not self._past:
            say("You have made no move yet.", "yellow")
            return
        self._game, plies = self._past.pop()
        while self._position.ply > plies:
            self._position.pop()
        self._show()

    def _set_level(self, text: str) -> None:
        try:
            self._level.set(text)
        except ValueError as error:
            say(str(error), "yellow")
        else:
            say(f"The engine now thinks {self._level.movetime} ms a move.")

    def _resign(self) -> None:
        self._resigned = True

    def _quit(self) -> None:
        raise Quit


def _read_line(prompt: str) -> str:
    """A line from the keyboard or a pipe. Quit at the end of input."""
    if sys.stdin is None:
        raise Quit
    if sys.stdin.isatty() and sys.stdout.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (where it exists, input() lets lines be edited)
        try:
            return input(prompt)
        except EOFError:
            raise Quit from None
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    say(line.rstrip())  # a pipe shows nothing of what comes in
    if not line:
        raise Quit
    return line
