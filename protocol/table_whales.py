"""Whales told to people at a terminal: the table, what was just done, what can be chosen, in English or Czech."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar
from urllib.parse import quote

from thudstone.engine.cards.whales import claim as claims
from thudstone.engine.cards.whales.claim import COLOURS
from thudstone.engine.cards.whales.phase import (
    ANSWER,
    DISCARD,
    FACTS,
    GUESS,
    LOSE,
    NOBODY,
    OFFER,
    PLACE,
    SAY,
    SHOW,
    STEAL,
    TOLD,
    TRUE,
    UNKNOWN,
)
from thudstone.engine.cards.whales.roles import HIDDEN, ROLES
from thudstone.engine.cards.whales.state import Whales
from thudstone.engine.game import OVER
from thudstone.protocol.told import Told

WORDS: dict[str, tuple[str, str]] = {
    "red": ("red", "červená"),
    "blue": ("blue", "modrá"),
    "grey": ("grey", "šedá"),
    "whale": ("whale", "velryba"),
    "dolphin": ("dolphin", "delfín"),
    "hero": ("superhero", "superhrdina"),
    "turtle": ("turtle", "želva"),
    "spy": ("superspy", "superšpion"),
    "henchman": ("henchman", "poskok"),
    "were": ("were-whale", "velrybodlak"),
    "take": ("take it", "vezmi si ji"),
    "leave": ("don't take it", "neber ji"),
    "need": ("you need it", "potřebuješ ji"),
    "return": ("I'd like it back", "chci ji zpátky"),
    "not": ("no {}", "ne {}"),
    "and": (" and ", " a "),
    "or": (", or ", " nebo "),
    "purge_hero": ("sends a superhero away", "zahání superhrdinu"),
    "unstealable": ("can't be stolen", "nejde ukrást"),
    "triple": ("room for three", "místo pro tři"),
    "universal": ("all colours", "všechny barvy"),
    "coloured": ("{colour} {value}", "{colour} {value}"),
    "any": ("dolphin {value}", "delfín {value}"),
    "able": ("{card} ({ability})", "{card} ({ability})"),
    "unknown": ("a card", "karta"),
    "deck": ("{} cards in the deck", "v balíčku zbývá karet: {}"),
    "seat": ("Player {}", "Hráč {}"),
    "you": ("Player {} (you)", "Hráč {} (ty)"),
    "role": ("{who}, {role}", "{who}, {role}"),
    "army": (
        "{who}: {cards}; superheroes {heroes}; strength {strength}",
        "{who}: {cards}; superhrdinové {heroes}; síla {strength}",
    ),
    "honest": ("; {true} of {told} claims were true", "; pravdivých výroků {true} z {told}"),
    "empty": ("no whales", "žádné velryby"),
    "hand": ("In your hand: {}", "V ruce máš: {}"),
    "offered": ("{mover} offers {target} a card and {claim}.", "{mover} nabízí kartu, komu: {target}; {claim}."),
    "starts": ("{who} starts with {card}.", "{who} začíná s kartou {card}."),
    "dealt": ("{who} is dealt the role {role}.", "{who} dostává roli: {role}."),
    "secret": ("{who} is dealt a role.", "{who} dostává roli."),
    "first": ("{who} begins.", "{who} začíná."),
    "draws": ("{who} draws: {card}.", "{who} si bere kartu: {card}."),
    "discards": ("{who} discards: {card}.", "{who} odhazuje: {card}."),
    "offers": ("{who} offers a card to player {to}.", "{who} nabízí kartu hráči {to}."),
    "says": ("{who} {claim}.", "{who} {claim}."),
    "silent": ("says nothing", "nic neříká"),
    "claims": ("says: {}", "říká: {}"),
    "keep": ("{who} keeps it.", "{who} si ji nechává."),
    "refuse": ("{who} refuses it.", "{who} ji odmítá."),
    "shown": ("It is turned up: {card}. It goes to player {to}.", "Karta se otáčí: {card}. Dostává ji hráč {to}."),
    "full": ("That was one too many: a whole set is gone.", "To už bylo moc: celá sada je pryč."),
    "steals": ("{who} steals from player {to}: {card}.", "{who} krade hráči {to}: {card}."),
    "nosteal": ("{who} steals nothing.", "{who} nic nekrade."),
    "loses": ("The turtle costs {who}: {card}.", "Želva přináší mír; {who} odhazuje: {card}."),
    "places": ("{who} puts the dolphin to this colour: {colour}.", "{who} řadí delfína k barvě: {colour}."),
    "is-turtle": ("{who} has no whales and is the Turtle!", "{who} nemá velryby a je Želva!"),
    "no-turtle": ("{who} has no whales, and is not the Turtle.", "{who} nemá velryby, ale Želva to není."),
    "guess": ("{who} says that player {to} is: {role}.", "{who} tvrdí, že hráč {to} je: {role}."),
    "pass": ("{who} names no roles.", "{who} role nehádá."),
    "reveals": ("{who} was: {role}.", "{who} má roli: {role}."),
    "heroes": ("A third superhero: the game is over.", "Třetí superhrdina: konec hry."),
    "six": ("Six whales: the game is over, the strongest whale wins.", "Šest velryb: konec hry, vyhrává nejsilnější."),
    "deck-end": ("The deck is empty: the strongest whale wins.", "Balíček došel: vyhrává nejsilnější velryba."),
    "wins": ("{who} wins ({share:.0%}).", "Vyhrává {who} ({share:.0%})."),
    # Questions and choices.
    "ask-discard": (
        "You drew: {}, and: {}. Which one goes away for all to see? You offer the other.",
        "Máš karty: {} a {}. Kterou odhodíš před všemi? Druhou pak nabídneš.",
    ),
    "ask-offer": ("To whom do you offer your card: {card}?", "Komu nabídneš kartu: {card}?"),
    "ask-say": ("What do you say to player {to} about your card: {card}?", "Co řekneš o kartě: {card}? (hráč {to})"),
    "ask-answer": (
        "{who} offers you a card and {claim}. Into your army, or back into the other's?",
        "{who} ti nabízí kartu a {claim}. Do tvojí armády, nebo zpátky?",
    ),
    "ask-place": ("Which colour does it join: {}?", "K jaké barvě se přidá: {}?"),
    "ask-steal": ("A whole set of yours is gone. What do you steal?", "Celá tvoje sada je pryč. Co ukradneš?"),
    "ask-lose": ("A turtle! Which card of your army goes away?", "Želva! Která karta z tvojí armády půjde pryč?"),
    "ask-guess": (
        "The were-whale may name all roles. What is player {}?",
        "Velrybodlak smí uhodnout všechny role. Kdo je hráč {}?",
    ),
    "c-offer": ("player {}", "hráč {}"),
    "c-keep": ("keep it", "nechat si ji"),
    "c-refuse": ("refuse it: it goes to {who}", "odmítnout, dostane ji {who}"),
    "c-nosteal": ("nothing", "nic"),
    "c-steal": ("{card} of player {to}", "{card} (hráč {to})"),
    "c-pass": ("name nobody's role", "nehádat"),
    "rules": (
        "Armies of whales, offers that may be lies, and a superspy among the players.\n"
        "On your turn you draw two cards, discard one openly and offer the other face down to another player; say\n"
        "what you like about it. He keeps it, or refuses it, and then it goes into your own army.\n"
        "A whale joins the set of its colour; two are enough: a third discards all three, and the owner of the\n"
        "army steals a superhero, or the weakest whale of some colour. A turtle costs its receiver a card.\n"
        "The third superhero in one army ends the game, and the superspy wins (with six players there are two: one\n"
        "who has the three himself wins alone). Else the game ends with six whales in an army, two of each colour,\n"
        "or with the deck: each loses his weakest whale for every superhero he has, and the strongest whale player\n"
        "wins; a superspy never wins that way.\n"
        "Only you see your role. Dolphins, more roles: docs/whales.md.",
        "Armády velryb, nabídky, které mohou být lež, a mezi hráči superšpion.\n"
        "Na tahu si vezmeš dvě karty, jednu před všemi odhodíš a druhou lícem dolů nabídneš jinému hráči; řekni o\n"
        "ní, co chceš. Buď si ji nechá, nebo ji odmítne a pak je v tvojí armádě.\n"
        "Velryba se přidá ke své barvě; stačí dvě: třetí odhodí všechny tři a majitel armády ukradne superhrdinu\n"
        "nebo nejslabší velrybu jedné barvy. Želva svého majitele stojí jednu kartu.\n"
        "Třetí superhrdina v jedné armádě končí hru a vyhrává superšpion (v šesti jsou dva; který má ty tři sám,\n"
        "vyhrává sám). Jinak hra končí šesti velrybami v armádě, po dvou od barvy, nebo s balíčkem: každý přijde za\n"
        "každého superhrdinu o nejslabší velrybu a vyhrává nejsilnější velryba; superšpion takhle nevyhraje nikdy.\n"
        "Svou roli vidíš jen ty. Delfíni a další role: docs/whales.md.",
    ),
    "help": (
        "xCARD discards one of your two cards, toPLAYER offers the other, and then you say\n"
        "what you like: silent, say:red+4, say:-hero+take, or in words: say a turtle. It may be a lie.\n"
        "keep or refuse answers an offer: the card goes to you, or back into the other's army. Two whales of a\n"
        "colour are enough: a third discards all three, and you steal a card. Three superheroes anywhere, and the\n"
        "superspy wins; else the strongest whale, when somebody has six or the deck is empty.",
        "xKARTA odhodí jednu ze dvou karet, toHRÁČ nabídne druhou, a pak řekni, co chceš:\n"
        "silent, say:red+4, say:-hero+take, nebo slovy: say potřebuju želvu; lhát se smí. keep a refuse je\n"
        "odpověď na nabídku: karta je tvoje, nebo se vrací do armády toho druhého. Od barvy stačí dvě\n"
        "velryby: třetí odhodí všechny tři a smíš krást. Tři superhrdinové kdekoli a vyhrává superšpion;\n"
        "jinak nejsilnější velryba, když má někdo šest velryb nebo dojde balíček.",
    ),
}


class WhalesTold(Told):
    words = WORDS
    styles: ClassVar[Mapping[str, str]] = {
        r"\((you|ty)\)": "bold green",
        r"\b(red|červen\w+)( \d+)?\b": "bold red",
        r"\b(blue|modr\w+)( \d+)?\b": "bold blue",
        r"\b(grey|šed\w+)( \d+)?\b": "bold",
        r"\bsuper\w+\b": "bold magenta",
        r"\b(turtle|želva)\b": "bold yellow",
    }

    def board(self, game: Whales) -> str:
        """The table as the view `game` knows it."""
        rows = [self._say("deck", game.left)]
        for seat in range(game.seats):
            who = self._player(seat)
            if game.roles[seat] != HIDDEN:
                who = self._say("role", who=who, role=self._say(ROLES[game.roles[seat]]))
            cards = [self._card(game, card) for each in game.sets[3 * seat : 3 * seat + 3] for card in each]
            whales, strength = ", ".join(cards) or self._say("empty"), game.strength(seat)
            row = self._say("army", who=who, cards=whales, heroes=game.heroes[seat], strength=strength)
            told, true = game.facts[FACTS * seat + TOLD], game.facts[FACTS * seat + TRUE]
            rows.append(row + (self._say("honest", true=true, told=told) if told else ""))
        if game.hand and game.mover == self._seat:
            rows.append(self._say("hand", ", ".join(self._card(game, card) for card in game.hand)))
        if game.claim:
            mover, target = self._player(game.mover), self._player(game.target)
            rows.append(self._say("offered", mover=mover, target=target, claim=self._claim(game.claim)))
        return "\n".join(rows)

    def question(self, game: Whales) -> str:
        if game.phase == DISCARD:
            return self._say("ask-discard", *(self._card(game, card) for card in game.hand))
        if game.phase in (OFFER, SAY):
            word = "ask-offer" if game.phase == OFFER else "ask-say"
            return self._say(word, card=self._card(game, game.hand[0]), to=game.target + 1)
        if game.phase == ANSWER:
            return self._say("ask-answer", who=self._player(game.mover), claim=self._claim(game.claim))
        if game.phase == PLACE:
            return self._say("ask-place", self._card(game, game.placing))
        if game.phase == GUESS:
            others = [seat + 1 for seat in range(game.seats) if seat != game.turn]
            return self._say("ask-guess", others[len(game.named)])
        return self._say({STEAL: "ask-steal", LOSE: "ask-lose"}[game.phase])

    def choice(self, game: Whales, token: str) -> str:
        if game.phase == SAY:
            return self._claim(token)
        if token in ("keep", "refuse", "nosteal", "pass"):
            return self._say(f"c-{token}", who=self._player(game.mover))
        head, _, tail = token.partition("=")
        if head == "set":
            return self._say(tail)
        if head == "lose":
            return self._named(game, tail)
        if head.startswith("steal"):
            return self._say("c-steal", to=head[5:], card=self._named(game, tail))
        if head.startswith("is"):
            return self._say(tail)
        return self._say("c-offer", head[2:]) if head.startswith("to") else self._named(game, token[1:])

    def typed(self, game: Whales, line: str) -> str:
        """A claim may also be typed as what is said aloud."""
        words = line.split()
        if game.phase == SAY and len(words) > 1 and words[0].lower() in ("say", "řekni"):
            return f"say:~{quote(' '.join(words[1:]), safe='')}"
        return super().typed(game, line)

    def told(self, before: Whales, token: str, after: Whales) -> list[str]:
        """What a token did, a line each, from the view before it and after it."""
        lines = [self._event(before, token) if token[0] in "@!" else self._move(before, token)]
        whales = sum(map(len, after.sets)) - sum(map(len, before.sets))
        if whales <= -2 or (whales < 0 and token.startswith("set=")):
            lines.append(self._say("full"))
        if after.why and not before.why:
            word = {"deck": "deck-end", "turtle": ""}.get(after.why, after.why)
            lines += [self._say(word)] if word else []
        if after.turn == OVER:
            shares = enumerate(after.returns())
            lines += [self._say("wins", who=self._player(seat), share=share) for seat, share in shares if share]
        return lines

    def _card(self, game: Whales, number: int) -> str:
        if number == UNKNOWN:
            return self._say("unknown")
        card = game.table.cards[number]
        if number in (game.table.hero, game.table.turtle):
            return self._say("hero" if number == game.table.hero else "turtle")
        if card.colour >= len(COLOURS):
            name = self._say("any", value=card.value)
        else:
            name = self._say("coloured", colour=self._say(COLOURS[card.colour]), value=card.value)
        return self._say("able", card=name, ability=self._say(card.ability)) if card.ability else name

    def _named(self, game: Whales, name: str) -> str:
        return self._card(game, UNKNOWN if name == "?" else game.table.index[name])

    def _claim(self, token: str) -> str:
        """`says: red and 4, or superhero "come on"`."""
        claim = claims.parse(token)
        if token == claims.SILENT.token:
            return self._say("silent")
        each = [self._say("and").join(map(self._term, terms)) for terms in claim.alternatives]
        said = [self._say("or").join(each)] if each else []
        # What someone else typed must not steer this terminal.
        text = "".join(letter if letter.isprintable() else "?" for letter in claim.text)
        return self._say("claims", " ".join([*said, f'"{text}"'] if text else said))

    def _term(self, term: str) -> str:
        if term[0] == "-":
            return self._say("not", self._term(term[1:]))
        return term if term.isdecimal() else self._say(term)

    def _move(self, game: Whales, token: str) -> str:
        who = self._player(game.turn)
        if game.phase == SAY:
            return self._say("says", who=who, claim=self._claim(token))
        if token in ("keep", "refuse", "nosteal", "pass"):
            return self._say(token, who=who)
        head, _, tail = token.partition("=")
        if head == "set":
            return self._say("places", who=who, colour=self._say(tail))
        if head == "lose":
            return self._say("loses", who=who, card=self._named(game, tail))
        if head.startswith("steal"):
            return self._say("steals", who=who, to=head[5:], card=self._named(game, tail))
        if head.startswith("is"):
            return self._say("guess", who=who, to=head[2:], role=self._say(tail))
        if head.startswith("to"):
            return self._say("offers", who=who, to=head[2:])
        return self._say("discards", who=who, card=self._named(game, token[1:]))

    def _event(self, game: Whales, token: str) -> str:
        head, equals, tail = token[1:].partition("=")
        if token[0] == "@" and not head:
            if tail.startswith("first"):
                return self._say("first", who=self._player(int(tail[5:]) - 1))
            seat = game.step // game.table.start_whales
            return self._say("starts", who=self._player(seat), card=self._named(game, tail))
        if not equals:
            to = (game.target if game.kept else game.mover) + 1
            return self._say("shown", card=self._named(game, head), to=to)
        who = self._player(int(head) - 1)
        if token[0] == "!":
            if game.phase == SHOW:
                return self._say("reveals", who=who, role=self._say(tail))
            return self._say("is-turtle" if tail == "turtle" else "no-turtle", who=who)
        if game.mover != NOBODY:
            return self._say("draws", who=who, card=self._named(game, tail))
        if tail == "?":
            return self._say("secret", who=who)
        return self._say("dealt", who=who, role=self._say(tail))
