"""The engine process: commands come in on stdin, and are carried out or refused, each on its own.

This thread reads and answers; the worker searches. Nothing here knows a rule of any game.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from thudstone.engine import games
from thudstone.protocol import go, query
from thudstone.protocol.input import lines
from thudstone.protocol.jobs import Bench, Perft, Search
from thudstone.protocol.output import Output
from thudstone.protocol.refusal import Refusal, plain, quoted
from thudstone.protocol.session import Registry, Session
from thudstone.protocol.worker import Worker
from thudstone.version import __version__

AUTHOR = "the Thudstone authors"
PATIENCE = 2.0  # seconds that `quit` waits for a search that doesn't heed its stop

# How long a thread of pure Python may keep the reading thread waiting, in seconds: an answer is due within 10 ms.
SWITCH_INTERVAL = 0.001

HELP = """\
uci, ugi                  say hello and list the options; the last one decides how answers look
isready                   answered by readyok, during a search, too
setoption name N value V  set an option
ucinewgame, uginewgame    forget what was learned in the last game
position (startpos | fen TEXT) [players N] [seat S|*] [moves M ...]
                          set a position
moves M ...               play on from it
go [searchmoves M ...] [depth N] [nodes N] [movetime MS] [infinite] [ponder]
   [wtime|p1time|dtime MS] [btime|p2time|ttime MS] [winc|p1inc|dinc MS] [binc|p2inc|tinc MS] [movestogo N]
                          search, until the first limit; without one, until stop
go perft N                count the move sequences of N plies
stop                      end the search, which then answers
ponderhit                 the expected move was played
query (gameover | p1turn | result | end | turn | legal | islegal M | fen | score | chance | redact SEAT | returns)
                          ask for one fact of the position
d, eval                   show the position, or its static evaluation
bench                     search fixed positions, and sum up the nodes
quit                      leave"""


class Server:
    """One conversation."""

    def __init__(self, output: Output, session: Session) -> None:
        self._output = output
        self._session = session
        self._worker = Worker(output)
        self._read_at = time.monotonic()  # when the command at hand was read
        # What is refused while a job runs, and what is not.
        self._idle_commands: dict[bytes, Callable[[bytes], None]] = {
            b"position": self._position,
            b"moves": self._moves,
            b"setoption": self._setoption,
            b"go": self._go,
            b"ucinewgame": self._newgame,
            b"uginewgame": self._newgame,
            b"bench": self._bench,
        }
        self._commands: dict[bytes, Callable[[bytes], None]] = {
            b"uci": self._uci,
            b"ugi": self._ugi,
            b"isready": self._isready,
            b"stop": self._stop,
            b"ponderhit": self._ponderhit,
            b"query": self._query,
            b"d": self._draw,
            b"eval": self._eval,
            b"help": self._help,
        }

    def serve(self, source: int) -> None:
        """Until `quit` or the end of the input; a search that ends by itself may then still end and answer."""
        for line, self._read_at in lines(source):
            words = line.split(None, 1)
            if not words:
                continue
            if words[0] == b"quit":
                self.leave()
                return
            self._obey(words[0], line)
        job = self._worker.job
        if job is not None and job.endless:
            self._worker.stop()
        self._worker.wait()

    def leave(self) -> None:
        """Stop what runs, and wait for its answer, but not for ever."""
        job = self._worker.job
        if job is not None:
            job.stop.set()
            self._worker.wait(PATIENCE)

    def _obey(self, name: bytes, line: bytes) -> None:
        try:
            if name in self._idle_commands:
                if self._worker.job is not None:
                    raise Refusal("searching")
                self._idle_commands[name](line)
            elif name in self._commands:
                self._commands[name](line)
            else:
                raise Refusal(f"unknown command {quoted([name])}")
        except Refusal as error:
            self._output.error(str(error))
        except Exception as error:  # a mistake in a game must not end the conversation; it is said, not hidden
            self._output.failure(name.decode("ascii"), error)

    def _uci(self, line: bytes) -> None:
        self._handshake("uciok", universal=False)

    def _ugi(self, line: bytes) -> None:
        self._handshake("ugiok", universal=True)

    def _handshake(self, last: str, *, universal: bool) -> None:
        announced = self._session.handshake(universal=universal)
        self._output.text([f"id name Thudstone {__version__}", f"id author {AUTHOR}", *announced, last])

    def _isready(self, line: bytes) -> None:
        self._output.line("readyok")

    def _newgame(self, line: bytes) -> None:
        self._session.player.new_game()

    def _setoption(self, line: bytes) -> None:
        self._session.set_option(line.split()[1:])

    def _position(self, line: bytes) -> None:
        self._session.set_position(line)

    def _moves(self, line: bytes) -> None:
        self._session.play(line.split()[1:])

    def _go(self, line: bytes) -> None:
        command = go.parse(line.split()[1:])
        position = self._session.position
        if command.perft is not None:
            if self._session.rejected is not None:
                raise Refusal("go perft: the last position was rejected")
            self._worker.start(Perft(self._output, position.state, command.perft))
            return
        turn = position.state.turn
        try:
            limits = command.limits(position.state.seats, turn, position.read_move, self._read_at)
        except Refusal as error:
            raise Refusal(f"go searchmoves: {error}") from None
        self._worker.start(Search(self._output, self._session, limits, bounded=command.bounded(turn)))

    def _stop(self, line: bytes) -> None:
        # What follows is handled once the answer is out, so that `stop`, `position` and `go` may come in one write.
        self._worker.stop()

    def _ponderhit(self, line: bytes) -> None:
        job = self._worker.job
        if job is not None:
            job.ponderhit()

    def _query(self, line: bytes) -> None:
        self._output.line(query.answer(self._session, line.split()[1:]))

    def _draw(self, line: bytes) -> None:
        self._output.people(self._session.position.state.draw())

    def _eval(self, line: bytes) -> None:
        self._output.people(self._session.player.explain(self._session.position.state))

    def _help(self, line: bytes) -> None:
        self._output.people(HELP)

    def _bench(self, line: bytes) -> None:
        self._worker.start(Bench(self._output, self._session.player))


def main(game: str = "thud", registry: Registry | None = None, *, data: str = "") -> int:
    """Serve stdin and stdout; `data` is a file of the game's figures. Returns the status for the process to end with.
    ValueError for an unknown game."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    output = Output(1)
    try:
        session = Session(registry or Registry(games.NAMES, games.load), game, data)
    except Refusal as refusal:
        print(f"thudstone: error: --data: {plain(str(refusal))}", file=sys.stderr)
        return 2
    server = Server(output, session)
    try:
        server.serve(0)
    except KeyboardInterrupt:
        server.leave()
    return 0
