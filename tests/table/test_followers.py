"""Tests of the followers of a record without a network: the data that each gets, and the followers that are woken."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from gamelog_table.live.followers import NO_DELAY, Delay, StreamPosition
from gamelog_table.pages import table_page
from gamelog_table.pages.packed_game import packed_game
from gamelog_table.record.served_record import ServedRecord

from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from tests.table.client import Serving, run_async


class Listener:
    """A device that takes data, or cannot take them at the moment."""

    def __init__(self, stream_position: StreamPosition, *, takes: bool = True) -> None:
        self.stream_position, self.last_sent, self.takes = stream_position, 0.0, takes
        self.heard: list[bytes] = []
        self.woken = 0

    def wake(self) -> None:
        self.woken += 1

    def send_now(self, ready: bytes) -> bool:
        self.heard += [ready] * self.takes
        return self.takes

    def tick(self, now: float) -> None:
        """Ignore the time: this device never times out."""


def test_followers_at_one_event_get_the_same_bytes_and_all_new_events(record: Path) -> None:
    note = {"do": "@note", "by": "table", "text": "Tea."}

    async def heard() -> list[Listener]:
        served = ServedRecord(record, "evening")
        await served.open()
        spectators, everything = StreamPosition(("red", "blue"), NO_DELAY, 1), StreamPosition((), NO_DELAY, 1)
        listeners = [
            Listener(spectators),
            Listener(spectators),
            Listener(everything),
            Listener(StreamPosition(("red", "blue"), Delay(events=99), 1)),
            Listener(spectators, takes=False),
        ]
        for one in listeners:
            served.followers.add(one)
            served.followers.add_waiting(one)
        EventRecorder(record).append([note] * 100)  # another program, more than one piece for who comes late
        await served.poll()
        served.wake()
        return listeners

    one, other, all_knowing, behind, slow = run_async(heard)
    assert one.stream_position.next == other.stream_position.next == all_knowing.stream_position.next == 101
    assert one.heard[0] is other.heard[0], "made once"
    assert one.heard[0].count(b"\nid: ") == 100
    assert (behind.stream_position.next, b"".join(behind.heard).count(b"\nid: ")) == (2, 1)
    assert (slow.stream_position.next, slow.heard, slow.woken > 0) == (1, [], True)
    assert (one.woken, behind.woken) == (0, 0)


def test_an_event_is_recorded_while_a_game_is_packed(begun: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    begins, ends = Event(), Event()

    def packed_slowly(view: RecordView, folded: FoldedRecord, language: str) -> Any:
        begins.set()
        assert ends.wait(20)
        return packed_game(view, folded, language)

    monkeypatch.setattr(table_page, "packed_game", packed_slowly)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(begun.spectator.get, "/table")
        assert begins.wait(20)
        try:
            written = begun.scorer.write({"do": "@note", "by": "table", "text": "Tea."})
        finally:
            ends.set()
        packed = answer.result()
    assert (written.status, written.json["n"]) == (201, 3)
    monkeypatch.undo()
    assert packed.json["page_data"] != begun.spectator.get("/table").json["page_data"]
