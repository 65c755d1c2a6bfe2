"""When to agree that a battle is over: no capture can be had, and the margin will not move."""

from __future__ import annotations

from thudstone.engine.thud.state import ACCEPT, Thud

CALM_PLIES = 20  # without a capture, before the player believes that nothing will come
DEEP = 5  # plies a search must have seen
STEADY = 3  # searches in a row that must agree
NOTHING = 60  # hundredths of a point that are no gain worth playing for


class Offers:
    """What one player makes of its own last searches in a battle."""

    def __init__(self) -> None:
        self._steady = 0

    def answer(self, view: Thud, move: str, score: int, depth: int) -> str:
        """The move, with an offer or replaced by the acceptance of one where going on wins nothing.

        `score` is the search's, from the side to move, in hundredths of a point.
        """
        dwarfs, trolls = view.score()
        margin = 100 * (dwarfs - trolls) * (1 if view.board.side == 0 else -1)
        # What going on is worth at most what the points are worth now is accepted at once.
        if view.offered and depth >= DEEP and score <= margin:
            return ACCEPT
        # No gain in sight is enough to accept what the other side offers, but an offer should not come while we lose
        # either: then the other side has something to play for, and the offer only tells that we know.
        calm = view.board.quiet >= CALM_PLIES and depth >= DEEP and "x" not in move
        self._steady = self._steady + 1 if calm and score - margin < NOTHING else 0
        if self._steady >= STEADY:
            if view.offered:
                return ACCEPT
            if score - margin > -2 * NOTHING:
                return move + ACCEPT
        return move
