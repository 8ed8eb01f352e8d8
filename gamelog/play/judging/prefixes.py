"""Folds of the first events of a record: what was known after an event, without anything later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import openings, ruled_events
from gamelog.record.envelope import Header


def prefixes(fold: Fold, numbers: Iterable[int]) -> Iterator[Fold]:
    """Yield a fold of `fold` that ends with each of the event `numbers`, which ascend.

    Most are the same object with more events, so use each before you take the next. If an illegal event
    counts only because of a later ruling, the fold ends before that event.
    """
    prefix = Prefix(fold)
    for n in numbers:
        yield prefix.shared_fold_until(n)


class Prefix:
    """The first events of a record, in a fold to which more can be added.

    The fold contains no later event, so names, penalties, takebacks, offers and rulings are as they were.
    """

    def __init__(self, fold: Fold) -> None:
        """Begin with no event."""
        self._whole = fold
        self._fold = self._new_fold(0)

    @property
    def header(self) -> Header:
        """The record's header."""
        return self._whole.header

    def is_of(self, fold: Fold) -> bool:
        """Return whether `fold` is the fold of the record."""
        return self._whole is fold

    def has_same_fold(self, other: Prefix) -> bool:
        """Return whether `other` was made from the same fold."""
        return other.is_of(self._whole)

    def has_slip(self, n: int) -> bool:
        """Return whether one of the first `n` events corrects an error in recording."""
        return any(slip <= n for slip in self._whole.slips)

    def fold_until(self, n: int) -> Fold:
        """Return the fold of the first `n` events. It is the same object every time if it can be.

        The fold ends before an illegal event that only a later event has ruled on.
        """
        new = self._whole.events[self._fold.n : n]
        if n < self._fold.n or ruled_events(new) or openings(self._whole.header, new):
            self._fold, new = self._new_fold(n), self._whole.events[:n]
        self._fold.line_heads += self._whole.line_heads[len(self._fold.line_heads) : n + 1]
        self._fold.extend(new)
        return self._fold

    def shared_fold_until(self, n: int) -> Fold:
        """Return the fold of the first `n` events to use at once: for all, the record's own."""
        return self._whole if n >= self._whole.n else self.fold_until(n)

    def _new_fold(self, n: int) -> Fold:
        """Return a fold without events that has the rulings and openings of events 1 to `n`."""
        fold, events = self._whole, self._whole.events[:n]
        return Fold(
            fold.header,
            fold.game,
            ruled_events(events),
            fold.line_heads[: n + 1],
            fold.ancestry,
            openings(fold.header, events),
        )
