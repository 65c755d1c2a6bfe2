"""Welcome Back to the Dungeon told to people at a terminal, in English or Czech."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from thudstone.engine.cards.dungeon import stages as s
from thudstone.engine.cards.dungeon.describe import describe
from thudstone.engine.cards.dungeon.kinds import ALLY, CUBE, KIND
from thudstone.engine.cards.dungeon.state import Dungeon
from thudstone.engine.game import OVER
from thudstone.protocol.told import Told

_SETUP = (s.SPECIAL, s.FIRST, s.DEAL_HERO, s.HERO)
_FACING = (s.USE, s.PAY, s.CUBE_TAKES)
_INSIDE = (s.AT, s.NAME, s.REVEAL, *_FACING)

WORDS: dict[str, tuple[str, str]] = {
    "seat": ("Player {}", "Hráč {}"),
    "you": ("Player {} (you)", "Hráč {} (ty)"),
    "round": ("Round {}", "Kolo {}"),
    "specials": ("special monsters: {}", "zvláštní příšery: {}"),
    "unknown": ("a card", "karta"),
    "hero": ("{hero}: {hp} HP", "{hero}: životy {hp}"),
    "tile": ("  {code:<4} {name:<22} {does}", "  {code:<4} {name:<22} {does}"),
    "gone": ("  {code:<4} {name:<22} (gone)", "  {code:<4} {name:<22} (pryč)"),
    "deck": ("Deck: {} cards", "Balíček: {} karet"),
    "dungeon": ("Dungeon: {} cards", "Podzemí: {} karet"),
    "empty": ("Dungeon: empty", "Podzemí: prázdné"),
    "from-top": (", from the top: {}", ", odshora: {}"),
    "lies": ("{card} of {who}", "{card} ({who})"),
    "aside": ("Laid aside: {}", "Odloženo: {}"),
    "laid": ("{card} of {who} with {tile}", "{card} ({who}) a {tile}"),
    "shown": ("{card} of {who}", "{card} ({who})"),
    "standing": (
        "{who}: {wins} of {most} successes, {fails} of {out} failures{note}",
        "{who}: úspěchy {wins} z {most}, neúspěchy {fails} z {out}{note}",
    ),
    "passed": (", passed", ", pasuje"),
    "inside": (", in the dungeon", ", v podzemí"),
    "out": (", out of the game", ", mimo hru"),
    "faces": ("Card {at}: {card}{strength}", "Karta {at}: {card}{strength}"),
    "strength": (", strength {}", ", síla {}"),
    # What happens.
    "special": ("A special monster of this game: {}.", "Zvláštní příšera této hry: {}."),
    "first": ("{who} begins.", "{who} začíná."),
    "hero-drawn": ("The hero is drawn: {}.", "Hrdina se losuje: {}."),
    "chooses": ("{who} chooses the hero: {hero}.", "{who} vybírá hrdinu: {hero}."),
    "draws": ("{who} draws a card.", "{who} si bere kartu."),
    "drew": ("It is {}.", "Je to {}."),
    "passes": ("{who} passes.", "{who} pasuje."),
    "adds": (
        "{who} adds the card to the dungeon: {count} now.",
        "{who} přidává kartu do podzemí, karet tam je {count}.",
    ),
    "lays": ("{who} lays the card aside with {tile}.", "{who} odkládá kartu a s ní: {tile}."),
    "enters": (
        "{who} must enter the dungeon with {hp} HP; cards in there: {count}.",
        "{who} musí do podzemí, životy {hp}; karet v podzemí: {count}.",
    ),
    "asks": ("{who} asks player {to} to name a strength.", "{who} se ptá na sílu, odpoví hráč {to}."),
    "names": ("{who} names strength {strength}.", "{who} volí sílu {strength}."),
    "met": ("Card {at}: {card}{strength}.", "Karta {at}: {card}{strength}."),
    "charmed": ("It is defeated at once, whatever it is.", "Je hned poražena, ať je to cokoli."),
    "ally": ("The next card will be defeated.", "Příští karta bude poražena."),
    "beaten": ("{} defeats it.", "Poráží ji: {}."),
    "harmless": ("It does no harm.", "Nic se nestalo."),
    "loses": ("The hero loses {} HP and has {}.", "Hrdina ztrácí životy: {}, má jich {}."),
    "gains": ("The hero gains {} HP and has {}.", "Hrdina získává životy: {}, má jich {}."),
    "revived": (
        "A deadly hit, but the hero stands up again with {} HP.",
        "Smrtelný zásah, ale hrdina vstává, životy: {}.",
    ),
    "uses": ("{who} uses {tile}.", "{who} používá: {tile}."),
    "spares": ("{who} doesn't use {tile}.", "{who} nepoužívá: {tile}."),
    "gives": ("{who} gives up {tile}.", "{who} se vzdává: {tile}."),
    "lost": ("{} is gone for this round.", "Pro toto kolo je pryč: {}."),
    "success": ("{who} comes out alive: a success.", "{who} vychází živ: úspěch."),
    "failure": ("{who} has failed: the hero is dead.", "{who} neuspěl, hrdina je mrtvý."),
    "empty-failure": ("{who} has failed: nobody was in there.", "{who} neuspěl, nikdo tam nebyl."),
    "eliminated": ("{who} is out of the game.", "{who} je mimo hru."),
    "was": ("The card that {who} laid aside with {tile}: {card}.", "{who} měl odloženo ({tile}): {card}."),
    "rest": ("Left in the dungeon: {card}.", "V podzemí zbylo: {card}."),
    "next-round": ("Round {} begins.", "Začíná kolo {}."),
    "wins": ("{who} wins the game!", "{who} vyhrává!"),
    "nobody": ("Nobody wins.", "Nevyhrává nikdo."),
    # Questions.
    "ask-hero": ("Which hero goes next?", "Který hrdina bude teď?"),
    "ask-bid": ("Draw a card, or pass?", "Vzít kartu, nebo pasovat?"),
    "ask-place": (
        "You drew: {}. Add it to the dungeon, or lay it aside with a tile of the hero?",
        "Máš kartu: {}. Přidat ji do podzemí, nebo odložit i s výbavou hrdiny?",
    ),
    "ask-at": ("Who is to name a strength for the {}?", "Kdo zvolí sílu? ({})"),
    "ask-name": ("Which strength shall the {} defeat?", "Jakou sílu bude porážet {}?"),
    "ask-use": ("{card}{strength}, and {hp} HP. Use {tile}?", "{card}{strength}, životy {hp}. Použít: {tile}?"),
    "ask-pay": ("What does the {} cost?", "Čím zaplatit? ({})"),
    "ask-cube": ("Which tile does it take? ({})", "O co hrdina přijde? ({})"),
    # Choices.
    "c-draw": ("draw a card", "vzít kartu"),
    "c-pass": ("pass", "pasovat"),
    "c-add": ("add it to the dungeon", "přidat do podzemí"),
    "c-lay": ("lay it aside with {}", "odložit a s ní: {}"),
    "c-give": ("give up {}", "vzdát se: {}"),
    "c-hero": ("{hero}, {hp} HP with all tiles", "{hero}, životy s celou výbavou {hp}"),
    "c-at": ("player {}", "hráč {}"),
    "c-name": ("strength {}", "síla {}"),
    "c-use": ("use {}", "použít: {}"),
    "c-no": ("don't use {}", "nepoužít: {}"),
    "help": (
        "draw or pass; then add, or xTILE to lay the card aside with that tile (xSWO). Before a fight useTILE or\n"
        "noTILE. The last who hasn't passed goes in with what the hero has left.",
        "draw (vzít) nebo pass (pasovat); potom add, nebo xVÝBAVA, když má karta jít stranou i s výbavou (xSWO).\n"
        "V podzemí useVÝBAVA nebo noVÝBAVA. Kdo nepasoval jako poslední, jde dovnitř s tím, co hrdinovi zbylo.",
    ),
    "rules": (
        "All players prepare one hero and his dungeon, and dare each other to go in.\n"
        "On your turn you pass and are out of the round, or you draw a monster that only you see. It goes face\n"
        "down on top of the dungeon, or out of the round together with one tile of the hero's equipment.\n"
        "The last player who hasn't passed enters. The cards are met from the top, the last one added first. What\n"
        "a tile defeats does nothing; everything else costs as many HP as it is strong. Dead at 0 HP: a failure.\n"
        "All met and still alive: a success.\n"
        "Two successes win the game; two failures put you out of it, and the last one left wins, too.\n"
        "After a round all cards and tiles come back; who was inside chooses the next hero and begins.\n"
        "Monsters: Goblin 1, Skeleton 2, Orc 3, Vampire 4, Golem 5 (two each), Lich 6, Demon 7, Dragon 9, and two\n"
        "special ones. Details: docs/dungeon.md.",
        "Všichni chystají jednoho hrdinu a jeho podzemí a navzájem se hecují, kdo tam půjde.\n"
        "Na tahu buď pasuješ a v tomto kole končíš, nebo si vezmeš příšeru, kterou vidíš jen ty. Ta jde lícem dolů\n"
        "navrch podzemí, nebo z kola ven i s jedním kusem výbavy hrdiny.\n"
        "Kdo zbude a nepasoval, jde dovnitř. Karty se otáčejí odshora, naposledy přidaná první. Co porazí výbava,\n"
        "to neublíží; všechno ostatní stojí tolik životů, jakou to má sílu. Při nule je hrdina mrtvý: neúspěch.\n"
        "Když všechno přežije: úspěch.\n"
        "Dva úspěchy vyhrávají; kdo má dva neúspěchy, je mimo hru, a kdo zbude poslední, vyhrává taky.\n"
        "Po kole se všechny karty i výbava vracejí; kdo byl uvnitř, vybere dalšího hrdinu a začíná.\n"
        "Příšery: goblin 1, kostlivec 2, ork 3, upír 4, golem 5 (po dvou), kostěj 6, démon 7, drak 9 a dvě\n"
        "zvláštní. Podrobnosti: docs/dungeon.md.",
    ),
}


class DungeonTold(Told):
    words = WORDS
    styles: ClassVar[Mapping[str, str]] = {
        r"\((you|ty)\)": "bold green",
        r"\d+ HP|životy \d+": "bold red",
        r"^ +[A-Z]{2,4} ": "bold cyan",
        r"\((gone|pryč)\)": "dim",
    }

    def board(self, game: Dungeon) -> str:
        """The table as the view `game` knows it."""
        head = self._say("round", game.round)
        names = [self._card(game, kind) for kind in game.specials]
        unknown = game.book.cards.drawn_specials - len(names)
        if game.stage != s.SPECIAL and (names or unknown):
            head += "; " + self._say("specials", ", ".join([*names, *["?"] * unknown]))
        rows = [head]
        if game.stage not in _SETUP:
            rows += self._hero_rows(game)
            rows += self._pile_rows(game)
        rows += [self._standing(game, seat) for seat in range(game.seats)]
        return "\n".join(rows)

    def _hero_rows(self, game: Dungeon) -> list[str]:
        hero = game.hero
        hp = game.hp if game.stage in _INSIDE else hero.total[game.tiles]
        rows = [self._say("hero", hero=hero.names[self._at], hp=hp)]
        names = game.book.cards.names[self._at]
        for at, tile in enumerate(hero.tiles):
            word = "tile" if game.tiles >> at & 1 else "gone"
            does = describe(tile, self._at, names)
            rows.append(self._say(word, code=tile.code, name=tile.names[self._at], does=does))
        return rows

    def _pile_rows(self, game: Dungeon) -> list[str]:
        rows = [self._say("deck", game.left)]
        if game.pile:
            row = self._say("dungeon", len(game.pile))
            if any(card != s.UNKNOWN for card in game.pile):
                lying = zip(reversed(game.pile), reversed(game.added), strict=True)
                cards = [self._say("lies", card=self._card(game, card), who=self._player(by)) for card, by in lying]
                row += self._say("from-top", ", ".join(cards))
            rows.append(row)
        else:
            rows.append(self._say("empty"))
        if game.aside:
            laid = zip(game.aside, game.asider, game.given, strict=True)
            rows.append(self._say("aside", "; ".join(self._laid(game, *each) for each in laid)))
        if game.stage in _FACING:
            rows.append(self._say("faces", **self._facing(game)))
        return rows

    def _laid(self, game: Dungeon, card: int, seat: int, bit: int) -> str:
        name, who = self._card(game, card), self._player(seat)
        if not bit:  # the rest of a dungeon that is shown
            return self._say("shown", card=name, who=who)
        return self._say("laid", card=name, who=who, tile=self._tile(game, bit))

    def _standing(self, game: Dungeon, seat: int) -> str:
        cards, note = game.book.cards, ""
        if game.fails[seat] >= cards.failures:
            note = self._say("out")
        elif game.stage in _INSIDE and seat == game.mover:
            note = self._say("inside")
        elif game.passed >> seat & 1 and game.stage not in _SETUP:
            note = self._say("passed")
        return self._say(
            "standing",
            who=self._player(seat),
            wins=game.wins[seat],
            most=cards.successes,
            fails=game.fails[seat],
            out=cards.failures,
            note=note,
        )

    def question(self, game: Dungeon) -> str:
        stage, hero = game.stage, game.hero
        if stage == s.PLACE:
            return self._say("ask-place", self._card(game, game.card))
        if stage in (s.AT, s.NAME):
            return self._say("ask-at" if stage == s.AT else "ask-name", self._tile(game, hero.named))
        if stage == s.USE:
            facing = self._facing(game)
            tile = self._tile(game, hero.bit[game.moves[0][3:]])
            return self._say("ask-use", card=facing["card"], strength=facing["strength"], hp=game.hp, tile=tile)
        if stage == s.PAY:
            return self._say("ask-pay", self._tile(game, hero.smoke))
        if stage == s.CUBE_TAKES:
            return self._say("ask-cube", self._card(game, game.card))
        return self._say("ask-hero" if stage == s.HERO else "ask-bid")

    def choice(self, game: Dungeon, token: str) -> str:
        stage, hero = game.stage, game.hero
        if stage == s.HERO:
            chosen = next(each for each in game.book.cards.heroes if f"hero{each.code}" == token)
            return self._say("c-hero", hero=chosen.names[self._at], hp=chosen.total[chosen.all])
        if stage == s.AT:
            return self._say("c-at", token[2:])
        if stage == s.NAME:
            return self._say("c-name", token[1:])
        if stage == s.USE:
            word, code = ("c-use", token[3:]) if token.startswith("use") else ("c-no", token[2:])
            return self._say(word, self._tile(game, hero.bit[code]))
        if token in ("draw", "pass", "add"):
            return self._say(f"c-{token}")
        return self._say("c-lay" if stage == s.PLACE else "c-give", self._tile(game, hero.bit[token[1:]]))

    def told(self, before: Dungeon, token: str, after: Dungeon) -> list[str]:
        lines = self._event(before, token, after)
        if before.stage in _INSIDE:
            lines += self._effects(before, token, after)
        if after.stage in _INSIDE and before.stage == s.BID:
            lines.append(
                self._say("enters", who=self._player(after.mover), hp=after.hp, count=len(after.pile))
            )
        lines += self._outcome(before, after)
        if after.round > before.round:
            lines.append(self._say("next-round", after.round))
        if after.turn == OVER:
            winners = [seat for seat, share in enumerate(after.returns()) if share == 1]
            lines += [self._say("wins", who=self._player(seat)) for seat in winners] or [self._say("nobody")]
        return lines

    def _card(self, game: Dungeon, kind: int) -> str:
        return self._say("unknown") if kind == s.UNKNOWN else game.book.cards.names[self._at][kind]

    def _tile(self, game: Dungeon, bit: int) -> str:
        return game.hero.tile(bit).names[self._at]

    def _facing(self, game: Dungeon) -> dict[str, object]:
        """The card that the hero has met."""
        strength = self._say("strength", game.strength) if game.strength >= 0 else ""
        return {"at": game.position, "card": self._card(game, game.card), "strength": strength}

    def _event(self, before: Dungeon, token: str, after: Dungeon) -> list[str]:
        stage, who = before.stage, self._player(before.turn if before.turn >= 0 else before.mover)
        if stage == s.SPECIAL:
            return [] if token == "@=?" else [self._say("special", self._card(before, KIND[token[2:]]))]
        if stage == s.FIRST:
            return [self._say("first", who=self._player(after.mover))]
        if stage == s.DEAL_HERO:
            return [self._say("hero-drawn", after.hero.names[self._at])]
        if stage == s.HERO:
            return [self._say("chooses", who=who, hero=after.hero.names[self._at])]
        if stage == s.BID:
            return [self._say("draws" if token == "draw" else "passes", who=who)]
        if stage == s.DRAWN:
            return [] if after.card == s.UNKNOWN else [self._say("drew", self._card(after, after.card))]
        if stage == s.PLACE:
            if token == "add":
                return [self._say("adds", who=who, count=len(after.pile))]
            return [self._say("lays", who=who, tile=self._tile(before, before.hero.bit[token[1:]]))]
        if stage == s.AT:
            return [self._say("asks", who=who, to=token[2:])]
        if stage == s.NAME:
            return [self._say("names", who=who, strength=token[1:])]
        if stage == s.SHOW:
            return [self._was(before, token)]
        if stage == s.REVEAL:
            return self._met(before, token, after)
        if stage == s.USE:
            word, code = ("uses", token[3:]) if token.startswith("use") else ("spares", token[2:])
            return [self._say(word, who=who, tile=self._tile(before, before.hero.bit[code]))]
        return [self._say("gives", who=who, tile=self._tile(before, before.hero.bit[token[1:]]))]

    def _was(self, before: Dungeon, token: str) -> str:
        card, bit = self._card(before, KIND[token[1:]]), before.given[0]
        if not bit:
            return self._say("rest", card=card)
        return self._say("was", who=self._player(before.asider[0]), tile=self._tile(before, bit), card=card)

    def _met(self, before: Dungeon, token: str, after: Dungeon) -> list[str]:
        book, hero, kind, position = before.book, before.hero, KIND[token[1:]], before.position + 1
        successes = before.wins[before.mover]
        strength = book.strength(kind, position, hero.number_of[before.tiles], successes)
        identity = book.identity(kind, position, successes)
        said = self._say("strength", strength) if strength >= 0 else ""
        lines = [self._say("met", at=position, card=self._card(before, kind), strength=said)]
        if before.charmed:
            return [*lines, self._say("charmed")]
        if kind == ALLY:
            return [*lines, self._say("ally")]
        if after.stage in _FACING or kind == CUBE or after.hp < before.hp:
            return lines  # the player is asked, or the effect is told after this
        repeated = identity >= 0 and bool(before.seen >> identity & 1)
        tiles = before.usable(strength, identity, repeated)
        names = ", ".join(tile.names[self._at] for tile in hero.some(tiles))
        return [*lines, self._say("beaten", names) if names else self._say("harmless")]

    def _effects(self, before: Dungeon, token: str, after: Dungeon) -> list[str]:
        """What it did to HP and tiles."""
        lines: list[str] = []
        revives = before.hero.revives & before.tiles
        if after.hp < before.hp:
            lines.append(self._say("loses", before.hp - after.hp, after.hp))
        elif after.hp > before.hp:
            lines.append(self._say("gains", after.hp - before.hp, after.hp))
        if revives and after.hp == before.hero.tile(revives).revived < before.hp and self._deadly(before, token):
            lines[-1:] = [self._say("revived", after.hp)]
        if after.round == before.round:
            gone = before.tiles & ~after.tiles
            if token.startswith("x"):
                gone &= ~before.hero.bit[token[1:]]
            lines += [self._say("lost", tile.names[self._at]) for tile in before.hero.some(gone)]
        return lines

    @staticmethod
    def _deadly(before: Dungeon, token: str) -> bool:
        """Whether the hit would have left less than the bones did."""
        if token.startswith("x"):
            return before.hero.tile(before.hero.bit[token[1:]]).hp >= before.hp
        strength = before.strength
        if token.startswith("!"):
            tiles = before.hero.number_of[before.tiles]
            successes = before.wins[before.mover]
            strength = before.book.strength(KIND[token[1:]], before.position + 1, tiles, successes)
        return strength - before.hero.less[before.tiles] - before.flute >= before.hp

    def _outcome(self, before: Dungeon, after: Dungeon) -> list[str]:
        lines = []
        for seat in range(after.seats):
            who = self._player(seat)
            if after.wins[seat] > before.wins[seat]:
                lines.append(self._say("success", who=who))
            if after.fails[seat] > before.fails[seat]:
                lines.append(self._say("failure" if before.stage in _INSIDE else "empty-failure", who=who))
                if after.fails[seat] >= after.book.cards.failures:
                    lines.append(self._say("eliminated", who=who))
        return lines
