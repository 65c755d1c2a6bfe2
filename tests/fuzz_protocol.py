"""Nonsense for the engine process: half of the lines are good ones with one mutation, a tenth are raw bytes, the others
are good ones and words in any order; a fifth of all come while a search runs.

    python tests/fuzz_protocol.py --lines 100000 --seed 1

After each line the process must be alive and answer, a line that was refused must have changed nothing, and no accepted
`go` may have more or less than one `bestmove`. Ends with status 1 and the line that broke it otherwise.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from protocol_client import Client
from thudstone.engine.thud import core

ERROR = "info string error: "
VOCABULARY = (
    "uci ugi isready ucinewgame uginewgame setoption name value position startpos fen players seat moves go "
    "searchmoves depth nodes movetime infinite ponder wtime btime p1time p2time p3time dtime ttime winc binc "
    "p1inc dinc tinc movestogo perft query gameover p1turn result end turn legal islegal score chance redact "
    "returns d eval help bench stop ponderhit Hash Clear Threads MultiPV Ponder Move Overhead TrollCapture "
    "NoCaptureLimit OfferEnd UCI_Variant any one thud true false * = 0 1 2 3 -1 16 99999999999999999999 1.5 "
    "dO11-O9 o11-o9 TG7-F6 dA6-B7= @1=A !x ? \x00 \t"
)
WORDS = VOCABULARY.split(" ")
NUMBERS = ("0", "1", "2", "3", "5", "50", "-1", "1000", "x", "1e3", "4294967296", "9" * 30)
OPTIONS = (
    ("Hash", ("1", "2", "16", "0", "-5", "1000000000000", "banana")),
    ("Clear Hash", ()),
    ("Threads", ("1", "2", "65")),
    ("MultiPV", ("1", "3", "0")),
    ("Ponder", ("true", "false", "perhaps")),
    ("Move Overhead", ("0", "10", "-1")),
    ("TrollCapture", ("any", "all-or-none", "all", "one", "none")),
    ("NoCaptureLimit", ("0", "3", "200", "10000")),
    ("OfferEnd", ("true", "false")),
    ("UCI_Variant", ("thud", "chess")),
)
QUERIES = ("gameover", "p1turn", "result", "end", "turn", "legal", "islegal", "fen", "score", "redact", "returns")
PLAIN = ["uci", "ugi", "isready", "ucinewgame", "uginewgame", "stop", "ponderhit", "d", "eval", "help", "bench"]


class Grammar:
    """Lines as a controller might write them."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def line(self) -> str:
        return self._random.choice((self._plain, self._option, self._position, self._moves, self._go, self._query))()

    def _plain(self) -> str:
        return self._random.choice(PLAIN)

    def _option(self) -> str:
        name, values = self._random.choice(OPTIONS)
        return f"setoption name {name} value {self._random.choice(values)}" if values else f"setoption name {name}"

    def _position(self) -> str:
        board = core.Board()
        moves = self._playout(board, self._random.randrange(60))
        if self._random.random() < 0.5:
            return f"position startpos{self._seat()} moves {' '.join(moves)}"
        fen = board.tfen
        return f"position fen {fen}{self._seat()} moves {' '.join(self._playout(board, self._random.randrange(4)))}"

    def _seat(self) -> str:
        return self._random.choice(("", "", " players 2", " seat 1", " seat *", " players 2 seat 2"))

    def _moves(self) -> str:
        return f"moves {' '.join(self._playout(core.Board(), self._random.randrange(1, 3)))}"

    def _playout(self, board: core.Board, plies: int) -> list[str]:
        tokens: list[str] = []
        while len(tokens) < plies and board.end() == "none":
            move = self._random.choice(board.legal_moves())
            offer = "=" if self._random.random() < 0.05 else ""
            tokens.append(core.move_text(move, board.side) + offer)
            board.push(move)
        return tokens

    def _go(self) -> str:
        words = ["go"]
        for _ in range(self._random.randrange(4)):
            word = self._random.choice(("depth", "nodes", "movetime", "wtime", "ttime", "p1inc", "movestogo", "perft"))
            words += [word, self._random.choice(NUMBERS[:8])]
        words += self._random.choice(([], [], ["infinite"], ["ponder"], ["searchmoves", "dO11-O9"]))
        return " ".join(words)

    def _query(self) -> str:
        return f"query {self._random.choice(QUERIES)} {self._random.choice(('', '1', '2', 'dO11-O9', '='))}"


class Fuzzer:
    """One process, and what is known about it."""

    def __init__(self, client: Client, seed: int) -> None:
        self._client = client
        self._random = Random(seed)
        self._grammar = Grammar(self._random)
        self._syncs = 0
        self.searches = 0  # accepted `go`s, each of which owes a bestmove
        self.refused = 0
        self._answered = 0
        self._fen = f"response {core.START}"

    def run(self, lines: int) -> None:
        sent = 0
        while sent < lines:
            if self._random.random() < 0.05:  # with 5 lines each, a fifth of the lines
                sent += 1 + self._searching(min(5, lines - sent))
            else:
                self._try(self._line())
                sent += 1
            self._settle()

    def _searching(self, lines: int) -> int:
        """Lines while a search runs."""
        self._try(self._random.choice((b"go infinite", b"go ponder", b"go depth 99", b"go perft 9", b"bench")))
        for _ in range(lines):
            self._try(self._line())
        return lines

    def _settle(self) -> None:
        """Whatever runs is stopped; every accepted `go` has its one answer now."""
        self._say(b"stop")
        assert self._answered == self.searches, f"{self.searches} searches, {self._answered} answers"

    def _try(self, line: bytes) -> None:
        words = line.split()
        if words and words[0] == b"quit":
            return
        try:
            errors, fen = self._say(line)
        except AssertionError as error:
            raise AssertionError(f"after {line!r}: {error}") from error
        assert len(errors) <= 1, f"{line!r} got {errors}"
        assert not any("internal error" in error for error in errors), f"{line!r} got {errors}"
        if errors:
            assert fen == self._fen, f"{line!r} was refused and changed the position"
        elif words[:1] == [b"go"] and b"perft" not in words:
            self.searches += 1
        self.refused += len(errors)
        self._fen = fen

    def _say(self, line: bytes) -> tuple[list[str], str]:
        """Send a line; its errors, and the position after it."""
        self._syncs += 1
        sync = f"sync-{self._syncs}"
        self._client.send(line, "query fen", sync)
        lines = self._client.until(f"{ERROR}unknown command '{sync}'")[:-1]
        self._answered += sum(line.startswith("bestmove ") for line in lines)
        fen = [line for line in lines if line.startswith("response ")][-1]
        return [line for line in lines if line.startswith(ERROR)], fen

    def _line(self) -> bytes:
        kind = self._random.random()
        if kind < 0.5:
            return self._mutated(self._grammar.line().encode("ascii"))
        if kind < 0.6:
            return self._random.randbytes(self._random.randrange(1, 200)).replace(b"\n", b"")
        if kind < 0.8:
            return self._grammar.line().encode("ascii")
        return " ".join(self._random.choices(WORDS, k=self._random.randrange(1, 8))).encode("ascii")

    def _mutated(self, line: bytes) -> bytes:
        """One byte or one word changed, left out, doubled, put in or put elsewhere; or the end cut off."""
        random = self._random
        words: list[bytes] = line.split(b" ")
        at = random.randrange(len(words))
        byte = random.randrange(len(line))
        match random.randrange(9):
            case 0:
                return line[:byte] + bytes([random.choice((0, 9, 13, 32, 45, 57, 61, 120, 200))]) + line[byte + 1 :]
            case 1:
                return line[:byte] + line[byte + 1 :]
            case 2:
                return line[:byte]
            case 3:
                return line[:byte] + line[byte : byte + 1] * random.randrange(2, 300) + line[byte + 1 :]
            case 4:
                words[at] = random.choice(WORDS).encode("ascii")
            case 5:
                del words[at]
            case 6:
                words.insert(at, random.choice((*WORDS, *NUMBERS)).encode("ascii"))
            case 7:
                words.insert(random.randrange(len(words)), words.pop(at))
            case _:
                words[at] = words[at].swapcase()
        return b" ".join(words)


def fuzz(lines: int, seed: int) -> Fuzzer:
    """AssertionError for the first line that the process doesn't take as it should."""
    with Client() as client:
        fuzzer = Fuzzer(client, seed)
        fuzzer.run(lines)
        client.send("quit")
        _, status = client.rest()
        assert status == 0, f"it ended with status {status}"
        assert client.errors == "", "it wrote on stderr"
    return fuzzer


def main() -> int:
    parser = argparse.ArgumentParser(description="Send nonsense to an engine process.")
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        fuzzer = fuzz(arguments.lines, arguments.seed)
    except AssertionError as error:
        print(error, file=sys.stderr)
        return 1
    print(
        f"{arguments.lines} lines, seed {arguments.seed}: alive, nothing on stderr, {fuzzer.refused} refused, "
        f"one bestmove for each of {fuzzer.searches} searches"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
