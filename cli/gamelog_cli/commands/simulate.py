"""`gamelog simulate`: games played by bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gamelog.errors import BrokenGame
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import distribution, find, foreign
from gamelog.play.fold.blame import failure
from gamelog.play.recording.driver import lineups, party
from gamelog.play.recording.driver import simulate_game as play_game
from gamelog.record.compose import compose
from gamelog.record.counting import many
from gamelog.record.disk import write_new
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import BoardOption, Json, Options, RecordMemory, RecordSeconds
from gamelog_cli.output import counted, emit, say

if TYPE_CHECKING:
    from gamelog.archive import Bounds

Played = tuple[str, int, bytes, str]
"""A game's id, how many events it has, its record and the record's head."""


def simulate(
    game: Annotated[str, typer.Argument(help="A game's id.", autocompletion=completion.complete_games)],
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
    max_events: Annotated[int, typer.Option(min=1, help="A game that has not ended after so many events is given up.")] = 100_000,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    json: Json = False,
) -> None:
    """Play N games with bots and write each as a record.

    Several bots are dealt to the seats in every different line-up in turn, one a game: with 3 seats, --bot greedy
    --bot random gives six (each bot sits once at least). A number of games that all line-ups go into is the fairest.
    The records' ids follow from all that is said here, so that games with another option are other games.
    """
    found = find(game)
    bots = tuple(bot or ["random"])
    players = party(found, seats, bots)
    layout, chosen = arguments.parse_board(board), arguments.parse_options(option)
    out.mkdir(parents=True, exist_ok=True)
    events = 0
    plan = partial(
        _play, found.id, seed, players=players, bots=bots, options=chosen, board=layout, dice=dice, max_events=max_events
    )
    for index, (id, length, data, head) in enumerate(
        counted("playing", _played(found, foreign(game), plan, games, arguments.bounds(record_seconds, record_memory)), games)
    ):
        path = out / f"{found.id}-{seed}-{index:05}.jsonl"
        write_new(path, data)
        events += length
        if json:
            emit({"path": str(path), "id": id, "events": length, "head": head})
    if not json:
        dealt = len(lineups(bots, players))
        orders = f" in {dealt} line-ups" if dealt > 1 else ""
        say(f"{many(games, 'game')}{orders}, {many(events, 'event')} in {out}.")


def _play(game: str, seed: str, index: int, **given: Any) -> Played:
    try:
        header, played = play_game(find(game), seed, index, **given)
    except Exception as error:  # said here: whose code it came through is not known any more in another process
        said = failure(error)
        if said is None:
            raise
        raise BrokenGame(f"{said}.") from None
    data, head = compose(header, played)
    return header.id, len(played), data, head


def _played(game: AnyGame, strange: bool, plan: Callable[[int], Played], games: int, bounds: Bounds) -> Iterator[Played]:
    """The games one after the other: Gamelog's own in this process, a `strange` one in one that can be ended."""
    if not strange:
        yield from map(plan, range(games))
        return
    from pebble import ProcessExpired

    from gamelog.archive.judging.workers import end, pool

    workers = pool(1, bounds)
    try:
        for index in range(games):
            try:
                yield workers.schedule(plan, args=[index], timeout=bounds.timeout).result()
            except TimeoutError:
                said = f"took longer than {bounds.timeout:g} s; allow more with --record-seconds"
            except (MemoryError, ProcessExpired) as error:
                said = f"ended its process ({error})"
            else:
                continue
            raise BrokenGame(f"Game {index + 1} of {game.title}, which comes with {distribution(game)}, {said}.")
    finally:
        end(workers)
