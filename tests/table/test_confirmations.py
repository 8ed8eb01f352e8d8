"""Tests of the confirmation of an event that the game's code cannot describe."""

from __future__ import annotations

from pathlib import Path

import pytest
from gamelog_table.events.appending import confirmation

import gamelog
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer


@pytest.mark.parametrize("seats", [("dominion",), ("dominion", "separatists")])
def test_the_words_of_an_error_are_for_viewers_who_see_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: tuple[str, ...]
) -> None:
    path = tmp_path / "evening.jsonl"
    gamelog.create(path, "zone_s", seats={"dominion": "Zoe", "separatists": "Max"}).append(
        {"do": "place_base", "at": "b2"}
    )
    recorder = EventRecorder(path)

    def fail(_view: RecordView, _n: int) -> str:
        """Raise an error that quotes a hidden value."""
        raise KeyError("hidden card")

    monkeypatch.setattr(RecordView, "sentence", fail)
    shown, whole = (confirmation(RecordView(recorder.fold, Viewer(viewer), []), 1) for viewer in (seats, ()))
    assert shown == "The event is recorded, but the program cannot describe it: KeyError."
    assert "hidden card" in whole
