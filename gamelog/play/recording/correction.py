"""Slips of the pen: a line of a record as it should read, and all that followed again as far as it fits.

A record is only appended to, so a correction is a takeback marked as a `slip`, the right line, and
then what followed once more. All of it is found on a recorder that only rehearses, and written in
one append::

    correction = Correction("game.jsonl", at=41)
    correction.put({"do": "attack", "src": "I2", "dst": "I1"})
    while (refused := correction.go_on()) is not None:
        correction.skip()                    # or put another event, and skip; or stop here
    correction.write(EventRecorder("game.jsonl"))

What is written again: events of the game, resignations, declared positions. A slip takes the clock back
to where it was, and every event comes at the time of play at which it came before, as far behind the
record's last line as it was behind the event gone back to: ``t`` itself never goes back. Where the
clock stands, it runs while that is written, and stands again. Notes,
claims, rulings, signatures, pauses, names and a written result stay where they are and hold; an end that
was agreed is not agreed again. Dice that follow from a seed are drawn anew, and are those of before where
the same are owed; links of commit-reveal dice are used up, so that nothing is written again from the first
roll on.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.game import Pending
from gamelog.play.fold.corrections import is_play, replacements
from gamelog.play.recording.proposals import Proposal
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import TABLE, Event, proposal
from gamelog.record.log import Ack


def _may_write(pending: Pending) -> tuple[str, ...]:
    """Who owes chance, and who may act."""
    return (*((pending.chance.by,) if pending.chance else ()), *pending.by)


def _correction_problem(recorder: EventRecorder, at: int, line: Sequence[int]) -> Message | None:
    """Return why event `at` cannot be corrected, or None; `line` are the events that count."""
    fold = recorder.fold
    if not 0 < at <= recorder.n:
        return Message.of("There is no event {at}; the last is {last}.", at=at, last=recorder.n)
    if at not in line:
        now = replacements(fold, recorder.events).get(at) if fold.slips else None
        text = (
            "Event {n} does not stand: it was taken back, or took others back; only what stands can be "
            "corrected."
        )
        if now in line:
            text = "Event {n} was corrected already: event {now} replaces it; correct event {now}."
        return Message.of(text, n=at, now=now)
    if not is_play(recorder.events[at - 1]):
        text = (
            "Event {n} is not play but stands beside it, and stays as it is; write another one of its kind."
        )
        return Message.of(text, n=at)
    return None


class Correction:
    """A correction that is being found. Nothing is written before `write`.

    ``rehearsal`` is the record as it will be; ``left`` are the events that followed and do not stand
    again yet, in order; ``again`` counts those that do; ``drawn`` are the numbers of dice drawn anew. With
    ``shifts``, what followed and cannot be its player's any more is that of the player to move there;
    ``shifted`` counts it.
    """

    def __init__(self, path: str | os.PathLike[str], at: int, *, before: bool = False) -> None:
        """Goes back to before event `at`, to replace it, or with `before` to write something in front of it.

        Raises what `EventRecorder` raises, and `Refused` when `at` is not an event of play that stands, or
        when takebacks are not the scorer's in this record.
        """
        self.rehearsal = EventRecorder(path, only_rehearse=True)
        fold = self.rehearsal.fold
        self.known = self.rehearsal.n
        line = fold.mainline()
        problem = _correction_problem(self.rehearsal, at, line)
        if problem:
            raise Refused(problem)
        self.at = at
        events = [self.rehearsal.events[n - 1] for n in line if n > at or (before and n == at)]
        self.left = [event for event in events if is_play(event)]
        self.put_in: list[int] = []
        self.again = 0
        self.shifts = False
        self.shifted = 0
        self.drawn: list[int] = []
        self.proposals: list[Proposal] = []
        last = self.rehearsal.events[-1].t
        self._next = at
        refused = self._admit({"do": "@takeback", "by": TABLE, "to": at - 1, "slip": True}, last)
        if refused:
            raise Refused(self.rehearsal.explain(refused), refused)
        if self.rehearsal.n not in fold.takebacks:
            raise Refused(
                Message.of(
                    "In this record takebacks wait for an answer, so nothing is corrected at once: "
                    "take it back to event {at}, have that accepted, and type what followed.",
                    at=at - 1,
                )
            )
        self._ahead = last - fold.played
        self._stood = fold.session.paused_at is not None and not fold.reveals
        if self._stood:
            self._admit({"do": "@clock", "by": TABLE, "running": True}, last)

    def put(self, event: Proposal) -> Finding | None:
        """Let `event` come next, or say why not. Dice that follow from a seed come behind it unasked.

        Raises `Refused` for an event that says when it was: that follows from the record.
        """
        if "t" in event:
            raise Refused(
                'Leave the member "t" out: a correction takes the clock back to where it was, and what '
                "followed comes as long after it as before. The arbiter sets clocks: gamelog ruling FILE "
                "--clock PLAYER=12:30."
            )
        refused = self._admit(event, self._when())
        if refused is None:
            self.put_in.append(self.rehearsal.n)
            self._draw()
        return refused

    def go_on(self) -> Finding | None:
        """Let what followed stand again, up to the first that does not fit, now first in ``left``: why."""
        while self.left:
            self._draw()
            if not self.left:
                break
            self._next = self.left[0].n
            refused = self._admit(proposal(self.left[0]), self._when())
            if refused and not (self.shifts and self._shift()):
                return refused
            del self.left[0]
            self.again += 1
        return None

    def _shift(self) -> bool:
        """Whether the first of ``left`` comes again as that of the player to move."""
        pending = self.rehearsal.fold.pending
        for seat in _may_write(pending):
            if (
                seat != self.left[0].by
                and self._admit(proposal(self.left[0]) | {"by": seat}, self._when()) is None
            ):
                self.shifted += 1
                return True
        return False

    def can_shift(self) -> bool:
        """Whether the first of ``left``, which does not fit, would fit if it were theirs whose turn it is."""
        fold = self.rehearsal.fold
        pending = fold.pending
        seats = _may_write(pending)
        first = proposal(self.left[0]) | {"t": self._when()}
        return any(
            seat != self.left[0].by and fold.judge(self.rehearsal.stamp(first | {"by": seat})) is None
            for seat in seats
        )

    def skip(self) -> Event:
        """Leave the first of ``left`` out; gives it."""
        return self.left.pop(0)

    def write(self, recorder: EventRecorder) -> list[Ack]:
        """Write all of it in one append. Raises what `append` raises: `Conflict` when others have written."""
        if self._stood:
            self._admit({"do": "@clock", "by": TABLE, "running": False}, self.rehearsal.events[-1].t)
            self._stood = False
        return recorder.append(self.proposals, expect=self.known)

    def _when(self) -> int:
        """Return the ``t`` of the next event: it has the time of play of the event that it replaces."""
        return max(self.rehearsal.events[-1].t, self._ahead + self._clock(self._next))

    def _clock(self, n: int) -> int:
        """Return the time of play at event `n`, at most what rulings since have set the game's clock to."""
        fold = self.rehearsal.fold
        return fold.rulings.corrected_clock(TABLE, fold.clock_at(n), n)

    def _draw(self) -> None:
        """Write the dice that follow from a seed, in the place of those that followed."""
        fold = self.rehearsal.fold
        while not fold.reveals and (results := fold.due_results()) is not None:
            before = (
                self.left.pop(0) if self.left and isinstance(self.left[0], fold.game.chance_events) else None
            )
            self._next = before.n if before else self._next
            drawn = proposal(fold.game.chance(fold.state, results))
            self._admit(drawn, self._when())
            if before and proposal(before) == drawn:
                self.again += 1
            else:
                self.drawn.append(self.rehearsal.n)

    def _admit(self, event: Proposal, t: int) -> Finding | None:
        given = {name: value for name, value in event.items() if name != "id"} | {"t": t}
        refused = self.rehearsal.rehearse(given)
        if refused is None:
            self.proposals.append(given)
        return refused


def last_play(recorder: EventRecorder, *, chance: bool) -> int:
    """The number of the last dice, or the last decision, that stands. Raises `Refused` when there is none."""
    kinds = recorder.fold.game.chance_events
    for n in reversed(recorder.fold.mainline()):
        event = recorder.events[n - 1]
        if is_play(event) and isinstance(event, kinds) == chance:
            return n
    raise Refused("There is nothing yet that could be corrected.")
