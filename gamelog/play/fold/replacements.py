"""Replacements of corrected events: events that a slip removed, and the events recorded instead."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, takewhile
from typing import NamedTuple

import msgspec

from gamelog.play.fold import common_events
from gamelog.play.fold.common_events import COMMON, STEP_TYPES
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event, as_proposal

_MAX_FOLLOWED_RATIO = 20
"""Limit for following corrections, the last first: removed events, in multiples of the record's length."""

_MAX_INSERTED, _MAX_LEFT_OUT = 3, 64
"""Largest number of events that a correction inserts before an event, and that it leaves out before one."""


def is_play(event: Event) -> bool:
    """Return whether a return to an earlier event undoes `event`, so that it may be recorded again."""
    return type(event) not in COMMON or isinstance(event, STEP_TYPES)


def is_step(fold: Fold, event: Event) -> bool:
    """Return whether someone decided `event` and a takeback undoes it, unlike chance and notes."""
    if isinstance(event, STEP_TYPES) or event.n in fold.ends:
        return True
    if isinstance(event, common_events.Agree):
        return event.n in fold.offers
    return not isinstance(event, (*COMMON, *fold.game.chance_events))


def content_of(event: Event) -> bytes:
    """Return the members of `event` without its number, time and key, as JSON."""
    return msgspec.json.encode({name: value for name, value in as_proposal(event).items() if name != "id"})


def replacements(
    fold: Fold, events: Sequence[Event], content: Callable[[Event], bytes] = content_of
) -> dict[int, int]:
    """Return the number of the replacing event for each event that a correction removed.

    Events were recorded again if events with the same `content` follow the correction in the same order, with
    few others between them. The first removed event can also have another content of the same type. For a
    viewer, the content is the part of an event that the viewer sees.

    Events that were removed and not recorded again are left out. If corrections removed the same events again
    and again, more than `_MAX_FOLLOWED_RATIO` times, the events that the first of them removed are left out
    too.
    """
    replacing: dict[int, int] = {}
    for slip, numbers in reversed(_removed_events(fold)):
        removed_play = [n for n in numbers if is_play(events[n - 1])]
        played_again = list(_play_until_takeback(fold, events, slip))
        positions = _positions_in_order(
            [content(events[n - 1]) for n in removed_play], [content(events[n - 1]) for n in played_again]
        )
        if removed_play and played_again and 0 not in positions and positions[0] != 1:
            wrong, right = events[removed_play[0] - 1], events[played_again[0] - 1]
            positions[0] = 0 if type(wrong) is type(right) else positions[0]
        replacing.update(
            (old, played_again[position])
            for old, position in zip(removed_play, positions, strict=True)
            if position is not None
        )
    for old in sorted(replacing, reverse=True):
        replacing[old] = replacing.get(replacing[old], replacing[old])
    return replacing


def _removed_events(fold: Fold) -> list[tuple[int, list[int]]]:
    """Return the corrections up to the limit, the last first, with the numbers of the removed events."""
    removed: list[tuple[int, list[int]]] = []
    remaining = _MAX_FOLLOWED_RATIO * fold.n
    for slip in sorted((n for n in fold.slips if n in fold.takebacks), reverse=True):
        back = chain.from_iterable(fold.main_line.stretches(slip - 1))
        numbers = list(takewhile(fold.takebacks[slip].__lt__, back))
        remaining -= len(numbers)
        if remaining < 0:
            break
        removed.append((slip, numbers[::-1]))
    return removed


def _play_until_takeback(fold: Fold, events: Sequence[Event], slip: int) -> Iterator[int]:
    """Yield the play after a correction, up to the next takeback."""
    for n in range(slip + 1, fold.n + 1):
        if n in fold.takebacks:
            return
        if is_play(events[n - 1]):
            yield n


def _positions_in_order(old: list[bytes], new: list[bytes]) -> list[int | None]:
    """Return for each of `old` its position in `new`, or None.

    The positions increase, and as many as possible are found (Hunt and Szymanski 1977).
    """
    places: dict[bytes, list[int]] = {}
    for position, content in enumerate(new):
        places.setdefault(content, []).append(position)
    ends: list[int] = []  # the smallest last position of so many matches
    matches: list[_Match] = []  # their last match
    for index, content in enumerate(old):
        known = places.get(content, [])
        first = bisect_left(known, index - _MAX_LEFT_OUT)
        last = bisect_right(known, index + _MAX_INSERTED)
        for position in reversed(known[first:last]):
            count = bisect_left(ends, position)
            match = _Match(index, position, matches[count - 1] if count else None)
            ends[count : count + 1], matches[count : count + 1] = [position], [match]
    positions: list[int | None] = [None] * len(old)
    best = matches[-1] if matches else None
    while best:
        positions[best.at] = best.position
        best = best.before
    return positions


class _Match(NamedTuple):
    """The event `at` a place that was recorded again at `position`, after the match `before`."""

    at: int
    position: int
    before: _Match | None
