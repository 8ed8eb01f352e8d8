"""Recorded games compared as independent samples, for example before and after a change of the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path

from gamelog.archive import Reader, RecordLimits, index
from gamelog.errors import BadSetup
from gamelog.play.contract.registry import find
from gamelog.statistics import normal_difference, normal_interval
from gamelog.study.asking import StudyAnswer
from gamelog.study.measures import Measure, Values, read_values
from gamelog.study.results import MIN_UNITS, Estimate, MeasureResult, comparison_of, results_of

_MIN_VARIANCE = 5
"""Smallest variance of victories for the normal approximation, as in the macro normal_p of an archive."""

_SETUPS = """
SELECT game, players, count(*) AS games FROM games
WHERE counted AND finished AND made_by_play(result_by) AND coalesce(tags->>'study_part', 'equal') = 'equal'
GROUP BY ALL
"""

_FIRST = """
SELECT compared, won, expected, variance FROM seat_effects($game, of_players := $players, by_turn := true)
WHERE place = '1' AND variant IS NULL
"""
"""Victories of the players who moved first, and those expected of their strengths (the seat model)."""


def ask_records(
    paths: Sequence[str],
    folder: Path,
    limits: RecordLimits,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> StudyAnswer:
    """Return the answer about the recorded games under `paths`, each of which is a sample.

    Only the game and the number of players with the most games in the smallest sample are compared.

    Args:
        paths: Archives, or folders and packs of records.
        folder: The folder for archives of records that are not in an archive.
        limits: Limits for judging each record.
        jobs: The number of processes.
        progress: A function that gets the number of judged records and of all records.

    Raises:
        BadSetup: The samples have no game in common, or a path is named twice.
    """
    if len(set(paths)) < len(paths):
        raise BadSetup("A path is named twice. Name each sample of records once.")
    archives = []
    for number, path in enumerate(paths, 1):
        archive = Path(path)
        if archive.suffix != ".duckdb":
            folder.mkdir(parents=True, exist_ok=True)
            archive = folder / f"records-{number}.duckdb"
            index([path], archive, jobs=jobs, progress=progress, limits=limits)
        archives.append(archive)
    counts: dict[tuple[str, int], dict[str, int]] = defaultdict(dict)
    for path, archive in zip(paths, archives, strict=True):
        with Reader(archive) as reader:
            for row in reader.ask(_SETUPS).dicts():
                counts[row["game"], row["players"]][path] = row["games"]
    common = {setup: of for setup, of in counts.items() if len(of) == len(paths)}
    if not common:
        raise BadSetup("No game with the same number of players is in all samples. Name other records.")
    name, players = max(common, key=lambda setup: min(common[setup].values()))
    values: Values = defaultdict(dict)
    first: dict[str, Estimate] = {}
    errors: dict[str, float] = {}
    for path, archive in zip(paths, archives, strict=True):
        with Reader(archive) as reader:
            for measure, of_sample in read_values(
                reader, name, paired=False, variant=path, players=players
            ).items():
                values[measure] |= of_sample
            rows = reader.ask(_FIRST, {"game": name, "players": players}).dicts()
        if rows and rows[0]["compared"] >= MIN_UNITS and rows[0]["variance"] >= _MIN_VARIANCE:
            row = rows[0]
            errors[path] = sqrt(row["variance"]) / row["compared"]
            share = 1 / players + (row["won"] - row["expected"]) / row["compared"]
            first[path] = Estimate(*normal_interval(share, errors[path]), row["compared"])
    for measure in [measure for measure in values if measure.startswith("end:")]:
        for path, games in values["events"].items():  # a reason can be missing in a sample
            values[measure][path] = dict.fromkeys(games, 0.0) | values[measure].get(path, {})
    adjusted = _adjusted(tuple(paths), first, errors, players)
    game = find(name)
    return StudyAnswer(
        name,
        game.title,
        game.unit,
        tuple(paths),
        players,
        (),
        {path: common[name, players][path] for path in paths},
        {},
        False,
        False,
        results_of(values, tuple(paths), players, paired=False, adjusted=adjusted),
        {},
    )


def _adjusted(
    paths: tuple[str, ...], estimates: dict[str, Estimate], errors: dict[str, float], players: int
) -> MeasureResult | None:
    """Return the share of the first player with strengths taken into account, if all samples allow that."""
    if len(estimates) < len(paths):
        return None
    source = "The seat model of the archive (gamelog/archive/schema/seat_model.sql)"
    measure = Measure("adjusted", "share", source, is_main=True, fair=1 / players)
    differences = {}
    for path in paths[1:]:
        before, after = estimates[paths[0]], estimates[path]
        error = sqrt(errors[paths[0]] ** 2 + errors[path] ** 2)
        found = normal_difference(after.value - before.value, error)
        differences[path] = comparison_of(found, min(before.units, after.units), None)
    return MeasureResult(measure, estimates, differences)
