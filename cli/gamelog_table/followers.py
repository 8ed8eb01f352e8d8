"""Those who follow one record: what is new is made into bytes once for all who stand at the same event,
and sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import NamedTuple, Protocol

from msgspec import Struct

from gamelog.errors import GamelogError
from gamelog_table.http_protocol import chunk


class Delay(Struct, frozen=True):
    """How far spectators are behind: `events`, and `minutes`."""

    events: int = 0
    minutes: float = 0


class Standpoint(NamedTuple):
    """A follower's place: the seats whose knowledge bounds what it gets (none: all is shown), how far it is
    kept behind, the event that it gets next, and whether it gets events as `steps` for the table's page.
    """

    seats: tuple[str, ...]
    delay: Delay
    next: int
    steps: bool = False


class Follower(Protocol):
    """Somebody who follows: where he stands, when he was told something last, and how he is woken or told
    at once.
    """

    place: Standpoint
    told: float

    def look(self) -> None:
        """Let his own task look what there is."""

    def put(self, ready: bytes) -> bool:
        """Send a chunk at once; whether it could be sent."""
        ...

    def tick(self, now: float) -> None:
        """Some time has passed: it is now `now`."""


class Followed(Protocol):
    """The record, as far as its followers look at it."""

    edition: int
    problem: GamelogError | None
    closed: bool

    def shown(self, delay: Delay) -> int:
        """The last event that is shown."""
        ...

    def kept_frames(self, place: Standpoint, last: int) -> bytes | None:
        """Return the events from `place` to `last` as bytes, if they have been made."""


class Followers:
    """Who follows, and which of them have all that there was and wait."""

    def __init__(self) -> None:
        self._all: set[Follower] = set()
        self._waiting: dict[Standpoint, set[Follower]] = {}
        self._known: tuple[int, GamelogError | None] = 0, None

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Follower]:
        return iter(tuple(self._all))

    @property
    def places(self) -> list[Standpoint]:
        """Where those stand who wait."""
        return list(self._waiting)

    def add(self, live: Follower) -> None:
        """Somebody comes."""
        self._all.add(live)

    def discard(self, live: Follower) -> None:
        """Somebody goes."""
        self._all.discard(live)
        self.busy(live)

    def waits(self, live: Follower) -> None:
        """He has all that there was."""
        self._waiting.setdefault(live.place, set()).add(live)

    def busy(self, live: Follower) -> None:
        """His own task looks after him again."""
        group = self._waiting.get(live.place)
        if group is not None:
            group.discard(live)
            if not group:
                del self._waiting[live.place]

    def wake(self, record: Followed) -> None:
        """Send what is new in `record` to those who wait; whoever cannot take it at once is looked after
        by his task.
        """
        known = record.edition, record.problem
        if known != self._known or record.problem or record.closed:
            self._known = known
            for live in self._all:
                live.look()
            return
        now = monotonic()
        for place, group in list(self._waiting.items()):
            last = record.shown(place.delay)
            if last < place.next:
                continue
            piece = record.kept_frames(place, last)
            then, ready = place._replace(next=last + 1), chunk(piece or b"")
            taken = {live for live in group if piece and live.put(ready)}
            for live in group - taken:
                live.look()
            for live in taken:
                live.place, live.told = then, now
            self._waiting[place] = group - taken
            if taken:
                self._waiting[then] = self._waiting.get(then, set()) | taken
            if not self._waiting[place]:
                del self._waiting[place]
