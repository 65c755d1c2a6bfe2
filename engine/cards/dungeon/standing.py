"""What each seat's successes and failures are worth: its share of the win."""

from __future__ import annotations

from thudstone.engine.cards.dungeon.book import Book

SURVIVAL = 0.5  # how often a hero comes back, about, when the players are equally good

Scores = tuple[int, ...]


class Standing:
    """As if each seat in the game were as likely as another to be in the dungeon next. Counted once for each score."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._known: dict[tuple[Scores, Scores], tuple[float, ...]] = {}

    def shares(self, wins: Scores, fails: Scores) -> tuple[float, ...]:
        """Each seat's share, summing to 1."""
        key = (wins, fails)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._shares(wins, fails)
        return found

    def _shares(self, wins: Scores, fails: Scores) -> tuple[float, ...]:
        cards, seats = self._book.cards, range(len(wins))
        for seat in seats:
            if wins[seat] == cards.successes:
                return tuple(float(each == seat) for each in seats)
        alive = [seat for seat in seats if fails[seat] < cards.failures]
        if len(alive) == 1:
            if self._book.rex and not wins[alive[0]]:
                return (1 / len(wins),) * len(wins)
            return tuple(float(each == alive[0]) for each in seats)
        total = [0.0] * len(wins)
        for seat in alive:
            good, bad = self.after(wins, fails, seat)
            for each in seats:
                total[each] += (SURVIVAL * good[each] + (1 - SURVIVAL) * bad[each]) / len(alive)
        return tuple(total)

    def after(self, wins: Scores, fails: Scores, seat: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The shares after a success and after a failure of a seat."""
        return (
            self.shares((*wins[:seat], wins[seat] + 1, *wins[seat + 1 :]), fails),
            self.shares(wins, (*fails[:seat], fails[seat] + 1, *fails[seat + 1 :])),
        )
