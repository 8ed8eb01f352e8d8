"""A record as rows: what its header and its judge say, and the timeline of its play."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from operator import and_

import msgspec
from msgspec import Raw

from gamelog.archive.rows.batch import RecordRows
from gamelog.archive.rows.timeline import Timeline, seat_row
from gamelog.archive.schema import tables as schema
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.judging.verdict import Verdict
from gamelog.record.envelope import Header

FOLDED = frozenset({"ok", "ruled", "disputed"})
"""The status of records whose play is told event by event;
of others only the header and the findings are kept.
"""


def rows(replayed: FoldedRecord, verdict: Verdict, path: str, member: str = "") -> RecordRows:
    """All rows of one judged record; a record without a readable header has only findings."""
    told = RecordRows({"findings": [*_findings(verdict, path, member)]})
    header = replayed.record.header
    if header is None:
        return told
    fold = replayed.fold
    game = game_row(header, verdict, path, member)
    if fold is None or verdict.status not in FOLDED:
        seats = [seat_row(header.id, person, at) for at, person in enumerate(header.seats, 1)]
    else:
        timeline = Timeline(fold, replayed.events, replayed.record.bodies)
        game.tags = fold.tags
        game.turns, game.duration = timeline.turns, timeline.duration
        game.beginning = timeline.beginning
        game.result_by, game.gaps = timeline.result_by(verdict.outcome), timeline.gaps
        seats = timeline.seats(verdict.outcome)
        told.rows["stays"] = [*timeline.stays.rows()]
        game.unit = fold.game.unit if fold.game.has_points else None
        told.columns, told.consequences = timeline.tables(), timeline.consequences
        game.events -= sum(told.columns["events"]["slip"])
        game.chances = sum(map(and_, told.columns["events"]["chance"], told.columns["events"]["stands"]))
    told.rows |= {"games": [game], "seats": [*seats]}
    return told


def _findings(verdict: Verdict, path: str, member: str) -> Iterable[schema.FindingRow]:
    for finding in verdict.findings:
        yield schema.FindingRow(
            path=path,
            member=member,
            id=verdict.id,
            n=finding.n,
            byte_offset=finding.offset,
            code=finding.code,
            severity=finding.severity,
            rule=finding.rule,
            message=finding.message,
        )


def game_row(header: Header, verdict: Verdict, path: str, member: str) -> schema.GameRow:
    """What the header and the verdict say; what the play says is left out."""
    outcome = verdict.outcome
    return schema.GameRow(
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
    """A header's ``started`` as SQL writes times."""
    return datetime.fromisoformat(text).replace(tzinfo=None).isoformat(" ")
