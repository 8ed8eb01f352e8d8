"""Tests of the sentences on each kind of difference."""

from __future__ import annotations

import pytest
from msgspec import structs

from gamelog.dispute.compare import compare
from gamelog.dispute.comparison_words import comparison_words
from gamelog.record.envelope import Event
from tests.dispute.sheets import record, sheets

HEAD, OTHER, EVENTS = sheets()


def first_line(a: list[Event], b: list[Event]) -> str:
    """Return the line on the first of two differences. The second one is a later event that `b` lacks."""
    lines = [
        [structs.replace(event, n=n, t=n) for n, event in enumerate(events, 1)]
        for events in (a, [*b[:-40], *b[-39:]])
    ]
    found = map(str, comparison_words(compare(record(HEAD, lines[0], "one"), record(OTHER, lines[1], "two"))))
    return next(line for line in found if line.startswith("> 1. "))


def test_members_of_headers_are_quoted_and_a_missing_one_is_nothing() -> None:
    named = structs.replace(OTHER, tags=HEAD.tags | {"round": "3", "event": "x" * 100})
    lines = [
        str(line) for line in comparison_words(compare(record(HEAD, EVENTS), record(named, EVENTS, "b")))
    ]
    assert '  tags.round: nothing in a, "3" in b' in lines
    assert f'  tags.event: nothing in a, "{"x" * 78}… in b' in lines


SHORT = [*EVENTS[:20], *EVENTS[21:]]
MISSING_TWO = [*EVENTS[:20], *EVENTS[22:]]
TWICE = [*EVENTS[:21], *EVENTS[20:]]
TWO_TWICE = [*EVENTS[:22], *EVENTS[20:]]


@pytest.mark.parametrize(
    ("a", "b", "begins", "ends"),
    [
        (SHORT, EVENTS, "two, event 21: ", "It is missing in one after event 20."),
        (MISSING_TWO, EVENTS, "two, 2 events from 21 on, ", "They are missing in one after event 20."),
        (EVENTS, SHORT, "one, event 21: ", "It is missing in two after event 20."),
        (EVENTS, MISSING_TWO, "one, 2 events from 21 on, ", "They are missing in two after event 20."),
        (
            TWICE,
            EVENTS,
            "one, event 22: ",
            "The record has it a second time; two has it once, up to event 21.",
        ),
        (
            TWO_TWICE,
            EVENTS,
            "one, 2 events from 23 on, ",
            "The record has them a second time; two has them once, up to event 22.",
        ),
        (
            EVENTS,
            TWICE,
            "two, event 22: ",
            "The record has it a second time; one has it once, up to event 21.",
        ),
        (
            EVENTS,
            TWO_TWICE,
            "two, 2 events from 23 on, ",
            "The record has them a second time; one has them once, up to event 22.",
        ),
    ],
    ids=[
        *("missing in a", "two missing in a", "missing in b", "two missing in b"),
        *("twice in a", "two twice in a", "twice in b", "two twice in b"),
    ],
)
def test_each_kind_names_the_sheet_the_events_and_the_place(
    a: list[Event], b: list[Event], begins: str, ends: str
) -> None:
    line = first_line(a, b)
    assert line.startswith(f"> 1. {begins}")
    assert line.endswith(ends)


def test_after_twenty_differences_the_others_are_counted() -> None:
    wrong = [event for n, event in enumerate(EVENTS, 1) if n % 8 or n > 8 * 23]
    compared = compare(record(HEAD, EVENTS, "one"), record(OTHER, _numbered(wrong), "two"))
    assert len(compared.differences) == 23
    lines = list(map(str, comparison_words(compared)))
    assert "  and 3 more; the comparison lists them." in lines
    assert [line for line in lines if line.lstrip(" >").startswith("21. ")] == []


def _numbered(events: list[Event]) -> list[Event]:
    return [structs.replace(event, n=n, t=n) for n, event in enumerate(events, 1)]
