"""Records in the manner of chess's PGN, as runners of the Universal Game Interface write them.

    [Dwarfs "one"]
    [FEN "startpos"]

    1. dK15-K3 TJ7-J4xK3 2. dA6-B7= = 1/2-1/2

A `=` after a move offers the end, a `=` alone accepts it.
"""

from __future__ import annotations

import re
import textwrap

from thudstone import letters
from thudstone.letters import Files
from thudstone.position import DWARFS, START, IllegalMoveError, Position
from thudstone.record import HEADERS, OFFER, Battle, Record, RecordError, shown

_WIDTH = 100
_TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]', re.ASCII)
_TAGS = re.compile(rf"(?:{_TAG.pattern}\s*)+", re.ASCII)
_TOKEN = re.compile(r"\{[^}]*\}?|;[^\r\n]*|\d+\.+|[^\s{};]+")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def looks_like(text: str) -> bool:
    """Whether a record is of this kind: its first line that is no comment has a tag or a move number."""
    return re.match(r'\s*(?:[#;][^\r\n]*[\r\n]\s*)*(?:\[\w+\s+"|\d+\.)', text) is not None


def parse(text: str, rule: str = "any", files: Files = "thud") -> Record:
    """A record from such a file; every ply is checked under `rule`. RecordError names line and ply."""
    battles: list[Battle] = []
    game = _Game(rule, files)
    pending = False  # tokens since the last result
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    number = 0
    while number < len(lines):
        first = number + 1
        line = lines[number].strip()
        number += 1
        if not line or line.startswith(("#", "%")):
            continue
        if line.startswith("["):
            if _TAGS.fullmatch(line) is None:
                raise RecordError(f"not a tag: {shown(line)}", first)
            if game.position is not None:  # a new head without a result before it
                battles.append(game.battle())
                game = _Game(rule, files)
            for tag in _TAG.finditer(line):
                game.tag(tag[1], re.sub(r"\\(.)", r"\1", tag[2]), first)
            pending = True
            continue
        while line.count("{") > line.count("}"):
            if number == len(lines):
                raise RecordError("a comment { is not closed", first)
            line += " " + lines[number].strip()
            number += 1
        for token in _TOKEN.findall(line):
            pending = True
            if token in _RESULTS:
                battles.append(game.battle(token))
                game, pending = _Game(rule, files), False
            else:
                game.token(token, first)
    if pending:
        battles.append(game.battle())
    if not battles:
        raise RecordError("empty: neither a tag nor a move")
    return Record(tuple(battles))


def write(record: Record, files: Files = "thud") -> str:
    """The record's text. Scores and variations become comments; how a battle ended is the tag Termination."""
    return "\n".join(_battle(battle, files) for battle in record.battles)


def _battle(battle: Battle, files: Files) -> str:
    tags = {name.title(): value for name, value in battle.headers}
    offers = {ply for ply, text in battle.comments if text == OFFER}
    notes: dict[int, list[str]] = {}
    for ply, text in battle.comments:
        if ply == 0 and (tag := _TAG.fullmatch(text)) is not None:
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif text != OFFER:
            notes.setdefault(ply, []).append(text)
    for ply, text in battle.remarks():
        notes.setdefault(ply, []).append(letters.written(text, files))
    if battle.end:
        tags["Termination"] = battle.end
    tags["FEN"] = "startpos" if battle.start == START else battle.start
    result = tags.get("Result", "*")
    head = ['[{} "{}"]'.format(name, value.replace("\\", r"\\").replace('"', r"\"")) for name, value in tags.items()]
    body: list[str] = []
    position = Position(battle.start, battle.rule)
    turn = 1
    for ply, move in enumerate([*battle.moves, None]):
        body += [f"{{{text.replace('}', ')').replace('{', '(')}}}" for text in notes.get(ply, [])]
        if move is not None:
            if ply == 0 or position.turn == DWARFS:
                turn += ply > 0
                body.append(f"{turn}." if position.turn == DWARFS else f"{turn}...")
            body.append(letters.written(position.push(move).text, files) + ("=" if ply + 1 in offers else ""))
    if battle.end == "agreed" and len(battle.moves) in offers:  # otherwise the tag alone says so
        body.append("=")
    body.append(result if result in _RESULTS else "*")
    # A comment that is broken into lines is read as one line again.
    lines = textwrap.wrap(" ".join(body), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*head, "", *lines, ""])


class _Game:
    """A battle that is being read."""

    def __init__(self, rule: str, files: Files) -> None:
        self.rule = rule
        self.files = files
        self.start = START
        self.position: Position | None = None  # once the first move or comment came
        self.end = ""
        self.accepted = False
        self.headers: list[tuple[str, str]] = []
        self.comments: list[tuple[int, str]] = []

    def tag(self, name: str, value: str, line: int) -> None:
        if name == "FEN":
            try:
                self.start = Position(START if value == "startpos" else value, self.rule).tfen
            except ValueError as error:
                raise RecordError(str(error), line) from None
        elif name == "Termination":
            self.end = value
        elif name.lower() in HEADERS:
            self.headers.append((name.lower(), value))
        else:
            quoted = value.replace("\\", r"\\").replace('"', r"\"")
            self.comments.append((0, f'[{name} "{quoted}"]'))

    def token(self, token: str, line: int) -> None:
        if self.position is None:
            self.position = Position(self.start, self.rule)
        position = self.position
        if token.startswith(("{", ";")):
            text = token[1:].removesuffix("}") if token.startswith("{") else token[1:]
            self.comments.append((position.ply, " ".join(text.split())))
        elif re.fullmatch(r"\d+\.+", token) is None:
            self._move(position, token, line)

    def _move(self, position: Position, token: str, line: int) -> None:
        count = position.ply + 1
        if self.accepted:
            raise RecordError(f"{token}: the battle is over: agreed", line, count)
        if token == "=":
            if (position.ply, OFFER) not in self.comments:
                raise RecordError("=: no offer stands", line, count)
            self.end, self.accepted = "agreed", True
            return
        try:
            move = letters.read(token.removesuffix("="), self.files)
        except ValueError as error:
            raise RecordError(f"{token}: {error}", line, count) from None
        try:
            position.push(move)
        except IllegalMoveError as error:
            raise RecordError(letters.written(str(error), self.files), line, count) from None
        if token.endswith("="):
            self.comments.append((count, OFFER))

    def battle(self, result: str = "") -> Battle:
        headers = list(self.headers)
        if result and result != "*" and "result" not in dict(headers):
            headers.append(("result", result))
        moves = () if self.position is None else self.position.moves
        return Battle(self.start, moves, self.end, tuple(self.comments), self.rule, tuple(headers))
