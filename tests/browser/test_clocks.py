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
    expect(page.locator("#captions")).to_contain_text("clock1:01")
    times = page.locator("#list time")
    expect(times).to_have_text(["0:01", "1:01", "0:31", "1:01"])
