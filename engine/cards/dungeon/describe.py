"""What a tile does, in a few words of either language of the data file."""

from __future__ import annotations

from collections.abc import Sequence

from thudstone.engine.cards.dungeon.kinds import FIRST_SPECIAL
from thudstone.engine.cards.dungeon.tiles import Tile

_WORDS: dict[str, tuple[str, str]] = {
    "hp": ("HP +{}", "životy +{}"),
    "defeats": ("defeats {}", "poráží: {}"),
    "to": ("strength {} to {}", "sílu {} až {}"),
    "more": ("strength {} and more", "sílu {} a víc"),
    "odd": ("odd strength", "lichou sílu"),
    "even": ("even strength", "sudou sílu"),
    "repeated": ("a kind that was there before", "druh, který už tam byl"),
    "named": ("strength {}, named by another", "sílu {} podle volby jiného hráče"),
    "or": (" or ", " nebo "),
    "any": ("anything", "cokoli"),
    "next": ("and the next", "a příšeru po ní"),
    "gains": ("HP + its strength", "životy + její síla"),
    "streak": ("until one comes that nothing defeats", "dokud nepřijde příšera, kterou nic neporazí"),
    "later": ("then damage -{}", "potom zranění -{}"),
    "less": ("damage -{}", "zranění -{}"),
    "low": ("HP below {}: damage odd {}, even {}", "životy pod {}: zranění od lichých {}, od sudých {}"),
    "revives": (
        "back to HP {} after a deadly hit at HP {} or more",
        "po smrtelném zásahu zpátky na životy {}, jestli byly aspoň {}",
    ),
    "smoke": ("costs another tile, can't be given up", "stojí jinou výbavu, nejde odložit"),
    "once": ("once", "jednou"),
}


def describe(tile: Tile, language: int, names: Sequence[str]) -> str:
    """`names` are those of the kinds of monster."""

    def say(word: str, *fields: object) -> str:
        return _WORDS[word][language].format(*fields)

    words: list[str] = []
    if tile.hp:
        words.append(say("hp", tile.hp))
    targets = [names[kind] for kind in range(FIRST_SPECIAL) if tile.identities >> kind & 1]
    if tile.strongest >= 0:
        targets.append(say("to", tile.weakest, tile.strongest) if tile.strongest < 99 else say("more", tile.weakest))
    if tile.parity >= 0:
        targets.append(say("odd" if tile.parity else "even"))
    if tile.repeated:
        targets.append(say("repeated"))
    if tile.named:
        targets.append(say("named", say("or").join(map(str, tile.named))))
    if tile.any:
        targets.append(say("any"))
    if targets:
        words.append(say("defeats", ", ".join(targets)))
    if tile.defeats_next:
        words.append(say("next"))
    if tile.gains:
        words.append(say("gains"))
    if tile.streak:
        words.append(say("streak"))
    if tile.later_less:
        words.append(say("later", tile.later_less))
    if tile.less:
        words.append(say("less", tile.less))
    if tile.low:
        words.append(say("low", tile.low, tile.odd_damage, tile.even_damage))
    if tile.revives:
        words.append(say("revives", tile.revived, tile.revives))
    if tile.smoke:
        words.append(say("smoke"))
    if tile.discards:
        words.append(say("once"))
    return ", ".join(words)
