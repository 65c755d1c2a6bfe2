"""How Trol is played with sense: the game's knowledge for the players of card games."""

from __future__ import annotations

from math import exp
from random import Random

from thudstone.engine.cards.trol import dice
from thudstone.engine.cards.trol.forecast import KNOWN, MOST_KEPT, Expected, Forecasts
from thudstone.engine.cards.trol.hunt import CHIEF_DICE, SHAMAN_DICE
from thudstone.engine.cards.trol.state import ACTIONS, Trol
from thudstone.engine.cards.trol.table import ACT, COOK, COPY, DICE, FORCE, HAND, PLUS_MINUS, STAB
from thudstone.engine.cards.trol.tribe import COP, DOWN, HIDDEN, KIND, TIN, TRA, WEA
from thudstone.engine.game import Game

# What is worth how much to a tribe, in food; tuned by games between variants.
MASK = 0.8
SKULL = 3.0
OTHERS = 0.6  # how much of what the others get on average is held against a move
PARTNER = 0.5  # the weight of a second tribe's or a partner's gain
HASTE = 0.6  # of what a hunt would bring later: somebody may spoil it before
# How far what is still to come parts the tribes, by the square root of the cards that one has left.
# Fitted to the ends of games between greedy players; of five tribes two are put out for food, which is less certain.
FOOD_SPREAD, FOOD_SPREAD_OF_FIVE, MASK_SPREAD, SKULL_SPREAD = 1.2, 2.4, 1.1, 1.4
# How much less likely than elsewhere a card is laid face down where it is of little use.
USELESS_TRAP, USELESS_COPYCAT, LATE_TINY = 0.15, 0.3, 0.6
SHARPNESS = 0.7  # how strongly `weights` prefers the better move, by a unit of food


class Policy:
    def __init__(self) -> None:
        self._forecasts: Forecasts | None = None
        self._worths: dict[tuple[tuple[int, ...], int, int, tuple[float, ...]], float] = {}

    def choose(self, state: Game, rng: Random) -> str:
        """The best move for the seat to move, by what that seat knows; among equals the first."""
        assert isinstance(state, Trol)
        tokens = state.legal()
        if len(tokens) == 1:
            return tokens[0]
        values = self._values(state, tokens)
        return tokens[values.index(max(values))]

    def weights(self, state: Game, tokens: list[str]) -> list[float]:
        """How likely a sensible player plays each of the tokens."""
        assert isinstance(state, Trol)
        if len(tokens) == 1:
            return [1.0]
        values = self._values(state, tokens)
        most = max(values)
        return [exp(SHARPNESS * (value - most)) for value in values]

    def settled(self, state: Game, root: Game) -> bool:
        """Whether a hunt has ended since `root`."""
        assert isinstance(state, Trol) and isinstance(root, Trol)
        return state.stage == ACT and _ended(state) > _ended(root)

    def estimate(self, state: Game) -> tuple[float, ...]:
        """The share of the win that each seat can expect."""
        assert isinstance(state, Trol)
        if state.winner >= 0:
            return state.returns()
        return self._shares(state, self._chances(state))

    def plausibility(self, world: Game, seat: int) -> float:
        """How sensible it was of the others to lay the cards that lie face down where they lie."""
        assert isinstance(world, Trol)
        found = 1.0
        for line in world.lines:
            for at, card in enumerate(line):
                if card & DOWN and world.owner(card >> 4 & 7) != seat:
                    kind = card & KIND
                    if kind == TRA and at < 2:
                        found *= USELESS_TRAP
                    elif kind == COP and at == 0:
                        found *= USELESS_COPYCAT
                    elif kind == TIN and at > 2:
                        found *= LATE_TINY
        return found

    def explain(self, state: Game) -> list[str]:
        """How likely each hunt fails, succeeds or shreds the prey if it begins now, as the seat to move knows it."""
        assert isinstance(state, Trol)
        seat = state.turn if state.turn >= 0 else state.mover
        forecasts = self._known(state)
        lines = []
        for place, prey in enumerate(state.places):
            if prey < 0 or not state.lines[place]:
                continue
            outlook = forecasts.outlook(self._seen(state, place, seat), prey)
            shredded = 1 - outlook.fail - outlook.success
            lines.append(
                f"place {place + 1}, {state.book.cards.prey[prey].code}: failure {outlook.fail:.1%}, "
                f"success {outlook.success:.1%}, shredded {max(0.0, shredded):.1%}"
            )
        shares = " ".join(f"{share:.3f}" for share in self.estimate(state))
        return [*lines, f"expected shares of the win: {shares}"]

    def _known(self, state: Trol) -> Forecasts:
        forecasts = self._forecasts
        if forecasts is None or forecasts.cards is not state.book.cards or forecasts.tribes != state.tribes:
            forecasts = self._forecasts = Forecasts(state.book.cards, state.tribes)
            self._worths.clear()
        return forecasts

    def _worth(self, line: tuple[int, ...], prey: int, starter: int, stakes: tuple[float, ...]) -> float:
        key = (line, prey, starter, stakes)
        found = self._worths.get(key)
        if found is None:
            assert self._forecasts is not None
            if len(self._worths) > MOST_KEPT:
                self._worths.clear()
            found = self._worths[key] = _worth(self._forecasts.expected(line, prey, starter), stakes)
        return found

    @staticmethod
    def _seen(state: Trol, place: int, seat: int) -> tuple[int, ...]:
        """The line as the seat sees it."""
        seats = state.seats
        return tuple(
            [
                card & KNOWN if not card & DOWN or (card >> 4 & 7) % seats == seat else card & KNOWN | HIDDEN
                for card in state.lines[place]
            ]
        )

    def _stakes(self, state: Trol, tribe: int) -> tuple[float, ...]:
        """The weight of what each tribe gets, from the side of one."""
        friends = {each for each in range(state.tribes) if each % 2 == tribe % 2} if _paired(state) else {tribe}
        rest = state.tribes - len(friends)
        weights = [PARTNER if each in friends else -OTHERS / rest for each in range(state.tribes)]
        weights[tribe] = 1.0
        return tuple(weights)

    def _values(self, state: Trol, tokens: list[str]) -> list[float]:
        if state.stage == ACT:
            return self._action_values(state, tokens)
        stage, place, step, total = state.stage, state.place, state.step, state.total
        line = tuple([card & KNOWN for card in state.lines[place]])
        prey, forecasts = state.places[place], self._known(state)
        starter = state.starter >> 4 if state.starter >= 0 else -2
        asked = state.asked if stage in (FORCE, COOK) else step
        tribe = state.turn if stage == HAND else line[asked] >> 4
        stakes = self._stakes(state, tribe)

        def value(line: tuple[int, ...], step: int, total: int, shredder: int) -> float:
            return self._hunt_value(forecasts, stakes, line, prey, starter, step, total, shredder)

        def after(damage: int) -> float:
            """Once the card at `step` has dealt so much."""
            crossed = total <= state.book.cards.prey[prey].high < total + damage
            return value(line, step + 1, total + damage, line[step] >> 4 if crossed else state.shredder)

        def rolled(reds: int, whites: int) -> float:
            fall = dice.distribution(reds, whites)
            return sum(chance * after(damage) for damage, chance in enumerate(fall) if chance)

        def without(at: int) -> float:
            return value(line[:at] + line[at + 1 :], 0, 0, -1)

        if stage == STAB:
            stay = value(line, 0, 0, -1)
            return [stay if token == "nostab" else 2 / 3 * without(int(token[4:]) - 1) + stay / 3 for token in tokens]
        if stage == FORCE and state.target >= 0:
            gone, stay = without(state.target), value(line, 0, 0, -1)
            now = gone if state.rolled else stay
            return [2 / 3 * gone + stay / 3 if token == "force" else now for token in tokens]
        if stage == FORCE:
            return [rolled(state.reds, state.whites) if token == "force" else after(state.rolled) for token in tokens]
        if stage == DICE:
            return [rolled(*(CHIEF_DICE.get(token) or SHAMAN_DICE[token])) for token in tokens]
        if stage == PLUS_MINUS:
            return [after(int(token)) for token in tokens]
        if stage == HAND:
            high = state.book.cards.prey[prey].high
            more = value(line, len(line), total + 1, tribe if total == high else state.shredder)
            # The Weakling is lost, and what it could still do elsewhere with it.
            cost = MASK * state.book.cards.masks[WEA] + 1
            stay = value(line, len(line), total, state.shredder)
            return [more - cost if token == "weakling" else stay for token in tokens]
        if stage == COOK:
            shares = state.food_shares()
            return [0.0 if token == "nocook" else float(shares[int(token[4:]) - 1]) for token in tokens]
        assert stage == COPY
        copied = value(line, step, total, state.shredder)
        return [copied if token == "copy" else after(0) for token in tokens]

    @staticmethod
    def _hunt_value(
        forecasts: Forecasts,
        stakes: tuple[float, ...],
        line: tuple[int, ...],
        prey: int,
        starter: int,
        step: int,
        total: int,
        shredder: int,
    ) -> float:
        """Of a hunt under way; `starter` -2 is one of the last hunts, whose prey nobody gets."""
        found = forecasts.expected(line, prey, max(starter, 0), step, total)
        worth = _worth(found, stakes) if starter >= 0 else _worth(found._replace(skulls=(0.0,) * len(stakes)), stakes)
        if shredder >= 0 and starter >= 0 and total > forecasts.cards.prey[prey].high:
            worth += SKULL * forecasts.cards.prey[prey].skulls * stakes[shredder]
        return worth

    def _action_values(self, state: Trol, tokens: list[str]) -> list[float]:
        forecasts, tribe = self._known(state), state.tribe
        stakes = self._stakes(state, tribe)
        masks = state.book.cards.masks
        lines = [self._seen(state, place, state.mover) for place in range(state.tribes)]
        later = [
            HASTE * self._worth(line, prey, -1, stakes) if line else 0.0
            for line, prey in zip(lines, state.places, strict=True)
        ]
        begun: dict[int, float] = {}
        values = []
        for token in tokens:
            hunts, place, kind = ACTIONS[token]
            line, prey = lines[place], state.places[place]
            if hunts:
                if place not in begun:
                    begun[place] = self._worth(line, prey, tribe, stakes)
                survives = 1 - forecasts.outlook(line, prey).fail
                values.append(begun[place] - later[place] - MASK * masks[kind] * (1 - survives) * HASTE)
            else:
                added = self._worth((*line, tribe << 4 | kind), prey, -1, stakes)
                own = masks[kind] if kind != HIDDEN else 1.5
                values.append(HASTE * (added - MASK * own) - later[place])
        return values

    def _chances(self, state: Trol) -> list[float]:
        """How likely each tribe is the last one left, by what it has and may expect of what lies there."""
        tribes = state.tribes
        tally = state.tally()
        food = [float(each) for each in tally.food]
        masks = [float(each) for each in tally.masks]
        skulls = [float(tally.skulls(tribe)) for tribe in range(tribes)]
        forecasts = self._known(state)
        for place, line in enumerate(state.lines):
            if line:
                found = forecasts.expected(tuple([card & KNOWN for card in line]), state.places[place], -1)
                for tribe in range(tribes):
                    food[tribe] += HASTE * found.food[tribe]
                    masks[tribe] += HASTE * found.masks[tribe]
                    skulls[tribe] += HASTE * found.skulls[tribe]
        left = (sum(state.held) + sum(state.left)) / tribes
        for tribe in range(tribes):
            masks[tribe] += 0.8 * (state.held[tribe] + state.left[tribe] - left)
        wide = (left + 0.5) ** 0.5
        spread, number = (FOOD_SPREAD_OF_FIVE, 2) if tribes == 5 else (FOOD_SPREAD, 1)
        hungry = _lots([-each / (spread * wide) for each in food], [1.0] * tribes, number)
        stay = [1 - chance for chance in hungry]
        if tribes != 3:
            weak = _lots([-each / (MASK_SPREAD * wide) for each in masks], stay, 1)
            stay = [chance * (1 - other) for chance, other in zip(stay, weak, strict=True)]
        return _lots([each / (SKULL_SPREAD * wide) for each in skulls], stay, 1)

    @staticmethod
    def _shares(state: Trol, chances: list[float]) -> tuple[float, ...]:
        """From tribes to seats."""
        if state.seats == 2:
            chances = [chances[0] + chances[2], chances[1] + chances[3]]
        elif _paired(state):
            chances = [(chances[seat] + chances[(seat + 2) % 4]) / 2 for seat in range(4)]
        total = sum(chances)
        return tuple(chance / total for chance in chances)


def _paired(state: Trol) -> bool:
    """Whether tribes win two by two."""
    return state.seats == 2 or (state.seats == 4 and state.book.team)


def _ended(state: Trol) -> int:
    return sum(map(len, state.trophies)) + len(state.wasted)


def _worth(found: Expected, stakes: tuple[float, ...]) -> float:
    worth = 0.0
    for stake, food, masks, skulls in zip(stakes, *found, strict=True):
        worth += stake * (food + MASK * masks + SKULL * skulls)
    return worth


def _lots(scores: list[float], weights: list[float], number: int) -> list[float]:
    """How likely each is among the `number` drawn, with odds of e to its score times its weight."""
    most = max(scores)
    odds = [weight * exp(score - most) for score, weight in zip(scores, weights, strict=True)]
    total = sum(odds) or 1.0
    return [min(1.0, number * each / total) for each in odds]
