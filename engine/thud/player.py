"""The Thud player: the core's search behind the options, limits and threads of a `Player`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from thudstone.engine import processors
from thudstone.engine.clock import budget
from thudstone.engine.game import Choice, Game, Info, Limits, Option, OptionValue, Player, Stop
from thudstone.engine.memory import available_mb
from thudstone.engine.thud import bench, core
from thudstone.engine.thud.book import RULE, SHIPPED, Book, BookError, Entry
from thudstone.engine.thud.offer import Offers
from thudstone.engine.thud.skill import FULL, Skill
from thudstone.engine.thud.state import ACCEPT, Thud

MAX_HASH_MB = 1 << 20
MAX_DEPTH = 100
BOOK_HORIZON = 100  # plies without a capture that must be left for the book's moves to be the best


class ThudPlayer(Player):
    """Alpha-beta over a transposition table that its threads share."""

    options = (
        Option("Hash", "spin", 64, 1, MAX_HASH_MB),
        Option("Clear Hash", "button"),
        Option("Threads", "spin", 1, 1, 64),
        Option("MultiPV", "spin", 1, 1, 256),
        Option("Ponder", "check", False),
        Option("Move Overhead", "spin", 10, 0, 5000),
        Option("OfferEnd", "check", False),
        Option("Skill Level", "spin", FULL, 0, FULL),
        Option("OwnBook", "check", False),
        Option("BookFile", "string"),
    )

    def __init__(self) -> None:
        self._values: dict[str, OptionValue] = {option.name: option.default for option in self.options}
        self._table = core.Table(self._spin("Hash"))
        self._searchers = [core.Searcher(self._table)]
        self._offers = Offers()
        self._book: Book | None = None  # while OwnBook is on
        self._rules: tuple[str, int] | None = None  # under which the table was filled

    def _spin(self, name: str) -> int:
        return int(self._values[name])

    def set_option(self, name: str, value: OptionValue | None) -> None:
        if name == "Clear Hash":
            self._table.clear()
            return
        if name not in self._values or value is None:
            raise ValueError(f"{name} is not an option of this player that takes a value")
        if name == "Hash":
            self._resize(int(value))
        elif name == "Threads":
            # More threads than processors only take turns, and keep the one that reads commands waiting.
            count = min(int(value), processors.available())
            del self._searchers[count:]
            self._searchers += [core.Searcher(self._table) for _ in range(count - len(self._searchers))]
        elif name in ("OwnBook", "BookFile"):
            values = {**self._values, name: value}
            self._book = _open(str(values["BookFile"])) if values["OwnBook"] else None
        self._values[name] = value

    def _resize(self, mb: int) -> None:
        """The new table is there before the old one goes, so that a refusal changes nothing."""
        free = available_mb()
        if free is not None and mb > free + self._table.mb:
            raise ValueError(f"{mb} MB is more than the {free + self._table.mb} MB of memory that can be used")
        try:
            table = core.Table(mb)
        except MemoryError as error:
            raise ValueError(str(error)) from None
        self._table = table
        for searcher in self._searchers:
            searcher.share(table)

    def new_game(self) -> None:
        self._table.clear()
        for searcher in self._searchers:
            searcher.forget()
        self._offers = Offers()

    def search(self, view: Game, limits: Limits, report: Callable[[Info], None], stop: Stop) -> Choice:
        assert isinstance(view, Thud)
        board, side = view.board, view.board.side
        if view.end() != "none":
            report(Info(0, _elapsed_ms(limits)))
            return Choice(None)
        if self._rules != (board.rule, view.limit):
            self._rules = (board.rule, view.limit)
            self._table.clear()  # its scores are those of other rules
        self._table.new_search()
        time_budget = budget(limits, side, self._spin("Move Overhead"))
        main, others = self._searchers[0], self._searchers[1:]
        depth = MAX_DEPTH if limits.depth is None else min(limits.depth, MAX_DEPTH)
        lines = self._spin("MultiPV")
        last_score = 0
        last_depth = 0

        def nodes() -> int:
            return main.nodes + sum(searcher.nodes for searcher in others)

        def on_line(depth: int, seldepth: int, line: int, score: int, pv: list[int]) -> None:
            nonlocal last_score, last_depth
            if line == 1:
                last_score, last_depth = score, depth
            report(
                Info(
                    nodes(),
                    _elapsed_ms(limits),
                    depth=depth,
                    seldepth=seldepth,
                    multipv=line,
                    score=score,
                    hashfull=self._table.hashfull(),
                    pv=tuple(core.move_text(move, (side + i) & 1) for i, move in enumerate(pv)),
                )
            )

        roots = self._roots(view, limits)
        if roots == []:  # only the answer to the offer was to be looked at
            report(Info(0, _elapsed_ms(limits)))
            return Choice(ACCEPT)
        if (entry := self._book_entry(view, limits, roots)) is not None:
            best_known = entry.moves[0]
            report(
                Info(
                    0,
                    _elapsed_ms(limits),
                    depth=entry.depth,
                    seldepth=entry.depth,
                    multipv=1,
                    score=best_known.score,
                    pv=(best_known.text,),
                )
            )
            report(Info(0, _elapsed_ms(limits)))
            return Choice(best_known.text)
        skill: Skill | None = None
        take = on_line
        if self._spin("Skill Level") < FULL:
            skill = Skill(self._spin("Skill Level"), board.key, roots or board.legal_moves(), lines, on_line)
            roots, lines, take = skill.roots, skill.lines, skill.take
            depth = min(depth, skill.depth)
            others = []  # a level is a depth, and the same with any number of threads
        hard = -1.0 if time_budget.hard_ms is None else time_budget.hard_ms
        halt = bytearray(1)
        # The helpers look at the stop and the clock themselves: where threads are more than processors, the one that
        # leads may be waiting for its turn.
        threads = [
            threading.Thread(
                target=searcher.search,
                args=(board, None, stop.flags),
                kwargs={
                    "moves": roots,
                    "limit": view.limit,
                    "first_depth": 1 + (number & 1),
                    "hard": hard,
                    "elapsed": (time.monotonic() - limits.started) * 1000,
                    "ponder": limits.ponder,
                    "halt": halt,
                },
                daemon=True,
            )
            for number, searcher in enumerate(others, 1)
        ]
        try:
            for thread in threads:
                try:
                    thread.start()
                except RuntimeError:  # the system has no room for more: those that run are enough to answer
                    break
            best = main.search(
                board,
                take,
                stop.flags,
                moves=roots,
                limit=view.limit,
                depth=depth,
                nodes=limits.nodes,
                soft=-1.0 if time_budget.soft_ms is None else time_budget.soft_ms,
                hard=hard,
                elapsed=(time.monotonic() - limits.started) * 1000,
                ponder=limits.ponder,
                lines=lines,
                peers=others,
            )
        finally:
            halt[0] = 1
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
        report(Info(nodes(), _elapsed_ms(limits)))
        if skill is not None and skill.best:
            best = skill.best
        move = core.move_text(best[0], side)
        if self._values["OfferEnd"] and not limits.infinite:
            move = self._offers.answer(view, move, last_score, last_depth)
        return Choice(move, core.move_text(best[1], side ^ 1) if len(best) > 1 and move != ACCEPT else None)

    def _book_entry(self, view: Thud, limits: Limits, roots: list[int] | None) -> Entry | None:
        """What the book says here, where one may answer from it: its moves are the best ones of a battle of the usual
        rules, and an analysis asks for more than a move."""
        if (
            self._book is None
            or limits.infinite
            or limits.ponder
            or self._spin("MultiPV") > 1
            or self._spin("Skill Level") < FULL
            or view.offered
            or view.board.rule != RULE
            or 0 < view.limit < view.board.quiet + BOOK_HORIZON
        ):
            return None
        entry = self._book.find(view.board)
        if entry is None or (roots is not None and view.board.parse(entry.moves[0].text) not in roots):
            return None
        return entry

    def _roots(self, view: Thud, limits: Limits) -> list[int] | None:
        """The moves that `searchmoves` allows; None for all. An offer it carries is not the search's."""
        if not limits.searchmoves:
            return None
        texts = (token.removesuffix(ACCEPT) for token in limits.searchmoves if token != ACCEPT)
        return list(dict.fromkeys(view.board.parse(text) for text in texts))

    def explain(self, view: Game) -> str:
        assert isinstance(view, Thud)
        rows = view.board.terms()
        lines = [f"{'':20}{'value':>6}{'points':>10}"]
        lines += [f"{name:20}{value:6}{part / 1600:10.2f}" for name, value, part in rows]
        total = view.board.evaluate() * (1 if view.board.side == core.DWARFS else -1)
        lines.append(f"{'sum':26}{total / 100:10.2f}")
        end = view.end()
        if end != "none":
            dwarfs, trolls = view.score()
            lines.append(f"The battle is over ({end}): margin {dwarfs - trolls:+d} for the dwarfs.")
        else:
            mover = ("dwarfs", "trolls")[view.board.side]
            lines.append(f"Evaluation: {total / 100:+.2f} points for the dwarfs, {mover} to move.")
        return "\n".join(lines)

    def bench(self, stop: Stop) -> Iterator[str]:
        return bench.run(stop)


def _open(path: str) -> Book:
    """The book at a path, the shipped one for none. ValueError says what is wrong with it."""
    try:
        return Book.read(Path(path) if path else SHIPPED)
    except OSError as error:
        raise ValueError(f"{path or 'the shipped book'}: {error.strerror}") from None
    except BookError as error:
        raise ValueError(f"{path or 'the shipped book'}: {error}") from None


def _elapsed_ms(limits: Limits) -> int:
    return int((time.monotonic() - limits.started) * 1000)
