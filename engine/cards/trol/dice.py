"""Rolls of red and white dice: what may fall, how likely, and what it is worth. A roll is written `@=r0r2w1`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial

RED = ((0, 2), (2, 1), (3, 2), (4, 1))  # (damage, faces out of 6)
WHITE = ((0, 1), (1, 3), (2, 2))


@lru_cache(maxsize=512)
def outcomes(reds: int, whites: int) -> tuple[tuple[str, int], ...]:
    """Each roll, as a chance event. The weights add up to 6 to the power of the number of dice."""
    return tuple(
        (f"@={red}{white}", ways * more)
        for red, ways in _mixed("r", RED, reds)
        for white, more in _mixed("w", WHITE, whites)
    )


@lru_cache(maxsize=512)
def totals(reds: int, whites: int) -> dict[str, int]:
    """The damage of each roll."""
    return {token: sum(map(int, token[3::2])) for token, _ in outcomes(reds, whites)}


@lru_cache(maxsize=512)
def distribution(reds: int, whites: int) -> tuple[float, ...]:
    """How likely each sum is, from 0 to the highest."""
    dice = [1.0]
    for faces, number in ((RED, reds), (WHITE, whites)):
        for _ in range(number):
            dice = plus(dice, [dict(faces).get(pips, 0) / 6 for pips in range(faces[-1][0] + 1)])
    return tuple(dice)


def plus(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """The distribution of the sum of two independent numbers."""
    total = [0.0] * (len(first) + len(second) - 1)
    for at, chance in enumerate(first):
        if chance:
            for more, other in enumerate(second, at):
                total[more] += chance * other
    return total


def read(token: str, reds: int, whites: int) -> str | None:
    """A roll as it is written, given the dice in any order; None where it isn't a roll of these dice."""
    body = token[2:].lower()
    dice = sorted(body[at : at + 2] for at in range(0, len(body), 2))
    written = f"@={''.join(dice)}"
    return written if token.startswith("@=") and written in totals(reds, whites) else None


def _mixed(colour: str, faces: tuple[tuple[int, int], ...], number: int) -> list[tuple[str, int]]:
    """Each multiset of faces that so many dice of a colour may show, and in how many of the 6^number ways."""
    found = []
    for shown in combinations_with_replacement(faces, number):
        ways = factorial(number)
        for face in faces:
            times = shown.count(face)
            ways = ways // factorial(times) * face[1] ** times
        found.append(("".join(f"{colour}{pips}" for pips, _ in shown), ways))
    return found
