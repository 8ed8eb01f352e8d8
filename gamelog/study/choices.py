"""Choices at decisions: the legal events, counted in a sample of a study's records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from gamelog.archive import Item, RecordLimits, Workers
from gamelog.errors import GamelogError
from gamelog.play.contract.registry import has_foreign_game
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.atomic_files import write_atomically
from gamelog.record.envelope import TABLE
from gamelog.record.reading import read_record
from gamelog.study.definition import EQUAL, RECORDS, Study
from gamelog.study.measures import Values

SAMPLED_GAMES, SAMPLED_DECISIONS = 40, 50
"""Number of equal games of each variant, and of decisions of each game, in the sample."""

_COUNTS = "choices.json"
"""The file with the counts, so that no record is counted twice."""


class Choices(Struct, frozen=True):
    """The choices in one game.

    Attributes:
        mean: Mean number of legal events at a decision. Events with the same result count once.
        forced: Part of the decisions with only one legal event.
    """

    mean: float
    forced: float


def sampled_choices(study: Study, folder: Path, limits: RecordLimits, jobs: int | None = None) -> Values:
    """Return the values of the measures ``choices`` and ``forced`` for the first equal games of each variant.

    Records that cannot be read, or whose game fails or exceeds its limits, have no values.

    Args:
        study: The study.
        folder: Its folder, which keeps the counts.
        limits: Limits for each record.
        jobs: The number of processes.
    """
    sample = [
        game
        for game in study.games(range(-(-SAMPLED_GAMES // study.players)))
        if game.part == EQUAL and game.index < SAMPLED_GAMES
    ]
    path = folder / _COUNTS
    try:
        known = msgspec.json.decode(path.read_bytes(), type=dict[str, Choices | None])
    except (OSError, msgspec.MsgspecError):  # it can be made again
        known = {}
    there = [game for game in sample if (folder / RECORDS / game.file_name).exists()]
    due = [
        Item(str(folder / RECORDS / game.file_name), 0, 0) for game in there if game.file_name not in known
    ]
    if due:
        limited = has_foreign_game(study.game)
        with Workers(jobs, limits=limits, limited=limited) as workers:
            counted = workers.map_items(_count, lambda _item, _error: None, due)
            known |= {Path(item.path).name: count for item, count in zip(due, counted, strict=True)}
        write_atomically(path, msgspec.json.encode(known))
    values: Values = {
        name: {variant.name: {} for variant in study.variants} for name in ("choices", "forced")
    }
    for game in there:
        count = known[game.file_name]
        if count:
            variant = study.variants[game.variant].name
            values["choices"][variant][game.unit] = count.mean
            values["forced"][variant][game.unit] = count.forced
    return values


def _count(batch: Sequence[Item]) -> Iterator[Choices | None]:
    """Yield the choices in each record of `batch`, or None if it cannot be counted."""
    for item in batch:
        try:
            fold = fold_record(read_record(item.path)).fold
        except GamelogError:
            fold = None
        if fold is None:
            yield None
            continue
        game, events = fold.game, fold.events
        decisions = [
            number
            for number, event in enumerate(events)
            if event.by != TABLE and event.by in game.pending(fold.states[number]).by
        ]
        step = max(1, -(-len(decisions) // SAMPLED_DECISIONS))
        counts = []
        for number in decisions[::step]:
            seat = events[number].by
            counts.append(len(game.legal(game.observe(fold.states[number], seat), seat).events))
        yield Choices(sum(counts) / len(counts), counts.count(1) / len(counts)) if counts else None
