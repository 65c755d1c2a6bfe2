"""A position of Trol as text: words with a space between them.

    4 2 2 night act P05:1TRK,2?~/-/P12/P07 P01,P03x2,flipx4 HAND;SURVIVORS;GONE;TROPHIES;FOOD … WASTED PILES

Seats, whose turn it is, the tribe that acts, the phase, the stage with its details, the places with their lines, the
prey deck, one word a tribe, the prey nobody got, the piles of second tribes. `-` is nothing, `x2` two of a card, `?` a
card that isn't known. A card of a line is its tribe and its code, `~` face down, `!` has forced a roll, `*` had its
betrayal, `@n` was played after n cards where that isn't its place any more. Everything else follows from these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from thudstone.engine.cards.trol import dice
from thudstone.engine.cards.trol import table as stages
from thudstone.engine.cards.trol.book import Book
from thudstone.engine.cards.trol.table import STAGES, Table
from thudstone.engine.cards.trol.tribe import (
    BAC,
    CHI,
    CODES,
    COP,
    DOG,
    DOWN,
    FORCED,
    HIDDEN,
    KIND,
    NUMBER,
    ONE,
    PLACE,
    SHA,
    STABBED,
    WEA,
    acts_as,
    count,
    listed,
    size,
)
from thudstone.engine.game import OVER

if TYPE_CHECKING:
    from thudstone.engine.cards.trol.state import Trol

MOST = 9999  # of food, damage

_HUNT = ("place", "starter", "party", "pile")
_BASH = (*_HUNT, "step", "total", "shredder")
# The details of each stage; the other attributes of a hunt mean nothing in it.
DETAILS: dict[int, tuple[str, ...]] = {
    stages.REVEAL: (*_HUNT, "step"),
    stages.STAB: (*_HUNT, "step"),
    stages.ROLL: (*_BASH, "target", "reds", "whites"),
    stages.FORCE: (*_BASH, "target", "reds", "whites", "rolled", "asked"),
    stages.DICE: _BASH,
    stages.COPY: _BASH,
    stages.PLUS_MINUS: _BASH,
    stages.HAND: (*_HUNT, "total", "shredder", "asked", "late"),
    stages.COOK: (*_HUNT, "total", "asked", "late", "doubled"),
    stages.REFILL: ("place", "pile", "flipped"),
    stages.TURN_UP: ("pile",),
    stages.TIE: ("rivals", "rolls"),
    stages.END: ("winner",),
}
_FROM_ONE = {"place", "step", "target", "shredder", "pile", "winner"}  # written from 1, -1 as 0
_LISTS = {"late", "doubled", "rivals", "rolls"}
_CARD = re.compile(r"([1-5])([A-Z]{3}|\?)(~?)(!?)(\*?)(?:@([0-9]{1,2}))?")
_ITEM = re.compile(r"([A-Za-z0-9]{3,4}?|\?)(?:x([0-9]{1,2}))?")


def write(game: Trol) -> str:
    prey = game.book.cards.prey
    names = [*(card.code for card in prey), "flip"]
    lines = [
        (prey[kind].code if kind >= 0 else "-") + (f":{','.join(map(_card, line, range(99)))}" if line else "")
        for kind, line in zip(game.places, game.lines, strict=True)
    ]
    words = [
        str(game.seats),
        str(game.mover + 1) if game.mover >= 0 else "-",
        str(game.tribe + 1) if game.tribe >= 0 else "-",
        "night" if game.night else "day",
        ",".join([STAGES[game.stage], *_details(game)]),
        "/".join(lines),
        _items((name, copies) for name, copies in zip(names, game.deck, strict=True)),
    ]
    for tribe in range(game.tribes):
        hand = [*_counts(game.hands[tribe]), ("?", game.veiled[tribe])]
        parts = (hand, _counts(game.saved[tribe]), _counts(game.gone[tribe]))
        trophies = ",".join(prey[kind].code for kind in game.trophies[tribe]) or "-"
        words.append(";".join([*map(_items, parts), trophies, str(game.food[tribe])]))
    words.append(",".join(prey[kind].code for kind in game.wasted) or "-")
    words.append(",".join(f"{CODES[top] if top >= 0 else '-'}{under}" for top, under in game.piles) or "-")
    return " ".join(words)


def _card(card: int, at: int) -> str:
    kind = card & KIND
    marks = "".join(mark for mark, flag in (("~", DOWN), ("!", FORCED), ("*", STABBED)) if card & flag)
    before = card >> PLACE
    return f"{(card >> 4 & 7) + 1}{'?' if kind == HIDDEN else CODES[kind]}{marks}{f'@{before}' if before != at else ''}"


def _counts(heap: int) -> list[tuple[str, int]]:
    return [(code, count(heap, kind)) for kind, code in enumerate(CODES)]


def _items(counts: Iterable[tuple[str, int]]) -> str:
    return ",".join(name if copies == 1 else f"{name}x{copies}" for name, copies in counts if copies) or "-"


def _details(game: Trol) -> list[str]:
    found = []
    for name in DETAILS.get(game.stage, ()):
        value = getattr(game, name)
        if name == "starter":
            text = f"{(value >> 4) + 1}{CODES[value & KIND]}" if value >= 0 else "0"
        elif name in _LISTS:
            text = "+".join(str(each) for each in value) or "0+"
        else:
            text = str(int(value) + (name in _FROM_ONE))
        found.append(f"{name}={text}")
    return found


def read(text: str, kind: type[Table], book: Book) -> Table:
    """The position of a text. ValueError says what is wrong, and where."""
    words = text.split()
    if not words or words[0] not in ("2", "3", "4", "5"):
        raise ValueError("Trol position: a number of seats from 2 to 5 expected first")
    game = kind(int(words[0]), book)
    if len(words) != 9 + game.tribes:
        raise ValueError(f"Trol position: {len(words)} words, should be {9 + game.tribes} with {game.seats} seats")
    try:
        _read_words(game, words)
        _check(game)
    except ValueError as error:
        raise ValueError(f"Trol position: {error}") from None
    return game


def _read_words(game: Table, words: list[str]) -> None:
    prey = {card.code: number for number, card in enumerate(game.book.cards.prey)}
    game.mover = -1 if words[1] == "-" else _number(words[1], 1, game.seats, "whose turn it is") - 1
    game.tribe = -1 if words[2] == "-" else _number(words[2], 1, game.tribes, "the tribe that acts") - 1
    if words[3] not in ("day", "night"):
        raise ValueError(f"{words[3]}: day or night expected")
    game.night = words[3] == "night"
    stage, *details = words[4].split(",")
    if stage not in STAGES:
        raise ValueError(f"{stage}: one of {', '.join(STAGES)} expected")
    game.stage = STAGES.index(stage)
    places = words[5].split("/")
    if len(places) != game.tribes:
        raise ValueError(f"{len(places)} places, should be {game.tribes}")
    for at, place in enumerate(places):
        name, _, line = place.partition(":")
        if name != "-" and name not in prey:
            raise ValueError(f"place {at + 1}: {name} is no prey")
        game.places[at] = prey.get(name, -1)
        cards = line.split(",") if line else []
        game.lines[at] = tuple(_read_card(card, order, game.tribes) for order, card in enumerate(cards))
    names = [*prey, "flip"]
    game.deck = [0] * len(names)
    for name, copies in _read_items(words[6], "the prey deck"):
        if name not in names:
            raise ValueError(f"the prey deck: {name} is no prey")
        game.deck[names.index(name)] += copies
    game.deck_size = sum(game.deck)
    for tribe in range(game.tribes):
        _read_tribe(game, tribe, words[7 + tribe], prey)
    game.wasted = _read_prey(words[-2], prey, "the prey nobody got")
    for pile in words[-1].split(",") if words[-1] != "-" else ():
        if not re.fullmatch(r"(-|[A-Z]{3})[0-3]", pile) or (pile[:-1] != "-" and pile[:-1] not in NUMBER):
            raise ValueError(f"the piles: {pile}: a card (or -) and how many lie under it expected")
        game.piles.append((NUMBER.get(pile[:-1], -1), int(pile[-1])))
    _read_details(game, details)


def _read_card(text: str, at: int, tribes: int) -> int:
    found = _CARD.fullmatch(text)
    if not found or int(found[1]) > tribes or (found[2] != "?" and found[2] not in NUMBER):
        raise ValueError(f"{text}: a card of a line expected, as 2TRK")
    if found[2] == "?" and not found[3]:
        raise ValueError(f"{text}: a card that isn't known lies face down")
    card = (int(found[1]) - 1) << 4 | (HIDDEN if found[2] == "?" else NUMBER[found[2]])
    for group, flag in ((3, DOWN), (4, FORCED), (5, STABBED)):
        card |= flag if found[group] else 0
    before = at if found[6] is None else int(found[6])
    if before < at:
        raise ValueError(f"{text}: more cards lie before it than when it was played")
    return card | before << PLACE


def _read_items(text: str, place: str) -> list[tuple[str, int]]:
    found = []
    for item in text.split(",") if text != "-" else ():
        match = _ITEM.fullmatch(item)
        if not match or match[2] == "0":
            raise ValueError(f"{place}: {item}: a card expected")
        found.append((match[1], int(match[2] or 1)))
    return found


def _read_prey(text: str, prey: dict[str, int], place: str) -> tuple[int, ...]:
    names = text.split(",") if text != "-" else []
    for name in names:
        if name not in prey:
            raise ValueError(f"{place}: {name} is no prey")
    return tuple(prey[name] for name in names)


def _read_tribe(game: Table, tribe: int, text: str, prey: dict[str, int]) -> None:
    place = f"tribe {tribe + 1}"
    parts = text.split(";")
    if len(parts) != 5:
        raise ValueError(f"{place}: {len(parts)} parts, should be 5")
    for heap, part in zip((game.hands, game.saved, game.gone), parts, strict=False):
        for name, copies in _read_items(part, place):
            if name == "?" and heap is game.hands and copies <= 16:
                game.veiled[tribe] += copies
            elif name not in NUMBER or copies + count(heap[tribe], NUMBER[name]) > 15:
                raise ValueError(f"{place}: {name}x{copies}: no such cards")
            else:
                heap[tribe] += copies * ONE[NUMBER[name]]
    game.trophies[tribe] = _read_prey(parts[3], prey, place)
    game.food[tribe] = _number(parts[4], 0, MOST, f"the food of {place}")


def _read_details(game: Table, details: list[str]) -> None:
    names = DETAILS.get(game.stage, ())
    if [detail.partition("=")[0] for detail in details] != list(names):
        raise ValueError(f"the stage {STAGES[game.stage]}: the details {', '.join(names) or 'none'} expected")
    for name, text in zip(names, (detail.partition("=")[2] for detail in details), strict=True):
        if name == "starter":
            known = text[1:] in NUMBER and text[0] in "12345"[: game.tribes]
            if text != "0" and not known:
                raise ValueError(f"starter={text}: a card expected, as 2TRK, or 0")
            game.starter = (int(text[0]) - 1) << 4 | NUMBER[text[1:]] if known else -1
        elif name in _LISTS:
            values = text.split("+") if text != "0+" else []
            setattr(game, name, tuple(_number(value, 0, 99, name) for value in values))
        else:
            value = _number(text, -MOST if name == "total" else 0, MOST, name)
            setattr(game, name, bool(value) if name == "flipped" else value - (name in _FROM_ONE))


def _number(text: str, low: int, high: int, what: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,5}", text) or not low <= int(text) <= high:
        raise ValueError(f"{what}: {text or 'nothing'} is no number from {low} to {high}")
    return int(text)


def _check(game: Table) -> None:
    """That the cards add up and that the stage fits what lies there; sets what follows from the rest."""
    cards = game.book.cards
    for at, (kind, line) in enumerate(zip(game.places, game.lines, strict=True)):
        if kind < 0 and line:
            raise ValueError(f"place {at + 1}: cards without prey")
    for kind, prey in enumerate(cards.prey):
        there = game.deck[kind] + game.places.count(kind) + game.wasted.count(kind)
        there += sum(trophies.count(kind) for trophies in game.trophies)
        if there != prey.copies:
            raise ValueError(f"{prey.code}: {there} of it, should be {prey.copies}")
    if game.deck[-1] > cards.day_changes:
        raise ValueError(f"the prey deck: more than {cards.day_changes} day changes")
    if len(game.piles) > (8 if game.seats == 2 else 0):
        raise ValueError("the piles: too many")
    for tribe in range(game.tribes):
        _check_tribe(game, tribe)
    wrong = _STAGE_CHECKS[game.stage](game)
    if wrong:
        raise ValueError(f"the stage {STAGES[game.stage]}: {wrong}")


def _check_tribe(game: Table, tribe: int) -> None:
    own = [card for line in game.lines for card in line if card >> 4 & 7 == tribe]
    seen = [card & KIND for card in own if card & KIND != HIDDEN]
    if "starter" in DETAILS.get(game.stage, ()) and game.starter >= 0 and game.starter >> 4 == tribe:
        seen.append(game.starter & KIND)
    for kind, code in enumerate(CODES):
        heaps = (game.hands[tribe], game.saved[tribe], game.gone[tribe])
        left = count(game.book.cards.tribe, kind) - sum(count(heap, kind) for heap in heaps) - seen.count(kind)
        if left < 0:
            raise ValueError(f"tribe {tribe + 1}: too many of {code}")
        game.pool[tribe] -= (count(game.book.cards.tribe, kind) - left) * ONE[kind]
    game.held[tribe] = size(game.hands[tribe]) + game.veiled[tribe]
    dark = [card for card in own if card & KIND == HIDDEN]
    game.left[tribe] = size(game.pool[tribe]) - game.veiled[tribe] - len(dark)
    if game.left[tribe] < 0:
        raise ValueError(f"tribe {tribe + 1}: more cards that aren't known than there can be")
    down = sum(card & DOWN and card & KIND == WEA for card in own)
    game.weak[tribe] = count(game.pool[tribe], WEA) + count(game.hands[tribe], WEA) + down
    if tribe >= game.seats:
        piles = game.piles[(tribe - game.seats) * stages.PILES : (tribe - game.seats + 1) * stages.PILES]
        tops = sorted(top for top, _ in piles if top >= 0)
        dealing = game.stage < stages.ACT
        if (len(piles) < stages.PILES and not dealing) or tops != list(listed(game.hands[tribe])) or game.veiled[tribe]:
            raise ValueError(f"tribe {tribe + 1}: its hand must be the cards on its piles")
        if not dealing and game.left[tribe] != sum(under for _, under in piles):
            raise ValueError(f"tribe {tribe + 1}: the piles don't hold its {game.left[tribe]} other cards")
        if any(card & DOWN for card in own):
            raise ValueError(f"tribe {tribe + 1}: the cards of a second tribe are known")


# What is wrong with a stage, and setting `turn` for it.


def _in_hunt(check: Callable[[Table], str]) -> Callable[[Table], str]:
    def checked(game: Table) -> str:
        if not 0 <= game.place < game.tribes or game.places[game.place] < 0:
            return "place: no prey there"
        line = game.lines[game.place]
        if game.starter >= 0 and (game.starter & KIND >= DOG or game.starter >> 4 != game.tribe):
            return "starter: a troll of the tribe that acts expected"
        if game.party >= 1 << game.tribes or game.mover < 0 or not -1 <= game.shredder < game.tribes:
            return "party, shredder or whose turn it is: no such tribe"
        if game.stage != stages.REVEAL and any(card & DOWN for card in line):
            return "a card of the line lies face down"
        if game.stage not in (stages.HAND, stages.COOK) and not 0 <= game.step < len(line):
            return "step: no such card in the line"
        if not -1 <= game.target < len(line) or not -1 <= game.pile < len(game.piles):
            return "target or pile: there is no such thing"
        if any(tribe >= game.tribes for tribe in game.late) or any(at >= len(line) for at in game.doubled):
            return "late or doubled: there is no such thing"
        return check(game)

    return checked


def _asks(game: Table, at: int) -> str:
    game.turn = game.owner(game.lines[game.place][at] >> 4 & 7)
    return ""


def _acting(game: Table) -> int:
    return acts_as(game.lines[game.place], game.step)


def _check_act(game: Table) -> str:
    if game.tribe < 0 or not game.held[game.tribe] or game.owner(game.tribe) != game.mover or max(game.places) < 0:
        return "the tribe can't act"
    game.turn = game.mover
    return ""


def _check_roll(game: Table) -> str:
    if not 1 <= game.reds + game.whites <= 30:
        return "reds, whites: 1 to 30 dice expected"
    return ""


def _check_force(game: Table) -> str:
    line = game.lines[game.place]
    if _check_roll(game) or game.rolled not in dice.totals(game.reds, game.whites).values():
        return "rolled: these dice can't show it"
    if not 0 <= game.asked < len(line) or acts_as(line, game.asked) != SHA or line[game.asked] & FORCED:
        return "asked: no Shaman that could force a roll"
    return _asks(game, game.asked)


def _check_hand(game: Table) -> str:
    if not 1 <= game.asked <= game.seats or game.starter < 0:
        return "asked: nobody is asked"
    game.turn = (game.mover + game.asked - 1) % game.seats
    return "" if game.weak[game.turn] and game.held[game.turn] else "nobody who might have a Weakling is asked"


def _check_cook(game: Table) -> str:
    from thudstone.engine.cards.trol.hunt import Hunt

    assert isinstance(game, Hunt)
    prey = game.book.cards.prey[game.places[game.place]]
    if not prey.low <= game.total <= prey.high:
        return "total: the hunt hasn't succeeded"
    if not 0 <= game.asked < len(game.lines[game.place]) or not game._cook_targets():
        return "asked: nobody whose food could be doubled"
    return _asks(game, game.asked)


def _check_refill(game: Table) -> str:
    if not 0 <= game.place < game.tribes or game.places[game.place] >= 0 or not game.deck_size or game.mover < 0:
        return "place: it needs no prey, or there is none"
    return "" if game.tribe >= 0 and -1 <= game.pile < len(game.piles) else "tribe or pile: there is no such thing"


def _check_turn_up(game: Table) -> str:
    fits = 0 <= game.pile < len(game.piles) and game.piles[game.pile][0] < 0 < game.piles[game.pile][1]
    fits = fits and game.mover >= 0 and game.tribe == game.seats + game.pile // stages.PILES
    return "" if fits else "pile: no card to turn up"


def _check_tie(game: Table) -> str:
    game.reds, game.whites = 3, 0
    rivals = game.rivals
    fits = len(set(rivals)) == len(rivals) >= 2 and max(rivals) < game.tribes and len(game.rolls) < len(rivals)
    return "" if fits else "rivals: at least two tribes with rolls to make expected"


def _check_end(game: Table) -> str:
    game.turn = OVER
    return "" if 0 <= game.winner < game.tribes else "winner: no such tribe"


def _check_lay(game: Table) -> str:
    fits = -1 in game.places and game.deck_size and game.mover >= 0
    return "" if fits else "no prey is to be laid"


def _check_deal(game: Table) -> str:
    fits = 0 <= game.tribe < game.seats and game.held[game.tribe] < game.book.cards.hand and game.left[game.tribe]
    return "" if fits and game.mover >= 0 else "no card is to be dealt to the tribe"


def _check_top(game: Table) -> str:
    fits = game.seats <= game.tribe < game.tribes and len(game.piles) == game.held[2] + game.held[3]
    return "" if fits and game.mover >= 0 and game.held[game.tribe] < stages.PILES else "no pile is to be opened"


def _check_draw(game: Table) -> str:
    return "" if game.mover >= 0 and game.tribe == game.mover and game.left[game.tribe] else "no card is to be drawn"


def _when(holds: Callable[[Table], bool], wrong: str, asks: bool) -> Callable[[Table], str]:
    return lambda game: (_asks(game, game.step) if asks else "") if holds(game) else wrong


_STAGE_CHECKS: dict[int, Callable[[Table], str]] = {
    stages.FIRST: lambda game: "nobody has begun yet" if game.mover >= 0 else "",
    stages.TOSS: lambda game: "whose turn it is must be known" if game.mover < 0 else "",
    stages.LAY: _check_lay,
    stages.DEAL: _check_deal,
    stages.TOP: _check_top,
    stages.ACT: _check_act,
    stages.REVEAL: _in_hunt(
        _when(lambda game: bool(game.lines[game.place][game.step] & DOWN), "step: that card lies face up", False)
    ),
    stages.STAB: _in_hunt(
        _when(
            lambda game: _acting(game) == BAC and not game.lines[game.place][game.step] & STABBED,
            "step: no Backstabber whose turn it is",
            True,
        )
    ),
    stages.ROLL: _in_hunt(_check_roll),
    stages.FORCE: _in_hunt(_check_force),
    stages.DICE: _in_hunt(_when(lambda game: _acting(game) in (CHI, SHA), "step: no dice to choose", True)),
    stages.COPY: _in_hunt(
        _when(
            lambda game: game.book.may_decline and game.lines[game.place][game.step] & KIND == COP,
            "step: no Copycat that may decline",
            True,
        )
    ),
    stages.PLUS_MINUS: _in_hunt(_when(lambda game: _acting(game) == WEA, "step: no Weakling", True)),
    stages.HAND: _in_hunt(_check_hand),
    stages.COOK: _in_hunt(_check_cook),
    stages.NEXT: lambda game: "" if any(game.lines) else "no hunt is left",
    stages.REFILL: _check_refill,
    stages.TURN_UP: _check_turn_up,
    stages.DRAW: _check_draw,
    stages.TIE: _check_tie,
    stages.END: _check_end,
}
assert len(_STAGE_CHECKS) == len(STAGES)
