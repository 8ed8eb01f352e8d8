"""`gamelog simulate`: games between bots."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from msgspec import Struct

from gamelog.archive import BYTES, EqualLimits, Item, RecordLimits, Workers, assess
from gamelog.chance.loaded_dice import parse_loaded
from gamelog.errors import BadSetup, Exists, GamelogError, PlayError, RecordError
from gamelog.message import Message, many
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, has_foreign_game
from gamelog.play.fold.game_errors import errors_of
from gamelog.play.playing.named_bots import needs_fit
from gamelog.play.recording.series import player_count, seatings, series_header, simulate_game
from gamelog.record.atomic_files import shared_temporary_folder, write_atomically
from gamelog.record.envelope import Header, encode_body
from gamelog.record.reading import read_opening, read_record
from gamelog.record.record_file import compose
from gamelog.study.playing import lost_game
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import BoardOption, Jobs, Json, Options, RecordMemory, RecordSeconds
from gamelog_cli.exits import USAGE
from gamelog_cli.printing.output import (
    FITTING_TEXT,
    emit,
    print_first_warnings,
    print_line,
    with_progress,
)


class _PlannedGame(Item, frozen=True):
    """A game of the series, and the path of its record."""

    index: int = 0


class Played(Struct, frozen=True):
    """A game that is in the folder: the path and id of its record, the number of its events, and its head."""

    path: str
    id: str
    events: int
    head: str | None


def simulate(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="Id of a game, or ID@RULES for a version of its rules.",
            autocompletion=completion.complete_games,
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FOLDER", help="Output folder for the records.")
    ],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of games.")] = 1,
    seed: Annotated[
        str, typer.Option(metavar="TEXT", help="Seed of the series. The same seed gives the same records.")
    ] = "1",
    seats: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of players. By default, the smallest number that the game allows."
        ),
    ] = None,
    bot: Annotated[
        list[str],
        typer.Option(
            "--bot",
            metavar="BOT",
            help="Name of a bot, or search:N for a bot that searches N positions for each decision. If you "
            "name several bots, they play in all possible line-ups.",
            autocompletion=completion.complete_bots,
        ),
    ] = [],
    option: Options = [],
    board: BoardOption = None,
    dice: Annotated[
        Literal["table", "seeded", "commit-reveal"] | None,
        typer.Option(
            help="Source of the dice in the records. By default, seeded, or table if dice are loaded.",
            show_default=False,
        ),
    ] = None,
    loaded: Annotated[
        list[str],
        typer.Option(
            "--loaded",
            metavar="SEAT=FACE:PROBABILITY",
            help="Load the dice of a seat, to try tests of dice: red=6:0.25. The tag loaded of the "
            "records says so.",
        ),
    ] = [],
    max_events: Annotated[
        int, typer.Option(min=1, metavar="N", help="Stop a game that has not ended after this many events.")
    ] = 100_000,
    jobs: Jobs = None,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    json: Json = False,
) -> None:
    """Play games between bots and write a record of each.

    Several bots take turns in all different line-ups, one for each game. With 3 seats, --bot greedy --bot
    random gives six line-ups, in which each bot has at least one seat. The series is fairest if all line-ups
    play the same number of games.

    The id of a record follows from the seed and all options, so games with other options are other games. If
    the folder has a variant of the game with the same seed, the name of the new file contains a part of its
    id. If you run the command again, it keeps the games that are in the folder and plays the missing ones. It
    overwrites no other files.
    """
    chosen_game = find(game)
    bots = tuple(bot or ["random"])
    players = player_count(chosen_game, seats, bots)
    plan = partial(
        series_header,
        chosen_game,
        seed,
        players=players,
        bots=bots,
        options=arguments.parse_options(option),
        board=arguments.parse_board(board),
        dice=dice or ("table" if loaded else "seeded"),
        loaded=parse_loaded(loaded) or None,
    )
    limited = has_foreign_game(chosen_game.id)
    limits = arguments.limits(record_seconds, record_memory)
    weight = BYTES if limited else 0  # the limits of an installed game are for one game each
    stem = f"{chosen_game.id}-{_seed_for_file_name(seed)}"
    due = [
        _PlannedGame(str(out / f"{stem}-{index:05}.jsonl"), 0, 0, weight=weight, index=index)
        for index in range(games)
    ]
    simulated = events = 0
    failed: list[str] = []
    out.mkdir(parents=True, exist_ok=True)
    with (
        shared_temporary_folder(out) as workspace,
        Workers(jobs, limits=EqualLimits(limits.timeout, limits.memory), limited=limited) as workers,
    ):
        play = partial(
            _play,
            game=chosen_game.id,
            rules=chosen_game.rules_version,
            seed=seed,
            workspace=workspace,
            max_events=max_events,
            given=plan.keywords,
        )
        results = workers.map_items(play, partial(_worker_error, chosen_game, limits), due)
        fits = needs_fit(bots)
        for done in with_progress(FITTING_TEXT if fits else "playing", results, games, is_slow=fits):
            if isinstance(done, Played):
                simulated += 1
                events += done.events
                if json:
                    emit(done)
            elif isinstance(done, PlayError) and not isinstance(done, BadSetup):
                failed.append(str(done))
            else:
                raise done
    if simulated and not json:
        lineups = len(seatings(bots, players))
        shown = f"{simulated} of {lineups}" if simulated < lineups else lineups
        orders = f" in {shown} line-ups" if lineups > 1 else ""
        print_line(f"{many(simulated, 'game')}{orders}, {many(events, 'event')} in {out}.")
    print_first_warnings([*dict.fromkeys(failed)])
    if failed:
        raise typer.Exit(USAGE)


def _play(
    batch: Sequence[Item],
    *,
    game: str,
    rules: str,
    seed: str,
    workspace: Path,
    max_events: int,
    given: dict[str, Any],
) -> Iterator[Played | GamelogError]:
    """Yield each game, or the error if it could not be played."""
    chosen_game = find(game, rules)
    for due in batch:
        assert isinstance(due, _PlannedGame)
        try:
            path = due.path
            if os.path.lexists(path):
                with errors_of(chosen_game):
                    header = series_header(chosen_game, seed, due.index, **given)[0]
                path = _variant_path(path, header)
                if os.path.lexists(path):
                    yield _existing_game(path, encode_body(header))
                    continue
            with errors_of(chosen_game):
                header, events = simulate_game(chosen_game, seed, due.index, max_events=max_events, **given)
                data, head = compose(header, events)
            try:
                path = _save_variant(path, header, data, workspace)
            except Exists:  # another run with the same folder was faster
                yield _existing_game(_variant_path(path, header), encode_body(header))
            else:
                yield Played(path, header.id, len(events), head)
        except GamelogError as error:
            yield error


def _seed_for_file_name(seed: str) -> str:
    """Return the seed, or the beginning of its digest if a file cannot have it as its name."""
    plain = re.fullmatch(r"[\w-][\w.-]{0,59}", seed) and len(seed.encode()) <= 120
    return seed if plain else sha256(seed.encode(errors="surrogateescape")).hexdigest()[:16]


def _save_variant(path: str, header: Header, data: bytes, workspace: Path) -> str:
    """Write a game, and return its path: `path`, or its own if another variant now has `path`.

    Raises:
        Exists: There is a file at this path.
    """
    try:
        write_atomically(path, data, replace=False, within=workspace)
    except Exists:
        own = _variant_path(path, header)
        if own == path:
            raise
        write_atomically(own, data, replace=False, within=workspace)
        return own
    return path


def _variant_path(path: str, header: Header) -> str:
    """Return the path of a game if `path` exists: with a part of its id if another variant has `path`.

    Variants are games of one seed with other options, seats, bots, dice or another board.
    """
    try:
        there = read_opening(path).header
    except RecordError:
        return path
    if there is None or there.id == header.id or (there.game, there.tags) != (header.game, header.tags):
        return path
    stem, _, number = path.rpartition("-")
    return f"{stem}-{header.id[:8]}-{number}"


def _existing_game(path: str, opening: bytes) -> Played:
    """Return the game that is already at `path`.

    Raises:
        Exists: The file is not a complete record of the game with this `opening`.
    """
    record = read_record(path)
    if record.header and record.opening == opening and not record.problem:
        verdict = assess(record)[1]
        if verdict.status == "ok" and verdict.finished:
            return Played(path, record.header.id, len(record.bodies), record.head)
    raise Exists(
        Message.of(
            "{=path} already exists and is another game. Gamelog does not overwrite files; choose another "
            "folder.",
            path=str(path),
        )
    )


def _worker_error(game: AnyGame, limits: RecordLimits, item: Item, error: Exception) -> GamelogError:
    """Return the error for a game whose process was over its time or memory limit, or ended."""
    assert isinstance(item, _PlannedGame)
    hint = "To allow more time, add --record-seconds"
    return lost_game(f"Game {item.index + 1}", game, limits, error, hint)
