"""An SQLite file of ours: opened only where it is what it should be."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

BUSY_SECONDS = 10.0


class StoreError(Exception):
    """An SQLite file that can't be used; the message says why."""


@contextmanager
def explained(kind: type[StoreError] = StoreError) -> Iterator[None]:
    """Turns the errors of SQLite into `kind`, in one line."""
    try:
        yield
    except sqlite3.Error as error:
        raise kind(str(error)) from None


def opened(
    path: str | os.PathLike[str], what: str, application: int, schema: int, tables: Sequence[str] = ()
) -> sqlite3.Connection:
    """A connection in autocommit. `application` and `schema` are numbers in the file's header that say whose it is and
    of which version. With `tables` (statements that make them) the file is made where there is none, and found
    writable; without, it is only read. StoreError for a file of something else, or one that can't be used.
    """
    mode = "rwc" if tables else "rw"  # which reads what it may not write, too
    if not tables and not os.path.exists(path):
        raise StoreError("no such file")
    with explained():
        uri = f"{Path(os.path.abspath(path)).as_uri()}?mode={mode}"
        base = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        with explained():
            if tables:
                base.execute("BEGIN IMMEDIATE")  # one of two that make the file at once comes second
            new = _is_new(base, what, application, schema)
            if new and not tables:
                raise StoreError(f"empty: no {what}")
            if new:
                for statement in (*tables, f"PRAGMA application_id = {application}"):
                    base.execute(statement)
            if tables:
                base.execute(f"PRAGMA user_version = {schema}")  # finds out here whether the file can be written
                base.execute("COMMIT" if new else "ROLLBACK")
    except BaseException:
        base.close()
        raise
    return base


def _is_new(base: sqlite3.Connection, what: str, application: int, schema: int) -> bool:
    (named,) = base.execute("PRAGMA application_id").fetchone()
    (version,) = base.execute("PRAGMA user_version").fetchone()
    (count,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not count and not named:
        return True
    if named != application:
        raise StoreError("a database of something else")
    if version != schema:
        raise StoreError(f"version {version} of the {what}, this is {schema}")
    return False
