"""Connections that have shown no link yet: their limit, and the choice of the connection to close.

All of them can come from one address, so a connection of the owner looks like any other until its first
request is read. But the owner sends a request at once. So the server accepts every new connection, and closes
the connection that has waited longest.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

MOST_UNLINKED = 256
"""Maximum number of open connections without a link."""

MOST_FAMILIAR = 1_024
"""Maximum number of remembered addresses from which a valid link came."""


class UnlinkedConnection(Protocol):
    """A connection without a link."""

    def give_up(self) -> None:
        """Close the connection."""


class FamiliarAddresses:
    """The latest addresses that have shown a valid link, at most `most`."""

    def __init__(self, most: int = MOST_FAMILIAR) -> None:
        self._most = most
        self._hosts: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, host: str) -> bool:
        return host in self._hosts

    def add(self, host: str) -> None:
        """Add `host` as the latest address with a valid link."""
        self._hosts[host] = None
        self._hosts.move_to_end(host)
        if len(self._hosts) > self._most:
            self._hosts.popitem(last=False)


_Kind = TypeVar("_Kind", bound=UnlinkedConnection)


class UnlinkedConnections(Generic[_Kind]):
    """Connections without a link, at most `most`, in the order in which they came."""

    def __init__(self, most: int = MOST_UNLINKED) -> None:
        self._most = most
        self._waiting: OrderedDict[_Kind, None] = OrderedDict()

    @property
    def are_many(self) -> bool:
        """Whether more than half of the places are taken."""
        return 2 * len(self._waiting) > self._most

    @property
    def earliest(self) -> _Kind | None:
        """The connection that came first."""
        return next(iter(self._waiting), None)

    @property
    def latest(self) -> _Kind | None:
        """The connection that came last."""
        return next(reversed(self._waiting), None)

    def add(self, one: _Kind) -> None:
        """Add `one` as the latest connection."""
        self._waiting.pop(one, None)
        self._waiting[one] = None
        while len(self._waiting) > self._most:
            self._waiting.popitem(last=False)[0].give_up()

    def clear(self) -> None:
        """Close all connections."""
        while self._waiting:
            self._waiting.popitem()[0].give_up()

    def leave(self, one: _Kind) -> None:
        """Forget `one`, which has shown a link or is closed."""
        self._waiting.pop(one, None)
