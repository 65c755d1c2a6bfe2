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
    from thudstone.async_client import AsyncEngine
    from thudstone.client import Engine
    from thudstone.dialogue import Answer, EngineDied, EngineError, EngineOption, EngineTimeout
    from thudstone.game import CHANCE, GAMES, OVER, Game, IllegalToken, new
    from thudstone.info import Info, Score
    from thudstone.limit import Limit
    from thudstone.move import Move
    from thudstone.position import DWARFS, START, TROLLS, IllegalMoveError, LegalMoves, Outcome, Position
    from thudstone.record import Battle, Record, RecordError, RecordWriter
    from thudstone.search import Search, analyse

_HOME = {
    "Answer": "dialogue",
    "AsyncEngine": "async_client",
    "Battle": "record",
    "CHANCE": "game",
    "DWARFS": "position",
    "Engine": "client",
    "EngineDied": "dialogue",
    "EngineError": "dialogue",
    "EngineOption": "dialogue",
    "EngineTimeout": "dialogue",
    "GAMES": "game",
    "Game": "game",
    "IllegalMoveError": "position",
    "IllegalToken": "game",
    "Info": "info",
    "LegalMoves": "position",
    "Limit": "limit",
    "Move": "move",
    "OVER": "game",
    "Outcome": "position",
    "Position": "position",
    "Record": "record",
    "RecordError": "record",
    "RecordWriter": "record",
    "START": "position",
    "Score": "info",
    "Search": "search",
    "TROLLS": "position",
    "analyse": "search",
    "new": "game",
}

__all__ = [
    "CHANCE",
    "DWARFS",
    "GAMES",
    "OVER",
    "START",
    "TROLLS",
    "Answer",
    "AsyncEngine",
    "Battle",
    "Engine",
    "EngineDied",
    "EngineError",
    "EngineOption",
    "EngineTimeout",
    "Game",
    "IllegalMoveError",
    "IllegalToken",
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
    "Search",
    "__version__",
    "analyse",
    "new",
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
