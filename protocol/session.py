"""What a controller has set up: the game, its player, their options, and the position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from thudstone.engine.game import Game, Option, OptionValue, Player
from thudstone.protocol import option as options
from thudstone.protocol.position import Position
from thudstone.protocol.refusal import IllegalMove, Refusal, quoted

VARIANT = "UCI_Variant"
DATA = "Data"  # the option of a game that names a file of its figures
START = b"position startpos"


@dataclass(frozen=True)
class Registry:
    """The games there are to choose from."""

    names: Sequence[str]
    load: Callable[[str], tuple[type[Game], type[Player]]]


class Session:
    """A command that is refused leaves all of it as it was."""

    game: type[Game]
    player: Player
    position: Position

    def __init__(self, registry: Registry, name: str, data: str = "") -> None:
        """Starts with game `name`, its start set, and its figures from the file `data`. ValueError for a name the
        registry doesn't have, Refusal for a game without such a file or a file that is wrong."""
        self._registry = registry
        self._variant = Option(VARIANT, "combo", name, choices=tuple(registry.names))
        self._chosen: dict[str, OptionValue] = {}  # by the controller, under names in lower case
        # A runner of the Universal Game Interface can't hear that a position was rejected, and would go on asking.
        # After `ugi` this is what `query result` says from then on until a position is accepted.
        self.universal = False
        self.rejected: str | None = None
        self._choose(name)
        if data:
            option = next((option for option in self.game.options if option.name == DATA), None)
            if option is None:
                raise Refusal(f"{name} has no data file")
            self._set(option, data)

    def handshake(self, *, universal: bool) -> list[str]:
        """The options as they are announced. The last handshake decides which rules of conversation hold."""
        self.universal = universal
        if not universal:
            self.rejected = None
        return [options.announcement(option) for option in self._options()]

    def set_option(self, words: list[bytes]) -> None:
        name, value = options.split(words)
        for option in self._options():
            if option.name.lower() == name.lower():
                try:
                    self._set(option, options.parse(option, value))
                except (ValueError, Refusal) as error:
                    raise Refusal(f"setoption {option.name}: {error}") from None
                return
        raise Refusal(f"setoption: no option is called {quoted([name.encode('ascii')])}")

    def set_position(self, line: bytes) -> None:
        """A whole `position …` line."""
        line = line.strip()
        try:
            self.position = self.position.after(line) or Position(line, self.game, self._game_options())
        except Refusal as error:
            if self.universal:
                self.rejected = _verdict(error)
            raise Refusal(f"position: {error}") from None
        self.rejected = None

    def play(self, moves: list[bytes]) -> None:
        if self.rejected is not None:
            raise Refusal("moves: the last position was rejected")
        if not moves:
            raise Refusal("moves: a move expected")
        try:
            self.position = self.position.plus(moves)
        except IllegalMove as error:
            raise Refusal(f"moves: {error}") from None

    def _options(self) -> tuple[Option, ...]:
        return (*self.player.options, *self.game.options, self._variant)

    def _set(self, option: Option, value: OptionValue | None) -> None:
        if option is self._variant:
            self._choose(str(value))
        elif option in self.game.options:
            assert value is not None
            before = self._chosen.copy()
            self._chosen[option.name.lower()] = value
            try:
                self.position = self._under_new_rules()
            except Refusal:
                self._chosen = before
                raise
        else:
            self.player.set_option(option.name, value)
            if value is not None:
                self._chosen[option.name.lower()] = value

    def _under_new_rules(self) -> Position:
        """The moves replayed; where they are illegal now, what stands on the board becomes the start."""
        try:
            return Position(self.position.line, self.game, self._game_options())
        except IllegalMove:
            return Position(self.position.as_start(), self.game, self._game_options())

    def _choose(self, name: str) -> None:
        """Changes to another game: its start is set, and options it shares with the last one stay chosen, but for the
        file of figures, which is of one game."""
        game, player_class = self._registry.load(name)
        player = player_class()
        chosen = {}
        for option in (*player.options, *game.options):
            value = self._chosen.get(option.name.lower())
            if value is None or option.name == DATA or not options.fits(option, value):
                continue
            if option not in game.options:
                player.set_option(option.name, value)
            chosen[option.name.lower()] = value
        self.game, self.player, self._chosen = game, player, chosen
        self.position = Position(START, game, self._game_options())
        self.rejected = None

    def _game_options(self) -> dict[str, OptionValue]:
        return {option.name: self._chosen.get(option.name.lower(), option.default) for option in self.game.options}


def _verdict(error: Refusal) -> str:
    """The result after a rejected position: of two players the one wins whose move was not the illegal one."""
    if isinstance(error, IllegalMove) and error.seat is not None and error.seats == 2:
        return f"p{2 - error.seat}win"
    return "none"
