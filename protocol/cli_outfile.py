"""A file that a command writes at its end."""

from __future__ import annotations

import contextlib
import os
import tempfile

import click


class OutFile:
    """`option` begins what is said of a failure. Found writable when it is made, by a file beside it that is moved
    there when the content is known: until then, and after any failure, what stood at `path` stays. ClickException where
    it can't be written.
    """

    def __init__(self, option: str, path: str) -> None:
        self.path = path
        self._option = option
        if os.path.exists(path) and not os.path.isfile(path):
            raise click.ClickException(f"{option} {path}: not a regular file")
        self._target = os.path.realpath(path)  # a link stays a link
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise click.ClickException(f"{option} {path}: Permission denied")
        try:
            number, self._beside = tempfile.mkstemp(dir=os.path.dirname(self._target), prefix=".thudstone-")
        except OSError as error:
            raise click.ClickException(f"{option} {path}: {error.strerror}") from None
        os.close(number)

    @classmethod
    def written(cls, option: str, path: str, data: bytes) -> None:
        """Put `data` there at once."""
        file = cls(option, path)
        try:
            file.replace(data)
        finally:
            file.discard()

    def replace(self, data: bytes) -> None:
        """Put `data` there."""
        try:
            with open(self._beside, "wb") as file:
                file.write(data)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(self._beside, 0o666 & ~umask)  # as a file that is simply opened
            os.replace(self._beside, self._target)
        except OSError as error:
            raise click.ClickException(f"{self._option} {self.path}: {error.strerror}") from None

    def discard(self) -> None:
        """Leave nothing beside the path. Harmless after `replace`."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._beside)
