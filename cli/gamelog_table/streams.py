"""Following a record: server-sent events, from wherever a device left off, at its own speed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
from starlette.types import Receive, Scope, Send

from gamelog_table.served_record import LOOK_SECONDS, ServedRecord

QUIET_SECONDS = 15.0
"""Seconds without anything after which a device is told that the server is still there."""

SEND_SECONDS = 30.0
"""Seconds after which a device that takes nothing any more is let go; it comes back by itself."""

BATCH = 64
"""Events in one piece, for those who are far behind."""

Frames = Callable[[int, int], Awaitable[bytes]]
"""Events from the first number to the second, as they are sent."""


class Live:
    """A response that never ends by itself: events of `record` from number `first` on, as far as `shown` says."""

    def __init__(self, record: ServedRecord, frames: Frames, shown: Callable[[], int], first: int, *, delayed: bool) -> None:
        self._record, self._frames, self._shown, self._next = record, frames, shown, first
        self._delayed = delayed

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        self._record.followers += 1
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
            self._record.followers -= 1

    async def _follow(self, send: Send) -> None:
        record, edition, problem = self._record, self._record.edition, None
        quiet = 0.0
        if not await _piece(send, b"retry: 1000\n\n"):
            return
        while not record.closed:
            grown, piece = record.grown, b""
            if record.problem is not problem:
                problem = record.problem
                piece = b"event: problem\ndata: %s\n\n" % _line(record.told(problem)) if problem else b""
            if record.edition != edition and not record.problem:
                edition, piece = record.edition, piece + b"event: rewritten\ndata: %d\n\n" % record.last
                self._next = min(self._next, record.last + 1)
            last = min(self._shown(), self._next + BATCH - 1)
            if not record.problem and last >= self._next:
                piece += await self._frames(self._next, last)
                self._next = last + 1
            if not piece and quiet >= QUIET_SECONDS:
                piece = b": still here\n\n"
            if piece:
                quiet = 0.0
                if not await _piece(send, piece):
                    return
                continue
            wait = 1.0 if self._delayed else QUIET_SECONDS
            with anyio.move_on_after(wait):
                await grown.wait()
            quiet += wait
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _line(text: str) -> bytes:
    return " ".join(text.split()).encode()


async def _piece(send: Send, piece: bytes) -> bool:
    """Whether the device has taken `piece`."""
    with anyio.move_on_after(SEND_SECONDS) as scope:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    return not scope.cancelled_caught


async def watch(records: Callable[[], list[ServedRecord]]) -> None:
    """Look after the records that somebody follows, for ever."""
    while True:
        await anyio.sleep(LOOK_SECONDS)
        for record in records():
            if record.followers:
                await record.look()
