"""The names of the people who sat at the table at each event."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable

from gamelog.play.fold.common_events import Substitute
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event


class NamesAtEvents:
    """The names at each event of a fold that can grow, and at each of the `unfolded` events after it.

    An event is described with the person who sat at a seat at that event, not a later substitute. Later
    events therefore do not change a sentence.
    """

    def __init__(self, fold: Fold, unfolded: Iterable[Event] = ()) -> None:
        self._fold = fold
        self._unfolded: dict[str, list[tuple[int, str]]] = {}
        for event in unfolded:
            if isinstance(event, Substitute):
                self._unfolded.setdefault(event.seat, []).append((event.n, event.name))

    def after(self, n: int) -> Callable[[str], str]:
        """Return the function that names the person at a seat after event `n`, or the seat without a name."""
        session = self._fold.session_at(min(n, self._fold.n))
        if n <= self._fold.n or not self._unfolded:
            return session.name_of

        def name_of(seat: str) -> str:
            later = self._unfolded.get(seat, [])
            index = bisect_right(later, n, key=lambda change: change[0])
            return (later[index - 1][1] if index else "") or session.name_of(seat)

        return name_of

    def of(self, event: Event) -> Callable[[str], str]:
        """Return the function that names the seats in a sentence about `event`.

        A substitution is described with the names before it.
        """
        return self.after(event.n - isinstance(event, Substitute))
