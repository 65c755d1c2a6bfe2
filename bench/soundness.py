"""What pruning costs: is the move chosen in a second as good as the best one of a full-width search?

    python bench/soundness.py [--movetime 1000] [--depth 4] [--positions 30] RECORD...

Takes positions from records, evenly over their plies (at least one ply from the end), lets the engine choose a move in
each, and searches the full width (no pruning, no reductions, quiescence at the leaves) for the best score and for the
chosen move's. Status 0 when no chosen move is worse by more than a point. Prints the depths reached, too.

Four plies are fewer than the engine looks ahead, so where the two disagree by more than a point it also prints what the
engine itself says of either move at `--deep` plies: the fault may be the short search's.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from thudstone.engine.game import Info, Limits, Stop
from thudstone.engine.thud import core
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.state import Thud
from thudstone.record import Record


def positions(paths: Sequence[Path], count: int) -> list[str]:
    """TFEN of every position of the records, thinned out evenly."""
    found = []
    for path in paths:
        for battle in Record.read(path).battles:
            found += [position.tfen for position in battle.positions()][:-1]
    return [found[number * len(found) // count] for number in range(min(count, len(found)))]


def best_of(tfen: str, depth: int, moves: list[int] | None = None, *, plain: bool) -> tuple[int, int]:
    """The best of `moves` (all when None) and its score from the side to move, in hundredths of a point."""
    found: list[tuple[int, int]] = []
    core.Searcher(core.Table(64)).search(
        core.Board(tfen),
        lambda depth, seldepth, line, score, pv: found.append((pv[0], score)),
        bytearray(2),
        moves=moves,
        depth=depth,
        plain=plain,
    )
    return found[-1]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    parser.add_argument("--movetime", type=int, default=1000, help="ms for the choice (default 1000)")
    parser.add_argument("--depth", type=int, default=4, help="plies of the full-width search (default 4)")
    parser.add_argument("--deep", type=int, default=14, help="plies of the engine's own search (default 14)")
    parser.add_argument("--positions", type=int, default=30)
    options = parser.parse_args(argv)
    player = ThudPlayer()
    worst = total = 0
    sound = 0
    chosen = positions(options.records, options.positions)
    for number, tfen in enumerate(chosen, 1):
        state = Thud.from_text(tfen, {})
        depths: list[int] = []

        def keep(info: Info, depths: list[int] = depths) -> None:
            if info.depth is not None:
                depths.append(info.depth)

        player.new_game()
        choice = player.search(state, Limits(movetime=options.movetime), keep, Stop())
        assert choice.move is not None
        board = core.Board(tfen)
        move = board.parse(choice.move)
        best, score = best_of(tfen, options.depth, plain=True)
        loss = score - best_of(tfen, options.depth, [move], plain=True)[1]
        worst = max(worst, loss)
        sound += loss <= 100
        total += depths[-1]
        print(f"{number:3} {choice.move:16} depth {depths[-1]:2} loss {loss / 100:6.2f}  {tfen}", flush=True)
        if loss > 100:
            said = [
                f"{core.move_text(each, board.side)} {best_of(tfen, options.deep, [each], plain=False)[1] / 100:+.2f}"
                for each in (move, best)
            ]
            print(f"    {options.deep} plies deep: {', '.join(said)}", flush=True)
    print(f"Within a point: {sound} of {len(chosen)}, worst {worst / 100:.2f}; mean depth {total / len(chosen):.1f}")
    return 0 if sound == len(chosen) else 1


if __name__ == "__main__":
    raise SystemExit(main())
