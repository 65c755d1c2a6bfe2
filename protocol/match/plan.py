"""What a match is, made from the options of the command line and checked before anything is started."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from thudstone.engine import processors
from thudstone.engine.game import Game, OptionValue
from thudstone.protocol import option as options
from thudstone.protocol.match import opening
from thudstone.protocol.match.opening import OpeningError, RandomOpenings
from thudstone.protocol.match.schedule import Kind, Schedule
from thudstone.protocol.match.settings import Adjudication, Settings, load_game
from thudstone.protocol.match.spec import EngineSpec, Pace, SpecError
from thudstone.protocol.match.sprt import Sprt
from thudstone.protocol.refusal import Refusal

MOVETIME_MS = 100
SPRT_PAIRS = 10_000  # where nothing else ends a test that decides nothing


class PlanError(ValueError):
    """Options that make no match. One line, for people."""


@dataclass(frozen=True)
class Plan:
    """A match. Engines that were given no name get one once they have said theirs. `book` describes the openings of a
    file, None for random ones.
    """

    settings: Settings
    schedule: Schedule
    kind: Kind
    book: Mapping[str, Any] | None
    sprt: Sprt | None
    concurrency: int

    @classmethod
    def of(
        cls,
        *,
        engines: Sequence[str],
        pairs: int | None,
        schedule: Kind,
        limits: Mapping[str, str | None],
        game: str,
        seats: int | None,
        rules: Sequence[tuple[str, str]],
        openings: str | None,
        plies: int | None,
        seed: int,
        grace: int,
        patience: float,
        max_plies: int,
        adjudicate: tuple[int, int] | None,
        offers: bool,
        sprt: tuple[float, float, float, float] | None,
        concurrency: int | None,
    ) -> Plan:
        """PlanError says what is wrong, and where; OpeningError the same of a file of openings."""
        specs = _engines(engines, limits)
        rules_class = _game(game)
        fewest, most = rules_class.seat_range
        table = fewest if seats is None else seats
        if not fewest <= table <= most:
            raise PlanError(f"--seats {table}: {rules_class.name} has {fewest} to {most}")
        chosen = _rules(rules_class, rules)
        if chosen.get("NoCaptureLimit") == 0 and not max_plies:
            raise PlanError("without a limit (NoCaptureLimit 0) a battle may never end: --max-plies is needed")
        if adjudicate is not None and (table != 2 or adjudicate[1] < 2):
            why = "needs two seats" if table != 2 else "needs at least 2 plies, one of each engine"
            raise PlanError(f"--adjudicate {why}")
        if sprt is not None and (len(specs) != 2 or table != 2):
            raise PlanError("--sprt is a test of two engines against each other")
        if pairs is None and sprt is None:
            raise PlanError("--pairs (or --sprt) is missing: how long is the match?")
        settings = Settings(
            game=game,
            seats=table,
            rules=tuple(chosen.items()),
            engines=specs,
            seed=seed,
            grace=grace,
            patience=patience,
            max_plies=max_plies,
            adjudication=None if adjudicate is None else Adjudication(*adjudicate),
            offers=offers,
        )
        try:
            start = settings.start()
        except ValueError as error:  # figures in a file, or options that don't go together
            raise PlanError(str(error)) from None
        rounds = SPRT_PAIRS if pairs is None else pairs
        book = None
        if openings is not None:
            if plies is not None:
                raise PlanError("--openings and --plies exclude each other")
            lines = tuple(opening.read(openings, rules_class, table, chosen))
            text = "\n".join(" ".join([line.text, "moves", *line.moves]) for line in lines)
            book = {"file": Path(openings).name, "sha256": hashlib.sha256(text.encode()).hexdigest()[:16]}
            planned = Schedule.of(len(specs), table, schedule, rounds, lines)
        else:
            count = opening.default_plies(start) if plies is None else plies
            settings = replace(settings, openings=RandomOpenings(count, seed))
            planned = Schedule.of(len(specs), table, schedule, rounds)
            _try_opening(settings)
        return cls(
            settings=settings,
            schedule=planned,
            kind=schedule,
            book=book,
            sprt=None if sprt is None else _sprt(sprt),
            concurrency=_concurrency(concurrency, specs),
        )

    def named(self, announced: Sequence[str]) -> Plan:
        """The same with a name of its own for each engine: the one it was given, else the one it says, else its
        command's; with a number where that stands for another already.
        """
        taken = Counter(engine.name for engine in self.settings.engines if engine.name)
        engines = []
        for engine, said in zip(self.settings.engines, announced, strict=True):
            if not engine.name:
                wanted = "".join(c if c.isprintable() else "?" for c in said)[:60] or Path(engine.argv[0]).name
                name, number = wanted, 1
                while taken[name]:
                    number += 1
                    name = f"{wanted} #{number}"
                taken[name] += 1
                engine = replace(engine, name=name)
            engines.append(engine)
        return replace(self, settings=replace(self.settings, engines=tuple(engines)))

    def header(self, announced: Sequence[str]) -> dict[str, Any]:
        """The settings that two runs of one match must share, as the results file states them."""
        found = {"schedule": self.kind, **self.settings.as_json()}
        for engine, said in zip(found["engines"], announced, strict=True):
            engine["id"] = said
        if self.book is not None:
            found["openings"] = dict(self.book)
        return found


def _engines(texts: Sequence[str], limits: Mapping[str, str | None]) -> tuple[EngineSpec, ...]:
    if len(texts) < 2:
        raise PlanError(f"--engine is needed twice at least, and is given {('not at all', 'once')[len(texts)]}")
    try:
        common = Pace.parse({name: value for name, value in limits.items() if value is not None})
    except SpecError as error:
        raise PlanError(f"--{error}") from None
    engines = []
    for number, text in enumerate(texts, start=1):
        try:
            engine = EngineSpec.parse(text)
        except SpecError as error:
            raise PlanError(f"--engine {number}: {error}") from None
        if engine.pace.is_empty:
            engine = replace(engine, pace=Pace(movetime=MOVETIME_MS) if common.is_empty else common)
        engines.append(engine)
    twice = [name for name, count in Counter(engine.name for engine in engines if engine.name).items() if count > 1]
    if twice:
        raise PlanError(f"two engines are called {twice[0]}")
    return tuple(engines)


def _game(name: str) -> type[Game]:
    try:
        return load_game(name)
    except ValueError as error:
        raise PlanError(f"--game: {error}") from None


def _rules(game: type[Game], given: Sequence[tuple[str, str]]) -> dict[str, OptionValue]:
    try:
        return options.chosen(game, given)
    except Refusal as error:
        raise PlanError(str(error)) from None


def _try_opening(settings: Settings) -> None:
    """Find out now whether there are random openings of that many plies."""
    assert settings.openings is not None
    try:
        settings.openings.opening(1, settings.start())
    except OpeningError as error:
        raise PlanError(f"--plies: {error}") from None


def _sprt(given: tuple[float, float, float, float]) -> Sprt:
    try:
        return Sprt(*given)
    except ValueError as error:
        raise PlanError(f"--sprt: {error}") from None


def _concurrency(given: int | None, engines: Sequence[EngineSpec]) -> int:
    """How many battles fit: in each one engine thinks at a time, on as many cores as it has threads."""
    available = processors.available()
    threads = max(engine.threads for engine in engines)
    fitting = max(1, available // threads)
    if given is None:
        return fitting
    if given > fitting:
        each = f" and an engine uses {threads}" if threads > 1 else ""
        raise PlanError(f"--concurrency {given}: there are {available} cores{each}, so that {fitting} is the most")
    return given
