"""Games of a study as records in its folder, played by several processes. Games that are there are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from gamelog.archive import BYTES, EqualLimits, Item, RecordLimits, Workers
from gamelog.errors import BadSetup, BrokenGame, Exists, GamelogError
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import distribution_of, find, has_foreign_game
from gamelog.play.fold.game_errors import errors_of
from gamelog.play.fold.start import start
from gamelog.play.recording.series import series_header, simulate_game
from gamelog.record.atomic_files import shared_temporary_folder, write_atomically
from gamelog.record.record_file import compose
from gamelog.study.definition import PART_TAG, RECORDS, UNIT_TAG, VARIANT_TAG, PlannedGame, Study

MAX_EVENTS = 100_000
"""Maximum number of events of a game, so that each game ends."""


class DueGame(Item, frozen=True, kw_only=True):
    """A game to play, and the path of its record."""

    game: PlannedGame


def check_variants(study: Study) -> None:
    """Check that each variant can be played and is another game than the variants before it.

    Raises:
        BadSetup: An option or the board does not fit the game, or two variants are the same game.
    """
    known: list[tuple[str, str, Any, str]] = []
    for variant in study.variants:
        game = study.rules_of(variant)
        header, _, _ = series_header(
            game,
            study.seed,
            0,
            players=study.players,
            bots=(variant.bot,),
            options=variant.options,
            board=variant.board,
        )
        state = start(game, header)
        for rules, bot, other, name in known:
            if (rules, bot) == (variant.rules, variant.bot) and other == state:
                raise BadSetup(f"The variants {name} and {variant.name} are the same game.")
        known.append((variant.rules, variant.bot, state, variant.name))


def missing_games(study: Study, folder: Path, blocks: range) -> list[PlannedGame]:
    """Return the games of these blocks that have no record in the folder of the study."""
    there = set(os.listdir(folder / RECORDS))
    return [game for game in study.games(blocks) if game.file_name not in there]


def play_games(
    study: Study,
    folder: Path,
    games: Sequence[PlannedGame],
    limits: EqualLimits,
    lost_game: Callable[[Item, Exception], GamelogError],
    jobs: int | None = None,
) -> Iterator[GamelogError | None]:
    """Play `games` and write their records. Yield None, or the error, for each of them.

    Args:
        study: The study.
        folder: Its folder.
        games: The games to play.
        limits: Limits for each game.
        lost_game: Returns the error for a game whose process was over its limits, or ended.
        jobs: The number of processes; None for one, or for many games one for each core.
    """
    limited = has_foreign_game(study.game)
    due = [
        DueGame(str(folder / RECORDS / game.file_name), 0, 0, weight=BYTES if limited else 0, game=game)
        for game in games
    ]
    with (
        shared_temporary_folder(folder / RECORDS) as workspace,
        Workers(jobs, limits=limits, limited=limited) as workers,
    ):
        yield from workers.map_items(partial(_play, study=study, workspace=workspace), lost_game, due)


def _play(batch: Sequence[Item], *, study: Study, workspace: Path) -> Iterator[GamelogError | None]:
    """Play the games of `batch`. Yield None, or the error, for each of them."""
    for due in batch:
        assert isinstance(due, DueGame)
        game = due.game
        variant = study.variants[game.variant]
        rules = find(study.game, variant.rules)
        try:
            with errors_of(rules):
                header, events = simulate_game(
                    rules,
                    study.seed,
                    game.index,
                    players=study.players,
                    bots=game.bots,
                    options=variant.options,
                    board=variant.board,
                    max_events=MAX_EVENTS,
                    tags={VARIANT_TAG: variant.name, PART_TAG: game.part, UNIT_TAG: game.unit},
                    pairing=game.pairing,
                )
                data = compose(header, events)[0]
            write_atomically(due.path, data, replace=False, within=workspace)
        except Exists:  # another run with the same folder was faster
            yield None
        except GamelogError as error:
            yield error
        else:
            yield None


def lost_game(name: str, game: AnyGame, limits: RecordLimits, error: Exception, hint: str) -> GamelogError:
    """Return the error for a game whose process was over its time or memory limit, or ended.

    Args:
        name: The name of the game among the others, such as ``Game 3``.
        game: The game.
        limits: The limits of its process.
        error: The error of the process.
        hint: The sentence that says how to allow more time.

    Raises:
        Exception: The error has another cause.
    """
    from pebble import ProcessExpired

    if isinstance(error, TimeoutError):
        problem = f"took longer than {limits.timeout:g} s. {hint}"
    elif isinstance(error, MemoryError | ProcessExpired):
        problem = f"ended its process ({error})"
    else:
        raise error
    return BrokenGame(f"{name} of {game.title} (from {distribution_of(game)}) {problem}.")
