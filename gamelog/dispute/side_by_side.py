"""Two score sheets line by line: what both say side by side, what only one says beside a gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from gamelog.dispute.alignment import ONLY_IN_A, ONLY_IN_B, Differing, Kind, differing, hunks
from gamelog.dispute.score_sheet import ScoreSheet, SheetEntry, numbered
from gamelog.record.reading import Record

ALIKE_SHOWN = 3
"""Lines on which both agree that are shown before and after each difference."""


class SheetLine(Struct, frozen=True):
    """A line of both sheets, None for a side that says nothing; `kind` says how they differ, or None.

    ``difference`` is the number of the difference that it belongs to, from 1, as `compare` lists them.
    ``alike`` counts lines on which both agree that are left out here; then neither side says anything.
    """

    a: SheetEntry | None
    b: SheetEntry | None
    kind: Kind | None = None
    alike: int = 0
    difference: int | None = None


def side_by_side(a: Record, b: Record, most: int = 2_000) -> Iterator[SheetLine]:
    """Both lines of play from the first difference to the last, at most so many; of those alike the nearest.

    Raises `PlayError` for a record whose header gives nothing to fold. That both are of one game is not
    checked.
    """
    one, two = ScoreSheet(a), ScoreSheet(b)
    ours, theirs = numbered(one.play, two.play)
    differences = differing(ours, theirs)
    kinds, numbers = _kinds(differences), _numbers(differences)
    given = i = j = 0
    for i2, i3, j2, j3 in (*hunks(ours, theirs), (len(ours), len(ours), len(theirs), len(theirs))):
        for line in _alike(one, two, range(i, i2), j - i, begun=i > 0, ends=i2 == len(ours) and i2 == i3):
            given += 1
            yield line
        pairs = min(i3 - i2, j3 - j2)
        for at in range(max(i3 - i2, j3 - j2)):
            if given >= most:
                return
            given += 1
            left = one.said(i2 + at, True) if at < i3 - i2 else None
            right = two.said(j2 + at, True) if at < j3 - j2 else None
            only = kinds[0].get(i2 + at) if left else kinds[1].get(j2 + at)
            kind = "another" if at < pairs else only or "in another order"
            number = numbers[0].get(i2 + at) if left else numbers[1].get(j2 + at)
            yield SheetLine(left, right, kind, difference=number)
        i, j = i3, j3


def _alike(
    one: ScoreSheet, two: ScoreSheet, numbers: range, shift: int, begun: bool, ends: bool
) -> Iterator[SheetLine]:
    """The lines of sheet a with these `numbers`, on which both agree: those near what comes next to them."""
    first, last = ALIKE_SHOWN * begun, ALIKE_SHOWN * (not ends)
    left_out = len(numbers) - first - last
    for number in numbers:
        at = number - numbers.start
        if left_out < 2 or at < first or at >= first + left_out:
            yield SheetLine(one.said(number, True), two.said(number + shift, True))
        elif at == first:
            yield SheetLine(None, None, alike=left_out)


def _kinds(differences: Sequence[Differing]) -> tuple[dict[int, Kind], dict[int, Kind]]:
    """Return by index of each sheet the kind of difference; moved events may differ on one only."""
    a: dict[int, Kind] = {}
    b: dict[int, Kind] = {}
    for gap, _ in differences:
        if gap.kind not in ONLY_IN_B:
            a |= dict.fromkeys(range(gap.a, gap.a + gap.length), gap.kind)
        if gap.kind not in ONLY_IN_A:
            b |= dict.fromkeys(range(gap.b, gap.b + gap.length), gap.kind)
    return a, b


def _numbers(differences: Sequence[Differing]) -> tuple[dict[int, int], dict[int, int]]:
    """Return by index of each sheet the number of the difference that the event there belongs to."""
    a: dict[int, int] = {}
    b: dict[int, int] = {}
    for number, (_, stretches) in enumerate(differences, 1):
        for gap in stretches:
            if gap.kind not in ONLY_IN_B:
                a |= dict.fromkeys(range(gap.a, gap.a + gap.length), number)
            if gap.kind not in ONLY_IN_A:
                b |= dict.fromkeys(range(gap.b, gap.b + gap.length), number)
    return a, b
