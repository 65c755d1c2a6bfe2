"""One thing to check of an engine, and what can come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thudstone.protocol.check.talk import Talk


class Failed(Exception):
    """The engine did otherwise; the message says what."""


class Hung(Failed):
    """It didn't answer at all."""


class NotOffered(Exception):
    """There is nothing to check: the engine doesn't have what the message names."""


class Verdict(Enum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_OFFERED = "not offered"


@dataclass(frozen=True)
class Step:
    """`rule` is what docs/protocol.md asks for, in a sentence; `check` raises Failed or NotOffered. Without `hello` the
    engine has not been greeted when it is called.
    """

    name: str
    rule: str
    check: Callable[[Talk], None]
    hello: bool = True


@dataclass(frozen=True)
class Outcome:
    """What came out of a step; `exchange` is the end of the conversation, `> ` sent and `< ` received."""

    step: Step
    verdict: Verdict
    reason: str = ""
    exchange: tuple[str, ...] = ()


def require(condition: object, what: str) -> None:
    """Failed with `what` unless the condition holds."""
    if not condition:
        raise Failed(what)
