"""The wrapper knows no game: one of cards for three goes through it like Thud. And a player may have mistakes in it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import pytest
from protocol_client import TOY, Client
from thudstone.engine import games
from thudstone.engine.game import Info
from thudstone.protocol.info import info_line, shares_text

DEAL = "@1=K @2=A @3=K"
TABLE = f"position startpos players 3 seat * moves {DEAL}"
TOTALS = r"info nodes \d+ nps \d+ time \d+"


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    with Client(TOY) as client:
        yield client


@pytest.fixture
def client(shared: Client) -> Client:
    shared.ask("stop", "uci", "setoption name UCI_Variant value toy")
    for setting in ("Fail value no", "Busy value false", "Rounds value 1", "Note value"):
        assert shared.ask(f"setoption name {setting}") == []
    assert shared.ask("position startpos players 3 seat *") == []
    return shared


def test_the_handshake_lists_every_type_of_option(client: Client) -> None:
    lines = client.ask("uci")
    assert lines[2:-1] == [
        "option name Hash type spin default 1 min 1 max 64",
        "option name Note type string default <empty>",
        "option name Clear type button",
        "option name Busy type check default false",
        "option name Fail type combo default no var no var at-once var after-a-report var cleared",
        "option name Rounds type spin default 1 min 1 max 9",
        "option name UCI_Variant type combo default toy var toy var thud",
    ]


def test_chance_comes_first(client: Client) -> None:
    assert client.query("turn") == "chance"
    assert client.query("chance") == "@1=A*2 @1=K*4"
    assert (client.query("legal"), client.query("p1turn"), client.query("gameover")) == ("", "false", "false")
    assert client.ask("moves @1=A") == []
    assert client.query("chance") == "@2=A*1 @2=K*4"
    assert client.go("depth 1") == (["info nodes 0 nps 0 time 0"], "bestmove (none)")
    assert client.go("wtime 1000") == (["info nodes 0 nps 0 time 0"], "bestmove (none)")


def test_a_whole_game_by_queries_alone(client: Client) -> None:
    log: list[str] = []
    turns = []
    for _ in range(50):
        line = f"position startpos players 3 seat *{' moves ' if log else ''}{' '.join(log)}"
        assert client.ask(line) == []
        turn = client.query("turn")
        turns.append(turn)
        if turn == "over":
            break
        if turn == "chance":
            log.append(client.query("chance").split()[-1].rsplit("*", 1)[0])
            continue
        view = client.query(f"redact {turn}")
        assert client.ask(f"position startpos players 3 seat {turn} moves {view}") == []
        log.append(client.go("nodes 3")[1].split()[1])
    assert log == ["@1=K", "@2=K", "@3=K", "fold", "fold", "fold"]
    assert turns == ["chance"] * 3 + ["1", "2", "3", "over"]
    assert (client.query("result"), client.query("returns")) == ("draw", "0.334 0.333 0.333")


def test_what_each_seat_sees(client: Client) -> None:
    assert client.ask(f"{TABLE} STAY") == []
    assert [client.query(f"redact {seat}") for seat in (1, 2, 3)] == [
        "@1=K @2=? @3=? stay",
        "@1=? @2=A @3=? stay",
        "@1=? @2=? @3=K stay",
    ]
    assert client.ask("moves stay", f"{TABLE} stay stay fold !1=K !2=A") == []
    assert client.query("redact 3") == "@1=? @2=? @3=K stay stay fold !1=K !2=A"
    assert (client.query("result"), client.query("end"), client.query("score")) == ("p2win", "showdown", "1 1 0")


def test_facts_are_asked_for_like_chance(client: Client) -> None:
    assert client.ask(f"{TABLE} stay fold fold") == []
    assert (client.query("turn"), client.query("chance")) == ("chance", "!1=K*1")
    (line,) = client.ask("moves !1=A")
    assert line == "info string error: moves: ply 7, !1=A: !1=CARD expected"
    view = "position startpos players 3 seat 3 moves @1=? @2=? @3=K stay fold fold !1=A"
    assert client.ask(view) == [], "a view takes any card for one that it didn't know"


def test_seats_and_players(client: Client) -> None:
    assert client.ask("position startpos players 4 seat 4") == []
    for line, what in (
        ("position startpos players 5", "players 5: toy has 2 to 4"),
        ("position startpos players 1", "players 1: toy has 2 to 4"),
        ("position startpos players 3 seat 4", "seat 4: it can be 1 to 3, or *"),
        ("position fen 3,@1=A players 2", "players 2: the text is of 3"),
        ("position fen 7", "7: 2 to 4 seats"),
    ):
        assert client.ask(line) == [f"info string error: position: {what}"]
    assert client.ask("position fen 3,@1=A players 3 seat 3 moves @2=?") == []
    assert client.query("fen") == "3,@1=A,@2=?"
    assert client.query("redact 1") == "@2=?", "the log is that of the moves"


def test_clocks_of_three(client: Client) -> None:
    client.ask(f"{TABLE} stay stay")
    client.send("go p3time 1000 p4time 5", "stop")
    client.until("bestmove fold.*")
    client.send("go p1time 100")
    assert not [line for line in client.ask() if line.startswith("bestmove")]
    client.send("stop")
    client.until("bestmove fold.*")


def test_shares_of_the_win(client: Client) -> None:
    client.ask(TABLE)
    infos, _ = client.go("depth 1")
    share = "info depth 1 seldepth 1 multipv 1 score win 0.334 0.333 0.333 nodes 1 nps 1000 time 1 pv fold"
    assert infos[0] == share


def test_perft_of_a_game_that_only_lists_its_moves(client: Client) -> None:
    client.ask(TABLE)
    for depth, counts in ((1, ["stay: 1", "fold: 1"]), (3, ["stay: 4", "fold: 4"]), (0, [])):
        client.send(f"go perft {depth}")
        total = {0: 1, 1: 2, 3: 8}[depth]
        assert client.until("Nodes searched: .*") == [*counts, f"Nodes searched: {total}"]


def test_after_ugi_a_rejected_position_of_three_has_no_winner(client: Client) -> None:
    client.ask("ugi", f"{TABLE} pass")
    assert (client.query("gameover"), client.query("result")) == ("true", "none")
    assert client.ask("go perft 1") == ["info string error: go perft: the last position was rejected"]
    client.ask("position startpos players 2 moves @1=A @2=K pass")
    assert client.query("result") == "p2win"
    client.ask("position startpos players 2 moves @1=X")
    assert client.query("result") == "none", "the cards are the controller's"


def test_changing_the_game(client: Client) -> None:
    assert client.ask(TABLE, "setoption name Hash value 5", "setoption name Note value a b") == []
    client.ask("setoption name ucI_variant value THUD")
    names = [line for line in client.ask("uci") if line.startswith("option name")]
    assert any("TrollCapture" in line for line in names) and not any("Rounds" in line for line in names)
    assert "option name UCI_Variant type combo default toy var toy var thud" in names
    assert (client.query("turn"), client.query("score")) == ("1", "32 32")
    assert len(client.go("depth 2")[1].split()[1]) > 4
    assert client.ask("setoption name UCI_Variant value toy") == []
    assert client.query("turn") == "chance"
    client.send("eval")
    assert client.until("") == ["Note: ", "Hash: 5", ""], "options that both have stay as they were chosen"


def test_options_of_a_game_hold_at_once(client: Client) -> None:
    client.ask(f"{TABLE} stay fold fold", "setoption name Rounds value 2")
    assert client.query("turn") == "1"
    assert client.ask("moves stay fold") == []
    (line,) = client.ask("setoption name Rounds value 1")
    assert line.startswith("info string error: setoption Rounds: stay: "), "neither moves nor position fit one round"
    assert client.query("turn") == "3"


def test_values_of_text_options(client: Client) -> None:
    def note() -> str:
        client.send("eval")
        return client.until("")[0]

    client.ask("setoption name note value  some  words")
    assert note() == "Note: some words"
    assert client.ask("setoption name note value bad") == ["info string error: setoption Note: this note won't do"]
    assert note() == "Note: some words"
    client.ask("setoption name Note value <empty>")
    assert note() == "Note: "
    client.ask("setoption name clear")
    assert note() == "Note: cleared"
    client.ask("uginewgame")
    assert note() == "Note: new"


def test_text_for_people_has_no_empty_line_inside(client: Client) -> None:
    client.ask(TABLE)
    client.send("d")
    assert client.until("") == ["Seats: 3", "Cards: K A K", "Said: ", ""]


def test_a_player_that_fails_costs_neither_the_answer_nor_the_process(client: Client) -> None:
    client.ask(f"{TABLE}", "setoption name Fail value at-once")
    failure = "info string error: go: internal error: RuntimeError: a mistake\\nof the player"
    assert client.go("depth 3") == ([failure, "info nodes 0 nps 0 time 0"], "bestmove stay")
    assert client.go("depth 3 searchmoves fold") == ([failure, "info nodes 0 nps 0 time 0"], "bestmove fold")
    client.ask("setoption name Fail value after-a-report")
    client.send("go infinite")
    assert client.until("info string error.*")[-1].endswith("RuntimeError: a later mistake")
    assert client.silent(0.05), "and an infinite search still waits"
    client.send("stop")
    assert client.until("bestmove .*") == ["info nodes 1 nps 1000 time 1", "bestmove fold"]
    assert client.ask("setoption name Fail value no") == []
    assert client.go("depth 2")[1] == "bestmove fold ponder stay"


def test_a_failure_outside_a_search_is_said(client: Client) -> None:
    assert client.ask("setoption name Fail value at-once", "eval", "query turn") == [
        "info string error: eval: internal error: RuntimeError: unexplained",
        "response chance",
    ]


def test_a_search_that_keeps_the_interpreter_busy(client: Client) -> None:
    client.ask(TABLE, "setoption name Busy value true")
    client.send("go infinite")
    client.ask()
    waits = []
    for _ in range(30):
        begun = time.monotonic()
        client.ask()
        waits.append(client.at - begun)
    assert sorted(waits)[15] < 0.2, "a thread that only computes lets the reader in now and then"
    client.send("stop")
    client.until("bestmove .*", 1)


def test_bench_runs_to_its_end(client: Client) -> None:
    client.send("bench", "isready")
    lines = client.until("")
    assert lines[-3:] == ["NPS: 1000", "Bench: 1000", ""]
    assert "readyok" in lines


def test_the_registry() -> None:
    assert games.NAMES[0] == "thud"
    for name in games.NAMES:
        game, player = games.load(name)
        assert game.name == name
        assert player.options
    with pytest.raises(ValueError, match="no game is called 'chess': there is thud"):
        games.load("chess")


@pytest.mark.parametrize(
    "shares", [(1.0,), (1 / 3,) * 3, (0.25,) * 4, (1 / 7,) * 7, (0.9999, 0.0001), (0.0, 1.0), (0.12345, 0.87655)]
)
def test_shares_always_sum_to_one(shares: tuple[float, ...]) -> None:
    words = shares_text(shares).split()
    assert sum(round(float(word) * 1000) for word in words) == 1000
    assert all(len(word) == 5 and abs(float(word) - share) < 0.001 for word, share in zip(words, shares, strict=True))


def test_info_lines() -> None:
    assert info_line(Info(5, 0)) == "info nodes 5 nps 5000 time 0"
    full = Info(900, 30, 3, 7, 2, -150, None, "lowerbound", 12, ("a", "b"))
    assert info_line(full) == (
        "info depth 3 seldepth 7 multipv 2 score cp -150 lowerbound nodes 900 nps 30000 hashfull 12 time 30 pv a b"
    )


def test_the_engine_starts_without_what_only_other_commands_need() -> None:
    heavy = ("rich", "click", "asyncio")
    program = f"import sys, thudstone.protocol.server; print([name for name in {heavy} if name in sys.modules])"
    with Client((sys.executable, "-c", program)) as client:
        assert client.rest() == (["[]"], 0)
