"""Thud in Python: positions, moves, records, and a client that drives engines.

    >>> import thudstone
    >>> position = thudstone.Position()
    >>> position.legal_moves.count()
    656
    >>> position.push("dO11-O9")
    Move('dO11-O9')
    >>> position.points
    (32, 32)

Names are loaded when they are first used, because the engine's own start must not wait for them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from thudstone.version import __version__

if TYPE_CHECKING:
    from thudstone.client import Answer, Engine, EngineDied, EngineError, EngineOption, EngineTimeout
    from thudstone.info import Info, Score
    from thudstone.limit import Limit
    from thudstone.move import Move
    from thudstone.position import DWARFS, START, TROLLS, IllegalMoveError, LegalMoves, Outcome, Position
    from thudstone.record import Battle, Record, RecordError, RecordWriter

_HOME = {
    "Answer": "client",
    "Battle": "record",
    "DWARFS": "position",
    "Engine": "client",
    "EngineDied": "client",
    "EngineError": "client",
    "EngineOption": "client",
    "EngineTimeout": "client",
    "IllegalMoveError": "position",
    "Info": "info",
    "LegalMoves": "position",
    "Limit": "limit",
    "Move": "move",
    "Outcome": "position",
    "Position": "position",
    "Record": "record",
    "RecordError": "record",
    "RecordWriter": "record",
    "START": "position",
    "Score": "info",
    "TROLLS": "position",
}

__all__ = [
    "DWARFS",
    "START",
    "TROLLS",
    "Answer",
    "Battle",
    "Engine",
    "EngineDied",
    "EngineError",
    "EngineOption",
    "EngineTimeout",
    "IllegalMoveError",
    "Info",
    "LegalMoves",
    "Limit",
    "Move",
    "Outcome",
    "Position",
    "Record",
    "RecordError",
    "RecordWriter",
    "Score",
    "__version__",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'thudstone' has no attribute {name!r}")
    value = getattr(import_module(f"thudstone.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
