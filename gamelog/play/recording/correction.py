"""Corrections of slips: the right event instead of a wrong one, and the events after it again.

Lines are only added to a record. So a correction is a takeback marked as a `slip`, the right event, and the
later events once more. It is prepared on a recorder that only rehearses, and recorded in one append::

    correction = Correction("game.jsonl", at=41)
    correction.put({"do": "attack", "src": "I2", "dst": "I1"})
    while (finding := correction.repeat_later_events()) is not None:
        correction.skip()                    # or put another event, and skip; or stop here
    correction.write(EventRecorder("game.jsonl"))

Events of the game, resignations and declared positions are recorded again. A slip sets the clock back, and
every event gets the time of play that it had before. Its ``t`` counts from the last line of the record,
because ``t`` never goes back. If the clock is stopped, it runs during these events and then stops again.

Notes, claims, rulings, signatures, pauses, names and a recorded result stay in force. An agreement to end the
game has to be made again. Dice from a seed are drawn again; they keep their results if the same roll is due.
Links of commit-reveal dice cannot be used twice, so nothing is recorded again from the first roll on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.game import Pending
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.replacements import is_play
from gamelog.play.judging.proposals import Proposal
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer
from gamelog.record.envelope import TABLE, Event, as_proposal
from gamelog.record.record_file import Ack


def _possible_authors(pending: Pending) -> tuple[str, ...]:
    """Return the seats that can record the next event: for the chance that is due, and those to act."""
    return (*((pending.chance.by,) if pending.chance else ()), *pending.by)


def _correction_problem(recorder: EventRecorder, at: int, line: Sequence[int]) -> Message | None:
    """Return the message that says why event `at` cannot be corrected, or None.

    `line` are the events that count.
    """
    if not 0 < at <= recorder.n:
        return Message.of("There is no event {at}. The last event is event {last}.", at=at, last=recorder.n)
    if at not in line:
        now = recorder.record_view.event_status(at).replaced_by
        text = (
            "Event {n} does not count, because it was taken back or is a takeback. You can "
            "correct only events that count."
        )
        if now in line:
            text = "Event {n} has already been corrected. Correct event {now}, which replaces event {n}."
        return Message.of(text, n=at, now=now)
    if not is_play(recorder.events[at - 1]):
        text = (
            "Event {n} is not part of play, so it cannot be corrected. Record another event of the same kind."
        )
        return Message.of(text, n=at)
    return None


def _acceptance_problem(recorder: EventRecorder, at: int, accepted: int) -> Message | None:
    """Return the message that says why answer `accepted` cannot begin a correction of event `at`."""
    fold = recorder.fold
    is_last = not any(is_play(event) for event in recorder.events[accepted:])
    if is_last and accepted in fold.slips and fold.takebacks.get(accepted) == at - 1:
        return None
    return Message.of("No correction of event {at} was accepted, or play has continued since.", at=at)


class Correction:
    """A correction in preparation. Nothing is recorded before `write`.

    If others must accept the correction, the rehearsal is as if they had. `write` then only asks them. When
    they have accepted, another correction with the number of the ``accepted`` answer records the events.

    Attributes:
        rehearsal: The record with the correction.
        remaining_events: The later events that are not repeated yet, in order.
        repeated_count: The number of repeated events.
        redrawn_events: The numbers of the events with new dice.
        clock_start: The event that starts a stopped clock for the correction, or None.
        awaited_seats: The people who must accept the correction.
        shifts_turns: Whether a later event that its player cannot do any more goes to the player to move.
        shifted_count: The number of these events.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        at: int,
        *,
        before: bool = False,
        accepted: int | None = None,
        offers: bool = False,
        shown_to: Callable[[Fold], Viewer] = lambda _fold: WHOLE_TABLE,
    ) -> None:
        """Go back to before an event, to replace it or to insert events before it.

        Args:
            path: The record. Nothing is written until the correction is recorded.
            at: The number of the event, which must be play and count.
            before: Whether to insert events before the event. It is then the first later event to repeat.
            accepted: The answer with which others accepted this correction, or None if they were not asked.
            offers: Whether the correction can be one that others must accept.
            shown_to: Returns the viewer for whom the record is shown; by default, the whole table.

        Raises:
            Refused: Event `at` is not play or does not count, others must accept the correction and it
                is not one that `offers`, or no correction was `accepted` there.
            GamelogError: `EventRecorder` cannot open the record.
        """
        self.rehearsal = EventRecorder(path, only_rehearse=True, shown_to=shown_to)
        fold = self.rehearsal.fold
        self.known_count = self.rehearsal.n
        problem = None if accepted is None else _acceptance_problem(self.rehearsal, at, accepted)
        if problem:
            raise Refused(problem)
        line = fold.main_line_numbers(None if accepted is None else accepted - 1)
        problem = _correction_problem(self.rehearsal, at, line)
        if problem:
            raise Refused(problem)
        self.at = at
        events = [self.rehearsal.events[n - 1] for n in line if n > at or (before and n == at)]
        self.remaining_events = [event for event in events if is_play(event)]
        self.inserted_events: list[int] = []
        self.repeated_count = 0
        self.shifts_turns = False
        self.shifted_count = 0
        self.redrawn_events: list[int] = []
        self.proposals: list[Proposal] = []
        last = self.rehearsal.events[-1].t
        self._next_number = at
        self.awaited_seats: tuple[str, ...] = ()
        if accepted is None:
            self._go_back(at - 1, last, offers=offers)
        self._time_ahead = last - fold.play_time
        self.clock_start: int | None = None
        self._was_clock_stopped = fold.session.paused_at is not None and not fold.reveals
        if self._was_clock_stopped:
            self._try_event({"do": "@clock", "by": TABLE, "running": True}, last)
            self.clock_start = self.rehearsal.n

    def _go_back(self, to: int, t: int, *, offers: bool) -> None:
        """Add the takeback to event `to` at time `t`, and rehearse its acceptance if others must accept it.

        Raises:
            Refused: The game cannot go back there, or others must accept the takeback and this is not a
                correction that `offers`.
        """
        fold = self.rehearsal.fold
        finding = self._try_event({"do": "@takeback", "by": TABLE, "to": to, "slip": True}, t)
        if finding:
            raise Refused(self.rehearsal.explain(finding), finding)
        if (offer := fold.offers.get(self.rehearsal.n)) is None:
            return
        if not offers:
            raise Refused(
                Message.of(
                    "In this record, a takeback must be accepted, so you cannot correct an "
                    "event in one step. Take the game back to event {at}. When the takeback is "
                    "accepted, record the later events again.",
                    at=to,
                )
            )
        self.awaited_seats = tuple(sorted(offer.waiting))
        for seat in self.awaited_seats:
            self.rehearsal.rehearse({"do": "@accept", "by": seat, "about": offer.n, "t": t})

    def put(self, event: Proposal) -> Finding | None:
        """Add `event`, and the dice after it if they follow from a seed, and return why it cannot come next.

        Raises:
            Refused: The event has a time. Its time follows from the record.
        """
        if "t" in event:
            raise Refused(
                'A correction keeps the times of play. Leave out the member "t". To correct a '
                "clock, record a ruling."
            )
        finding = self._try_event(event, self._next_time())
        if finding is None:
            self.inserted_events.append(self.rehearsal.n)
            self._draw()
        return finding

    def repeat_later_events(self) -> Finding | None:
        """Repeat the later events up to the first that does not fit, and return why it does not fit."""
        while self.remaining_events:
            self._draw()
            if not self.remaining_events:
                break
            self._next_number = self.remaining_events[0].n
            finding = self._try_event(as_proposal(self.remaining_events[0]), self._next_time())
            if finding and not (self.shifts_turns and self._shift()):
                return finding
            del self.remaining_events[0]
            self.repeated_count += 1
        return None

    def _shift(self) -> bool:
        """Repeat the first of ``remaining_events`` for the player to move, and return whether it fits."""
        pending = self.rehearsal.fold.pending
        for seat in _possible_authors(pending):
            if (
                seat != self.remaining_events[0].by
                and self._try_event(as_proposal(self.remaining_events[0]) | {"by": seat}, self._next_time())
                is None
            ):
                self.shifted_count += 1
                return True
        return False

    def can_shift(self) -> bool:
        """Return whether the first event in ``remaining_events`` would fit for the player to move."""
        fold = self.rehearsal.fold
        pending = fold.pending
        seats = _possible_authors(pending)
        first = as_proposal(self.remaining_events[0]) | {"t": self._next_time()}
        return any(
            seat != self.remaining_events[0].by
            and fold.judge(self.rehearsal.stamp(first | {"by": seat})) is None
            for seat in seats
        )

    def skip(self) -> Event:
        """Remove the first event from ``remaining_events`` and return it."""
        return self.remaining_events.pop(0)

    def write(self, recorder: EventRecorder) -> list[Ack]:
        """Record the correction in one append, or only its takeback if others must accept it.

        Raises:
            Conflict: New events were recorded after the correction was prepared.
        """
        if self.awaited_seats:
            asked = {name: value for name, value in self.proposals[0].items() if name != "t"}
            return recorder.append([asked], expect=self.known_count)
        if self._was_clock_stopped:
            self._try_event({"do": "@clock", "by": TABLE, "running": False}, self.rehearsal.events[-1].t)
            self._was_clock_stopped = False
        return recorder.append(self.proposals, expect=self.known_count)

    def _next_time(self) -> int:
        """Return the ``t`` of the next event, which has the time of play of the event that it replaces."""
        return max(self.rehearsal.events[-1].t, self._time_ahead + self._clock(self._next_number))

    def _clock(self, n: int) -> int:
        """Return the time of play at event `n`. A later ruling on the game's clock limits it."""
        fold = self.rehearsal.fold
        return fold.rulings.effects.corrected_clock(TABLE, fold.play_time_at(n), n)

    def _draw(self) -> None:
        """Add the dice that follow from a seed, instead of the dice in ``remaining_events``."""
        fold = self.rehearsal.fold
        while not fold.reveals and (results := fold.due_results()) is not None:
            first = self.remaining_events[0] if self.remaining_events else None
            before = self.remaining_events.pop(0) if isinstance(first, fold.game.chance_events) else None
            self._next_number = before.n if before else self._next_number
            roll = as_proposal(fold.game.chance(fold.state, results))
            self._try_event(roll, self._next_time())
            if before and as_proposal(before) == roll:
                self.repeated_count += 1
            else:
                self.redrawn_events.append(self.rehearsal.n)

    def _try_event(self, event: Proposal, t: int) -> Finding | None:
        given = {name: value for name, value in event.items() if name != "id"} | {"t": t}
        finding = self.rehearsal.rehearse(given)
        if finding is None:
            self.proposals.append(given)
        return finding


def last_play(recorder: EventRecorder, *, chance: bool) -> int:
    """Return the number of the last dice (`chance`) or the last decision that counts.

    Raises:
        Refused: There is none.
    """
    kinds = recorder.fold.game.chance_events
    for n in reversed(recorder.fold.main_line_numbers()):
        event = recorder.events[n - 1]
        if is_play(event) and isinstance(event, kinds) == chance:
            return n
    raise Refused("There is nothing to correct yet.")
