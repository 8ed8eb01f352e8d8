"""`gamelog simulate`: games played by bots."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from msgspec import Struct

from gamelog.archive.judging.worker import assess
from gamelog.archive.judging.workers import BYTES, Bounds, Workers
from gamelog.archive.sources.items import Item
from gamelog.errors import BadSetup, BrokenGame, Exists, GamelogError, PlayError, RecordError
from gamelog.message import many
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import distribution_of, find, has_foreign_game
from gamelog.play.fold.game_errors import describe_failure
from gamelog.play.recording.driver import player_count, seatings, series_header, simulate_game
from gamelog.record.atomic_files import shared_temporary_folder, write_atomically
from gamelog.record.envelope import Header, encode_body
from gamelog.record.reading import read_opening, read_record
from gamelog.record.record_file import compose
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import BoardOption, Jobs, Json, Options, RecordMemory, RecordSeconds
from gamelog_cli.exits import USAGE
from gamelog_cli.output import counted, emit, print_first_warnings, print_line


class _Due(Item, frozen=True):
    """A game of the series, to be written to its path."""

    index: int = 0


class _GameBounds(Bounds, frozen=True):
    """So much for each game, for a bot may think for long."""

    def time(self, batch: Sequence[Item]) -> float:
        return self.timeout * len(batch)


class Played(Struct, frozen=True):
    """A game that lies at its path: its id, how many events it has, and its head."""

    path: str
    id: str
    events: int
    head: str | None


def simulate(
    game: Annotated[
        str, typer.Argument(help="A game's id, or ID@RULES.", autocompletion=completion.complete_games)
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder for the records.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1,
    seed: Annotated[str, typer.Option(help="The same seed gives the same bytes.")] = "1",
    seats: Annotated[
        int | None, typer.Option(help="How many players; the game's smallest number by default.")
    ] = None,
    bot: Annotated[
        list[str],
        typer.Option(
            "--bot",
            help="A bot, or several; every different line-up of them is dealt in turn.",
            autocompletion=completion.bots,
        ),
    ] = [],
    option: Options = [],
    board: BoardOption = None,
    dice: Annotated[
        Literal["table", "seeded", "commit-reveal"], typer.Option(help="What the records say of their dice.")
    ] = "seeded",
    max_events: Annotated[
        int, typer.Option(min=1, help="A game that has not ended after so many events is given up.")
    ] = 100_000,
    jobs: Jobs = None,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    json: Json = False,
) -> None:
    """Play N games with bots and write each as a record.

    Several bots are dealt to the seats in every different line-up in turn, one a game: with 3 seats, --bot
    greedy --bot random gives six (each bot sits once at least). A number of games that all line-ups go into
    is the fairest. The records' ids follow from all that is said here, so that games with another option are
    other games: if the folder has a variant of the same seed, the name of the new file has a part of its id.
    Run again, it keeps the games that are there and plays those that are not; a file that is
    something else is not overwritten.
    """
    found = find(game)
    bots = tuple(bot or ["random"])
    players = player_count(found, seats, bots)
    plan = partial(
        series_header,
        found,
        seed,
        players=players,
        bots=bots,
        options=arguments.parse_options(option),
        board=arguments.parse_board(board),
        dice=dice,
    )
    bounded = has_foreign_game(found.id)
    bounds = arguments.bounds(record_seconds, record_memory)
    weight = BYTES if bounded else 0  # whatever a stranger's game does is bounded game by game
    due = [
        _Due(str(out / f"{found.id}-{_in_a_name(seed)}-{at:05}.jsonl"), 0, 0, weight=weight, index=at)
        for at in range(games)
    ]
    made = events = 0
    failed: list[str] = []
    out.mkdir(parents=True, exist_ok=True)
    with (
        shared_temporary_folder(out) as room,
        Workers(jobs, bounds=_GameBounds(bounds.timeout, bounds.memory), bounded=bounded) as workers,
    ):
        play = partial(
            _play,
            game=found.id,
            rules=found.rules_version,
            seed=seed,
            room=room,
            max_events=max_events,
            given=plan.keywords,
        )
        for done in counted("playing", workers.map_items(play, partial(_lost, found, bounds), due), games):
            if isinstance(done, Played):
                made += 1
                events += done.events
                if json:
                    emit(done)
            elif isinstance(done, PlayError) and not isinstance(done, BadSetup):
                failed.append(str(done))
            else:
                raise done
    if made and not json:
        dealt = len(seatings(bots, players))
        orders = f" in {f'{made} of ' if made < dealt else ''}{dealt} line-ups" if dealt > 1 else ""
        print_line(f"{many(made, 'game')}{orders}, {many(events, 'event')} in {out}.")
    print_first_warnings([*dict.fromkeys(failed)])
    if failed:
        raise typer.Exit(USAGE)


def _play(
    batch: Sequence[Item],
    *,
    game: str,
    rules: str,
    seed: str,
    room: Path,
    max_events: int,
    given: dict[str, Any],
) -> Iterator[Played | GamelogError]:
    """Each game, or why there is none."""
    found = find(game, rules)
    for due in batch:
        assert isinstance(due, _Due)
        try:
            path = due.path
            if os.path.lexists(path):
                with _blamed(found):
                    header = series_header(found, seed, due.index, **given)[0]
                path = _variant_path(path, header)
                if os.path.lexists(path):
                    yield _kept(path, encode_body(header))
                    continue
            with _blamed(found):
                header, events = simulate_game(found, seed, due.index, max_events=max_events, **given)
                data, head = compose(header, events)
            try:
                path = _place_variant(path, header, data, room)
            except Exists:  # another run into the same folder was faster
                yield _kept(_variant_path(path, header), encode_body(header))
            else:
                yield Played(path, header.id, len(events), head)
        except GamelogError as error:
            yield error


@contextmanager
def _blamed(game: AnyGame) -> Iterator[None]:
    """Say which game failed: in another process nobody sees whose code an error came through.

    Raises `BrokenGame`.
    """
    try:
        yield
    except (GamelogError, MemoryError):
        raise
    except Exception as error:
        said = describe_failure(error, game)
        if said is None:
            raise
        raise BrokenGame(f"{said}.") from error


def _in_a_name(seed: str) -> str:
    """The seed, or if no file can be called by it, the beginning of its digest."""
    plain = re.fullmatch(r"[\w-][\w.-]{0,59}", seed) and len(seed.encode()) <= 120
    return seed if plain else sha256(seed.encode(errors="surrogateescape")).hexdigest()[:16]


def _place_variant(path: str, header: Header, data: bytes, room: Path) -> str:
    """Write a game, and return its path: `path`, or its own if another variant took that meanwhile.
    Raises `Exists`.
    """
    try:
        write_atomically(path, data, replace=False, within=room)
    except Exists:
        own = _variant_path(path, header)
        if own == path:
            raise
        write_atomically(own, data, replace=False, within=room)
        return own
    return path


def _variant_path(path: str, header: Header) -> str:
    """The path of a game if `path` is taken: with a part of its id if another variant of the game is there.

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


def _kept(path: str, opening: bytes) -> Played:
    """The game that lies at `path` already. Raises `Exists` unless it is whole and begins with `opening`."""
    record = read_record(path)
    if record.header and record.opening == opening and not record.problem:
        verdict = assess(record)[1]
        if verdict.status == "ok" and verdict.finished:
            return Played(path, record.header.id, len(record.bodies), record.head)
    raise Exists(
        f"{path} exists already, is not the game that would be played, and is not overwritten; choose "
        "another folder."
    )


def _lost(game: AnyGame, bounds: Bounds, item: Item, error: Exception) -> GamelogError:
    """Why there is no game when its process ran out of time or memory, or ended."""
    from pebble import ProcessExpired

    if isinstance(error, TimeoutError):
        said = f"took longer than {bounds.timeout:g} s; allow more with --record-seconds"
    elif isinstance(error, MemoryError | ProcessExpired):
        said = f"ended its process ({error})"
    else:
        raise error
    assert isinstance(item, _Due)
    return BrokenGame(
        f"Game {item.index + 1} of {game.title}, which comes with {distribution_of(game)}, {said}."
    )
