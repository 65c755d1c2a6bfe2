"""What an engine says while it searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """The expected margin in hundredths of a point (a dwarf is 100, a troll 400), from the side to move."""

    cp: int

    @property
    def points(self) -> float:
        return self.cp / 100

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
