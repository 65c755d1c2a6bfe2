"""An engine during a match: greeted, set up as the match wants it, asked for moves, started again after a failure."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from thudstone.client import EngineOption
from thudstone.engine.game import OptionValue
from thudstone.protocol.match.process import EngineProcess, Failure
from thudstone.protocol.match.settings import Settings, load_game
from thudstone.protocol.match.spec import EngineSpec

HANDSHAKE = 10.0  # seconds in which an engine must have said hello, and in which it must be ready for a battle

_ERROR = b"info string error:"
_INTERNAL = b"internal error"  # in such a line: a mistake of the engine's, which answers nevertheless
_SCORE = re.compile(rb"\bscore cp (-?\d{1,9})\b")
_MULTIPV = re.compile(rb"\bmultipv (\d+)\b")


class SetupError(Exception):
    """An engine that can't take part: its command, an option, or what it says is wrong. One line, for people."""


@dataclass(frozen=True)
class Answer:
    """What an engine answered: its move as it wrote it, the whole line, the seconds it took, and the score of its last
    best line in hundredths of a point, if that was wanted and told.
    """

    move: str
    line: str
    seconds: float
    score: int | None = None


class Player:
    """One engine. Every method but `close` raises Failure for what loses a battle; after that the process is gone, and
    the next battle starts another. SetupError is raised for what playing on wouldn't mend.
    """

    def __init__(self, spec: EngineSpec, settings: Settings) -> None:
        self.name = spec.name or spec.cmd
        self.announced = ""  # its `id name`
        self._spec = spec
        self._settings = settings
        self._process: EngineProcess | None = None

    def start(self) -> None:
        """Start the process, if none runs, and set it up."""
        if self._process is not None:
            return
        try:
            self._process = EngineProcess(self._spec.argv)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise SetupError(f"engine {self.name}: cannot start {self._spec.cmd}: {reason}") from None
        try:
            self._set_up(self._greet())
        except BaseException:
            self.close(at_once=True)
            raise

    def new_game(self) -> None:
        """Be ready for a battle."""
        self.start()
        command = b"ucinewgame" if self._spec.protocol == "uci" else b"uginewgame"
        text = self._ask(command + b"\nisready\n", b"readyok")
        refused = _errors(text)
        if refused:
            raise self._failed(Failure("refused", f"refused {command.decode()}", refused[0]))

    def go(self, position: bytes | bytearray, go: bytes, seconds: float, *, scored: bool = False) -> Answer:
        """Search a position and answer within `seconds`, by our clock."""
        process = self._process
        assert process is not None, "new_game comes first"
        began = time.perf_counter()
        deadline = began + seconds
        try:
            process.send(b"\n".join((position, go, b"")), deadline)
            while True:
                text = process.until((b"bestmove", _ERROR), deadline)
                line = text[text.rfind(b"\n") + 1 :]
                if line.startswith(b"bestmove"):
                    break
                if _INTERNAL not in line:
                    raise Failure("refused", "refused the position or the search", line)
            elapsed = time.perf_counter() - began
            if elapsed > seconds:
                raise Failure("timeout", f"took {elapsed:.3f} s, {seconds:.3f} s were left", line)
        except Failure as failure:
            if failure.offence == "timeout" and failure.reason.startswith("did not"):
                failure.reason += f": {seconds:.3f} s"
            raise self._failed(failure) from None
        words = line.split()
        move = words[1].decode("utf-8", "replace") if len(words) > 1 else ""
        score = _last_score(text) if scored else None
        return Answer(move, line.decode("utf-8", "replace").strip(), elapsed, score)

    def close(self, *, at_once: bool = False) -> None:
        """End the process; `at_once` by force. Harmless when repeated."""
        process, self._process = self._process, None
        if process is None:
            return
        if at_once:
            process.kill()
        else:
            process.quit()

    def _failed(self, failure: Failure) -> Failure:
        self.close(at_once=True)
        return failure

    def _ask(self, command: bytes, last: bytes) -> bytes:
        """What is printed up to a line that begins with `last`."""
        process = self._process
        assert process is not None
        patience = min(HANDSHAKE, self._settings.patience)
        deadline = time.perf_counter() + patience
        try:
            process.send(command, deadline)
            return process.until((last,), deadline)
        except Failure as failure:
            if failure.offence == "timeout":
                failure.reason = f"did not say {last.decode()} within {patience:g} s"
            raise self._failed(failure) from None

    def _greet(self) -> dict[str, EngineOption]:
        """Say hello; the options by their names in lower case."""
        protocol = self._spec.protocol.encode()
        text = self._ask(protocol + b"\n", protocol + b"ok")
        options: dict[str, EngineOption] = {}
        for line in text.decode("utf-8", "replace").splitlines():
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.announced = " ".join(words[2:])
            elif words[:1] == ["option"]:
                try:
                    option = EngineOption.parse(words[1:])
                except ValueError as error:
                    raise SetupError(f"engine {self.name}: bad line {line[:100]!a}: {error}") from None
                options[option.name.lower()] = option
        return options

    def _set_up(self, options: dict[str, EngineOption]) -> None:
        """Set the game, its rules and what the command line says."""
        game = load_game(self._settings.game)
        variant = options.get("uci_variant")
        if variant is not None and variant.default.lower() != game.name:
            if game.name not in [choice.lower() for choice in variant.choices]:
                raise SetupError(f"engine {self.name}: it doesn't play {game.name}")
            self._tell([f"setoption name {variant.name} value {game.name}"])
            options = self._greet()  # the options of that game
        commands = []
        defaults = {option.name: option.default for option in game.options}
        for name, value in self._settings.rules:
            if name.lower() in options:
                commands.append(f"setoption name {name} value {_written(value)}")
            elif value != defaults[name]:
                raise SetupError(
                    f"engine {self.name}: it has no option {name}, which this match sets to {_written(value)}"
                )
        if "offerend" in options:
            commands.append(f"setoption name OfferEnd value {_written(self._settings.offers)}")
        for name, value in self._spec.options:
            known = options.get(name.lower())
            if known is None:
                raise SetupError(f"engine {self.name}: it has no option {ascii(name)[1:-1]}")
            commands.append(
                f"setoption name {known.name}" + ("" if known.type == "button" else f" value {value}".rstrip())
            )
        self._tell(commands)

    def _tell(self, commands: list[str]) -> None:
        """Send commands that are silent when they are accepted."""
        for command in commands:
            text = self._ask(f"{command}\nisready\n".encode("ascii", "replace"), b"readyok")
            refused = _errors(text)
            if refused:
                why = refused[0].removeprefix(_ERROR).decode("utf-8", "replace").strip()
                raise SetupError(f"engine {self.name}: it refused {command!a}: {ascii(why[:200])[1:-1]}")


def _errors(text: bytes) -> list[bytes]:
    return [line.strip() for line in text.split(b"\n") if line.startswith(_ERROR)]


def _last_score(text: bytes) -> int | None:
    """Of the last line about the best move."""
    for line in reversed(text.split(b"\n")):
        if line.startswith(b"info"):
            number = _MULTIPV.search(line)
            score = _SCORE.search(line)
            if score is not None and (number is None or number[1] == b"1"):
                return int(score[1])
    return None


def _written(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
