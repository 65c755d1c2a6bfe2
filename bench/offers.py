"""What an agreed end costs: battles in which the engine agreed with itself, played on without offers.

    python bench/offers.py [--battles 40] [--nodes 5000] [--more 4] [--seed 1]

Battles from random openings, both sides with `OfferEnd`. Where they agree, the same position is played on without
offers, with `--more` times the nodes, to the battle's end: the margin it then ends with is what the agreement should
have foreseen. An offer or its acceptance while the side to move can take a piece at a profit is counted as a fault.
Status 0 when there is none and the mean difference is at most half a point.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from statistics import fmean

from thudstone.engine.game import Limits, Stop
from thudstone.engine.thud import core
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.state import ACCEPT, Thud

PLIES = (2, 6)  # random ones of an opening
PROFIT = 50  # hundredths of a point that a capture must be worth more than what is there


def margin(view: Thud) -> int:
    """Points of the dwarfs less those of the trolls."""
    dwarfs, trolls = view.score()
    return dwarfs - trolls


def opening(rng: random.Random) -> Thud:
    view = Thud.start(2, {})
    for _ in range(rng.randint(*PLIES)):
        quiet = [move for move in view.board.legal_moves() if not core.captured(move)]
        view.apply(core.move_text(rng.choice(quiet), view.board.side))
    return view


def played_on(view: Thud, nodes: int) -> int:
    """The margin without offers."""
    player = ThudPlayer()
    end = Thud(core.Board(view.text()))
    while end.end() == "none":
        move = player.search(end, Limits(nodes=nodes), lambda info: None, Stop()).move
        assert move is not None
        end.apply(move)
    return margin(end)


def hanging(view: Thud, nodes: int) -> bool:
    """Whether some capture of the side to move leaves it better than the points it has now."""
    captures = [move for move in view.board.legal_moves() if core.captured(move)]
    if not captures:
        return False
    scores: list[int] = []
    core.Searcher(core.Table(16)).search(
        view.board, lambda depth, seldepth, line, score, pv: scores.append(score), bytearray(2),
        moves=captures, nodes=nodes, limit=view.limit,
    )  # fmt: skip
    now = 100 * margin(view) * (1 if view.board.side == core.DWARFS else -1)
    return bool(scores) and scores[-1] > now + PROFIT


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=5000, help="a ply (default 5000)")
    parser.add_argument("--more", type=int, default=4, help="times the nodes, when played on (default 4)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    rng = random.Random(options.seed)
    moved: list[int] = []
    agreed = faults = saved = 0
    for number in range(1, options.battles + 1):
        view = opening(rng)
        players = (ThudPlayer(), ThudPlayer())
        for player in players:
            player.set_option("OfferEnd", True)
        plies = 0
        while view.end() == "none":
            move = players[view.board.side].search(view, Limits(nodes=options.nodes), lambda info: None, Stop()).move
            assert move is not None
            if move.endswith(ACCEPT) and hanging(view, options.nodes * options.more):
                faults += 1
                print(f"    {move} while a capture hangs: {view.text()}", flush=True)
            view.apply(move)
            plies += 1
        if view.end() != "agreed":
            print(f"{number:3} {view.end()}, margin {margin(view):+d}, {plies} plies", flush=True)
            continue
        agreed += 1
        saved += view.limit - view.board.quiet
        after = played_on(view, options.nodes * options.more)
        moved.append(after - margin(view))
        print(f"{number:3} agreed on {margin(view):+d} after {plies} plies; played on {after:+d}", flush=True)
    cost = fmean(map(abs, moved)) if moved else 0.0
    print(f"Agreed: {agreed} of {options.battles}; played on the margin moves {cost:.2f} points (mean), at most "
          f"{max(map(abs, moved), default=0)}; faults {faults}; plies saved {saved / max(agreed, 1):.0f}")  # fmt: skip
    return 0 if not faults and cost <= 0.5 else 1


if __name__ == "__main__":
    raise SystemExit(main())
