"""The followers of one record. New events become bytes once for all followers at the same event."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import NamedTuple, Protocol

from msgspec import Struct

from gamelog.errors import GamelogError
from gamelog_table.http_protocol import chunk


class Delay(Struct, frozen=True):
    """The delay of spectators, in `events` and in `minutes`."""

    events: int = 0
    minutes: float = 0


class Standpoint(NamedTuple):
    """A follower's place in the record.

    Attributes:
        seats: Seats that bound the follower's knowledge; none if everything is visible.
        delay: Delay that keeps the follower behind.
        next: Number of the next event to send.
        language: Language of the table's page, which gets steps; empty for programs.
    """

    seats: tuple[str, ...]
    delay: Delay
    next: int
    language: str = ""


class Follower(Protocol):
    """A follower: its place, the time of its last message, and ways to wake it or to send at once."""

    place: Standpoint
    last_sent: float

    def look(self) -> None:
        """Wake the follower's own task."""

    def put(self, ready: bytes) -> bool:
        """Send a chunk at once. Return whether it was sent."""
        ...

    def tick(self, now: float) -> None:
        """Note that the time is `now`."""


class Followed(Protocol):
    """The part of a record that its followers use."""

    edition: int
    problem: GamelogError | None
    closed: bool

    def last_shown(self, delay: Delay) -> int:
        """Return the last event that is shown."""
        ...

    def kept_frames(self, place: Standpoint, last: int) -> bytes | None:
        """Return the events from `place` to `last` as bytes, if they have been made."""


class Followers:
    """The followers of a record, and the followers that wait for new events."""

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
        """The places of the waiting followers."""
        return list(self._waiting)

    def add(self, live: Follower) -> None:
        """Add a follower."""
        self._all.add(live)

    def discard(self, live: Follower) -> None:
        """Remove a follower."""
        self._all.discard(live)
        self.busy(live)

    def waits(self, live: Follower) -> None:
        """Note that a follower has every event and waits."""
        self._waiting.setdefault(live.place, set()).add(live)

    def busy(self, live: Follower) -> None:
        """Note that the follower's own task sends to it again."""
        group = self._waiting.get(live.place)
        if group is not None:
            group.discard(live)
            if not group:
                del self._waiting[live.place]

    def wake(self, record: Followed) -> None:
        """Send the new events of `record` to the waiting followers.

        A follower that cannot take them at once is served by its own task.
        """
        known = record.edition, record.problem
        if known != self._known or record.problem or record.closed:
            self._known = known
            for live in self._all:
                live.look()
            return
        now = monotonic()
        for place, group in list(self._waiting.items()):
            last = record.last_shown(place.delay)
            if last < place.next:
                for live in group if last + 1 < place.next else ():
                    live.look()
                continue
            piece = record.kept_frames(place, last)
            then, ready = place._replace(next=last + 1), chunk(piece or b"")
            taken = {live for live in group if piece and live.put(ready)}
            for live in group - taken:
                live.look()
            for live in taken:
                live.place, live.last_sent = then, now
            self._waiting[place] = group - taken
            if taken:
                self._waiting[then] = self._waiting.get(then, set()) | taken
            if not self._waiting[place]:
                del self._waiting[place]
