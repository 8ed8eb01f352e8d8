"""The listening socket: it accepts connections at once, and opens a connection when data arrives on it.

A connection that has sent nothing, or only a part of the first TLS message, is only a socket here, so that
thousands of them cost little time. A link inside TLS is not visible before the connection is open. So
connections from an address that has shown a valid link are opened before the others.
"""

from __future__ import annotations

import asyncio
import select
import socket
import sys
from collections.abc import Callable
from functools import partial
from time import monotonic, thread_time

from gamelog_table.net.http_protocol import HEAD_SECONDS, NO_ROOM_ERRNOS
from gamelog_table.net.unlinked_connections import FamiliarAddresses, UnlinkedConnections

_MAX_BACKLOG = 4_096
"""Maximum number of connections that the system keeps until they are accepted."""

_MAX_ACCEPTED_AT_ONCE = 64
"""Maximum number of connections that are accepted at a time."""

MAX_SILENT = 8_192
"""Maximum number of connections that have sent nothing, and of waiting connections without a link."""

_MAX_OPENED_AT_ONCE = 4
"""Connections without a link that are opened before other connections get their turn."""

_BUSY_SECONDS = 0.01
"""Processor time of one round of all connections after which only one waiting connection is opened."""

_FULL_SECONDS = 0.2
"""Seconds to wait when the system has no room for another connection."""

_MAX_PEEKED_BYTES = 8 * 1024
"""The first bytes of a connection in which the server looks for a link."""

_TLS_HANDSHAKE, _TLS_HEADER = 0x16, 5
"""The first byte of TLS, and the bytes before a message, of which the last two are its length."""


class Acceptor:
    """The receiver of connections on `sock`. A connection gets its protocol when it has sent something.

    A connection that has sent a link for which `is_known` is true is opened at once. The other connections
    wait and are opened a few at a time, first those from an address in `familiar`.
    """

    def __init__(
        self,
        sock: socket.socket,
        protocol: Callable[..., asyncio.Protocol],
        is_known: Callable[[bytes], bool],
        silent: UnlinkedConnections[PendingConnection],
        waiting: UnlinkedConnections[PendingConnection],
        familiar: FamiliarAddresses,
        *,
        tls: bool,
    ) -> None:
        """Listen on a socket.

        Args:
            sock: A bound socket. It becomes non-blocking.
            protocol: Makes the protocol of a connection that may be read.
            is_known: Returns whether the first bytes of a request show a link of this table.
            silent: The connections that have sent nothing.
            waiting: The connections that have sent something, but no link.
            familiar: The addresses that have shown a link, which are preferred when places are few.
            tls: Whether the connections are encrypted, so that their first bytes show no link.
        """
        self._loop, self._sock = asyncio.get_running_loop(), sock
        self._protocol, self._is_known = protocol, is_known
        self._tls = tls
        self._silent, self._waiting = silent, waiting
        self._familiar, self._preferred = familiar, UnlinkedConnections[PendingConnection](waiting.limit)
        self._is_latest_next, self._cpu_seconds = False, 0.0
        self._opener: asyncio.Handle | None = None
        self._opening: set[asyncio.Task[object]] = set()
        self._has_warned_full = False
        sock.setblocking(False)
        sock.listen(_MAX_BACKLOG)
        self._listen()
        self._close_silent()

    def close(self) -> None:
        """Accept no more connections, and close those that are not open."""
        self._loop.remove_reader(self._sock)
        for timer in (self._opener, self._sweeper):
            if timer:
                timer.cancel()
        for connections in (self._silent, self._waiting, self._preferred):
            connections.clear()

    async def wait_closed(self) -> None:
        """Return at once: closing needs no time."""

    def _listen(self) -> None:
        if self._sock.fileno() >= 0:
            self._loop.add_reader(self._sock, self._accept_waiting)

    def _close_silent(self) -> None:
        """Close connections that have sent nothing for too long."""
        while (connection := self._silent.earliest) and monotonic() - connection.accepted_at > HEAD_SECONDS:
            self._silent.discard(connection)
            connection.close_unlinked()
        self._sweeper = self._loop.call_later(HEAD_SECONDS / 4, self._close_silent)

    def _accept_waiting(self) -> None:
        """Accept the connections that wait, up to a maximum at a time, and listen to them."""
        for _ in range(_MAX_ACCEPTED_AT_ONCE):
            try:
                sock, (host, *_) = self._sock.accept()
            except (BlockingIOError, ConnectionAbortedError, InterruptedError):
                return
            except OSError as error:
                if error.errno not in NO_ROOM_ERRNOS:
                    raise
                self._wait_for_room()
                return
            sock.setblocking(False)
            connection = PendingConnection(sock, host)
            self._silent.add(connection)
            self._loop.add_reader(sock.fileno(), self._handle_data, connection)

    def _handle_data(self, connection: PendingConnection) -> None:
        """Handle data that arrived on a connection."""
        try:
            received = connection.sock.recv(_MAX_PEEKED_BYTES, socket.MSG_PEEK)
        except OSError:
            received = b""
        if received and self._tls and connection.waits_for(_tls_bytes_needed(received), len(received)):
            return
        self._loop.remove_reader(connection.sock.fileno())
        self._silent.discard(connection)
        if not received:
            connection.sock.close()
        elif self._is_known(received):
            self._open(connection, known=True)
        else:
            (self._preferred if connection.host in self._familiar else self._waiting).add(connection)
            if len(self._preferred) + len(self._waiting) > self._waiting.limit:
                (self._waiting if len(self._waiting) else self._preferred).close_earliest()
            self._open_others()

    def _open_others(self) -> None:
        """Open a few waiting connections without a link, so that other connections get time.

        The newest and the oldest take turns, so that many waiting connections delay neither a newcomer nor
        the first ones for long.
        """
        if self._opener:
            return
        is_opened, used = False, thread_time()
        is_busy, self._cpu_seconds = used - self._cpu_seconds > _BUSY_SECONDS, used
        for _ in range(1 if is_busy else _MAX_OPENED_AT_ONCE):
            if not (connection := self._next_connection()):
                break
            self._open(connection, known=False)
            is_opened = True
        if is_opened:
            self._opener = self._loop.call_soon(self._open_again)

    def _next_connection(self) -> PendingConnection | None:
        """Return the next waiting connection. Close connections whose other end is gone."""
        self._is_latest_next = not self._is_latest_next
        for connections in (self._preferred, self._waiting):
            if connection := self._pop(connections):
                return connection
        return None

    def _pop(self, connections: UnlinkedConnections[PendingConnection]) -> PendingConnection | None:
        while connection := connections.latest if self._is_latest_next else connections.earliest:
            connections.discard(connection)
            if not (self._tls and connection.is_gone):
                return connection
            connection.sock.close()
        return None

    def _open_again(self) -> None:
        self._opener = None
        self._open_others()

    def _open(self, connection: PendingConnection, *, known: bool) -> None:
        task = self._loop.create_task(self._open_protocol(connection.sock, known))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open_protocol(self, sock: socket.socket, known: bool) -> None:
        try:
            await self._loop.connect_accepted_socket(partial(self._protocol, known=known), sock)
        except OSError:
            sock.close()

    def _wait_for_room(self) -> None:
        if not self._has_warned_full:  # once, and not at each connection
            self._has_warned_full = True
            print("gamelog: No room for more connections. New connections wait.", file=sys.stderr)
        self._loop.remove_reader(self._sock)
        self._loop.call_later(_FULL_SECONDS, self._listen)


class PendingConnection:
    """A connection that has no protocol yet."""

    __slots__ = ("accepted_at", "host", "needs", "sock")

    def __init__(self, sock: socket.socket, host: str = "") -> None:
        self.sock, self.host, self.accepted_at, self.needs = sock, host, monotonic(), 1

    @property
    def is_gone(self) -> bool:
        """Whether the other end sends nothing more, as far as the system knows without reading."""
        if sys.platform != "linux":
            return False
        poll = select.poll()
        poll.register(self.sock, select.POLLRDHUP)
        return bool(poll.poll(0))

    def waits_for(self, needs: int, has: int) -> bool:
        """Return whether to wait until the connection has `needs` bytes.

        If so, the system reports the connection only then.
        """
        waits = has < needs != self.needs  # when it wakes with less than it needed, no more come
        self.needs = needs if waits else 1
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, self.needs)
        return waits

    def close_unlinked(self) -> None:
        """Close the connection."""
        asyncio.get_running_loop().remove_reader(self.sock.fileno())
        self.sock.close()


def _tls_bytes_needed(received: bytes) -> int:
    """Return the number of bytes that TLS needs to start, if `received` are the first bytes."""
    if received[0] != _TLS_HANDSHAKE:
        return 1
    if len(received) < _TLS_HEADER:
        return _TLS_HEADER
    return min(_MAX_PEEKED_BYTES, _TLS_HEADER + int.from_bytes(received[3:5], "big"))
