from collections.abc import Iterable

V3: tuple[str, ...]  # the instruction sets core_v3 is compiled for
NEEDS: tuple[str, ...]  # those a build for one machine is compiled for; empty in the portable build

def missing(names: Iterable[str]) -> tuple[str, ...]:
    """Those of the named instruction sets that this processor or its operating system lacks. KeyError for a name that
    is not known."""
