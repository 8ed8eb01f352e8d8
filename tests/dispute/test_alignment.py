"""Tests of alignment: all kinds of differences are found, and no input takes long."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamelog.dispute import alignment
from gamelog.dispute.alignment import Misalignment, misalignments

LINE = list(range(100, 160))


def explains(found: list[Misalignment], a: list[int], b: list[int]) -> bool:
    """Return whether `a` and `b` are the same except for the differences."""
    gone = {gap.a + at for gap in found if gap.kind not in alignment.ONLY_IN_B for at in range(gap.length)}
    come = {gap.b + at for gap in found if gap.kind not in alignment.ONLY_IN_A for at in range(gap.length)}
    return [x for at, x in enumerate(a) if at not in gone] == [x for at, x in enumerate(b) if at not in come]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        (LINE, []),
        (LINE[:20] + LINE[21:], [Misalignment("missing in b", 20, 20)]),
        ([*LINE[:20], 7, *LINE[20:]], [Misalignment("missing in a", 20, 20)]),
        (LINE[:21] + LINE[20:], [Misalignment("twice in b", 21, 21)]),
        (LINE[:23] + LINE[20:], [Misalignment("twice in b", 23, 23, 3)]),
        ([*LINE[:20], 121, 120, *LINE[22:]], [Misalignment("in another order", 20, 21)]),
        ([*LINE[:20], 122, 120, 121, *LINE[23:]], [Misalignment("in another order", 22, 20)]),
        ([*LINE[:20], 121, 122, 120, *LINE[23:]], [Misalignment("in another order", 20, 22)]),
        ([*LINE[:20], 7, *LINE[21:]], [Misalignment("another", 20, 20)]),
        ([*LINE[:20], 7, 8, *LINE[22:]], [Misalignment("another", 20, 20), Misalignment("another", 21, 21)]),
        (
            [*LINE[:20], 7, 8, 9, *LINE[21:]],
            [Misalignment("another", 20, 20), Misalignment("missing in a", 21, 21, 2)],
        ),
        (LINE[:20], [Misalignment("missing in b", 20, 20, 40)]),
        (
            [*LINE[:10], 7, *LINE[11:20], *LINE[21:30], 8, *LINE[30:40], 141, 140, *LINE[42:]],
            [
                Misalignment("another", 10, 10),
                Misalignment("missing in b", 20, 20),
                Misalignment("missing in a", 30, 29),
                Misalignment("in another order", 40, 41),
            ],
        ),
    ],
)
def test_every_kind_is_found_from_both_sides(changed: list[int], found: list[Misalignment]) -> None:
    assert misalignments(LINE, changed) == found
    assert misalignments(changed, LINE) == [turned(gap) for gap in found]


@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_repeated_sequence_is_one_difference(length: int) -> None:
    once = LINE[:length]
    assert misalignments(once, once * 2) == [Misalignment("twice in b", length, length, length)]
    assert misalignments(once * 2, once) == [Misalignment("twice in a", length, length, length)]
    assert misalignments(once, [*once, *once, 7]) == [
        Misalignment("missing in a", length, length, length + 1)
    ]


def test_an_item_moved_by_more_than_four_places_is_missing() -> None:
    def later(by: int) -> list[int]:
        return [*LINE[:20], *LINE[21 : 21 + by], LINE[20], *LINE[21 + by :]]

    assert misalignments(LINE, later(4)) == [Misalignment("in another order", 20, 24)]
    assert misalignments(later(4), LINE) == [Misalignment("in another order", 24, 20)]
    assert [gap.kind for gap in misalignments(LINE, later(5))] == ["missing in b", "missing in a"]
    assert [gap.kind for gap in misalignments(later(5), LINE)] == ["missing in a", "missing in b"]


def test_a_repeated_item_and_swapped_items_are_distinguished() -> None:
    changed = [*LINE[:20], 120, *LINE[20:22], 123, 122, *LINE[24:]]
    assert misalignments(LINE, changed) == [
        Misalignment("twice in b", 21, 21),
        Misalignment("in another order", 22, 24),
    ]
    assert misalignments(changed, LINE) == [
        Misalignment("twice in a", 21, 21),
        Misalignment("in another order", 23, 23),
    ]


def turned(gap: Misalignment) -> Misalignment:
    """Return the same difference from the other side. For two swapped items, it is at the first item."""
    kinds: dict[alignment.Kind, alignment.Kind] = {
        "missing in b": "missing in a",
        "missing in a": "missing in b",
        "twice in b": "twice in a",
        "twice in a": "twice in b",
    }
    a, b = (
        sorted((gap.a, gap.b))
        if abs(gap.a - gap.b) == 1 and gap.kind == "in another order"
        else (gap.b, gap.a)
    )
    return Misalignment(kinds.get(gap.kind, gap.kind), a, b, gap.length)


@given(st.lists(st.integers(0, 3), max_size=40), st.lists(st.integers(0, 3), max_size=40))
def test_all_differences_are_found(a: list[int], b: list[int]) -> None:
    found = misalignments(a, b)
    assert explains(found, a, b)
    assert (found == []) == (a == b)


@given(st.data())
def test_all_differences_are_found_window_by_window(data: st.DataObject) -> None:
    a = data.draw(st.lists(st.integers(0, 2), max_size=200))
    b = list(a)
    for _ in range(data.draw(st.integers(0, 5))):
        at = data.draw(st.integers(0, len(b)))
        b[at : at + data.draw(st.integers(0, 3))] = data.draw(st.lists(st.integers(0, 3), max_size=3))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(alignment, "MAX_EXACT_PRODUCT", 400)
        patched.setattr(alignment, "WINDOW_ITEMS", 20)
        patched.setattr(alignment, "MIN_EQUAL_RUN", 4)
        assert explains(misalignments(a, b), a, b)


@pytest.mark.parametrize("kinds", [1, 2, 200])
def test_long_sequences_are_compared_window_by_window(kinds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "MAX_EXACT_PRODUCT", 10**6)
    monkeypatch.setattr(alignment, "WINDOW_ITEMS", 1_000)
    rng = random.Random(kinds)
    a = [rng.randrange(kinds) for _ in range(20_000)]
    b = [*a[:5_000], 999, *a[5_000:10_000], *a[10_001:]]
    found = misalignments(a, b)
    assert len(found) <= 2
    if kinds == 200:
        assert [(gap.kind, gap.length) for gap in found] == [("missing in a", 1), ("missing in b", 1)]
    assert explains(found, a, b)
    other = [rng.randrange(kinds) for _ in range(20_000)]
    assert explains(misalignments(a, other), a, other)


@pytest.mark.parametrize(("product", "smallest"), [(180, True), (179, False)])
def test_the_number_of_differences_is_the_smallest_up_to_a_product_of_lengths(
    product: int, smallest: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignment, "MAX_EXACT_PRODUCT", product)
    monkeypatch.setattr(alignment, "WINDOW_ITEMS", 4)
    found = misalignments(LINE[:10], [*range(8), *LINE[:10]])
    assert (found == [Misalignment("missing in a", 0, 0, 8)]) is smallest


def test_a_sequence_without_items_lacks_all_of_the_other() -> None:
    assert misalignments([], [7, 8]) == [Misalignment("missing in a", 0, 0, 2)]
    assert misalignments([7, 8], []) == [Misalignment("missing in b", 0, 0, 2)]
    assert list(alignment.hunks([7, 8], [7, 8])) == []
    assert list(alignment.hunks([], [])) == []
