"""The listening socket: it takes connections as fast as they come, and opens those on which something comes.

A connection that has sent nothing is only a socket here, so that thousands of them cost little time.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from functools import partial
from time import monotonic

from gamelog_table.patient_http import HEAD_SECONDS, NO_ROOM
from gamelog_table.strangers import Strangers

AT_THE_DOOR = 4_096
"""Connections that the system holds until they are taken, where it may hold as many."""

MOST_AT_A_TIME = 64
"""Connections that are taken before those that are open have their turn."""

MOST_SILENT = 8_192
"""Connections that have sent nothing, and as many that have sent no link and wait until they are opened."""

OPENED_AT_A_TIME, OPENING_SECONDS = 4, 0.01
"""Connections that are opened although they have sent no link, and seconds before the next are."""

RECENT_SECONDS = 1.0
"""Seconds in which a connection without a link is opened before those that have waited longer."""

_FULL_SECONDS = 0.2
"""Seconds to wait when the system has no room for another connection."""

_PEEKED = 8 * 1024
"""Bytes of what a connection has sent in which a link is looked for."""


class Door:
    """Takes the connections that come to `sock`, and gives each its protocol, once it has sent something.

    One that has sent a link for which `is_known` is opened at once, the others as often as they may.
    """

    def __init__(
        self,
        sock: socket.socket,
        protocol: Callable[..., asyncio.Protocol],
        is_known: Callable[[bytes], bool],
        most: int,
    ) -> None:
        """At most `most` connections that have sent nothing wait, and as many that have sent no link."""
        self._loop, self._sock = asyncio.get_running_loop(), sock
        self._protocol, self._is_known = protocol, is_known
        self._silent, self._recent, self._old = (Strangers[Unopened](most) for _ in range(3))
        self._opener: asyncio.TimerHandle | None = None
        self._opening: set[asyncio.Task[object]] = set()
        self._said_full = False
        sock.setblocking(False)
        sock.listen(AT_THE_DOOR)
        self._listen()
        self._sweep()

    def close(self) -> None:
        """Take no more connections, and let go those that are not open."""
        self._loop.remove_reader(self._sock)
        for timer in (self._opener, self._sweeper):
            if timer:
                timer.cancel()
        self._silent.clear()
        self._recent.clear()
        self._old.clear()

    async def wait_closed(self) -> None:
        """Nothing is left to wait for."""

    def _listen(self) -> None:
        if self._sock.fileno() >= 0:
            self._loop.add_reader(self._sock, self._take)

    def _sweep(self) -> None:
        """Close connections that have sent nothing for too long."""
        while (one := self._silent.earliest) and monotonic() - one.came > HEAD_SECONDS:
            self._silent.leave(one)
            one.give_up()
        self._sweeper = self._loop.call_later(HEAD_SECONDS / 4, self._sweep)

    def _take(self) -> None:
        for _ in range(MOST_AT_A_TIME):
            try:
                sock, _ = self._sock.accept()
            except (BlockingIOError, ConnectionAbortedError, InterruptedError):
                return
            except OSError as error:
                if error.errno not in NO_ROOM:
                    raise
                self._wait_for_room()
                return
            sock.setblocking(False)
            one = Unopened(sock)
            self._silent.add(one)
            self._loop.add_reader(sock.fileno(), self._hear, one)

    def _hear(self, one: Unopened) -> None:
        """Take up that something has come on a connection."""
        self._loop.remove_reader(one.sock.fileno())
        self._silent.leave(one)
        try:
            begun = one.sock.recv(_PEEKED, socket.MSG_PEEK)
        except OSError:
            begun = b""
        if not begun:
            one.sock.close()
        elif self._is_known(begun):
            self._open(one, known=True)
        else:
            one.came = monotonic()
            self._recent.add(one)
            self._open_others()

    def _open_others(self) -> None:
        """Open connections without a link, as many at a time as leaves time for others.

        First come those of the last second in their order, so that no crowd keeps a newcomer waiting.
        """
        if self._opener:
            return
        again = False
        while (one := self._recent.earliest) and monotonic() - one.came > RECENT_SECONDS:
            self._recent.leave(one)
            self._old.add(one)
        for _ in range(OPENED_AT_A_TIME):
            one = self._recent.earliest or self._old.latest
            if not one:
                break
            self._recent.leave(one)
            self._old.leave(one)
            self._open(one, known=False)
            again = True
        if again:
            self._opener = self._loop.call_later(OPENING_SECONDS, self._open_again)

    def _open_again(self) -> None:
        self._opener = None
        self._open_others()

    def _open(self, one: Unopened, *, known: bool) -> None:
        task = self._loop.create_task(self._opened(one.sock, known))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _opened(self, sock: socket.socket, known: bool) -> None:
        try:
            await self._loop.connect_accepted_socket(partial(self._protocol, known=known), sock)
        except OSError:
            sock.close()

    def _wait_for_room(self) -> None:
        if not self._said_full:  # once, and not at each connection
            self._said_full = True
            print(
                "gamelog: there is no room for more connections; those that come now wait.", file=sys.stderr
            )
        self._loop.remove_reader(self._sock)
        self._loop.call_later(_FULL_SECONDS, self._listen)


class Unopened:
    """A connection that has no protocol yet."""

    __slots__ = ("came", "sock")

    def __init__(self, sock: socket.socket) -> None:
        self.sock, self.came = sock, monotonic()

    def give_up(self) -> None:
        """Close it."""
        asyncio.get_running_loop().remove_reader(self.sock.fileno())
        self.sock.close()
