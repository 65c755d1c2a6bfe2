"""What may come next in a game of Dungeon, and numbers that stand for nothing."""

from __future__ import annotations

STAGES = (
    "special",  # chance: a special monster of this game
    "first",  # chance: who begins
    "deal-hero",  # chance: the first hero
    "hero",  # a hero is chosen
    "bid",  # draw or pass
    "drawn",  # chance: the card drawn
    "place",  # add it or lay it aside
    "at",  # who names a strength for the sword
    "name",  # the strength
    "reveal",  # chance: the top of the dungeon
    "use",  # whether a tile is used
    "pay",  # what the tile costs
    "cube",  # what the Gelatinous Cube takes
    "show",  # chance: a card that was laid aside
    "ended",
)
(
    SPECIAL,
    FIRST,
    DEAL_HERO,
    HERO,
    BID,
    DRAWN,
    PLACE,
    AT,
    NAME,
    REVEAL,
    USE,
    PAY,
    CUBE_TAKES,
    SHOW,
    ENDED,
) = range(len(STAGES))

UNKNOWN = -1  # a card that this view hasn't seen
NONE = -2  # no card, no seat, no strength
