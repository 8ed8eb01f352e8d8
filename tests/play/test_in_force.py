"""Tests that the line follows from the rulings in force, as if the other rulings were notes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import structs

from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.seats import sample_for
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.ruling_book import MOVING_KINDS
from gamelog.record.envelope import Event
from tests.play.tables import GAME, event, header, outcome, push, start_game
from tests.play.test_declare import drawn
from tests.play.test_rulings import rule

AGREED = {"winners": ["red"], "reason": "pressed"}
OTHER = {"winners": ["blue"], "reason": "second"}


def without_ended_rulings(fold: Fold) -> list[Event]:
    """Return the record without rulings that are no longer in force and the play that depended on them."""
    return [
        one if counts(fold, one) else common_events.Note(one.n, one.t, "table", text="nothing")
        for one in fold.events
    ]


def counts(fold: Fold, one: Event) -> bool:
    rulings = fold.rulings
    if not isinstance(one, common_events.Ruling):
        return fold.stands(one.n)
    return rulings.is_in_force(one.n) and not (
        one.about in rulings.by_number and rulings.is_withdrawal(one.about)
    )


def fold_events(events: list[Event]) -> Fold:
    fold = Fold(header(), GAME, frozenset(range(len(events) + 1)))
    assert fold.extend(events) is None
    return fold


def play_of(fold: Fold) -> list[int]:
    return [
        n
        for n in fold.main_line_numbers()
        if not isinstance(fold.events[n - 1], common_events.Note | common_events.Ruling)
    ]


def check_agreement(fold: Fold) -> None:
    """Check that the record says the same with only its rulings in force."""
    alone = fold_events(without_ended_rulings(fold))
    assert (play_of(fold), fold.state, fold.score_with_final_penalties()) == (
        play_of(alone),
        alone.state,
        alone.score_with_final_penalties(),
    )
    last = max(
        (
            n
            for n, one in fold.rulings.by_number.items()
            if one.kind in MOVING_KINDS and fold.rulings.is_in_force(n)
        ),
        default=0,
    )
    if (
        fold.stands(last) or fold.rulings.by_number[last].kind != "takeback"
    ):  # otherwise it continued a withdrawn line, and reopens the game
        assert fold.outcome == alone.outcome


@pytest.mark.parametrize("seed", range(200))
def test_the_line_follows_from_the_rulings_in_force(seed: int) -> None:
    rng, fold = random.Random(seed), start_game()
    for _ in range(rng.randrange(4, 30)):
        play_a_little(fold, rng)
        rulings = fold.rulings
        standing = [
            n
            for n in rulings.by_number
            if rulings.ended_by(n) is None and rulings.by_number[n].kind not in ("stands", "refused")
        ]
        about = rng.choice(standing) if standing and rng.random() < 0.6 else rng.randrange(1, fold.n + 1)
        kind = rng.choice(["takeback", "takeback", "result", "penalty", "refused", "stands"])
        said: dict[str, dict[str, Any]] = {
            "penalty": {"points": {"red": -1}},
            "result": {"result": rng.choice([AGREED, OTHER])},
        }
        members = said.get(kind, {})
        if kind == "takeback":
            members = {
                "to": rng.choice(
                    [0, *(n for n in fold.main_line_numbers() if n < about or about not in standing)]
                )
            }
        rule(fold, kind, about, **members)
        if rng.random() < 0.1:
            push(fold, "@takeback", "table", to=rng.choice([0, *fold.main_line_numbers()]))
        check_agreement(fold)


def play_a_little(fold: Fold, rng: random.Random) -> None:
    for _ in range(rng.choice([0, 0, 1, 3])):
        if fold.outcome:
            break
        owed = GAME.pending(fold.state).chance
        one = (
            GAME.chance(fold.state, tuple(tuple(drawn(draw, rng)) for draw in owed.draws))
            if owed
            else sample_for(GAME, fold.state, GAME.pending(fold.state).by[0], rng)
        )
        assert fold.push(structs.replace(one, n=fold.n + 1, t=fold.t + 3000)) is None


def test_a_replacement_of_a_replacement_leaves_nothing_when_it_is_withdrawn() -> None:
    fold = start_game()
    for seat, at in (("red", "B1"), ("blue", "D1"), ("red", "F1")):
        assert push(fold, "claim", seat, at=at) is None
    whole = play_of(fold)
    assert rule(fold, "takeback", 4) is None
    assert rule(fold, "takeback", 7, to=5) is None
    assert play_of(fold) == whole[:5]
    assert rule(fold, "result", 8, result=AGREED) is None
    assert play_of(fold) == whole, "events that the first takeback undid count again"
    assert rule(fold, "result", 9, result=OTHER) is None
    assert rule(fold, "refused", 10) is None
    assert (play_of(fold), fold.outcome) == (whole, None)


def test_a_result_that_was_ruled_on_a_line_outlives_the_takeback_that_made_the_line() -> None:
    fold = start_game()
    rule(fold, "takeback", 3)
    rule(fold, "result", 2, result=AGREED)
    rule(fold, "result", 1, result=OTHER)
    rule(fold, "refused", 4)
    assert (play_of(fold), fold.outcome) == ([1, 2, 3], Outcome(("blue",), "second"))
    rule(fold, "refused", 6)
    assert fold.outcome == Outcome(("red",), "pressed"), "the one before it is in force still"
    rule(fold, "refused", 5)
    assert outcome(fold) is None
    assert push(fold, "claim", "red", at="B1") is None


def test_of_two_takebacks_the_one_that_stands_has_the_say_whichever_goes_first() -> None:
    for first, second in ((6, 7), (7, 6)):
        fold = start_game()
        for seat, at in (("red", "B1"), ("blue", "D1")):
            assert push(fold, "claim", seat, at=at) is None
        rule(fold, "takeback", 5)
        rule(fold, "takeback", 3)
        rule(fold, "refused", first)
        assert play_of(fold) == ([1, 2] if first == 6 else [1, 2, 3, 4])
        rule(fold, "refused", second)
        assert play_of(fold) == [1, 2, 3, 4, 5]


def test_events_on_the_line_of_a_withdrawn_ruling_are_gone_until_the_arbiter_restores_them() -> None:
    fold = start_game()
    rule(fold, "takeback", 3)
    assert push(fold, "claim", "blue", at="D1") is None
    rule(fold, "takeback", 2)
    rule(fold, "refused", 4)
    assert play_of(fold) == [1], "the other one stands"
    rule(fold, "refused", 6)
    assert play_of(fold) == [1, 2, 3]
    rule(fold, "takeback", 3, to=5)
    assert play_of(fold) == [1, 2, 5]
    rule(fold, "refused", 9)
    assert play_of(fold) == [1, 2, 3]


def test_the_arbiters_own_takeback_opens_a_game_that_no_withdrawal_closes_again() -> None:
    fold = start_game()
    rule(fold, "takeback", 3)
    rule(fold, "result", 2, result=AGREED)
    assert event(fold, "@takeback", "arbiter", to=2)
    assert push(fold, "@takeback", "arbiter", to=2) is None
    rule(fold, "refused", 4)
    assert outcome(fold) is None
