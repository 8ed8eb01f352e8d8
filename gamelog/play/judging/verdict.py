"""Verdicts: the status, the facts and the findings of a record."""

from __future__ import annotations

import os
from operator import attrgetter
from pathlib import PurePath

from msgspec import Struct

from gamelog.errors import NotReadable, RecordError
from gamelog.finding import Finding
from gamelog.message import many
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold import game_errors
from gamelog.play.fold.finding_codes import Status
from gamelog.play.judging.digest import play_digest
from gamelog.play.judging.fold_record import FoldedRecord, fold_record, gc_paused
from gamelog.record.escaping import shorten
from gamelog.record.reading import read_record


class Verdict(Struct, frozen=True):
    """The judgement of one record, as `gamelog validate --json` prints it. Unknown members are None.

    Attributes:
        status: Status of the record, or None if the path cannot be read.
        valid: Whether the status is ``ok`` or ``ruled``.
        finished: Whether the game is over.
        events: Number of events.
        play: Digest of the play, which does not depend on the recorded order.
        people: Names at the end of the record, by seat.

    >>> verdict = gamelog.validate("sample_games/slicewars/ruled.jsonl")
    >>> verdict.status, verdict.valid, verdict.finished, verdict.events
    ('ruled', True, False, 129)
    """

    path: str
    id: str | None
    game: str | None
    status: Status | None
    valid: bool
    finished: bool | None
    events: int | None
    head: str | None
    play: str | None
    outcome: Outcome | None
    findings: tuple[Finding, ...]
    people: dict[str, str] = {}

    def __repr__(self) -> str:
        file = shorten(PurePath(self.path).name, 40)
        count = len(self.findings)
        return f"<Verdict {file}: {self.status or 'cannot be read'}, {many(count, 'finding')}>"


@gc_paused()
def verdict(folded: FoldedRecord) -> Verdict:
    """Return the verdict of a folded record."""
    try:
        return _verdict(folded)
    except Exception as error:
        game = folded.fold.game if folded.fold else None
        return _verdict(
            FoldedRecord(
                folded.record, None, [], [*folded.findings, game_errors.failure_finding(error, game)]
            )
        )


def _verdict(folded: FoldedRecord) -> Verdict:
    """Return the verdict on a replayed record. Facts that its status leaves open are None or empty."""
    record, fold = folded.record, folded.fold
    status = folded.status
    is_complete = status not in ("torn", "damaged")
    is_known = fold is not None and is_complete
    outcome = fold.outcome if fold is not None and is_known else None
    return Verdict(
        path=record.path,
        id=record.header.id if record.header else None,
        game=record.header.game if record.header else None,
        status=status,
        valid=status in ("ok", "ruled"),
        finished=outcome is not None if is_known else None,
        events=len(record.bodies) if is_complete else None,
        head=record.head if is_complete else None,
        play=play_digest(fold, folded.events)
        if fold is not None and is_known and status != "unknown"
        else None,
        outcome=outcome,
        findings=tuple(finding.plain for finding in sorted(folded.findings, key=attrgetter("severity"))),
        people={person.seat: person.name for person in fold.session.seats}
        if fold is not None and is_known
        else {},
    )


def validate(path: str | os.PathLike[str]) -> Verdict:
    """Return the verdict of the record in a file. A file that cannot be read is a finding, not an error.

    >>> gamelog.validate("sample_games/slicewars/torn.jsonl")
    <Verdict torn.jsonl: torn, 1 finding>
    """
    try:
        return verdict(fold_record(read_record(path)))
    except RecordError as error:
        return unreadable_verdict(str(path), error)


def unreadable_verdict(path: str, error: RecordError) -> Verdict:
    """Return the verdict of a record that could not be read, with status None if the path is the reason."""
    status: Status | None = None if isinstance(error, NotReadable) else "damaged"
    finding = Finding.of(error.code, error.clause, offset=None if status is None else 0).plain
    return Verdict(path, None, None, status, False, None, None, None, None, None, (finding,))
