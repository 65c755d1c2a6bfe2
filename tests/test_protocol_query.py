"""Queries, and what a runner of the Universal Game Interface is told after a rejected position."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from protocol_client import Client
from thudstone.engine.thud import core

WON = "d3d/7/9/11/13/15/15/7R7/15/15/13/11/9/7/3dT"  # the dwarf takes the only troll
LOST = "d4/T6/9/11/13/15/15/7R7/15/15/13/11/9/7/5"  # the troll takes the only dwarf
DRAWN = "dddd1/5d1/9/11/13/15/15/7R7/15/15/13/11/9/7/4T"


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    with Client() as client:
        yield client


@pytest.fixture
def client(shared: Client) -> Client:
    shared.ask("uci", "setoption name NoCaptureLimit value 200")
    assert shared.ask("position startpos") == []
    return shared


def facts(client: Client) -> dict[str, str]:
    return {words: client.query(words) for words in ("gameover", "p1turn", "result", "end", "turn", "score")}


def test_the_start(client: Client) -> None:
    assert facts(client) == {
        "gameover": "false",
        "p1turn": "true",
        "result": "none",
        "end": "none",
        "turn": "1",
        "score": "32 32",
    }
    assert client.query("fen") == core.START
    legal = client.query("legal").split()
    assert len(legal) == 656
    assert legal == [core.move_text(move, core.DWARFS) for move in core.Board().legal_moves()]
    assert client.query("chance") == ""
    assert client.query("redact 1") == ""


def test_the_trolls_turn(client: Client) -> None:
    assert client.ask("position startpos moves dO11-O9") == []
    assert (client.query("turn"), client.query("p1turn")) == ("2", "false")


def test_islegal(client: Client) -> None:
    for token in ("dO11-O9", "o11-o9", "O11-O9="):
        assert client.query(f"islegal {token}") == "true"
    for token in ("TO11-O9", "dO11-A1", "=", "?", "@=r1", "!x", "\x01"):
        assert client.query(f"islegal {token}") == "false"
    assert client.ask("moves dO11-O9=") == []
    assert client.query("islegal =") == "true"
    assert client.query("legal").split()[-1] == "="


@pytest.mark.parametrize(
    ("position", "result", "shares", "score", "end"),
    [
        (f"fen {WON} d 0 1 moves dJ15-K15xK15", "p1win", "1.000 0.000", "3 0", "no-pieces"),
        (f"fen {LOST} T 0 1 moves TE2-E3", "none", "", "1 4", "none"),
        (f"fen {LOST} T 0 1 moves TE2-F2xF1", "p2win", "0.000 1.000", "0 4", "no-pieces"),
        (f"fen {DRAWN} d 200 9", "p1win", "1.000 0.000", "5 4", "limit"),
        ("startpos moves dO11-O9= =", "draw", "0.500 0.500", "32 32", "agreed"),
    ],
)
def test_results(client: Client, position: str, result: str, shares: str, score: str, end: str) -> None:
    assert client.ask(f"position {position}") == []
    got = facts(client)
    over = result != "none"
    assert (got["result"], got["score"], got["end"]) == (result, score, end)
    assert (got["gameover"], got["turn"] == "over") == (("true", True) if over else ("false", False))
    if over:
        assert client.query("returns") == shares
        assert client.query("legal") == ""
        assert client.query("p1turn") == "false"
    else:
        assert client.ask("query returns") == ["info string error: query returns: the game isn't over"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("", "query: one of gameover, "),
        ("weather", "query: 'weather' is none of gameover, "),
        ("islegal", "query islegal: one move expected"),
        ("islegal a b", "query islegal: one move expected"),
        ("redact", "query redact: a seat from 1 to 2 expected"),
        ("redact 3", "query redact: a seat from 1 to 2 expected"),
        ("redact *", "query redact: a seat from 1 to 2 expected"),
        ("returns", "query returns: the game isn't over"),
    ],
)
def test_a_query_that_can_t_be_answered_gets_one_error(client: Client, words: str, what: str) -> None:
    (line,) = client.ask(f"query {words}")
    assert line.startswith(f"info string error: {what}")


def test_queries_are_answered_during_a_search(client: Client) -> None:
    client.send("go infinite")
    lines = client.ask("query turn", "query islegal dO11-O9", "query fen", "d")
    responses = [line for line in lines if line.startswith("response")]
    assert responses == ["response 1", "response true", f"response {core.START}"]
    assert f"Fen: {core.START}" in lines
    client.send("stop")
    client.until("bestmove .*")


def rejected(client: Client) -> tuple[str, ...]:
    return tuple(client.query(words) for words in ("gameover", "turn", "p1turn", "legal", "islegal dO11-O9"))


@pytest.mark.parametrize(
    ("position", "result"),
    [
        ("startpos moves dA1-A2", "p2win"),
        ("startpos moves dO11-O9 TA1-A2", "p1win"),
        ("startpos moves dO11-O9 TG7-F6 =", "p2win"),
        ("startpos moves dO11-O9= = dO9-O8", "p2win"),
        ("startpos moves dO11-O9 TG7-F6= = dO9-O8", "p1win"),
        ("fen nonsense", "none"),
        ("startpos players 3", "none"),
        ("", "none"),
    ],
)
def test_after_ugi_a_rejected_position_ends_the_game(client: Client, position: str, result: str) -> None:
    assert client.ask("ugi")[-1] == "ugiok"
    assert client.ask("position startpos moves dO11-O9 TG7-F6") == []
    fen = client.query("fen")
    assert len(client.ask(f"position {position}")) == 1
    assert rejected(client) == ("true", "over", "false", "", "false")
    assert client.query("result") == result
    assert client.query("fen") == fen
    assert client.ask("query returns") == ["info string error: query returns: the last position was rejected"]
    assert client.query("end") == "rejected"
    infos, best = client.go("depth 3")
    assert (infos, best) == (["info nodes 0 nps 0 time 0"], "bestmove (none)")
    assert client.ask("moves dO9-O8") == ["info string error: moves: the last position was rejected"]
    assert client.ask("uginewgame") == []
    assert rejected(client)[0] == "true"
    assert client.ask("position startpos moves dO11-O9 TG7-F6") == []
    assert rejected(client)[:2] == ("false", "1")
    assert client.query("result") == "none"


def test_after_uci_a_rejected_position_changes_nothing(client: Client) -> None:
    assert len(client.ask("position startpos moves dA1-A2")) == 1
    assert rejected(client)[:2] == ("false", "1")
    client.ask("ugi", "position startpos moves dA1-A2")
    assert rejected(client)[0] == "true"
    client.ask("uci")
    assert rejected(client)[:2] == ("false", "1")
