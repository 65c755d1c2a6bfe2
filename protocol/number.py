"""Whole numbers as the protocol writes them."""

from __future__ import annotations

import re

# At most 19 digits: more than any limit needs, and few enough that a megabyte of digits costs nothing.
_WHOLE = re.compile(rb"[+-]?[0-9]{1,19}\Z")


def whole(word: bytes) -> int | None:
    """None for what is no decimal number."""
    return int(word) if _WHOLE.match(word) else None
