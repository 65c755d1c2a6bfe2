"""A battle of Thud between the person at the keyboard and the engine."""

from __future__ import annotations

from collections.abc import Callable

from thudstone.engine.game import OVER, IllegalToken
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.skill import FULL
from thudstone.engine.thud.state import ACCEPT, Thud
from thudstone.position import DWARFS, TROLLS, Position
from thudstone.protocol.cli_keyboard import Quit, read_line
from thudstone.protocol.cli_level import LEVELS, Level
from thudstone.protocol.cli_output import SIDES as SIDE_NAMES
from thudstone.protocol.cli_output import last_squares, points, say, show_board
from thudstone.protocol.cli_thinking import think

HELP = f"""\
  dO11-O9       your move; captures as in TF7-D5xC4, a hurl as in dG9-M9xM9
  dO11-O9=      your move with an offer to end the battle; the engine accepts or plays on
  =             accept the engine's offer
  moves SQUARE  the moves of the piece on a square
  hint          what the engine would play
  undo          take your last move back, with the answer to it
  board, tfen   show the position again, as a board or as text
  level LEVEL   {", ".join(LEVELS)}, or milliseconds a move
  skill N       how well it plays: 0 like a child, {FULL} as well as it can
  resign        give the battle up: your pieces count nothing
  quit          leave"""


class Duel:
    """One battle between the person at the keyboard and the engine."""

    def __init__(
        self, start: Position, seat: int, player: ThudPlayer, level: Level, limit: int, skill: int = FULL
    ) -> None:
        player.set_option("Skill Level", skill)
        self._seat = seat
        self._player = player
        self._level, self._skill = level, skill
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
            "skill": self._set_skill,
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
        line = read_line(f"{SIDE_NAMES[self._seat]}> ")
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
        choice = think(self._player, self._game, self._level.limits()).choice
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

    def _show(self) -> None:
        show_board(self._position, last_squares(self._position))

    def _moves(self, square: str) -> None:
        found = [move.text for move in self._position.legal_moves if move.from_square == square.upper()]
        say(" ".join(found) if found else f"no move from {square or 'there'} (name a square, as in: moves O11)")

    def _hint(self) -> None:
        self._player.set_option("Skill Level", FULL)
        thought = think(self._player, self._game, self._level.limits())
        self._player.set_option("Skill Level", self._skill)
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

    def _set_skill(self, text: str) -> None:
        if not (text.isascii() and text.isdecimal() and len(text) < 3 and int(text) <= FULL):
            say(f"no skill {text[:40]!r}: a number from 0 to {FULL}", "yellow")
            return
        self._skill = int(text)
        self._player.set_option("Skill Level", self._skill)
        say(f"The engine now plays at skill {self._skill} of {FULL}.")

    def _resign(self) -> None:
        self._resigned = True

    def _quit(self) -> None:
        raise Quit
