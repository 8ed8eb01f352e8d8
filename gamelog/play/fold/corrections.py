"""Which event stands where another was corrected: what a slip cut out, and what was written behind it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile

import msgspec

from gamelog.play.fold import common
from gamelog.play.fold.common import COMMON, STEPS
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event, proposal

_FOLLOWED = 20
"""Corrections are followed, the last first, as long as all that they cut out is not more than so many times
the record.
"""


def is_play(event: Event) -> bool:
    """Whether `event` is undone by what goes back before it, and may be written again."""
    return type(event) not in COMMON or isinstance(event, STEPS)


def is_step(fold: Fold, event: Event) -> bool:
    """Whether `event` was decided by somebody and is undone by a takeback: neither chance nor beside play."""
    if isinstance(event, STEPS) or event.n in fold.ends:
        return True
    if isinstance(event, common.Agree):
        return event.n in fold.offers
    return not isinstance(event, (*COMMON, *fold.game.chance_events))


def replacements(fold: Fold, events: Sequence[Event]) -> dict[int, int]:
    """For events that a correction cut out, the number of the one that says now what they should have.

    What was cut out and not written again is not in it; nor is what the first corrections cut out, in a
    record where the later ones cut out the same events over and over, more than `_FOLLOWED` times.
    """
    now: dict[int, int] = {}
    for slip, numbers in reversed(_cuts(fold)):
        cut = [n for n in numbers if is_play(events[n - 1])]
        again = list(_until_the_next(fold, events, slip))
        found = _in_order([_said(events[n - 1]) for n in cut], [_said(events[n - 1]) for n in again])
        now.update((old, again[at]) for old, at in zip(cut, found, strict=True) if at is not None)
        if cut and again and found[0] is None and 0 not in found:
            now[cut[0]] = again[0]
    for old in sorted(now, reverse=True):
        now[old] = now.get(now[old], now[old])
    return now


def _cuts(fold: Fold) -> list[tuple[int, list[int]]]:
    """The corrections, the last first, each with the numbers of what it cut out, as far as asked for."""
    found: list[tuple[int, list[int]]] = []
    left = _FOLLOWED * fold.n
    for slip in sorted((n for n in fold.slips if n in fold.takebacks), reverse=True):
        back = chain.from_iterable(fold.main.stretches(slip - 1))
        numbers = list(takewhile(fold.takebacks[slip].__lt__, back))
        left -= len(numbers)
        if left < 0:
            break
        found.append((slip, numbers[::-1]))
    return found


def _until_the_next(fold: Fold, events: Sequence[Event], slip: int) -> Iterator[int]:
    """The play behind a correction, up to the next time that anything was taken back."""
    for n in range(slip + 1, fold.n + 1):
        if n in fold.takebacks:
            return
        if is_play(events[n - 1]):
            yield n


def _in_order(old: list[bytes], new: list[bytes]) -> list[int | None]:
    """For each of `old` where it stands in `new`, each behind the one before; None for one that does not."""
    places: dict[bytes, list[int]] = {}
    for at, said in enumerate(new):
        places.setdefault(said, []).append(at)
    found: list[int | None] = []
    next_ = 0
    for said in old:
        known = places.get(said, [])
        at = bisect_left(known, next_)
        found.append(known[at] if at < len(known) else None)
        next_ = known[at] + 1 if at < len(known) else next_
    return found


def _said(event: Event) -> bytes:
    return msgspec.json.encode({name: value for name, value in proposal(event).items() if name != "id"})
