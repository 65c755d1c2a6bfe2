"""A card game in the terminal: people at one keyboard, and players of this package around the table with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from thudstone.engine import games
from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER, Game, IllegalToken, OptionValue, Player
from thudstone.protocol.cli_keyboard import Quit, forget, read_line
from thudstone.protocol.cli_level import LEVELS, Level
from thudstone.protocol.cli_output import clear, say, show_choices, show_table
from thudstone.protocol.cli_thinking import think
from thudstone.protocol.table_dungeon import DungeonTold
from thudstone.protocol.table_trol import TrolTold
from thudstone.protocol.table_whales import WhalesTold
from thudstone.protocol.told import LANGUAGES, Told

YOU = "you"
KINDS = (YOU, "search", "flat", "greedy", "random")
TOLD: dict[str, type[Told]] = {"dungeon": DungeonTold, "trol": TrolTold, "whales": WhalesTold}
_MANY_LINES = 4  # told since the table was last shown: it is worth another look
_LONGEST_ERROR = 200

WORDS: dict[str, tuple[str, str]] = {
    "seats": ("At the table: {}.", "U stolu: {}."),
    "you": ("player {}: you", "hráč {}: ty"),
    "other": ("player {}: {}", "hráč {}: {}"),
    "begin": ("Type a number of the list, or help.", "Napiš číslo ze seznamu, nebo pomoc."),
    "pass": (
        "Player {}, take the keyboard and press Enter. ",
        "Hráči {}, vezmi si klávesnici a zmáčkni Enter. ",
    ),
    "prompt": ("player {}> ", "hráč {}> "),
    "number": ("{}: there are choices 1 to {}", "{}: na výběr je 1 až {}"),
    "illegal": ("{error} (type help for what you can do)", "{token}: to teď hrát nejde (napiš pomoc)"),
    "hint": ("Hint: {token}: {words}{share}", "Rada: {token}: {words}{share}"),
    "share": (" ({:.0%} of the win expected)", " (čekaný podíl výhry {:.0%})"),
    "level": ("The others now think {} ms a move.", "Ostatní teď přemýšlejí {} ms na tah."),
    "no-level": (
        "no level {}: there is {}, or a number of milliseconds",
        "úroveň {} není: je {}, nebo počet milisekund",
    ),
    "over": ("The game is over ({}).", "Konec hry ({})."),
    "result": ("{who}: {points} points, share {share:.3f}", "{who}: body {points}, podíl {share:.3f}"),
    "seed": ("--seed {} deals these cards again.", "--seed {} rozdá tyto karty znovu."),
    "left": ("The game was not finished.", "Hra zůstala nedohraná."),
    "help": (
        "A number of the list plays it, and so does its token.\n"
        "  board        the table and the choices again\n"
        "  rules        the game in short\n"
        "  hint         what the searching player would do in your place\n"
        "  log          the game so far as tokens, as you have seen it\n"
        "  level LEVEL  {}, or milliseconds a move for the others\n"
        "  quit         leave",
        "Zahraj číslem ze seznamu nebo tokenem.\n"
        "  stůl          stůl a seznam ještě jednou\n"
        "  pravidla      hra ve zkratce\n"
        "  rada          co by na tvém místě zahrál prohledávající hráč\n"
        "  zápis         hra v tokenech, jak jsi ji viděl\n"
        "  úroveň JAKÁ   {}, nebo milisekundy na tah ostatních\n"
        "  konec         odejít",
    ),
}
_COMMANDS = {
    "help": "help ? pomoc",
    "rules": "rules pravidla",
    "board": "board table stůl stul",
    "hint": "hint rada",
    "log": "log zápis zapis",
    "level": "level úroveň uroven",
    "quit": "quit exit konec",
}


@dataclass
class Person:
    """Somebody at the keyboard: what he knows, and what happened since he looked last."""

    view: Game
    told: Told
    log: list[str] = field(default_factory=list)
    news: list[str] = field(default_factory=list)
    since_board: int = 99  # lines told since the table was shown


class CardTable:
    """One game. `kinds` are who sits at each seat. The text for a person is made of his own view and redacted log, and
    of nothing else."""

    def __init__(
        self,
        name: str,
        options: Mapping[str, OptionValue],
        kinds: Sequence[str],
        level: Level,
        language: str,
        seed: int,
    ) -> None:
        """ValueError for a number of seats that the game doesn't have, or a wrong data file."""
        game, player = games.load(name)
        self._world = game.start(len(kinds), options)
        self._kinds, self._pace, self._seed = kinds, level, seed
        self._at = LANGUAGES.index(language)
        self._rng = Random(f"chance {seed}")
        self._views = [self._world.copy() for _ in kinds]
        self._people: dict[int, Person] = {}
        self._players: dict[int, Player] = {}
        for seat, kind in enumerate(kinds):
            if kind == YOU:
                self._people[seat] = Person(self._views[seat], TOLD[name](language, seat))
            else:
                self._players[seat] = _player(player, kind, f"player {seed} {seat}")
        self._adviser = _player(player, "search", f"adviser {seed}")
        self._at_keyboard = -1
        self._commands: dict[str, Callable[[Person, str], None]] = {
            word: getattr(self, f"_{name}") for name, words in _COMMANDS.items() for word in words.split()
        }

    def play(self) -> None:
        """Play to the end, or until somebody leaves."""
        names = [self._say("you" if kind == YOU else "other", at, kind) for at, kind in enumerate(self._kinds, 1)]
        say(self._say("seats", ", ".join(names)))
        say(self._say("begin"))
        try:
            while self._world.turn != OVER:
                self._apply(self._next())
        except Quit:
            say(self._say("left"))
            return
        self._finish()

    def _next(self) -> str:
        turn = self._world.turn
        if turn == CHANCE:
            return event(self._world, self._rng)
        if turn in self._people:
            return self._ask(turn)
        choice = think(self._players[turn], self._views[turn], self._pace.limits()).choice
        assert choice.move is not None, "the player has a legal move while the game goes on"
        return choice.move

    def _apply(self, token: str) -> None:
        mover = self._world.turn
        for seat, view in enumerate(self._views):
            seen = self._world.redact(token, seat)
            person = self._people.get(seat)
            before = view.copy() if person is not None else view
            view.apply(seen)
            if person is not None:
                lines = person.told.told(before, seen, view)
                person.log.append(seen)
                person.news += lines
                person.since_board += len(lines) if mover in (seat, CHANCE) else 99
        self._world.apply(token)
        if len(self._people) == 1:
            self._tell(next(iter(self._people.values())))

    def _tell(self, person: Person) -> None:
        for line in person.news:
            say(line)
        person.news.clear()

    def _ask(self, seat: int) -> str:
        person = self._people[seat]
        legal = person.view.legal()
        if len(self._people) == 1 and len(legal) == 1:
            return legal[0]  # what he does is told; others at the keyboard could see that he wasn't asked
        self._pass_keyboard(seat)
        self._tell(person)
        if person.since_board > _MANY_LINES:
            self._show(person)
        self._question(person)
        while True:
            line = read_line(self._say("prompt", seat + 1))
            words = line.split(None, 1)
            if not words:
                continue
            command = self._commands.get(words[0].lower())
            if command is not None:
                command(person, words[1].strip() if len(words) > 1 else "")
                continue
            token = self._read(person, line.strip())
            if token is not None:
                return token

    def _pass_keyboard(self, seat: int) -> None:
        if len(self._people) == 1 or self._at_keyboard == seat:
            return
        self._at_keyboard = seat
        clear()
        forget()
        read_line(self._say("pass", seat + 1))
        clear()
        self._people[seat].since_board = _MANY_LINES + 1

    def _read(self, person: Person, line: str) -> str | None:
        """The token that a line means; None with a word about it where it means none."""
        legal = person.view.legal()
        if line.isascii() and line.isdecimal():
            if len(line) < 6 and 1 <= int(line) <= len(legal):
                return legal[int(line) - 1]
            say(self._say("number", line[:40], len(legal)), "yellow")
            return None
        wanted = "".join(line.split())
        for token in legal:
            if token.lower() == wanted.lower():
                return token
        try:
            return person.view.copy().apply(person.told.typed(person.view, line))
        except IllegalToken as error:
            text = self._say("illegal", error=str(error)[:_LONGEST_ERROR], token=line[:40])
            say("".join(letter if letter.isprintable() else "?" for letter in text), "yellow")
            return None

    def _show(self, person: Person) -> None:
        show_table(person.told.board(person.view), person.told.styles)
        person.since_board = 0

    def _question(self, person: Person) -> None:
        say(person.told.question(person.view), "bold")
        show_choices(person.told.choices(person.view))

    def _finish(self) -> None:
        person = self._people[self._at_keyboard] if self._at_keyboard >= 0 else next(iter(self._people.values()))
        self._tell(person)
        self._show(person)
        view = person.view
        say(self._say("over", view.end()), "bold")
        for seat, (points, share) in enumerate(zip(view.score(), view.returns(), strict=True)):
            kind = self._kinds[seat]
            who = self._say("you" if kind == YOU else "other", seat + 1, kind)
            say(self._say("result", who=who[:1].upper() + who[1:], points=points, share=share), "bold")
        say(self._say("seed", self._seed))

    # Commands.

    def _help(self, person: Person, rest: str) -> None:
        say(self._say("help", ", ".join(LEVELS)))
        say(person.told.help())

    def _rules(self, person: Person, rest: str) -> None:
        say(person.told.rules())

    def _board(self, person: Person, rest: str) -> None:
        self._show(person)
        self._question(person)

    def _hint(self, person: Person, rest: str) -> None:
        thought = think(self._adviser, person.view, self._pace.limits())
        move = thought.choice.move
        assert move is not None
        shares = thought.lines[0].shares if thought.lines else None
        share = "" if shares is None else self._say("share", shares[person.view.turn])
        say(self._say("hint", token=move, words=person.told.choice(person.view, move), share=share))

    def _log(self, person: Person, rest: str) -> None:
        say(" ".join(person.log))

    def _level(self, person: Person, rest: str) -> None:
        try:
            self._pace.set(rest)
        except ValueError:
            say(self._say("no-level", repr(rest[:40]), ", ".join(LEVELS)), "yellow")
        else:
            say(self._say("level", self._pace.movetime))

    def _quit(self, person: Person, rest: str) -> None:
        raise Quit

    def _say(self, word: str, *fields: object, **named: object) -> str:
        return WORDS[word][self._at].format(*fields, **named)


def _player(player: type[Player], kind: str, seed: str) -> Player:
    made = player()
    made.set_option("Player", kind)
    made.set_option("Seed", Random(seed).randrange(2**31))
    return made
