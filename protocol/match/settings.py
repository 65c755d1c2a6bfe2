"""Everything that decides how the battles of a match are played. Workers are sent it once."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from thudstone.engine import games
from thudstone.engine.game import Game, OptionValue
from thudstone.protocol.match.opening import RandomOpenings
from thudstone.protocol.match.spec import EngineSpec


@dataclass(frozen=True)
class Adjudication:
    """A battle is decided once the engines' scores show the same side ahead by at least `margin` points for `plies`
    plies in a row.
    """

    margin: int
    plies: int


@dataclass(frozen=True)
class Settings:
    """`game` is a name or `MODULE:CLASS`, `rules` every option of the game with its value. `grace` is the milliseconds
    by which a ply may overstep its time, `patience` the seconds of one without a limit of time; `max_plies` is 0 for no
    end. `openings` are the random ones, None where the jobs bring theirs.
    """

    game: str
    seats: int
    rules: tuple[tuple[str, OptionValue], ...]
    engines: tuple[EngineSpec, ...]
    seed: int = 0
    openings: RandomOpenings | None = None
    grace: int = 500
    patience: float = 60.0
    max_plies: int = 0
    adjudication: Adjudication | None = None
    offers: bool = False

    def start(self) -> Game:
        """The game's own start under the rules."""
        return load_game(self.game).start(self.seats, dict(self.rules))

    def as_json(self) -> dict[str, Any]:
        """What two runs of one match must have in common, apart from the openings of a file."""
        openings = None if self.openings is None else {"plies": self.openings.plies, "seed": self.openings.seed}
        return {
            "game": self.game,
            "seats": self.seats,
            "rules": dict(self.rules),
            "engines": [
                {
                    "name": engine.name,
                    "cmd": engine.cmd,
                    "protocol": engine.protocol,
                    "options": dict(engine.options),
                    "limits": str(engine.pace),
                }
                for engine in self.engines
            ],
            "seed": self.seed,
            "openings": openings,
            "grace": self.grace,
            "patience": self.patience,
            "max_plies": self.max_plies,
            "adjudicate": None
            if self.adjudication is None
            else [self.adjudication.margin, self.adjudication.plies],
            "offers": self.offers,
        }


def load_game(name: str) -> type[Game]:
    """One of this package's games, or any by `MODULE:CLASS`. ValueError where there is none."""
    module, colon, attribute = name.partition(":")
    if not colon:
        return games.load(name)[0]
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"no game {name}: {error}") from None
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise ValueError(f"no game {name}: not a subclass of thudstone.engine.game.Game")
    return found


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What two settings, as JSON, differ in: `engines 2 limits: movetime=25, now movetime=50`."""
    return list(_differences("", before, now))


def _differences(name: str, before: Any, now: Any) -> list[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        keys = [*before, *(key for key in now if key not in before)]
        return [text for key in keys for text in _differences(f"{name} {key}", before.get(key), now.get(key))]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True), start=1)
        return [text for at, (old, new) in pairs for text in _differences(f"{name} {at}", old, new)]
    if before == now:
        return []
    if isinstance(before, list) and isinstance(now, list) and any(isinstance(item, dict) for item in before + now):
        return [f"{name.strip()}: {len(before)}, now {len(now)}"]
    return [f"{name.strip()}: {before}, now {now}"]
