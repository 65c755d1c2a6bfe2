"""One battle of a match: who played, what came out, and the record, as an object and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FORFEIT_POINTS = 32  # of every seat but the offender's, who has none: what a side of Thud starts with


@dataclass(frozen=True)
class Forfeit:
    """Why a battle was lost without being played out: the seat (from 1) that is to blame, what it did, and the line it
    printed (empty where there was none).
    """

    seat: int
    reason: str
    line: str = ""


@dataclass(frozen=True)
class Times:
    """Milliseconds: what each seat thought in all, its longest ply, and how long the battle took from its first line to
    an engine to its end.
    """

    thinking: tuple[int, ...]
    longest: tuple[int, ...]
    battle: int


@dataclass(frozen=True)
class Battle:
    """A finished battle: number `battle` (from 1) of the pair `pair` (from 1).

    `seats` are the engines' names in the order of play, dwarfs first; `points` and `shares` (of the win, summing to 1)
    belong to them. `end` is the game's reason (`agreed`, `limit`, `no-move`, `no-pieces`, …), `max-plies`,
    `adjudicated`, or the offence that forfeited it (`illegal-move`, `timeout`, `crash`, `flood`, `refused`). `plies`
    counts the moves of the seats, `moves` holds all tokens from the position `start`; the first `opening` of them
    were given.
    """

    pair: int
    battle: int
    seats: tuple[str, ...]
    points: tuple[int, ...]
    shares: tuple[float, ...]
    end: str
    plies: int
    times: Times
    start: str
    moves: tuple[str, ...]
    opening: int = 0
    forfeit: Forfeit | None = None
    game: str = "thud"

    @property
    def dwarfs(self) -> str:
        """The engine that played the dwarfs (in any game: the first seat)."""
        return self.seats[0]

    @property
    def trolls(self) -> str:
        """The engine that played the trolls (in any game: the second seat)."""
        return self.seats[1]

    def as_json(self) -> dict[str, Any]:
        """The object of the results file."""
        sides = {"dwarfs": self.dwarfs, "trolls": self.trolls} if self.game == "thud" else {}
        found: dict[str, Any] = {
            "pair": self.pair,
            "battle": self.battle,
            "game": self.game,
            **sides,
            "seats": list(self.seats),
            "points": list(self.points),
            "shares": list(self.shares),
            "end": self.end,
            "plies": self.plies,
            "times": {
                "thinking": list(self.times.thinking),
                "longest": list(self.times.longest),
                "battle": self.times.battle,
            },
            "record": {"start": self.start, "opening": self.opening, "moves": list(self.moves)},
        }
        if self.forfeit is not None:
            found["forfeit"] = {
                "engine": self.seats[self.forfeit.seat - 1],
                "seat": self.forfeit.seat,
                "reason": self.forfeit.reason,
                "line": self.forfeit.line,
            }
        return found

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Battle:
        """From the object that `as_json` made. ValueError where a field is missing or is not what it should be."""
        try:
            times, record, forfeit = data["times"], data["record"], data.get("forfeit")
            battle = cls(
                pair=int(data["pair"]),
                battle=int(data["battle"]),
                seats=tuple(map(str, data["seats"])),
                points=tuple(map(int, data["points"])),
                shares=tuple(map(float, data["shares"])),
                end=str(data["end"]),
                plies=int(data["plies"]),
                times=Times(
                    tuple(map(int, times["thinking"])), tuple(map(int, times["longest"])), int(times["battle"])
                ),
                start=str(record["start"]),
                moves=tuple(map(str, record["moves"])),
                opening=int(record["opening"]),
                forfeit=None
                if forfeit is None
                else Forfeit(int(forfeit["seat"]), str(forfeit["reason"]), str(forfeit["line"])),
                game=str(data["game"]),
            )
        except KeyError as error:
            raise ValueError(f"no battle: {error.args[0]!r} is missing") from None
        except (TypeError, ValueError) as error:
            raise ValueError(f"no battle: {error}") from None
        seats = len(battle.seats)
        if seats < 2 or not seats == len(battle.points) == len(battle.shares):
            raise ValueError("no battle: 'seats', 'points' and 'shares' differ in length")
        return battle
