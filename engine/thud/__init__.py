"""Thud. Importing it makes `thudstone.engine.thud.core` the fastest build of the compiled core this processor can run.

THUDSTONE_CORE=baseline or v3 chooses a build of the portable package by hand.
"""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType

from thudstone.engine.thud import cpu


class UnsupportedProcessor(ImportError):
    """This processor can't run the core that was asked for, or the one that was built; the message says what it
    lacks."""


def _require(names: tuple[str, ...], build: str) -> None:
    if lacking := cpu.missing(names):
        raise UnsupportedProcessor(
            f"{build} needs a processor with {', '.join(lacking)}, which this one lacks; "
            "install thudstone without THUDSTONE_ARCH and THUDSTONE_CORE for a build that runs everywhere"
        )


def _load() -> ModuleType:
    _require(cpu.NEEDS, "this build of thudstone")
    wanted = os.environ.get("THUDSTONE_CORE", "")
    if wanted not in ("", "baseline", "v3"):
        raise ImportError(f"THUDSTONE_CORE is {wanted!r}: it can be baseline or v3")
    if wanted == "v3":
        _require(cpu.V3, "THUDSTONE_CORE=v3")
    if wanted == "v3" or not (wanted or cpu.NEEDS or cpu.missing(cpu.V3)):
        try:
            return importlib.import_module(f"{__name__}.core_v3")
        except ModuleNotFoundError:
            if wanted:
                raise ImportError("THUDSTONE_CORE is 'v3', but this build of thudstone has no such core") from None
    return importlib.import_module(f"{__name__}.core")


sys.modules[f"{__name__}.core"] = globals()["core"] = _load()
