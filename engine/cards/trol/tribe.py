"""The twelve kinds of tribe card, and heaps of them.

A heap is one integer with four bits for the count of each kind: small, immutable, quick to copy and a key for caches.
"""

from __future__ import annotations

from functools import lru_cache

CODES = ("CHI", "DAU", "SHA", "TIN", "COO", "TRK", "PUN", "BAC", "COP", "WEA", "DOG", "TRA")
IDS = (
    "chief",
    "daughter",
    "shaman",
    "tiny",
    "cook",
    "tracker",
    "puncher",
    "backstabber",
    "copycat",
    "weakling",
    "rock_dog",
    "trap",
)
KINDS = len(CODES)
CHI, DAU, SHA, TIN, COO, TRK, PUN, BAC, COP, WEA, DOG, TRA = range(KINDS)
HIDDEN = 15  # the kind of a card that a view doesn't know
NOBODY = 14  # what a Copycat acts as that has no troll before it

NUMBER = {code: kind for kind, code in enumerate(CODES)}
ONE = tuple(1 << 4 * kind for kind in range(KINDS))  # a heap of one card
_EACH = sum(ONE)

# A card of a line: its kind in bits 0-3, its tribe in bits 4-6, then flags, then how many cards lay before it when it
# was played.
KIND = 15
TRIBE = 7 << 4
DOWN = 1 << 7  # lies face down
FORCED = 1 << 8  # a Shaman (or who copies one) that has forced its roll
STABBED = 1 << 9  # had its turn in the betrayal
PLACE = 10


def count(heap: int, kind: int) -> int:
    return heap >> 4 * kind & 15


@lru_cache(maxsize=32768)
def size(heap: int) -> int:
    total = 0
    while heap:
        total += heap & 15
        heap >>= 4
    return total


def present(heap: int) -> int:
    """The same heap with one card of each kind that it has."""
    return (heap | heap >> 1 | heap >> 2 | heap >> 3) & _EACH


@lru_cache(maxsize=32768)
def listed(heap: int) -> tuple[int, ...]:
    """The kind of every card, in order."""
    return tuple(kind for kind in range(KINDS) for _ in range(heap >> 4 * kind & 15))


@lru_cache(maxsize=32768)
def weighted(prefix: str, heap: int) -> tuple[tuple[str, int], ...]:
    """A card of the heap as a chance event."""
    return tuple((prefix + CODES[kind], heap >> 4 * kind & 15) for kind in range(KINDS) if heap >> 4 * kind & 15)


def acts_as(line: tuple[int, ...], at: int) -> int:
    """The kind whose attack and ability the card has. A Copycat has those of the nearest troll before it, also where
    that is a Copycat itself."""
    kind = line[at] & KIND
    while kind == COP:
        at -= 1
        while at >= 0 and line[at] & KIND >= DOG:  # no troll
            at -= 1
        if at < 0:
            return NOBODY
        kind = line[at] & KIND
    return kind
