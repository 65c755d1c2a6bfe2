"""The card games in the terminal: whole games typed into a real process, and no hidden card on the screen."""

from __future__ import annotations

import os
import re
import select
import subprocess
from collections.abc import Callable
from random import Random

import pytest
from hidden_information import Table, hidden_twins
from test_cli import THUDSTONE, lines, posix, run
from test_hidden_information import CARD_GAMES, TABLES
from thudstone.engine import games
from thudstone.protocol import cli_cards
from thudstone.protocol.cli import main
from thudstone.protocol.cli_cards import CardTable
from thudstone.protocol.cli_keyboard import Quit
from thudstone.protocol.cli_level import Level

OTHERS = ("greedy", "random")


def numbers(seed: int, count: int = 20_000) -> str:
    """Somebody who types numbers, some of which are no choice."""
    rng = Random(seed)
    return "".join(f"{rng.choice((1, 1, 1, 2, 2, 3, 5, 9, 12, 15, 18))}\n" for _ in range(count))


FEWEST = [(name, games.load(name)[0].seat_range[0]) for name in CARD_GAMES]


@pytest.mark.parametrize(
    ("name", "seats"),
    [pytest.param(*table, marks=() if table in FEWEST else pytest.mark.slow) for table in TABLES],
)
def test_a_whole_game(name: str, seats: int) -> None:
    kinds = ["you", *(OTHERS[at % 2] for at in range(seats - 1))]
    language = ("en", "cs")[seats % 2]
    words = ("The game is over", "Konec hry")[seats % 2], ("you", "ty")[seats % 2]
    arguments = ["play", "--game", name, "--seats", ",".join(kinds), "--seed", str(seats), "--language", language]
    said = lines(*arguments, stdin=numbers(seats))
    at = next(at for at, line in enumerate(said) if line.startswith(words[0]))
    results = said[at + 1 : -1]
    assert len(results) == seats and words[1] in results[0]
    assert abs(sum(float(line.split()[-1]) for line in results) - 1) < 0.01
    assert f"--seed {seats}" in said[-1]
    assert any(re.fullmatch(r" +1  \S+ +\S.*", line) for line in said), "choices with a number, a token and words"


@pytest.mark.parametrize("name", CARD_GAMES)
def test_several_people_pass_the_keyboard(name: str) -> None:
    fewest, _ = games.load(name)[0].seat_range
    said = lines("play", "--game", name, "--seats", ",".join(["you"] * fewest), "--seed", "5", stdin=numbers(1))
    passes = [line for line in said if "take the keyboard" in line]
    assert len({line.split(",")[0] for line in passes}) == fewest and len(passes) > 5
    assert any(line.startswith("The game is over") for line in said)


class Replay(CardTable):
    """A table at which all but what the person types follows a log."""

    def follow(self, log: list[str]) -> None:
        self._left = iter(log)
        self._typed = ""

    def read(self, prompt: str) -> str:
        if not self._typed:
            raise Quit  # what was typed was refused
        typed, self._typed = self._typed, ""
        return typed

    def _next(self) -> str:
        token = next(self._left, None)
        if token is None:
            raise Quit
        self._typed = token
        return super()._next() if self._world.turn in self._people else token


class Peeking(Replay):
    """Shows the person the truth."""

    def _apply(self, token: str) -> None:
        for person in self._people.values():
            person.view = self._world.copy()
        super()._apply(token)
        for person in self._people.values():
            person.view = self._world.copy()


def printed(
    table: type[Replay],
    name: str,
    twin: Table,
    log: list[str],
    seat: int,
    patch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    options = {option.name: option.default for option in games.load(name)[0].options}
    kinds = ["you" if at == seat else "greedy" for at in range(twin.world.seats)]
    replay = table(name, options, kinds, Level(1, 4), ("en", "cs")[seat % 2], 1)
    replay.follow(log)
    patch.setattr(cli_cards, "read_line", replay.read)
    replay.play()
    return capsys.readouterr().out


def twin_logs(name: str, seats: int, seat: int, rng: Random) -> list[tuple[Table, list[str]]]:
    """Two games that differ only in what `seat` can't see, each with its full log."""
    pair = hidden_twins(games.load(name)[0], seats, seat, rng, 90)
    return [(twin, twin.tokens) for twin in pair]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_a_person_can_not_know_changes_no_letter(
    name: str, seats: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, differed = Random(seats), 0
    for number in range(2 * seats):
        seat = number % seats
        pair = twin_logs(name, seats, seat, rng)
        differed += pair[0][1] != pair[1][1]
        texts = [printed(Replay, name, twin, log, seat, monkeypatch, capsys) for twin, log in pair]
        assert texts[0] == texts[1] and len(texts[0]) > 200
    assert differed


@pytest.mark.parametrize("name", CARD_GAMES)
def test_a_table_that_peeks_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seats, rng = games.load(name)[0].seat_range[0], Random(2)
    texts = []
    for number in range(12):
        seat = number % seats
        pair = twin_logs(name, seats, seat, rng)
        texts.append([printed(Peeking, name, twin, log, seat, monkeypatch, capsys) for twin, log in pair])
    assert any(one != two for one, two in texts)


def typing(answers: list[str]) -> Callable[[str], str]:
    left = iter(answers)
    return lambda prompt: next(left)


def test_a_person_with_nothing_to_choose_is_asked_when_others_look_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else they could see that he holds no Weakling."""
    options = {option.name: option.default for option in games.load("trol")[0].options}
    asked = []
    for kinds in (["you", "greedy", "random"], ["you", "you", "you"]):
        table = CardTable("trol", options, kinds, Level(1, 4), "en", 6)
        monkeypatch.setattr(cli_cards, "read_line", typing(numbers(3).split()))
        table.play()
        said = capsys.readouterr().out
        asked.append(len(re.findall(r"Throw a Weakling.*\n +1  no +no\n(?! +2)", said)))
    assert asked[0] == 0 < asked[1]


SCRIPT = (
    "help\nrules\n\nboard\nlog\nhint\nlevel 20\nlevel quickly\nlevel instant\n77\nnonsense\nsay \x1b[2Jhm\n1\nquit\n"
)


@pytest.mark.parametrize("name", CARD_GAMES)
def test_commands(name: str) -> None:
    said = lines("play", "--game", name, "--nodes", "5", "--seed", "1", stdin=SCRIPT)
    for expected in (
        "A number of the list plays it, and so does its token.",
        "Hint: ",
        "The others now think 20 ms a move.",
        "no level 'quickly': there is instant, quick, normal, long, or a number of milliseconds",
        "The others now think 50 ms a move.",
        "77: there are choices 1 to ",
        "nonsense: ",
    ):
        assert any(line.startswith(expected) for line in said), expected
    assert said[-1] == "The game was not finished."
    (log,) = [line for line in said if line.startswith("@=")]
    seat = 1
    assert re.search(r"@[2-9]=", log) and not re.search(rf"@(?!{seat})[1-9]=[^?]", log), "others' cards are hidden"
    assert not any("\x1b" in line for line in said if ">" not in line), "only what was typed is echoed as it came"


@pytest.mark.parametrize("name", CARD_GAMES)
def test_commands_in_czech(name: str) -> None:
    script = "pomoc\npravidla\nstůl\nrada\nzápis\núroveň 20\nnesmysl\n77\nkonec\n"
    said = lines("play", "--game", name, "--nodes", "5", "--seed", "1", "--language", "cs", stdin=script)
    for expected in ("Zahraj číslem", "Rada: ", "Ostatní teď přemýšlejí 20 ms", "nesmysl: to teď hrát nejde", "77: na"):
        assert any(line.startswith(expected) for line in said), expected
    assert said[-1] == "Hra zůstala nedohraná."


def test_a_claim_in_words() -> None:
    script = "1\n1\nsay  ahoj, želva!\nlog\nquit\n"
    said = lines("play", "--game", "whales", "--players", "3", "--nodes", "2", "--seed", "1",
                 "--rule", "FirstPlayer=seat-1", stdin=script)
    assert 'Player 1 (you) says: "ahoj, želva!".' in said
    assert any("say:~ahoj%2C%20%C5%BEelva%21" in line for line in said)


@pytest.mark.parametrize("stdin", [b"", b"1\n\xff\xfe\0\n"])
def test_the_input_ends(stdin: bytes) -> None:
    assert lines("play", "--game", "dungeon", "--nodes", "2", stdin=stdin)[-1] == "The game was not finished."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "dungeon", "--seats", "you,robot"], "--seats: 'robot' is none of you, search, flat, greedy, "),
        (["--game", "dungeon", "--seats", "search,greedy"], "--seats: one of them must be you; thudstone match is for"),
        (["--game", "dungeon", "--players", "5"], "dungeon has 2 to 4 players, not 5."),
        (["--game", "whales", "--seats", "you,you"], "whales has 3 to 8 players, not 2."),
        (["--game", "trol", "--seats", "you,search", "--players", "3"], "--players 3: --seats names 2."),
        (["--game", "trol", "--rule", "Weather=fine"], "trol has no option Weather"),
        (["--game", "trol", "--rule", "Team=maybe"], "Team: 'maybe' is not true or false"),
        (["--game", "trol", "--rule", "Team"], "--rule Team: NAME=VALUE expected."),
        (["--game", "trol", "--side", "trolls"], "--side doesn't go with --game trol."),
        (["--seats", "you,search"], "--seats doesn't go with --game thud."),
        (["--game", "trol", "--movetime", "5", "--nodes", "5"], "--movetime and --nodes exclude each other."),
        (["--game", "chess"], "Invalid value for '--game': 'chess' is not one of 'thud', 'dungeon', 'trol', 'whales'."),
        (["--game", "trol", "--language", "de"], "Invalid value for '--language': 'de' is not one of 'en', 'cs'."),
        (["--skill", "21"], "Invalid value for '--skill': 21 is not in the range 0<=x<=20."),
    ],
)
def test_what_makes_no_game(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(f"thudstone: error: {message}") and said.err.count("\n") == 1


def test_a_poor_locale() -> None:
    done = run(
        "play", "--game", "trol", "--language", "cs", "--nodes", "2", stdin="1\n",
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.isascii()


def until(terminal: int, text: bytes) -> bytes:
    """What comes from a terminal until it ends with a prompt that has this text."""
    output = b""
    while text not in output.rpartition(b"\n")[2] and not output.rstrip().endswith(text):
        ready, _, _ = select.select([terminal], [], [], 20)
        assert ready, output
        output += os.read(terminal, 65536)
    return output


@posix
def test_in_a_terminal() -> None:
    """Three people: colours, a list side by side, the screen is emptied when the keyboard is passed; Ctrl-D ends it."""
    import pty

    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*THUDSTONE, "play", "--game", "trol", "--seats", "you,you,you", "--seed", "1"],
        stdin=end, stdout=end, stderr=subprocess.PIPE, env=environment, close_fds=True,
    )
    os.close(end)
    output = b""
    for typed in (b"1\n", b"\x04"):
        output += until(terminal, b"press Enter")
        os.write(terminal, b"\n")
        output += until(terminal, b"player ")
        os.write(terminal, typed)
    output += until(terminal, b"not finished.")
    assert process.stderr is not None
    with process.stderr:
        assert (process.wait(30), process.stderr.read()) == (0, b"")
    os.close(terminal)
    text = output.decode()
    assert "\x1b[1;32m(you)" in text and "\x1b[2J" in text and "\x1b[3J" in text
    assert "The game was not finished." in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_skill_in_thud() -> None:
    said = lines("play", "--skill", "0", "--movetime", "20", stdin="skill 3\nskill x\ndO11-O9\nhint\nquit\n")
    assert "The engine now plays at skill 3 of 20." in said
    assert "no skill 'x': a number from 0 to 20" in said
    assert any(line.startswith("The engine plays T") for line in said)
    assert any(line.startswith("Hint: d") for line in said)


def test_chance_is_not_the_players() -> None:
    """The deal depends on the seed alone, not on how long anybody thought."""
    starts = []
    for nodes in ("2", "9"):
        said = lines("play", "--game", "trol", "--nodes", nodes, "--seed", "6", stdin="log\nquit\n")
        starts.append(next(line for line in said if line.startswith("@=")).split()[:16])
    assert starts[0] == starts[1]
