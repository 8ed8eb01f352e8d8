"""Two sequences in step: where one lacks what the other has, repeats or moves it, or has something else.

Knows nothing of games. Sequences are of numbers, equal where what they stand for is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

Kind = Literal["missing in a", "missing in b", "twice in a", "twice in b", "in another order", "another"]
"""Kinds of difference between two lines.

One line lacks items of the other, repeats the items just before, has them elsewhere, or has other items.
"""

EXACT = 4e8
"""Up to this product of the lengths, 20,000 by 20,000, the fewest differences are found:
in 75 MB and a fifth of a second.
"""

WINDOW = 20_000
"""Items of longer lines that are compared at a time."""

IN_STEP = 32
"""So many equal items in a row, and two windows are in step again."""

_MAX_ITEMS_MOVED = 4
"""What is missing here and stands at most so many items away in the other sequence was written in another
order.
"""

Choice = Literal["a", "b"]
"""The side whose version of a difference counts."""

ONLY_IN_A: tuple[Kind, ...] = ("missing in b", "twice in a")
ONLY_IN_B: tuple[Kind, ...] = ("missing in a", "twice in b")

Hunk = tuple[int, int, int, int]
"""Two stretches, from and up to an index of either sequence, with nothing in common in this order."""


class Misalignment(NamedTuple):
    """A difference: `length` items from index `a` and from index `b` on, or the gap of one without them."""

    kind: Kind
    a: int
    b: int
    length: int = 1


Differing = tuple[Misalignment, list[Misalignment]]
"""A difference, and the stretches of both lines that it consists of: one, or two for an item that moved."""


class Chosen(NamedTuple):
    """An item of a line made of two: its index in `a` and in `b`, None where that side has nothing.

    ``after`` counts the differences that were decided up to this item.
    """

    a: int | None
    b: int | None
    after: int


def gaps(a: Sequence[int], b: Sequence[int]) -> list[Misalignment]:
    """All differences, in their order. The time for long sequences grows with their length alone.

    The differences always explain how to make `b` of `a`; they are the fewest where `EXACT` lets them be.
    """
    return [gap for gap, _ in differing(a, b)]


def differing(a: Sequence[int], b: Sequence[int]) -> list[Differing]:
    """Return all differences as `gaps` does, each with its stretches."""
    found = [gap for hunk in hunks(a, b) for gap in _named(hunk, a, b)]
    return list(_reordered(found, a, b))


def choose(differences: Sequence[Differing], size: int, sides: Sequence[Choice]) -> Iterator[Chosen]:
    """Yield the items of a line made of two with these `differences`, of each those of the side chosen.

    `size` is the length of `a`. The line ends before the first difference for which no side is given.
    """
    i = j = after = 0
    for number, (_, stretches) in enumerate(differences):
        for stretch in stretches:
            yield from (Chosen(i + at, j + at, after) for at in range(stretch.a - i))
            if number == len(sides):
                return
            after = max(after, number + 1)
            i, j = stretch.a, stretch.b
            from_a = 0 if stretch.kind in ONLY_IN_B else stretch.length
            from_b = 0 if stretch.kind in ONLY_IN_A else stretch.length
            if sides[number] == "a":
                yield from (Chosen(i + at, None, after) for at in range(from_a))
            else:
                yield from (Chosen(None, j + at, after) for at in range(from_b))
            i, j = i + from_a, j + from_b
    yield from (Chosen(i + at, j + at, after) for at in range(size - i))


def hunks(a: Sequence[int], b: Sequence[int]) -> Iterator[Hunk]:
    """Yield the stretches that are not equal, in order; between two of them both lines are the same."""
    from rapidfuzz.distance import Indel

    i = j = 0
    while i < len(a) and j < len(b):
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a[i:], b[j:], strict=False)))
        i, j = i + shared, j + shared
        whole = (len(a) - i) * (len(b) - j) <= EXACT
        ours, theirs = (a[i:], b[j:]) if whole else (a[i : i + WINDOW], b[j : j + WINDOW])
        equal = [
            (op.src_start, op.src_end, op.dest_start)
            for op in Indel.opcodes(ours, theirs)
            if op.tag == "equal"
        ]
        steady = [] if whole else [at for at, (start, end, _) in enumerate(equal) if _in_step(start, end)]
        equal = equal[: steady[-1] + 1] if steady else [*equal, (len(ours), len(ours), len(theirs))]
        at = other = 0
        for start, end, there in equal:
            if (at, other) != (start, there):
                yield i + at, i + start, j + other, j + there
            at, other = end, there + end - start
        i, j = i + at, j + other
    if i < len(a) or j < len(b):
        yield i, len(a), j, len(b)


def _in_step(start: int, end: int) -> bool:
    """Return whether the next window can begin after an equal stretch: it is long and late enough."""
    return end - start >= IN_STEP and end > WINDOW // 2


def _named(hunk: Hunk, a: Sequence[int], b: Sequence[int]) -> Iterator[Misalignment]:
    i1, i2, j1, j2 = hunk
    pairs = min(i2 - i1, j2 - j1)
    yield from (Misalignment("another", i1 + at, j1 + at) for at in range(pairs))
    i1, j1 = i1 + pairs, j1 + pairs
    if i1 < i2:
        yield Misalignment("twice in a" if _repeats(a, i1, i2) else "missing in b", i1, j1, i2 - i1)
    if j1 < j2:
        yield Misalignment("twice in b" if _repeats(b, j1, j2) else "missing in a", i1, j1, j2 - j1)


def _repeats(items: Sequence[int], start: int, end: int) -> bool:
    """Return whether the items from `start` to `end` repeat the items just before them."""
    return 2 * start >= end and items[start:end] == items[2 * start - end : start]


def _reordered(found: list[Misalignment], a: Sequence[int], b: Sequence[int]) -> Iterator[Differing]:
    """The same, with neighbours joined that are one item written at two places."""
    waiting = iter(found)
    one = next(waiting, None)
    while one is not None:
        two = next(waiting, None)
        moved = two and _moved(one, two, a, b)
        yield (moved, [one, two]) if moved and two else (one, [one])
        one = next(waiting, None) if moved else two


def _moved(one: Misalignment, two: Misalignment, a: Sequence[int], b: Sequence[int]) -> Misalignment | None:
    """The difference that `one` and `two` are together: an item that stands near by in the other sequence."""
    if min(two.a - one.a, two.b - one.b) > _MAX_ITEMS_MOVED or one.length > 1 or two.length > 1:
        return None
    gone, come = (one, two) if one.kind in ONLY_IN_A else (two, one)
    if gone.kind not in ONLY_IN_A or come.kind not in ONLY_IN_B or a[gone.a] != b[come.b]:
        return None
    if (
        come is one and two.a - one.a == 1
    ):  # of two that have changed places, tell of the one that comes first in `a`
        return Misalignment("in another order", one.a, one.b + 1)
    return Misalignment("in another order", gone.a, come.b)
