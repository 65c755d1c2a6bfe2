"""The sessions in docs/protocol.md happen as they are written there."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from dungeon_games import HIDDEN, PLAIN, play
from protocol_client import Client
from thudstone.engine.cards.dungeon.kinds import CODES
from thudstone.engine.cards.dungeon.state import Dungeon

PAGE = Path(__file__).parent.parent / "docs" / "protocol.md"
MOVE = r"(?:[dT]?[A-P]\d+-[A-P]\d+(?:x[A-P]\d+)*=?|add|x[A-Z]{3})"
LEFT_OUT = "..."


def sessions() -> dict[str, list[str]]:
    """The lines of each session, by the heading it stands under."""
    found: dict[str, list[str]] = {}
    heading = ""
    session: list[str] | None = None
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line == "```session":
            assert heading not in found, "one session under each heading"
            session = found.setdefault(heading, [])
        elif line == "```":
            session = None
        elif session is not None:
            session.append(line)
    return found


def pattern(line: str) -> str:
    """What a line of the page stands for: numbers and moves of a search are examples, all else is meant literally."""
    words = line.split(" ")
    if words[0] not in ("info", "bestmove") or "string" in words:
        return re.escape(line).replace(re.escape(f" {LEFT_OUT}"), r"( \S+)+")
    if " pv " in line:
        return pattern(line[: line.index(" pv ")]) + rf" pv {MOVE}( {MOVE})*"
    if words[0] == "bestmove" and words[1] != "(none)":  # a line of one move has no reply to expect
        return rf"bestmove ({MOVE}|=)" + (rf"( ponder {MOVE})?" if "ponder" in words else "")
    return " ".join(r"-?\d+" if re.fullmatch(r"-?\d+", word) else re.escape(word) for word in words)


def follow(client: Client, session: list[str]) -> None:
    skip = False
    for line in session:
        mark, text = line[:1], line[2:]
        if mark == ">":
            client.send(text)
        elif text == LEFT_OUT:
            skip = True
        else:
            said = client.until(pattern(text)) if skip else [client.line()]
            assert re.fullmatch(pattern(text), said[-1]), f"{said[-1]!r} instead of {text!r}"
            skip = False
    client.end_input()
    assert client.rest() == ([], 0)


@pytest.mark.parametrize("heading", sessions())
def test_a_session(heading: str) -> None:
    with Client() as client:
        follow(client, sessions()[heading])


def test_there_is_a_session_for_each_use() -> None:
    assert len(sessions()) == 16
    used = {line.split()[1] for session in sessions().values() for line in session if line.startswith("> ")}
    commands = "uci ugi isready ucinewgame uginewgame stop ponderhit quit setoption position moves go query d eval"
    assert set(commands.split()) <= used


def test_the_grammar_of_dungeon() -> None:
    """Every token of whole games is one of those listed, and each of those is found."""
    text = PAGE.read_text("utf-8").split("```grammar\n")[1].split("```")[0]
    forms = [line.split()[0] for line in text.splitlines()]
    code, number = r"[A-Z]{2,4}", r"\d+"
    known = {"CARD": r"(?:" + "|".join(CODES) + ")", "TILE": code, "HERO": code, "SEAT": "[1-4]", "NUMBER": number}
    patterns = {
        form: "".join(known.get(part, re.escape(part)) for part in re.split(rf"({'|'.join(known)})", form))
        for form in forms
    }
    used = set()
    for options in (PLAIN, HIDDEN):
        for seed in range(40):
            _, log = play(2 + seed % 3, options, Random(seed))
            state = Dungeon.start(2 + seed % 3, options)
            for token in log:
                for said in (token, state.redact(token, 0), state.redact(token, 1)):
                    fitting = [form for form, pattern in patterns.items() if re.fullmatch(pattern, said)]
                    assert len(fitting) == 1, (said, fitting)
                    used.add(fitting[0])
                state.apply(token)
    assert used == set(forms)


def test_a_session_that_goes_otherwise_is_found() -> None:
    with Client() as client, pytest.raises(AssertionError, match="instead of"):
        follow(client, ["> query turn", "< response 2"])
    with Client() as client, pytest.raises(AssertionError):
        follow(client, ["> query turn"])


def test_every_link_leads_somewhere() -> None:
    text = PAGE.read_text("utf-8")
    headings = {line.lstrip("# ").lower().replace(" ", "-") for line in text.splitlines() if line.startswith("#")}
    assert set(re.findall(r"\(#([a-z-]+)\)", text)) <= headings
