"""HTTP with time limits, and with a fast way to send the same bytes to many connections."""

from __future__ import annotations

import asyncio
import errno
import select
import socket
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from gamelog_table.net.unlinked_connections import FamiliarAddresses, UnlinkedConnections

NO_ROOM_ERRNOS = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Errors of the system when it cannot accept a connection."""

HEAD_SECONDS = 10
"""Time limit for the head of a request, in seconds."""

_ANSWER_SECONDS = 30.0
"""Time limit for taking the answer to a request without a link, in seconds."""

_SEND_SECONDS = 30.0
"""Seconds after which a connection is closed if the client takes no data."""

_MAX_UNSENT = 32 * 1024
"""Maximum number of unsent bytes of a connection. With more, the application has to wait."""

CHUNK_SENDER_KEY = "chunks"
"""The key of `TimeoutProtocol.chunk_sender` in the state of a request's scope."""

MARK_LINKED_KEY = "link_shown"
"""The key of `TimeoutProtocol.mark_linked` in the state of a request's scope."""

SendChunk = Callable[[bytes], bool]
"""A function that sends a chunk at once if no other data waits, and returns whether it did."""


def chunk(piece: bytes) -> bytes:
    """Return `piece` of a body in the form in which the application's ``send`` would send it."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)


class TimeoutProtocol(H11Protocol):
    """HTTP that closes connections on which no data arrives or is taken.

    `unlinked` has the connections without a link, so that they cannot block others. `starting` has the
    connections that begin TLS. If one of them has too many connections, it closes the earliest, and
    `keep_socket` keeps the socket, so that the client does not connect again at once.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        unlinked: UnlinkedConnections[TimeoutProtocol],
        starting: UnlinkedConnections[TimeoutProtocol],
        familiar: FamiliarAddresses,
        keep_socket: Callable[[socket.socket], None] | None = None,
        known: bool = False,
    ) -> None:
        """Prepare a connection.

        Args:
            config: The configuration of the server.
            server_state: The state that all connections of the server share.
            app_state: Members that each request gets.
            _loop: The event loop, or None for the running one.
            unlinked: The connections that have not shown a link.
            starting: The connections that are not open yet, because their TLS handshake is not over.
            familiar: The addresses that have shown a link.
            keep_socket: Called with a copy of the socket when the connection is closed for another one, or
                None.
            known: Whether the connection has already shown a link.
        """
        states = {CHUNK_SENDER_KEY: self.chunk_sender, MARK_LINKED_KEY: self.mark_linked}
        super().__init__(config, server_state, app_state | states, _loop)
        self._unlinked, self._starting = unlinked, starting
        self._keep_socket, self._familiar = keep_socket, familiar
        self._transport: asyncio.Transport | None = None
        self._linked = known
        self._deadline: asyncio.TimerHandle | None = None
        self._send_timer: asyncio.TimerHandle | None = None

    def wait_for_request(self, transport: asyncio.Transport) -> None:
        """Begin to wait for a request on `transport`; over TLS also for the handshake."""
        self._transport = transport
        self._starting.add(self)
        self._set_deadline(HEAD_SECONDS)

    def forget(self) -> None:
        """Note that the connection is closed."""
        self._starting.discard(self)
        self._unlinked.discard(self)
        for timer in (self._deadline, self._send_timer):
            if timer:
                timer.cancel()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # TCP has no other transports
        """Begin to wait for a request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(_MAX_UNSENT)
        if self._transport is None:
            self.wait_for_request(transport)
        self._starting.discard(self)
        if not self._linked:
            self._unlinked.add(self)

    def data_received(self, data: bytes) -> None:
        """Handle data, and limit the time of the answer."""
        had_request = self._has_open_request
        super().data_received(data)
        if self._has_open_request and not had_request:
            self._set_deadline(_ANSWER_SECONDS)

    def on_response_complete(self) -> None:
        """Wait for the next request, which needs its own link."""
        if not self.transport.is_closing():
            if not self._linked:
                self._unlinked.add(self)
                if self._unlinked.is_half_full:
                    self.transport.close()  # after the client has taken all data
            self._linked = False
        self._set_deadline(HEAD_SECONDS)
        super().on_response_complete()
        if self._has_open_request:
            self._set_deadline(_ANSWER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self.forget()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait until the client takes data, for a limited time."""
        super().pause_writing()
        self._send_timer = self.loop.call_later(_SEND_SECONDS, self._abort)

    def resume_writing(self) -> None:
        """Continue after the client has taken data."""
        if self._send_timer:
            self._send_timer.cancel()
        super().resume_writing()

    def mark_linked(self) -> None:
        """Note that the request's link is valid. From now on the application limits its time."""
        self._linked = True
        self._unlinked.discard(self)
        if self.client:
            self._familiar.add(self.client[0])
        self._set_deadline(None)

    @property
    def has_unread_data(self) -> bool:
        """Whether the client has sent something that the server has not read yet, such as the end of TLS."""
        if self._transport is None or self._transport.is_closing() or not hasattr(select, "poll"):
            return False
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket"), select.POLLIN)
        return bool(poll.poll(0))

    def close_unlinked(self) -> None:
        """End the connection for another one."""
        transport = self._transport
        if self._keep_socket and transport and not transport.is_closing():
            with suppress(OSError):
                self._keep_socket(transport.get_extra_info("socket").dup())
        self._abort()

    def _abort(self) -> None:
        """Close the connection at once. Unsent data is lost."""
        self.forget()
        if self._transport:
            self._transport.abort()

    def chunk_sender(self) -> SendChunk | None:
        """Return the function that sends a chunk of the current body, or None if the body has no chunks."""
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

    @property
    def _has_open_request(self) -> bool:
        """Whether a request waits for its answer."""
        return self.cycle is not None and not self.cycle.response_complete

    def _set_deadline(self, seconds: float | None) -> None:
        """Limit the time of the connection from now on; None removes the limit."""
        if self._deadline:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._abort)


class TlsStart(asyncio.Protocol):
    """A connection that begins TLS with its first bytes. A connection that sends nothing costs little."""

    def __init__(self, http: TimeoutProtocol, context: ssl.SSLContext) -> None:
        self._http, self._context = http, context
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as above
        """Begin to wait."""
        self._transport = transport
        self._http.wait_for_request(transport)

    def data_received(self, data: bytes) -> None:
        """Begin TLS, of which `data` are the first bytes."""
        assert self._transport
        tls = _Tls(self._http, self._context)
        self._transport.set_protocol(tls)
        tls.connection_made(self._transport)
        rest = memoryview(data)
        while rest:
            buffer = tls.get_buffer(len(rest))
            size = min(len(buffer), len(rest))
            buffer[:size] = rest[:size]
            tls.buffer_updated(size)
            rest = rest[size:]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        """Forget the connection, which has sent nothing."""
        self._http.forget()


class _Tls(SSLProtocol):
    """TLS that keeps less memory for a connection than the 256 KiB that are usual."""

    max_size = 32 * 1024

    def __init__(self, http: TimeoutProtocol, context: ssl.SSLContext) -> None:
        done = http.loop.create_future()
        super().__init__(http.loop, http, context, done, server_side=True, ssl_handshake_timeout=HEAD_SECONDS)
        done.cancel()  # no code waits for the handshake: `http` is notified of the connection
        self._http = http

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget the connection, with or without a complete handshake."""
        self._http.forget()
        super().connection_lost(exc)


def protocol_of(http: TimeoutProtocol, context: ssl.SSLContext | None) -> asyncio.Protocol:
    """Return the protocol of a new connection for `http`, over TLS with a `context`."""
    return TlsStart(http, context) if context else http
