"""The command `thudstone`. Alone it is the engine, which starts without what only the other commands need."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with its arguments (those of the process by default) and return its exit status: 2 after an
    error, of which one line on stderr says what it was, and 130 after Ctrl-C.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        game = _game(arguments)
        if game is not None:
            from thudstone.protocol import server

            return server.main(game[0], data=game[1])
        from thudstone.protocol.cli_commands import run

        return run(arguments)
    except KeyboardInterrupt:
        return 130
    except ImportError as error:  # a core that this processor can't run, a missing dependency
        print(f"thudstone: error: {error}", file=sys.stderr)
        return 2


def _game(arguments: Sequence[str]) -> tuple[str, str] | None:
    """The game to serve and its data file, None where the arguments ask for something else or are wrong."""
    if not arguments:
        return "thud", ""
    from thudstone.engine import games

    match arguments:
        case ["--game", name] if name in games.NAMES:
            return name, ""
        case ["--game", name, "--data", path] if name in games.NAMES:
            return name, path
        case [option] if option.startswith("--game=") and option[7:] in games.NAMES:
            return option[7:], ""
    return None
