"""Two score sheets line by line: equal events on one line, other events next to a gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from gamelog.dispute.alignment import ONLY_IN_A, ONLY_IN_B, DifferenceStretches, Kind, align, hunks
from gamelog.dispute.score_sheet import ScoreSheet, SheetEntry, as_numbers, score_sheets
from gamelog.record.reading import Record

CONTEXT_LINES = 3
"""Number of equal lines that are shown before and after each difference."""


class SheetLine(Struct, frozen=True):
    """A line of two sheets. A side without an event is None.

    Attributes:
        a: Entry of the first sheet.
        b: Entry of the second sheet.
        kind: Kind of the difference, or None if both sides are equal.
        equal_lines: Number of equal lines that this line replaces; it has no events then. Otherwise 0.
        difference: Number of the difference, from 1, in the order of `compare`.
    """

    a: SheetEntry | None
    b: SheetEntry | None
    kind: Kind | None = None
    equal_lines: int = 0
    difference: int | None = None


def side_by_side(
    a: Record, b: Record, max_lines: int = 2_000, language: str = "en", *, reveal: bool = True
) -> Iterator[SheetLine]:
    """Yield the differences of two records, and the equal lines next to them.

    Whether both records are of one game is not checked.

    Args:
        a: The record on the left.
        b: The record on the right.
        max_lines: About the largest number of lines. Later differences are left out.
        language: The language of the sentences on events.
        reveal: Whether the lines have the hidden information of an unfinished game.

    Raises:
        PlayError: A record cannot be folded because of its header.
    """
    sheet_a, sheet_b = score_sheets(a, b, language, reveal=reveal)
    plays_a, plays_b = as_numbers(sheet_a.shown_plays, sheet_b.shown_plays)
    differences = align(plays_a, plays_b)
    kinds, numbers = _kinds(differences), _numbers(differences)
    line_count = i = j = 0
    for i2, i3, j2, j3 in (
        *hunks(plays_a, plays_b),
        (len(plays_a), len(plays_a), len(plays_b), len(plays_b)),
    ):
        for line in _equal_lines(
            sheet_a,
            sheet_b,
            range(i, i2),
            j - i,
            after_difference=i > 0,
            at_end=i2 == len(plays_a) and i2 == i3,
        ):
            line_count += 1
            yield line
        pairs = min(i3 - i2, j3 - j2)
        for offset in range(max(i3 - i2, j3 - j2)):
            if line_count >= max_lines:
                return
            line_count += 1
            left = sheet_a.entry(i2 + offset, True) if offset < i3 - i2 else None
            right = sheet_b.entry(j2 + offset, True) if offset < j3 - j2 else None
            only = kinds[0].get(i2 + offset) if left else kinds[1].get(j2 + offset)
            kind = "another" if offset < pairs else only or "in another order"
            number = numbers[0].get(i2 + offset) if left else numbers[1].get(j2 + offset)
            yield SheetLine(left, right, kind, difference=number)
        i, j = i3, j3


def _equal_lines(
    sheet_a: ScoreSheet, sheet_b: ScoreSheet, numbers: range, shift: int, after_difference: bool, at_end: bool
) -> Iterator[SheetLine]:
    """Yield the equal lines at the indices `numbers` of the first sheet, in full only near differences."""
    first, last = CONTEXT_LINES * after_difference, CONTEXT_LINES * (not at_end)
    left_out = len(numbers) - first - last
    for number in numbers:
        offset = number - numbers.start
        if left_out < 2 or offset < first or offset >= first + left_out:
            yield SheetLine(sheet_a.entry(number, True), sheet_b.entry(number + shift, True))
        elif offset == first:
            yield SheetLine(None, None, equal_lines=left_out)


def _kinds(differences: Sequence[DifferenceStretches]) -> tuple[dict[int, Kind], dict[int, Kind]]:
    """Return the kind of difference by index, for each sheet. A moved event may differ on one sheet only."""
    a: dict[int, Kind] = {}
    b: dict[int, Kind] = {}
    for gap, _ in differences:
        if gap.kind not in ONLY_IN_B:
            a |= dict.fromkeys(range(gap.a, gap.a + gap.length), gap.kind)
        if gap.kind not in ONLY_IN_A:
            b |= dict.fromkeys(range(gap.b, gap.b + gap.length), gap.kind)
    return a, b


def _numbers(differences: Sequence[DifferenceStretches]) -> tuple[dict[int, int], dict[int, int]]:
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
