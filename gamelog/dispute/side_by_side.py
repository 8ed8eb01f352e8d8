"""Two score sheets line by line: equal events on one line, other events next to a gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from gamelog.dispute.alignment import ONLY_IN_A, ONLY_IN_B, Discrepancy, Kind, align, hunks
from gamelog.dispute.score_sheet import ScoreSheet, SheetEntry, as_numbers
from gamelog.record.reading import Record

ALIKE_SHOWN = 3
"""Number of equal lines that are shown before and after each difference."""


class SheetLine(Struct, frozen=True):
    """A line of two sheets. A side without an event is None, and ``kind`` is None if both sides are equal.

    ``difference`` is the number of the difference, from 1, in the order of `compare`. If ``alike`` is not 0,
    the line has no events: it replaces this number of equal lines.
    """

    a: SheetEntry | None
    b: SheetEntry | None
    kind: Kind | None = None
    alike: int = 0
    difference: int | None = None


def side_by_side(a: Record, b: Record, most: int = 2_000, language: str = "en") -> Iterator[SheetLine]:
    """Yield about `most` lines: all differences, and the equal lines next to them.

    The sentences on events are in `language`. Whether both records are of one game is not checked. Raises
    `PlayError` if a record cannot be folded because of its header.
    """
    one, two = ScoreSheet(a, language=language), ScoreSheet(b, language=language)
    ours, theirs = as_numbers(one.play, two.play)
    differences = align(ours, theirs)
    kinds, numbers = _kinds(differences), _numbers(differences)
    given = i = j = 0
    for i2, i3, j2, j3 in (*hunks(ours, theirs), (len(ours), len(ours), len(theirs), len(theirs))):
        for line in _equal_lines(
            one, two, range(i, i2), j - i, begun=i > 0, ends=i2 == len(ours) and i2 == i3
        ):
            given += 1
            yield line
        pairs = min(i3 - i2, j3 - j2)
        for at in range(max(i3 - i2, j3 - j2)):
            if given >= most:
                return
            given += 1
            left = one.entry(i2 + at, True) if at < i3 - i2 else None
            right = two.entry(j2 + at, True) if at < j3 - j2 else None
            only = kinds[0].get(i2 + at) if left else kinds[1].get(j2 + at)
            kind = "another" if at < pairs else only or "in another order"
            number = numbers[0].get(i2 + at) if left else numbers[1].get(j2 + at)
            yield SheetLine(left, right, kind, difference=number)
        i, j = i3, j3


def _equal_lines(
    one: ScoreSheet, two: ScoreSheet, numbers: range, shift: int, begun: bool, ends: bool
) -> Iterator[SheetLine]:
    """Yield the equal lines at the indices `numbers` of the first sheet, in full only near differences."""
    first, last = ALIKE_SHOWN * begun, ALIKE_SHOWN * (not ends)
    left_out = len(numbers) - first - last
    for number in numbers:
        at = number - numbers.start
        if left_out < 2 or at < first or at >= first + left_out:
            yield SheetLine(one.entry(number, True), two.entry(number + shift, True))
        elif at == first:
            yield SheetLine(None, None, alike=left_out)


def _kinds(differences: Sequence[Discrepancy]) -> tuple[dict[int, Kind], dict[int, Kind]]:
    """Return the kind of difference by index, for each sheet. A moved event may differ on one sheet only."""
    a: dict[int, Kind] = {}
    b: dict[int, Kind] = {}
    for gap, _ in differences:
        if gap.kind not in ONLY_IN_B:
            a |= dict.fromkeys(range(gap.a, gap.a + gap.length), gap.kind)
        if gap.kind not in ONLY_IN_A:
            b |= dict.fromkeys(range(gap.b, gap.b + gap.length), gap.kind)
    return a, b


def _numbers(differences: Sequence[Discrepancy]) -> tuple[dict[int, int], dict[int, int]]:
    """Return the number of the difference by index, for each sheet."""
    a: dict[int, int] = {}
    b: dict[int, int] = {}
    for number, (_, stretches) in enumerate(differences, 1):
        for gap in stretches:
            if gap.kind not in ONLY_IN_B:
                a |= dict.fromkeys(range(gap.a, gap.a + gap.length), number)
            if gap.kind not in ONLY_IN_A:
                b |= dict.fromkeys(range(gap.b, gap.b + gap.length), number)
    return a, b
