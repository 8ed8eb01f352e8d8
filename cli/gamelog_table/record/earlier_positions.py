"""Questions about known events of a record, which are answered apart from the record and its writers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import anyio
from msgspec import Struct, structs

from gamelog.finding import Finding
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.judging.prefixes import Prefix
from gamelog.play.judging.warnings import findings_of_play
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import Event
from gamelog.record.reading import Record, parse_record
from gamelog_table.net.denied import REPLACED, Denied
from gamelog_table.record.worker_thread import run_with_limit

_T = TypeVar("_T")


class EarlierEvents(Struct, frozen=True):
    """The first events of a record, for a viewer.

    Attributes:
        prefix: The fold of the record, apart from the fold to which events are added.
        viewer: The viewer.
        events: The events.
        failed: The reason why one of the events was refused, or None.
    """

    prefix: Prefix
    viewer: Viewer
    events: Sequence[Event]
    failed: Finding | None = None

    def view(self) -> RecordView:
        """Return the view that the viewer had after the events."""
        fold = self.prefix.fold_until(len(self.events))
        return RecordView(fold, self.viewer, self.events[fold.n :])

    def check_record(self, record: Record) -> None:
        """Raise `Denied` if `record`, which was read from the file later, is another record."""
        if record.header is None or record.header.id != self.prefix.header.id:
            raise Denied("table.replaced", REPLACED)

    def replay(self, path: Path) -> FoldedRecord:
        """Return the replay of the events, which are in the file at `path`, as far as the viewer knows it.

        Raises:
            Denied: The file has another record.
        """
        fold = self.prefix.fold_until(len(self.events))
        findings = [*findings_of_play(fold)]
        if self.failed and not self.viewer.seats:
            findings.append(self.failed)
        lines = path.read_bytes().splitlines(keepends=True)[: len(self.events) + 1]
        record = parse_record(b"".join(lines), str(path))
        self.check_record(record)
        return FoldedRecord(record, fold, self.events[: fold.n], findings, self.events[fold.n :])


class PrefixQuestions:
    """Positions of one record, folded one at a time. The last fold is kept for the next question."""

    def __init__(self) -> None:
        self._lock = anyio.Lock()
        self._prefix: Prefix | None = None

    async def ask(self, question: Callable[[EarlierEvents], _T], known: EarlierEvents) -> _T:
        """Return the answer to `question`, asked of the `known` events."""

        def asked() -> _T:
            prefix, self._prefix = self._prefix, None
            if prefix is None or not prefix.has_same_fold(known.prefix):
                prefix = known.prefix
            answer = question(structs.replace(known, prefix=prefix))
            self._prefix = prefix  # not if the game's code was stopped while it added to the fold
            return answer

        async with self._lock:
            return await run_with_limit(asked)
