"""Following a record: server-sent events, from wherever a device left off, at its own speed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

import anyio
from starlette.types import Receive, Scope, Send

from gamelog_table.followers import Standpoint
from gamelog_table.http_protocol import CHUNKS, PutChunk
from gamelog_table.served_record import LOOK_SECONDS, ServedRecord

QUIET_SECONDS = 15.0
"""Seconds without anything after which a device is told that the server is still there."""

TICK_SECONDS = 5.0
"""Seconds between two looks at who has heard nothing for long."""

BATCH = 64
"""Events in one piece, for those who are far behind."""


class Live:
    """A response that never ends by itself: events of `record` from `place` on."""

    def __init__(self, record: ServedRecord, place: Standpoint) -> None:
        self._record, self.place = record, place
        self.told = monotonic()
        self._edition, self._problem = record.edition, record.problem
        self._woken = asyncio.Event()
        self._put: PutChunk | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        self._put = scope["state"][CHUNKS]()
        self._record.followers.add(self)
        try:
            async with anyio.create_task_group() as group:

                async def gone() -> None:
                    while (await receive())["type"] != "http.disconnect":
                        pass
                    group.cancel_scope.cancel()

                group.start_soon(gone)
                await self._follow(send)
                group.cancel_scope.cancel()
        finally:
            self._record.followers.discard(self)

    def tick(self, now: float) -> None:
        """Greet who has heard nothing for long."""
        if now - self.told >= QUIET_SECONDS:
            self._woken.set()

    def look(self) -> None:
        """Let its own task look what there is."""
        self._woken.set()

    def put(self, ready: bytes) -> bool:
        """Send a chunk to a device that has taken all before, without its task; whether it could be sent."""
        return self._put is not None and self._put(ready)

    async def _follow(self, send: Send) -> None:
        record = self._record
        await self._piece(send, b"retry: 1000\n\n")
        while not record.closed:
            self._woken.clear()
            piece = self._changes()
            first = self.place.next
            last = min(record.shown(self.place.delay), first + BATCH - 1)
            if not record.problem and last >= first:
                piece += await record.frames(self.place, last)
                self.place = self.place._replace(next=last + 1)
            if not piece and monotonic() - self.told >= QUIET_SECONDS:
                piece = b": still here\n\n"
            if piece:
                await self._piece(send, piece)
            else:
                record.followers.waits(self)
                await self._woken.wait()
                record.followers.busy(self)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _changes(self) -> bytes:
        """What is to be said of the record itself: it cannot be read, or is not what it was."""
        record, piece = self._record, b""
        if record.problem is not self._problem:
            self._problem = record.problem
            piece = (
                b"event: problem\ndata: %s\n\n" % _line(record.told(self._problem)) if self._problem else b""
            )
        if record.edition != self._edition and not record.problem:
            last = record.shown(self.place.delay)
            self._edition, piece = record.edition, piece + b"event: rewritten\ndata: %d\n\n" % last
            self.place = self.place._replace(next=min(self.place.next, last + 1))
        return piece

    async def _piece(self, send: Send, piece: bytes) -> None:
        self.told = monotonic()
        await send({"type": "http.response.body", "body": piece, "more_body": True})


def _line(text: str) -> bytes:
    return " ".join(text.split()).encode()


async def watch(records: Callable[[], list[ServedRecord]], *, delayed: bool) -> None:
    """Look after the records that somebody follows, for ever; where spectators are `delayed`, time alone
    brings news.
    """
    ticked = monotonic()
    while True:
        await anyio.sleep(LOOK_SECONDS)
        now = monotonic()
        for record in records():
            if record.is_watched:
                await record.look()
            if now - ticked >= (TICK_SECONDS if not delayed else 1):
                for live in record.followers:
                    live.tick(now)
                record.wake()
        if now - ticked >= (TICK_SECONDS if not delayed else 1):
            ticked = now
