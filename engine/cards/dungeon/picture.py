"""The position as a picture for people."""

from __future__ import annotations

import unicodedata

from thudstone.engine.cards.dungeon import stages as s
from thudstone.engine.cards.dungeon.describe import describe
from thudstone.engine.cards.dungeon.kinds import CODES, code
from thudstone.engine.cards.dungeon.state import Dungeon
from thudstone.engine.game import OVER

_SETUP = (s.SPECIAL, s.FIRST, s.DEAL_HERO, s.HERO)


def picture(state: Dungeon) -> str:
    """Hero, tiles, piles, players and whose turn it is, in ASCII."""
    lines = [f"Dungeon, {state.seats} players, round {state.round}. {_news(state)}", ""]
    if state.stage not in _SETUP:
        hero = state.hero
        hp = state.hp if state.stage in (s.REVEAL, s.USE, s.PAY, s.CUBE_TAKES) else hero.total[state.tiles]
        lines.append(f"{_ascii(hero.names[0])}, HP {hp}")
        for at, tile in enumerate(hero.tiles):
            held = state.tiles >> at & 1
            lines.append(f"  {tile.code:<4} {_ascii(tile.names[0]):<20} {describe(tile, 0, CODES) if held else '-'}")
        lines.append("")
        lines.append(f"Deck: {state.left}")
        lines.append(f"Dungeon, top first: {' '.join(map(code, reversed(state.pile))) or '-'}")
        if state.aside:
            lines.append(f"Laid aside: {' '.join(_aside(state))}")
        lines.append("")
    known = [code(kind) for kind in state.specials]
    if known:
        lines.append(f"Special monsters: {' '.join(known)}")
    for seat in range(state.seats):
        fails = state.fails[seat]
        where = "out" if fails >= state.book.cards.failures else "passed" if state.passed >> seat & 1 else ""
        mark = ">" if seat == state.turn else " "
        lines.append(f"{mark} {seat + 1}  successes {state.wins[seat]}  failures {fails}  {where}".rstrip())
    return "\n".join(lines)


def _ascii(name: str) -> str:
    """A name of the data file without what ASCII lacks."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(letter if letter.isascii() else "" if unicodedata.combining(letter) else "?" for letter in plain)


def _aside(state: Dungeon) -> list[str]:
    return [
        f"{seat + 1}:{code(card)}" + (f"({state.hero.tile(bit).code})" if bit else "")
        for seat, card, bit in zip(state.asider, state.aside, state.given, strict=True)
    ]


def _news(state: Dungeon) -> str:
    who = f"Player {state.turn + 1}"
    stage = state.stage
    if stage == s.HERO:
        return f"{who} chooses a hero."
    if stage == s.BID:
        return f"{who} draws or passes."
    if stage == s.PLACE:
        return f"{who} adds the card drawn ({code(state.card)}) or lays it aside with a tile."
    if stage == s.AT:
        return f"{who} says who names a strength for the sword."
    if stage == s.NAME:
        return f"{who} names a strength for the sword."
    if stage in (s.USE, s.PAY, s.CUBE_TAKES):
        met = f"{who} meets {code(state.card)}"
        if stage == s.USE:
            return f"{met}: use {state.moves[0][3:]}?"
        return f"{met} and gives up a tile."
    if state.turn == OVER:
        return f"Ended: {state.why}."
    if stage == s.SHOW:
        return "The cards laid aside are shown."
    return "The next card is revealed." if stage == s.REVEAL else "A card comes next."
