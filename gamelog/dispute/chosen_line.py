"""One line of play made of two score sheets: what both have, and of each difference the version of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct, structs

from gamelog.dispute.alignment import Choice, Differing, choose
from gamelog.dispute.score_sheet import ScoreSheet
from gamelog.finding import Finding
from gamelog.play.fold.common import COMMON, Resign
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event, Header


class Item(Struct, frozen=True):
    """An event of the line as sheet `a` and `b` have it; `after` counts the differences up to there."""

    a: Event | None
    b: Event | None
    after: int


def chosen_line(
    one: ScoreSheet, two: ScoreSheet, differences: Sequence[Differing], sides: Sequence[Choice]
) -> list[Item]:
    """Return what both sheets have up to the first difference for which `sides` names none.

    What several seats decided together is in the order in which it was recorded, not in that of the seats.
    """
    line = [
        Item(
            None if at.a is None else one.standing[at.a],
            None if at.b is None else two.standing[at.b],
            at.after,
        )
        for at in choose(differences, len(one.play), sides)
    ]
    runs = (list(run) for _, run in groupby(line, key=lambda item: (item.after, item.a is None)))
    return [item for run in runs for item in sorted(run, key=lambda item: _event(item).n)]


def stamped(line: Sequence[Item], one: ScoreSheet, two: ScoreSheet) -> tuple[list[Item], list[Event]]:
    """Return the items of `line` that a record can hold, and their events: without ends that were agreed or
    ruled, with the times of the first sheet, and marked if they were illegal and counted.

    What only the second sheet has keeps its time of play, if that is between the times of its neighbours.
    """
    kept = [item for item in line if type(_event(item)) not in COMMON or isinstance(_event(item), Resign)]
    times = _times(kept, one, two)
    events = [
        structs.replace(_event(item), n=n, t=t, id=None, as_played=_stood(item, one if item.a else two))
        for n, (item, t) in enumerate(zip(kept, times, strict=True), 1)
    ]
    return kept, events


def first_illegal(header: Header, one: ScoreSheet, events: Sequence[Event]) -> Finding | None:
    """Return why one of `events`, dice rolled at the table, cannot follow on those before it, or None."""
    return Fold(header, one.fold.game).extend(events)


def _event(item: Item) -> Event:
    event = item.a or item.b
    assert event is not None, "an item is on one sheet at least"
    return event


def _stood(item: Item, sheet: ScoreSheet) -> bool:
    event = _event(item)
    return event.as_played or event.n in sheet.fold.violations


def _times(line: Sequence[Item], one: ScoreSheet, two: ScoreSheet) -> Iterator[int]:
    """The time of each item, without pauses, which are not on the line."""
    ahead = [_played(one, item.a) if item.a else None for item in line]
    limits: list[int | None] = []
    limit = None
    for time in reversed(ahead):
        limit = limit if time is None else time
        limits.append(limit)
    t = 0
    for item, time, limit in zip(line, ahead, reversed(limits), strict=True):
        wanted = _played(two, _event(item)) if time is None else time
        t = max(t, wanted if limit is None else min(wanted, limit))
        yield t


def _played(sheet: ScoreSheet, event: Event) -> int:
    fold = sheet.fold
    return fold.clock_at(event.n) if event.n <= fold.n else fold.session.clock(event.t)
