"""Tests of withdrawn claims and offers: who can withdraw which, and what follows."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.dispute.incident import incident
from gamelog.dispute.incident_words import incident_words
from gamelog.play.anonymity.anonymous_record import anonymous_replay
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.rendering.events import describe_event
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.step import SessionChange
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.play.tables import push, start_game
from tests.play.test_rulings import claims, codes, rule

OFFERS: list[tuple[str, dict[str, Any], str]] = [
    ("@takeback", {"to": 2}, "The offer was to take the game back to event 2."),
    (
        "@agree",
        {"result": {"winners": ["red"], "reason": "agreed"}},
        "The offer was to end the game: Ana (agreed).",
    ),
]


def with_claim(by: str = "red") -> Fold:
    fold = start_game()
    assert push(fold, "@claim", by, text="he moved my die", about=3) is None
    return fold


def refusal(fold: Fold, by: str, about: int) -> str:
    found = push(fold, "@withdraw", by, about=about)
    assert found is not None
    assert (found.code, found.n) == ("play.common", fold.n + 1)
    return str(found.message)


def test_a_withdrawn_claim_waits_for_no_ruling() -> None:
    fold = with_claim()
    assert codes(fold) == ["play.claim"]
    assert push(fold, "@withdraw", "red", about=4) is None
    assert (codes(fold), fold.rulings.claims.open_count("red")) == ([], 0)
    assert describe_event(fold, fold.events[-1]) == "Ana withdraws the claim of event 4."
    assert push(fold, "claim", "red", at="B1") is None


def test_only_the_player_withdraws_an_open_claim() -> None:
    fold = with_claim()
    assert refusal(fold, "blue", 4) == "only Ana can withdraw the claim of event 4"
    assert refusal(fold, "arbiter", 4) == "only Ana can withdraw the claim of event 4"
    for n in (3, 5, 99):
        assert refusal(fold, "red", n) == f"event {n} is neither a claim nor an open offer"
    assert rule(fold, "refused", 4) is None
    assert refusal(fold, "red", 4) == "the ruling in event 5 has answered the claim of event 4"
    assert rule(fold, "refused", 5) is None
    assert claims(fold) == [4]
    assert push(fold, "@withdraw", "red", about=4) is None
    assert refusal(fold, "red", 4) == "event 7 has already withdrawn the claim of event 4"


def test_a_withdrawal_concerns_one_claim() -> None:
    fold = with_claim()
    push(fold, "@claim", "red", text="and mine", about=3)
    push(fold, "@claim", "blue", text="no, I did not", about=4)
    assert push(fold, "@withdraw", "red", about=4) is None
    assert claims(fold) == [5, 6]


@pytest.mark.parametrize("back", [{"to": 3}, {"to": 3, "slip": True}])
def test_no_takeback_and_no_withdrawn_ruling_opens_a_withdrawn_claim(back: dict[str, int]) -> None:
    fold = with_claim()
    push(fold, "@withdraw", "red", about=4)
    assert rule(fold, "stands", 3) is None
    assert rule(fold, "refused", 6) is None
    assert push(fold, "@takeback", "table", **back) is None
    assert claims(fold) == []


def test_the_arbiter_can_still_rule_on_the_event_of_a_withdrawn_claim() -> None:
    fold = with_claim()
    push(fold, "@withdraw", "red", about=4)
    assert rule(fold, "penalty", 4, points={"red": -1}) is None
    assert (claims(fold), fold.score_with_final_penalties()["red"]) == ([], 0)


def test_the_sheet_and_an_anonymous_record_have_the_withdrawal() -> None:
    fold = with_claim()
    push(fold, "@withdraw", "red", about=4)
    data, _ = compose(fold.header, fold.events)
    folded = fold_record(parse_record(data, "g"))
    for n, said in ((3, "Withdrawn in event 5."), (4, "The claim was withdrawn in event 5")):
        found = incident(folded, n)
        words = str(incident_words(found, folded, str, str))
        assert said in words
        assert "No one has ruled on this claim" not in words
    nameless = anonymous_replay(folded)
    assert nameless.fold is not None
    assert (verdict(nameless).status, nameless.fold.rulings.claims.withdrawals) == ("ok", {4: 5})
    assert "Ana" not in describe_event(nameless.fold, nameless.fold.events[-1])


@pytest.mark.parametrize(("do", "members", "subject"), OFFERS)
def test_an_author_withdraws_an_open_offer(do: str, members: dict[str, Any], subject: str) -> None:
    fold = start_game(takebacks="agreed")
    assert push(fold, do, "red", **members) is None
    assert refusal(fold, "blue", 4) == "only Ana can withdraw the offer of event 4"
    assert push(fold, "@withdraw", "red", about=4) is None
    assert (dict(fold.offers), fold.outcome, fold.n) == ({}, None, 5)
    said = describe_event(fold, fold.events[-1])
    assert said.startswith("Ana withdraws the offer of event 4.")
    assert subject.partition(":")[0] in said
    view = RecordView(fold)
    assert view.step(5).table == SessionChange(offers={4: ()})
    assert (view.step(5).line, view.event_status(4).state) == (None, "stands")
    answer = push(fold, "@accept", "blue", about=4)
    assert answer is not None
    assert str(answer.message) == "event 4 is not an open offer"
    assert refusal(fold, "red", 4) == "event 4 is neither a claim nor an open offer"


def test_a_half_accepted_offer_of_the_table_can_be_withdrawn() -> None:
    fold = start_game(3, takebacks="agreed")
    n = fold.n + 1
    assert push(fold, "@takeback", "table", to=n - 2, slip=True) is None
    assert push(fold, "@accept", "blue", about=n) is None
    assert refusal(fold, "blue", n) == f"only table can withdraw the offer of event {n}"
    assert push(fold, "@withdraw", "table", about=n) is None
    assert (dict(fold.offers), fold.takebacks) == ({}, {})
