"""The core under the address and undefined-behaviour sanitizers: no list overflows, whatever stands on the board."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CORE = TESTS.parent / "engine" / "thud" / "core.pyx"
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]


def sanitizer_library() -> str:
    """What to preload; gcc's, which can be found by name."""
    shown = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    library = shown.stdout.strip()
    assert os.path.isabs(library), "gcc has no libasan.so (Debian: libgcc-dev, which comes with gcc)"
    return library


def build(folder: Path) -> Path:
    """The core compiled with the sanitizers, with the directives of a normal build."""
    directives = ["boundscheck=False", "wraparound=False", "cdivision=True", "initializedcheck=False"]
    source, target = folder / "core.c", folder / "core.so"
    cython = [sys.executable, "-m", "cython", "-3", "--module-name", "thudstone.engine.thud.core"]
    cython += [argument for directive in directives for argument in ("-X", directive)]
    subprocess.run([*cython, str(CORE), "-o", str(source)], check=True)
    includes = [f"-I{sysconfig.get_path('include')}", f"-I{CORE.parent}"]
    flags = ["-O1", "-g1", "-fwrapv", "-fPIC", "-shared", "-w"]
    subprocess.run(["gcc", *flags, *SANITIZE, *includes, str(source), "-o", str(target)], check=True)
    return target


@pytest.mark.slow
def test_nothing_overflows(tmp_path: Path) -> None:
    library = sanitizer_library()
    core = build(tmp_path)
    environment = os.environ | {
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",
    }
    run = subprocess.run(
        [sys.executable, str(TESTS / "sanitizer_driver.py"), str(core)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=1500,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "clean\n", ""), run.stderr[-5000:]
