"""What a player says about the card he offers: a small language whose truth can be judged, and free text.

    silent
    say:red+4            red and a four
    say:red/blue         red or blue; `+` binds tighter than `/`
    say:-hero+take       no superhero, take it
    say:~ahoj%20ty       free text alone, percent-encoded UTF-8
    say:blue~really%21   both

A card is `red`, `blue`, `grey`; a number is its strength; `whale` (dolphins are whales, too), `dolphin`, `hero`,
`turtle` are kinds. These can be true or false of a card, and `-` denies one. The wishes `take`, `leave`, `need` (you
need it) and `return` (I'd like it back) can't be true or false. No claim has any effect on the rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote_to_bytes

COLOURS = ("red", "blue", "grey")
KINDS = ("whale", "dolphin", "hero", "turtle")
WISHES = ("take", "leave", "need", "return")

LONGEST_TEXT = 280  # bytes of free text before it is encoded
MOST_TERMS = 16

_WORDS = frozenset((*COLOURS, *KINDS))
_NUMBER = re.compile(r"[1-9][0-9]?")
_ENCODED = re.compile(r"(?:[A-Za-z0-9_.~-]|%[0-9A-Fa-f]{2})+")


@dataclass(frozen=True)
class Claim:
    """`token` is the claim as the game writes it; `alternatives` are its `/` parts, each a tuple of terms."""

    token: str
    alternatives: tuple[tuple[str, ...], ...] = ()
    text: str = ""

    def wishes(self, wish: str) -> bool:
        return any(wish in terms for terms in self.alternatives)

    def holds(self, kinds: frozenset[str]) -> bool | None:
        """Whether the claim is true of a card of which the terms `kinds` are true. None where it states nothing that
        could be true or false."""
        facts = [[term for term in terms if term not in WISHES] for terms in self.alternatives]
        if not facts or not all(facts):
            return None
        return any(
            all((term[1:] not in kinds) if term[0] == "-" else (term in kinds) for term in each) for each in facts
        )


SILENT = Claim("silent")


@lru_cache(maxsize=4096)
def parse(token: str) -> Claim:
    """The claim of a token. ValueError says what is wrong with it."""
    if token.lower() == SILENT.token:
        return SILENT
    head, colon, body = token.partition(":")
    if head.lower() != "say" or not colon:
        raise ValueError(f"{short(token)}: silent or say:CLAIM expected")
    terms, tilde, encoded = body.partition("~")
    if not terms and not encoded:
        raise ValueError(f"{short(token)}: nothing is said")
    alternatives = _alternatives(terms, token) if terms else ()
    text = _text(encoded, token) if tilde else ""
    written = "/".join("+".join(each) for each in alternatives)
    return Claim(f"say:{written}{'~' + quote(text, safe='') if tilde else ''}", alternatives, text)


def _alternatives(terms: str, token: str) -> tuple[tuple[str, ...], ...]:
    alternatives = tuple(tuple(each.split("+")) for each in terms.lower().split("/"))
    if sum(map(len, alternatives)) > MOST_TERMS:
        raise ValueError(f"{short(token)}: more than {MOST_TERMS} terms")
    for term in (term for each in alternatives for term in each):
        if term in WISHES:
            continue
        fact = term[1:] if term.startswith("-") else term
        if fact not in _WORDS and not _NUMBER.fullmatch(fact):
            known = " ".join((*COLOURS, *KINDS, *WISHES))
            raise ValueError(
                f"{short(token)}: {short(term) or 'an empty term'}: {known}, or a strength from 1 to 99 expected"
            )
    return alternatives


def _text(encoded: str, token: str) -> str:
    if not _ENCODED.fullmatch(encoded):
        raise ValueError(f"{short(token)}: free text after ~ must be percent-encoded")
    decoded = unquote_to_bytes(encoded)
    if len(decoded) > LONGEST_TEXT:
        raise ValueError(f"{short(token)}: {len(decoded)} bytes of free text, at most {LONGEST_TEXT}")
    try:
        return decoded.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{short(token)}: the free text isn't UTF-8") from None


def short(text: str) -> str:
    """A token as an error message names it."""
    return text if len(text) <= 40 else f"{text[:37]}..."
