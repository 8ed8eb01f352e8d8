"""The answer of a study: its archive is brought up to date, then all measures are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from gamelog.archive import Reader, RecordLimits, index
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.study.definition import ARCHIVE, RECORDS, VARIANT_TAG, Study
from gamelog.study.measures import read_values
from gamelog.study.results import MeasureResult, results_of
from gamelog.study.samples import sampled_values

_SEEN = f"""
SELECT DISTINCT tags->>'{VARIANT_TAG}' AS variant, kind
FROM (
  SELECT id, kind FROM events UNION ALL SELECT id, kind FROM facts
  UNION ALL SELECT id, 'contest' FROM contests
) JOIN games USING (id)
WHERE valid AND game = $game
"""


class StudyAnswer(Struct, frozen=True):
    """The answer of a study.

    Attributes:
        game: Id of the game.
        title: Name of the game for people.
        unit: Name of the things that the score counts.
        variants: Names of the variants. The others are compared with the first.
        players: Number of seats.
        bots: Bots from the weakest to the strongest; empty for recorded games.
        games: Number of games in which one bot plays all seats, or of recorded games, of each variant.
        others: Number of games of unequal bots of each variant.
        is_paired: Whether the games are paired.
        is_sequential: Whether the intervals hold however often somebody looks.
        unseen: Events and effects that never came up in the games of each variant.
    """

    game: str
    title: str
    unit: str
    variants: tuple[str, ...]
    players: int
    bots: tuple[str, ...]
    games: dict[str, int]
    others: dict[str, int]
    is_paired: bool
    is_sequential: bool
    results: list[MeasureResult]
    unseen: dict[str, list[str]]


def ask_study(
    study: Study,
    folder: Path,
    limits: RecordLimits,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> StudyAnswer:
    """Bring the archive of the study in `folder` up to date, and return its answer.

    Args:
        study: The study.
        folder: Its folder.
        limits: Limits for judging each record.
        jobs: The number of processes.
        progress: A function that gets the number of judged records and of all records.
    """
    index([folder / RECORDS], folder / ARCHIVE, jobs=jobs, progress=progress, limits=limits)
    names = tuple(variant.name for variant in study.variants)
    with Reader(folder / ARCHIVE) as reader:
        values = read_values(reader, study.game, paired=True)
        seen: dict[str, set[str]] = defaultdict(set)
        for row in reader.ask(_SEEN, {"game": study.game}).dicts():
            seen[row["variant"]].add(row["kind"])
    values |= sampled_values(study, folder, values.get("events", {}), limits, jobs)
    game = find(study.game, study.variants[0].rules)
    return StudyAnswer(
        game.id,
        game.title,
        game.unit,
        names,
        study.players,
        study.bots,
        {name: len(values["events"].get(name, {})) for name in names},
        {
            name: sum(len(values[f"skill:{step}"].get(name, {})) for step in study.steps) * study.players
            for name in names
        },
        True,
        study.sequential,
        results_of(values, names, study.players, study.steps, sequential=study.sequential),
        {
            variant.name: unseen_kinds(study.rules_of(variant), seen[variant.name])
            for variant in study.variants
            if values["events"].get(variant.name)
        },
    )


def unseen_kinds(game: AnyGame, seen: set[str]) -> list[str]:
    """Return the tags of events and effects for which `game` has sentences and that are not in `seen`."""
    tags = [str(event.__struct_config__.tag) for event in game.events]
    told = {tag for tag in (*tags, *game.messages) if not tag.startswith("@") and not tag.endswith("?")}
    return sorted(told - seen)
