"""Search reports as lines."""

from __future__ import annotations

from collections.abc import Sequence

from thudstone.engine.game import Choice, Info


def info_line(info: Info) -> str:
    words = ["info"]
    for name, value in (("depth", info.depth), ("seldepth", info.seldepth), ("multipv", info.multipv)):
        if value is not None:
            words.append(f"{name} {value}")
    if info.shares is not None:
        words.append(f"score win {shares_text(info.shares)}")
    elif info.score is not None:
        words.append(f"score cp {info.score}")
        if info.bound:
            words.append(info.bound)
    words.append(f"nodes {info.nodes} nps {info.nps}")
    if info.hashfull is not None:
        words.append(f"hashfull {info.hashfull}")
    words.append(f"time {info.time}")
    if info.pv:
        words.append(f"pv {' '.join(info.pv)}")
    return " ".join(words)


def bestmove_line(choice: Choice, *, two_tokens: bool) -> str:
    """`two_tokens` leaves the expected reply out."""
    if choice.move is None:
        return "bestmove (none)"
    if two_tokens or choice.ponder is None:
        return f"bestmove {choice.move}"
    return f"bestmove {choice.move} ponder {choice.ponder}"


def shares_text(shares: Sequence[float]) -> str:
    """Shares with three decimals whose sum is exactly 1: the largest remainders are rounded up."""
    total = sum(shares)
    exact = [share * 1000 / total for share in shares]
    parts = [int(share) for share in exact]
    order = sorted(range(len(exact)), key=lambda seat: parts[seat] - exact[seat])
    for seat in order[: 1000 - sum(parts)]:
        parts[seat] += 1
    return " ".join(f"{part // 1000}.{part % 1000:03}" for part in parts)
