"""The ruling book: the arbiter's decisions, and the decisions that are in force.

Several rulings about one event can be in force together: the event may count and cost points. A ruling about
a ruling concerns the same event. ``stands`` confirms the earlier ruling, ``refused`` withdraws it, and any
other kind replaces it and answers what it has answered. A withdrawn or replaced ruling loses its effect: its
points, its result and the claims it closed; a line that it took back returns.

So the line and the end of the game follow only from the rulings in force, as if the others were notes. Events
played on the line of a ruling that is gone are gone too. A replaced ruling does not return when its successor
is withdrawn. Of the rulings in force, the last that moves the line or ends the game decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gamelog.message import Message
from gamelog.play.fold.common_events import Ruling
from gamelog.play.fold.parts.claims import Claims
from gamelog.play.fold.parts.copying import FoldPart
from gamelog.play.fold.parts.ruling_effects import RulingEffects

MOVING_KINDS = frozenset({"takeback", "result", "forfeit"})
"""Kinds that change the main line or end the game."""

_CHANGING = MOVING_KINDS | {"penalty", "clock"}
"""Kinds that change the game: its line, its end, its points or its clock."""


class RulingBook(FoldPart):
    """The rulings of a record, and the rulings that are in force. `gamelog.play.fold.ruling` applies them.

    Attributes:
        by_number: All rulings by number.
        effects: What the rulings in force have changed.
        claims: The claims of the players.
    """

    def __init__(self) -> None:
        """Start without rulings, penalties and claims."""
        self.by_number: dict[int, Ruling] = {}
        self.effects = RulingEffects()
        self.claims = Claims()
        self._subject: dict[int, int] = {}
        self._standing: dict[int, dict[int, None]] = {}
        self._followers: defaultdict[int, list[int]] = defaultdict(list)
        self._ever: dict[int, list[int]] = {}
        self._enders: dict[int, int] = {}

    def ruling_about(self, n: int) -> Ruling | None:
        """Return the last ruling in force about event `n`."""
        last = next(reversed(self._standing.get(n, {})), None)
        return None if last is None else self.by_number[last]

    def rulings_about(self, n: int) -> list[Ruling]:
        """Return all rulings in force about event `n`, in the order of the record."""
        return [self.by_number[ruling] for ruling in self._standing.get(n, {})]

    def rulings_ever_about(self, n: int) -> list[Ruling]:
        """Return all rulings about event `n` that are or were in force, in the order of the record."""
        return [self.by_number[ruling] for ruling in self._ever.get(n, ())]

    def state_message(self, n: int) -> Message:
        """Return in words whether ruling `n` is in force, or which event ended it."""
        ending = self.ended_by(n)
        if ending is None:
            return Message.of("in force")
        withdrawn = self.by_number[ending].kind == "refused"
        if self._enders.get(n):
            text = "event {n} has withdrawn it" if withdrawn else "event {n} has replaced it"
        elif withdrawn:
            text = "event {n} has withdrawn what it confirms"
        else:
            text = "event {n} has replaced what it confirms"
        return Message.of(text, n=ending)

    def claims_and_rulings_about(self, n: int) -> list[int]:
        """Return the numbers of all claims and rulings about event `n`, also indirect ones, ascending."""
        numbers, due = [], [*self._followers.get(n, ())]
        while due:
            numbers.append(due.pop())
            due += self._followers.get(numbers[-1], ())
        return sorted(numbers)

    def is_in_force(self, n: int) -> bool:
        """Return whether ruling `n` is in force: neither withdrawn nor replaced, and not itself a withdrawal.

        A confirmation is in force if the confirmed ruling is.
        """
        ruling = self.by_number[n]
        if ruling.about in self.by_number and ruling.kind in ("stands", "refused"):
            return ruling.kind == "stands" and ruling.about not in self._enders
        return n not in self._enders

    def ended_by(self, n: int) -> int | None:
        """Return the ruling that withdrew or replaced ruling `n`, or the ruling that `n` confirms."""
        ruling = self.by_number[n]
        return self._enders.get(n) or (self._enders.get(ruling.about) if ruling.kind == "stands" else None)

    def withdrawn(self) -> Iterator[tuple[int, int]]:
        """Yield each ruling that is no longer in force with the ruling that ended it.

        Confirmations end with the ruling that they confirm.
        """
        for n in self.by_number:
            ending = self.ended_by(n)
            if ending:
                yield n, ending

    def withdrawn_by(self, n: int) -> tuple[int, ...]:
        """Return the rulings that ruling `n` withdrew or replaced, and their confirmations."""
        about, earlier = self.by_number[n].about, self.by_number.get(self.by_number[n].about)
        if earlier is None or self.by_number[n].kind == "stands" or self._enders.get(about) != n:
            return ()
        confirmed = (
            ruling for ruling in self._followers.get(about, ()) if ruling < n and ruling in self.by_number
        )
        return (about, *(ruling for ruling in confirmed if self.by_number[ruling].kind == "stands"))

    def changes(self) -> dict[int, Ruling]:
        """Return the last ruling in force that changed the game, by event or claim."""
        last_rulings = {}
        for n in self._ever:
            for ruling in self.rulings_about(n):
                if ruling.kind in _CHANGING:
                    last_rulings[n] = ruling
        return last_rulings

    def moves_game(self, ruling: Ruling) -> bool:
        """Return whether `ruling`, or the ruling it changes, moves the line or the end of the game."""
        earlier = self.by_number.get(ruling.about)
        return ruling.kind in MOVING_KINDS or (
            ruling.kind != "stands" and earlier is not None and earlier.kind in MOVING_KINDS
        )

    def add_claim(self, n: int, about: int | None, by: str) -> None:
        """Add a claim of the seat `by`."""
        self.claims.add(n, about, by)
        if about is not None:
            self._followers[about].append(n)

    def subject(self, n: int) -> int:
        """Return the event or claim that ruling `n` is about, through other rulings.

        If `n` is not a ruling, return `n`.
        """
        return self._subject.get(n, n)

    def is_current(self, n: int) -> bool:
        """Return whether ruling `n` is one of the rulings in force about its subject."""
        return n in self._standing[self._subject[n]]

    def is_withdrawal(self, n: int) -> bool:
        """Return whether ruling `n` withdraws another."""
        return self.by_number[n].kind == "refused" and self.by_number[n].about in self.by_number

    def add(self, ruling: Ruling) -> None:
        """Add a valid ruling. The ruling that it replaces or withdraws is no longer in force."""
        n, about = ruling.n, ruling.about
        self.by_number[n] = ruling
        self._followers[about].append(n)
        subject = self._subject[n] = self._subject.get(about, about)
        standing = self._standing.setdefault(subject, {})
        if about in self.by_number and ruling.kind != "stands":
            del standing[about]
            self._enders[about] = n
        if about not in self.by_number or ruling.kind not in ("stands", "refused"):
            standing[n] = None
            self._ever.setdefault(subject, []).append(n)
        self._answer(ruling, subject)

    def _answer(self, ruling: Ruling, subject: int) -> None:
        """Close the claims that `ruling` answers.

        Reopen the claims that were answered by a ruling it withdraws.
        """
        n, about = ruling.n, ruling.about
        if about not in self.by_number:
            self.claims.close(n, about)
            return
        if ruling.kind == "refused":
            later = next((other for other in self._standing[subject] if other > about), None)
            if later is None:
                self.claims.reopen(about)
            else:
                self.claims.reassign(about, later)
            self.claims.close(n, about)
            return
        if self.is_withdrawal(about):
            self.claims.close(n, about)
            return
        answering = about if ruling.kind == "stands" else n
        if answering == n:
            self.claims.reassign(about, n)
        self.claims.close(answering, subject)
        self.claims.close(answering, about)
