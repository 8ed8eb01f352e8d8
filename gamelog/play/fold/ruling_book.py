"""The book of rulings: what the arbiter has decided, and what of it is in force.

Several rulings about one event stand side by side: it may stand and cost points. A ruling about a
ruling is about the same event as that one and settles what becomes of it: ``stands`` confirms it,
``refused`` withdraws it, any other kind takes its place, and answers what it has answered. A ruling
that goes takes along what it did: its points, its result, the claims it closed, and the line that
it had taken back returns.

So the line and the end of the game follow from the rulings in force alone, as if those that have gone
had been notes: what was played on the line of one that has gone goes with it, one that was replaced
does not return when its successor is withdrawn, and of those in force the last that moves the line or
ends the game has the say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import structs

from gamelog.message import Message
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.claims import Claims
from gamelog.play.fold.closed_stretches import ClosedStretches
from gamelog.play.fold.common import Ruling
from gamelog.play.fold.session import ClockCorrection

MOVING = frozenset({"takeback", "result", "forfeit"})
"""Kinds that move the line of play or end the game."""

_CHANGING = MOVING | {"penalty", "clock"}
"""Kinds that change the game: its line, its end, its points or its clock."""


class RulingBook:
    """The rulings of a record, and which are in force. What they do is for `gamelog.play.fold.ruling`.

    ``made`` holds all of them by number; ``penalties`` the points given or taken by those in force,
    ``clocks`` the clocks that they have set; ``claims`` are what players want to be ruled on.
    """

    def __init__(self) -> None:
        self.made: dict[int, Ruling] = {}
        self.penalties: dict[int, dict[str, int]] = {}
        self.clocks: dict[int, ClockCorrection] = {}
        self.claims = Claims()
        self._voided = ClosedStretches()
        self._subject: dict[int, int] = {}
        self._standing: dict[int, dict[int, None]] = {}
        self._followers: defaultdict[int, list[int]] = defaultdict(list)
        self._ever: dict[int, list[int]] = {}
        self._gone: dict[int, int] = {}
        self._moving: dict[int, Outcome | None] = {}
        self._again: dict[int, list[int]] = {}

    def about(self, n: int) -> Ruling | None:
        """The last ruling in force about event `n`."""
        last = next(reversed(self._standing.get(n, {})), None)
        return None if last is None else self.made[last]

    def all_about(self, n: int) -> list[Ruling]:
        """All rulings in force about event `n`, in their order."""
        return [self.made[ruling] for ruling in self._standing.get(n, {})]

    def every(self, n: int) -> list[Ruling]:
        """All rulings about event `n` that are or were in force, in their order."""
        return [self.made[ruling] for ruling in self._ever.get(n, ())]

    def state(self, n: int) -> Message:
        """Whether ruling `n` is in force, or what has become of it, in words."""
        gone = self.gone(n)
        if gone is None:
            return Message.of("in force")
        withdrawn = self.made[gone].kind == "refused"
        if self._gone.get(n):
            text = "event {n} has withdrawn it" if withdrawn else "event {n} has replaced it"
        elif withdrawn:
            text = "event {n} has withdrawn what it confirms"
        else:
            text = "event {n} has replaced what it confirms"
        return Message.of(text, n=gone)

    def concerning(self, n: int) -> list[int]:
        """The numbers of all claims and rulings about event `n`, and about any of these, in their order."""
        found, due = [], [*self._followers.get(n, ())]
        while due:
            found.append(due.pop())
            due += self._followers.get(found[-1], ())
        return sorted(found)

    def in_force(self, n: int) -> bool:
        """Whether ruling `n` is in force: not withdrawn or replaced, no withdrawal; as what it confirms."""
        ruling = self.made[n]
        if ruling.about in self.made and ruling.kind in ("stands", "refused"):
            return ruling.kind == "stands" and ruling.about not in self._gone
        return n not in self._gone

    def gone(self, n: int) -> int | None:
        """The ruling that has withdrawn ruling `n` or taken its place, or that of what it confirms."""
        ruling = self.made[n]
        return self._gone.get(n) or (self._gone.get(ruling.about) if ruling.kind == "stands" else None)

    def withdrawn(self) -> Iterator[tuple[int, int]]:
        """The rulings no longer in force, confirmations of such too, each with the one that has done it."""
        for n in self.made:
            gone = self.gone(n)
            if gone:
                yield n, gone

    def withdrawn_by(self, n: int) -> tuple[int, ...]:
        """Return the rulings that are in force no more by ruling `n`, and confirmations of these."""
        about, earlier = self.made[n].about, self.made.get(self.made[n].about)
        if earlier is None or self.made[n].kind == "stands" or self._gone.get(about) != n:
            return ()
        confirmed = (one for one in self._followers.get(about, ()) if one < n and one in self.made)
        return (about, *(one for one in confirmed if self.made[one].kind == "stands"))

    def changes(self) -> dict[int, Ruling]:
        """By event or claim, the last ruling in force that changed the game: line, end, points or clock."""
        found = {}
        for n in self._ever:
            for ruling in self.all_about(n):
                if ruling.kind in _CHANGING:
                    found[n] = ruling
        return found

    def moves(self, ruling: Ruling) -> bool:
        """Whether `ruling` moves the line of play or the end of the game, by itself or by what it changes."""
        earlier = self.made.get(ruling.about)
        return ruling.kind in MOVING or (
            ruling.kind != "stands" and earlier is not None and earlier.kind in MOVING
        )

    def closed_by(self, to: int) -> int | None:
        """The ruling that took event `to` back, which only another ruling can bring again."""
        return self._voided.covering(to)

    def claimed(self, n: int, about: int | None) -> None:
        """Take up a claim."""
        self.claims.add(n, about)
        if about is not None:
            self._followers[about].append(n)

    def subject(self, n: int) -> int:
        """What ruling `n` is about in the end: the event or claim behind rulings about rulings. Else `n`."""
        return self._subject.get(n, n)

    def standing(self, n: int) -> bool:
        """Whether ruling `n` is one of those in force that say what becomes of their subject."""
        return n in self._standing[self._subject[n]]

    def withdraws(self, n: int) -> bool:
        """Whether ruling `n` withdraws another."""
        return self.made[n].kind == "refused" and self.made[n].about in self.made

    def add(self, ruling: Ruling) -> None:
        """Enter a ruling that nothing speaks against; what it replaces or withdraws is no longer in force."""
        n, about = ruling.n, ruling.about
        self.made[n] = ruling
        self._followers[about].append(n)
        subject = self._subject[n] = self._subject.get(about, about)
        standing = self._standing.setdefault(subject, {})
        if about in self.made and ruling.kind != "stands":
            del standing[about]
            self._gone[about] = n
        if about not in self.made or ruling.kind not in ("stands", "refused"):
            standing[n] = None
            self._ever.setdefault(subject, []).append(n)
        self._answer(ruling, subject)

    def give(self, n: int, points: dict[str, int]) -> None:
        """Ruling `n` gives the seats these points."""
        self.penalties[n] = points

    def set_clocks(self, n: int, correction: ClockCorrection) -> None:
        """Ruling `n` sets clocks."""
        self.clocks[n] = correction

    def take_clocks(self, n: int) -> ClockCorrection | None:
        """The clocks that ruling `n`, which has gone, had set and no later one has set again."""
        gone = self.clocks.pop(n, None)
        if gone is None:
            return None
        later = {whose for m, one in self.clocks.items() if m > n for whose in one.readings}
        readings = {whose: ms for whose, ms in gone.readings.items() if whose not in later}
        return structs.replace(gone, readings=readings)

    def corrected_clock(self, whose: str, reading: int, to: int) -> int:
        """What a clock (of a seat, or the table's) shows that goes back to its `reading` after event `to`.

        What the arbiter has set it to since is the most that it shows.
        """
        since = [one.readings[whose] for n, one in self.clocks.items() if n > to and whose in one.readings]
        return min((reading, *since))

    def end(self, n: int, result: Outcome) -> None:
        """Ruling `n` ends the game."""
        self._moving[n] = result

    def take_back(self, n: int, to: int) -> None:
        """Ruling `n` takes the game back to event `to`."""
        self._voided.add(n, to)
        self._moving[n] = None

    def overtaken(self, n: int) -> None:
        """Event `n`, the arbiter's takeback without a ruling, opens the game again, whoever had won it."""
        self._moving[n] = None

    def take_out(self, n: int) -> tuple[dict[str, int], tuple[int, ...]]:
        """Ruling `n` has gone: the points that it gave, and the events with which it ended the game."""
        points = self.penalties.pop(n, {})
        ends = (n, *self._again.pop(n, ())) if self._moving.pop(n, None) else ()
        if self.made[n].kind == "takeback":
            self._voided.withdraw(n)
        return points, ends

    def last_say(self) -> tuple[int, Outcome | None]:
        """The last ruling in force that moves the game (0: none), and the result if that is what it does."""
        return next(reversed(self._moving.items()), (0, None))

    def ends_by(self, n: int) -> tuple[int, ...]:
        """The events with which ruling `n` ended the game: itself, and where it got the say again."""
        return (n, *self._again.get(n, ()))

    def end_again(self, n: int, at: int) -> None:
        """Ruling `n` ends the game once more with event `at`."""
        self._again.setdefault(n, []).append(at)

    def _answer(self, ruling: Ruling, subject: int) -> None:
        """Close the claims that `ruling` answers, and open again those answered by what it withdraws."""
        n, about = ruling.n, ruling.about
        if about not in self.made:
            self.claims.close(n, about)
            return
        if ruling.kind == "refused":
            later = next((other for other in self._standing[subject] if other > about), None)
            if later is None:
                self.claims.reopen(about)
            else:
                self.claims.pass_on(about, later)
            self.claims.close(n, about)
            return
        if self.withdraws(about):
            self.claims.close(n, about)
            return
        answering = about if ruling.kind == "stands" else n
        if answering == n:
            self.claims.pass_on(about, n)
        self.claims.close(answering, subject)
        self.claims.close(answering, about)
