"""Tests of the main line against a simple walk back, event by event."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from gamelog.play.fold.parts.closed_stretches import ClosedStretches
from gamelog.play.fold.parts.main_line import MainLine
from gamelog.play.fold.session import MAX_PENALTIES, MAX_PER_AUTHOR
from tests.play.tables import push, start_game
from tests.play.test_rulings import rule


def walk_back(jumps: dict[int, int], n: int) -> list[int]:
    """Return the events that count after event `n` with the jumps in force, from the last to the first."""
    path = []
    while n:
        path.append(n)
        n = jumps.get(n, n - 1)
    return path


STEPS = ["play", "play", "end", "break", "back", "withdraw", "back and end"]


@example([("break", 0), ("back", 1)])
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.floats(0, 1)), max_size=60))
def test_the_line_is_found_by_walking_back(events: list[tuple[str, float]]) -> None:
    course, ends = MainLine(), list[int]()
    for n, (what, where) in enumerate(events, 1):
        if what.startswith("back"):
            course.add_jump(n, round(where * (n - 1)))
        if what.endswith("end"):
            course.add_end(n)
            ends.append(n)
        elif what == "break":
            course.discontinuities.append(n)
        elif what == "withdraw" and ends:
            course.remove_end(ends.pop(round(where * (len(ends) - 1))))
        path = walk_back(course.jumps, n)
        assert course.numbers(n) == [number for number in reversed(path) if number not in course.jumps]
        assert {number for number in range(1, n + 1) if course.stands(number, n)} == set(path)
        assert course.last_end(n) == max(set(path) & set(ends), default=0)
        assert course.last_discontinuity(n) == max(set(path) & set(course.discontinuities), default=0)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 3), st.floats(0, 1)), max_size=60))
def test_closed_stretches_follow_from_the_rulings_in_force_in_turn(
    steps: list[tuple[bool, int, float]],
) -> None:
    struck, rulings, n = ClosedStretches(), dict[int, int](), 0
    for withdrawn, played, where in steps:
        n += played
        if withdrawn and rulings:
            gone = [*rulings][round(where * (len(rulings) - 1))]
            del rulings[gone]
            struck.withdraw(gone)
        else:
            rulings[n] = round(where * (n - 1))
            struck.add(n, rulings[n])
        stretches: dict[int, int] = {}
        for ruling, to in rulings.items():
            stretches = {last: begin for last, begin in stretches.items() if last <= to} | {ruling: to}
        for event in range(n + 1):
            expected: list[int | None] = [last for last, begin in stretches.items() if begin < event < last]
            assert [struck.closing_ruling(event)] == (expected or [None])


def test_a_stretch_that_was_struck_is_struck_again_when_the_larger_one_is_withdrawn() -> None:
    fold = start_game()
    for at in ("A2", "A3", "A4", "A5"):
        push(fold, "claim", "blue" if fold.n % 2 == 0 else "red", at=at)
    assert rule(fold, "takeback", 6) is None
    assert [fold.rulings.effects.closed_by(at) for at in (5, 6, 7, 8)] == [None, 8, 8, None]
    assert rule(fold, "takeback", 4) is None
    assert [fold.rulings.effects.closed_by(at) for at in (3, 4, 6, 8, 9)] == [None, 9, 9, 9, None]
    assert push(fold, "@takeback", "table", to=6) is not None
    assert rule(fold, "refused", 9) is None
    assert [fold.rulings.effects.closed_by(at) for at in (4, 5, 6, 7)] == [None, None, 8, 8]
    refused = push(fold, "@takeback", "table", to=7)
    assert refused is not None
    assert "event 8" in refused.text
    assert push(fold, "@takeback", "table", to=4) is None


LATE = {"winners": [], "reason": "late"}


def test_each_author_has_a_limit_of_open_claims_and_offers() -> None:
    fold = start_game(takebacks="agreed")
    for _ in range(MAX_PER_AUTHOR):
        assert push(fold, "@claim", "red", text="!", about=3) is None
        assert push(fold, "@agree", "red", result=LATE) is None
    refused = push(fold, "@claim", "red", text="!")
    assert refused
    assert refused.text == (
        f"Ana has {MAX_PER_AUTHOR} open claims, and no more are allowed; rule on some of them first"
    )
    for again in (push(fold, "@agree", "red", result=LATE), push(fold, "@takeback", "red", to=3)):
        assert again
        assert f"Ana has {MAX_PER_AUTHOR} open offers, and no more are allowed; answer some" in again.text
    assert push(fold, "@claim", "blue", text="!", about=3) is None
    assert push(fold, "@agree", "blue", result=LATE) is None
    assert push(fold, "@takeback", "table", to=3) is None
    assert rule(fold, "refused", 4) is None
    assert push(fold, "@claim", "red", text="!") is None
    assert push(fold, "@claim", "red", text="!") is not None


def test_claims_that_a_ruling_closed_do_not_count_until_it_is_withdrawn() -> None:
    fold = start_game()
    for _ in range(MAX_PER_AUTHOR):
        assert push(fold, "@claim", "red", text="!", about=3) is None
    copied = fold.copy()
    assert rule(copied, "stands", 3) is None
    assert copied.rulings.claims.open_numbers == []
    assert push(copied, "@claim", "red", text="!") is None
    assert rule(copied, "refused", copied.n - 1) is None
    assert (
        copied.rulings.claims.open_count("red")
        == MAX_PER_AUTHOR + 1
        == len(copied.rulings.claims.open_numbers)
    )
    assert push(copied, "@claim", "red", text="!") is not None
    assert fold.rulings.claims.open_count("red") == MAX_PER_AUTHOR


def test_the_number_of_penalties_in_force_is_limited() -> None:
    fold = start_game()
    for _ in range(MAX_PENALTIES):
        assert rule(fold, "penalty", 3, points={"red": -1}) is None
    assert rule(fold, "penalty", 3, points={"red": -1}) is not None
