"""The main line that results from two score sheets and a choice of one side at each difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct, structs

from gamelog.dispute.alignment import DifferenceStretches, Side, combine
from gamelog.dispute.score_sheet import ScoreSheet
from gamelog.finding import Finding
from gamelog.play.fold.common_events import COMMON, Resign
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event, Header


class LineItem(Struct, frozen=True):
    """An event on sheet `a`, on sheet `b`, or on both, and the number of differences before it."""

    a: Event | None
    b: Event | None
    differences_before: int


def choose_line(
    sheet_a: ScoreSheet,
    sheet_b: ScoreSheet,
    differences: Sequence[DifferenceStretches],
    sides: Sequence[Side],
) -> list[LineItem]:
    """Return the events that both sheets have, or that the chosen sheet has, in their order.

    The result ends before the first difference for which `sides` has no entry. Decisions that several seats
    made together are in the order in which they were recorded, not in the order of the seats.

    Args:
        sheet_a: The score sheet of record a.
        sheet_b: The score sheet of record b.
        differences: All differences of the sheets, in order; their indices count the plays of each sheet from
            0.
        sides: The side that counts for each of the first differences.
    """
    line = [
        LineItem(
            None if chosen.a is None else sheet_a.events[chosen.a],
            None if chosen.b is None else sheet_b.events[chosen.b],
            chosen.differences_before,
        )
        for chosen in combine(differences, len(sheet_a.play), sides)
    ]
    runs = (list(run) for _, run in groupby(line, key=lambda item: (item.differences_before, item.a is None)))
    return [item for run in runs for item in sorted(run, key=lambda item: _event(item).n)]


def restamp(
    line: Sequence[LineItem], sheet_a: ScoreSheet, sheet_b: ScoreSheet
) -> tuple[list[LineItem], list[Event]]:
    """Return the items of `line` that a merged record can contain, and their events with new stamps.

    An end of the game that was agreed or ruled is left out. The times come from the first sheet. An event
    that only the second sheet has keeps its time of play, if this time is between the times of its
    neighbours. An illegal event that counts gets the mark ``as_played``.
    """
    items = [item for item in line if type(_event(item)) not in COMMON or isinstance(_event(item), Resign)]
    times = _times(items, sheet_a, sheet_b)
    events = [
        structs.replace(
            _event(item), n=n, t=t, id=None, as_played=_counts_as_played(item, sheet_a if item.a else sheet_b)
        )
        for n, (item, t) in enumerate(zip(items, times, strict=True), 1)
    ]
    return items, events


def first_illegal(header: Header, sheet: ScoreSheet, events: Sequence[Event]) -> Finding | None:
    """Return the finding on the first of `events` that cannot follow the events before it, or None.

    The dice of `header` must be rolled at the table.
    """
    return Fold(header, sheet.fold.game).extend(events)


def _event(item: LineItem) -> Event:
    event = item.a or item.b
    assert event is not None, "an item is on at least one sheet"
    return event


def _counts_as_played(item: LineItem, sheet: ScoreSheet) -> bool:
    event = _event(item)
    return event.as_played or event.n in sheet.fold.violations


def _times(line: Sequence[LineItem], sheet_a: ScoreSheet, sheet_b: ScoreSheet) -> Iterator[int]:
    """Yield the time of each item, without the pauses of the clock."""
    ahead = [_play_time(sheet_a, item.a) if item.a else None for item in line]
    limits: list[int | None] = []
    limit = None
    for time in reversed(ahead):
        limit = limit if time is None else time
        limits.append(limit)
    t = 0
    for item, time, limit in zip(line, ahead, reversed(limits), strict=True):
        own_time = _play_time(sheet_b, _event(item)) if time is None else time
        t = max(t, own_time if limit is None else min(own_time, limit))
        yield t


def _play_time(sheet: ScoreSheet, event: Event) -> int:
    fold = sheet.fold
    return fold.play_time_at(event.n) if event.n <= fold.n else fold.session.clock(event.t)
