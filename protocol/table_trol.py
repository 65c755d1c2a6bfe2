"""Trol told to people at a terminal: the table, what somebody just did, and what can be chosen, in English or Czech."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from thudstone.engine.cards.trol.state import ACTIONS, Trol
from thudstone.engine.cards.trol.table import ACT, COOK, COPY, DICE, FORCE, HAND, PLUS_MINUS, REVEAL, STAB
from thudstone.engine.cards.trol.tribe import DOWN, HIDDEN, KIND, NUMBER, listed
from thudstone.protocol.told import Told

WORDS: dict[str, tuple[str, str]] = {
    "day": ("Day", "Den"),
    "night": ("Night", "Noc"),
    "left": ("{} cards in the prey deck", "v balíčku kořisti zbývá karet: {}"),
    "no-prey": ("nothing to hunt", "nic k lovu"),
    "prey": ("{low}-{high} damage, food {food}, skulls {skulls}", "zranění {low}-{high}, jídlo {food}, lebky {skulls}"),
    "empty": ("nobody yet", "zatím nikdo"),
    "unknown": ("face down", "lícem dolů"),
    "down": ("{} (face down)", "{} (lícem dolů)"),
    "tribe": ("tribe {}", "kmen {}"),
    "you": ("tribe {} (you)", "kmen {} (ty)"),
    "counts": (
        "food {food}, masks {masks}, skulls {skulls}, hand {hand}, deck {deck}",
        "jídlo {food}, masky {masks}, lebky {skulls}, v ruce {hand}, v balíčku {deck}",
    ),
    "hand": ("  in hand: {}", "  v ruce: {}"),
    "tops": ("  on its piles: {}", "  na hromádkách: {}"),
    "hunt": (
        "A hunt is on at place {place}: damage {total} so far, {low} to {high} wanted.",
        "Lov na místě {place}: zatím zranění {total}, potřeba je {low} až {high}.",
    ),
    "add": ("{who} adds {card} at place {place}.", "{who} přidává na místo {place} kartu {card}."),
    "start": (
        "{who} begins the hunt at place {place} with {card}.",
        "{who} začíná lov na místě {place} kartou {card}.",
    ),
    "hidden": ("a card face down", "lícem dolů"),
    "shown": ("Card {at} of the line is {card}, of {who}.", "Karta {at} v řadě je {card}, {who}."),
    "stab": ("{who} stabs card {at}: {card}.", "{who} podráží kartu {at}: {card}."),
    "nostab": ("{who} betrays nobody.", "{who} nikoho nezrazuje."),
    "roll": ("{who} rolls {dice} for {card}: {total}.", "{who} hází {dice} za kartu {card}: {total}."),
    "again": ("The Shaman of {who} has the dice rolled again.", "Šaman nutí k novému hodu ({who})."),
    "keep": ("{who} lets the roll stand.", "{who} nechává hod platit."),
    "dice": ("{who} takes {dice} dice.", "{who} bere kostky {dice}."),
    "copy": ("{who} copies.", "{who} kopíruje."),
    "plain": ("{who} doesn't copy.", "{who} nekopíruje."),
    "weak": ("{who}'s Weakling makes it {token}.", "{who}: Chcípák dává {token}."),
    "weakling": ("{who} throws a Weakling in: +1.", "{who} přihazuje z ruky Chcípáka: +1."),
    "no": ("{who} adds no Weakling from the hand.", "{who} z ruky Chcípáka nepřidává."),
    "cook": ("{who}'s Cook doubles the food of card {at}.", "{who}: Kuchař zdvojnásobuje jídlo karty {at}."),
    "nocook": ("{who}'s Cook doubles nothing.", "{who}: Kuchař nezdvojnásobuje nic."),
    "so-far": ("That makes {total}; wanted: {low} to {high}.", "To je dohromady {total}; potřeba: {low} až {high}."),
    "fail": ("Damage {total}: the hunt fails.", "Zranění {total}: lov je neúspěšný."),
    "success": ("Damage {total}: the hunt succeeds.", "Zranění {total}: lov je úspěšný."),
    "shred": ("Damage {total}: the prey is torn to pieces.", "Zranění {total}: kořist je na cucky."),
    "gains": ("{who}: food +{food}, skulls +{skulls}.", "{who}: jídlo +{food}, lebky +{skulls}."),
    "lost": ("{who} loses {cards}.", "{who} přichází o {cards}."),
    "new": ("New prey at place {place}: {prey}.", "Nová kořist na místě {place}: {prey}."),
    "flip": ("The phase changes.", "Mění se denní doba."),
    "away": ("A day change is put away.", "Karta změny denní doby jde stranou."),
    "begins": ("Seat {} begins.", "Začíná místo {}."),
    "is-day": ("It is day: cards are played open.", "Je den: karty se hrají lícem nahoru."),
    "is-night": ("It is night: cards are played face down.", "Je noc: karty se hrají lícem dolů."),
    "draws": ("{who} draws {card}.", "{who} dobírá {card}."),
    "a-card": ("a card", "kartu"),
    "turns": ("{who} turns up {card}.", "{who} otáčí {card}."),
    "last": ("The last hunts: place {}.", "Závěrečné lovy: místo {}."),
    "tie": ("A tie; three red dice: {dice}.", "Shoda; tři červené kostky: {dice}."),
    "chief": ("Tribe {} is the chief of all!", "Velkým šéfem je kmen {}!"),
    # Questions and choices.
    "seat": ("Player {}", "Hráč {}"),
    "ask-act": ("Add a card to a hunt, or begin a hunt?", "Přidat kartu k lovu, nebo lov začít?"),
    "ask-second": (
        "And your second tribe, {}: add a card from its piles, or begin a hunt?",
        "A tvůj druhý kmen ({}): přidat kartu z jeho hromádek, nebo začít lov?",
    ),
    "ask-stab": ("Whom shall your {} stab in the back?", "Koho má {} podrazit?"),
    "ask-force": (
        "The {} has rolled {}. Shall your Shaman have it rolled again?",
        "{} hází {}. Má tvůj Šaman hod zopakovat?",
    ),
    "ask-dice": ("Which dice for your {}?", "Jaké kostky? ({})"),
    "ask-copy": ("Shall your {} copy the troll before it?", "Má {} kopírovat trolla před sebou?"),
    "ask-plus-minus": ("Your {} adds or takes away:", "{} přidává, nebo ubírá:"),
    "ask-hand": ("Throw a Weakling from your hand into the hunt?", "Přihodit k lovu Chcípáka z ruky?"),
    "ask-cook": ("Whose food shall your {} double?", "Komu má {} zdvojnásobit jídlo?"),
    "c-add": ("add {card} at place {place} ({prey})", "přidat na místo {place} ({prey}): {card}"),
    "c-hunt": ("begin the hunt at place {place} ({prey}) with {card}", "začít lov na místě {place} ({prey}): {card}"),
    "c-stab": ("card {}: {}", "karta {}: {}"),
    "c-nostab": ("nobody", "nikoho"),
    "c-cook": ("card {}: {}", "karta {}: {}"),
    "c-nocook": ("nobody's", "nikomu"),
    "c-force": ("roll again", "hodit znovu"),
    "c-keep": ("let it stand", "nechat platit"),
    "c-dice": ("{}", "{}"),
    "c-copy": ("copy", "kopírovat"),
    "c-plain": ("don't copy", "nekopírovat"),
    "c-plus-minus": ("damage {}", "zranění {}"),
    "c-weakling": ("throw it in: +1", "přihodit: +1"),
    "c-no": ("no", "ne"),
    "rules": (
        "Tribes of trolls hunt together and cheat each other. In a hunt the cards lie in a line under the prey.\n"
        "On your turn you add a card to a line (by night face down), or begin the hunt where a card of yours\n"
        "lies, with a troll from your hand that takes no part itself. Then you draw a card.\n"
        "In a hunt the line is shown; Backstabbers may throw cards out; then each card deals its damage, the\n"
        "nearest to the prey first. If the total falls short of the prey's range, cards and prey are lost, and a\n"
        "Trap brings its tribe food. Within the range the first three trolls eat the three shares, and who began\n"
        "the hunt gets the prey with its skulls. Above it nobody eats, and whose card went too far gets the prey.\n"
        "When all cards are played, the tribe with least food goes out, then (not with three) the one with fewest\n"
        "masks on its surviving cards; of the rest most skulls win.\n"
        "With two players each has a second tribe on four open piles. All cards: docs/trol.md.",
        "Kmeny trollů loví spolu a přitom se podvádějí. Karty lovu leží v řadě pod kořistí.\n"
        "Na tahu přidáš kartu do řady (v noci lícem dolů), nebo začneš lov tam, kde tvoje karta leží, a to\n"
        "trollem z ruky, který sám neloví. Potom si dobereš kartu.\n"
        "Při lovu se řada odkryje; Podrazáci smějí karty vyhazovat; potom karty útočí od té nejblíž kořisti.\n"
        "Když součet nestačí na rozmezí kořisti, karty i kořist jsou pryč a Past svému kmeni přinese jídlo. Když se\n"
        "trefí, první tři trollové dostanou po podílu jídla a kořist s lebkami má ten, kdo lov začal. Když přeteče,\n"
        "nikdo nejí a kořist má ten, čí karta to přehnala.\n"
        "Když jsou karty odehrané, vypadne kmen s nejméně jídlem, potom (ne ve třech) ten s nejméně maskami na\n"
        "přeživších kartách; ze zbylých vyhrávají lebky.\n"
        "Ve dvou má každý ještě druhý kmen ve čtyřech otevřených hromádkách. Všechny karty: docs/trol.md.",
    ),
    "help": (
        "addPLACE=CARD adds a card (add2=TRK); huntPLACE=CARD begins a hunt with a troll\n"
        "where you have a card (hunt2=CHI). You want the total of a hunt within the prey's range. Too little\n"
        "and all is lost, too much and nobody eats. Least food goes out first, then fewest masks among the\n"
        "survivors; then most skulls win.",
        "addMÍSTO=KARTA přidá kartu (add2=TRK), huntMÍSTO=KARTA začne trollem lov tam, kde máš\n"
        "kartu (hunt2=CHI). Součet má padnout do rozmezí kořisti: když nestačí, přijdou všichni o všechno,\n"
        "když přeteče, nikdo se nenají. Nejdřív vypadne kmen s nejméně jídlem, pak s nejméně maskami;\n"
        "pak rozhodují lebky.",
    ),
}
_QUESTIONS = {
    STAB: "ask-stab",
    DICE: "ask-dice",
    COPY: "ask-copy",
    PLUS_MINUS: "ask-plus-minus",
    COOK: "ask-cook",
}
WHITE_RED = {"r": ("red", "červená"), "w": ("white", "bílá")}


class TrolTold(Told):
    words = WORDS
    styles: ClassVar[Mapping[str, str]] = {
        r"\((you|ty)\)": "bold green",
        r"^(Day|Den)\b": "bold yellow",
        r"^(Night|Noc)\b": "bold blue",
        r"\b\d+-\d+\b": "bold",
        r"\b(red|červená) \d": "bold red",
        r"\((face down|lícem dolů)\)": "dim",
    }

    def board(self, game: Trol) -> str:
        """The table as the view `game` knows it."""
        rows = [f"{self._say('night' if game.night else 'day')}; {self._say('left').format(game.deck_size)}"]
        for place, line in enumerate(game.lines):
            rows.append(f"{place + 1}. {self._prey(game, place)}")
            if game.places[place] >= 0:
                cards = [f"{at}. {self._lying(game, card)}" for at, card in enumerate(line, 1)]
                rows.append(f"   {', '.join(cards) or self._say('empty')}")
        tally = game.tally()
        for tribe in range(game.tribes):
            counts = self._say("counts").format(
                food=game.food[tribe],
                masks=tally.masks[tribe],
                skulls=tally.skulls(tribe),
                hand=game.held[tribe],
                deck=game.left[tribe],
            )
            rows.append(f"{self._who(game, tribe)}: {counts}")
            if game.hands[tribe]:
                known = ", ".join(f"{self._name(game, kind)}" for kind in listed(game.hands[tribe]))
                rows.append(self._say("hand" if tribe < game.seats else "tops").format(known))
        if game.place >= 0 and game.places[game.place] >= 0 and REVEAL <= game.stage <= COOK:
            prey = game.book.cards.prey[game.places[game.place]]
            rows.append(self._say("hunt").format(place=game.place + 1, total=game.total, low=prey.low, high=prey.high))
        return "\n".join(rows)

    def question(self, game: Trol) -> str:
        if game.stage == ACT:
            return self._say("ask-second" if game.tribe >= game.seats else "ask-act", game.tribe + 1)
        if game.stage == HAND:
            return self._say("ask-hand")
        card = game.lines[game.place][game.asked if game.stage in (FORCE, COOK) else game.step]
        if game.stage == FORCE:
            roller = game.lines[game.place][game.step]
            return self._say("ask-force", self._name(game, roller & KIND), game.rolled)
        return self._say(_QUESTIONS[game.stage], self._name(game, card & KIND))

    def choice(self, game: Trol, token: str) -> str:
        line = game.lines[game.place] if game.place >= 0 else ()
        if token in ACTIONS:
            hunts, place, kind = ACTIONS[token]
            card = self._say("hidden") if kind == HIDDEN else self._name(game, kind)
            return self._say("c-hunt" if hunts else "c-add", card=card, place=place + 1, prey=self._range(game, place))
        if token.startswith(("stab", "cook")):
            target = int(token[4:]) - 1
            return self._say(f"c-{token[:4]}", target + 1, self._lying(game, line[target]))
        if set(token) <= set("rw"):
            return self._say("c-dice", ", ".join(WHITE_RED[die][self._at] for die in token))
        return self._say("c-plus-minus", token) if token in ("+1", "-1") else self._say(f"c-{token}")

    def told(self, before: Trol, token: str, after: Trol) -> list[str]:
        """What a token did, a line each, from the view before it and after it."""
        lines = [self._move(before, token) if token[0] not in "@!" else self._event(before, token, after)]
        hunted = [place for place, prey in enumerate(before.places) if prey >= 0 and after.places[place] < 0]
        if hunted:
            lines += self._outcome(before, after, hunted[0])
        elif after.total != before.total and after.place == before.place >= 0:
            prey = after.book.cards.prey[after.places[after.place]]
            lines.append(self._say("so-far", total=after.total, low=prey.low, high=prey.high))
        if after.winner >= 0:
            lines.append(self._say("chief").format(after.winner + 1))
        return lines

    def _who(self, game: Trol, tribe: int) -> str:
        own = self._seat is not None and game.owner(tribe) == self._seat
        return self._say("you" if own else "tribe").format(tribe + 1).capitalize()

    def _name(self, game: Trol, kind: int) -> str:
        return game.book.cards.names[self._language][kind]

    def _lying(self, game: Trol, card: int) -> str:
        kind, tribe = card & KIND, (card >> 4 & 7) + 1
        if kind == HIDDEN:
            return f"{self._say('unknown')} ({tribe})"
        name = f"{self._name(game, kind)} ({tribe})"
        return self._say("down").format(name) if card & DOWN else name

    @staticmethod
    def _range(game: Trol, place: int) -> str:
        prey = game.book.cards.prey[game.places[place]]
        return f"{prey.low}-{prey.high}"

    def _prey(self, game: Trol, place: int) -> str:
        if game.places[place] < 0:
            return self._say("no-prey")
        prey = game.book.cards.prey[game.places[place]]
        food = "/".join(map(str, prey.food))
        return self._say("prey").format(low=prey.low, high=prey.high, food=food, skulls=prey.skulls)

    def _move(self, game: Trol, token: str) -> str:
        line = game.lines[game.place] if game.place >= 0 else ()
        if token in ACTIONS:
            hunts, place, kind = ACTIONS[token]
            card = self._say("hidden") if kind == HIDDEN else self._name(game, kind)
            who = self._who(game, game.tribe)
            return self._say("start" if hunts else "add").format(who=who, card=card, place=place + 1)
        seat = self._who(game, game.turn)
        if token in ("weakling", "no"):
            return self._say(token).format(who=seat)
        at = game.asked if token in ("force", "keep", "nocook") or token.startswith("cook") else game.step
        who = self._who(game, line[at] >> 4 & 7)
        if token.startswith(("stab", "cook")):
            target = int(token[4:]) - 1
            card = self._lying(game, line[target])
            return self._say(token[:4]).format(who=who, at=target + 1, card=card)
        if token == "force":
            return self._say("again").format(who=who)
        if token in ("+1", "-1"):
            return self._say("weak").format(who=who, token=token)
        if set(token) <= set("rw"):
            return self._say("dice").format(who=who, dice=", ".join(WHITE_RED[die][self._at] for die in token))
        return self._say(token).format(who=who)

    def _event(self, before: Trol, token: str, after: Trol) -> str:
        body = token[1:].split("=")[-1]
        if token[0] == "!":
            card = before.lines[before.place][before.step]
            name = self._name(before, NUMBER[body])
            return self._say("shown").format(at=before.step + 1, card=name, who=self._who(before, card >> 4 & 7))
        if body.startswith("first"):
            return self._say("begins").format(body[5:])
        if body in ("day", "night"):
            return self._say(f"is-{body}")
        if body.startswith("hunt"):
            return self._say("last").format(body[4:])
        if body == "flip":
            if before.night == after.night:
                return self._say("away")
            return f"{self._say('flip')} {self._say('is-night' if after.night else 'is-day')}"
        if body[:1] == "P" and body[1:].isdecimal():
            place = next(at for at, prey in enumerate(before.places) if prey != after.places[at])
            return self._say("new").format(place=place + 1, prey=self._prey(after, place))
        if body in NUMBER or body == "?":
            card_name = self._say("a-card") if body == "?" else self._name(before, NUMBER[body])
            word = "turns" if token[1] == "=" else "draws"
            return self._say(word).format(who=self._who(before, before.tribe), card=card_name)
        dice = ", ".join(f"{WHITE_RED[die][self._at]} {pips}" for die, pips in zip(body[::2], body[1::2], strict=True))
        if before.rivals:
            return self._say("tie").format(dice=dice)
        card = before.lines[before.place][before.step]
        return self._say("roll").format(
            who=self._who(before, card >> 4 & 7),
            dice=dice,
            card=self._name(before, card & KIND),
            total=sum(map(int, body[1::2])),
        )

    def _outcome(self, before: Trol, after: Trol, place: int) -> list[str]:
        prey = before.book.cards.prey[before.places[place]]
        word = "fail" if after.total < prey.low else "success" if after.total <= prey.high else "shred"
        lines = [self._say(word).format(total=after.total)]
        for tribe in range(before.tribes):
            food = after.food[tribe] - before.food[tribe]
            skulls = prey.skulls * (len(after.trophies[tribe]) - len(before.trophies[tribe]))
            who = self._who(before, tribe)
            if food or skulls:
                lines.append(self._say("gains").format(who=who, food=food, skulls=skulls))
            if after.gone[tribe] != before.gone[tribe]:
                cards = ", ".join(self._name(before, kind) for kind in listed(after.gone[tribe] - before.gone[tribe]))
                lines.append(self._say("lost").format(who=who, cards=cards))
        return lines
