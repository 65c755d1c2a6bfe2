"""The memory that is left, read from made-up systems."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from thudstone.engine import memory

MB = 1024 * 1024
UNIFIED = "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
FIRST = "33 25 0:29 / /sys/fs/cgroup/memory rw,nosuid shared:9 - cgroup cgroup rw,memory\n"
NO_LIMIT = "9223372036854771712"


def system(root: Path, files: dict[str, str | int], free_mb: int = 8000) -> Path:
    files = {"proc/meminfo": f"MemTotal: 16000000 kB\nMemAvailable: {free_mb * 1024} kB\n", **files}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n" if isinstance(text, int) else text, "ascii")
    return root


def test_this_system_has_memory() -> None:
    available = memory.available_mb()
    assert available is not None
    assert 16 < available < 2**24


def test_without_groups_the_machine_decides(tmp_path: Path) -> None:
    assert memory.available_mb(system(tmp_path, {})) == 8000


def test_a_group_that_limits(tmp_path: Path) -> None:
    files: dict[str, str | int] = {
        "proc/self/cgroup": "0::/app\n",
        "proc/self/mountinfo": UNIFIED,
        "sys/fs/cgroup/app/memory.max": 1000 * MB,
        "sys/fs/cgroup/app/memory.current": 300 * MB,
    }
    assert memory.available_mb(system(tmp_path, files)) == 700
    files["sys/fs/cgroup/app/memory.stat"] = f"anon 1\ninactive_file {100 * MB}\nactive_file {50 * MB}\n"
    assert memory.available_mb(system(tmp_path, files)) == 800
    files["sys/fs/cgroup/app/memory.high"] = 500 * MB
    assert memory.available_mb(system(tmp_path, files)) == 300


def test_the_machine_may_have_less_than_the_group(tmp_path: Path) -> None:
    files: dict[str, str | int] = {
        "proc/self/cgroup": "0::/app\n",
        "proc/self/mountinfo": UNIFIED,
        "sys/fs/cgroup/app/memory.max": 1000 * MB,
        "sys/fs/cgroup/app/memory.current": 0,
    }
    assert memory.available_mb(system(tmp_path, files, free_mb=200)) == 200


def test_a_group_further_up_that_limits(tmp_path: Path) -> None:
    files: dict[str, str | int] = {
        "proc/self/cgroup": "0::/slice/service/app\n",
        "proc/self/mountinfo": UNIFIED,
        "sys/fs/cgroup/slice/service/app/memory.max": "max\n",
        "sys/fs/cgroup/slice/service/app/memory.current": 300 * MB,
        "sys/fs/cgroup/slice/memory.max": 600 * MB,
        "sys/fs/cgroup/slice/memory.current": 500 * MB,
    }
    assert memory.available_mb(system(tmp_path, files)) == 100


def test_a_group_that_is_full(tmp_path: Path) -> None:
    files: dict[str, str | int] = {
        "proc/self/cgroup": "0::/\n",
        "proc/self/mountinfo": UNIFIED,
        "sys/fs/cgroup/memory.max": 100 * MB,
        "sys/fs/cgroup/memory.current": 101 * MB,
    }
    assert memory.available_mb(system(tmp_path, files)) == 0


def test_groups_of_the_first_version(tmp_path: Path) -> None:
    files: dict[str, str | int] = {
        "proc/self/cgroup": "5:memory:/docker/1\n3:cpu,cpuacct:/docker/1\n0::/other\n",
        "proc/self/mountinfo": FIRST + FIRST.replace("memory", "cpu,cpuacct"),
        "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": 900 * MB,
        "sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes": 500 * MB,
        "sys/fs/cgroup/memory/docker/1/memory.stat": f"inactive_file 5\ntotal_inactive_file {200 * MB}\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": NO_LIMIT,
        "sys/fs/cgroup/memory/memory.usage_in_bytes": 0,
    }
    assert memory.available_mb(system(tmp_path, files)) == 600


@pytest.mark.parametrize("path", ["/docker/1", "/docker/1/inner", "/../../elsewhere", "/"])
def test_a_container_sees_its_own_group_where_the_root_should_be(tmp_path: Path, path: str) -> None:
    mount = FIRST.replace(" / ", " /docker/1 ", 1)
    files: dict[str, str | int] = {
        "proc/self/cgroup": f"5:memory:{path}\n",
        "proc/self/mountinfo": mount,
        "sys/fs/cgroup/memory/memory.limit_in_bytes": 900 * MB,
        "sys/fs/cgroup/memory/memory.usage_in_bytes": 500 * MB,
    }
    assert memory.available_mb(system(tmp_path, files)) == 400


def test_a_system_without_proc_tells_by_sysconf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"SC_AVPHYS_PAGES": 1000, "SC_PHYS_PAGES": 5000, "SC_PAGE_SIZE": MB}
    monkeypatch.setattr(os, "sysconf_names", dict.fromkeys(values, 1), raising=False)
    monkeypatch.setattr(os, "sysconf", values.__getitem__, raising=False)
    assert memory.available_mb(tmp_path) == 1000
    values["SC_AVPHYS_PAGES"] = -1
    assert memory.available_mb(tmp_path) == 5000


def test_a_system_that_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sysconf_names", raising=False)
    assert memory.available_mb(tmp_path) is None
