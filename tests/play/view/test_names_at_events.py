"""Tests that a sentence about an event names the person who sat at the seat at that event."""

from __future__ import annotations

from typing import Any

import pytest
from gamelog_reports.incident_sheet import incident_sheet

from gamelog.dispute.incident import incident
from gamelog.dispute.incident_words import incident_words
from gamelog.dispute.incidents import incidents
from gamelog.dispute.score_sheet import ScoreSheet
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.view.known_views import known_views
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer
from gamelog.record.reading import Record, parse_record
from tests.play.tables import not_none
from tests.play.test_rulings import play_events, record_of

OMAR = ("@substitute", "table", {"seat": "blue", "name": "Omar"})
ZOE = ("@substitute", "table", {"seat": "blue", "name": "Zoe"})
MARKED = ("claim", "blue", {"at": "I6", "as_played": True})
CLAIM = ("@claim", "blue", {"text": "I meant D1", "about": 4, "intended": {"do": "claim", "at": "D1"}})
PENALTY = (
    "@ruling",
    "arbiter",
    {"about": 4, "kind": "penalty", "points": {"blue": -2}, "reason": "late", "name": "Lena"},
)


def record(*steps: tuple[str, str, dict[str, Any]]) -> Record:
    """Return a record in which Rui claims C1 as blue in event 3, and then these events."""
    return parse_record(record_of(play_events(*steps)))


def folded(*steps: tuple[str, str, dict[str, Any]]) -> FoldedRecord:
    return fold_record(record(*steps))


@pytest.mark.parametrize("viewer", [WHOLE_TABLE, Viewer(("red",))], ids=["table", "seat"])
def test_each_event_has_the_person_of_its_time(viewer: Viewer) -> None:
    judged = folded(OMAR, ("claim", "red", {"at": "I5"}), ("claim", "blue", {"at": "D1"}), ZOE)
    view = RecordView(not_none(judged.fold), viewer, judged.unfolded_events)
    told = [view.sentence(n) for n in (3, 4, 6, 7)]
    assert told == [
        "Rui claims C1.",
        "Omar takes the seat of Rui.",
        "Omar claims D1.",
        "Zoe takes the seat of Omar.",
    ]
    for m, then in enumerate(known_views(judged, viewer, range(1, 8)), 1):
        assert [then.sentence(n) for n in range(1, m + 1)] == [view.sentence(n) for n in range(1, m + 1)]


def test_a_corrected_name_is_for_events_after_the_correction() -> None:
    judged = folded(
        ("@amend", "arbiter", {"seats": {"blue": {"name": "Rui Costa"}}}),
        ("claim", "red", {"at": "D1"}),
        ("claim", "blue", {"at": "E1"}),
    )
    view = RecordView(not_none(judged.fold))
    assert (view.sentence(3), view.sentence(6)) == ("Rui claims C1.", "Rui Costa claims E1.")


def test_events_after_the_end_of_play_have_the_person_of_their_time() -> None:
    steps = (
        ("claim", "blue", {"at": "Z9"}),
        OMAR,
        ("claim", "blue", {"at": "E1"}),
        ZOE,
        ("claim", "blue", {"at": "F1"}),
    )
    wanted = [
        "Rui claims Z9.",
        "Omar takes the seat of Rui.",
        "Omar claims E1.",
        "Zoe takes the seat of Omar.",
        "Zoe claims F1.",
    ]
    judged = folded(*steps)
    fold = not_none(judged.fold)
    assert fold.n == 3
    view = RecordView(fold, unfolded=judged.unfolded_events)
    assert [view.sentence(n) for n in range(4, 9)] == wanted
    sheet = ScoreSheet(record(*steps))
    assert [sheet.describe(event) for event in judged.unfolded_events] == wanted


def test_an_incident_and_its_sheet_have_the_person_of_the_event() -> None:
    judged = folded(MARKED, CLAIM, PENALTY, OMAR)
    found = incident(judged, 4)
    words = incident_words(found, judged, lambda _: "claim I6", repr)
    assert found.text == "Rui claims I6."
    assert words.recorded_event == "Rui: claim I6"
    claim, ruling = words.claims_and_rulings
    assert "Rui" in claim
    assert "Rui claims D1" in claim
    assert "Rui" in ruling
    page = incident_sheet(judged, 4)
    assert "Rui" in page
    assert "Omar" not in page


def test_findings_and_lists_of_incidents_have_the_person_of_the_event() -> None:
    judged = folded(("claim", "red", {"at": "D1", "as_played": True}), PENALTY, OMAR)
    listed = [one.text for one in incidents(judged)]
    (finding,) = judged.findings
    for text in (*listed, finding.text):
        assert "Omar" not in text
    assert "Rui" in finding.text
    (offer,) = folded(("@agree", "red", {"result": {"winners": ["red"], "reason": "agreed"}}), OMAR).findings
    assert "waiting for Omar to agree" in offer.text
