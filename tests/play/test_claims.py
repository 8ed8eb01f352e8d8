"""Claims against the plainest way to keep them: a list that is looked through each time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gamelog.play.fold.parts.claims import Claims
from gamelog.play.fold.ruling import disputed_subject
from tests.play.tables import push, start_game

SEATS = ("red", "blue", "green")

STEP = st.tuples(
    st.sampled_from(["claim", "claim", "withdraw", "close", "close", "reopen", "pass on", "join"]),
    st.floats(0, 1),
)


@given(st.lists(STEP, max_size=60))
def test_claims_are_closed_and_opened_as_one_by_one(steps: list[tuple[str, float]]) -> None:
    claims = Claims()
    about: dict[int, int | None] = {}
    closed: dict[int, set[int]] = {}
    withdrawn: dict[int, int] = {}
    for n, (what, where) in enumerate(steps, 1):
        target = round(where * (n - 1))
        if what == "claim":
            about[n] = target or None
            claims.add(n, target or None, SEATS[n % 3])
        elif what == "withdraw" and target in about and claims.is_open(target):
            withdrawn[target] = n
            claims.withdraw(target, n)
        elif what == "close":
            closed[n] = {
                c
                for c in about
                if target in (c, about[c])
                and not any(c in others for others in (withdrawn, *closed.values()))
            }
            claims.close(n, target)
        elif what == "reopen":
            closed.pop(target, None)
            claims.reopen(target)
        elif what == "pass on" and target in closed:
            closed[n] = closed.pop(target)
            claims.reassign(target, n)
        elif what == "join" and target in closed and (later := max(closed)) > target:
            closed[later] |= closed.pop(target)
            claims.reassign(target, later)
        answered = {*withdrawn}.union(*closed.values())
        expected = sorted(c for c in about if c not in answered)
        assert claims.open_numbers == expected == [c for c in about if claims.is_open(c)]
        assert claims.withdrawals == withdrawn
        assert [claims.open_count(seat) for seat in SEATS] == [
            sum(SEATS[c % 3] == seat for c in expected) for seat in SEATS
        ]
        for event in range(n + 1):
            assert claims.is_answered_by(event) == (
                event in about or any(about[c] == event for c in expected)
            )


def test_a_claim_about_a_disputed_event_leaves_that_event_to_be_settled() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    assert push(fold, "@claim", "blue", about=4, text="I6 is not free") is None
    assert push(fold, "@claim", "red", about=2, text="A1 was mine") is None
    assert [disputed_subject(fold, n) for n in (5, 6)] == [4, None]
