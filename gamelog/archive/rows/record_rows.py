"""The rows of a record, from its header, its verdict and its play, and batches of rows of many records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from operator import and_
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, Struct

from gamelog.archive.rows.columns import Columns, as_columns, concatenate
from gamelog.archive.rows.consequences import EffectRows, RecordEffects, effect_columns
from gamelog.archive.rows.timeline import Timeline, seat_row
from gamelog.archive.schema import tables
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.judging.verdict import Verdict
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.findings import mask_quotation
from gamelog.play.visibility.viewer import WHOLE_TABLE, running_viewer
from gamelog.record.envelope import Header

if TYPE_CHECKING:
    from gamelog.archive.rows.arrow import Batch

FOLDED_STATUSES = frozenset({"ok", "ruled", "disputed"})
"""The statuses of records with rows for each event. Other records have only rows for header and findings."""


class RecordRows(Struct):
    """The rows of a record by table.

    Attributes:
        rows: Tables with few rows, as structs.
        columns: Tables with many rows, as columns.
        consequences: Rows of the consequences.
    """

    rows: dict[str, list[Struct]]
    columns: dict[str, Columns] = {}
    consequences: RecordEffects = {}


class RowBatch:
    """The rows of many records. They are joined at the end, once for all records."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Struct]] = defaultdict(list)
        self._columns: dict[str, list[Columns]] = defaultdict(list)
        self._consequences: dict[type, list[EffectRows]] = defaultdict(list)

    def add(self, record: RecordRows) -> None:
        """Add the rows of a record."""
        for name, rows in record.rows.items():
            self._rows[name] += rows
        for name, columns in record.columns.items():
            self._columns[name].append(columns)
        for kind, happened in record.consequences.items():
            self._consequences[kind].append(happened)

    def batches(self) -> dict[str, Batch]:
        """Return all rows by table.

        Raises:
            ValueError, TypeError, OverflowError: A column cannot hold one of its values.
            KeyError: A column is missing.
        """
        from gamelog.archive.rows.arrow import batch

        columns_by_table: dict[str, Columns] = {
            name: as_columns(rows) for name, rows in self._rows.items() if rows
        }
        columns_by_table |= {name: concatenate(parts) for name, parts in self._columns.items()}
        columns_by_table |= effect_columns(self._consequences)
        return {name: batch(tables.TABLES[name], values) for name, values in columns_by_table.items()}


def record_rows(folded: FoldedRecord, verdict: Verdict, path: str, member: str = "") -> RecordRows:
    """Return all rows of a judged record. A record without a readable header has only findings.

    Args:
        folded: The folded record.
        verdict: The verdict on the same record. Only a status in `FOLDED_STATUSES` gives rows for each event.
        path: The path or URL of the file.
        member: The name of the record in its pack; empty for a file of its own.
    """
    result = RecordRows({"findings": [*_findings(folded, verdict, path, member)]})
    header = folded.record.header
    if header is None:
        return result
    fold = folded.fold
    game = game_row(header, verdict, path, member)
    if folded.hides_secrets:  # a digest could confirm a guess
        game.play = game.head = None
    if fold is None or verdict.status not in FOLDED_STATUSES:
        seats = [seat_row(header.id, person, position) for position, person in enumerate(header.seats, 1)]
    else:
        timeline = Timeline(fold, folded.events, folded.record.bodies)
        game.tags = fold.tags
        game.turns, game.duration = timeline.turns, timeline.duration
        game.beginning = timeline.beginning_digest
        game.result_by, game.gaps = timeline.result_by(verdict.outcome), timeline.gaps
        seats = timeline.seats(verdict.outcome)
        result.rows["stays"] = [*timeline.stays.rows()]
        result.rows["corrected_rolls"] = [*timeline.corrected_rolls]
        game.unit = fold.game.unit if fold.game.has_points else None
        result.columns, result.consequences = timeline.table_columns(), timeline.consequences
        game.events -= sum(result.columns["events"]["slip"])
        game.chances = sum(map(and_, result.columns["events"]["chance"], result.columns["events"]["stands"]))
    result.rows |= {"games": [game], "seats": [*seats]}
    return result


def _findings(folded: FoldedRecord, verdict: Verdict, path: str, member: str) -> Iterable[tables.FindingRow]:
    """Yield the rows of the findings, as far as all seats may know them if the game may be unfinished."""
    fold, findings = folded.fold, verdict.findings
    viewer = WHOLE_TABLE if fold is None or not findings else running_viewer(fold)
    if fold is not None and viewer.seats:
        known = RecordView(fold, viewer, folded.unfolded_events)
        findings = tuple(map(known.shown_finding, findings))
    elif fold is None:
        findings = tuple(map(mask_quotation, findings))
    for finding in findings:
        yield tables.FindingRow(
            path=path,
            member=member,
            id=verdict.id,
            n=finding.n,
            byte_offset=finding.offset,
            code=finding.code,
            severity=finding.severity,
            rule=finding.rule,
            message=finding.text,
        )


def game_row(header: Header, verdict: Verdict, path: str, member: str) -> tables.GameRow:
    """Return the row of a game with the columns that follow from the header and the verdict.

    Args:
        header: The header of the record.
        verdict: The verdict on the record; its unknown members become nulls, 0 events or the status
            ``unknown``.
        path: The path or URL of the file.
        member: The name of the record in its pack; empty for a file of its own.
    """
    outcome = verdict.outcome
    return tables.GameRow(
        id=header.id,
        game=header.game,
        rules=header.rules,
        board=header.board.partition("@")[0] if isinstance(header.board, str) else "own",
        players=len(header.seats),
        started=_utc(header.started),
        dice=header.dice.source,
        options=Raw(msgspec.json.encode(header.options)),
        tags=header.tags,
        status=verdict.status or "unknown",
        valid=verdict.valid,
        finished=verdict.finished,
        parent=header.parents[0].id if header.parents else None,
        events=verdict.events or 0,
        winners=outcome.winners if outcome else None,
        reason=outcome.reason if outcome else None,
        play=verdict.play,
        head=verdict.head,
        path=path,
        member=member,
    )


def _utc(text: str) -> str:
    """Return a header's ``started`` in the format of SQL."""
    return datetime.fromisoformat(text).replace(tzinfo=None).isoformat(" ")
