"""Games of this package as games of OpenSpiel (the extra `openspiel`).

    import pyspiel
    from thudstone import openspiel

    openspiel.register("trol", seats=3)
    game = pyspiel.load_game("thudstone_trol_3")

An action is the place of a token in the list of legal ones (of a chance event: in the list of possible ones). What a
player knows is its redacted log, and its share of the win is its return.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyspiel
from thudstone.engine import games
from thudstone.engine.game import CHANCE, OVER, Game, OptionValue

MOST_ACTIONS = 4096  # no list of tokens is longer
MOST_PLIES = 20_000


class _State(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: Any, world: Game) -> None:
        super().__init__(game)
        self._world = world
        self._logs: list[list[str]] = [[] for _ in range(world.seats)]

    def current_player(self) -> int:
        turn = self._world.turn
        if turn == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if turn == CHANCE else turn

    def _tokens(self) -> list[str]:
        if self._world.turn == CHANCE:
            return [token for token, _ in self._world.chance()]
        return self._world.legal()

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._world.legal())))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        events = self._world.chance()
        total = sum(weight for _, weight in events)
        return [(at, weight / total) for at, (_, weight) in enumerate(events)]

    def _apply_action(self, action: int) -> None:
        token = self._tokens()[action]
        for seat, log in enumerate(self._logs):
            log.append(self._world.redact(token, seat))
        self._world.apply(token)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._tokens()[action]

    def is_terminal(self) -> bool:
        return self._world.turn == OVER

    def returns(self) -> list[float]:
        return list(self._world.returns()) if self.is_terminal() else [0.0] * self._world.seats

    def information_state_string(self, player: int | None = None) -> str:
        seat = self._world.turn if player is None else player
        return " ".join([f"seat {seat + 1}", *self._logs[seat]])

    def observation_string(self, player: int | None = None) -> str:
        return self.information_state_string(player)

    def clone(self) -> _State:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> _State:
        other = type(self)(self.get_game(), self._world.copy())
        other._logs = [log.copy() for log in self._logs]
        return other

    def __str__(self) -> str:
        return self._world.text()


class _Observer:
    """What OpenSpiel's Python side asks of an observer: no tensor, and the seat's log as a string."""

    tensor: None = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: _State, player: int) -> None:
        """Nothing to fill: there is no tensor."""

    def string_from(self, state: _State, player: int) -> str:
        return state.observation_string(player)


def register(name: str, seats: int, options: Mapping[str, OptionValue] | None = None, suffix: str = "") -> str:
    """Registers a game with so many seats under the name that is returned, which ends with `suffix`: another one for
    other options. ValueError where there is no such game."""
    rules = games.load(name)[0]
    start = rules.start(seats, {option.name: option.default for option in rules.options} | dict(options or {}))
    kind = pyspiel.GameType(
        short_name=f"thudstone_{name}_{seats}{suffix}",
        long_name=f"{name.capitalize()} for {seats}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    facts = pyspiel.GameInfo(
        num_distinct_actions=MOST_ACTIONS,
        max_chance_outcomes=MOST_ACTIONS,
        num_players=seats,
        min_utility=0.0,
        max_utility=1.0,
        utility_sum=1.0,
        max_game_length=MOST_PLIES,
    )

    class Adapted(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, facts, params or {})

        def new_initial_state(self) -> _State:
            return _State(self, start.copy())

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            return _Observer()

    pyspiel.register_game(kind, Adapted)
    return str(kind.short_name)
