"""Tests of the followers of a record without a network: the data that each gets, and the followers that are woken."""

from __future__ import annotations

from pathlib import Path

from gamelog_table.followers import Delay, Standpoint
from gamelog_table.served_record import ServedRecord

from gamelog.play.recording.recorder import EventRecorder
from tests.table.client import run_async


class Listener:
    """A device that takes data, or cannot take them at the moment."""

    def __init__(self, place: Standpoint, *, takes: bool = True) -> None:
        self.place, self.last_sent, self.takes = place, 0.0, takes
        self.heard: list[bytes] = []
        self.looked = 0

    def look(self) -> None:
        self.looked += 1

    def put(self, ready: bytes) -> bool:
        self.heard += [ready] * self.takes
        return self.takes

    def tick(self, now: float) -> None:
        """Ignore the time: this device never times out."""


def test_followers_at_one_event_get_the_same_bytes_and_all_new_events(record: Path) -> None:
    note = {"do": "@note", "by": "table", "text": "Tea."}

    async def heard() -> list[Listener]:
        served = ServedRecord(record, "evening")
        await served.open()
        spectators, everything = Standpoint(("red", "blue"), Delay(), 1), Standpoint((), Delay(), 1)
        listeners = [
            Listener(spectators),
            Listener(spectators),
            Listener(everything),
            Listener(Standpoint(("red", "blue"), Delay(events=99), 1)),
            Listener(spectators, takes=False),
        ]
        for one in listeners:
            served.followers.add(one)
            served.followers.waits(one)
        EventRecorder(record).append([note] * 100)  # another program, more than one piece for who comes late
        await served.look()
        served.wake()
        return listeners

    one, other, all_knowing, behind, slow = run_async(heard)
    assert one.place.next == other.place.next == all_knowing.place.next == 101
    assert one.heard[0] is other.heard[0], "made once"
    assert one.heard[0].count(b"\nid: ") == 100
    assert (behind.place.next, b"".join(behind.heard).count(b"\nid: ")) == (2, 1)
    assert (slow.place.next, slow.heard, slow.looked > 0) == (1, [], True)
    assert (one.looked, behind.looked) == (0, 0)
