"""Rulings: what the arbiter decides about events, claims and earlier rulings, and what of it is in force.

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
from copy import copy
from typing import TYPE_CHECKING, Any

from msgspec import structs

from gamelog.errors import Refused
from gamelog.play.claims import Claims
from gamelog.play.common import Ruling
from gamelog.play.game import Outcome
from gamelog.play.struck import Struck

if TYPE_CHECKING:
    from gamelog.play.fold import Fold

MOVING = frozenset({"takeback", "result", "forfeit"})
"""Kinds that move the line of play or end the game."""


class Rulings:
    """The rulings of a record.

    ``made`` holds all of them by number; ``penalties`` the points given or taken by those in force;
    ``claims`` are what players want to be ruled on.
    """

    def __init__(self) -> None:
        self.made: dict[int, Ruling] = {}
        self.penalties: dict[int, dict[str, int]] = {}
        self.claims = Claims()
        self._struck = Struck()
        self._subject: dict[int, int] = {}
        self._standing: dict[int, dict[int, None]] = {}
        self._followers: defaultdict[int, list[int]] = defaultdict(list)
        self._ever: dict[int, list[int]] = {}
        self._gone: dict[int, int] = {}
        self._moving: dict[int, Outcome | None] = {}
        self._again: dict[int, list[int]] = {}
        self._until: int | None = None

    def known(self, n: int) -> Rulings:
        """The rulings as they were known after event `n`: to be asked what is `about` an event, and whether `n` is a claim."""
        then = copy(self)
        then._until, then.claims = n, Claims()
        if n in self.claims.made:
            then.claims.add(n, self.claims.made[n])
        return then

    def about(self, n: int) -> Ruling | None:
        """The last ruling in force about event `n`."""
        last = next(reversed(self._in_force(n)), None)
        return None if last is None else self.made[last]

    def all_about(self, n: int) -> list[Ruling]:
        """All rulings in force about event `n`, in their order."""
        return [self.made[ruling] for ruling in self._in_force(n)]

    def _in_force(self, n: int) -> dict[int, None] | list[int]:
        until = self._until
        if until is None:
            return self._standing.get(n, {})
        return [ruling for ruling in self._ever.get(n, ()) if ruling <= until < self._gone.get(ruling, until + 1)]

    def every(self, n: int) -> list[Ruling]:
        """All rulings about event `n` that are or were in force, in their order."""
        until = self._until
        return [self.made[ruling] for ruling in self._ever.get(n, ()) if until is None or ruling <= until]

    def state(self, n: int) -> str:
        """Whether ruling `n` is in force, or what has become of it, in words."""
        gone = self.gone(n)
        if gone is None or (self._until is not None and gone > self._until):
            return "in force"
        what = "it" if self._gone.get(n) else "what it confirms"
        return f"event {gone} has {'withdrawn' if self.made[gone].kind == 'refused' else 'replaced'} {what}"

    def concerning(self, n: int) -> list[int]:
        """The numbers of all claims and rulings about event `n`, and about any of these, in their order."""
        found, due = [], [*self._followers.get(n, ())]
        while due:
            found.append(due.pop())
            due += self._followers.get(found[-1], ())
        return sorted(found)

    def in_force(self, n: int) -> bool:
        """Whether ruling `n` is in force: not withdrawn, not replaced and no withdrawal; a confirmation with what it confirms."""
        ruling = self.made[n]
        if ruling.about in self.made and ruling.kind in ("stands", "refused"):
            return ruling.kind == "stands" and ruling.about not in self._gone
        return n not in self._gone

    def gone(self, n: int) -> int | None:
        """The ruling that has withdrawn ruling `n` or taken its place, or that of what it confirms."""
        ruling = self.made[n]
        return self._gone.get(n) or (self._gone.get(ruling.about) if ruling.kind == "stands" else None)

    def withdrawn(self) -> Iterator[tuple[int, int]]:
        """The rulings that are no longer in force, confirmations of such among them, each with the one that has done it."""
        for n in self.made:
            gone = self.gone(n)
            if gone:
                yield n, gone

    def changes(self) -> dict[int, Ruling]:
        """By event or claim, the last ruling in force that changed the game: its line, its end or its points."""
        found = {}
        for n in self._ever:
            for ruling in self.all_about(n):
                if ruling.kind not in ("stands", "refused"):
                    found[n] = ruling
        return found

    def upheld(self, fold: Fold, about: int) -> int:
        """The event after which the game goes on when a takeback, without saying so, is the answer to claim or ruling `about`.

        That is the one before what the claim, or the ruling, is about. Raises `Refused` where there is no such event.
        """
        where = "say with --to N (to, in JSON) after which event the game goes on"
        if about in self.made and self.made[about].kind == "takeback":
            raise Refused(f"Event {about} is a takeback itself: withdraw it with refused, or {where}.")
        subject = self._subject.get(about, about)
        while subject in self.claims.made:
            target = self.claims.made[subject]
            if target is None:
                raise Refused(f"The claim of event {subject} names no event: {where}.")
            subject = target
        if not fold.stands(subject):
            raise Refused(f"Event {subject} was taken back already: {where}.")
        return subject - 1

    def moves(self, ruling: Ruling) -> bool:
        """Whether `ruling` moves the line of play or the end of the game, by itself or by the ruling that it changes."""
        earlier = self.made.get(ruling.about)
        return ruling.kind in MOVING or (ruling.kind != "stands" and earlier is not None and earlier.kind in MOVING)

    def barred(self, to: int) -> int | None:
        """The ruling that took event `to` back, which only another ruling can bring again."""
        return self._struck.covering(to)

    def ended(self, fold: Fold) -> int | None:
        """The ruling that has ended the game, if one has."""
        n = fold.course.last_end(fold.n)
        return n if n in self.made else None

    def claimed(self, n: int, about: int | None) -> None:
        """Take up a claim."""
        self.claims.add(n, about)
        if about is not None:
            self._followers[about].append(n)

    def subject(self, n: int) -> int:
        """What ruling `n` is about in the end: the event, or the claim, that all rulings about one another are about."""
        return self._subject[n]

    def standing(self, n: int) -> bool:
        """Whether ruling `n` is one of those in force that say what becomes of their subject."""
        return n in self._standing[self._subject[n]]

    def withdraws(self, n: int) -> bool:
        """Whether ruling `n` withdraws another."""
        return self.made[n].kind == "refused" and self.made[n].about in self.made

    def settle(self, fold: Fold, ruling: Ruling) -> Any:
        """Take up a ruling that nothing speaks against; gives the state after it."""
        n, about = ruling.n, ruling.about
        self.made[n] = ruling
        self._followers[about].append(n)
        subject = self._subject[n] = self._subject.get(about, about)
        standing = self._standing.setdefault(subject, {})
        state = fold.state
        earlier = self.made.get(about)
        if earlier is not None and ruling.kind != "stands":
            del standing[about]
            self._gone[about] = n
            state = self._undo(fold, ruling)
        if earlier is None or ruling.kind not in ("stands", "refused"):
            standing[n] = None
            self._ever.setdefault(subject, []).append(n)
        self._answer(ruling, subject)
        if ruling.kind == "penalty" and ruling.points:
            self.penalties[n] = ruling.points
            _give(fold, ruling.points, 1)
        elif ruling.kind in ("result", "forfeit") and ruling.result:
            self._moving[n] = ruling.result
            fold.end(n, ruling.result)
        elif ruling.kind == "takeback":
            to = about - 1 if ruling.to is None else ruling.to
            self._struck.add(n, to)
            self._moving[n] = None
            return fold.take_back(n, to, ruled=True)
        if ruling.kind in ("penalty", "refused") and earlier is not None and earlier.kind in MOVING:
            self._decide_again(fold, n)
        return state

    def overtaken(self, n: int) -> None:
        """Event `n`, a takeback by the arbiter that is no ruling, opens the game again, whoever had been given it."""
        self._moving[n] = None

    def _decide_again(self, fold: Fold, n: int) -> None:
        """Let the last ruling in force that moves the game have the say after event `n`, on whatever line it was made."""
        last, result = next(reversed(self._moving.items()), (0, None))
        if result and fold.course.last_end(n) not in (last, *self._again.get(last, ())):
            self._again.setdefault(last, []).append(n)
            fold.end(n, result)
        elif last and not result and n in fold.jumps:
            fold.course.hang(n, last)

    def _undo(self, fold: Fold, ruling: Ruling) -> Any:
        """The state without the ruling that `ruling` is about: all that it did is taken out, but for the claims it closed."""
        gone = ruling.about
        points = self.penalties.pop(gone, None)
        if points:
            _give(fold, points, -1)
        if self._moving.pop(gone, None):
            for end in (gone, *self._again.pop(gone, ())):
                fold.withdraw_end(end)
        if self.made[gone].kind == "takeback":
            self._struck.withdraw(gone)
            fold.course.fall(gone)
            landing = fold.course.landing(fold.n)
            if ruling.kind != "takeback" and landing != fold.n:
                return fold.take_back(ruling.n, landing, ruled=True)
        return fold.state

    def _answer(self, ruling: Ruling, subject: int) -> None:
        """Close the claims that `ruling` answers, and open those again that a ruling had answered which it withdraws."""
        n, about = ruling.n, ruling.about
        if about not in self.made:
            self.claims.close(n, about)
            return
        if ruling.kind == "refused":
            self.claims.reopen(about)
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


def _give(fold: Fold, points: dict[str, int], sign: int) -> None:
    """Change what the seats have been given by `points`, `sign` times."""
    now = dict(fold.table.penalties)
    for seat, number in points.items():
        now[seat] = now.get(seat, 0) + sign * number
    fold.table = structs.replace(fold.table, penalties=now)
