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
from typing import Any, TypeVar

import anyio

from gamelog.errors import GamelogError, Locked, WriteFailed
from gamelog.play.contract.game import AnyGame
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import Seat
from gamelog_table.access.links import Grant, LinkBook
from gamelog_table.live.followers import NO_DELAY, Delay, Followers, StreamPosition
from gamelog_table.live.sse_events import MAX_KEPT_FRAMES, FrameCache
from gamelog_table.net.denied import BAD_LINK, REPLACED, UNREADABLE, Denied
from gamelog_table.record.earlier_positions import EarlierEvents, PrefixQuestions
from gamelog_table.record.record_source import RecordDue, RecordSource
from gamelog_table.record.record_views import RecordViews, events_until, last_shown, people_at
from gamelog_table.record.worker_thread import GAME_TOO_SLOW, OPEN_SECONDS, run_with_limit

_T = TypeVar("_T")


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
        self.path, self.name, self._links = path, name, links
        self._frames = FrameCache()
        self._source = RecordSource(path, record_due, self._frames.clear)
        self._lock = anyio.Lock()
        self._turns: defaultdict[Grant, anyio.Lock] = defaultdict(anyio.Lock)
        self._earlier = PrefixQuestions()
        self._views = RecordViews()
        self._is_closed, self._folder_state = False, 0
        self.followers = Followers()

    @property
    def id(self) -> str:
        """The id of the record, or empty if it is unknown."""
        return self._source.id

    @property
    def problem(self) -> GamelogError | None:
        """The reason why the record cannot be read, or None."""
        return self._source.problem

    @property
    def edition(self) -> int:
        """The number of times that known lines were changed, or the record became unreadable."""
        return self._source.edition

    @property
    def is_replaced(self) -> bool:
        """Whether the file has another record now."""
        return self._source.is_replaced

    @property
    def is_closed(self) -> bool:
        """Whether all streams end."""
        return self._is_closed or self._source.is_replaced

    def close(self) -> None:
        """End all streams at their next step."""
        self._is_closed = True

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
        return self._source.recorder

    @property
    def game(self) -> AnyGame | None:
        """The record's game, if it is known."""
        recorder = self._source.known_recorder
        return recorder.record_view.game if recorder else None

    @property
    def size(self) -> int:
        """The size of the record's file, if it is known."""
        return self._source.size

    @property
    def secret_number(self) -> int:
        """The number of the current secret of the links."""
        return self._links.secret_number if self._links else 0

    @property
    def is_over(self) -> bool:
        """Whether the game is known to be over."""
        recorder = self._source.known_recorder
        return recorder is not None and recorder.record_view.outcome is not None

    @property
    def folder_state(self) -> int:
        """The state of the folder after which followers were last woken to look for the next game."""
        return self._folder_state

    def note_folder(self, state: int) -> None:
        """Note the `state` of the folder. After the end of the game, it can contain the next game."""
        if self.is_over:
            self._folder_state = state

    def admits(self, grant: Grant) -> bool:
        """Return whether the link of `grant` still opens this record."""
        is_current = grant.secret_number in (None, self.secret_number)
        return is_current and grant.record in ("", self.id or grant.record)

    def mark_replaced(self) -> None:
        """End all streams and refuse all requests, because the file has another record now."""
        self._source.mark_replaced()
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
            if not self._source.is_read:
                try:
                    await self._on_thread(self._source.open, OPEN_SECONDS)
                except Denied as error:  # the next attempt follows when the file has changed
                    self._source.keep_problem(error)

    async def _on_thread(self, work: Callable[[], _T], seconds: float | None = None) -> _T:
        """Return the result of `work` on a thread, encode new events, and wake the followers.

        Raises:
            Denied: The work takes longer than `seconds`. The state of the recorder is then unknown, so the
                record is read again.
        """
        source = self._source
        before = source.last, source.edition, source.problem
        stream_positions = self.followers.stream_positions

        def run() -> _T:
            try:
                return work()
            finally:
                new = range(1, MAX_KEPT_FRAMES // (len(stream_positions) or 1))
                if source.known_recorder is not None and source.last - before[0] in new:
                    with suppress(Exception):  # a follower asks again; the one who wrote gets an answer
                        for stream_position in stream_positions:
                            self._make_frames(stream_position, stream_position.next + MAX_KEPT_FRAMES)

        try:
            return await run_with_limit(run, seconds)
        except Denied as error:
            if error.code == GAME_TOO_SLOW:
                source.forget()
            raise
        finally:
            if (source.last, source.edition, source.problem) != before:
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

        def answer_or_prefix() -> _T | EarlierEvents:
            view = self._known_view(grant, delay)
            return question(view) if at in (None, view.last_number) else events_until(self.recorder, view, at)

        async with self._turns[grant]:
            async with self._lock:
                answer = await self._on_thread(answer_or_prefix)
            if isinstance(answer, EarlierEvents):
                answer = await self._earlier.ask(lambda known: question(known.view()), answer)
        self.check(grant)  # the link can have been withdrawn since
        return answer

    async def ask_without_lock(
        self, question: Callable[[EarlierEvents], _T], grant: Grant, delay: Delay
    ) -> _T:
        """Return the answer to `question`, which takes long, while others can write.

        It is asked of all events that a link may know.

        Raises:
            GamelogError: The record cannot be read.
            Denied: The link was withdrawn meanwhile.
        """

        def known_prefix() -> EarlierEvents:
            view = self._known_view(grant, delay)
            return events_until(self.recorder, view, view.last_number)

        async with self._turns[grant]:
            async with self._lock:
                prefix = await self._on_thread(known_prefix)
            answer = await self._earlier.ask(question, prefix)
        self.check(grant)  # the link can have been withdrawn since
        return answer

    def _known_view(self, grant: Grant, delay: Delay) -> RecordView:
        """Return the record, with the newest lines of its file, as the link of `grant` may know it.

        Raises:
            GamelogError: The record cannot be read, or the link was withdrawn.
        """
        self._source.refresh()
        self.check(grant)
        problem = self.shown_problem(whole=grant.sees_all)
        if problem is not None and self._source.known_recorder is None:
            raise problem
        return self.view(grant.viewer(self.recorder.record_view.header.seat_ids).seats, delay)

    def view(self, seats: tuple[str, ...], delay: Delay) -> RecordView:
        """Return the record as `seats` can know it, up to the last event that is visible with `delay`."""
        recorder = self.recorder
        n = recorder.n if delay == NO_DELAY else self.last_shown(delay)
        return self._views.view(recorder, seats, n)

    def rehearsal(self, view: RecordView) -> EventRecorder:
        """Return a recorder that rehearses in the last position as the viewer of `view` knows it."""
        return self.recorder.rehearsal(view.viewer)

    def time_after(self, view: RecordView) -> int:
        """Return the ``t`` that an event after the last one of `view` would have now."""
        return view.time_at(self.recorder.clock(view.header))

    def long_idle(self) -> dict[str, Any] | None:
        """Return the idle time and the pause to record if it does not count, or None if it is short."""
        recorder = self.recorder
        return {"ms": recorder.idle, "pause": dict(recorder.idle_pause())} if recorder.is_idle_long else None

    async def poll(self) -> None:
        """Read the events of other programs."""
        if not self._source.may_have_changed:
            return
        async with self._lock:
            with suppress(Denied):  # the next request gets the error
                await self._on_thread(self._source.refresh)

    @property
    def is_watched(self) -> bool:
        """Whether the server has to notice at once what other programs write."""
        return bool(self.followers) or self._source.has_record_due

    async def change(self, work: Callable[[EventRecorder], _T], grant: Grant) -> _T:
        """Run `work`, which writes with the recorder for the link of `grant`, and return its result.

        If the record must be read again first, `work` runs twice.

        Raises:
            GamelogError: `work` refuses, or the record cannot be read or written.
            Denied: The link does not open the record, or the game's code takes too long.
        """

        def write_checked() -> _T:
            self._source.refresh()
            self.check(grant)
            return self._source.write(work)

        async with self._turns[grant], self._lock:
            before = self._source.file_state()
            try:
                return await self._on_thread(write_checked)
            except Denied as error:
                if error.code == GAME_TOO_SLOW and self._source.file_state() != before:
                    raise Denied(
                        GAME_TOO_SLOW,
                        "The code of this game took too long and was stopped, but the record "
                        "has changed. Look at the record before you send this again.",
                    ) from None
                raise

    async def frames(self, stream_position: StreamPosition, last: int, grant: Grant) -> bytes:
        """Return the events from `stream_position` to `last` as server-sent events for `grant`'s link."""
        known = self.cached_frames(stream_position, last)
        if known is None:
            async with self._turns[grant], self._lock:
                return await self._on_thread(lambda: self._make_frames(stream_position, last))
        return known

    def cached_frames(self, stream_position: StreamPosition, last: int) -> bytes | None:
        """Return the events as bytes if they are encoded already, or None."""
        return self._frames.find_events(stream_position, last, self._people(stream_position))

    def _people(self, stream_position: StreamPosition) -> tuple[Seat, ...]:
        """Return the people named in the sentences at `stream_position`. Steps name no people."""
        recorder = self._source.known_recorder
        if stream_position.language or recorder is None:
            return ()
        return people_at(recorder, self.last_shown(stream_position.delay))

    def _make_frames(self, stream_position: StreamPosition, last: int) -> bytes:
        """Return the frames of the events from the next event of `stream_position` to `last`."""
        view = self.view(stream_position.seats, stream_position.delay)
        past = self._views.past_status(self.recorder)
        return self._frames.encode(view, past, stream_position, last, self._people(stream_position))

    def last_shown(self, delay: Delay) -> int:
        """Return the last event that a spectator with `delay` can see; after the game, the last one."""
        recorder = self._source.known_recorder
        return last_shown(recorder, self._source.last, delay) if recorder else 0
