"""The followers of one record. New events become bytes once for all followers at the same event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from time import monotonic
from typing import NamedTuple, Protocol

from msgspec import Struct

from gamelog.errors import GamelogError
from gamelog_table.net.http_protocol import chunk


class Delay(Struct, frozen=True):
    """The delay of spectators, in `events` and in `minutes`."""

    events: int = 0
    minutes: float = 0

    def last_shown(self, n: int, started: str, real_time: Callable[[int], int]) -> int:
        """Return the last of the first `n` events that is shown during the game.

        Args:
            n: Number of the last event.
            started: Time of the start.
            real_time: Returns the real time of an event in ms since the start.
        """
        n = max(0, n - self.events)
        if self.minutes:
            since = datetime.now(UTC) - datetime.fromisoformat(started)
            seen = since.total_seconds() * 1000 - self.minutes * 60_000
            while n > 0 and real_time(n) > seen:
                n -= 1
        return n


NO_DELAY = Delay()
"""The delay of everyone who is not a spectator."""


class StreamPosition(NamedTuple):
    """A follower's place in the stream of events of a record, and what limits the stream.

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
    """A follower: its place in the stream, the time of its last message, and ways to wake or to serve it."""

    stream_position: StreamPosition
    last_sent: float

    def wake(self) -> None:
        """Wake the follower's own task."""

    def send_now(self, ready: bytes) -> bool:
        """Send a chunk at once. Return whether it was sent."""
        ...

    def tick(self, now: float) -> None:
        """Note that the time is `now`."""


class FollowedRecord(Protocol):
    """The part of a record that its followers use."""

    @property
    def edition(self) -> int:
        """The number of times that known lines were changed."""
        ...

    @property
    def problem(self) -> GamelogError | None:
        """The reason why the record cannot be read, or None."""

    @property
    def is_closed(self) -> bool:
        """Whether all streams end."""
        ...

    @property
    def secret_number(self) -> int:
        """The number of the current secret of the links."""
        ...

    @property
    def folder_state(self) -> int:
        """The state of the folder in which the next game can have started."""
        ...

    def last_shown(self, delay: Delay) -> int:
        """Return the last event that is shown."""
        ...

    def cached_frames(self, stream_position: StreamPosition, last: int) -> bytes | None:
        """Return the events from `stream_position` to `last` as bytes, if they have been made."""


class Followers:
    """The followers of a record, and the followers that wait for new events."""

    def __init__(self) -> None:
        self._all: set[Follower] = set()
        self._waiting: dict[StreamPosition, set[Follower]] = {}
        self._last_state: tuple[int, GamelogError | None, int, int] = 0, None, 0, 0

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Follower]:
        return iter(tuple(self._all))

    @property
    def stream_positions(self) -> list[StreamPosition]:
        """The places of the waiting followers in their streams."""
        return list(self._waiting)

    def add(self, follower: Follower) -> None:
        """Add a follower."""
        self._all.add(follower)

    def discard(self, follower: Follower) -> None:
        """Remove a follower."""
        self._all.discard(follower)
        self.remove_waiting(follower)

    def add_waiting(self, follower: Follower) -> None:
        """Add a follower that has every event and waits for new ones."""
        self._waiting.setdefault(follower.stream_position, set()).add(follower)

    def remove_waiting(self, follower: Follower) -> None:
        """Remove a follower that does not wait any more, because its own task sends to it."""
        group = self._waiting.get(follower.stream_position)
        if group is not None:
            group.discard(follower)
            if not group:
                del self._waiting[follower.stream_position]

    def wake(self, record: FollowedRecord) -> None:
        """Send the new events of `record` to the waiting followers.

        A follower that cannot take them at once is served by its own task. If links were withdrawn, earlier
        lines have changed or the next game can have started, each task decides how its stream continues.
        """
        state = record.edition, record.problem, record.secret_number, record.folder_state
        if state != self._last_state or record.problem or record.is_closed:
            self._last_state = state
            self._waiting.clear()
            for follower in self._all:
                follower.wake()
            return
        now = monotonic()
        for stream_position, group in list(self._waiting.items()):
            last = record.last_shown(stream_position.delay)
            if last < stream_position.next:
                for follower in group if last + 1 < stream_position.next else ():
                    follower.wake()
                continue
            frames = record.cached_frames(stream_position, last)
            next_position, ready = stream_position._replace(next=last + 1), chunk(frames or b"")
            served = {follower for follower in group if frames and follower.send_now(ready)}
            for follower in group - served:
                follower.wake()
            for follower in served:
                follower.stream_position, follower.last_sent = next_position, now
            self._waiting[stream_position] = group - served
            if served:
                self._waiting[next_position] = self._waiting.get(next_position, set()) | served
            if not self._waiting[stream_position]:
                del self._waiting[stream_position]
