"""An engine of a match as it is given on the command line, and how long it may think."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Literal

from thudstone.limit import Limit

_WHOLE = re.compile(r"[0-9]{1,9}")
_CLOCK = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)(?:\+([0-9]{1,6}(?:\.[0-9]{1,3})?))?")
_LIMITS = ("movetime", "nodes", "depth")


class SpecError(ValueError):
    """An engine or a limit that is given wrongly; the message says what and where."""


@dataclass(frozen=True)
class Clock:
    """Seconds at the start of a battle, and seconds gained by each move."""

    base: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Clock:
        """From `60+0.5`, or `60` for no increment. SpecError for anything else."""
        found = _CLOCK.fullmatch(text)
        if found is None or not float(found[1]) + float(found[2] or 0):
            raise SpecError(f"tc: {text!r} is no clock (SECONDS or SECONDS+INCREMENT, as in 60+0.5)")
        return cls(float(found[1]), float(found[2] or 0))

    def __str__(self) -> str:
        return f"{self.base:g}+{self.increment:g}"


@dataclass(frozen=True)
class Pace:
    """How long an engine may think about a ply: the first limit reached counts. `movetime` is milliseconds."""

    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: Clock | None = None

    @classmethod
    def parse(cls, words: dict[str, str]) -> Pace:
        """From the values of `movetime`, `nodes`, `depth` and `tc`. SpecError names a bad one."""
        numbers: dict[str, int] = {}
        for name in _LIMITS:
            if name in words:
                if _WHOLE.fullmatch(words[name]) is None or not int(words[name]):
                    raise SpecError(f"{name}: {words[name]!r} is no number from 1 to 999999999")
                numbers[name] = int(words[name])
        clock = Clock.parse(words["tc"]) if "tc" in words else None
        if clock is not None and "movetime" in numbers:
            raise SpecError("movetime and tc exclude each other")
        return cls(numbers.get("movetime"), numbers.get("nodes"), numbers.get("depth"), clock)

    @property
    def is_empty(self) -> bool:
        return self == Pace()

    def limit(self, clocks: tuple[float | None, ...], increments: tuple[float | None, ...]) -> Limit:
        """For `go`, with the seconds that each seat's clock shows where this engine has one."""
        time = None if self.movetime is None else self.movetime / 1000
        if self.clock is None:
            return Limit(time=time, nodes=self.nodes, depth=self.depth)
        return Limit(time=time, nodes=self.nodes, depth=self.depth, clock=clocks, increment=increments)

    def __str__(self) -> str:
        known = [f"{name}={getattr(self, name)}" for name in _LIMITS if getattr(self, name) is not None]
        return " ".join([*known, *([f"tc={self.clock}"] if self.clock is not None else [])])


@dataclass(frozen=True)
class EngineSpec:
    """An engine: its command, its name in the match (empty until it has said its own), its options, and its limits."""

    cmd: str
    name: str = ""
    protocol: Literal["uci", "ugi"] = "uci"
    options: tuple[tuple[str, str], ...] = ()
    pace: Pace = Pace()

    @property
    def argv(self) -> list[str]:
        return shlex.split(self.cmd)

    @property
    def threads(self) -> int:
        """How many cores it was told to use."""
        chosen = [value for name, value in self.options if name.lower() == "threads" and _WHOLE.fullmatch(value)]
        return max(1, int(chosen[-1])) if chosen else 1

    @classmethod
    def parse(cls, text: str) -> EngineSpec:
        """From `cmd=… name=… protocol=uci|ugi option.NAME=VALUE movetime=MS nodes=N depth=N tc=S+S`, split as a shell
        would. SpecError says what is wrong.
        """
        words: dict[str, str] = {}
        for word in _split(text, "the engine"):
            key, equals, value = word.partition("=")
            if not equals:
                raise SpecError(f"{word!r} is not KEY=VALUE (as in cmd=thudstone)")
            known = key in ("cmd", "name", "protocol", "tc", *_LIMITS)
            if not known and not (key.startswith("option.") and key[7:].strip()):
                raise SpecError(
                    f"{key!r} is none of cmd, name, protocol, option.NAME, movetime, nodes, depth, tc"
                )
            if key in words:
                raise SpecError(f"{key!r} is given twice")
            if key != "cmd" and not value.isprintable():
                raise SpecError(f"{key}: {value!a} has a character that can't be printed")
            words[key] = value
        if not words.get("cmd", "").strip() or not _split(words["cmd"], "cmd"):
            raise SpecError("cmd=COMMAND is missing")
        if "name" in words and not words["name"].strip():
            raise SpecError("name: empty")
        protocol = words.get("protocol", "uci")
        if protocol not in ("uci", "ugi"):
            raise SpecError(f"protocol: {protocol!r} is neither uci nor ugi")
        return cls(
            cmd=words["cmd"],
            name=" ".join(words.get("name", "").split()),
            protocol="uci" if protocol == "uci" else "ugi",
            options=tuple((key[7:].strip(), value) for key, value in words.items() if key.startswith("option.")),
            pace=Pace.parse(words),
        )


def _split(text: str, what: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise SpecError(f"{what}: {str(error).lower()}") from None
