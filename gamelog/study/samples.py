"""Measures from the states of games, in a sample of a study's records: choices at decisions, and luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gamelog.analysis.adjusted_results import GameLuck, adjusted_results, game_luck, luck_parts
from gamelog.analysis.curve import rolls
from gamelog.archive import Item, RecordLimits, Workers
from gamelog.errors import GamelogError
from gamelog.play.contract.registry import has_foreign_game
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.game_errors import errors_of
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.playing.evaluator import Evaluator, shares
from gamelog.record.atomic_files import write_atomically
from gamelog.record.envelope import TABLE
from gamelog.record.reading import read_record
from gamelog.study.definition import EQUAL, RECORDS, PlannedGame, Study
from gamelog.study.measures import Values

SAMPLED_GAMES, CHOICES_GAMES, CHOICES_DECISIONS = 200, 40, 50
"""Maximum numbers for each variant: equal games in the sample, games whose choices are counted, and counted
decisions in such a game.
"""

MIN_LUCK_GAMES = 100
"""Minimum number of games of a variant for the part that luck has in the results."""

_MOST_LUCK = 1e9
"""Size of the luck in a feature from which on it is not used: a game's own features can have any size."""

_SAMPLES = "samples.json"
"""The file with the samples, so that no record is sampled twice."""


class Choices(Struct, frozen=True):
    """The choices in one game.

    Attributes:
        mean: Mean number of legal events at a decision. Events with the same result count once.
        forced: Part of the decisions with only one legal event.
    """

    mean: float
    forced: float


class Sample(Struct, frozen=True):
    """One game of the sample.

    Attributes:
        choices: Choices in the game; None if they are not counted, or there are none.
        luck: Result and luck; None if the game has no rolls or draws.
    """

    choices: Choices | None = None
    luck: GameLuck | None = None


class Samples(Struct):
    """The samples of a study.

    Attributes:
        usual_length: Mean number of events of a game when the sample began. The features of a position
            depend on it, so it does not change later.
        games: Sample of each record by its file name; None if it cannot be read or its game fails.
    """

    usual_length: Annotated[float, Meta(ge=1)]
    games: dict[str, Sample | None]


class _Due(Item, frozen=True, kw_only=True):
    """A record to sample, and whether its choices are counted."""

    has_choices: bool


def sampled_values(
    study: Study,
    folder: Path,
    lengths: Mapping[str, Mapping[str, float]],
    limits: RecordLimits,
    jobs: int | None = None,
) -> Values:
    """Return the values of the measures ``choices``, ``forced`` and ``luck`` for the first equal games.

    Records that cannot be read, or whose game fails or exceeds its limits, have no values. A variant has
    values of ``luck`` from `MIN_LUCK_GAMES` games on, if their results differ and a roll or draw can be
    measured.

    Args:
        study: The study.
        folder: Its folder, which keeps the samples.
        lengths: The number of events of the equal games of each variant.
        limits: Limits for each record.
        jobs: The number of processes.
    """
    path = folder / _SAMPLES
    try:
        known = msgspec.json.decode(path.read_bytes(), type=Samples)
    except (OSError, msgspec.MsgspecError):  # it can be made again
        known = Samples(_mean(lengths), {})
    sample = [
        game
        for game in study.games(range(-(-SAMPLED_GAMES // study.players)))
        if game.part == EQUAL and game.index < SAMPLED_GAMES and (folder / RECORDS / game.file_name).exists()
    ]
    due = [
        _Due(str(folder / RECORDS / game.file_name), 0, 0, has_choices=game.index < CHOICES_GAMES)
        for game in sample
        if game.file_name not in known.games
    ]
    if due:
        take = partial(_take, usual_length=known.usual_length)
        with Workers(jobs, limits=limits, limited=has_foreign_game(study.game)) as workers:
            taken = workers.map_items(take, lambda _item, _error: None, due)
            known.games |= {Path(item.path).name: one for item, one in zip(due, taken, strict=True)}
        write_atomically(path, msgspec.json.encode(known))
    return _values(study, [(game, known.games[game.file_name] or Sample()) for game in sample])


def _mean(lengths: Mapping[str, Mapping[str, float]]) -> float:
    """Return the mean length of all games, at least 1."""
    known = [length for units in lengths.values() for length in units.values()]
    return max(1.0, sum(known) / max(1, len(known)))


def _values(study: Study, sample: Sequence[tuple[PlannedGame, Sample]]) -> Values:
    """Return the values of the measures in the games of the sample."""
    values: Values = {"choices": {}, "forced": {}, "luck": {}}
    for number, variant in enumerate(study.variants):
        games = [(game.unit, one) for game, one in sample if game.variant == number]
        values["choices"][variant.name] = {unit: one.choices.mean for unit, one in games if one.choices}
        values["forced"][variant.name] = {unit: one.choices.forced for unit, one in games if one.choices}
        lucky = [(unit, one.luck) for unit, one in games if one.luck]
        luck = [game for _, game in lucky]
        if len(lucky) >= MIN_LUCK_GAMES and _can_compare(luck, study.players):
            parts = luck_parts(luck, adjusted_results(luck))
            values["luck"][variant.name] = {unit: part for (unit, _), part in zip(lucky, parts, strict=True)}
    return values


def _can_compare(games: Sequence[GameLuck], players: int) -> bool:
    """Return whether the games have different results, and luck in the same features.

    A game's own features can differ in number, and another program can have changed the file of the samples.
    """
    sizes = {len(row) for game in games for row in game.luck}
    return (
        len(sizes) == 1
        and all(len(game.result) == players and len(game.luck) in (0, players) for game in games)
        and all(abs(value) < _MOST_LUCK for game in games for row in game.luck for value in row)
        and any(game.result != games[0].result for game in games)
    )


def _take(batch: Sequence[Item], *, usual_length: float) -> Iterator[Sample | None]:
    """Yield the sample of each record of `batch`, or None if it cannot be taken."""
    for item in batch:
        assert isinstance(item, _Due)
        sample = None
        try:
            fold = fold_record(read_record(item.path)).fold
            if fold is not None:
                with errors_of(fold.game):
                    choices = _choices(fold) if item.has_choices else None
                    sample = Sample(choices, _luck(fold, usual_length))
        except GamelogError:
            pass
        yield sample


def _choices(fold: Fold) -> Choices | None:
    """Return the choices at some of the decisions of a record, or None if it has no decision."""
    game, events = fold.game, fold.events
    decisions = [
        number
        for number, event in enumerate(events)
        if event.by != TABLE and event.by in game.pending(fold.states[number]).by
    ]
    step = max(1, -(-len(decisions) // CHOICES_DECISIONS))
    counts = []
    for number in decisions[::step]:
        seat = events[number].by
        counts.append(len(game.legal(game.observe(fold.states[number], seat), seat).events))
    return Choices(sum(counts) / len(counts), counts.count(1) / len(counts)) if counts else None


def _luck(fold: Fold, usual_length: float) -> GameLuck | None:
    """Return the result and the luck of a finished record, or None if nothing is left to chance in it."""
    if fold.outcome is None or not fold.chance_events:
        return None
    seats = fold.header.seat_ids
    return game_luck(Evaluator(fold.game, seats, usual_length, 1.0), rolls(fold), shares(fold.outcome, seats))
