"""The course of play against the plainest way to tell it: walking back event by event."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gamelog.play.course import Course
from gamelog.play.table import MANY
from tests.play.tables import push, started
from tests.play.test_rulings import rule


def walked(jumps: dict[int, int], n: int) -> list[int]:
    """What stands after event `n`, the jumps in force among it, from the end to the start."""
    path = []
    while n:
        path.append(n)
        n = jumps.get(n, n - 1)
    return path


@given(st.lists(st.tuples(st.sampled_from(["play", "play", "end", "break", "back"]), st.floats(0, 1)), max_size=60))
def test_what_stands_is_what_one_comes_to_by_walking_back(events: list[tuple[str, float]]) -> None:
    course = Course()
    for n, (what, where) in enumerate(events, 1):
        if what == "back":
            course.jump(n, round(where * (n - 1)))
        elif what == "end":
            course.ends.append(n)
        elif what == "break":
            course.breaks.append(n)
        path = walked(course.jumps, n)
        assert course.line(n) == [number for number in reversed(path) if number not in course.jumps]
        assert {number for number in range(1, n + 1) if course.stands(number, n)} == set(path)
        assert course.last_end(n) == max(set(path) & set(course.ends), default=0)
        assert course.last_break(n) == max(set(path) & set(course.breaks), default=0)


def test_a_stretch_that_was_struck_is_struck_again_when_the_larger_one_is_withdrawn() -> None:
    fold = started()
    for at in ("A2", "A3", "A4", "A5"):
        push(fold, "claim", "blue" if fold.n % 2 == 0 else "red", at=at)
    assert rule(fold, "takeback", 6) is None
    assert fold.rulings.struck == [(5, 8)]
    assert rule(fold, "takeback", 4) is None
    assert fold.rulings.struck == [(3, 9)]
    assert push(fold, "@takeback", "table", to=6) is not None
    assert rule(fold, "refused", 9) is None
    assert fold.rulings.struck == [(5, 8)]
    refused = push(fold, "@takeback", "table", to=7)
    assert refused is not None
    assert "event 8" in refused.message
    assert push(fold, "@takeback", "table", to=4) is None


def test_a_table_has_so_many_claims_offers_and_penalties_and_no_more() -> None:
    fold = started(takebacks="agreed")
    for _ in range(MANY):
        assert push(fold, "@claim", "red", text="!") is None
        assert rule(fold, "penalty", 3, points={"red": -1}) is None
        assert push(fold, "@agree", "red", result={"winners": [], "reason": "late"}) is None
    assert push(fold, "@claim", "red", text="!") is not None
    assert push(fold, "@agree", "red", result={"winners": [], "reason": "late"}) is not None
    assert push(fold, "@takeback", "red", to=3) is not None
    assert rule(fold, "penalty", 3, points={"red": -1}) is not None
    assert rule(fold, "refused", 4) is None
    assert push(fold, "@claim", "red", text="!") is None
