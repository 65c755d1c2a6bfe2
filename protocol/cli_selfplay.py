"""`thudstone selfplay`: two engine processes against each other over the protocol."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from random import Random
from typing import TextIO

import click
from thudstone.client import Engine, EngineError
from thudstone.engine.game import OVER, IllegalToken
from thudstone.engine.thud.state import ACCEPT, Thud
from thudstone.limit import Limit
from thudstone.position import DWARFS, Position
from thudstone.protocol.cli_input import RULES
from thudstone.protocol.cli_output import SIDES, coloured, last_squares, result, say, show_board, terminal
from thudstone.record import RecordWriter

OWN_ENGINE = [sys.executable, "-m", "thudstone"]
MOVETIME_MS = 200
BOARD_EVERY = 10  # plies, where the board can't be redrawn in place


@click.command(
    epilog="\b\nExamples:\n  thudstone selfplay --battles 2 --movetime 100 --record game.thud\n"
    '  thudstone selfplay --engine "./mine --fast" --random 4 --seed 7'
)
@click.option("--battles", type=click.IntRange(1), default=1, show_default=True, help="Sides swap after each.")
@click.option("--movetime", type=click.IntRange(1), help=f"Milliseconds a ply; {MOVETIME_MS} without another limit.")
@click.option("--depth", type=click.IntRange(1), help="Plies of depth.")
@click.option("--nodes", type=click.IntRange(1), help="Moves made in the search.")
@click.option("--engine", "commands", multiple=True, help="An engine's command, up to two; Thudstone by default.")
@click.option("--record", type=click.Path(dir_okay=False), help="File to write the game to, ply by ply.")
@click.option("--random", "random_plies", type=click.IntRange(0), default=0, help="Begin with so many random plies.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random plies.")
@click.option("--offers", is_flag=True, help="Let the engines end battles by agreement.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
@click.option("--limit", type=click.IntRange(0, 9999), default=200, show_default=True, help="NoCaptureLimit.")
def selfplay(
    battles: int,
    movetime: int | None,
    depth: int | None,
    nodes: int | None,
    commands: tuple[str, ...],
    record: str | None,
    random_plies: int,
    seed: int,
    offers: bool,
    rules: str,
    limit: int,
) -> None:
    """Let two engine processes play, the board drawn as it goes.

    Engine 1 plays the dwarfs first. The last lines are the results and the sum of the margins.
    """
    if len(commands) > 2:
        raise click.UsageError(f"{len(commands)} engines were named, two can play.")
    if movetime is None and depth is None and nodes is None:
        movetime = MOVETIME_MS
    pace = Limit(time=None if movetime is None else movetime / 1000, depth=depth, nodes=nodes)
    # One command plays against our own engine, which is then engine 1.
    players = [OWN_ENGINE] * (2 - len(commands)) + list(commands)
    margins = [0, 0]
    results: list[str] = []
    with contextlib.ExitStack() as stack:
        writer = None if record is None else stack.enter_context(_record(record))
        try:
            engines = [stack.enter_context(Engine.open(command)) for command in players]
            for engine in engines:
                _configure(engine, rules, limit, offers)
            for number in range(battles):
                match = Battle(engines, number % 2, pace, rules, limit, writer)
                say(f"Battle {number + 1} of {battles}: {match.players()}", "bold")
                # Both battles of a pair begin alike.
                match.begin(random_plies, Random(seed + number // 2))
                match.play()
                results.append(result(match.position))
                say(f"The battle is over: {match.game.end()}.")
                margin = match.position.margin
                margins[match.dwarfs] += margin
                margins[1 - match.dwarfs] -= margin
        except EngineError as error:
            raise click.ClickException(str(error)) from None
        for line in results:
            say(line, "bold")
        names = [f"engine {seat + 1} ({engine.name}) {margins[seat]:+d}" for seat, engine in enumerate(engines)]
        say(f"Total: {', '.join(names)}", "bold")


class Battle:
    """A battle between engine `dwarfs` (0 or 1) and the other. This process is the referee."""

    def __init__(
        self, engines: list[Engine], dwarfs: int, pace: Limit, rules: str, limit: int, writer: RecordWriter | None
    ) -> None:
        self.dwarfs = dwarfs
        self.game = Thud.start(2, {"TrollCapture": rules, "NoCaptureLimit": limit})
        self.position = Position(rule=rules)
        self._engines = engines
        self._pace = pace
        self._writer = writer
        self._tokens: list[str] = []

    def players(self) -> str:
        seats = [self._seat(turn) for turn in (0, 1)]
        return ", ".join(
            f"{side} engine {seat + 1} ({self._engines[seat].name})" for side, seat in zip(SIDES, seats, strict=True)
        )

    def begin(self, random_plies: int, rng: Random) -> None:
        """Start the battle with some random plies."""
        for engine in self._engines:
            engine.new_game()
        self._write_start()
        for _ in range(random_plies):
            moves = self.game.legal()
            if not moves:
                break
            self._apply(rng.choice(moves))

    def play(self) -> None:
        """Play to the end."""
        with _display() as display:
            while self.game.turn != OVER:
                engine = self._engines[self._seat(self.game.turn)]
                engine.position(None, self._tokens)
                answer = engine.go(self._pace)
                if answer.move is None:
                    raise EngineError(f"{engine.name} has a legal move, but answered (none)")
                try:
                    self._apply(answer.move)
                except IllegalToken as error:
                    ply = len(self._tokens) + 1
                    raise EngineError(f"{engine.name} played an illegal move: ply {ply}, {error}") from None
                score = answer.lines[0].score if answer.lines else None
                depth = answer.lines[0].depth if answer.lines else None
                thought = "" if score is None else f"  {score} at depth {depth}"
                display.show(self.position, f"{len(self._tokens):4}  {self._tokens[-1]}{thought}")
            display.end(self.position)
        if self._writer is not None:
            with _writing():
                self._writer.end(self.game.end())

    def _seat(self, turn: int) -> int:
        """Which engine plays a side."""
        return self.dwarfs if turn == DWARFS else 1 - self.dwarfs

    def _write_start(self) -> None:
        if self._writer is not None:
            with _writing():
                self._writer.start(self.position)
                for turn in (0, 1):
                    seat = self._seat(turn)
                    self._writer.comment(f"{SIDES[turn]}: {self._engines[seat].name} (engine {seat + 1})")

    def _apply(self, token: str) -> None:
        """Play a token, and write its move down. IllegalToken with the reason."""
        played = self.game.apply(token)
        self._tokens.append(played)
        if played == ACCEPT:
            return
        move = self.position.push(played.removesuffix(ACCEPT))
        if self._writer is not None:
            with _writing():
                self._writer.ply(move)


class Display:
    """Shows a battle as it goes: a line a ply, and the board now and then."""

    def show(self, position: Position, line: str) -> None:
        say(line)
        if position.ply % BOARD_EVERY == 0:
            show_board(position, last_squares(position))

    def end(self, position: Position) -> None:
        if position.ply % BOARD_EVERY:
            show_board(position, last_squares(position))


@contextlib.contextmanager
def _display() -> Iterator[Display]:
    """In a terminal the board is drawn again in its place, elsewhere below the last."""
    console = terminal()
    if console is None:
        yield Display()
        return
    from rich.live import Live

    with Live(console=console, auto_refresh=False) as live:

        class InPlace(Display):
            def show(self, position: Position, line: str) -> None:
                live.update(coloured(position, last_squares(position)).append(f"\n{line}"), refresh=True)

            def end(self, position: Position) -> None:
                return

        yield InPlace()


def _configure(engine: Engine, rules: str, limit: int, offers: bool) -> None:
    """Both engines must play by the same rules. One that lacks an option can only have its default."""
    for name, value, default in (("TrollCapture", rules, "any"), ("NoCaptureLimit", limit, 200)):
        if value != default or name in engine.options:
            engine.set_option(name, value)
    if "OfferEnd" in engine.options:
        engine.set_option("OfferEnd", offers)


@contextlib.contextmanager
def _record(path: str) -> Iterator[RecordWriter]:
    """The record's file. That it can't be written is said before a ply is played."""
    file: TextIO
    try:
        file = open(path, "w", encoding="ascii", errors="backslashreplace")  # noqa: SIM115
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from None
    try:
        writer = RecordWriter(file)
        with _writing():
            writer.comment("a game of Thud between two engines")
        yield writer
    finally:
        # Every line is in the file already; where the last one failed, closing would try it again.
        with contextlib.suppress(OSError):
            file.close()


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"cannot write the record: {error.strerror}") from None
