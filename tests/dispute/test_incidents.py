"""Tests of the list of disputed events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gamelog.dispute.incidents import ListedIncident, incidents
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.play.tables import header
from tests.play.test_rulings import play_events

SAMPLES = Path(__file__).parents[2] / "sample_games"

AGAINST = ("claim", "blue", {"at": "I6", "as_played": True})
STANDS = {"kind": "stands", "reason": "late", "name": "Mei"}


def listed(*steps: tuple[str, str, dict[str, Any]], **members: Any) -> list[ListedIncident]:
    return list(incidents(fold_record(parse_record(compose(header(**members), play_events(*steps))[0]))))


def rows(
    *steps: tuple[str, str, dict[str, Any]], **members: Any
) -> list[tuple[int, str, int | None, str, bool]]:
    """Return number, kind, subject and state of each listed incident, and whether it is open."""
    return [(one.n, one.kind, one.about, one.state, one.open) for one in listed(*steps, **members)]


def test_the_list_is_empty_if_nothing_was_disputed() -> None:
    assert rows() == []
    assert rows(("@note", "red", {"text": "tea"}), ("@clock", "table", {"running": False})) == []


def test_an_illegal_event_is_open_until_a_ruling_or_a_takeback() -> None:
    (one,) = listed(AGAINST)
    assert (one.n, one.kind, one.rule, one.state, one.open) == (
        4,
        "against the rules",
        "SW-3",
        "counts; no one has ruled on it",
        True,
    )
    assert one.text == "Rui claims I6. It is Ana's turn, not Rui's."
    assert rows(AGAINST, ("@ruling", "arbiter", {"about": 4, **STANDS})) == [
        (4, "against the rules", None, "counts; ruled on in event 5", False),
        (5, "ruling", 4, "in force", False),
    ]
    assert rows(AGAINST, ("@takeback", "blue", {"to": 3}))[0] == (
        4,
        "against the rules",
        None,
        "taken back",
        False,
    )
    assert rows(AGAINST, ("@takeback", "table", {"to": 3, "slip": True})) == [
        (4, "against the rules", None, "corrected", False),
        (5, "correction", 3, "in force", False),
    ]


def test_claims_and_rulings_on_rulings() -> None:
    claim = ("@claim", "red", {"text": "no", "about": 3})
    assert rows(claim) == [(4, "claim", 3, "no one has ruled on it", True)]
    withdrawn = rows(claim, ("@withdraw", "red", {"about": 4}))
    assert withdrawn == [(4, "claim", 3, "withdrawn in event 5", False)]
    refused = {"kind": "refused", "reason": "no", "name": "Mei"}
    assert rows(claim, ("@ruling", "arbiter", {"about": 4, **refused}))[0] == (
        4,
        "claim",
        3,
        "ruled on",
        False,
    )
    back = ("@ruling", "arbiter", {"about": 3, "kind": "takeback", "to": 2, "reason": "so", "name": "Mei"})
    assert rows(back, ("@ruling", "arbiter", {"about": 4, **refused})) == [
        (4, "ruling", 3, "event 5 has withdrawn it", False),
        (5, "ruling", 4, "in force", False),
    ]


@pytest.mark.parametrize(
    ("answers", "state", "waits"),
    [
        ([], "waiting for an answer", True),
        ([("@accept", "blue", {"about": 4})], "in force", False),
        ([("@decline", "blue", {"about": 4})], "not accepted", False),
    ],
)
def test_takebacks_that_need_an_answer(answers: list[Any], state: str, waits: bool) -> None:
    assert rows(("@takeback", "red", {"to": 2}), *answers, takebacks="agreed") == [
        (4, "takeback", 2, state, waits)
    ]


def test_the_event_that_ends_the_play_is_the_last_incident() -> None:
    path = SAMPLES / "slicewars" / "illegal-reach.jsonl"
    folded = fold_record(read_record(path))
    one = list(incidents(folded))[-1]
    assert folded.fold is not None
    assert (one.n, one.kind, one.open, one.rule) == (
        folded.fold.n + 1,
        "refused",
        True,
        folded.findings[0].rule,
    )


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*.jsonl")), ids=str)
def test_incidents_of_every_sample(path: Path) -> None:
    """Every finding on an event and everything that is open is in the list, and the list is in order."""
    folded = fold_record(read_record(path))
    if folded.fold is None:
        return
    found = list(incidents(folded))
    assert [one.n for one in found] == sorted({one.n for one in found})
    about = {
        one.n
        for one in folded.findings
        if one.n and one.code.startswith("play.") and one.code != "play.result_differs"
    }
    assert about <= {one.n for one in found}
    assert {one.n for one in found if one.open} >= {
        one.n for one in folded.findings if one.code in ("play.claim", "play.offer")
    }
