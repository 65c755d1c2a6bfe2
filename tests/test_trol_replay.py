"""Whole games of Trol that were written down, with what each seat saw of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from thudstone.engine.cards.trol.state import Trol
from thudstone.engine.game import OVER
from thudstone.protocol.position import Position
from thudstone.protocol.refusal import Refusal
from trol_games import DEFAULTS, conserved, from_text, start

GAMES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("data").joinpath("trol_games.json").read_text())
BY_SEATS = pytest.mark.parametrize("played", GAMES, ids=[f"{game['seats']}-seats" for game in GAMES])


@BY_SEATS
def test_a_log_replays_without_a_random_generator(played: dict[str, Any]) -> None:
    game = start(played["seats"], **played["options"])
    seen: list[list[str]] = [[] for _ in range(game.seats)]
    for ply, token in enumerate(played["log"].split()):
        if str(ply) in played["texts"]:
            assert game.text() == played["texts"][str(ply)]
        allowed = game.legal() or [event for event, weight in game.chance() if weight > 0]
        assert token in allowed
        for seat in range(game.seats):
            seen[seat].append(game.redact(token, seat))
        assert game.apply(token) == token
        conserved(game)
    assert [" ".join(view) for view in seen] == played["views"]
    assert (game.turn, game.end(), game.text()) == (OVER, played["end"], played["text"])
    assert list(game.score()) == played["score"] and list(game.returns()) == played["returns"]


@BY_SEATS
def test_each_view_leads_through_the_game(played: dict[str, Any]) -> None:
    """A seat that gets only its redacted log knows whose turn it is, its own choices, and how the game ended."""
    views = [start(played["seats"], **played["options"]) for _ in played["views"]]
    truth = start(played["seats"], **played["options"])
    logs = [view.split() for view in played["views"]]
    for ply, token in enumerate(played["log"].split()):
        for seat, view in enumerate(views):
            assert view.turn == truth.turn
            if truth.turn == seat:
                assert view.legal() == truth.legal() and view.is_legal(token)
            assert from_text(view.text(), **played["options"]).text() == view.text()
            view.apply(logs[seat][ply])
        truth.apply(token)
    for view in views:
        assert (view.end(), view.score(), view.returns()) == (truth.end(), truth.score(), truth.returns())
        assert "?" not in view.text() or truth.end() == "no-prey"


@BY_SEATS
def test_hidden_cards_are_hidden(played: dict[str, Any]) -> None:
    """A redacted token differs only where a card is hidden, and each seat sees its own."""
    for seat, view in enumerate(played["views"]):
        for token, shown in zip(played["log"].split(), view.split(), strict=True):
            if token != shown:
                assert shown == token[: token.index("=") + 1] + "?"
                assert token.startswith(("@", "add")) and not token.startswith((f"@{seat + 1}=", "@="))
    assert all("?" in view for view in played["views"])


def test_other_hash_seeds_change_nothing() -> None:
    script = (
        "import random, trol_games as t\n"
        "from thudstone.engine.cards.trol.policy import Policy\n"
        "game, rng, policy = t.start(3), random.Random(5), Policy()\n"
        "while game.turn != t.OVER:\n"
        "    game.apply(policy.choose(game, rng) if game.turn >= 0 else t.choose(game, rng))\n"
        "print(game.text(), policy.estimate(game))\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(found) == 1 and "end,winner=" in found.pop()


def test_the_protocol_serves_whole_games() -> None:
    """A log set by `position` gives each seat its redacted log, and that log is a position of the same game."""
    played = GAMES[1]
    truth = Position(f"position startpos players 3 seat * moves {played['log']}".encode(), Trol, DEFAULTS)
    for seat in range(3):
        seen = truth.seen_by(seat)
        assert " ".join(seen) == played["views"][seat]
        line = f"position startpos players 3 seat {seat + 1} moves {' '.join(seen[:-40])}".encode()
        view = Position(line, Trol, DEFAULTS)
        assert Position(view.as_start(), Trol, DEFAULTS).state.text() == view.state.text()
    with pytest.raises(Refusal, match=r"ply 3, @=P99: @=PREY or @=flip expected"):
        Position(b"position startpos players 3 moves @=first1 @=day @=P99", Trol, DEFAULTS)
    with pytest.raises(Refusal, match="players 6: trol has 2 to 5"):
        Position(b"position startpos players 6", Trol, DEFAULTS)
    with pytest.raises(Refusal, match="No such file"):
        Position(b"position startpos", Trol, {**DEFAULTS, "Data": "/no/such/file"})


def test_the_session_of_the_documentation() -> None:
    """docs/trol.md has one game as a log and as a seat sees it."""
    text = Path(__file__).parents[1].joinpath("docs", "trol.md").read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in text.split("```log\n")[1:]]
    full, seen = (block.split() for block in blocks)
    game, view = start(3), start(3)
    for token, shown in zip(full, seen, strict=True):
        assert game.redact(token, 1) == shown
        assert game.apply(token) == token
        view.apply(shown)
    assert isinstance(view, Trol)
    assert game.turn == view.turn == OVER and game.returns() == view.returns()
