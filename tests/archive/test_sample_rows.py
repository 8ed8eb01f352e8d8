"""Tests that the rows of an archive agree with the folded records, event by event."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamelog.archive import Reader, index
from gamelog.archive.rows.record_rows import FOLDED_STATUSES
from gamelog.play.contract.effects import Contest, Rolled, TurnOver
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.rendering.events import effects_in_game
from gamelog.play.visibility.events import visible_in_fold
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.reading import read_record

SAMPLES = Path(__file__).parents[2] / "sample_games"

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "samples.duckdb"
    index([SAMPLES], path)
    return path


@pytest.fixture(scope="module")
def rows_by_record(archive: Path) -> list[tuple[FoldedRecord, Rows]]:
    """Return every primary record, folded, with its rows by table."""
    tables: dict[str, Rows] = {}
    with Reader(archive) as reader:
        paths = {row["id"]: row["path"] for row in reader.ask("FROM games").dicts()}
        for name in ("events", "turns", "rolls", "contests", "facts", "scores"):
            tables[name] = defaultdict(list)
            for row in reader.ask(f"FROM {name} ORDER BY n").dicts():
                tables[name][row["id"]].append(row)
    folded = ((id, fold_record(read_record(path))) for id, path in paths.items())
    return [
        (found, {name: rows[id] for name, rows in tables.items()})
        for id, found in folded
        if found.status in FOLDED_STATUSES
    ]


def secret(found: FoldedRecord) -> set[int]:
    """Return the events that some seat knows nothing of while the game goes on: an archive has no more of them
    than that they happened.
    """
    fold = found.fold
    if fold is None or fold.outcome:
        return set()
    return {
        event.n
        for event in found.events
        for seat in fold.header.seat_ids
        if visible_in_fold(fold, event, Viewer.of(seat)) is None
    }


def test_there_are_records_of_every_game_with_takebacks_penalties_and_disputes(
    rows_by_record: list[tuple[FoldedRecord, Rows]],
) -> None:
    folds = [found.fold for found, _ in rows_by_record if found.fold]
    assert len({fold.game.id for fold in folds}) == 5
    assert any(len(fold.main_line_numbers()) < fold.n for fold in folds)
    assert any(fold.violations for fold in folds)
    assert sum(len(secret(found)) for found, _ in rows_by_record) > 100
    assert sum(fold.n for fold in folds) > 5000


def test_events(rows_by_record: list[tuple[FoldedRecord, Rows]]) -> None:
    for found, rows in rows_by_record:
        assert found.fold
        line, hidden = frozenset(found.fold.main_line_numbers()), secret(found)
        assert [(row["n"], row["seat"], row["stands"]) for row in rows["events"]] == [
            (event.n, event.by, event.n in line) for event in found.events
        ]
        for row, body in zip(rows["events"], found.record.bodies, strict=True):
            members = json.loads(b"{" + body)
            if row["n"] in hidden:
                assert row["kind"] == members["do"]
                assert row["data"] == "{}"
                continue
            assert {"do": row["kind"], "n": row["n"], "by": row["seat"], **json.loads(row["data"])} == {
                name: value for name, value in members.items() if name != "t"
            }


def consequences(found: FoldedRecord) -> Iterator[tuple[int, Any]]:
    assert found.fold
    hidden = secret(found)
    for event in found.events:
        if event.n in hidden:
            continue
        for effect in effects_in_game(found.fold, event):
            yield event.n, effect


def test_rolls_contests_and_facts(rows_by_record: list[tuple[FoldedRecord, Rows]]) -> None:
    for found, rows in rows_by_record:
        effects = list(consequences(found))
        rolls = Counter(
            (n, roll.seat, roll.sides, roll.faces) for n, roll in effects if isinstance(roll, Rolled)
        )
        assert (
            Counter((row["n"], row["seat"], row["sides"], tuple(row["faces"])) for row in rows["rolls"])
            == rolls
        )
        contests = Counter(
            (n, c.by, c.against, c.at or None, c.won, c.odds) for n, c in effects if isinstance(c, Contest)
        )
        names = ("n", "seat", "against", "place", "won", "odds")
        assert Counter(tuple(row[name] for name in names) for row in rows["contests"]) == contests
        facts = Counter(
            (n, msgspec.json.encode(fact))
            for n, fact in effects
            if not isinstance(fact, Rolled | Contest) and not fact.is_forecast
        )
        assert facts == Counter(
            (row["n"], msgspec.json.encode({"effect": row["kind"], **json.loads(row["data"])}))
            for row in rows["facts"]
        )
        for row in (*rows["rolls"], *rows["contests"], *rows["facts"]):
            assert row["stands"] == rows["events"][row["n"] - 1]["stands"]


def test_turns_end_with_the_effect_of_the_game(rows_by_record: list[tuple[FoldedRecord, Rows]]) -> None:
    for found, rows in rows_by_record:
        ends = [
            n
            for n, effect in consequences(found)
            if isinstance(effect, TurnOver) and rows["events"][n - 1]["stands"]
        ]
        for row in rows["events"]:
            assert row["turn"] == (1 + sum(end < row["n"] for end in ends) if row["stands"] else None)
        took = Counter[int]()
        for row in rows["events"]:
            if row["stands"]:
                took[row["turn"]] += row["elapsed_ms"]
        assert {row["turn"]: row["elapsed_ms"] for row in rows["turns"]} == took


def test_points_after_every_event(rows_by_record: list[tuple[FoldedRecord, Rows]]) -> None:
    for found, rows in rows_by_record:
        fold = found.fold
        assert fold
        penalties = fold.rulings.effects.penalties
        extra = Counter[str]()
        changes = {(row["n"], row["seat"]): row for row in rows["scores"]}
        shown: dict[str, int] = {}
        for n in (0, *fold.main_line_numbers()):
            extra.update(penalties.get(n, {}))
            points = {seat: score + extra[seat] for seat, score in fold.game.score(fold.states[n]).items()}
            for seat, score in points.items():
                if shown.get(seat) != score:
                    row, most = changes.pop((n, seat)), max(points.values())
                    ahead = [one for one, own in points.items() if own == most]
                    assert (row["score"], row["leader_score"]) == (score, most)
                    assert row["leader"] == (ahead[0] if len(ahead) == 1 else None)
            shown = points
        assert not changes


def test_the_time_of_play_equals_that_of_the_fold(
    rows_by_record: list[tuple[FoldedRecord, Rows]], archive: Path
) -> None:
    with Reader(archive) as reader:
        durations = {row["id"]: row["duration"] for row in reader.ask("FROM games").dicts()}
    for found, rows in rows_by_record:
        assert found.fold
        assert (
            durations[found.fold.header.id]
            == found.fold.play_time
            == sum(row["elapsed_ms"] for row in rows["events"])
        )
    header = read_record(SAMPLES / "slicewars" / "committed.jsonl").header
    assert header
    assert durations[header.id] == 1_133_626 - 18_000 - 6_000, (
        "the wait for links and the signatures are not play"
    )
