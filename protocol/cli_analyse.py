"""`thudstone analyse`: what the engine thinks of a position, or of each ply of a record."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field

import click
from thudstone.analysis import KINDS, Analysis, Judgement, Ply, analysis, judge_battle
from thudstone.cache import Cache
from thudstone.engine.game import Info, Limits
from thudstone.engine.thud.player import ThudPlayer
from thudstone.graph import graph_text
from thudstone.letters import Files as Letters
from thudstone.position import DWARFS, TROLLS, Position
from thudstone.protocol.cli_input import FILES, RULES, SIDES, read_source
from thudstone.protocol.cli_outfile import OutFile
from thudstone.protocol.cli_output import SIDES as SIDE_NAMES
from thudstone.protocol.cli_output import from_dwarfs, points, progress, say, say_results, show_board, terminal, width
from thudstone.protocol.cli_thinking import analysed, think
from thudstone.record import Battle, Record
from thudstone.store import StoreError

POSITION_MS = 2000
PLY_MS = 100


@click.command(
    epilog="\b\nExamples:\n  thudstone analyse game.thud --movetime 500 --html report.html\n"
    '  thudstone analyse "dE11,dE10,TG10,RH8" --depth 4 --multipv 3'
)
@click.argument("source", metavar="POSITION|FILE")
@click.option("--movetime", type=click.IntRange(1), help=f"Milliseconds; {POSITION_MS}, or {PLY_MS} for each ply.")
@click.option("--depth", type=click.IntRange(1, 100), help="Plies of depth.")
@click.option("--nodes", type=click.IntRange(1), help="Moves made in the search.")
@click.option("--multipv", type=click.IntRange(1, 100), default=1, show_default=True, help="How many best moves.")
@click.option("--battle", type=click.IntRange(1), help="Which battle of a record; all by default.")
@click.option("--side", type=SIDES, help="Side to move of a piece list.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="TrollCapture.")
@click.option("--files", type=FILES, default="thud", show_default=True, help="How the record letters the files.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, before the results.")
@click.option("--html", metavar="FILE", help="Write a report of the game.")
@click.option("--plot", metavar="FILE", help="Write the curve of scores, .svg or .png.")
@click.option("--annotate", metavar="FILE", help="Write the record with a comment after each ply.")
@click.option("--cache", metavar="FILE", help="Keep what searches find in this SQLite file.")
def analyse(
    source: str,
    movetime: int | None,
    depth: int | None,
    nodes: int | None,
    multipv: int,
    battle: int | None,
    side: str | None,
    rules: str,
    files: Letters,
    as_json: bool,
    html: str | None,
    plot: str | None,
    annotate: str | None,
    cache: str | None,
) -> None:
    """Analyse a position (a TFEN or a piece list) or a record, ply by ply; - is stdin.

    Of a position each line shows the depth, the score in points from the side to move, nodes, seconds, and the best
    line of play. Of a record each line shows a ply, the score after it in points from the dwarfs' view, and the
    move that the engine would have played instead, with the ply's class where it lost a point or more; then come a
    graph of the scores, the accuracy of both sides and the turning points. The last lines are the results: pieces
    left and the dwarfs' margin in points, one line a battle. Ctrl-C keeps what is done: the files are written for
    the plies that were analysed.
    """
    read = read_source(source, rules, side, files)
    if battle is not None:
        read = read.one(battle)
    if movetime is None and depth is None and nodes is None:
        movetime = POSITION_MS if read.is_position else PLY_MS

    def limits() -> Limits:
        return Limits(movetime=movetime, depth=depth, nodes=nodes)

    player = ThudPlayer()
    player.set_option("MultiPV", multipv)
    if read.is_position:
        for option, given in (("--html", html), ("--plot", plot), ("--annotate", annotate), ("--cache", cache)):
            if given is not None:
                raise click.ClickException(f"{option} is for the record of a game, and this is a position")
        _position(player, read.battles[0], limits(), multipv, as_json)
        say_results(read.battles)
        return
    if cache is not None and multipv > 1:
        raise click.UsageError("--cache keeps one best move a position, so that it does not go with --multipv")
    written = Files.opened(html, plot, annotate, len(read.battles))
    kept = None
    try:
        if cache is not None:
            try:
                kept = Cache(cache, f"movetime {movetime} depth {depth} nodes {nodes}")
            except StoreError as error:
                raise click.ClickException(f"--cache {cache}: {error}") from None
        task = Task(player, limits, kept, cache or "", as_json, battle or 1)
        name = os.path.basename(read.name)
        try:
            task.battles(read.battles)
        except KeyboardInterrupt:
            try:
                written.write(name, task.done, read.battles)
            finally:
                say_results(read.battles)
            if written.any and task.done:
                plies = sum(len(each.plies) for each in task.done)
                print(f"thudstone: interrupted; the files hold the {plies} plies analysed", file=sys.stderr)
            raise
        try:
            written.write(name, task.done, read.battles)
        finally:
            say_results(read.battles)
    finally:
        written.discard()
        if kept is not None:
            kept.close()


@dataclass
class Files:
    """What is written when the analysis ends. Each is found unwritable before it begins."""

    html: OutFile | None = None
    plot: OutFile | None = None
    annotate: OutFile | None = None

    @classmethod
    def opened(cls, html: str | None, plot: str | None, annotate: str | None, battles: int) -> Files:
        if plot is not None:
            if not plot.lower().endswith((".svg", ".png")):
                raise click.ClickException(f"--plot {plot}: neither .svg nor .png")
            if battles > 1:
                raise click.ClickException(f"--plot shows one battle of {battles}: choose with --battle")
            if plot.lower().endswith(".png"):
                from thudstone.picture import png

                try:
                    png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 1)
                except RuntimeError as error:
                    raise click.ClickException(f"--plot {plot}: {error}") from None
        files = cls()
        try:
            files.html = OutFile("--html", html) if html is not None else None
            files.plot = OutFile("--plot", plot) if plot is not None else None
            files.annotate = OutFile("--annotate", annotate) if annotate is not None else None
        except BaseException:
            files.discard()
            raise
        return files

    @property
    def any(self) -> bool:
        return any((self.html, self.plot, self.annotate))

    def write(self, name: str, done: list[Analysis], battles: tuple[Battle, ...]) -> None:
        """Write all files from what is done of `battles`; with nothing done, what stood in them stays. One that can't
        be written keeps no other from being written; ClickException names it then.
        """
        failures = []
        for file, content in ((self.html, _page), (self.plot, _plot), (self.annotate, _record)):
            if file is not None and done:
                try:
                    file.replace(content(file.path, name, done, battles))
                except click.ClickException as error:
                    failures.append(error.message)
        if failures:
            raise click.ClickException("; ".join(failures))

    def discard(self) -> None:
        for file in (self.html, self.plot, self.annotate):
            if file is not None:
                file.discard()


def _page(path: str, name: str, done: list[Analysis], battles: tuple[Battle, ...]) -> bytes:
    from thudstone.report import report_html

    return report_html(f"Analysis of {name}", done).encode()


def _plot(path: str, name: str, done: list[Analysis], battles: tuple[Battle, ...]) -> bytes:
    from thudstone.graph import graph_svg
    from thudstone.picture import png

    picture = path.lower().endswith(".png")
    drawn = graph_svg(done[0], "light" if picture else "auto")
    return png(drawn) if picture else drawn.encode()


def _record(path: str, name: str, done: list[Analysis], battles: tuple[Battle, ...]) -> bytes:
    text = io.StringIO()
    Record((*(each.annotated() for each in done), *battles[len(done) :])).write(text)
    return text.getvalue().encode()


@dataclass
class Task:
    """The analysis of a record, battle by battle. `done` holds what is finished, also of a battle broken off."""

    player: ThudPlayer
    limits: Callable[[], Limits]
    cache: Cache | None
    cache_name: str
    as_json: bool
    first: int  # the number of the first battle
    done: list[Analysis] = field(default_factory=list)
    _alternatives: list[str] = field(default_factory=list)  # with several best moves asked for, the last search's

    def battles(self, battles: tuple[Battle, ...]) -> None:
        """Analyse all. After Ctrl-C, which is raised, `done` is told as far as it came."""
        shown = nullcontext(lambda: None) if terminal() is not None else progress(_positions(battles), "Analysing")
        with shown as advance:
            for number, battle in enumerate(battles, start=self.first):
                if len(battles) > 1 and not self.as_json:
                    say(f"Battle {number}")
                self.player.new_game()
                try:
                    self._battle(number, battle, advance)
                finally:
                    if len(self.done) > number - self.first:
                        self._say_summary(number)

    def _battle(self, number: int, battle: Battle, advance: Callable[[], None]) -> None:
        judgements: list[Judgement] = []
        if not self.as_json:
            say(" ply  move                     points  depth  instead", "dim")
        try:
            for judgement in judge_battle(battle, self._judge):
                judgements.append(judgement)
                self._say_ply(number, battle, judgements)
                advance()
        finally:
            if judgements:
                self.done.append(analysis(battle, judgements))

    def _judge(self, position: Position) -> Judgement:
        found = self._cached(position)
        if found is not None:
            return found
        thought = think(self.player, analysed(position), self.limits())
        if not thought.lines:
            return Judgement(None, 0, thought.choice.move)
        if not self.as_json:
            self._alternatives = [
                f"      {number:3}. {points(from_dwarfs(info.score or 0, position.turn)):>7}  {' '.join(info.pv)}"
                for number, info in enumerate(thought.lines, start=1)
            ][: len(thought.lines) if len(thought.lines) > 1 else 0]
        best = thought.lines[0]
        score = from_dwarfs(best.score or 0, position.turn) / 100
        judgement = Judgement(score, best.depth or 0, thought.choice.move, best.pv)
        if self.cache is not None:
            try:
                self.cache.put(position, judgement)
            except StoreError as error:
                self._give_up(error)
        return judgement

    def _cached(self, position: Position) -> Judgement | None:
        if self.cache is None:
            return None
        try:
            return self.cache.get(position)
        except StoreError as error:
            self._give_up(error)
            return None

    def _give_up(self, error: StoreError) -> None:
        """The analysis is worth more than its cache: it goes on without."""
        print(f"thudstone: warning: --cache {self.cache_name}: {error}; going on without it", file=sys.stderr)
        if self.cache is not None:
            self.cache.close()
        self.cache = None

    def _say_ply(self, number: int, battle: Battle, judgements: list[Judgement]) -> None:
        ply = analysis(battle, judgements).plies[-1] if len(judgements) > 1 else None
        after = judgements[-1]
        if self.as_json:
            print(json.dumps({"battle": number, **_row(ply, after)}), flush=True)
            return
        shown = "?" if after.score is None else points(round(100 * after.score))
        depth = "   over" if after.depth is None else f"  {after.depth:5}"
        instead = "" if ply is None or ply.kind == "best" else ply.before.best or ""
        if ply is not None and ply.loss >= 1:
            instead = f"{instead}  {ply.kind}"
        at, move = (0, "") if ply is None else (ply.number, ply.move.text)
        say(f"{at:4}  {move:22} {shown:>8}{depth}  {instead}".rstrip())
        for line in self._alternatives:
            say(line, "dim")
        self._alternatives = []

    def _say_summary(self, number: int) -> None:
        """The graph, accuracy and turning points of a battle."""
        done = self.done[number - self.first]
        sides = ((side, accuracy) for side in (DWARFS, TROLLS) if (accuracy := done.accuracy(side)) is not None)
        if self.as_json:
            accuracies = {SIDE_NAMES[side]: round(accuracy, 1) for side, accuracy in sides}
            turns = [ply.number for ply in done.turning_points()]
            summary = {"accuracy": accuracies, "turning_points": turns, "end": done.battle.end}
            print(json.dumps({"battle": number, "plies": len(done.plies), **summary}), flush=True)
            return
        if len(done.plies) > 1:
            say("Points for the dwarfs, by ply:", "dim")
            say(graph_text(done, width()))
        for side, accuracy in sides:
            counts = ", ".join(f"{done.count(side, kind)} {kind}" for kind in KINDS)
            say(f"Accuracy: {SIDE_NAMES[side]} {accuracy:.1f} % ({counts})")
        for ply in done.turning_points():
            say(f"Turning point, ply {ply.number}: {ply.sentence}")
        if done.battle.end and done.complete:
            say(f"Ended: {done.battle.end}")


def _positions(battles: tuple[Battle, ...]) -> int:
    return sum(len(battle.moves) + 1 for battle in battles)


def _row(ply: Ply | None, after: Judgement) -> dict[str, object]:
    row: dict[str, object] = {"ply": 0 if ply is None else ply.number, "score": after.score, "depth": after.depth}
    if ply is not None:
        row |= {"move": ply.move.text, "before": ply.before.score, "better": ply.before.best}
        row |= {"loss": round(ply.loss, 2), "class": ply.kind, "line": list(ply.before.line)}
    return row


def _position(player: ThudPlayer, battle: Battle, limits: Limits, multipv: int, as_json: bool) -> None:
    position = battle.position()
    if not as_json:
        show_board(position)
    if position.outcome() is not None:
        return
    if not as_json:
        say(f"  depth   points       nodes    time  line (points for the {SIDE_NAMES[position.turn]})", "dim")

    def say_line(info: Info) -> None:
        if info.score is None:
            return
        if as_json:
            row = {"depth": info.depth, "multipv": info.multipv or 1, "score": info.score / 100, "bound": info.bound}
            print(json.dumps({**row, "nodes": info.nodes, "time": info.time, "line": info.pv}), flush=True)
            return
        depth = f"{info.depth or 0}" + (f" #{info.multipv or 1}" if multipv > 1 else "")
        bound = {"": " ", "lowerbound": ">", "upperbound": "<"}[info.bound]
        seconds = f"{info.time / 1000:.2f}s"
        say(f"{depth:>7} {bound}{points(info.score):>7} {info.nodes:11} {seconds:>7}  {' '.join(info.pv)}")

    thought = think(player, analysed(position), limits, say_line)
    if as_json:
        return
    best = f"Best: {thought.choice.move}"
    say(f"{best} {points(thought.lines[0].score or 0)}" if thought.lines else best, "bold")
