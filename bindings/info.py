"""What an engine says while it searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Score:
    """The expected margin in hundredths of a point (a dwarf is 100, a troll 400), from the side to move.

    `turn` is that side, DWARFS or TROLLS, where it is known; two scores of the same `cp` are equal without it.
    """

    cp: int
    turn: int | None = field(default=None, compare=False)

    @property
    def points(self) -> float:
        """In points, from the side to move."""
        return self.cp / 100

    def pov(self, side: int) -> float:
        """In points as `side` (0: the dwarfs, 1: the trolls) sees it. ValueError where the side to move is unknown."""
        if side not in (0, 1):
            raise ValueError(f"side {side} is neither 0 (dwarfs) nor 1 (trolls)")
        if self.turn is None:
            raise ValueError("it is not known which side the score is for")
        return self.points if side == self.turn else -self.points

    @property
    def dwarfs(self) -> float:
        """In points as the dwarfs see it."""
        return self.pov(0)

    @property
    def trolls(self) -> float:
        """In points as the trolls see it."""
        return self.pov(1)

    def __str__(self) -> str:
        return f"{self.points:+.2f}"


@dataclass(frozen=True)
class Info:
    """One `info` line: what it left out is None. `time` is seconds, `hashfull` per mille; `shares` is each seat's
    expected share of the win (games of several players). The totals that end a search have no `pv`.
    """

    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    score: Score | None = None
    bound: str = ""
    shares: tuple[float, ...] | None = None
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    time: float | None = None
    pv: tuple[str, ...] = ()

    @classmethod
    def parse(cls, words: Sequence[str]) -> Info:
        """From the words after `info`. Unknown words are skipped; ValueError for a known one with a bad value."""
        known: dict[str, object] = {}
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "string":
                break
            if word == "pv":
                known["pv"] = tuple(words[at:])
                break
            if word in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"):
                value = _number(word, words[at : at + 1])
                known[word] = value / 1000 if word == "time" else value
                at += 1
            elif word in ("lowerbound", "upperbound"):
                known["bound"] = word
            elif word == "cp":
                known["score"] = Score(_number(word, words[at : at + 1]))
                at += 1
            elif word == "win":
                shares: list[float] = []
                while at < len(words) and (share := _share(words[at])) is not None:
                    shares.append(share)
                    at += 1
                if not shares:
                    raise ValueError("no shares after 'win'")
                known["shares"] = tuple(shares)
        return cls(**known)  # type: ignore[arg-type]


def _number(name: str, value: Sequence[str]) -> int:
    try:
        return int(value[0])
    except (IndexError, ValueError):
        raise ValueError(f"no number after {name!r}") from None


def _share(word: str) -> float | None:
    try:
        return float(word) if "." in word else None
    except ValueError:
        return None
