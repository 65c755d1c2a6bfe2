"""What a command works on: a position or a record, from its argument, a file or stdin."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import click
from thudstone import letters
from thudstone.engine.thud import core
from thudstone.letters import LETTERS, Files
from thudstone.position import DWARFS, TROLLS, Position
from thudstone.record import LARGEST, Battle, Record, decode

_TFEN = re.compile(r"(?=\S*/)[dTR0-9/]{15,}(\s.*)?")
_PIECES = re.compile(r"[dtr][a-p]\d{1,2}(\s*,.*)?", re.IGNORECASE)

RULES = click.Choice(core.RULES)
SIDES = click.Choice(["dwarfs", "trolls"])
FILES = click.Choice(LETTERS)


@dataclass(frozen=True)
class Source:
    """What was asked about. `name` is a file's, `stdin`, or `` for a position in the argument itself."""

    name: str
    battles: tuple[Battle, ...]

    @property
    def is_position(self) -> bool:
        """Whether there is one position and no ply."""
        return len(self.battles) == 1 and not self.battles[0].moves

    def one(self, battle: int) -> Source:
        """The battle of that number alone. ClickException where there is none."""
        if battle > len(self.battles):
            raise click.ClickException(f"--battle {battle}: the record has {len(self.battles)}")
        return Source(self.name, self.battles[battle - 1 : battle])


def read_source(argument: str, rule: str, side: str | None = None, files: Files = "thud") -> Source:
    """The positions and moves that an argument `POSITION|FILE` names. `side` is to move where it is a piece list, and
    `files` are its letters. ClickException with one line where it can't be read.
    """
    if argument == "-" or os.path.exists(argument):
        name = "stdin" if argument == "-" else argument
        try:
            return Source(name, _battles(decode(_read(argument)), rule, side, files))
        except ValueError as error:
            raise click.ClickException(f"{name}: {error}") from None
    try:
        if argument in ("startpos", "start"):
            return Source("", (Battle(rule=rule),))
        if _is_tfen(argument):
            return Source("", (_from_tfen(argument, rule),))
        if _PIECES.fullmatch(argument):
            return Source("", (_from_pieces(letters.read(argument, files), rule, side),))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    raise click.ClickException(f"{argument}: no such file, nor is it a TFEN or a piece list")


def read_position(
    argument: str, rule: str, side: str | None = None, ply: int | None = None, files: Files = "thud"
) -> Position:
    """The one position that an argument names; of a record it is the one after `ply` plies, the last by default."""
    source = read_source(argument, rule, side, files)
    if len(source.battles) > 1:
        raise click.ClickException(f"{source.name}: {len(source.battles)} battles where one position is asked for")
    try:
        return source.battles[0].position(ply)
    except IndexError:
        raise click.ClickException(f"--ply {ply}: there are {len(source.battles[0].moves)} plies") from None


def _is_tfen(text: str) -> bool:
    """Whether a text is meant as TFEN, right or wrong."""
    return _TFEN.fullmatch(text) is not None or (text.count("/") == 14 and "\n" not in text)


def _from_tfen(text: str, rule: str) -> Battle:
    try:
        return Battle(Position(text, rule).tfen, rule=rule)
    except ValueError as error:
        raise ValueError(f"TFEN: {error}") from None


def _from_pieces(text: str, rule: str, side: str | None) -> Battle:
    return Battle(Position.from_pieces(text, TROLLS if side == "trolls" else DWARFS).tfen, rule=rule)


def _battles(text: str, rule: str, side: str | None, files: Files) -> tuple[Battle, ...]:
    """The battles of a file's text, which may also be one position. ValueError says what is wrong, and where."""
    if _is_tfen(text.strip()):
        return (_from_tfen(text.strip(), rule),)
    battles = Record.parse(text, rule, files).battles
    if side is not None and len(battles) == 1 and not battles[0].moves:
        start = _from_pieces(battles[0].position().piece_list, rule, side).start
        return (replace(battles[0], start=start),)
    return battles


def _read(argument: str) -> bytes:
    name = "stdin" if argument == "-" else argument
    try:
        if argument == "-":
            if sys.stdin is None:
                raise click.ClickException("stdin is closed")
            return sys.stdin.buffer.read(LARGEST + 1)
        with open(argument, "rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        raise click.ClickException(f"cannot read {name}: {error.strerror}") from None


def rule_pairs(given: Sequence[str]) -> list[tuple[str, str]]:
    """Names and values of `--rule NAME=VALUE`."""
    pairs = []
    for rule in given:
        name, equals, value = rule.partition("=")
        if not equals:
            raise click.UsageError(f"--rule {rule}: NAME=VALUE expected.")
        pairs.append((name, value))
    return pairs


def data_file(path: str | None) -> list[tuple[str, str]]:
    """`--data FILE` as the option of the game that it is. Engines of a match may run in other folders."""
    return [] if path is None else [("Data", os.path.abspath(path))]
