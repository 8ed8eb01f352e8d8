"""Tests of the events that replace corrected events."""

from __future__ import annotations

import pytest

from gamelog.play.fold.fold import Fold
from gamelog.play.fold.replacements import replacements
from tests.play.tables import push, start_game
from tests.play.test_slips import slip


def claims(fold: Fold, *places: str) -> None:
    for at in places:
        assert push(fold, "claim", fold.pending.by[0], at=at) is None


def now(fold: Fold) -> dict[int, int]:
    return replacements(fold, fold.events)


def test_repeated_events_replace_the_removed_ones() -> None:
    fold = start_game()
    claims(fold, "A2", "C2", "A3")
    assert slip(fold, 3) is None
    claims(fold, "A4", "C2", "A3")
    assert now(fold) == {4: 8, 5: 9, 6: 10}, "the first is what the others were written again for"


def test_a_correction_of_a_correction_leads_to_the_last() -> None:
    fold = start_game()
    claims(fold, "A2", "C2")
    assert slip(fold, 3) is None
    claims(fold, "A3", "C2")
    assert slip(fold, 6) is None
    claims(fold, "A4", "C2")
    assert now(fold) == {4: 10, 5: 11, 7: 10, 8: 11}


def test_events_that_are_not_repeated_have_no_replacement() -> None:
    fold = start_game()
    claims(fold, "A2", "C2")
    assert slip(fold, 3) is None
    assert now(fold) == {}


@pytest.mark.parametrize(("times", "followed"), [(20, True), (60, False)])
def test_corrections_of_the_same_over_and_over_are_followed_up_to_a_bound(times: int, followed: bool) -> None:
    """Takebacks remove the same events each time: 60 times 100 is more than 20 times the record's length."""
    fold = start_game()
    claims(fold, "A2")
    assert slip(fold, 3) is None
    claims(fold, "A3")
    first = fold.n
    for _ in range(100):
        assert push(fold, "@note", "table", text="rain") is None
    last = fold.n
    for _ in range(times):
        assert slip(fold, first) is None
        assert slip(fold, last) is None
    assert (now(fold).get(4) == first) is followed


def test_an_event_that_was_repeated_first_replaces_the_removed_one() -> None:
    fold = start_game()
    claims(fold, "A2", "C2", "A3")
    assert slip(fold, 3) is None
    claims(fold, "A2", "C4", "A3")
    assert now(fold) == {4: 8, 6: 10}


def test_an_event_that_is_recorded_later_as_a_new_one_replaces_nothing() -> None:
    fold = start_game()
    claims(fold, "A2", "C2", "A3", "C3")
    assert slip(fold, 3) is None
    claims(fold, "A4", "C2", "A3", "C3", "A2")
    assert now(fold) == {4: 9, 5: 10, 6: 11, 7: 12}


def test_events_around_an_inserted_and_an_omitted_one_are_found() -> None:
    fold = start_game()
    claims(fold, "A2", "C2", "A3", "C3", "A4", "C4")
    assert slip(fold, 3) is None
    claims(fold, "A2", "C5", "A3", "C3", "A4", "C4")
    assert now(fold) == {4: 11, 6: 13, 7: 14, 8: 15, 9: 16}
