"""Questions about earlier positions of a record, which are answered apart from the record and its writers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import anyio
from msgspec import Struct

from gamelog.play.judging.prefixes import Prefix
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import Viewer
from gamelog.record.envelope import Event
from gamelog_table.worker_thread import run_bounded

_T = TypeVar("_T")


class EarlierEvents(Struct, frozen=True):
    """The first `events` of a record for `viewer`, and a new `prefix` of its fold."""

    prefix: Prefix
    viewer: Viewer
    events: Sequence[Event]


class EarlierPositions:
    """Positions of one record, folded one at a time. The last fold is kept for the next question."""

    def __init__(self) -> None:
        self._lock = anyio.Lock()
        self._prefix: Prefix | None = None

    async def ask(self, question: Callable[[RecordView], _T], known: EarlierEvents) -> _T:
        """Return the answer to `question`, asked of the view that a viewer had after the `known` events."""

        def asked() -> _T:
            prefix, self._prefix = self._prefix, None
            if prefix is None or prefix.whole is not known.prefix.whole:
                prefix = known.prefix
            fold = prefix.fold_until(len(known.events))
            answer = question(RecordView(fold, known.viewer, known.events[fold.n :]))
            self._prefix = prefix  # not if the game's code was stopped while it added to the fold
            return answer

        async with self._lock:
            return await run_bounded(asked)
