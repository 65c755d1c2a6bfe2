"""The games there are. A game's code is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable

from thudstone.engine.game import Game, Player

Rules = tuple[type[Game], type[Player]]


def _thud() -> Rules:
    from thudstone.engine.thud.player import ThudPlayer
    from thudstone.engine.thud.state import Thud

    return Thud, ThudPlayer


def _dungeon() -> Rules:
    from thudstone.engine.cards.dungeon.policy import Policy
    from thudstone.engine.cards.dungeon.state import Dungeon
    from thudstone.engine.cards.player import CardPlayer

    class DungeonPlayer(CardPlayer):
        game, policy = Dungeon, Policy

    return Dungeon, DungeonPlayer


def _trol() -> Rules:
    from thudstone.engine.cards.player import CardPlayer
    from thudstone.engine.cards.trol.policy import Policy
    from thudstone.engine.cards.trol.state import Trol

    class TrolPlayer(CardPlayer):
        game, policy = Trol, Policy

    return Trol, TrolPlayer


def _whales() -> Rules:
    from thudstone.engine.cards.player import CardPlayer
    from thudstone.engine.cards.whales.policy import Policy
    from thudstone.engine.cards.whales.state import Whales

    class WhalesPlayer(CardPlayer):
        game, policy = Whales, Policy

    return Whales, WhalesPlayer


_LOADERS: dict[str, Callable[[], Rules]] = {"thud": _thud, "dungeon": _dungeon, "trol": _trol, "whales": _whales}

NAMES: tuple[str, ...] = tuple(_LOADERS)


def load(name: str) -> Rules:
    """The game and its player. ValueError for a name that isn't in NAMES."""
    if name not in _LOADERS:
        raise ValueError(f"no game is called {name!r}: there is {', '.join(NAMES)}")
    return _LOADERS[name]()
