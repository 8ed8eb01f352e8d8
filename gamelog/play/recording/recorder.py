"""Recording: proposals are judged under the record's lock, stamped, written, and then acknowledged."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from copy import copy
from datetime import UTC, datetime
from typing import Any

import msgspec

from gamelog.errors import BadSetup, Refused, WriteFailed
from gamelog.finding import Finding
from gamelog.message import Locale, Message, with_names
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold import common
from gamelog.play.fold.common_events import common_finding
from gamelog.play.fold.corrections import is_step
from gamelog.play.fold.fold import STANDING, Fold
from gamelog.play.fold.ruling import check_ruling, settling
from gamelog.play.judging.decoding import decode
from gamelog.play.judging.replay import replay, with_legal
from gamelog.play.judging.warnings import outcome_message
from gamelog.play.recording.proposals import Proposal, typed
from gamelog.play.telling.messages import Mark
from gamelog.play.telling.seeing import View, finding_for, observed
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import WHOLE_TABLE, Viewer
from gamelog.record import chain, recovery
from gamelog.record.encoding import encode
from gamelog.record.envelope import TABLE, Event, Header
from gamelog.record.log import Ack, Log, read_locked
from gamelog.record.reading import read_record

RULED_ON = STANDING | {"play.cannot_apply"}
"""Codes of failures that a ruling can settle."""

_EXPLAINED = {
    (False, False): "Refused: {remark}.",
    (False, True): "Refused: {remark}; legal: {=legal}.",
    (True, False): "Refused: {remark} [{=rule}: {words}].",
    (True, True): "Refused: {remark} [{=rule}: {words}]; legal: {=legal}.",
}
"""A refusal in a sentence: with a rule's words or without, and with what would have been legal."""

LONG_IDLE = 60 * 60 * 1000
"""Milliseconds without an event, the clock running, after which people are asked whether they count."""

RecordClock = Callable[[Header], int]
"""Milliseconds since the record's ``started``."""


def wall_clock(header: Header) -> int:
    """The time since the record was started, by this machine's clock."""
    return int((datetime.now(UTC) - datetime.fromisoformat(header.started)).total_seconds() * 1000)


class EventRecorder:
    """An open record that takes events.

    Keeps the log and the fold of it side by side; what others append is folded before anything of one's own
    is judged.
    """

    def __init__(
        self, path: str | os.PathLike[str], clock: RecordClock = wall_clock, *, only_rehearse: bool = False
    ) -> None:
        """Opens and folds. Raises record errors, `UnknownGame`, `BadSetup`, or `Refused` for a record whose
        play has failed.

        To `only_rehearse`, a record that may not be written, or is compressed, is good enough.
        """
        record = read_record(path) if only_rehearse else read_locked(path)
        self.log = Log(record)
        replayed = replay(record)
        if replayed.fold is None:
            raise BadSetup(
                Message.of(
                    "{=path} cannot be continued: {problem}.",
                    path=str(path),
                    problem=replayed.findings[0].sentence,
                )
            )
        self.fold: Fold = replayed.fold
        beyond = [
            found for found in replayed.findings if (found.n or 0) > self.fold.n
        ]  # others are remarks: the fold went on
        self.failed = next((found for found in beyond if found.code in RULED_ON), None)
        self.events: list[Event] = []
        self._keyed: dict[str, Event] = {}
        self._take(replayed.readable)
        self.clock = clock
        self.shown_to: Callable[[Fold], View] = lambda _fold: None
        self._stale = False
        self._refuse_failed([found for found in beyond if found is not self.failed])

    def _refuse_failed(self, findings: Sequence[Finding]) -> None:
        failed = next((finding for finding in findings if finding.severity == "error"), None)
        if failed:
            raise Refused(
                Message.of(
                    "Event {n} of {=path} is not good ({problem}); nothing can follow it. What stands before "
                    "it goes on in a record of its own: {=command}",
                    n=failed.n,
                    path=self.log.path,
                    problem=failed.sentence,
                    command=f"gamelog branch {shlex.quote(self.log.path)} --at {(failed.n or 1) - 1} -o NEW",
                ),
                failed,
            )

    @property
    def view(self) -> View:
        """Whose knowledge bounds what is said of the record here, by ``shown_to``: everything by default."""
        return self.shown_to(self.fold)

    @property
    def record_view(self) -> RecordView:
        """The record as it may be shown here."""
        return RecordView(self.fold, Viewer.of(self.view), self.events[self.fold.n :])

    @property
    def n(self) -> int:
        """The number of the record's last event, as far as it is known here."""
        return len(self.events)

    @property
    def head(self) -> str:
        """The head after that event."""
        return self.fold.heads[-1].decode()

    def now(self) -> int:
        """The ``t`` that an event would have now."""
        return max(self.events[-1].t if self.events else 0, self.clock(self.fold.header))

    @property
    def idle(self) -> int:
        """The milliseconds since the last event in which the clock has run, or would have as long as it may:
        0 where it stands, nothing is written yet, or the game is over.
        """
        if not self.events or self.failed or self.is_over or self.fold.session.paused_at is not None:
            return 0
        return self.now() - self.events[-1].t

    @property
    def long_idle(self) -> bool:
        """Whether people have to be asked if the time since the last event counts."""
        alarm, now = self.fold.pending.next_timeout, self.fold.session.clock(self.now())
        return self.idle > LONG_IDLE or bool(self.idle and alarm and now >= alarm.at)

    def idle_pause(self) -> Proposal:
        """The pause from the last event on, for time that does not count."""
        return {"do": "@clock", "by": TABLE, "running": False, "t": self.events[-1].t}

    def _catch_up(self, bodies: Sequence[bytes]) -> None:
        for body in bodies:
            self._chain(body)
        events, undecoded = decode(self.fold.game, list(bodies), first=len(self.events) + 1)
        if any(isinstance(event, common.Ruling) and event.about > self.fold.n for event in events):
            self._stale = True
            raise Refused(
                Message.of("{=path} has been ruled on meanwhile; open it again.", path=str(self.log.path))
            )
        failure = self.failed or self.fold.extend(events) or undecoded
        self._take(events)
        if failure and failure is not self.failed:
            self._refuse_failed([failure])

    def _chain(self, body: bytes) -> None:
        heads = self.fold.heads
        heads.append(chain.link(heads[-1], body))

    def _take(self, events: Sequence[Event]) -> None:
        self.events += events
        self._keyed.update((event.id, event) for event in events if event.id is not None)

    def _push(self, event: Event) -> Finding | None:
        """Fold `event`, or say why not. A ruling on what failed has the whole record folded anew."""
        if not isinstance(event, common.Ruling) or event.about <= self.fold.n:
            return self.failed or self.fold.push(event)
        old = self.fold
        fold = Fold(
            old.header, old.game, old.ruled_events | {event.about}, old.heads, old.ancestry, old.openings
        )
        failure = fold.extend([*self.events, event])
        if failure and self.failed and (failure.n == event.n or (failure.n or 0) <= (self.failed.n or 0)):
            return failure
        if failure:  # another event has to be ruled on first, so that this ruling has not been folded yet
            problem = check_ruling(fold, event)
            if problem:
                return common_finding(event, problem)
        self.fold, self.failed = fold, failure
        return None

    def _admit(self, event: Event) -> Finding | None:
        """Take `event` up, or say why not. Until it is on the disk too, this recorder is of no other use."""
        body = encode(event)
        refused = self._push(event)
        if refused:
            if refused.code == "play.illegal":
                return with_legal(self.fold, refused, event.t, event.by)
            return refused
        self._stale = True
        self._take([event])
        self._chain(body)
        return None

    def refresh(self) -> bool:
        """Take up what others have written meanwhile; whether there was anything. Costs little without it.

        Raises what `append` raises before it judges.
        """
        known = self.n
        if self.log.has_grown:
            with self.log.locked() as turn:
                self._catch_up(turn.new)
        return self.n > known

    @property
    def is_good(self) -> bool:
        """Whether this recorder still takes events; if not, the record has to be opened again."""
        return not self._stale

    def rehearsal(self, viewer: Viewer = WHOLE_TABLE) -> EventRecorder:
        """Return another recorder to `rehearse` on, in the last position as `viewer` may know it."""
        then = copy(self)
        then.fold, then.events, then._keyed = self.fold.copy(), [*self.events], {**self._keyed}
        if viewer.seats:
            then.fold.states[-1] = observed(self.fold.game, self.fold.state, viewer.seats)
            then.shown_to = lambda _fold: viewer.seats
        return then

    def rehearse(self, proposal: Proposal) -> Finding | None:
        """Why the event proposed cannot come next, or None; then the next one is judged on top of it.

        Nothing is written, now or later: this recorder only judges from then on.
        """
        return self._admit(self.stamp(proposal))

    def append(
        self, proposals: Sequence[Proposal], *, expect: int | None = None, as_played: bool = False
    ) -> list[Ack]:
        """Write the events proposed, in order, and acknowledge each once it is on disk.

        If the disk refuses them, this recorder still knows the events before them, but takes no others.

        `expect` is the number of the last event the caller knows of (`Conflict` if others have
        written since). An illegal event raises `Refused` after those before it have been written.
        """
        if self._stale:
            raise WriteFailed(
                Message.of(
                    "{=path}: an earlier append failed; open the record again.", path=str(self.log.path)
                )
            )
        with self.log.locked() as turn:
            self._catch_up(turn.new)
            before = self.n, self.fold.ruled_events, self.failed
            events: list[Event] = []
            refused: Finding | None = None
            done: list[Ack] = []
            for proposal in proposals:
                event = self.stamp(proposal, as_played)
                known = turn.seen(event)
                if known:
                    done.append(known)
                    continue
                if expect is not None:
                    turn.expect(expect)
                    expect = None
                refused = self._admit(event)
                if refused:
                    break
                events.append(event)
            try:
                done += turn.append(events)
            except WriteFailed:
                self._go_back(*before)
                raise
            self._stale = False
        if refused:
            raise Refused(self.explain(refused), refused)
        return sorted(done, key=lambda ack: ack.n)

    def _go_back(self, n: int, ruled: frozenset[int], failed: Finding | None) -> None:
        """Forget the events after `n`, which are not written, and rulings on others than `ruled`."""
        old = self.fold
        self.fold = Fold(old.header, old.game, ruled, old.heads[: n + 1], old.ancestry, old.openings)
        events = self.events[:n]
        self.fold.extend(events)
        self.events, self.failed = events, failed
        self._keyed = {key: event for key, event in self._keyed.items() if event.n <= n}

    def explain(self, finding: Finding) -> Message:
        """A refusal in one sentence: what is wrong, the rule and its words, what would have been legal."""
        rule = rulebook(self.fold.game).get(finding.rule or "")
        members: dict[str, Any] = {"remark": finding.sentence}
        if rule:
            members |= {"rule": rule.id, "words": Message(rule.text)}
        if finding.legal:
            shown = ", ".join(msgspec.json.encode(event).decode() for event in finding.legal[:3])
            members["legal"] = f"{shown}{self._more(len(finding.legal) - 3, str(finding.legal[0]['by']))}"
        return Message(_EXPLAINED[rule is not None, bool(finding.legal)], members)

    def _more(self, known: int, by: str) -> str:
        """How many legal events of `by` there are beyond three; `known` of them are in a full finding."""
        if known <= 0:
            return ""
        legal = legal_for(self.fold.game, self.fold.state, by)
        least = "at least " if legal.cut else ""
        return f", and {least}{len(legal.events) - 3:,} more"

    def stamp(self, proposal: Proposal, as_played: bool = False) -> Event:
        """The event proposed, typed, with ``n``, ``t`` and ``by``. Raises `Refused` for a strange one."""
        repeated = self._keyed.get(str(proposal["id"])) if "id" in proposal else None
        given = {**proposal, "as_played": True} if as_played else proposal
        return typed(self.fold, given, self.n + 1, self.now(), repeated)

    def doubt(self, n: int) -> Message | None:
        """Return what is still wrong with event `n`, which is recorded, and the command that settles it."""
        if n in self.fold.unknown:
            return Message(
                "The position after this event is unknown. Take the event back, or declare the position "
                "with gap."
            )
        if isinstance(self.events[n - 1], common.Result) and self.fold.result_differs:
            if self.fold.outcome is None:
                return Message(
                    "According to the rules the game is not over. gamelog validate reports the difference "
                    "until both agree or the arbiter rules."
                )
            text = (
                "According to the rules the result is: {result}. gamelog validate reports the difference "
                "until both agree or the arbiter rules."
            )
            return Message.of(text, result=outcome_message(self.fold, self.fold.outcome))
        rule = f"gamelog ruling {shlex.quote(self.log.path)} --about"
        unsettled = self.unsettled(n)
        if unsettled:
            text = "Event {n} is disputed until the arbiter rules on that event too: {=command}"
            return Message.of(text, n=unsettled, command=f"{rule} {unsettled}")
        unanswered = self.unanswered(n)
        if unanswered:
            text = "The claim of event {n}, which that claim is about, is still open: {=command}"
            return Message.of(text, n=unanswered, command=f"{rule} {unanswered}")
        violation = self.fold.violations.get(n)
        if violation is None or not isinstance(self.events[n - 1], self.fold.game.events):
            return None
        found = finding_for(
            self.fold,
            Finding.of("play.illegal", with_names(violation.message, self.fold.session.name_of)),
            self.events[n - 1],
            self.view,
        )
        text = "{problem}. The event counts, but it is disputed until the arbiter rules: {=command}"
        return Message.of(text, problem=found.sentence, command=f"{rule} {n}")

    def unsettled(self, n: int) -> int | None:
        """Return the disputed event behind the claim that event `n` is a ruling on, if there is one."""
        claim = self._claim_ruled_on(n)
        return claim and settling(self.fold, claim)

    def unanswered(self, n: int) -> int | None:
        """Return the open claim behind the claim that event `n` is a ruling on, if there is one."""
        claim = self._claim_ruled_on(n)
        return claim and self.fold.rulings.claims.open_behind(claim)

    def _claim_ruled_on(self, n: int) -> int | None:
        event = self.events[n - 1]
        if not isinstance(event, common.Ruling) or n > self.fold.n:
            return None
        return event.about if event.about in self.fold.rulings.claims.made else None

    def is_step(self, n: int) -> bool:
        """Whether event `n` was somebody's decision, undone by a takeback: neither chance nor beside play."""
        return is_step(self.fold, self.events[n - 1])

    def before_last_step(self) -> int:
        """The number of the event before the last step that stands, as `is_step` has it; 0 when none does."""
        return next((n - 1 for n in reversed(self.fold.mainline()) if self.is_step(n)), 0)

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
    """Set the torn end of the record at `path` aside and say so in it, or mend its last line end.

    Raises what `gamelog.record.recovery.recover` raises: for a record that is not torn, or damaged.
    """

    def recovered(log: Log, size: int, digest: str) -> Event:
        return common.Recovered(log.n + 1, max(log.t, clock(log.header)), TABLE, bytes=size, digest=digest)

    return recovery.recover(path, recovered)
