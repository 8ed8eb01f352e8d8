"""The file of a served record, with a recorder that knows its newest lines.

Its methods run on a thread, one at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TypeVar

from gamelog.errors import GamelogError, RecordError, Refused, WriteFailed
from gamelog.play.recording.recorder import EventRecorder, recover_record
from gamelog.record.reading import read_record
from gamelog_table.net.denied import REPLACED, Denied

_T = TypeVar("_T")

RecordDue = Callable[[EventRecorder], None]
"""A function that records what is due and follows from a secret that the server keeps."""

_TRY_SECONDS = 0.5
"""Seconds until the next attempt after the disk has refused an event."""


class FileState(NamedTuple):
    """The state of a file. If two states are equal, the file has not changed."""

    size: int
    mtime_ns: int
    inode: int


class RecordSource:
    """The file of a served record, which other programs can write too.

    Attributes:
        path: The file.
        id: The id of the record, or empty if it is unknown.
        problem: The reason why the record cannot be read, or None.
        last: The number of the last known event.
        edition: The number of times that known lines were changed, or the record became unreadable.
        is_replaced: Whether the file has another record now.
    """

    def __init__(self, path: Path, record_due: RecordDue | None, on_opened: Callable[[], None]) -> None:
        """Prepare the file, which is read later.

        Args:
            path: The file.
            record_due: Records what is due, or None.
            on_opened: Is called whenever the whole file has been read.
        """
        self.path, self.has_record_due = path, record_due is not None
        self._record_due, self._on_opened = record_due, on_opened
        self.id, self.is_replaced = "", False
        self.problem: GamelogError | None = None
        self.last = self.edition = 0
        self._recorder: EventRecorder | None = None
        self._file_state: FileState | None = None
        self._unwritten: WriteFailed | None = None
        self._next_try = 0.0

    @property
    def known_recorder(self) -> EventRecorder | None:
        """The recorder, or None if the record cannot be read or has not been read yet."""
        return self._recorder

    @property
    def recorder(self) -> EventRecorder:
        """The recorder.

        Raises:
            GamelogError: The record cannot be read.
        """
        if self._recorder is None:
            raise self.problem or RecordError(f"{self.path} is not open.")
        return self._recorder

    @property
    def size(self) -> int:
        """The size of the record's file, if it is known."""
        return self._file_state.size if self._file_state else 0

    @property
    def may_have_changed(self) -> bool:
        """Whether the file has changed since it was read, or an event could not be written."""
        return self.file_state() != self._file_state or self._unwritten is not None

    @property
    def is_read(self) -> bool:
        """Whether the record has been read, or its error is known."""
        return self._recorder is not None or self.problem is not None

    def keep_problem(self, error: Denied) -> None:
        """Keep `error` until the file changes."""
        self.problem, self._file_state = error, self.file_state()

    def forget(self) -> None:
        """Read the record again at its next use, because the state of the recorder is unknown."""
        self._recorder, self._file_state = None, None

    def mark_replaced(self) -> None:
        """Note that the file has another record now."""
        self.is_replaced = True

    def open(self) -> None:
        """Read the whole record. If it has an error, the error is kept in `problem`.

        A new edition begins if its earlier lines have changed.
        """
        self._file_state = self.file_state()
        before = self._recorder.head if self._recorder else None
        known = self.last
        try:
            self._recorder, self.problem = self._read(), None
        except GamelogError as error:
            self._recorder, self.problem = None, error
            self.edition += 1
            return
        self.id = self.id or self._recorder.record_view.header.id
        if self.id != self._recorder.record_view.header.id:
            self._recorder, self.problem = None, Denied("table.replaced", REPLACED)
            self.is_replaced = True
            return
        self._add_due_events(self._recorder)
        self.last = self._recorder.n
        heads = self._recorder.fold.line_heads
        if before is not None and not (known < len(heads) and heads[known].decode() == before):
            self.edition += 1  # the lines that followers have are not in the file any more
        self._on_opened()

    def _read(self) -> EventRecorder:
        """Return a recorder of the record, also of a record that can only be read at the moment."""
        try:
            return EventRecorder(self.path)
        except WriteFailed:
            return EventRecorder(self.path, only_rehearse=True)

    def file_state(self) -> FileState | None:
        """Return the present state of the file, or None without a file."""
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return FileState(status.st_size, status.st_mtime_ns, status.st_ino)

    def refresh(self) -> None:
        """Read what other programs have changed in the file, if anything."""
        if self.is_replaced:
            return
        if self._unwritten:
            self._read_again()
        if self._unwritten:
            return
        state = self.file_state()
        if self._recorder is None or not self._recorder.is_good:
            if self._recorder is not None or state != self._file_state:
                self.open()
            return
        if state == self._file_state:
            return
        grown = (
            state is not None
            and self._file_state is not None
            and state.size > self._file_state.size
            and state.inode == self._file_state.inode
        )
        try:
            if not grown:
                self.open()
                return
            self._recorder.refresh()
        except WriteFailed:  # the record can still be read, and other programs cannot write either
            return
        except GamelogError:
            self.open()
            return
        self._add_due_events(self._recorder)
        self.last, self._file_state = self._recorder.n, self.file_state() if self._record_due else state

    def _read_again(self) -> None:
        """Read the record again after the disk has refused an event.

        A torn end of an unconfirmed event is moved to another file as soon as there is room. Until then the
        known events are served.
        """
        if monotonic() < self._next_try:
            return
        self._next_try = monotonic() + _TRY_SECONDS
        try:
            problem = read_record(self.path).problem
            if problem and problem.code == "record.torn":
                recover_record(self.path)
        except WriteFailed:
            return
        except GamelogError:
            pass  # `open` keeps the error
        self._unwritten = None
        self.open()

    def _add_due_events(self, recorder: EventRecorder) -> None:
        if self._record_due is not None and not self._unwritten:
            self._record_due(recorder)
            if not recorder.is_good:
                self._wait_for_disk(WriteFailed(f"{self.path} cannot be written just now."))

    def _wait_for_disk(self, error: WriteFailed) -> None:
        """Record no more events until the record can be read again, and answer with `error` until then."""
        self._unwritten, self._next_try = error, monotonic() + _TRY_SECONDS

    def write(self, work: Callable[[EventRecorder], _T]) -> _T:
        """Run `work`, which writes with the recorder, and return its result. Call `refresh` first.

        If the record must be read again first, `work` runs twice.

        Raises:
            GamelogError: `work` refuses, or the record cannot be read.
            WriteFailed: The disk refuses an event, or has refused an earlier one.
        """
        try:
            if self._unwritten:
                raise WriteFailed(self._unwritten.message)
            try:
                return work(self.recorder)
            except WriteFailed as error:
                if not self.recorder.is_good:
                    self._wait_for_disk(error)
                raise
            except (Refused, RecordError) as error:
                if self.recorder.is_good and isinstance(error, Refused):
                    raise
                # there is a new ruling on an event, or the content of the disk is unknown
                self.open()
                if isinstance(error, RecordError):
                    raise
                return work(self.recorder)
        finally:
            if self._recorder is not None:
                self._add_due_events(self._recorder)
                self.last, self._file_state = self._recorder.n, self.file_state()
