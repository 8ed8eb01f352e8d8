"""Tests of the times of seats after the arbiter has corrected them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from gamelog.record.record_file import create_record
from tests.browser.conftest import Open
from tests.play.tables import header

pytestmark = pytest.mark.browser


def test_the_page_shows_the_times_as_corrected(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "night.jsonl"
    create_record(path, header())
    recorder = EventRecorder(path)
    recorder.append([{"do": "start_roll", "by": "table", "rolls": {"red": 5, "blue": 2}, "t": 1000}])
    recorder.append([{"do": "claim", "at": "C3", "t": 61_000}])
    ruling = {"do": "@ruling", "about": 2, "reason": "The night.", "name": "Mei", "t": 3_600_000}
    recorder.append([{**ruling, "kind": "clock", "clock": {"red": 30_000}}])
    recorder.append([{**ruling, "about": 3, "kind": "refused"}])
    page = open_page(fold_record(read_record(path)), "#n=3")
    red = page.locator("#seats .card").first
    expect(red).to_contain_text("time0:30")
    expect(page.locator("#captions")).to_contain_text("clock0:31")
    page.get_by_role("button", name="Next event", exact=True).click()
    expect(red).to_contain_text("time1:00")
    expect(page.locator("#captions")).to_contain_text("clock1:00:00")  # the night counts again
    times = page.locator("#list time")
    expect(times).to_have_text(["0:01", "1:01", "0:31", "1:00:00"])


def test_the_list_shows_the_clock_at_each_event_and_time_after_the_end_does_not_count(
    open_page: Open, tmp_path: Path
) -> None:
    path = tmp_path / "claimed.jsonl"
    create_record(path, header())
    recorder = EventRecorder(path)
    recorder.append([{"do": "start_roll", "by": "table", "rolls": {"red": 5, "blue": 2}, "t": 1000}])
    recorder.append([{"do": "claim", "at": "C3", "t": 61_000}])
    ruling = {"do": "@ruling", "about": 2, "reason": "So.", "name": "Mei"}
    recorder.append([{"do": "@claim", "by": "blue", "about": 2, "text": "No.", "t": 600_000}])
    recorder.append([{**ruling, "kind": "takeback", "to": 1, "t": 661_000}])
    recorder.append([{"do": "claim", "at": "D1", "t": 721_000}])
    recorder.append([{"do": "@note", "by": "table", "text": "Late.", "t": 781_000}])
    result = {"winners": ["red"], "reason": "late"}
    recorder.append([{**ruling, "kind": "forfeit", "result": result, "t": 841_000}])
    recorder.append([{"do": "@note", "by": "table", "text": "Good night.", "t": 3_600_000}])
    page = open_page(fold_record(read_record(path)), "#n=4")
    times = page.locator("#list time")
    expect(times).to_have_text(["0:01", "1:01", "10:00", "11:01", "12:01", "13:01", "14:01", "14:01"])
    expect(page.locator("#captions")).to_contain_text("clock11:01")
    page.get_by_role("button", name="Go to end", exact=True).click()
    expect(page.locator("#captions")).to_contain_text("clock12:01")
