"""The differences between two sequences: items that are missing, repeated, moved or different.

The items are numbers. Two items are equal if the things that they represent are equal. The module does not
depend on games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

Kind = Literal["missing in a", "missing in b", "twice in a", "twice in b", "in another order", "another"]
"""Kinds of difference between two sequences.

A sequence lacks items of the other one, repeats the items just before, has an item at another place, or has
another item.
"""

MAX_EXACT_PRODUCT = 4e8
"""The largest product of two lengths for which the number of differences is the smallest possible.

For two sequences of 20,000 items, this takes 75 MB and a fifth of a second.
"""

WINDOW_ITEMS = 20_000
"""Number of items of longer sequences that are compared at a time."""

MIN_EQUAL_RUN = 32
"""Number of equal items in a row after which the next window can begin."""

_MAX_DISTANCE_MOVED = 4
"""Maximum distance of an item that counts as moved, not as missing at one place and added at another."""

Side = Literal["a", "b"]
"""The side whose version of a difference counts."""

ONLY_IN_A: tuple[Kind, ...] = ("missing in b", "twice in a")
"""Kinds of differences in which only record a has the event."""
ONLY_IN_B: tuple[Kind, ...] = ("missing in a", "twice in b")
"""Kinds of differences in which only record b has the event."""

Hunk = tuple[int, int, int, int]
"""Two stretches without common items: first and last index in `a`, then in `b`, the last excluded."""


class Misalignment(NamedTuple):
    """A difference between two sequences.

    Attributes:
        a: Index of its first item in the first sequence. If this sequence lacks the items, the index at which
            they would be.
        b: The same for the second sequence.
        length: Number of items.
    """

    kind: Kind
    a: int
    b: int
    length: int = 1


DifferenceStretches = tuple[Misalignment, list[Misalignment]]
"""A difference and its stretches in both sequences: one stretch, or two for an item that moved."""


class ChosenItem(NamedTuple):
    """An item of a combined sequence: its index in `a` and in `b`; None if that side does not have it.

    ``differences_before`` is the number of differences that were decided up to this item.
    """

    a: int | None
    b: int | None
    differences_before: int


def misalignments(a: Sequence[int], b: Sequence[int]) -> list[Misalignment]:
    """Return all differences, first to last. For long sequences, the time is proportional to the length.

    The differences always turn `a` into `b`. Up to `MAX_EXACT_PRODUCT`, their number is the smallest.
    """
    return [difference for difference, _ in align(a, b)]


def align(a: Sequence[int], b: Sequence[int]) -> list[DifferenceStretches]:
    """Return all differences as `misalignments` does, each with its stretches."""
    differences = [difference for hunk in hunks(a, b) for difference in _classify(hunk, a, b)]
    return list(_join_moved(differences, a, b))


def combine(
    differences: Sequence[DifferenceStretches], size: int, sides: Sequence[Side]
) -> Iterator[ChosenItem]:
    """Yield the items of the combined sequence, with the items of the chosen side at each difference.

    `size` is the length of `a`. The combined sequence ends before the first difference without a side.
    """
    i = j = decided = 0
    for number, (_, stretches) in enumerate(differences):
        for stretch in stretches:
            yield from (ChosenItem(i + offset, j + offset, decided) for offset in range(stretch.a - i))
            if number == len(sides):
                return
            decided = max(decided, number + 1)
            i, j = stretch.a, stretch.b
            from_a = 0 if stretch.kind in ONLY_IN_B else stretch.length
            from_b = 0 if stretch.kind in ONLY_IN_A else stretch.length
            if sides[number] == "a":
                yield from (ChosenItem(i + offset, None, decided) for offset in range(from_a))
            else:
                yield from (ChosenItem(None, j + offset, decided) for offset in range(from_b))
            i, j = i + from_a, j + from_b
    yield from (ChosenItem(i + offset, j + offset, decided) for offset in range(size - i))


def hunks(a: Sequence[int], b: Sequence[int]) -> Iterator[Hunk]:
    """Yield the stretches that are not equal, first to last. Between them both sequences are the same."""
    from rapidfuzz.distance import Indel

    i = j = 0
    while i < len(a) and j < len(b):
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a[i:], b[j:], strict=False)))
        i, j = i + shared, j + shared
        is_exact = (len(a) - i) * (len(b) - j) <= MAX_EXACT_PRODUCT
        window_a, window_b = (
            (a[i:], b[j:]) if is_exact else (a[i : i + WINDOW_ITEMS], b[j : j + WINDOW_ITEMS])
        )
        equal = [
            (op.src_start, op.src_end, op.dest_start)
            for op in Indel.opcodes(window_a, window_b)
            if op.tag == "equal"
        ]
        anchors = (
            []
            if is_exact
            else [index for index, (start, end, _) in enumerate(equal) if _is_anchor(start, end)]
        )
        equal = (
            equal[: anchors[-1] + 1] if anchors else [*equal, (len(window_a), len(window_a), len(window_b))]
        )
        at_a = at_b = 0
        for start, end, start_b in equal:
            if (at_a, at_b) != (start, start_b):
                yield i + at_a, i + start, j + at_b, j + start_b
            at_a, at_b = end, start_b + end - start
        i, j = i + at_a, j + at_b
    if i < len(a) or j < len(b):
        yield i, len(a), j, len(b)


def _is_anchor(start: int, end: int) -> bool:
    """Return whether the next window can begin after an equal stretch, which must be long and late enough."""
    return end - start >= MIN_EQUAL_RUN and end > WINDOW_ITEMS // 2


def _classify(hunk: Hunk, a: Sequence[int], b: Sequence[int]) -> Iterator[Misalignment]:
    i1, i2, j1, j2 = hunk
    pairs = min(i2 - i1, j2 - j1)
    yield from (Misalignment("another", i1 + offset, j1 + offset) for offset in range(pairs))
    i1, j1 = i1 + pairs, j1 + pairs
    if i1 < i2:
        yield Misalignment("twice in a" if _repeats(a, i1, i2) else "missing in b", i1, j1, i2 - i1)
    if j1 < j2:
        yield Misalignment("twice in b" if _repeats(b, j1, j2) else "missing in a", i1, j1, j2 - j1)


def _repeats(items: Sequence[int], start: int, end: int) -> bool:
    """Return whether the items from `start` to `end` repeat the items just before them."""
    return 2 * start >= end and items[start:end] == items[2 * start - end : start]


def _join_moved(
    differences: list[Misalignment], a: Sequence[int], b: Sequence[int]
) -> Iterator[DifferenceStretches]:
    """Yield the differences. Join two neighbours if they are one item that moved."""
    waiting = iter(differences)
    first = next(waiting, None)
    while first is not None:
        second = next(waiting, None)
        moved = second and _moved_item(first, second, a, b)
        yield (moved, [first, second]) if moved and second else (first, [first])
        first = next(waiting, None) if moved else second


def _moved_item(
    first: Misalignment, second: Misalignment, a: Sequence[int], b: Sequence[int]
) -> Misalignment | None:
    """Return both as one difference, an item that is nearby in the other sequence, or None."""
    if (
        min(second.a - first.a, second.b - first.b) > _MAX_DISTANCE_MOVED
        or first.length > 1
        or second.length > 1
    ):
        return None
    removed, added = (first, second) if first.kind in ONLY_IN_A else (second, first)
    if removed.kind not in ONLY_IN_A or added.kind not in ONLY_IN_B or a[removed.a] != b[added.b]:
        return None
    if (
        added is first and second.a - first.a == 1
    ):  # two items changed places: report the one that is first in `a`
        return Misalignment("in another order", first.a, first.b + 1)
    return Misalignment("in another order", removed.a, added.b)
