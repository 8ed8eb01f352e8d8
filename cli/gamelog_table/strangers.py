"""Connections that have shown no link yet: how many there may be, and which is closed when there are more.

All of them may come from one address, so a connection of the owner looks like any other until its first
request is read. But the owner asks at once. So the server takes every new connection, and closes the one
that has waited longest.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

MOST_STRANGERS = 256
"""Connections without a link that are open."""

MOST_FAMILIAR = 1_024
"""Addresses that are remembered because a good link came from them."""


class Stranger(Protocol):
    """A connection without a link."""

    def give_up(self) -> None:
        """End it."""


class FamiliarAddresses:
    """The latest addresses that have shown a good link, at most `most`."""

    def __init__(self, most: int = MOST_FAMILIAR) -> None:
        self._most = most
        self._hosts: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, host: str) -> bool:
        return host in self._hosts

    def add(self, host: str) -> None:
        """Take `host` up as the latest that has shown a good link."""
        self._hosts[host] = None
        self._hosts.move_to_end(host)
        if len(self._hosts) > self._most:
            self._hosts.popitem(last=False)


_Kind = TypeVar("_Kind", bound=Stranger)


class Strangers(Generic[_Kind]):
    """Connections without a link, at most `most`, in the order in which they came."""

    def __init__(self, most: int = MOST_STRANGERS) -> None:
        self._most = most
        self._waiting: OrderedDict[_Kind, None] = OrderedDict()

    @property
    def are_many(self) -> bool:
        """Whether more than half of the places are taken."""
        return 2 * len(self._waiting) > self._most

    @property
    def earliest(self) -> _Kind | None:
        """The one that came first."""
        return next(iter(self._waiting), None)

    @property
    def latest(self) -> _Kind | None:
        """The one that came last."""
        return next(reversed(self._waiting), None)

    def add(self, one: _Kind) -> None:
        """Take in `one` as the latest."""
        self._waiting.pop(one, None)
        self._waiting[one] = None
        while len(self._waiting) > self._most:
            self._waiting.popitem(last=False)[0].give_up()

    def clear(self) -> None:
        """End all of them."""
        while self._waiting:
            self._waiting.popitem()[0].give_up()

    def leave(self, one: _Kind) -> None:
        """Forget `one`: it has shown a link, or is closed."""
        self._waiting.pop(one, None)
