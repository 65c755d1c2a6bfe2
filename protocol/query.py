"""Answers to `query`: the values alone, as the Universal Game Interface has them."""

from __future__ import annotations

from collections.abc import Callable

from thudstone.engine.game import CHANCE, OVER
from thudstone.protocol.info import shares_text
from thudstone.protocol.number import whole
from thudstone.protocol.refusal import Refusal, quoted
from thudstone.protocol.session import Session

Answer = Callable[[Session, list[bytes]], str]


def answer(session: Session, words: list[bytes]) -> str:
    """The line for the words after `query`."""
    if not words:
        raise Refusal(f"query: one of {', '.join(_ANSWERS)} expected")
    name = words[0].decode("ascii", "backslashreplace")
    if name not in _ANSWERS:
        raise Refusal(f"query: {quoted(words[:1])} is none of {', '.join(_ANSWERS)}")
    return f"response {_ANSWERS[name](session, words[1:])}".rstrip()


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _gameover(session: Session, words: list[bytes]) -> str:
    return _truth(_turn(session) == OVER)


def _p1turn(session: Session, words: list[bytes]) -> str:
    return _truth(_turn(session) == 0)


def _result(session: Session, words: list[bytes]) -> str:
    if session.rejected is not None:
        return session.rejected
    state = session.position.state
    if state.turn != OVER:
        return "none"
    shares = state.returns()
    winners = [seat for seat, share in enumerate(shares) if share == max(shares)]
    return f"p{winners[0] + 1}win" if len(winners) == 1 else "draw"


def _end(session: Session, words: list[bytes]) -> str:
    return session.position.state.end() if session.rejected is None else "rejected"


def _turn_text(session: Session, words: list[bytes]) -> str:
    turn = _turn(session)
    return {OVER: "over", CHANCE: "chance"}.get(turn) or str(turn + 1)


def _legal(session: Session, words: list[bytes]) -> str:
    return " ".join(session.position.state.legal()) if session.rejected is None else ""


def _islegal(session: Session, words: list[bytes]) -> str:
    if len(words) != 1:
        raise Refusal("query islegal: one move expected")
    token = words[0].decode("ascii", "backslashreplace")
    return _truth(session.rejected is None and session.position.state.is_legal(token))


def _fen(session: Session, words: list[bytes]) -> str:
    return session.position.state.text()


def _score(session: Session, words: list[bytes]) -> str:
    return " ".join(str(points) for points in session.position.state.score())


def _chance(session: Session, words: list[bytes]) -> str:
    if session.rejected is not None:
        return ""
    return " ".join(f"{token}*{weight}" for token, weight in session.position.state.chance())


def _redact(session: Session, words: list[bytes]) -> str:
    seats = session.position.state.seats
    seat = whole(words[0]) if len(words) == 1 else None
    if seat is None or not 1 <= seat <= seats:
        raise Refusal(f"query redact: a seat from 1 to {seats} expected")
    return " ".join(session.position.seen_by(seat - 1))


def _returns(session: Session, words: list[bytes]) -> str:
    if session.rejected is not None:
        raise Refusal("query returns: the last position was rejected")
    state = session.position.state
    if state.turn != OVER:
        raise Refusal("query returns: the game isn't over")
    return shares_text(state.returns())


def _turn(session: Session) -> int:
    return session.position.state.turn if session.rejected is None else OVER


_ANSWERS: dict[str, Answer] = {
    "gameover": _gameover,
    "p1turn": _p1turn,
    "result": _result,
    "end": _end,
    "turn": _turn_text,
    "legal": _legal,
    "islegal": _islegal,
    "fen": _fen,
    "score": _score,
    "chance": _chance,
    "redact": _redact,
    "returns": _returns,
}
