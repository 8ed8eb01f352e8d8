"""Tests of two sheets line by line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gamelog.dispute.compare import compare
from gamelog.dispute.side_by_side import CONTEXT_LINES, SheetLine, side_by_side
from gamelog.record.envelope import Event
from gamelog.record.reading import Record
from tests.dispute.sheets import record, sheets


def with_mistakes(edit: list[tuple[str, float]]) -> tuple[Record, Record, list[Event]]:
    """Return a sheet, another one with these mistakes, and the events of the first one."""
    head, second, events = sheets()
    wrong = list(events)
    for what, where in edit:
        at = round(where * (len(wrong) - 2))
        if what == "left out":
            del wrong[at]
        elif what == "twice":
            wrong.insert(at, wrong[at])
        else:
            wrong[at : at + 2] = wrong[at : at + 2][::-1]
    renumbered = [structs.replace(event, n=n, t=n) for n, event in enumerate(wrong, 1)]
    return record(head, events), record(second, renumbered, "b"), events


def kinds(lines: list[SheetLine]) -> list[str]:
    return [line.kind for line in lines if line.kind]


EDITS = st.lists(st.tuples(st.sampled_from(["left out", "twice", "swapped"]), st.floats(0, 1)), max_size=6)


@given(EDITS)
def test_every_event_of_both_sheets_is_shown_once_or_counted(edit: list[tuple[str, float]]) -> None:
    a, b, _ = with_mistakes(edit)
    lines = list(side_by_side(a, b, 100_000))
    for side, sheet in (("a", a), ("b", b)):
        shown = [getattr(line, side).n for line in lines if getattr(line, side)]
        assert shown == sorted(set(shown))
        assert len(shown) + sum(line.equal_lines for line in lines) == len(sheet.bodies)
    for line in lines:
        agree = line.a is not None and line.b is not None and line.kind is None
        assert agree or line.kind or (line.equal_lines > 1 and line.a is line.b is None)
    assert bool(kinds(lines)) is not compare(a, b).same


def test_an_event_on_one_sheet_is_next_to_a_gap_between_equal_lines() -> None:
    a, b, events = with_mistakes([("left out", 0.1)])
    lines = list(side_by_side(a, b))
    (at,) = (at for at, line in enumerate(lines) if line.kind)
    assert (lines[at].kind, lines[at].b) == ("missing in b", None)
    assert [line.equal_lines > 0 for line in lines] == [True, *[False] * (2 * CONTEXT_LINES + 1), True]
    assert sum(line.equal_lines for line in lines) == len(events) - 2 * CONTEXT_LINES - 1


def test_each_line_has_the_number_of_its_difference() -> None:
    head, second, events = sheets()
    wrong = [*events[:10], *events[11:20], *events[22:30], events[31], events[30], *events[32:]]
    wrong[40:43] = [structs.replace(events[0])] * 3
    renumbered = [structs.replace(event, n=n, t=n) for n, event in enumerate(wrong, 1)]
    a, b = record(head, events), record(second, renumbered, "b")
    found = [(line.kind, line.difference) for line in side_by_side(a, b) if line.kind]
    assert found == [
        ("missing in b", 1),
        *[("missing in b", 2)] * 2,
        *[("in another order", 3)] * 2,
        *[("another", number) for number in (4, 5, 6)],
    ]
    assert [one.kind for one in compare(a, b).differences] == [
        *["missing in b"] * 2,
        "in another order",
        *["another"] * 3,
    ]


def test_equal_sheets_are_one_line() -> None:
    a, b, events = with_mistakes([])
    assert list(side_by_side(a, b)) == [SheetLine(None, None, equal_lines=len(events))]


def test_the_number_of_lines_is_limited() -> None:
    a, b, _ = with_mistakes([("twice", 0.1), ("left out", 0.5), ("twice", 0.9)])
    assert len(list(side_by_side(a, b, 9))) <= 9 + 2 * CONTEXT_LINES + 1


def test_an_event_on_the_second_sheet_only_has_the_kind_of_its_difference() -> None:
    a, b, _ = with_mistakes([("left out", 0.1)])
    (line,) = (line for line in side_by_side(b, a) if line.kind)
    assert (line.kind, line.a, line.difference) == ("missing in a", None, 1)
