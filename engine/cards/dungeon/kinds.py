"""The kinds of monster cards, and heaps of them: four bits a kind in one number, which costs nothing to copy."""

from __future__ import annotations

from thudstone.engine.cards.dungeon.stages import UNKNOWN

MONSTERS = ("goblin", "skeleton", "orc", "vampire", "golem", "lich", "demon", "dragon")
SPECIALS = ("fairy", "ally", "mimic", "cube", "count", "shapeshifter")
IDS = (*MONSTERS, *SPECIALS)
CODES = ("GOB", "SKE", "ORC", "VAM", "GOL", "LIC", "DEM", "DRA", "FAI", "ALL", "MIM", "CUB", "COU", "SHA")
KIND = {code: kind for kind, code in enumerate(CODES)}
VAMPIRE = 3
FIRST_SPECIAL = len(MONSTERS)
FAIRY, ALLY, MIMIC, CUBE, COUNT, SHAPESHIFTER = range(FIRST_SPECIAL, len(IDS))
MOST_COPIES = 15  # of a kind: what four bits can count

ONE = tuple(1 << 4 * kind for kind in range(len(IDS)))


def count(heap: int, kind: int) -> int:
    return heap >> 4 * kind & 15


def listed(heap: int) -> list[int]:
    """Each card of a heap by its kind."""
    cards: list[int] = []
    kind = 0
    while heap:
        copies = heap & 15
        if copies:
            cards += [kind] * copies
        heap >>= 4
        kind += 1
    return cards


def size(heap: int) -> int:
    return len(listed(heap))


def code(kind: int) -> str:
    return "?" if kind == UNKNOWN else CODES[kind]
