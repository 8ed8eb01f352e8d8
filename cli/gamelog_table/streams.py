"""Streams of a record: server-sent events from any event on, at the speed of the device."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

import anyio
import starlette.types as asgi

from gamelog.errors import GamelogError
from gamelog_table.access.links import Grant
from gamelog_table.live.followers import StreamPosition
from gamelog_table.net.http_protocol import CHUNK_SENDER_KEY, SendChunk
from gamelog_table.record.served_record import ServedRecord

_QUIET_SECONDS = 1.5
"""Seconds without data after which a device gets a heartbeat. The page counts 5 s without data as a loss."""

_POLL_SECONDS = 0.2
"""Seconds between two checks whether another program has written to a record with followers."""

_HEARTBEAT = b":\n\n"
"""An empty comment, which keeps a stream open."""

_REPLACED = b"event: replaced\ndata: 0\n\n"
"""The message after which a page must load the record again, because the file has another record."""

_NEXT_GAME = b"event: next\ndata: 0\n\n"
"""The message that the next game has started and that the link of the stream leads to it."""

_TICK_SECONDS = 1.0
"""Seconds between two checks for quiet followers, delayed events that become visible, and next games."""

_MAX_CHUNK_EVENTS = 64
"""Maximum number of events in one chunk for a follower that is far behind."""


class StreamSlots:
    """The places for live streams, at most `limit`, and the streams of each link that have them.

    If no place is free, a link gets a place of the link that has the most, unless it has about as many
    itself. So no link can keep others out.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._slots: dict[Grant, dict[LiveStream, None]] = {}

    def take(self, grant: Grant, stream: LiveStream) -> bool:
        """Give a place to `stream` of the link of `grant`. Return whether there was one for this link."""
        if sum(map(len, self._slots.values())) >= self._limit:
            largest = max(self._slots.values(), key=len)
            if len(largest) <= len(self._slots.get(grant, ())) + 1:
                return False
            newest = next(reversed(largest))
            del largest[newest]
            newest.end()
        self._slots.setdefault(grant, {})[stream] = None
        return True

    def release(self, grant: Grant, stream: LiveStream) -> None:
        """Free the place of `stream`."""
        streams = self._slots.get(grant, {})
        streams.pop(stream, None)
        if not streams:
            self._slots.pop(grant, None)


class LiveStream:
    """A response without an end: events of `record` from `stream_position` on, for the link of `grant`.

    The stream has taken a place in `slots`, and frees it.
    """

    def __init__(
        self,
        record: ServedRecord,
        stream_position: StreamPosition,
        grant: Grant,
        slots: StreamSlots,
        has_next_game: Callable[[], Awaitable[bool]],
    ) -> None:
        """Prepare a stream. It starts when the server calls it.

        Args:
            record: The followed record.
            stream_position: The place of the follower in the stream.
            grant: The permission of the follower's link.
            slots: The places for streams. The stream gives its place back at its end.
            has_next_game: Returns whether the link leads to a rematch that has started.
        """
        self._record, self.stream_position = record, stream_position
        self._grant, self._slots, self._is_ended = grant, slots, False
        self.last_sent = monotonic()
        self._edition, self._problem = record.edition, record.problem
        self._has_next_game, self._next_game_state = has_next_game, (-1, 0)
        self._woken = asyncio.Event()
        self._send_chunk_now: SendChunk | None = None

    async def __call__(self, scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
        """Send events as they are recorded, until the device disconnects or the stream has to end."""
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            self._send_chunk_now = scope["state"][CHUNK_SENDER_KEY]()
            self._record.followers.add(self)
            async with anyio.create_task_group() as group:

                async def wait_for_disconnect() -> None:
                    while (await receive())["type"] != "http.disconnect":
                        pass
                    group.cancel_scope.cancel()

                group.start_soon(wait_for_disconnect)
                await self._follow(send)
                group.cancel_scope.cancel()
        finally:
            self._record.followers.discard(self)
            self._slots.release(self._grant, self)

    def end(self) -> None:
        """End the stream, because another link needs its place."""
        self._is_ended = True
        self._woken.set()

    def tick(self, now: float) -> None:
        """Wake the task if the follower has got no data for a long time."""
        if now - self.last_sent >= _QUIET_SECONDS:
            self._woken.set()

    def wake(self) -> None:
        """Wake the task of the stream."""
        self._woken.set()

    def send_now(self, ready: bytes) -> bool:
        """Send a chunk at once, instead of through the task.

        Return whether the device had already received all earlier data.
        """
        return self._send_chunk_now is not None and self._send_chunk_now(ready)

    async def _follow(self, send: asgi.Send) -> None:
        """Send the events that the device does not have, then wait for new events."""
        record = self._record
        await self._send_chunk(send, b"retry: 1000\n\n")
        while not (record.is_closed or self._is_ended):
            self._woken.clear()
            chunk = self._changes() + await self._next_game()
            first = self.stream_position.next
            last = min(record.last_shown(self.stream_position.delay), first + _MAX_CHUNK_EVENTS - 1)
            if not record.problem and last >= first:
                try:
                    chunk += await record.frames(self.stream_position, last, self._grant)
                except GamelogError:
                    if not record.problem:  # otherwise the next round reports the problem
                        raise
                    continue
                self.stream_position = self.stream_position._replace(next=last + 1)
            if record.is_closed or not record.admits(self._grant):
                break
            if not chunk and monotonic() - self.last_sent >= _QUIET_SECONDS:
                chunk = _HEARTBEAT
            if chunk:
                await self._send_chunk(send, chunk)
            else:
                record.followers.add_waiting(self)
                await self._woken.wait()
                record.followers.remove_waiting(self)
        if record.is_replaced:
            await self._send_chunk(send, _REPLACED)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _changes(self) -> bytes:
        """Return the messages about the record itself: it cannot be read, or other events are shown.

        If a game continues after its end, spectators with a delay are behind again.
        """
        record, chunk = self._record, b""
        if record.problem is not self._problem:
            self._problem = record.problem
            shown = record.shown_problem(whole=not self.stream_position.seats)
            chunk = b"event: problem\ndata: %s\n\n" % (_line(record.error_text(shown)) if shown else b"")
        last = record.last_shown(self.stream_position.delay)
        if (record.edition != self._edition or last + 1 < self.stream_position.next) and not record.problem:
            self._edition, chunk = record.edition, chunk + b"event: rewritten\ndata: %d\n\n" % last
            self.stream_position = self.stream_position._replace(
                next=min(self.stream_position.next, last + 1)
            )
        return chunk

    async def _next_game(self) -> bytes:
        """Return the message that the next game has started, once, for a page whose game is over."""
        record = self._record
        state = record.folder_state, self.stream_position.next
        if not (self.stream_position.language and record.is_over) or state == self._next_game_state:
            return b""
        self._next_game_state = state
        if not await self._has_next_game():
            return b""
        self._has_next_game = _no_next_game
        return _NEXT_GAME

    async def _send_chunk(self, send: asgi.Send, chunk: bytes) -> None:
        self.last_sent = monotonic()
        await send({"type": "http.response.body", "body": chunk, "more_body": True})


async def _no_next_game() -> bool:
    return False


def _line(text: str) -> bytes:
    return " ".join(text.split()).encode()


async def watch(records: Callable[[], list[ServedRecord]], folder_state: Callable[[], int]) -> None:
    """Watch the records that have followers, and their folder for next games, without end."""
    ticked = monotonic()
    while True:
        await anyio.sleep(_POLL_SECONDS)
        now = monotonic()
        is_tick = now - ticked >= _TICK_SECONDS
        state = await anyio.to_thread.run_sync(folder_state) if is_tick else 0
        for record in records():
            if record.is_watched:
                await record.poll()
            if is_tick:
                for follower in record.followers:
                    follower.tick(now)
                record.note_folder(state)
                record.wake()
        if is_tick:
            ticked = now
