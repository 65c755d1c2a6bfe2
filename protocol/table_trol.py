"""Trol told to people at a terminal: the table, what somebody just did, and what can be chosen, in English or Czech."""

from __future__ import annotations

from thudstone.engine.cards.trol.state import ACTIONS, Trol
from thudstone.engine.cards.trol.table import COOK, REVEAL
from thudstone.engine.cards.trol.tribe import DOWN, HIDDEN, KIND, NUMBER, listed

LANGUAGES = ("en", "cs")

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
    "help": (
        "Type a token. addPLACE=CARD adds a card (add2=TRK); huntPLACE=CARD begins a hunt with a troll\n"
        "where you have a card (hunt2=CHI). You want the total of a hunt within the prey's range. Too little\n"
        "and all is lost, too much and nobody eats. Least food goes out first, then fewest masks among the\n"
        "survivors; then most skulls win.",
        "Piš tokeny. addMÍSTO=KARTA přidá kartu (add2=TRK), huntMÍSTO=KARTA začne trollem lov tam, kde máš\n"
        "kartu (hunt2=CHI). Součet má padnout do rozmezí kořisti: když nestačí, přijdou všichni o všechno,\n"
        "když přeteče, nikdo se nenají. Nejdřív vypadne kmen s nejméně jídlem, pak s nejméně maskami;\n"
        "pak rozhodují lebky.",
    ),
}
WHITE_RED = {"r": ("red", "červená"), "w": ("white", "bílá")}


class Told:
    """One game in one language, for the one who plays `seat` (None: who looks on)."""

    def __init__(self, language: str, seat: int | None) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"{language}: one of {', '.join(LANGUAGES)} expected")
        self._at, self._language, self._seat = LANGUAGES.index(language), language, seat

    def help(self) -> str:
        return self._say("help")

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

    def choices(self, game: Trol) -> list[tuple[str, str]]:
        """The legal tokens, each with what it does."""
        return [(token, self._move(game, token)) for token in game.legal()]

    def told(self, before: Trol, token: str, after: Trol) -> list[str]:
        """What a token did, a line each, from the view before it and after it."""
        lines = [self._move(before, token) if token[0] not in "@!" else self._event(before, token, after)]
        hunted = [place for place, prey in enumerate(before.places) if prey >= 0 and after.places[place] < 0]
        if hunted:
            lines += self._outcome(before, after, hunted[0])
        if after.winner >= 0:
            lines.append(self._say("chief").format(after.winner + 1))
        return lines

    def _say(self, word: str) -> str:
        return WORDS[word][self._at]

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
