"""How much memory can still be used, so that a hash table that won't fit is refused before it is touched."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

MB = 1024 * 1024


def available_mb(root: Path = Path("/")) -> int | None:
    """Megabytes that this process can still take, the limits of its control groups included; None when unknown.

    `root` is where `proc` and the mount points are looked up.
    """
    machine = _meminfo(root / "proc/meminfo")
    if machine is None:
        machine = _system()
    known = [free for free in (machine, *_groups(root)) if free is not None]
    return max(min(known), 0) // MB if known else None


def _read(path: Path) -> str | None:
    """None for a file that isn't there or can't be read: each is only found on some systems."""
    try:
        return path.read_text("ascii", "replace")
    except OSError:
        return None


def _fields(text: str) -> dict[str, int]:
    """`NAME VALUE` lines, as in meminfo and memory.stat."""
    words = (line.split() for line in text.splitlines())
    return {word[0].rstrip(":"): int(word[1]) for word in words if len(word) > 1 and word[1].isdigit()}


def _meminfo(path: Path) -> int | None:
    text = _read(path)
    kilobytes = None if text is None else _fields(text).get("MemAvailable")
    return None if kilobytes is None else kilobytes * 1024


def _system() -> int | None:
    """What systems without /proc tell: the pages that are free, or at least how many there are."""
    names = getattr(os, "sysconf_names", {})
    for pages in ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES"):
        if pages in names and "SC_PAGE_SIZE" in names:
            count = os.sysconf(pages)
            if count > 0:
                return count * os.sysconf("SC_PAGE_SIZE")
    return None


def _groups(root: Path) -> Iterator[int]:
    """What each memory-limited control group above this process has left, in bytes."""
    places = _read(root / "proc/self/cgroup")
    mounts = _read(root / "proc/self/mountinfo")
    if places is None or mounts is None:
        return
    paths: dict[str, str] = {}  # of this process, by hierarchy: the unified one, and the first version's memory
    for line in places.splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0" and not controllers:
            paths["cgroup2"] = path
        elif "memory" in controllers.split(","):
            paths["cgroup"] = path
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        if kind not in paths or (kind == "cgroup" and "memory" not in options.split(",")):
            continue
        top, mount = before.split(" ")[3:5]
        base = root / mount.lstrip("/")
        for folder in _up_to(base, top, paths[kind]):
            left = _left(folder, kind)
            if left is not None:
                yield left


def _up_to(base: Path, top: str, path: str) -> Iterator[Path]:
    """The folder of group `path` and those of the groups around it, up to `base`, where group `top` is mounted.

    A container often sees only its own group, mounted where the root should be, under a path of the host: then `base`
    is all there is.
    """
    top = top.rstrip("/")
    inside = path[len(top) :] if f"{path}/".startswith(f"{top}/") else ""
    parts = [part for part in inside.split("/") if part]
    if ".." in parts:  # a group outside what this process may see
        parts = []
    for count in range(len(parts), -1, -1):
        yield base.joinpath(*parts[:count])


def _left(folder: Path, kind: str) -> int | None:
    """The limit less what is used; file pages that can be dropped at once don't count as used."""
    limits: tuple[str, ...]
    if kind == "cgroup2":
        limits, usage, cache = ("memory.max", "memory.high"), "memory.current", "inactive_file"
    else:
        limits, usage, cache = ("memory.limit_in_bytes",), "memory.usage_in_bytes", "total_inactive_file"
    values = [text.strip() for text in (_read(folder / name) for name in limits) if text is not None]
    numbers = [int(value) for value in values if value.isdigit()]  # no limit is written `max`
    used = (_read(folder / usage) or "").strip()
    if not numbers or not used.isdigit():
        return None
    dropped = _fields(_read(folder / "memory.stat") or "").get(cache, 0)
    return min(numbers) - max(int(used) - dropped, 0)
