"""Builds the compiled core. Everything that is plain metadata stands in pyproject.toml.

THUDSTONE_ARCH=native compiles for this machine's processor (gcc and clang on x86-64; elsewhere the portable build is
made). Without it the build is portable: the core is compiled for any processor of the platform and, on x86-64, once
more for x86-64-v3; engine/thud/__init__.py picks one when it is imported.
"""

from __future__ import annotations

import os
import re
import shutil
import sysconfig
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

PACKAGE_DIR = {"thudstone": "bindings", "thudstone.engine": "engine", "thudstone.protocol": "protocol"}
THUD = "thudstone.engine.thud"
GENERATED = Path("build", "cython")  # where the C sources go, so that none lies between the written ones

ARCH = os.environ.get("THUDSTONE_ARCH") or "portable"
if ARCH not in ("portable", "native"):
    raise SystemExit(f"THUDSTONE_ARCH is {ARCH!r}: it can be native or portable")
X86_64 = sysconfig.get_platform().lower().endswith(("x86_64", "amd64"))  # false for macOS builds of two architectures

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "freethreading_compatible": True,
}

# What the core can use of x86-64-v3. Spelled out because compilers older than the name x86-64-v3 know these;
# engine/thud/__init__.py asks the processor for the same sets.
V3_UNIX = ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt"]
V3_MSVC = ["/arch:AVX2"]

# For one machine, but without the 512-bit sets: with them gcc 12 makes perft 4 a quarter slower (222 against 299 M
# nodes/s) and the search no faster, since stores of 64 bits are soon read back as one vector.
NATIVE = ["-march=native", "-mno-avx512f"]


class BuildExt(build_ext):
    """Runs Cython, then compiles with the flags of the compiler at hand."""

    def build_extensions(self) -> None:
        msvc = self.compiler.compiler_type == "msvc"
        native = ARCH == "native" and X86_64 and not msvc
        self._cythonize()
        for extension in self.extensions:
            extension.extra_compile_args += ["/O2"] if msvc else ["-O3"]
            if native and extension.name == f"{THUD}.core":
                extension.extra_compile_args += NATIVE
            elif native and extension.name == f"{THUD}.cpu":
                extension.define_macros.append(("THUDSTONE_NEEDS", f'"{" ".join(self._native_macros())}"'))
            elif extension.name == f"{THUD}.core_v3":
                extension.extra_compile_args += V3_MSVC if msvc else V3_UNIX
        super().build_extensions()

    def _cythonize(self) -> None:
        """Replace each .pyx by its C source. The second build of the core is the same source under another name."""
        from Cython.Build import cythonize

        first = [extension for extension in self.extensions if extension.name != f"{THUD}.core_v3"]
        made = cythonize(first, build_dir=str(GENERATED), compiler_directives=DIRECTIVES, force=self.force)
        for extension, cythonized in zip(first, made, strict=True):
            extension.sources = cythonized.sources
        for extension in self.extensions:
            if extension not in first:
                core = GENERATED / "engine" / "thud" / "core.c"
                extension.sources = [str(shutil.copy2(core, core.with_name("core_v3.c")))]

    def _native_macros(self) -> list[str]:
        """What the compiler predefines for this processor beyond its baseline, as `avx2` for `__AVX2__`."""
        names = []
        source = Path(self.build_temp, "empty.c")
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("")
        for number, flags in enumerate(([], NATIVE)):
            output = Path(self.build_temp, f"macros{number}.txt")
            output.unlink(missing_ok=True)  # else the compiler is not run
            self.compiler.preprocess(str(source), str(output), extra_postargs=["-dM", *flags])
            names.append(set(re.findall(r"#define __(\w+?)__ 1$", output.read_text(), re.MULTILINE)))
        return sorted(name.lower() for name in names[1] - names[0])


def version() -> str:
    text = Path("bindings", "version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    if found is None:
        raise SystemExit('bindings/version.py: no line __version__ = "..."')
    return found[1]


def packages() -> list[str]:
    return [
        package
        for name, folder in PACKAGE_DIR.items()
        for package in [name, *(f"{name}.{inner}" for inner in find_packages(folder))]
    ]


def extensions() -> list[Extension]:
    core_parts = sorted(str(path) for pattern in ("*.pxi", "*.h") for path in Path("engine", "thud").glob(pattern))
    found = [
        Extension(f"{THUD}.cpu", ["engine/thud/cpu.pyx"]),
        Extension(f"{THUD}.core", ["engine/thud/core.pyx"], depends=core_parts, include_dirs=["engine/thud"]),
    ]
    if X86_64 and not (ARCH == "native" and os.name == "posix"):
        found.append(
            Extension(
                f"{THUD}.core_v3",
                ["engine/thud/core.pyx"],
                depends=core_parts,
                include_dirs=["engine/thud"],
                define_macros=[("PyInit_core", "PyInit_core_v3")],
            )
        )
    return found


setup(
    version=version(),
    license="MIT",  # here, because the forms pyproject.toml has for it are not understood by all of setuptools 64 to 80
    packages=packages(),
    package_dir=PACKAGE_DIR,
    package_data={
        "": ["*.pyi", "py.typed"],
        "thudstone.engine.cards": ["data/*.json"],
        "thudstone.engine.thud": ["data/*.txt"],
    },
    include_package_data=False,
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildExt},
    # One build folder for each set of flags: setuptools does not notice that flags changed.
    options={"build": {"build_base": f"build/{ARCH}"}, "build_ext": {"parallel": "2"}},
)
