"""Whether a game of hidden information keeps its secrets: pairs of worlds that differ only in what a seat can't know,
and what that seat is shown of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from thudstone.engine.cards.policy import event
from thudstone.engine.game import CHANCE, OVER, Choice, Game, Info, Limits, Player, Stop


class Leak(AssertionError):
    """A seat was shown something it can't know."""


def start(game: type[Game], seats: int) -> Game:
    return game.start(seats, {option.name: option.default for option in game.options})


@dataclass
class Table:
    """A world, the view and redacted log of each seat, and the full log."""

    world: Game
    views: list[Game] = field(default_factory=list)
    logs: list[list[str]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, game: type[Game], seats: int) -> Table:
        world = start(game, seats)
        return cls(world, [world.copy() for _ in range(seats)], [[] for _ in range(seats)])

    def apply(self, token: str) -> None:
        for seat, view in enumerate(self.views):
            seen = self.world.redact(token, seat)
            view.apply(seen)
            self.logs[seat].append(seen)
        self.tokens.append(self.world.apply(token))

    def play(self, rng: Random, plies: int) -> None:
        """Random tokens, until `plies` were played and a seat is to move, or the game is over."""
        while self.world.turn != OVER and (plies > 0 or self.world.turn == CHANCE):
            chance = self.world.turn == CHANCE
            self.apply(event(self.world, rng) if chance else rng.choice(self.world.legal()))
            plies -= 1


def check_view(table: Table) -> None:
    """What is public is the same in the truth and in each view; the mover's own moves, too."""
    world = table.world
    for seat, view in enumerate(table.views):
        if view.turn != world.turn or view.end() != world.end():
            raise AssertionError(f"seat {seat + 1} thinks that it is {view.turn}'s turn, not {world.turn}'s")
        if seat == world.turn and view.legal() != world.legal():
            raise Leak(f"seat {seat + 1}: its moves are {view.legal()} by its view, {world.legal()} in truth")


def check_twins(table: Table, rng: Random, player: Player | None = None) -> int:
    """Fills the mover's view twice: two worlds that it can't tell apart. It must be shown the same in both from then
    on. Returns 1 where the worlds differ, 0 where there was nothing hidden."""
    seat = table.world.turn
    view = table.views[seat]
    pair = [view.fill(rng), view.fill(rng)]
    if pair[0].legal() != pair[1].legal():
        raise Leak(f"seat {seat + 1}: two worlds of one view differ in its moves")
    for token in pair[0].legal():
        seen = {world.redact(token, seat) for world in pair}
        if len(seen) != 1:
            raise Leak(f"seat {seat + 1}: {token} is seen as {sorted(seen)}")
    if player is not None:
        for world in pair:
            before = player_move(player, view)
            text = view.text()
            player_move(player, world.copy())  # whatever it saw elsewhere must not count
            if player_move(player, view) != before or view.text() != text:
                raise Leak(f"seat {seat + 1}: the player's move depends on more than its view")
    return int(pair[0].text() != pair[1].text())


def check_policy(table: Table, rng: Random, choose: Callable[[Any, Random], str]) -> None:
    """A rule of thumb is asked in full worlds, too, when it plays on in a playout: it must choose as it does by the
    view alone."""
    view = table.views[table.world.turn]
    moves = {choose(state, Random(1)) for state in (view, *(view.fill(rng) for _ in range(4)))}
    if len(moves) != 1:
        raise Leak(f"seat {table.world.turn + 1}: {sorted(moves)} by worlds that it can't tell apart")


def check_log(table: Table, other: Table, seat: int) -> None:
    """Two games whose tokens differ only in what `seat` can't see look the same to it."""
    if table.logs[seat] != other.logs[seat]:
        raise Leak(f"seat {seat + 1}: two logs differ")
    if table.views[seat].text() != other.views[seat].text():
        raise Leak(f"seat {seat + 1}: two positions differ")
    if table.views[seat].draw() != other.views[seat].draw():
        raise Leak(f"seat {seat + 1}: two pictures differ")
    if table.views[seat].legal() != other.views[seat].legal():
        raise Leak(f"seat {seat + 1}: two lists of moves differ")


def check_redacted(before: Game, token: str) -> None:
    """A redacted token differs only by `?` in place of what is hidden, and what is dealt to one seat is hidden."""
    private = re.match(r"@([0-9]+)=[^?]", token)
    for seat in range(before.seats):
        seen = before.redact(token, seat)
        if seen == token:
            if private and seat != int(private[1]) - 1:
                raise Leak(f"seat {seat + 1} is shown {token}")
            continue
        head, mark, tail = seen.partition("?")
        if not mark or not token.startswith(head) or not (token.endswith(tail) or "?" in tail):
            raise AssertionError(f"{token} is shown to seat {seat + 1} as {seen}")


def hidden_twins(
    game: type[Game],
    seats: int,
    seat: int,
    rng: Random,
    plies: int,
    look: Callable[[Table, Table], None] = lambda one, two: None,
) -> tuple[Table, Table]:
    """Two games of the same moves, in which events that `seat` can't see went differently where they may have. `look`
    is called where the seat is to move and the games are no longer the same."""
    one, two = Table.of(game, seats), Table.of(game, seats)
    while plies > 0 and one.world.turn != OVER:
        if one.world.turn == two.world.turn == seat and one.tokens != two.tokens:
            look(one, two)
        if one.world.turn == CHANCE:
            token = event(one.world, rng)
            seen = one.world.redact(token, seat)
            same = [each for each, _ in two.world.chance() if two.world.redact(each, seat) == seen]
        else:
            token = rng.choice(one.world.legal())
            seen = one.world.redact(token, seat)
            same = [each for each in two.world.legal() if two.world.redact(each, seat) == seen]
        if not same:
            break  # from here on a fact comes to light in which the two differ
        one.apply(token)
        two.apply(rng.choice(same))
        plies -= 1
    return one, two


def player_move(player: Player, view: Game, nodes: int = 8) -> str | None:
    def ignore(info: Info) -> None:
        pass

    choice: Choice = player.search(view, Limits(nodes=nodes), ignore, Stop())
    return choice.move
