"""A part of the long run `python -m tests.fuzz.table`."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.table import kill_at_random


def test_no_confirmed_event_is_missing_after_kills(tmp_path: Path) -> None:
    events, acknowledged = kill_at_random(4, 7, tmp_path)
    assert acknowledged >= events
