"""`gamelog simulate`: games played by bots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gamelog.play.driver import lineups
from gamelog.play.driver import simulate as play_game
from gamelog.play.registry import find
from gamelog.record.compose import compose
from gamelog.record.disk import write_new
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import BoardOption, Json, Options
from gamelog_cli.exits import usage
from gamelog_cli.output import counted, emit, say


def simulate(
    game: Annotated[str, typer.Argument(help="A game's id.", autocompletion=completion.games)],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder for the records.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1,
    seed: Annotated[str, typer.Option(help="The same seed gives the same bytes.")] = "1",
    seats: Annotated[int | None, typer.Option(help="How many players; the game's smallest number by default.")] = None,
    bot: Annotated[
        list[str],
        typer.Option(
            "--bot", help="A bot, or several; every different line-up of them is dealt in turn.", autocompletion=completion.bots
        ),
    ] = [],
    option: Options = [],
    board: BoardOption = None,
    dice: Annotated[
        Literal["table", "seeded", "commit-reveal"], typer.Option(help="What the records say of their dice.")
    ] = "seeded",
    json: Json = False,
) -> None:
    """Play N games with bots and write each as a record.

    Several bots are dealt to the seats in every different line-up in turn, one a game: with 3 seats, --bot greedy
    --bot random gives six (each bot sits once at least). A number of games that all line-ups go into is the fairest.
    The records' ids follow from all that is said here, so that games with another option are other games.
    """
    found = find(game)
    bots = tuple(bot or ["random"])
    strange = [name for name in bots if name not in found.bots]
    if strange:
        usage(f'{found.title} has no bot "{strange[0]}"; it has: {", ".join(found.bots)}.')
    players = seats or min(found.seats)
    if players not in found.seats:
        usage(f"{found.title} is for {', '.join(map(str, sorted(found.seats)))} players.")
    layout, chosen = arguments.board(board), arguments.options(option)
    out.mkdir(parents=True, exist_ok=True)
    events = 0
    for index in counted("playing", range(games)):
        header, played = play_game(found, seed, index, players=players, bots=bots, options=chosen, board=layout, dice=dice)
        path = out / f"{found.id}-{seed}-{index:05}.jsonl"
        data, head = compose(header, played)
        write_new(path, data)
        events += len(played)
        if json:
            emit({"path": str(path), "id": header.id, "events": len(played), "head": head})
    if not json:
        dealt = len(lineups(bots, players))
        orders = f" in {dealt} line-ups" if dealt > 1 else ""
        say(f"{games} games{orders}, {events:,} events in {out}.")
