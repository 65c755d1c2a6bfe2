"""Lines that a person types, or that a pipe brings."""

from __future__ import annotations

import contextlib
import sys

from thudstone.protocol.cli_output import say


class Quit(Exception):
    """The player leaves."""


def forgive_bytes() -> None:
    """Let input that isn't text be a line that nothing understands."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")


def read_line(prompt: str) -> str:
    """A line from the keyboard or a pipe. Quit at the end of input."""
    if sys.stdin is None:
        raise Quit
    if sys.stdin.isatty() and sys.stdout.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (where it exists, input() lets lines be edited)
        try:
            return input(prompt)
        except EOFError:
            raise Quit from None
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    say(line.rstrip())  # a pipe shows nothing of what comes in
    if not line:
        raise Quit
    return line


def forget() -> None:
    """Empty the history of lines, which the next person at the keyboard could look through."""
    with contextlib.suppress(ImportError):
        import readline

        readline.clear_history()
