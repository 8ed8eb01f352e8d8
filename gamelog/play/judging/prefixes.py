"""The beginning of a record as a fold of its own: what was known after an event, and nothing later."""

from __future__ import annotations

from gamelog.play.fold.fold import Fold
from gamelog.play.judging.replay import openings, ruled_on


class Prefix:
    """The first events of `whole`, in a fold that can be taken further.

    That fold has seen no later event: names, penalties, takebacks, offers and rulings are those of then.
    """

    def __init__(self, whole: Fold) -> None:
        """Begin with no event."""
        self.whole = whole
        self._fold = self._begun(0)

    def fold_until(self, n: int) -> Fold:
        """Return the fold of the first `n` events. It is the same object every time if it can be.

        The fold ends before an illegal event that only a later event has ruled on.
        """
        new = self.whole.events[self._fold.n : n]
        if n < self._fold.n or ruled_on(new) or openings(self.whole.header, new):
            self._fold, new = self._begun(n), self.whole.events[:n]
        self._fold.heads += self.whole.heads[len(self._fold.heads) : n + 1]
        self._fold.extend(new)
        return self._fold

    def _begun(self, n: int) -> Fold:
        """Return a fold without events that knows what events 1 to `n` say about each other."""
        whole, events = self.whole, self.whole.events[:n]
        return Fold(
            whole.header,
            whole.game,
            ruled_on(events),
            whole.heads[: n + 1],
            whole.ancestry,
            openings(whole.header, events),
        )
