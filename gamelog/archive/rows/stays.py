"""The people at a seat at which several people sat, with the events of each stay and their decisions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from gamelog.archive.rows.people import person_key, player_name
from gamelog.archive.schema import tables
from gamelog.play.fold.common_events import Substitute
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event, Seat
from gamelog.record.names import name_key


class Stays:
    """The stays at those seats of a record at which several people sat."""

    def __init__(self, fold: Fold, events: Sequence[Event]) -> None:
        changes: dict[str, list[int]] = {}
        for event in events:
            if isinstance(event, Substitute) and event.seat in fold.header.seat_ids:
                changes.setdefault(event.seat, []).append(event.n)
        self._begins = {seat: begins for seat, begins in changes.items() if _sitters(fold, seat, begins) > 1}
        self._rows = {seat: _rows(fold, seat, begins) for seat, begins in self._begins.items()}

    def count_decisions(self, deciders: Sequence[str | None], elapsed: Sequence[int]) -> None:
        """Count the decisions and thinking time of each stay.

        Args:
            deciders: For each event, the seat that decided it, or None.
            elapsed: For each event, the time of play that it took, in ms.
        """
        if self._rows:
            for n, (seat, spent) in enumerate(zip(deciders, elapsed, strict=True), 1):
                if seat in self._rows:
                    stay = self._rows[seat][bisect_right(self._begins[seat], n)]
                    stay.decisions += 1
                    stay.thinking += spent

    def sitters(self, seat: str) -> int:
        """Return the number of people who sat at `seat`."""
        return len({row.key for row in self._rows.get(seat, ())}) or 1

    def rows(self) -> list[tables.StayRow]:
        """Return all stays, seat by seat."""
        return [row for rows in self._rows.values() for row in rows]


def _person(fold: Fold, seat: str, n: int) -> Seat:
    """Return the person at `seat` after event `n`."""
    return next(person for person in fold.session_at(n).seats if person.seat == seat)


def _people(fold: Fold, seat: str, begins: Sequence[int]) -> list[Seat]:
    """Return the people at `seat`, which changed hands at these events, by their names when they left."""
    return [_person(fold, seat, begin - 1) for begin in begins] + [_person(fold, seat, fold.n)]


def _sitters(fold: Fold, seat: str, begins: Sequence[int]) -> int:
    """Return the number of people at `seat`, which changed hands at these events."""
    return len({person_key(person) for person in _people(fold, seat, begins)})


def _rows(fold: Fold, seat: str, begins: Sequence[int]) -> list[tables.StayRow]:
    """Return the stays at `seat`, which changed hands at these events."""
    return [
        tables.StayRow(
            id=fold.header.id,
            seat=seat,
            from_n=begin,
            to_n=end,
            name=person.name,
            same_name=name_key(person.name),
            key=person_key(person),
            person=person_key(person),
            player=player_name(person),
            bot=person.bot,
        )
        for person, begin, end in zip(
            _people(fold, seat, begins), [0, *begins], [*(n - 1 for n in begins), None], strict=True
        )
    ]
