"""Runs a match: hands out battles, keeps each result as it comes, shows how it goes, and stops when it is decided."""

from __future__ import annotations

import contextlib

from thudstone.protocol.cli_output import say, terminal
from thudstone.protocol.cluster import ClusterError
from thudstone.protocol.match.interrupt import Interrupts
from thudstone.protocol.match.opening import OpeningError
from thudstone.protocol.match.plan import Plan, PlanError
from thudstone.protocol.match.player import SetupError
from thudstone.protocol.match.pool import Pool, PoolError
from thudstone.protocol.match.progress import LiveProgress, Progress, plain_table, rich_table
from thudstone.protocol.match.records import Records, RecordsError
from thudstone.protocol.match.store import Store, StoreError
from thudstone.protocol.match.tally import Tally

INTERRUPTED = 130  # exit status

# Each is one line, for people.
ERRORS = (ClusterError, OpeningError, PlanError, PoolError, RecordsError, SetupError, StoreError)


def run(plan: Plan, pool: Pool, *, out: str | None, resume: bool, records: str | None) -> int:
    """Play what is missing, and print the standings at the end. The exit status: 0 when the match is complete, 130 when
    it was interrupted. One of ERRORS is raised for what ends it otherwise, after the standings so far were
    printed; OSError where nothing can be printed.
    """
    tally = None
    try:
        with Interrupts() as interrupts, pool, contextlib.ExitStack() as files:
            announced = pool.probe(plan.settings)
            plan = plan.named(announced)
            tally = Tally(plan.settings, plan.schedule, plan.sprt)
            store = None
            if out is not None:
                header = plan.header(announced)
                store = files.enter_context(Store(out, header, plan.schedule, tally.names, resume=resume))
                if store.dropped:
                    say(f"{out}: dropped an unfinished last line")
                for battle in store.battles():
                    tally.add(battle)
                if tally.played:
                    say(f"{out}: {tally.played} of {tally.total} battles are there")
            written = None
            if records is not None:
                known = store.battles() if store is not None else ()
                written = files.enter_context(Records(records, plan.settings, known, resume=resume))
            if not tally.is_complete:
                _play(plan, pool, tally, store, written, interrupts)
    except KeyboardInterrupt:
        if tally is not None:
            _say_result(tally)
        say(f"Interrupted{_kept(tally, out)}")
        return INTERRUPTED
    except BrokenPipeError:
        # Not the status 0 that other commands have then: the match is not complete.
        raise OSError(0, f"nobody reads it any more{_kept(tally, out)}") from None
    except ERRORS as error:
        if tally is not None and tally.played:
            _say_result(tally)
            raise type(error)(f"{error}{_kept(tally, out)}") from None
        raise
    _say_result(tally)
    return 0


def _play(
    plan: Plan, pool: Pool, tally: Tally, store: Store | None, records: Records | None, interrupts: Interrupts
) -> None:
    console = terminal()
    with Progress(tally) if console is None else LiveProgress(tally, console) as progress:
        for battle in pool.play(plan.settings, plan.schedule.jobs(tally.done)):
            if tally.has(battle):
                continue  # of a worker that was given up too soon
            with interrupts.held():
                if store is not None:
                    store.add(battle)
                if records is not None:
                    records.add(battle)
                tally.add(battle)
            progress.battle(battle)
            if tally.decision is not None:
                return


def _say_result(tally: Tally) -> None:
    rows = tally.table()
    console = terminal()
    if console is None:
        for line in plain_table(rows):
            say(line)
    else:
        console.print(rich_table(rows))
    say(f"Battles: {tally.played} of {tally.total}. Ends: {tally.ends_line() or 'none'}.")
    for line in tally.forfeit_lines():
        say(line, "yellow")
    if tally.verdict:
        say(tally.verdict, "bold")


def _kept(tally: Tally | None, out: str | None) -> str:
    """What an early end leaves behind."""
    if tally is None:
        return ""
    if out is None:
        return f": {tally.played} of {tally.total} battles were played (--out keeps them)"
    return f": {tally.played} of {tally.total} battles are in {out}; the same command with --resume plays the rest"
