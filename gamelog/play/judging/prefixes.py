"""The beginning of a record as a fold of its own: what was known after an event, and nothing later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamelog.play.fold.fold import Fold
from gamelog.play.judging.replay import FoldedRecord, openings, ruled_on
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import Viewer


def prefixes(whole: Fold, wanted: Iterable[int]) -> Iterator[Fold]:
    """Yield for each of the `wanted` numbers, which ascend, a fold that ends with that event of `whole`.

    Most are one object, taken further: look at each before you ask for the next. If an illegal event counts
    only because a later ruling settled it, the fold ends before that event.
    """
    prefix = Prefix(whole)
    for n in wanted:
        yield whole if n >= whole.n else prefix.fold_until(n)


def known_views(replayed: FoldedRecord, viewer: Viewer, wanted: Iterable[int]) -> Iterator[RecordView]:
    """Yield for each of the `wanted` numbers, which ascend, the record as `viewer` knew it after that event.

    Look at each view before you ask for the next.
    """
    assert replayed.fold is not None, "a record that cannot be folded has no positions"
    numbers, readable = list(wanted), replayed.readable
    for n, fold in zip(numbers, prefixes(replayed.fold, numbers), strict=True):
        yield RecordView(fold, viewer, readable[fold.n : n])


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
