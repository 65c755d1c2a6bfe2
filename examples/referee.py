#!/usr/bin/env python3
"""Plays engines against each other without knowing a rule: one more process is the referee, and is asked.

    python examples/referee.py "thudstone" "python examples/engine.py" --pairs 10 --movetime 50

A pair is one battle for each seat, from one opening, with the seats passed on. An engine that plays an illegal move,
dies, or keeps silent for too long has lost the battle 0 to 32. A game for more than two takes as many engines:

    python examples/referee.py "thudstone --game trol" "thudstone --game trol" "thudstone --game trol" \\
        "thudstone --game trol" --referee "thudstone --game trol" --log

`--log` prints each whole log, which the referee can replay. Deals and rolls, where a game has them, are this program's:
it holds the whole log, and each engine is sent what its seat may see of it.
"""

import argparse
import os
import queue
import random
import shlex
import subprocess
import sys
import threading
from pathlib import Path

LOST = 32  # points against an engine that broke off
PATIENCE = 10.0  # seconds for a handshake and for an answer of the referee


class Failure(Exception):
    """A player did something that ends the battle, or nothing at all."""


class Engine:
    """An engine process, started when it is first needed and again after it failed. Number 0 is the referee."""

    def __init__(self, number: int, command: list[str]) -> None:
        self.number = number
        self.command = command
        self.name = f"{number}:{command[0]}"
        self.process: subprocess.Popen[str] | None = None

    def failure(self, what: str) -> BaseException:
        """To be raised: a player has lost, and without a referee there is no match."""
        return Failure(f"{self.name} {what}") if self.number else SystemExit(f"referee: {self.name} {what}")

    def _start(self) -> subprocess.Popen[str]:
        try:
            process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            raise SystemExit(f"referee: {self.command[0]}: {error.strerror}") from None
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(process, self.lines), daemon=True).start()
        return process

    @staticmethod
    def _read(process: subprocess.Popen[str], lines: "queue.SimpleQueue[str | None]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line.strip())
        lines.put(None)

    def greet(self) -> None:
        """Have the process ready for a new game."""
        if self.process is None:
            self.process = self._start()
            for line in self.ask("uci", "uciok"):
                if line.startswith("id name "):
                    self.name = f"{self.number}:{line.removeprefix('id name ')}"
        self.send("ucinewgame")
        self.ask("isready", "readyok")

    def send(self, line: str) -> None:
        assert self.process is not None and self.process.stdin is not None
        try:
            print(line, file=self.process.stdin, flush=True)
        except OSError:
            raise self.failure("died") from None

    def ask(self, line: str, last: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to one whose first word is `last`."""
        self.send(line)
        lines: list[str] = []
        while not lines or lines[-1].split()[:1] != [last]:
            try:
                answer = self.lines.get(timeout=patience)
            except queue.Empty:
                raise self.failure(f"was silent for {patience:g} s after '{line.split()[0]}'") from None
            if answer is None:
                raise self.failure("died")
            lines.append(answer)
        return lines

    def set(self, position: str) -> None:
        """Set a position, which the engine may have something against."""
        self.send(position)
        for line in self.ask("isready", "readyok"):
            if line.startswith("info string error"):
                raise self.failure(f"said '{line}'")

    def query(self, words: str) -> list[str]:
        """The values of a response."""
        return self.ask(f"query {words}", "response")[-1].split()[1:]

    def end(self) -> None:
        """Away with the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def battle(
    referee: Engine, seats: list[Engine], opening: str, movetime: int, grace: float, dice: random.Random
) -> tuple[list[int], str, list[str]]:
    """The points of each seat, why it ended, and the log."""
    start, _, moves = opening.partition(" moves ")
    log = moves.split()
    referee.greet()
    guilty = 0  # the seat whose turn it is to do something
    try:
        for guilty in range(len(seats)):
            seats[guilty].greet()
        start = f"{start} players {len(seats)}"
        while True:
            referee.set(" ".join(["position", start, "seat *", "moves", *log]))
            turn = referee.query("turn")[0]
            if turn == "over":
                return [int(points) for points in referee.query("score")], referee.query("end")[0], log
            if turn == "chance":
                events = [event.rpartition("*") for event in referee.query("chance")]
                log += dice.choices([token for token, _, _ in events], [int(weight) for _, _, weight in events])
                continue
            guilty = int(turn) - 1
            engine = seats[guilty]
            engine.set(" ".join(["position", start, f"seat {turn}", "moves", *referee.query(f"redact {turn}")]))
            words = engine.ask(f"go movetime {movetime}", "bestmove", movetime / 1000 + grace)[-1].split()
            if len(words) < 2 or referee.query(f"islegal {words[1]}") != ["true"]:
                raise engine.failure(f"answered '{' '.join(words)}', which is illegal")
            log.append(words[1])
    except Failure as failure:
        seats[guilty].end()
        points = [LOST] * len(seats)
        points[guilty] = 0
        return points, str(failure), log


def _table(engines: list[Engine], points: list[int]) -> str:
    if len(engines) == 2:
        return f"{engines[0].name} {points[0]} - {points[1]} {engines[1].name}"
    return ", ".join(f"{engine.name} {each}" for engine, each in zip(engines, points, strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description="Play engines against each other.")
    parser.add_argument("engines", nargs="+", metavar="COMMAND", help="how to start an engine; one a seat")
    parser.add_argument("--pairs", type=int, default=1, help="of battles with seats passed on (1)")
    parser.add_argument("--movetime", type=int, default=100, metavar="MS", help="milliseconds for a move (100)")
    parser.add_argument("--grace", type=float, default=5, metavar="S", help="seconds a move may be late (5)")
    parser.add_argument("--openings", type=Path, metavar="FILE", help="a position a line, used in turn")
    parser.add_argument("--referee", metavar="COMMAND", help="an engine that knows the rules (thudstone)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals and rolls (0)")
    parser.add_argument("--log", action="store_true", help="print the whole log of each battle")
    arguments = parser.parse_args()
    if len(arguments.engines) < 2:
        parser.error("at least two engines make a battle")
    openings = ["startpos"]
    if arguments.openings:
        try:
            lines = [line.strip() for line in arguments.openings.read_text("utf-8").splitlines()]
        except (OSError, ValueError) as error:
            parser.error(f"--openings: {error}")
        openings = [line if line.startswith("startpos") else f"fen {line}" for line in lines if line]
        if not openings:
            parser.error(f"--openings: {arguments.openings} is empty")
    dice = random.Random(arguments.seed)
    commands = [shlex.split(command, posix=os.name == "posix") for command in arguments.engines]
    engines = [Engine(number, command) for number, command in enumerate(commands, 1)]
    referee = Engine(0, shlex.split(arguments.referee) if arguments.referee else [sys.executable, "-m", "thudstone"])
    count = len(engines)
    total = [0] * count
    try:
        for number in range(count * arguments.pairs):
            first = number % count
            seats = engines[first:] + engines[:first]
            opening = openings[number // count % len(openings)]
            points, why, log = battle(referee, seats, opening, arguments.movetime, arguments.grace, dice)
            print(f"{number + 1}. {_table(seats, points)} ({why}, {len(log)} moves)")
            if arguments.log:
                print("log", *log)
            sys.stdout.flush()
            for seat, engine in enumerate(seats):
                total[engine.number - 1] += points[seat]
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        for engine in (referee, *engines):
            engine.end()
    print(f"Sum: {_table(engines, total)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
