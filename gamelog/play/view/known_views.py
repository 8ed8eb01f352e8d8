"""Views of a record as a viewer knew it after its events, without anything later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.judging.prefixes import prefixes
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer


def known_views(folded: FoldedRecord, viewer: Viewer, numbers: Iterable[int]) -> Iterator[RecordView]:
    """Yield the record as `viewer` knew it after each of the event `numbers`, which ascend.

    Use each view before you take the next.
    """
    assert folded.fold is not None, "a record that cannot be folded has no positions"
    ascending, readable = list(numbers), folded.readable_events
    for n, fold in zip(ascending, prefixes(folded.fold, ascending), strict=True):
        yield RecordView(fold, viewer, readable[fold.n : n])
