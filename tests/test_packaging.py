"""What is installed: the builds of the core, their choice, the layout, and packages made from a clean copy."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
import thudstone
from thudstone.engine.thud import core, cpu

ROOT = Path(__file__).parent.parent
LAYERS = {"engine": "thudstone.engine", "bindings": "thudstone", "protocol": "thudstone.protocol"}


def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """A Python process with these arguments; variables set to nothing are removed."""
    variables = {name: value for name, value in (os.environ | environment).items() if value}
    return subprocess.run(
        [sys.executable, *arguments], input=stdin, env=variables, capture_output=True, text=True, timeout=120
    )


def test_one_version() -> None:
    assert importlib.metadata.version("thudstone") == thudstone.__version__
    shown = run("-m", "thudstone", "--version")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.split()[-1] == thudstone.__version__


def test_the_engine_loads_nothing_heavy() -> None:
    shown = run("-X", "importtime", "-m", "thudstone", stdin="uci\nisready\ngo depth 1\nquit\n")
    assert "uciok" in shown.stdout and "bestmove" in shown.stdout
    loaded = {line.rsplit("|", 1)[1].strip() for line in shown.stderr.splitlines() if line.startswith("import time:")}
    assert "thudstone.engine.thud.cpu" in loaded
    heavy = {"asyncio", "click", "rich", "multiprocessing", "logging", "subprocess", "typing_extensions", "unittest"}
    assert {name.split(".")[0] for name in loaded} & heavy == set()


@pytest.mark.parametrize("folder", LAYERS)
def test_dependencies_point_one_way(folder: str) -> None:
    allowed = {"engine": {"engine"}, "bindings": {"engine", "bindings"}, "protocol": {"engine", "bindings", "protocol"}}
    for path in (ROOT / folder).rglob("*.py"):
        if path == ROOT / "bindings" / "__main__.py":
            continue
        for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            parts = name.split(".")
            if parts[0] == "thudstone":
                layer = parts[1] if len(parts) > 1 and parts[1] in ("engine", "protocol") else "bindings"
                assert layer in allowed[folder], f"{path} imports {name}"


def imported(tree: ast.AST) -> set[str]:
    """Every module a file imports by its full name; `from x import y` may name a module y."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("module", [core, cpu])
def test_stubs_name_what_is_there(module: object) -> None:
    name = str(vars(module)["__name__"]).rsplit(".", 1)[1].removesuffix("_v3")
    stub = ast.parse((ROOT / "engine" / "thud" / f"{name}.pyi").read_text())
    for node in stub.body:
        match node:
            case ast.ClassDef():
                described = getattr(module, node.name)
                members = {
                    getattr(member, "name", "") or ast.unparse(getattr(member, "target", member))
                    for member in node.body
                }
                members = {member for member in members if member.isidentifier()}
                assert {member for member in members if not hasattr(described, member)} == set()
                public = {member for member in vars(described) if not member.startswith("_")}
                assert public <= members, f"{node.name}: not in the stub"
            case ast.FunctionDef():
                assert callable(getattr(module, node.name))
            case ast.AnnAssign(target=ast.Name(id=constant)):
                assert hasattr(module, constant)


ON_ANOTHER_PROCESSOR = """
import sys, types
cpu = types.ModuleType("thudstone.engine.thud.cpu")
cpu.NEEDS, cpu.V3, cpu.missing = ("avx2", "gfni", "sse3"), ("avx2",), lambda names: tuple(set(names) & {"gfni"})
sys.modules["thudstone.engine.thud.cpu"] = cpu
from thudstone.protocol.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("command", [(), ("perft", "1"), ("bench",)])
def test_a_processor_that_cannot_run_the_build_gets_a_message(command: tuple[str, ...]) -> None:
    shown = run("-c", ON_ANOTHER_PROCESSOR, *command, stdin="uci\n")
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert re.fullmatch(
        r"thudstone: error: this build of thudstone needs a processor with gfni, which .*\n", shown.stderr
    )


def test_the_exception_is_an_import_error() -> None:
    caught = run(
        "-c",
        ON_ANOTHER_PROCESSOR.replace("from thudstone.protocol.cli import main", "").replace(
            "sys.exit(main(sys.argv[1:]))",
            "try:\n    import thudstone.engine.thud\nexcept ImportError as error:\n    print(type(error).__name__)",
        ),
    )
    assert caught.stdout == "UnsupportedProcessor\n", caught.stderr


def test_a_build_that_does_not_exist_gets_a_message() -> None:
    shown = run("-m", "thudstone", "perft", "1", THUDSTONE_CORE="fastest")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr == "thudstone: error: THUDSTONE_CORE is 'fastest': it can be baseline or v3\n"


def test_this_processor_has_what_this_build_needs() -> None:
    assert cpu.missing(cpu.NEEDS) == ()
    assert sys.modules["thudstone.engine.thud.core"] is core
    with pytest.raises(KeyError):
        cpu.missing(["no such instruction set"])


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source tree without anything that was made in it."""
    target = tmp_path_factory.mktemp("source") / "thudstone"
    made = shutil.ignore_patterns(".git", ".venv", "build", "dist", "*.egg-info", "*.so", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, target, ignore=made)
    return target


@pytest.fixture(scope="module")
def sdist(copy: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--sdist", str(copy)], check=True, capture_output=True
    )
    (made,) = (copy / "dist").glob("*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The portable wheel, built from the sdist without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = ["-m", "pip", "wheel", "-v", "--no-build-isolation", "--no-index", "--no-deps", "-w", str(folder), str(sdist)]
    shown = run(*pip, THUDSTONE_ARCH="")
    assert shown.returncode == 0, shown.stdout + shown.stderr
    complaints = re.findall(r".*(?:\.c|\.pyx|\.pxi):\d+:\d+:.*|.*warning: (?:engine|bindings|protocol).*", shown.stdout)
    assert [line for line in complaints if "warning" in line] == []
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.slow
def test_the_sdist_is_complete(copy: Path, sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    written = {
        str(path.relative_to(copy))
        for folder in ("engine", "bindings", "protocol", "tests", "examples", "docs", "bench", ".ci")
        for path in (copy / folder).rglob("*")
        if path.is_file()
    }
    written |= {"setup.py", "pyproject.toml", "Makefile", "README.md", "CHANGELOG.md", "LICENSE"}
    assert written - names == set()
    assert not {name for name in names if name.startswith("build") or name.endswith((".c", ".so"))}


@pytest.mark.slow
def test_the_wheel_has_what_runs_and_what_types(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("thudstone/")}
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    builds = ["core", "cpu", *(["core_v3"] if sysconfig.get_platform().endswith(("x86_64", "amd64")) else [])]
    assert {name for name in names if name.endswith(suffix)} == {
        f"thudstone/engine/thud/{one}{suffix}" for one in builds
    }
    assert {"thudstone/py.typed", "thudstone/engine/thud/core.pyi", "thudstone/engine/thud/cpu.pyi"} <= names
    assert {Path(name).suffix for name in names} == {".py", ".pyi", ".so", ".typed", ".json", ".txt"}


@pytest.mark.slow
def test_every_build_in_the_wheel_plays_the_same(wheel: Path, tmp_path: Path) -> None:
    pip = ["-m", "pip", "install", "--no-deps", "--no-index", "--target", str(tmp_path), str(wheel)]
    assert run(*pip).returncode == 0
    builds = (
        {"baseline": "core", "": "core"}
        if cpu.missing(cpu.V3)
        else {"baseline": "core", "": "core_v3", "v3": "core_v3"}
    )
    where = "import thudstone.engine.thud.core as core; print(core.__file__)"
    counts = set()
    for build, name in builds.items():
        environment = {"PYTHONPATH": str(tmp_path), "THUDSTONE_CORE": build}
        loaded = Path(run("-c", where, **environment).stdout.strip())
        assert loaded.is_relative_to(tmp_path) and loaded.name.split(".")[0] == name
        leaves = run("-m", "thudstone", "perft", "3", **environment)
        searched = run("-m", "thudstone", "bench", **environment)
        counts.add((leaves.stdout.splitlines()[-1], searched.stdout.splitlines()[-1]))
    assert len(counts) == 1
    assert counts.pop()[0] == "Nodes searched: 14142624"


@pytest.mark.slow
def test_our_code_compiles_without_warnings(tmp_path: Path) -> None:
    folder = ROOT / "engine" / "thud"
    for name in ("core", "cpu"):
        source = tmp_path / f"{name}.c"
        cython = [
            "-m",
            "cython",
            "-3",
            "--line-directives",
            "-Wextra",
            "--module-name",
            f"thudstone.engine.thud.{name}",
        ]
        shown = run(*cython, str(folder / f"{name}.pyx"), "-o", str(source))
        assert (shown.returncode, shown.stdout) == (0, "")
        assert [line for line in shown.stderr.splitlines() if "'genexpr'" not in line] == []  # Cython's own name
        flags = ["-O3", "-Wall", "-Wextra", f"-I{sysconfig.get_path('include')}", f"-I{folder}", "-fPIC", "-c"]
        compiled = subprocess.run(
            ["gcc", *flags, str(source), "-o", str(tmp_path / "out.o")], capture_output=True, text=True, timeout=300
        )
        assert compiled.returncode == 0
        # Lines that Cython generates by itself stand in the .c file; the rest are ours.
        assert [
            line for line in compiled.stderr.splitlines() if re.match(r"\S+\.(pyx|pxi):\d+", line) and "warning" in line
        ] == []
