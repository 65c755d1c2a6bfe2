"""Annotated records and PGN-like ones keep every ply, and what is said of it."""

import io
import random

import pytest
from thudstone import Battle, Move, Position, Record, RecordError, pgn
from thudstone.engine.thud import core
from thudstone.record import OFFER


def random_battle(seed: int, rule: str) -> Battle:
    rng = random.Random(seed)
    position = Position(rule=rule)
    scores = []
    for _ in range(60):
        legal = list(position.legal_moves)
        if not legal:
            break
        position.push(rng.choice(legal))
        scores.append((position.ply, rng.randrange(-400, 400) / 8))
    comments = ((0, "first"), (5, "five"), (7, OFFER))
    line = (3, (position.moves[3], position.moves[4]))
    return Battle(
        position.start,
        position.moves,
        "limit",
        comments,
        rule,
        (("event", "a"), ("dwarfs", 'b "c"')),
        tuple(scores),
        (line,),
    )


def thud(record: Record) -> str:
    file = io.StringIO()
    record.write(file)
    return file.getvalue()


@pytest.mark.parametrize("rule", core.RULES)
def test_round_trip(rule: str) -> None:
    record = Record((random_battle(1, rule), random_battle(2, rule)))
    assert Record.parse(thud(record), rule) == record
    again = Record.parse(pgn.write(record), rule)
    for before, after in zip(record.battles, again.battles, strict=True):
        assert (after.start, after.moves, after.end) == (before.start, before.moves, before.end)
        assert after.headers == before.headers
        assert set(before.comments) <= set(after.comments)


def test_runner_file() -> None:
    text = '[Dwarfs "x"]\r\n[FEN "startpos"]\r\n\r\n1. dO11-O9 TG7-F7 2. do9-o11= = 1/2-1/2\r\n'
    battle = Record.parse(text).battles[0]
    assert battle.moves == (Move("dO11-O9"), Move("TG7-F7"), Move("dO9-O11"))
    assert battle.end == "agreed"
    assert battle.headers == (("dwarfs", "x"), ("result", "1/2-1/2"))


def test_tags_on_one_line() -> None:
    battle = Record.parse('[Dwarfs "x"] [Trolls "y]"]\n1. dO11-O9 *').battles[0]
    assert battle.headers == (("dwarfs", "x"), ("trolls", "y]"))


def test_variation_that_cannot_be_played_is_a_comment() -> None:
    battle = Record.parse("dO11-O9\n# variation: dA6-A7\n# score: -1.5\n").battles[0]
    assert battle.comments == ((1, "variation: dA6-A7"),)
    assert battle.scores == ((1, -1.5),)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('[Event "x"]\n\n1. dO11-O9\nTO8-O5 *', "line 4: ply 2, TO8-O5: no troll on O8"),
        ("1. dO11-O9 =", "line 1: ply 2, =: no offer stands"),
        ("1. dO11-O9= = TG7-F7", "line 1: ply 2, TG7-F7: the battle is over: agreed"),
        ("1. {never closed", "line 1: a comment { is not closed"),
        ('[FEN "x"]\n*', "line 1: "),
        ('[Event "x"]\n[Dwarfs "x"\n1. dO11-O9', "line 2: not a tag: '[Dwarfs \"x\"'"),
    ],
)
def test_errors(text: str, error: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize("comments", [(), ((1, OFFER),)])
def test_agreed_end_with_or_without_its_offer(comments: tuple[tuple[int, str], ...]) -> None:
    record = Record((Battle(moves=(Move("dO11-O9"),), end="agreed", comments=comments),))
    assert Record.parse(pgn.write(record)) == record


def test_long_comments_are_looked_through_once() -> None:
    text = ("# " * 100 + "\n") * 1000
    assert not pgn.looks_like(text + "dO11-O9")  # which hung when a line could be divided in many ways
    assert pgn.looks_like(text + "1. dO11-O9")


BITS = ["{", "}", "=", "#", '[Event "x"]', "[", '"', "fen: x", "end: agreed", "end: limit", "score: 1.5", "*", ";"]
BITS += ["1-0", "variation: dA6-A7", "T", "1.", "\\", "\u2028", "\x0b", "result: 1-0", "event: x]", OFFER, "word " * 30]


@pytest.mark.parametrize("seed", range(60))
def test_odd_comments_change_no_ply(seed: int) -> None:
    rng = random.Random(seed)
    lines = [Position().piece_list, *(move.text for move in random_battle(seed, "any").moves)][: rng.choice([3, 60])]
    for _ in range(5):
        comment = rng.choice(["", " "]).join(rng.choices(BITS, k=rng.randrange(1, 4)))
        lines.insert(rng.randrange(len(lines) + 1), f"# {comment}")
    try:
        record = Record.parse("\n".join(lines))
    except RecordError as error:
        assert "agreed" in str(error) or "fen" in str(error)
        return
    again = Record.parse(thud(record)).battles[0]
    (battle,) = record.battles
    assert (again.moves, again.end, again.headers) == (battle.moves, battle.end, battle.headers)
    assert (again.scores, again.variations) == (battle.scores, battle.variations)
    (again,) = Record.parse(pgn.write(record, "abc"), files="abc").battles
    assert (again.moves, again.end) == (battle.moves, battle.end)
