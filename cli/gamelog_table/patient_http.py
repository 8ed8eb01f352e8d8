"""HTTP that does not wait for ever, and that sends many the same bytes in little time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Seconds in which the head of a request has to be there."""

MOST_WAITING = 512
"""Connections that have asked nothing yet; where there are more, the one that has waited longest makes
room.
"""

CHUNKS = "chunks"
"""In the state of a request's scope: gives, once the body has begun, what sends a chunk of it, or None
where it has no chunks.
"""

PutChunk = Callable[[bytes], bool]
"""Sends a chunk at once if nothing waits to be sent before it, and says whether it did."""


def chunk(piece: bytes) -> bytes:
    """`piece` of a body as the application's ``send`` would put it on the line, for all who get the same."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)


class PatientProtocol(H11Protocol):
    """HTTP that closes connections on which no request comes, and lets nobody be kept out by them."""

    waiting: OrderedDict[PatientProtocol, None] = OrderedDict()
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # over TCP it is nothing else
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, CHUNKS: self.chunks}
        self._wait()
        while len(self.waiting) > MOST_WAITING:
            next(iter(self.waiting))._give_up()

    def data_received(self, data: bytes) -> None:
        """Take data up; once the head of a request is there, it is for the application to be patient."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._stop()
        super().connection_lost(exc)

    def chunks(self) -> PutChunk | None:
        """What sends a chunk of the body that has begun, if it goes in chunks."""
        conn, transport = self.conn, self.transport
        chunked = conn.our_state is h11.SEND_BODY and conn.their_http_version == b"1.1"
        if not chunked or self.scope["method"] != "GET":
            return None

        def put(piece: bytes) -> bool:
            if transport.get_write_buffer_size() or transport.is_closing():
                return False
            transport.write(piece)
            return True

        return put

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._give_up)
        self.waiting[self] = None

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self.waiting.pop(self, None)

    def _give_up(self) -> None:
        self._stop()
        with suppress(OSError, RuntimeError):
            self.transport.abort()
