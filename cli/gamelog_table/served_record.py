"""One record at the table, with one writer at a time, a watch for other programs, and many followers.

All work with the recorder runs on a thread and under one lock, so that the server continues while the disk is
busy. Each link has one request at a time before this lock, so a link with many requests delays others only by
one. A follower takes new events at its own speed; no events are queued for it.
"""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import anyio

from gamelog.errors import GamelogError, Locked, RecordError, Refused, WriteFailed
from gamelog.play.contract.game import AnyGame
from gamelog.play.recording.recorder import EventRecorder, recover_record
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import Seat
from gamelog.record.reading import read_record
from gamelog_table.earlier_positions import EarlierEvents, EarlierPositions
from gamelog_table.followers import Delay, Followers, Standpoint
from gamelog_table.frames import MAX_KEPT_FRAMES, KeptFrames
from gamelog_table.links import Grant, LinkBook
from gamelog_table.record_views import RecordViews, events_until, last_shown, people_at
from gamelog_table.responses import BAD_LINK, REPLACED, UNREADABLE, Denied
from gamelog_table.worker_thread import GAME_TOO_SLOW, OPEN_SECONDS, run_with_limit

_T = TypeVar("_T")

RecordDue = Callable[[EventRecorder], None]
"""A function that records what is due and follows from a secret that the server keeps."""

_TRY_SECONDS = 0.5
"""Seconds until the next attempt after the disk has refused an event."""


class ServedRecord:
    """The record at `path`, called `name`. `open` it before anything else."""

    def __init__(
        self, path: Path, name: str, record_due: RecordDue | None = None, links: LinkBook | None = None
    ) -> None:
        """Prepare the record, which is opened on its first use.

        Args:
            path: The file.
            name: The name in the folder.
            record_due: Records what is due, or None.
            links: The links that can open the record, or None if all can.
        """
        self.path, self.name, self._record_due, self._links = path, name, record_due, links
        self.problem: GamelogError | None = None
        self.last = self.edition = 0
        self._recorder: EventRecorder | None = None
        self._lock = anyio.Lock()
        self._turns: defaultdict[Grant, anyio.Lock] = defaultdict(anyio.Lock)
        self._earlier = EarlierPositions()
        self._frames = KeptFrames()
        self._views = RecordViews()
        self._status: tuple[int, int, int] | None = None
        self._unwritten: WriteFailed | None = None
        self._try_again = 0.0
        self.followers = Followers()
        self.id, self.closed, self.is_replaced = "", False, False

    def error_text(self, error: GamelogError) -> str:
        """Return the message of `error` without the path of the record's folder, which is private."""
        return str(error).replace(f"{self.path.parent}{os.sep}", "")

    def shown_problem(self, *, whole: bool) -> GamelogError | None:
        """Return the error of the record, with its reason if the viewer may see the `whole` record."""
        if whole or self.problem is None or isinstance(self.problem, (Denied, Locked, WriteFailed)):
            return self.problem
        return Denied("table.unreadable", UNREADABLE)

    @property
    def recorder(self) -> EventRecorder:
        """The recorder, for use under the lock.

        Raises:
            GamelogError: The record cannot be read.
        """
        if self._recorder is None:
            raise self.problem or RecordError(f"{self.path} is not open.")
        return self._recorder

    @property
    def game(self) -> AnyGame | None:
        """The record's game, if it is known."""
        return self._recorder.fold.game if self._recorder else None

    @property
    def size(self) -> int:
        """The size of the record's file, if it is known."""
        return self._status[0] if self._status else 0

    @property
    def issue(self) -> int:
        """The number of the current secret of the links."""
        return self._links.issue if self._links else 0

    def admits(self, grant: Grant) -> bool:
        """Return whether the link of `grant` still opens this record."""
        return grant.issue in (None, self.issue) and grant.record in ("", self.id or grant.record)

    def retire(self) -> None:
        """End all streams and refuse all requests, because the file has another record now."""
        self.is_replaced = self.closed = True
        self.wake()

    def check(self, grant: Grant) -> None:
        """Raise `Denied` if the file has another record, or the link of `grant` does not open the record."""
        if self.is_replaced:
            raise Denied("table.replaced", REPLACED)
        if not self.admits(grant):
            raise Denied("table.bad_link", BAD_LINK)

    async def open(self) -> None:
        """Read the record once. If the record has an error, it is kept in `problem`."""
        async with self._lock:
            if self._recorder is None and self.problem is None:
                try:
                    await self._on_thread(self._open, OPEN_SECONDS)
                except Denied as error:  # the next attempt follows when the file has changed
                    self.problem, self._status = error, self._stat()

    def _open(self) -> None:
        """Read the record again. A new edition begins if its earlier lines have changed."""
        self._status = self._stat()
        before = self._recorder.head if self._recorder else None
        known = self.last
        try:
            self._recorder, self.problem = self._read(), None
        except GamelogError as error:
            self._recorder, self.problem = None, error
            self.edition += 1
            return
        self.id = self.id or self._recorder.fold.header.id
        if self.id != self._recorder.fold.header.id:
            self._recorder, self.problem = None, Denied("table.replaced", REPLACED)
            self.is_replaced = self.closed = True
            return
        self._record_due_events(self._recorder)
        self.last = self._recorder.n
        heads = self._recorder.fold.heads
        if before is not None and not (known < len(heads) and heads[known].decode() == before):
            self.edition += 1  # the lines that followers have are not in the file any more
        self._frames.clear()

    def _read(self) -> EventRecorder:
        """Return a recorder of the record, also of a record that can only be read at the moment."""
        try:
            return EventRecorder(self.path)
        except WriteFailed:
            return EventRecorder(self.path, only_rehearse=True)

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_size, found.st_mtime_ns, found.st_ino

    async def _on_thread(self, work: Callable[[], _T], seconds: float | None = None) -> _T:
        """Return the result of `work` on a thread, encode new events, and wake the followers.

        Raises:
            Denied: The work takes longer than `seconds`. The state of the recorder is then unknown, so the
                record is read again.
        """
        before = self.last, self.edition, self.problem
        standpoints = self.followers.standpoints

        def run() -> _T:
            try:
                return work()
            finally:
                new = range(1, MAX_KEPT_FRAMES // (len(standpoints) or 1))
                if self._recorder is not None and self.last - before[0] in new:
                    with suppress(Exception):  # a follower asks again; the one who wrote gets an answer
                        for standpoint in standpoints:
                            self._make_frames(standpoint, standpoint.next + MAX_KEPT_FRAMES)

        try:
            return await run_with_limit(run, seconds)
        except Denied as error:
            if error.code == GAME_TOO_SLOW:
                self._recorder, self._status = None, None
            raise
        finally:
            if (self.last, self.edition, self.problem) != before:
                asyncio.get_running_loop().call_soon(self.wake)  # the writer gets an answer first

    def wake(self) -> None:
        """Wake all followers."""
        self.followers.wake(self)

    async def ask(
        self, question: Callable[[RecordView], _T], grant: Grant, delay: Delay, at: int | None = None
    ) -> _T:
        """Return the answer to `question`, asked of the record as a link may know it.

        Args:
            question: Returns the answer from a view of the record. It runs on another thread.
            grant: The permission of the link. Each link has one question at a time.
            delay: The delay after which the view ends.
            at: The last event of the view; None for the last event that the link may know.

        Raises:
            GamelogError: The record cannot be read.
            Denied: Event `at` is not visible, or the link was withdrawn meanwhile.
        """

        def asked() -> _T | EarlierEvents:
            view = self._known_view(grant, delay)
            return question(view) if at in (None, view.last) else events_until(self.recorder, view, at)

        async with self._turns[grant]:
            async with self._lock:
                found = await self._on_thread(asked)
            if isinstance(found, EarlierEvents):
                found = await self._earlier.ask(lambda known: question(known.view()), found)
        self.check(grant)  # the link can have been withdrawn since
        return found

    async def ask_apart(self, question: Callable[[EarlierEvents], _T], grant: Grant, delay: Delay) -> _T:
        """Return the answer to `question`, which takes long, while others can write.

        It is asked of all events that a link may know. Raises what `ask` raises.
        """

        def known() -> EarlierEvents:
            view = self._known_view(grant, delay)
            return events_until(self.recorder, view, view.last)

        async with self._turns[grant]:
            async with self._lock:
                found = await self._on_thread(known)
            answer = await self._earlier.ask(question, found)
        self.check(grant)  # the link can have been withdrawn since
        return answer

    def _known_view(self, grant: Grant, delay: Delay) -> RecordView:
        """Return the record, with the newest lines of its file, as the link of `grant` may know it.

        Raises:
            GamelogError: The record cannot be read, or the link was withdrawn.
        """
        self._refresh()
        self.check(grant)
        problem = self.shown_problem(whole=grant.sees_all)
        if problem is not None and self._recorder is None:
            raise problem
        return self.view(grant.viewer(self.recorder.fold.header.seat_ids).seats, delay)

    def view(self, seats: tuple[str, ...], delay: Delay) -> RecordView:
        """Return the record as `seats` can know it, up to the last event that is visible with `delay`."""
        recorder = self.recorder
        n = recorder.n if delay == Delay() else self.last_shown(delay)
        return self._views.view(recorder, seats, n)

    def rehearsal(self, view: RecordView) -> EventRecorder:
        """Return a recorder that rehearses in the last position as the viewer of `view` knows it."""
        return self.recorder.rehearsal(view.viewer)

    def now(self, view: RecordView) -> int:
        """Return the ``t`` that an event after the last one of `view` would have now."""
        return view.time_at(self.recorder.clock(view.header))

    def long_idle(self) -> dict[str, Any] | None:
        """Return the idle time and the pause to record if it does not count, or None if it is short."""
        recorder = self.recorder
        return {"ms": recorder.idle, "pause": dict(recorder.idle_pause())} if recorder.is_idle_long else None

    async def look(self) -> None:
        """Read the events of other programs."""
        if self._stat() == self._status and not self._unwritten:
            return
        async with self._lock:
            with suppress(Denied):  # the next request gets the error
                await self._on_thread(self._refresh)

    def _refresh(self) -> None:
        """Read what other programs have changed in the file, if anything."""
        if self.is_replaced:
            return
        if self._unwritten:
            self._read_again()
        if self._unwritten:
            return
        status = self._stat()
        if self._recorder is None or not self._recorder.is_good:
            if self._recorder is not None or status != self._status:
                self._open()
            return
        if status == self._status:
            return
        grown = (
            status is not None
            and self._status is not None
            and status[0] > self._status[0]
            and status[2] == self._status[2]
        )
        try:
            if not grown:
                self._open()
                return
            self._recorder.refresh()
        except WriteFailed:  # the record can still be read, and other programs cannot write either
            return
        except GamelogError:
            self._open()
            return
        self._record_due_events(self._recorder)
        self.last, self._status = self._recorder.n, self._stat() if self._record_due else status

    def _read_again(self) -> None:
        """Read the record again after the disk has refused an event.

        A torn end of an unconfirmed event is moved to another file as soon as there is room. Until then the
        known events are served.
        """
        if monotonic() < self._try_again:
            return
        self._try_again = monotonic() + _TRY_SECONDS
        try:
            problem = read_record(self.path).problem
            if problem and problem.code == "record.torn":
                recover_record(self.path)
        except WriteFailed:
            return
        except GamelogError:
            pass  # `_open` keeps the error
        self._unwritten = None
        self._open()

    def _record_due_events(self, recorder: EventRecorder) -> None:
        if self._record_due is not None and not self._unwritten:
            self._record_due(recorder)
            if not recorder.is_good:
                self._wait_for_disk(WriteFailed(f"{self.path} cannot be written just now."))

    def _wait_for_disk(self, error: WriteFailed) -> None:
        """Record no more events until the record can be read again, and answer with `error` until then."""
        self._unwritten, self._try_again = error, monotonic() + _TRY_SECONDS

    @property
    def is_watched(self) -> bool:
        """Whether the server has to notice at once what other programs write."""
        return bool(self.followers) or self._record_due is not None

    async def change(self, work: Callable[[EventRecorder], _T], grant: Grant) -> _T:
        """Run `work`, which writes with the recorder for the link of `grant`, and return its result.

        If the record must be read again first, `work` runs twice. Raises what `work` raises, or `Denied`.
        """

        def written() -> _T:
            """Return the result of `work` on the recorder, after it knows the newest lines."""
            self._refresh()
            self.check(grant)
            try:
                if self._unwritten:
                    raise WriteFailed(self._unwritten.said)
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
                    self._open()
                    if isinstance(error, RecordError):
                        raise
                    return work(self.recorder)
            finally:
                if self._recorder is not None:
                    self._record_due_events(self._recorder)
                    self.last, self._status = self._recorder.n, self._stat()

        async with self._turns[grant], self._lock:
            before = self._stat()
            try:
                return await self._on_thread(written)
            except Denied as error:
                if error.code == GAME_TOO_SLOW and self._stat() != before:
                    raise Denied(
                        GAME_TOO_SLOW,
                        "The code of this game took too long and was stopped, but the record "
                        "has changed. Look at the record before you send this again.",
                    ) from None
                raise

    async def frames(self, standpoint: Standpoint, last: int, grant: Grant) -> bytes:
        """Return the events from `standpoint` to `last` as server-sent events for the link of `grant`."""
        known = self.kept_frames(standpoint, last)
        if known is None:
            async with self._turns[grant], self._lock:
                return await self._on_thread(lambda: self._make_frames(standpoint, last))
        return known

    def kept_frames(self, standpoint: Standpoint, last: int) -> bytes | None:
        """Return the events as bytes if they are encoded already, or None."""
        return self._frames.kept(standpoint, last, self._people(standpoint))

    def _people(self, standpoint: Standpoint) -> tuple[Seat, ...]:
        """Return the people named in the sentences at `standpoint`. Steps name no people."""
        if standpoint.language or self._recorder is None:
            return ()
        return people_at(self._recorder, self.last_shown(standpoint.delay))

    def _make_frames(self, standpoint: Standpoint, last: int) -> bytes:
        """Return the frames of the events from the next event of `standpoint` to `last`."""
        view = self.view(standpoint.seats, standpoint.delay)
        past = self._views.past(self.recorder)
        return self._frames.encode(view, past, standpoint, last, self._people(standpoint))

    def last_shown(self, delay: Delay) -> int:
        """Return the last event that a spectator with `delay` can see; after the game, the last one."""
        return last_shown(self._recorder, self.last, delay) if self._recorder else 0
