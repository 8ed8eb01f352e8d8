"""Tests of the summary of a ruling."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.dispute.ruling_summary import RulingEffect, ruling_effect, summarize
from gamelog.play.contract.locales import renderer
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.fold import Fold
from tests.play.tables import GAME, push, start_game, whole

WON = {"result": {"winners": ["red"], "reason": "pressed"}}
NOBODY = {"result": {"winners": [], "reason": "rained off"}}


def game_with_claims(claims: int = 3) -> Fold:
    """Return a game in which red, blue and red have claimed three more cells, as events 4 to 6."""
    fold = start_game()
    for seat, at in (("red", "B1"), ("blue", "D1"), ("red", "F1"))[:claims]:
        assert push(fold, "claim", seat, at=at) is None
    return fold


def ruled(fold: Fold, kind: str, about: int, **members: Any) -> tuple[RulingEffect, list[str]]:
    """Record a ruling. Return its effects as data and as sentences."""
    waiting = frozenset(fold.rulings.claims.open_numbers)
    refused = push(
        fold, "@ruling", "arbiter", kind=kind, about=about, reason="seen by all", name="Lena", **members
    )
    assert refused is None, refused
    done = ruling_effect(fold, fold.n, waiting)
    sentences = summarize(fold, fold.rulings.by_number[fold.n], done)
    english = renderer(fold.game, fold.session.name_of)
    return done, [english.text(sentence) for sentence in sentences]


def test_events_that_are_undone_and_events_that_count_again() -> None:
    fold = game_with_claims()
    done, words = ruled(fold, "takeback", 5)
    assert (done.n, done.continues_after, done.undone_count, done.restored_count) == (7, 4, 2, 0)
    assert words == ["Event 5: takeback.", "Back to event 4; 2 events undone."]
    done, words = ruled(fold, "refused", 7)
    assert (done.continues_after, done.undone_count, done.restored_count) == (6, 0, 2)
    assert words == [
        "The ruling of event 7 is withdrawn.",
        "The game continues after event 6; 2 events count again.",
    ]
    ruled(fold, "takeback", 6)
    assert push(fold, "claim", "red", at="H1") is None
    done, words = ruled(fold, "takeback", 9, to=6)
    assert (done.undone_count, done.restored_count) == (1, 1)
    assert words == [
        "The ruling of event 9 is replaced: takeback.",
        "Back to event 6; 1 event undone, and 1 event counts again.",
    ]
    done, words = ruled(fold, "takeback", 6, to=11)
    assert (done.undone_count, done.restored_count) == (0, 0)
    assert words == ["Event 6: takeback.", "Back to event 11; no event of play is undone."]


def test_the_rest_of_a_combined_ruling_is_named_if_a_part_is_withdrawn() -> None:
    fold = game_with_claims()
    ruled(fold, "takeback", 5)
    ruled(fold, "penalty", 5, points={"blue": -2})
    ruled(fold, "warning", 5, warned=["blue"])
    ruled(fold, "stands", 4)
    done, words = ruled(fold, "refused", 7)
    assert done.remaining_rulings == (8, 9)
    assert words[-1] == (
        "Still in force about the same event: penalty (Rui -2) in event 8; warning (Rui) in event 9."
    )
    done, words = ruled(fold, "penalty", 9, points={"blue": -1})
    assert done.remaining_rulings == (8,)
    assert words[-1] == "Still in force about the same event: penalty (Rui -2) in event 8."
    done, words = ruled(fold, "stands", 8)
    assert (done.remaining_rulings, words) == ((), ["The ruling of event 8 is confirmed."])


def test_notes_and_claims_are_not_events_of_play() -> None:
    fold = game_with_claims()
    push(fold, "@note", "table", text="hm")
    push(fold, "@claim", "blue", text="no", about=6)
    done, words = ruled(fold, "takeback", 6)
    assert (done.undone_count, done.closed_claims, done.reopened_claims) == (1, (8,), ())
    assert words == [
        "Event 6: takeback.",
        "Back to event 5; 1 event undone.",
        "The claim of event 8 is closed.",
    ]


def test_the_game_continues_after_an_undone_resignation() -> None:
    head, events = whole()
    fold = Fold(head, GAME)
    for event in events:
        assert fold.push(event) is None
        if fold.n > 70 and push(fold, "@resign", "blue") is None:
            break
    assert fold.outcome is not None
    done, words = ruled(fold, "takeback", fold.n)
    assert (done.undone_count, done.is_resumed, done.outcome) == (1, True, None)
    assert words[1:] == [f"Back to event {fold.n - 2}; 1 event undone.", "The game continues."]


def test_points_are_listed_with_names_for_the_affected_seats() -> None:
    fold = game_with_claims()
    done, words = ruled(fold, "penalty", 5, points={"blue": -1, "red": 2})
    assert (done.points, done.continues_after, done.undone_count) == ({"blue": -1, "red": 2}, None, 0)
    assert words == ["Event 5: penalty.", "Ana: +2 points.", "Rui: -1 point."]
    done, words = ruled(fold, "penalty", 7, points={"blue": -3})
    assert done.points == {"red": -2, "blue": -2}
    assert words == ["The ruling of event 7 is replaced: penalty.", "Ana: -2 points.", "Rui: -2 points."]
    done, words = ruled(fold, "stands", 8)
    assert (done.points, words) == ({}, ["The ruling of event 8 is confirmed."])


@pytest.mark.parametrize("kind", ["result", "forfeit"])
def test_the_end_of_the_game_and_its_continuation(kind: str) -> None:
    fold = game_with_claims()
    done, words = ruled(fold, kind, 5, **WON)
    assert (done.outcome, done.is_resumed) == (Outcome(("red",), "pressed"), False)
    assert words == [f"Event 5: {kind}.", "The game is over. Winner: Ana (pressed)."]
    done, words = ruled(fold, kind, 6, **WON)
    assert (done.outcome, done.is_resumed, words) == (None, False, [f"Event 6: {kind}."]), (
        "the result is the same"
    )
    done, words = ruled(fold, "result", 8, result={"winners": ["red", "blue"], "reason": "shared"})
    assert words == [
        "The ruling of event 8 is replaced: result.",
        "The game is over. Winner: Ana and Rui (shared).",
    ]
    done, words = ruled(fold, "result", 9, **NOBODY)
    assert words[1:] == ["The game is over. Draw (rained off)."]
    done, words = ruled(fold, "refused", 10)
    assert (done.outcome, done.is_resumed) == (Outcome(("red",), "pressed"), False)
    done, words = ruled(fold, "refused", 7)
    assert (done.outcome, done.is_resumed, words[1:]) == (None, True, ["The game continues."])


def test_claims_that_are_closed_and_open_again() -> None:
    fold = game_with_claims()
    for about in (4, 4, 6):
        push(fold, "@claim", "blue", text="no", about=about)
    done, words = ruled(fold, "stands", 4)
    assert (done.closed_claims, done.reopened_claims) == ((7, 8), ())
    assert words == ["Event 4: stands.", "The claims of events 7, 8 are closed."]
    done, words = ruled(fold, "refused", 9)
    assert (done.closed_claims, done.reopened_claims) == ((9,), ())
    assert words == ["The claim of event 9 is refused.", "The claim of event 9 is closed."]
    done, words = ruled(fold, "refused", 10)
    assert (done.closed_claims, done.reopened_claims) == ((), (7, 8))
    assert words == ["The ruling of event 10 is withdrawn.", "The claims of events 7, 8 are open again."]


def test_the_claim_that_a_claim_is_about_is_named_while_it_is_open() -> None:
    fold = game_with_claims()
    for about in (None, 7, 8):
        assert push(fold, "@claim", "red", text="not so", about=about) is None
    assert [ruled(fold, "refused", claim)[0].unanswered_claim for claim in (9, 8, 7)] == [8, 7, None]


def test_only_the_first_ten_claims_are_listed() -> None:
    fold = game_with_claims()
    for _ in range(10):
        push(fold, "@claim", "blue", text="no", about=4)
    _, words = ruled(fold, "stands", 4)
    assert words[1] == "The claims of events 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 are closed.", (
        "all ten are listed"
    )
    fold = game_with_claims()
    for _ in range(11):
        push(fold, "@claim", "blue", text="no", about=4)
    _, words = ruled(fold, "stands", 4)
    assert words[1] == "The claims of events 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, … are closed."
    _, words = ruled(fold, "refused", 18)
    assert words[1] == "The claims of events 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, … are open again."


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("refused", "The claim of event 7 is refused."),
        ("stands", "The claim of event 7 is answered: nothing changes."),
    ],
)
def test_the_first_sentence_says_how_a_claim_was_answered(kind: str, sentence: str) -> None:
    fold = game_with_claims()
    assert push(fold, "@claim", "blue", about=6, text="B1 was taken") is None
    _, words = ruled(fold, kind, 7)
    assert words[0] == sentence
