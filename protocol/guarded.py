"""An engine's process that leaves nothing behind: it ends, with its children, when whoever drives it is gone."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence

# Ends a process group as soon as whoever holds the other end of its input is gone, however that went. Engines see the
# end of their own input then, but one that hangs doesn't look.
_GUARD = 'read -r _; kill -s KILL -- "-$0"'


class GuardedProcess:
    """A running process with pipes for its input, output and errors. `bufsize` is that of `subprocess.Popen`."""

    def __init__(self, argv: Sequence[str], *, bufsize: int = -1) -> None:
        """OSError or ValueError where the command can't be started."""
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=bufsize,
            start_new_session=True,  # Ctrl-C is for the driver to handle, and the group can be killed as one
        )
        self._guard: subprocess.Popen[bytes] | None = None
        try:
            if os.name == "posix":
                self._guard = subprocess.Popen(
                    ["/bin/sh", "-c", _GUARD, str(self.process.pid)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """End the process and its children now; its pipes stay open for what was said."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):  # all ended; macOS: only zombies are left
                os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()
        if self._guard is not None:
            self._guard.kill()  # only now: until here there was something to guard
            self._guard.communicate()
            self._guard = None
