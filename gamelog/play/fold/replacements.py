"""Replacements of corrected events: events that a slip removed, and the events recorded instead."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, takewhile

import msgspec

from gamelog.play.fold import common_events
from gamelog.play.fold.common_events import COMMON, STEPS
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event, as_proposal

_MAX_FOLLOWED_RATIO = 20
"""Limit for following corrections, the last first: removed events, in multiples of the record's length."""


def is_play(event: Event) -> bool:
    """Return whether a return to an earlier event undoes `event`, so that it may be recorded again."""
    return type(event) not in COMMON or isinstance(event, STEPS)


def is_step(fold: Fold, event: Event) -> bool:
    """Return whether someone decided `event` and a takeback undoes it, unlike chance and notes."""
    if isinstance(event, STEPS) or event.n in fold.ends:
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

    An event was recorded again if an event with the same `content` follows the correction. For a viewer, the
    content is the part of an event that the viewer sees.

    Events that were removed and not recorded again are left out. If corrections removed the same events again
    and again, more than `_MAX_FOLLOWED_RATIO` times, the events that the first of them removed are left out
    too.
    """
    replacing: dict[int, int] = {}
    for slip, numbers in reversed(_removed_events(fold)):
        cut = [n for n in numbers if is_play(events[n - 1])]
        played_again = list(_play_until_takeback(fold, events, slip))
        positions = _positions_in_order(
            [content(events[n - 1]) for n in cut], [content(events[n - 1]) for n in played_again]
        )
        replacing.update(
            (old, played_again[position])
            for old, position in zip(cut, positions, strict=True)
            if position is not None
        )
        if cut and played_again and positions[0] is None and 0 not in positions:
            replacing[cut[0]] = played_again[0]
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
    """Return for each of `old` its position in `new`, after the position of the previous one, or None."""
    places: dict[bytes, list[int]] = {}
    for position, content in enumerate(new):
        places.setdefault(content, []).append(position)
    positions: list[int | None] = []
    next_ = 0
    for content in old:
        known = places.get(content, [])
        position = bisect_left(known, next_)
        positions.append(known[position] if position < len(known) else None)
        next_ = known[position] + 1 if position < len(known) else next_
    return positions
