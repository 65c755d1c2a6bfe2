"""Thud as a `Game`: the core's board, and what is not the board's: offers, agreement, the limit without captures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from thudstone.engine.game import OVER, Game, IllegalToken, Option, OptionValue, Stop
from thudstone.engine.thud import core

FILES = "ABCDEFGHJKLMNOP"
ROWS = range(1, 16)
ACCEPT = "="  # the answer that accepts an offer, and the mark that a move carries one
TROLL_POINTS = 4

_ON_BOARD = frozenset(core.SQUARES) | {core.square("H8")}


class Thud(Game):
    """One battle. The dwarfs are seat 0, the trolls seat 1."""

    name = "thud"
    options = (
        Option("TrollCapture", "combo", "any", choices=core.RULES),
        Option("NoCaptureLimit", "spin", 200, 0, 9999),
    )
    seat_range = (2, 2)
    seats = 2

    def __init__(self, board: core.Board, limit: int = 200) -> None:
        """`limit` plies without a capture end the battle; 0 never does."""
        self.board = board
        self.limit = limit
        self.offered = False  # the last move carried an offer, which the side to move may accept
        self.agreed = False

    @classmethod
    def start(cls, seats: int, options: Mapping[str, OptionValue]) -> Thud:
        if seats != cls.seats:
            raise ValueError(f"thud has 2 players, not {seats}")
        return cls.from_text(core.START, options)

    @classmethod
    def from_text(cls, text: str, options: Mapping[str, OptionValue]) -> Thud:
        board = core.Board(text, str(options.get("TrollCapture", "any")))
        return cls(board, int(options.get("NoCaptureLimit", 200)))

    def text(self) -> str:
        return self.board.tfen

    @property
    def turn(self) -> int:
        return self.board.side if self.end() == "none" else OVER

    def legal(self) -> list[str]:
        """The core's moves in its order, without offers; the answer to a standing offer comes last."""
        if self.end() != "none":
            return []
        side = self.board.side
        tokens = [core.move_text(move, side) for move in self.board.legal_moves()]
        if self.offered:
            tokens.append(ACCEPT)
        return tokens

    def is_legal(self, token: str) -> bool:
        if self.end() != "none":
            return False
        if token == ACCEPT:
            return self.offered
        try:
            self.board.parse(token.removesuffix(ACCEPT))
        except ValueError:
            return False
        return True

    def apply(self, token: str) -> str:
        """The limit isn't looked at: a record may run past it, and only the position it leads to is judged by it."""
        over = "agreed" if self.agreed else self.board.end()
        if over != "none":
            raise IllegalToken(f"{token}: the battle is over: {over}")
        if token == ACCEPT:
            if not self.offered:
                raise IllegalToken(f"{token}: no offer stands")
            self.offered, self.agreed = False, True
            return token
        text = token.removesuffix(ACCEPT)
        try:
            move = self.board.parse(text)
        except ValueError as error:
            raise IllegalToken(str(error)) from None
        written = core.move_text(move, self.board.side) + token[len(text) :]
        self.board.push(move)
        self.offered = token != text and self.board.end() == "none"
        return written

    def end(self) -> str:
        """`none`, `agreed`, `no-move`, `no-pieces` or `limit`."""
        if self.agreed:
            return "agreed"
        why = self.board.end()
        if why == "none" and 0 < self.limit <= self.board.quiet:
            return "limit"
        return why

    def score(self) -> tuple[int, int]:
        return self.board.dwarfs, TROLL_POINTS * self.board.trolls

    def returns(self) -> tuple[float, float]:
        if self.end() == "none":
            raise ValueError("the battle isn't over")
        dwarfs, trolls = self.score()
        share = 0.5 if dwarfs == trolls else float(dwarfs > trolls)
        return share, 1.0 - share

    def copy(self) -> Thud:
        other = Thud(self.board.copy(), self.limit)
        other.offered, other.agreed = self.offered, self.agreed
        return other

    def draw(self) -> str:
        """The octagon with its files and rows, and below it what the squares don't show."""
        files = "     " + " ".join(FILES)
        lines = [files]
        for row in ROWS:
            cells = []
            for file in range(1, len(FILES) + 1):
                square = row * 16 + file
                cells.append((self.board.piece(square) or ".") if square in _ON_BOARD else " ")
            lines.append(f"{row:3}  {' '.join(cells)}  {row}")
        lines.append(files)
        dwarfs, trolls = self.score()
        end = self.end()
        lines.append(f"To move: {('dwarfs', 'trolls')[self.board.side]}" if end == "none" else f"Over: {end}")
        if self.offered:
            lines.append("An offer to end the battle stands")
        limit = f" of {self.limit}" if self.limit else ""
        lines.append(f"Turn: {self.board.turn}, plies since the last capture: {self.board.quiet}{limit}")
        lines.append(f"Points: dwarfs {dwarfs}, trolls {trolls} ({self.board.trolls} trolls)")
        lines.append(f"Trolls capture: {self.board.rule}")
        lines.append(f"Fen: {self.board.tfen}")
        return "\n".join(lines)

    def perft(self, depth: int, stop: Stop) -> int | None:
        """Board moves only: no answers to offers, and no end by the limit."""
        if self.agreed:
            return 0 if depth else 1
        count = self.board.perft(depth, stop=stop.flags)
        return None if count < 0 else count

    def divide(self, depth: int, stop: Stop) -> Iterator[tuple[str, int]]:
        """Each root move with its share of `perft(depth)`, depth 1 or more; ends early when stopped."""
        if self.agreed:
            return
        board = self.board.copy()
        for move in board.legal_moves():
            text = core.move_text(move, board.side)
            board.push(move)
            count = board.perft(depth - 1, stop=stop.flags)
            board.pop()
            if count < 0:
                return
            yield text, count
