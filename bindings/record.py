"""Records of games: a piece list, then one ply a line, as Thud programs exchange them.

    dF1,dG1,…,TG7,…,RH8
    dO11-O9
    # score: 0.5
    TG7-F7
    # end: agreed

The piece list may be missing (the start then), and a further one starts the next battle. Dwarfs move first unless the
first ply says otherwise. Lines that start with `#` are comments; of them `# end: WHY` says how the battle ended,
`# event: …` and the other HEADERS before the first ply describe it, `# fen: TFEN` after the piece list tells the
counters and the side to move, `# score: POINTS` judges the position after the plies before it (the dwarfs' view), and
`# variation: MOVE…` is a line that could be played from there. A ply's `=` offers the end, a line `=` accepts it. The
piece list may be a grid (`thudstone.grid`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TextIO

from thudstone import grid, letters
from thudstone.letters import Files
from thudstone.move import Move
from thudstone.position import DWARFS, START, TROLLS, IllegalMoveError, Position

LARGEST = 16 << 20  # bytes of a record file; a battle of 10,000 plies has fewer than 200,000
_PLY = re.compile(r"([dt]?)\s*([a-z]\d+)-\S*", re.IGNORECASE | re.ASCII)
_LIST = re.compile(r".*,.*|RH8", re.IGNORECASE)  # the Thudstone alone is a list, too; other pieces never stand alone
HEADERS = ("event", "date", "round", "dwarfs", "trolls", "result", "rules", "limit")
_HEADER = re.compile(rf"#\s*({'|'.join(HEADERS)}):\s*(\S.*?)\s*")
_SCORE = re.compile(r"#\s*score:\s*([+-]?\d{1,6}(?:\.\d{1,6})?)\s*", re.ASCII)
_VARIATION = re.compile(r"#\s*variation:\s*(\S.*?)\s*")
_END = re.compile(r"#\s*end:\s*(\S.*?)\s*")
_FEN = re.compile(r"#\s*fen:\s*(\S.*?)\s*")
OFFER = "offers the end"  # the comment that an offer becomes
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class RecordError(ValueError):
    """A record that can't be read: `line 10: ply 9, dO8-O5: no dwarf on O8`. `line` and `ply` count from 1; `ply` is
    None where the line is no ply, `line` is 0 where the whole text is meant.
    """

    def __init__(self, reason: str, line: int = 0, ply: int | None = None) -> None:
        place = f"line {line}: " if line else ""
        super().__init__(place + (f"ply {ply}, " if ply else "") + reason)
        self.line = line
        self.ply = ply


@dataclass(frozen=True)
class Battle:
    """A battle: the TFEN it starts from, its moves, why it ended (`agreed`, `limit`, …; `` where nothing says), and
    its other comments, each with the number of plies before it.

    `headers` are pairs of one of HEADERS and its value. `scores` (points, the dwarfs' view) and `variations` (moves
    from there) come with the number of plies before them, as comments do.
    """

    start: str = START
    moves: tuple[Move, ...] = ()
    end: str = ""
    comments: tuple[tuple[int, str], ...] = ()
    rule: str = "any"
    headers: tuple[tuple[str, str], ...] = ()
    scores: tuple[tuple[int, float], ...] = ()
    variations: tuple[tuple[int, tuple[Move, ...]], ...] = ()

    def remarks(self) -> list[tuple[int, str]]:
        """Scores and variations as the comments of a record, each with the number of plies before it."""
        scores = [(ply, f"score: {score:.6f}".rstrip("0").rstrip(".")) for ply, score in self.scores]
        lines = [(ply, f"variation: {' '.join(move.text for move in moves)}") for ply, moves in self.variations]
        return sorted([*scores, *lines], key=lambda remark: remark[0])

    def positions(self) -> Iterator[Position]:
        """The position before the first ply and after each, always the same object, moved on."""
        position = Position(self.start, self.rule)
        yield position
        for move in self.moves:
            position.push(move)
            yield position

    def position(self, ply: int | None = None) -> Position:
        """The position after `ply` plies, after the last by default. IndexError where there are fewer."""
        count = len(self.moves) if ply is None else ply
        if not 0 <= count <= len(self.moves):
            raise IndexError(f"ply {ply}: the battle has plies 0 to {len(self.moves)}")
        position = Position(self.start, self.rule)
        for move in self.moves[:count]:
            position.push(move)
        return position


@dataclass(frozen=True)
class Record:
    """A game: one battle or more (a full game is two, with sides swapped)."""

    battles: tuple[Battle, ...]

    @classmethod
    def parse(cls, text: str, rule: str = "any", files: Files = "thud") -> Record:
        """From a record's text, of this kind or as `thudstone.pgn` reads it; every ply is checked under `rule`, `files`
        are its letters (see `thudstone.letters`). RecordError says which ply is wrong, and why. The limit of plies
        without a capture ends no battle here.
        """
        from thudstone import pgn  # which is built on this module

        if pgn.looks_like(text.removeprefix("\ufeff")):
            return pgn.parse(text, rule, files)
        reader = _Reader(rule, files)
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
            reader.read(line.strip(" \t"), number)
        return cls(reader.finish())

    @classmethod
    def decode(cls, data: bytes, rule: str = "any", files: Files = "thud") -> Record:
        """From a record's bytes: UTF-8, with or without a byte order mark, or UTF-16 with one."""
        return cls.parse(decode(data), rule, files)

    @classmethod
    def read(cls, path: str | os.PathLike[str], rule: str = "any", files: Files = "thud") -> Record:
        """From a file. OSError where it can't be read, RecordError where it is no record."""
        with open(path, "rb") as file:
            return cls.decode(file.read(LARGEST + 1), rule, files)

    def write(self, file: TextIO, files: Files = "thud") -> None:
        """Write the record's text."""
        writer = RecordWriter(file, files)
        for battle in self.battles:
            remarks = [(ply, letters.written(text, files)) for ply, text in battle.remarks()]
            comments = [(ply, _plain(text, ply, len(battle.moves))) for ply, text in battle.comments]
            comments = sorted([*comments, *remarks], key=lambda comment: comment[0])
            position = Position(battle.start, battle.rule)
            writer.start(position)
            for name, value in battle.headers:
                writer.comment(f"{name}: {value}")
            for ply, move in enumerate([*battle.moves, None]):
                while comments and comments[0][0] <= ply:
                    writer.comment(comments.pop(0)[1])
                if move is not None:
                    writer.ply(position.push(move))
            if battle.end:
                writer.end(battle.end)


class RecordWriter:
    """Writes a record as the game goes on; each line is in the file when a call returns. OSError where it can't be."""

    def __init__(self, file: TextIO, files: Files = "thud") -> None:
        self._file = file
        self._files = files

    def start(self, position: Position) -> None:
        """Begin a battle. What the piece list says nothing of, counters and trolls to move, a comment does."""
        pieces = position.piece_list
        self._line(letters.written(pieces, self._files))
        if position.tfen != Position.from_pieces(pieces).tfen:
            self.comment(f"fen: {position.tfen}")

    def ply(self, move: Move) -> None:
        self._line(letters.written(move.text, self._files))

    def comment(self, text: str) -> None:
        self._line(f"# {' '.join(text.split())}".rstrip())

    def end(self, why: str) -> None:
        """How the battle ended: `agreed`, `limit`, `no-move`, …"""
        self.comment(f"end: {why}")

    def _line(self, text: str) -> None:
        self._file.write(text + "\n")
        self._file.flush()


def decode(data: bytes) -> str:
    """The text of a record file's bytes. RecordError for bytes that are no text, and for files beyond 16 MiB."""
    if len(data) > LARGEST:
        raise RecordError(f"larger than {LARGEST >> 20} MiB, which no record is")
    if data.startswith(_UTF16):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise RecordError(f"not UTF-16 text, as its first bytes say: {error.reason}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        raise RecordError(f"not UTF-8 text (byte 0x{data[error.start]:02x})", line) from None


@dataclass
class _Reader:
    """Takes a record's lines one by one."""

    rule: str
    files: Files
    battles: list[Battle] = field(default_factory=list)
    position: Position | None = None  # of the battle being read, once its piece list or first ply came
    end: str = ""
    comments: list[tuple[int, str]] = field(default_factory=list)
    headers: list[tuple[str, str]] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)
    variations: list[tuple[int, tuple[Move, ...]]] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)  # of a grid that is being read
    told: bool = False  # whether the side to move is known before the first ply

    def read(self, line: str, number: int) -> None:
        if not line or grid.LABELS.fullmatch(line) is not None:
            return
        row = grid.squares(line)
        if self.rows and row is None:
            raise RecordError(f"the grid ends after {len(self.rows)} of {grid.ROWS} rows", number)
        if row is not None:
            self._row(row, number)
        elif line.startswith("#"):
            self._comment(line, number)
        elif line == "=":
            self._accept(number)
        elif (ply := _PLY.fullmatch(line)) is not None:
            self._ply(ply, line, number)
        elif _LIST.fullmatch(line) is not None:
            self._piece_list(line, number)
        else:
            raise RecordError(f"neither a ply nor a piece list: {shown(line)}", number, self._next_ply(line))

    def finish(self) -> tuple[Battle, ...]:
        if self.rows:
            raise RecordError(f"the grid ends after {len(self.rows)} of {grid.ROWS} rows")
        self._close()
        if not self.battles:
            raise RecordError("empty: neither a piece list nor a ply")
        return tuple(self.battles)

    def _comment(self, line: str, number: int) -> None:
        line = " ".join(line.split())  # as it would be written
        if self.position is not None and (end := _END.fullmatch(line)) is not None:
            if self.end:
                self.comments.append((self.position.ply, f"end: {self.end}"))
            self.end = end[1]
            return
        plies = 0 if self.position is None else self.position.ply
        if plies == 0 and (header := _HEADER.fullmatch(line)) is not None:
            self.headers.append((header[1], header[2]))
        elif plies == 0 and self.position is not None and (fen := _FEN.fullmatch(line)) is not None:
            self._told(self.position, fen[1], number)
        elif (score := _SCORE.fullmatch(line)) is not None:
            self.scores.append((plies, float(score[1])))
        elif (found := _VARIATION.fullmatch(line)) is not None and (moves := self._variation(found[1])):
            self.variations.append((plies, moves))
        else:
            self.comments.append((plies, line[1:].strip()))

    def _variation(self, text: str) -> tuple[Move, ...]:
        """Its moves, none where it can't be played from here: it is a comment like others, then."""
        if self.position is None:
            return ()
        position = self.position.copy()
        try:
            return tuple([position.push(token) for token in letters.read(text, self.files).split()])
        except ValueError:
            return ()

    def _told(self, position: Position, tfen: str, number: int) -> None:
        """Take counters and the side to move from a TFEN of the same pieces."""
        try:
            told = Position(tfen, self.rule)
        except ValueError as error:
            raise RecordError(f"fen: {error}", number) from None
        if told.piece_list != position.piece_list:
            raise RecordError("fen: other pieces than the list before it", number)
        self.position, self.told = told, True

    def _row(self, row: str, number: int) -> None:
        """Take a row of a grid, the last of which makes it a position."""
        self.rows.append(row)
        if len(self.rows) == grid.ROWS:
            try:
                pieces = grid.pieces(self.rows)
            except ValueError as error:
                raise RecordError(str(error), number) from None
            self.rows = []
            self._start(pieces, number)

    def _piece_list(self, line: str, number: int) -> None:
        try:
            pieces = letters.read(line, self.files)
        except ValueError as error:
            raise RecordError(str(error), number) from None
        self._start(pieces, number)

    def _start(self, pieces: str, number: int) -> None:
        try:
            position = Position.from_pieces(pieces, rule=self.rule)
        except ValueError as error:
            raise RecordError(letters.written(str(error), self.files), number) from None
        self._close()
        self.position = position

    def _ply(self, ply: re.Match[str], line: str, number: int) -> None:
        if self.position is None:
            self.position = Position(rule=self.rule)
        position = self.position
        written = ply[1] + line[ply.start(2) :]
        count = position.ply + 1
        try:
            text = letters.read(written, self.files)
        except ValueError as error:
            raise RecordError(f"{written}: {error}", number, count) from None
        offer = text.endswith("=")
        text = text.removesuffix("=")
        if not position.ply and not self.told:
            position = self.position = self._turned(position, text)
        ended = position.outcome()
        over = ended.why if ended is not None else self.end if self.end == "agreed" else ""
        if over:
            raise RecordError(f"{written}: the battle is over: {over}", number, count)
        try:
            position.push(text)
        except IllegalMoveError as error:
            raise RecordError(letters.written(str(error), self.files), number, count) from None
        if self.end:  # a limit, say, that this battle ran past
            self.comments.append((count - 1, f"end: {self.end}"))
            self.end = ""
        if offer:
            self.comments.append((count, OFFER))

    def _accept(self, number: int) -> None:
        """Take a line `=`: the side to move accepts what the ply before it offered."""
        plies = 0 if self.position is None else self.position.ply
        if (plies, OFFER) not in self.comments:
            raise RecordError("=: no offer stands", number, plies + 1)
        self.end = "agreed"

    def _turned(self, position: Position, first: str) -> Position:
        """The position with the side to move that the first ply names, or that stands where it starts from."""
        side = "" if first[1].isdigit() else first[0].lower()
        if not side:
            try:
                side = position.piece(first.split("-")[0]).lower()
            except ValueError:
                return position  # off the board: push will say so
        turn = TROLLS if side == "t" else DWARFS
        return position if turn == position.turn else Position.from_pieces(position.piece_list, turn, self.rule)

    def _next_ply(self, line: str) -> int | None:
        """The number of the ply that a line seems meant to be, None at the head of a text that may be no record."""
        if self.position is not None:
            return self.position.ply + 1
        return 1 if "-" in line else None

    def _close(self) -> None:
        if self.position is None:
            return
        position = self.position
        notes = tuple(self.comments), self.rule, tuple(self.headers), tuple(self.scores), tuple(self.variations)
        self.battles.append(Battle(position.start, position.moves, self.end, *notes))
        self.position, self.told, self.end, self.comments = None, False, "", []
        self.headers, self.scores, self.variations = [], [], []


def _plain(text: str, ply: int, plies: int) -> str:
    """A comment so that it is read as one: from before the piece list, say, it would end or begin the battle."""
    end = _END.fullmatch(f"# {text}")
    means = end is not None and (end[1] == "agreed" or ply == plies)
    return f"# {text}" if means or (ply == 0 and _FEN.fullmatch(f"# {text}")) else text


def shown(line: str) -> str:
    """A line for a message: short, printable, on one line."""
    return ascii(line if len(line) <= 40 else line[:37] + "...")
