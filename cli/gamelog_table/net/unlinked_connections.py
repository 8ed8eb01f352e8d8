"""Connections that have shown no link yet: their limit, and the choice of the connection to close.

All of them can come from one address, so a connection of the owner looks like any other until its first
request is read. But the owner sends a request at once. So the server accepts every new connection, and closes
the connection that has waited longest.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

MAX_UNLINKED = 256
"""Maximum number of open connections without a link."""

_MAX_FAMILIAR = 1_024
"""Maximum number of remembered addresses from which a valid link came."""


class UnlinkedConnection(Protocol):
    """A connection without a link."""

    def close_unlinked(self) -> None:
        """Close the connection."""


class FamiliarAddresses:
    """The latest addresses that have shown a valid link, at most `limit`."""

    def __init__(self, limit: int = _MAX_FAMILIAR) -> None:
        self._limit = limit
        self._hosts: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, host: str) -> bool:
        return host in self._hosts

    def add(self, host: str) -> None:
        """Add `host` as the latest address with a valid link."""
        self._hosts[host] = None
        self._hosts.move_to_end(host)
        if len(self._hosts) > self._limit:
            self._hosts.popitem(last=False)


_ConnectionT = TypeVar("_ConnectionT", bound=UnlinkedConnection)


class UnlinkedConnections(Generic[_ConnectionT]):
    """Connections without a link, at most `limit`, in the order in which they came.

    If there are more, the earliest ones are closed, first those for which `is_spared` is false.
    """

    def __init__(
        self,
        limit: int = MAX_UNLINKED,
        is_spared: Callable[[_ConnectionT], bool] = lambda _connection: False,
    ) -> None:
        self.limit, self._is_spared = limit, is_spared
        self._waiting: OrderedDict[_ConnectionT, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def is_half_full(self) -> bool:
        """Whether more than half of the places are taken."""
        return 2 * len(self._waiting) > self.limit

    @property
    def earliest(self) -> _ConnectionT | None:
        """The connection that came first, or None."""
        return next(iter(self._waiting), None)

    @property
    def latest(self) -> _ConnectionT | None:
        """The connection that came last, or None."""
        return next(reversed(self._waiting), None)

    def add(self, connection: _ConnectionT) -> None:
        """Add `connection` as the latest, and close the earliest ones beyond the limit."""
        self._waiting.pop(connection, None)
        self._waiting[connection] = None
        while len(self._waiting) > self.limit:
            self.close_earliest()

    def close_earliest(self) -> None:
        """Close the earliest connection that is not spared, or the earliest if all are."""
        earliest = next(iter(self._waiting))
        excess = next(
            (connection for connection in self._waiting if not self._is_spared(connection)), earliest
        )
        del self._waiting[excess]
        excess.close_unlinked()

    def clear(self) -> None:
        """Close all connections."""
        while self._waiting:
            self._waiting.popitem()[0].close_unlinked()

    def discard(self, connection: _ConnectionT) -> None:
        """Forget `connection`, which has shown a link or is closed."""
        self._waiting.pop(connection, None)
