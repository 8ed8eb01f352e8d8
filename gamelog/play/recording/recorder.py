"""The recorder of events: it judges proposals under the lock of the record and writes them to the disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from copy import copy
from datetime import UTC, datetime

from gamelog.errors import AppendError, BadSetup, Refused, WriteFailed
from gamelog.finding import Finding
from gamelog.message import Locale, Message, with_names
from gamelog.play.fold import common_events
from gamelog.play.fold.finding_codes import SETTLED_BY_RULING
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.ruling import disputed_subject, ruling_problem
from gamelog.play.judging.event_decoding import decode
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.proposals import Proposal, event_from
from gamelog.play.judging.warnings import outcome_message
from gamelog.play.rendering.refusals import explain
from gamelog.play.rendering.sentences import Mark
from gamelog.play.view.record_view import RecordView, ViewCache
from gamelog.play.visibility.findings import finding_for, with_legal
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer, observed_copy
from gamelog.record import recovery
from gamelog.record.encoding import Line, encode_line
from gamelog.record.envelope import TABLE, Event, Header
from gamelog.record.reading import read_record
from gamelog.record.record_file import Ack, LockedFile, RecordFile, read_under_lock

_LONG_IDLE = 60 * 60 * 1000
"""Milliseconds without an event after which people are asked whether this time counts."""

RecordClock = Callable[[Header], int]
"""A function that returns the milliseconds since the record's ``started``."""


def wall_clock(header: Header) -> int:
    """Return the milliseconds since the record was started, by the clock of this machine."""
    return int((datetime.now(UTC) - datetime.fromisoformat(header.started)).total_seconds() * 1000)


class EventRecorder:
    """An open record to which events are added.

    It has the file of the record and its fold. Events of other writers are folded before a new event is
    judged.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        clock: RecordClock = wall_clock,
        *,
        only_rehearse: bool = False,
        shown_to: Callable[[Fold], Viewer] = lambda _fold: WHOLE_TABLE,
    ) -> None:
        """Open and fold a record.

        Args:
            path: The record.
            clock: Returns the time of an event recorded now, in ms since the start.
            only_rehearse: Whether nothing is written. The record need not be writable then.
            shown_to: Returns the viewer for whom the record is shown; by default, the whole table.

        Raises:
            RecordError: The record cannot be read or written.
            UnknownGame: The game of the record is not installed.
            BadSetup: The header is not one of the game's.
            Refused: An event of the record is bad, so no event can follow it.
        """
        record = read_record(path) if only_rehearse else read_under_lock(path)
        self.file = RecordFile(record)
        folded = fold_record(record)
        if folded.fold is None:
            raise BadSetup(
                Message.of(
                    "{=path} cannot be continued: {problem}.",
                    path=str(path),
                    problem=folded.findings[0].message,
                )
            )
        self.fold: Fold = folded.fold
        # findings about later events ended the fold; it went on after the others
        later_findings = [finding for finding in folded.findings if (finding.n or 0) > self.fold.n]
        self.failed_finding = next(
            (finding for finding in later_findings if finding.code in SETTLED_BY_RULING), None
        )
        self.events: list[Event] = [*folded.readable_events]
        self.clock = clock
        self.shown_to = shown_to
        self._views = ViewCache()
        self._stale = False
        self._refuse_failed([finding for finding in later_findings if finding is not self.failed_finding])

    def _refuse_failed(self, findings: Sequence[Finding]) -> None:
        """Refuse to continue a record whose `findings` contain an error.

        Raises:
            Refused: An event of the record is not valid. The message says how to continue before it.
        """
        first_error = next((finding for finding in findings if finding.severity == "error"), None)
        if first_error:
            failed = self.record_view.shown_finding(first_error)
            raise Refused(
                Message.of(
                    "Event {n} of {=path} is not valid ({problem}), so no event can follow. To "
                    "continue from event {last} in a new record, make a branch.",
                    n=failed.n,
                    path=self.file.path,
                    problem=failed.message,
                    last=(failed.n or 1) - 1,
                ),
                failed,
            )

    @property
    def viewer(self) -> Viewer:
        """The viewer for whom the record is shown here, by ``shown_to``; by default, the whole table."""
        return self.shown_to(self.fold)

    @property
    def record_view(self) -> RecordView:
        """The record as it may be shown here."""
        return self.view_by(self.viewer)

    def view_by(self, viewer: Viewer) -> RecordView:
        """Return the record as `viewer` may see it. The view is kept until the record changes."""
        return self._views.view(self.fold, viewer, self.events[self.fold.n :])

    @property
    def n(self) -> int:
        """The number of the last event that this recorder knows."""
        return len(self.events)

    @property
    def head(self) -> str:
        """The digest of the record up to the last event that this recorder knows."""
        return self.fold.line_heads[-1].decode()

    def now(self) -> int:
        """Return the ``t`` of an event recorded now: real time, and the time that slips took back.

        So the clock shows the same time of play as without the slips.
        """
        t = self.fold.session.time_at(self.clock(self.fold.header))
        return max(self.events[-1].t if self.events else 0, t)

    @property
    def _last_time(self) -> int:
        """The ``t`` that an event would have had at the time when the last event was recorded; 0 at first."""
        return max(self.events[-1].t if self.events else 0, self.fold.session.caught_up_at)

    @property
    def idle(self) -> int:
        """The milliseconds since the last event; 0 if the clock is stopped or the game is over."""
        if not self.events or self.failed_finding or self.is_over or self.fold.session.paused_at is not None:
            return 0
        return max(0, self.now() - self._last_time)

    @property
    def is_idle_long(self) -> bool:
        """Whether the recorder has to ask if the time since the last event counts."""
        alarm, now = self.fold.pending.next_timeout, self.fold.session.clock(self.now())
        return self.idle > _LONG_IDLE or bool(self.idle and alarm and now >= alarm.at)

    def idle_pause(self) -> Proposal:
        """Return the event that stops the clock at the time of the last event, or at the start."""
        return {"do": "@clock", "by": TABLE, "running": False, "t": self._last_time}

    def _catch_up(self, locked: LockedFile) -> None:
        """Add the lines that other programs have appended to the `locked` file.

        Raises:
            Refused: A line is not valid, or a ruling may have changed the position.
        """
        self.fold.line_heads += locked.new_heads
        events, undecoded = decode(self.fold.game, locked.new_bodies, first=len(self.events) + 1)
        if any(isinstance(event, common_events.Ruling) and event.about > self.fold.n for event in events):
            self._stale = True
            raise Refused(
                Message.of(
                    "The arbiter has ruled on an event of {=path}, so the position may have "
                    "changed. Open the record again.",
                    path=str(self.file.path),
                )
            )
        failure = self.failed_finding or self.fold.extend(events) or undecoded
        self.events += events
        if failure and failure is not self.failed_finding:
            self._refuse_failed([failure])

    def _push(self, event: Event) -> Finding | None:
        """Fold `event`, or return why it is refused. A ruling on a bad event needs a new fold."""
        if not isinstance(event, common_events.Ruling) or event.about <= self.fold.n:
            return self.failed_finding or self.fold.push(event)
        old = self.fold
        fold = Fold(
            old.header, old.game, old.ruled_events | {event.about}, old.line_heads, old.ancestry, old.openings
        )
        failure = fold.extend([*self.events, event])
        if (
            failure
            and self.failed_finding
            and (failure.n == event.n or (failure.n or 0) <= (self.failed_finding.n or 0))
        ):
            return failure
        if failure:  # this ruling is not folded yet, because another event needs a ruling first
            problem = ruling_problem(fold, event)
            if problem:
                return Finding.of("play.common", problem, n=event.n)
        self.fold, self.failed_finding = fold, failure
        return None

    def _fold_line(self, line: Line) -> Finding | None:
        """Fold `line`, or return why its event is refused. Before anything else it has to be on the disk."""
        event = line.event
        finding = self._push(event)
        if finding:
            if finding.code == "play.illegal":
                return with_legal(self.fold, finding, event.t, event.by)
            return finding
        self._stale = True
        self.events.append(event)
        self.fold.line_heads.append(line.head)
        return None

    def refresh(self) -> bool:
        """Fold the events of other writers, and return whether there were any. It is fast if there are none.

        Raises:
            GamelogError: The record cannot be read, or one of these events is bad.
        """
        known = self.n
        if self.file.has_grown:
            with self.file.lock() as locked:
                self._catch_up(locked)
        return self.n > known

    @property
    def is_good(self) -> bool:
        """Whether this recorder can still add events. If it cannot, open the record again."""
        return not self._stale

    def rehearsal(self, viewer: Viewer = WHOLE_TABLE) -> EventRecorder:
        """Return another recorder to `rehearse` on, in the last position as `viewer` may know it."""
        rehearsal = copy(self)
        rehearsal.fold, rehearsal._views = observed_copy(self.fold, viewer), ViewCache()
        rehearsal.events = [*self.events]
        if viewer.seats:
            rehearsal.shown_to = lambda _fold: viewer
            rehearsal.failed_finding = self.failed_finding and self.view_by(viewer).shown_finding(
                self.failed_finding
            )
        return rehearsal

    def rehearse(self, proposal: Proposal) -> Finding | None:
        """Return the finding that says why `proposal` cannot come next, or None.

        A further proposal is then judged after it. Nothing is written. From then on this recorder can only
        rehearse.
        """
        return self._fold_line(encode_line(self.stamp(proposal), self.fold.line_heads[-1]))

    def append(
        self, proposals: Sequence[Proposal], *, expect: int | None = None, as_played: bool = False
    ) -> list[Ack]:
        """Write all of `proposals` to the record, or none, and return the confirmation of each.

        `expect` is the number of the last event that the caller knows. If the disk fails, this recorder can
        add no more events.

        Raises:
            Refused: An event is illegal.
            Conflict: The record has events after `expect`, or a key was used for an event with other content.
            AppendError: An event cannot be written as a line.
            Locked: Another program held the record's lock for too long.
            NotReadable: The file cannot be read any more.
            Torn: Another program has written only a part of a line.
            Damaged: The lines that another program has added do not verify.
            WriteFailed: The disk failed.
        """
        if self._stale:
            raise WriteFailed(
                Message.of(
                    "An earlier event was not saved in {=path}. Open the record again.",
                    path=str(self.file.path),
                )
            )
        with self.file.lock() as locked:
            self._catch_up(locked)
            before = self.n, self.fold.ruled_events, self.failed_finding
            lines, keyed, acks = list[Line](), dict[str, Line](), list[Ack]()
            try:
                for proposal in proposals:
                    event = self.stamp(proposal, as_played)
                    ack = locked.find_ack(event, keyed)
                    if ack is None:
                        if expect is not None:
                            locked.expect(expect)
                            expect = None
                        line = encode_line(event, self.fold.line_heads[-1])
                        problem = self._fold_line(line)
                        if problem:
                            raise Refused(
                                self.explain(self.record_view.shown_finding(problem, event)), problem, event
                            )
                        before_line = lines[-1] if lines else None
                        lines.append(line)
                        if event.id is not None:
                            keyed[event.id] = line
                        locked.check_next(event, before_line)
                        ack = Ack.of(line)
                    acks.append(ack)
                locked.write(lines)
            except (AppendError, WriteFailed) as error:
                if lines:
                    self._go_back(*before)
                self._stale = isinstance(error, WriteFailed)
                raise
            self._stale = False
        return sorted(acks, key=lambda ack: ack.n)

    def _go_back(self, n: int, ruled: frozenset[int], failed: Finding | None) -> None:
        """Remove the events after `n`, which are not written, and rulings on events not in `ruled`."""
        old = self.fold
        self.fold = Fold(old.header, old.game, ruled, old.line_heads[: n + 1], old.ancestry, old.openings)
        events = self.events[:n]
        self.fold.extend(events)
        self.events, self.failed_finding = events, failed

    def judge(self, event: Event) -> Finding | None:
        """Return the finding that says why `event` cannot come next, or None. Nothing is written."""
        return self.fold.judge(event)

    def explain(self, finding: Finding) -> Message:
        """Return the explanation of the refusal in `finding`, with some legal events."""
        return explain(self.fold, finding)

    def event_with_key(self, key: object) -> Event | None:
        """Return the event of the record with the key `key`, or None."""
        text = str(key)
        ack, _ = self.file.verified.keys.get(text, (None, b""))
        if ack is not None:
            return self.events[ack.n - 1] if ack.n <= self.n else None
        return next((event for event in self.events[self.file.n :] if event.id == text), None)

    def stamp(self, proposal: Proposal, as_played: bool = False) -> Event:
        """Return `proposal` as an event with ``n``, ``t`` and ``by``.

        Raises:
            Refused: It is not an event of the game.
        """
        repeated = self.event_with_key(proposal["id"]) if "id" in proposal else None
        given = {**proposal, "as_played": True} if as_played else proposal
        return event_from(self.fold, given, self.n + 1, self.now(), repeated)

    def remaining_problem(self, n: int) -> Message | None:
        """Return the problem that recorded event `n` still has, and what solves it."""
        if n in self.fold.unknown_effects:
            return Message.of(
                "The position after this event is unknown. Take the event back, or declare the position "
                "with gap."
            )
        if isinstance(self.events[n - 1], common_events.Result) and self.fold.result_differs:
            if self.fold.outcome is None:
                return Message.of(
                    "According to the rules the game is not over. The difference is a finding "
                    "until both agree or the arbiter rules."
                )
            text = (
                "According to the rules the result is: {result}. The difference is a finding "
                "until both agree or the arbiter rules."
            )
            return Message.of(text, result=outcome_message(self.fold, self.fold.outcome))
        # `n` and `path` are also for the sentences of the command line, which name the command to run
        unsettled = self.disputed_event_behind(n)
        if unsettled:
            text = "Event {n} is disputed until the arbiter rules on that event too"
            return Message.of(text, n=unsettled, path=self.file.path)
        unanswered = self.open_claim_behind(n)
        if unanswered:
            text = "The claim of event {n}, which that claim is about, is still open"
            return Message.of(text, n=unanswered, path=self.file.path)
        violation = self.fold.violations.get(n)
        if violation is None or not isinstance(self.events[n - 1], self.fold.game.events):
            return None
        shown = finding_for(
            self.fold,
            Finding.of("play.illegal", with_names(violation.message, self.fold.session.name_of)),
            self.events[n - 1],
            self.viewer,
        )
        text = "{problem}. The event counts, but it is disputed until the arbiter rules"
        return Message.of(text, problem=shown.message, n=n, path=self.file.path)

    def disputed_event_behind(self, n: int) -> int | None:
        """Return the disputed event that the claim decided by ruling `n` is about, or None."""
        claim = self._claim_ruled_on(n)
        return claim and disputed_subject(self.fold, claim)

    def open_claim_behind(self, n: int) -> int | None:
        """Return the open claim before the claim that ruling `n` decided, or None."""
        claim = self._claim_ruled_on(n)
        return claim and self.fold.rulings.claims.open_claim_before(claim)

    def _claim_ruled_on(self, n: int) -> int | None:
        event = self.events[n - 1]
        if not isinstance(event, common_events.Ruling) or n > self.fold.n:
            return None
        return event.about if event.about in self.fold.rulings.claims.subjects else None

    def text(self, n: int, mark: Mark | None = None, locale: Locale | None = None) -> str:
        """Return a sentence about event `n`, as far as it may be shown here.

        `mark` converts each value. The sentence is in English without a `locale`.
        """
        return self.record_view.sentence(n, mark=mark, locale=locale)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.fold.outcome is not None


def recover_record(
    path: str | os.PathLike[str], clock: RecordClock = wall_clock
) -> list[recovery.SavedTail | recovery.LineEnd]:
    """Move the torn end of the record at `path` to another file and record that, or repair its last line end.

    Raises:
        RecordError: The record is not torn, or it is damaged.
    """

    def recovered(file: RecordFile, size: int, digest: str) -> Event:
        return common_events.Recovered(
            file.n + 1, max(file.t, clock(file.header)), TABLE, bytes=size, digest=digest
        )

    return recovery.recover(path, recovered)
