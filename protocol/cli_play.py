"""`thudstone play`: you against the engine, in the terminal."""

from __future__ import annotations

import secrets

import click
from thudstone.engine import games
from thudstone.engine.thud.player import ThudPlayer
from thudstone.engine.thud.skill import FULL
from thudstone.position import DWARFS
from thudstone.protocol import option as options
from thudstone.protocol.cli_duel import Duel
from thudstone.protocol.cli_input import RULES, SIDES, data_file, read_position, rule_pairs
from thudstone.protocol.cli_keyboard import Quit, forgive_bytes
from thudstone.protocol.cli_level import LEVELS, Level
from thudstone.protocol.cli_output import SIDES as SIDE_NAMES
from thudstone.protocol.cli_output import say
from thudstone.protocol.refusal import Refusal
from thudstone.protocol.told import LANGUAGES

THUDS = ("side", "battles", "position", "rules", "limit", "skill")
CARDS = ("seats", "players", "nodes", "seed", "language", "data", "chosen")


@click.command(
    epilog="\b\nExamples:\n  thudstone play --side trolls --level quick --battles 2\n"
    "  thudstone play --game dungeon --seats you,search,greedy\n"
    "  thudstone play --game whales --players 4 --language cs --rule Dolphins=true"
)
@click.option("--game", type=click.Choice(games.NAMES), default="thud", show_default=True, help="What is played.")
@click.option("--level", type=click.Choice(list(LEVELS)), default="normal", show_default=True, help="By time a move.")
@click.option("--movetime", type=click.IntRange(1), help="Milliseconds the engine thinks a move, instead of a level.")
@click.option("--side", type=SIDES, default="dwarfs", show_default=True, help="Thud: your side in the first battle.")
@click.option(
    "--skill", type=click.IntRange(0, FULL), default=FULL, show_default=True, help="Thud: the engine's Skill Level."
)
@click.option("--battles", type=click.IntRange(1), default=1, show_default=True, help="Thud: sides swap after each.")
@click.option("--position", default="startpos", help="Thud: where each battle starts; TFEN, piece list or file.")
@click.option("--rules", type=RULES, default="any", show_default=True, help="Thud: TrollCapture.")
@click.option("--limit", type=click.IntRange(0, 9999), default=200, show_default=True, help="Thud: NoCaptureLimit.")
@click.option("--seats", metavar="WHO,WHO,…", help="Cards: who sits where; you, search, flat, greedy, random.")
@click.option("--players", type=click.IntRange(1), help="Cards: how many; you and searching ones, without --seats.")
@click.option("--nodes", type=click.IntRange(1), help="Cards: playouts a move, instead of a level.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Cards.")
@click.option("--seed", type=click.IntRange(0), help="Cards: of the deals and rolls, to have them again.")
@click.option("--data", metavar="FILE", help="Cards: figures that replace the game's own.")
@click.option("--rule", "chosen", multiple=True, metavar="NAME=VALUE", help="Cards: an option of the game.")
@click.pass_context
def play(
    context: click.Context,
    game: str,
    level: str,
    movetime: int | None,
    side: str,
    skill: int,
    battles: int,
    position: str,
    rules: str,
    limit: int,
    seats: str | None,
    players: int | None,
    nodes: int | None,
    language: str,
    seed: int | None,
    data: str | None,
    chosen: tuple[str, ...],
) -> None:
    """Play against the engine. A full game of Thud is two battles with sides swapped, whose margins are added.

    A card game is played with whom you like; several people share the keyboard, and each sees only what he may know.
    """
    _refuse_options(context, CARDS if game == "thud" else THUDS, game)
    pace = Level(movetime or LEVELS[level], nodes)
    forgive_bytes()
    if game == "thud":
        _play_thud(side, pace, skill, battles, position, rules, limit)
        return
    if movetime is not None and nodes is not None:
        raise click.UsageError("--movetime and --nodes exclude each other.")
    from thudstone.protocol.cli_cards import CardTable

    kinds = _seats(game, seats, players)
    try:
        given = options.chosen(games.load(game)[0], [*rule_pairs(chosen), *data_file(data)])
        table = CardTable(game, given, kinds, pace, language, secrets.randbelow(10**6) if seed is None else seed)
    except (Refusal, ValueError) as error:
        raise click.ClickException(str(error)) from None
    table.play()


def _refuse_options(context: click.Context, names: tuple[str, ...], game: str) -> None:
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") == click.core.ParameterSource.COMMANDLINE
        if parameter.name in names and given:
            raise click.UsageError(f"{parameter.opts[0]} doesn't go with --game {game}.")


def _seats(game: str, seats: str | None, players: int | None) -> list[str]:
    from thudstone.protocol.cli_cards import KINDS, YOU

    fewest, most = games.load(game)[0].seat_range
    if seats is None:
        kinds = [YOU] + ["search"] * ((players or fewest) - 1)
    else:
        kinds = [kind.strip().lower() for kind in seats.split(",")]
        for kind in kinds:
            if kind not in KINDS:
                raise click.UsageError(f"--seats: {kind[:40]!r} is none of {', '.join(KINDS)}.")
        if players is not None and players != len(kinds):
            raise click.UsageError(f"--players {players}: --seats names {len(kinds)}.")
        if YOU not in kinds:
            raise click.UsageError("--seats: one of them must be you; thudstone match is for players alone.")
    if not fewest <= len(kinds) <= most:
        raise click.UsageError(f"{game} has {fewest} to {most} players, not {len(kinds)}.")
    return kinds


def _play_thud(side: str, pace: Level, skill: int, battles: int, position: str, rules: str, limit: int) -> None:
    start = read_position(position, rules)
    player = ThudPlayer()
    player.set_option("OfferEnd", True)
    margins: list[int] = []
    seat = SIDE_NAMES.index(side)
    say("Type a move, or help.")
    try:
        for number in range(1, battles + 1):
            say(f"\nBattle {number} of {battles}: you play the {SIDE_NAMES[seat]}", "bold")
            player.new_game()
            dwarfs, trolls = Duel(start, seat, player, pace, limit, skill).play()
            say(f"Result: dwarfs {dwarfs} trolls {trolls} margin {dwarfs - 4 * trolls}", "bold")
            margins.append((dwarfs - 4 * trolls) * (1 if seat == DWARFS else -1))
            seat ^= 1
    except Quit:
        say(f"Battle {len(margins) + 1} was not finished.")
    if margins:
        say(f"Total: you {sum(margins):+d}, engine {-sum(margins):+d}", "bold")
