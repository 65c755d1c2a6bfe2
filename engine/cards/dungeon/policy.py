"""How a sensible player plays Dungeon: he works out how likely the hero would survive by what he knows, and by what
others can know; he leaves a deadly dungeon to another, and makes it deadlier while they may not notice."""

from __future__ import annotations

from math import exp
from random import Random

from thudstone.engine.cards.dungeon.book import Book
from thudstone.engine.cards.dungeon.kinds import FIRST_SPECIAL, ONE
from thudstone.engine.cards.dungeon.stages import (
    AT,
    BID,
    CUBE_TAKES,
    HERO,
    NAME,
    NONE,
    PAY,
    PLACE,
    REVEAL,
    UNKNOWN,
    USE,
)
from thudstone.engine.cards.dungeon.standing import Standing
from thudstone.engine.cards.dungeon.state import Dungeon
from thudstone.engine.cards.dungeon.survival import Survival

PASS_AT = 0.65  # survival, as the others see it, at which half of the players would leave the dungeon to another
PASS_SPREAD = 0.12  # and how sharply they part there
WORSE = 0.15  # survival that a lap of bidding takes from the hero
COOL = 0.05  # shares by which a move may fall short and still be played often, for `weights`
FLOOR = 0.02
CLOSE = 1e-9  # moves that are worth the same up to rounding


class Policy:
    """What it says of a move reads only what its seat knows, also where the state is a full world."""

    def __init__(self) -> None:
        self._book: Book | None = None

    def choose(self, state: Dungeon, rng: Random) -> str:
        """The greedy move of the seat to move."""
        moves = state.moves
        if len(moves) == 1:
            return moves[0]
        if state.stage == HERO:
            return rng.choice(moves)
        values = self._values(state)
        best = max(values) - CLOSE
        for move, value in zip(moves, values, strict=True):
            if value >= best:
                return move
        raise AssertionError("one of the values is the greatest")

    def weights(self, state: Dungeon, tokens: list[str]) -> list[float]:
        """How likely a sensible player of this seat plays each of the tokens."""
        if len(tokens) == 1 or state.stage == HERO:
            return [1.0] * len(tokens)
        values = self._values(state)
        best = max(values)
        likely = dict(zip(state.moves, values, strict=True))
        return [FLOOR + exp((likely[token] - best) / COOL) for token in tokens]

    def settled(self, state: Dungeon, root: Dungeon) -> bool:
        """A playout may stop when the round has ended."""
        return state.round > root.round

    def estimate(self, state: Dungeon) -> tuple[float, ...]:
        """Each seat's expected share of the win, by successes and failures."""
        self._settle(state.book)
        return self._standing.shares(state.wins, state.fails)

    def plausibility(self, world: Dungeon, seat: int) -> float:
        """How well the cards that `seat` doesn't see agree with what the others did with them."""
        self._settle(world.book)
        if not world.pile and not world.aside:
            return 1.0
        hero = world.hero
        costs = self._survival.costs(hero, hero.all, NONE, 3, 0)
        result = 1.0
        for card, by in zip(world.pile, world.added, strict=True):
            if by != seat:
                result *= _ADDED[_danger(costs[card])]
        for card, by in zip(world.aside, world.asider, strict=True):
            if by != seat:
                result *= _LAID_ASIDE[_danger(costs[card])]
        return result

    def explain(self, state: Dungeon) -> list[str]:
        """For people: how likely the hero survives by what the seat to move knows, and what its moves are worth."""
        seat = state.turn
        if seat < 0:
            return []
        self._settle(state.book)
        lines = [f"Player {each + 1}: share {share:.3f}" for each, share in enumerate(self.estimate(state))]
        if state.stage in (BID, PLACE):
            lines.append(f"Survival by what player {seat + 1} knows: {self._own(state, seat, seat, state.tiles):.3f}")
            lines.append(f"Survival by what all know: {self._public(state, seat, state.tiles, 0):.3f}")
        elif state.stage in (AT, NAME, USE, PAY, CUBE_TAKES):
            lines.append(f"Survival by what player {seat + 1} knows: {self._ahead(state, seat):.3f}")
        if len(state.moves) > 1 and state.stage != HERO:
            values = zip(self._values(state), state.moves, strict=True)
            lines += [f"{move}: {value:.3f}" for value, move in sorted(values, key=lambda each: -each[0])]
        return lines

    def _settle(self, book: Book) -> None:
        if book is not self._book:
            self._book, self._survival, self._standing = book, Survival(book), Standing(book)

    def _values(self, state: Dungeon) -> list[float]:
        """What each legal move is worth to the seat to move: its share of the win, or of surviving."""
        self._settle(state.book)
        stage = state.stage
        if stage == BID:
            return self._bids(state)
        if stage == PLACE:
            return self._places(state)
        if stage == AT:
            # Somebody who knows little of what lies there.
            return [-float(state.added.count(int(move[2:]) - 1)) for move in state.moves]
        if stage == NAME:
            seat = state.turn
            return [-self._named(state, seat, int(move[1:])) for move in state.moves]
        return [self._tried(state, move) for move in state.moves]

    # What a seat knows.

    def _known(self, state: Dungeon, seat: int) -> tuple[tuple[int, ...], int, int]:
        """Of the dungeon's cards those that `seat` knows, how many others there are, and the heap of unseen cards."""
        pool = state.pool
        known: list[int] = []
        pile = state.pile
        for card, by in zip(pile, state.added, strict=True):
            if by == seat:
                if card != UNKNOWN:
                    known.append(card)
            elif card != UNKNOWN:
                pool += ONE[card]
        if state.aside:
            for card, by in zip(state.aside, state.asider, strict=True):
                if by != seat and card != UNKNOWN:
                    pool += ONE[card]
        if state.card >= 0 and state.stage == PLACE and seat != state.turn:
            pool += ONE[state.card]
        known.sort()
        return tuple(known), len(pile) - len(known), self._plain(state, pool)

    @staticmethod
    def _plain(state: Dungeon, pool: int) -> int:
        """With hidden special monsters nobody may be told by the heap which are in the game."""
        return pool if state.book.specials_public else pool & (1 << 4 * FIRST_SPECIAL) - 1

    def _own(self, state: Dungeon, seat: int, entrant: int, tiles: int, card: int = NONE) -> float:
        """Survival of the hero if `entrant` entered now, as `seat` sees it; with a further card in the dungeon."""
        known, unknown, pool = self._known(state, seat)
        if card >= 0:
            known = tuple(sorted((*known, card)))
        return self._entering(state, entrant, tiles, known, unknown, pool)

    def _entering(
        self, state: Dungeon, entrant: int, tiles: int, known: tuple[int, ...], unknown: int, pool: int
    ) -> float:
        hero = state.hero
        cards = len(known) + unknown
        costs = self._survival.costs(hero, tiles, NONE, (cards + 1) // 2, state.wins[entrant])
        return self._survival.chance(hero, tiles, hero.total[tiles], costs, known, unknown, pool)

    def _public(self, state: Dungeon, entrant: int, tiles: int, more: int) -> float:
        """The same for one who has seen none of the cards, with so many more of them there."""
        unknown = len(state.pile) + more
        return self._entering(state, entrant, tiles, (), unknown, self._plain(state, state.full))

    # Bidding.

    def _bids(self, state: Dungeon) -> list[float]:
        seat, tiles = state.mover, state.tiles
        others = self._others(state)
        own = self._own(state, seat, seat, tiles)
        seen = self._public(state, seat, tiles, 0)
        passing = self._left_to(state, seat, others, own)
        after = own - WORSE
        drawing = self._goes_on(state, seat, others, after, seen - WORSE)
        return [passing if move == "pass" else drawing for move in state.moves]

    def _places(self, state: Dungeon) -> list[float]:
        seat, tiles, hero, card = state.mover, state.tiles, state.hero, state.card
        others = self._others(state)
        known, unknown, pool = self._known(state, seat)
        values = []
        for move in state.moves:
            if move == "add":
                with_card = tuple(sorted((*known, card))) if card >= 0 else known
                own = self._entering(state, seat, tiles, with_card, unknown + (card < 0), pool)
                seen = self._public(state, seat, tiles, 1)
            else:
                rest = tiles - hero.gives_up[move]
                own = self._entering(state, seat, rest, known, unknown, pool)
                seen = self._public(state, seat, rest, 0)
            values.append(self._goes_on(state, seat, others, own, seen))
        return values

    @staticmethod
    def _others(state: Dungeon) -> list[int]:
        return [seat for seat in range(state.seats) if seat != state.mover and not state.passed >> seat & 1]

    def _goes_on(self, state: Dungeon, seat: int, others: list[int], own: float, seen: float) -> float:
        """After this seat's turn: if all others pass it enters the dungeon, else it can pass in its next turn.

        `own` is the survival as this seat sees it, `seen` as the others do.
        """
        passes = 1 / (1 + exp(min((seen - PASS_AT) / PASS_SPREAD, 50.0)))
        all_pass = passes ** len(others)
        good, bad = self._standing.after(state.wins, state.fails, seat)
        entered = own * good[seat] + (1 - own) * bad[seat]
        return all_pass * entered + (1 - all_pass) * self._left_to(state, seat, others, own - WORSE)

    def _left_to(self, state: Dungeon, seat: int, others: list[int], own: float) -> float:
        """What it is worth to `seat` that one of the others enters the dungeon."""
        total = 0.0
        alive = min(max(own - WORSE * (len(others) - 1), 0.0), 1.0)
        for other in others:
            good, bad = self._standing.after(state.wins, state.fails, other)
            total += alive * good[seat] + (1 - alive) * bad[seat]
        return total / len(others)

    # In the dungeon.

    def _named(self, state: Dungeon, seat: int, named: int) -> float:
        known, unknown, pool = self._known(state, seat)
        hero, tiles = state.hero, state.tiles
        costs = self._survival.costs(hero, tiles, named, (len(state.pile) + 1) // 2, state.wins[state.mover])
        return self._survival.chance(hero, tiles, state.hp, costs, known, unknown, pool)

    def _tried(self, state: Dungeon, move: str) -> float:
        """The hero's chance after a move about the card that he meets."""
        after = state.copy()
        after.apply(move)
        seat = state.mover
        if after.wins != state.wins:
            return 1.0
        if after.fails != state.fails:
            return 0.0
        return self._ahead(after, seat)

    def _ahead(self, state: Dungeon, seat: int) -> float:
        if state.stage in (USE, PAY, CUBE_TAKES):
            return max(self._tried(state, move) for move in state.moves)
        known, unknown, pool = self._known(state, seat)
        if state.charmed and state.stage == REVEAL:
            # The top card is defeated, whatever it is.
            if state.added[-1] == seat and state.pile[-1] != UNKNOWN:
                rest = list(known)
                rest.remove(state.pile[-1])
                known = tuple(rest)
            else:
                unknown -= 1
        hero, tiles = state.hero, state.tiles
        position = state.position + (len(state.pile) + 1) // 2
        costs = self._survival.costs(
            hero, tiles, state.named, position, state.wins[state.mover], state.flute, state.seen
        )
        return self._survival.chance(hero, tiles, state.hp, costs, known, unknown, pool)


def _danger(cost: tuple[int, int]) -> int:
    """How dangerous a card was to the full hero: 0 harmless, to 3."""
    damage, once = cost
    if once:
        return 1
    return 0 if damage <= 0 else 1 if damage <= 2 else 2 if damage <= 4 else 3


# How much likelier than any card one of each danger is added, or laid aside, in 700 games of this policy.
_ADDED = (1.08, 0.95, 0.82, 0.88)
_LAID_ASIDE = (0.97, 1.02, 1.07, 1.05)
