"""Rulings: what the arbiter decides about events, claims and earlier rulings, and what of it is in force.

Several rulings about one event stand side by side: it may stand and cost points. A ruling about a
ruling is about the same event as that one and settles what becomes of it: ``stands`` confirms it,
``refused`` withdraws it, any other kind takes its place. A ruling that goes takes along what it
did: its points, its result, the claims it closed, and the line that it had taken back returns.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from msgspec import structs

from gamelog.play.common import Ruling
from gamelog.play.table import MANY
from gamelog.record.envelope import ARBITER

if TYPE_CHECKING:
    from gamelog.play.fold import Fold

MOVING = frozenset({"takeback", "result", "forfeit"})
"""Kinds that move the line of play or end the game."""


class Rulings:
    """The rulings of a record.

    ``made`` holds all of them by number; ``struck`` the stretches of the record that rulings have
    taken back, each as the event that it went back to and the ruling: only an arbiter goes there
    again. ``claimed`` are all claims, open or not.
    """

    def __init__(self) -> None:
        self.made: dict[int, Ruling] = {}
        self.struck: list[tuple[int, int]] = []
        self.claimed: set[int] = set()
        self._subject: dict[int, int] = {}
        self._standing: dict[int, dict[int, None]] = {}
        self._covered: dict[int, list[tuple[int, int]]] = {}
        self._closed: dict[int, tuple[tuple[int, int | None], ...]] = {}

    def about(self, n: int) -> Ruling | None:
        """The last ruling in force about event `n`."""
        last = next(reversed(self._standing.get(n, {})), None)
        return None if last is None else self.made[last]

    def all_about(self, n: int) -> list[Ruling]:
        """All rulings in force about event `n`, in their order."""
        return [self.made[ruling] for ruling in self._standing.get(n, ())]

    def moves(self, ruling: Ruling) -> bool:
        """Whether `ruling` moves the line of play or the end of the game, by itself or by the ruling that it changes."""
        earlier = self.made.get(ruling.about)
        return ruling.kind in MOVING or (ruling.kind != "stands" and earlier is not None and earlier.kind in MOVING)

    def barred(self, to: int) -> int | None:
        """The ruling that took event `to` back, which only another ruling can bring again."""
        at = bisect_left(self.struck, (to, 0))
        return self.struck[at - 1][1] if at and to < self.struck[at - 1][1] else None

    def ended(self, fold: Fold) -> int | None:
        """The ruling that has ended the game, if one has."""
        n = fold.course.last_end(fold.n)
        return n if n in self.made and n in fold.ends else None

    def strike(self, to: int, ruling: int) -> None:
        """A ruling takes the game back to event `to`: out of any stretch struck before, over those that begin later."""
        covered = self._covered[ruling] = []
        while self.struck and self.struck[-1][0] >= to:
            covered.insert(0, self.struck.pop())
        if self.struck and to < self.struck[-1][1]:
            self.struck.pop()
        self.struck.append((to, ruling))

    def _unstrike(self, ruling: int) -> None:
        """A takeback was withdrawn: its stretch is free again, but for what had been struck in it before."""
        at = next((at for at, (_, last) in enumerate(self.struck) if last == ruling), None)
        if at is not None:
            self.struck[at : at + 1] = self._covered[ruling]

    def objection(self, fold: Fold, ruling: Ruling) -> str | None:
        """Why `ruling` cannot be made, or None."""
        if ruling.by != ARBITER:
            return "only the arbiter rules"
        if not ruling.name.strip() or not ruling.reason.strip():
            return "say who rules (name) and why (reason)"
        about = ruling.about
        if about >= ruling.n:
            return f"event {about} is not in the record yet; the last is {fold.n}"
        earlier = self.made.get(about)
        if earlier is not None and about not in self._standing[self._subject[about]]:
            return f"event {about} is no ruling in force; rule on event {self._subject[about]} itself"
        match ruling.kind:
            case "takeback" if ruling.to is not None and ruling.to >= ruling.n:
                return f"event {ruling.to} is not in the record yet; the last is {fold.n}"
            case "takeback" | "stands" if ruling.to is None and not fold.stands(about):
                return f"event {about} was taken back; rule on the takeback, or take back --to the event after which play goes on"
            case "refused" if earlier is None and not self._is_claimed(fold, about):
                return f"refused answers a claim or withdraws a ruling; event {about} is neither: let it stand or take it back"
            case "penalty" if len(fold.table.penalties) >= MANY:
                return f"{MANY} penalties are in force, more than any game needs"
            case "penalty" if not ruling.points or not set(ruling.points) <= set(fold.header.seat_ids):
                return "a penalty names the points of seats of the record"
            case "result" | "forfeit" if ruling.result is None or not set(ruling.result.winners) <= set(fold.header.seat_ids):
                return f"a {ruling.kind} says with result which seats have won"
        return None

    def _is_claimed(self, fold: Fold, about: int) -> bool:
        """Whether event `about` is a claim, or an open claim is about it."""
        return about in self.claimed or any(about in claim for claim in fold.table.claims)

    def settle(self, fold: Fold, ruling: Ruling) -> Any:
        """Take up a ruling that nothing speaks against; gives the state after it."""
        n, about = ruling.n, ruling.about
        self.made[n] = ruling
        subject = self._subject[n] = self._subject.get(about, about)
        standing = self._standing.setdefault(subject, {})
        state = fold.state
        earlier = about in self.made
        if earlier and ruling.kind != "stands":
            del standing[about]
            state = self._undo(fold, ruling)
        if not (earlier and ruling.kind in ("stands", "refused")):
            standing[n] = None
        self._close(fold, n, about)
        if ruling.kind == "penalty" and ruling.points:
            fold.table = structs.replace(fold.table, penalties=(*fold.table.penalties, (n, ruling.points)))
        elif ruling.kind in ("result", "forfeit") and ruling.result:
            fold.end(n, ruling.result)
        elif ruling.kind == "takeback":
            return self._take_back(fold, n, about - 1 if ruling.to is None else ruling.to)
        return state

    def _take_back(self, fold: Fold, n: int, to: int) -> Any:
        self.strike(to, n)
        return fold.take_back(n, to)

    def _undo(self, fold: Fold, ruling: Ruling) -> Any:
        """The state without the ruling that `ruling` is about: all that it did is taken out."""
        gone = ruling.about
        table = fold.table
        penalties = tuple(given for given in table.penalties if given[0] != gone)
        fold.ends.pop(gone, None)
        fold.table = structs.replace(
            table, penalties=penalties, claims=(*table.claims, *self._closed.pop(gone, ())), outcome=fold.ended(fold.n)
        )
        if self.made[gone].kind == "takeback" and ruling.kind != "takeback" and fold.stands(gone):
            self._unstrike(gone)
            return fold.take_back(ruling.n, gone - 1)
        return fold.state

    def _close(self, fold: Fold, n: int, about: int) -> None:
        """Close the claims that a ruling answers, and remember them should it be withdrawn."""
        table = fold.table
        closed = tuple(claim for claim in table.claims if about in claim)
        if closed:
            self._closed[n] = closed
            fold.table = structs.replace(table, claims=tuple(claim for claim in table.claims if about not in claim))
