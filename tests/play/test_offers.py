"""Tests of offers of takebacks: their sentences, the players who must still agree, and their results."""

from __future__ import annotations

from gamelog.play.fold.fold import Fold
from gamelog.play.judging.warnings import warnings
from gamelog.play.rendering.events import describe_event
from tests.play.tables import push, start_game
from tests.play.test_rulings import rule


def sentence(fold: Fold, n: int = 0) -> str:
    return describe_event(fold, fold.events[(n or fold.n) - 1])


def waiting(fold: Fold) -> list[str]:
    return [found.text for found in warnings(fold) if found.code == "play.offer"]


def test_a_takeback_that_waits_is_an_offer_until_the_last_has_accepted() -> None:
    fold = start_game(3, takebacks="agreed")
    assert push(fold, "claim", "red", at="B1") is None
    assert push(fold, "@takeback", "red", to=fold.n - 2, reason="I misread the map") is None
    offer, to = fold.n, fold.n - 3
    assert (
        sentence(fold)
        == f"Ana asks to take the game back to event {to}. Reason: I misread the map. Waiting for Rui and Lena to agree."
    )
    assert waiting(fold) == [
        f"an offer to take the game back to event {to} is waiting for Rui and Lena to agree"
    ]
    assert push(fold, "@accept", "yellow", about=offer) is None
    assert sentence(fold) == (
        f"Lena accepts the offer of event {offer}. The offer was to take the game back to event {to}. "
        "Waiting for Rui to agree."
    )
    assert push(fold, "@note", "table", text="so what?") is None
    assert push(fold, "@accept", "blue", about=offer) is None
    assert (
        sentence(fold)
        == f"Rui accepts the offer of event {offer}. The game goes back to event {to}. 2 events are undone."
    )
    assert waiting(fold) == []
    assert sentence(fold, offer).startswith("Ana asks"), "whatever came of it"


def test_a_declined_offer_is_named_in_words() -> None:
    fold = start_game(takebacks="agreed")
    push(fold, "@takeback", "red", to=2)
    push(fold, "@decline", "blue", about=fold.n)
    assert sentence(fold) == (
        "Rui declines the offer of event 4. The offer was to take the game back to event 2."
    )
    push(fold, "@agree", "red", result={"winners": ["blue"], "reason": "late"})
    push(fold, "@decline", "blue", about=fold.n)
    assert sentence(fold) == ("Rui declines the offer of event 6. The offer was to end the game: Rui (late).")


def test_a_move_ends_an_offer_and_says_so() -> None:
    fold = start_game(takebacks="agreed")
    push(fold, "@takeback", "red", to=2)
    push(fold, "claim", "red", at="B1")
    assert sentence(fold).endswith(
        "The offer of event 4 expires because Rui did not agree. The offer was to take the game back to event 2."
    )
    assert waiting(fold) == []
    push(fold, "@takeback", "red", to=2, slip=True)
    assert sentence(fold).startswith(
        "Ana asks to correct the record: the events recorded after event 2 were not played. Waiting"
    )
    push(fold, "@agree", "red", result={"winners": ["red"], "reason": "late"})
    assert waiting(fold)[1] == "an offer to end the game is waiting for Rui to agree"
    push(fold, "@accept", "blue", about=7)
    assert sentence(fold) == (
        "Rui accepts the offer of event 7. The game is over. Winner: Ana (late). The offer of event 6 expires because Rui did not agree. "
        "The offer was to take the game back to event 2."
    )


def test_going_back_by_a_ruling_ends_an_offer_too() -> None:
    fold = start_game(takebacks="agreed")
    push(fold, "claim", "red", at="B1")
    push(fold, "@takeback", "red", to=3)
    assert len(waiting(fold)) == 1
    assert rule(fold, "takeback", 3) is None
    assert waiting(fold) == []
    assert sentence(fold).endswith(
        "The offer of event 5 expires because Rui did not agree. The offer was to take the game back to event 3."
    )


def test_offers_wait_for_the_arbiter_if_takebacks_need_a_ruling() -> None:
    fold = start_game(takebacks="arbiter")
    push(fold, "@takeback", "red", to=2)
    assert sentence(fold) == "Ana asks to take the game back to event 2. Waiting for the arbiter to agree."
    assert waiting(fold) == ["an offer to take the game back to event 2 is waiting for the arbiter to agree"]


def test_sentences_of_rulings_name_points_winners_and_the_event_to_continue_from() -> None:
    fold = start_game()
    assert sentence(fold, 3) == "Rui claims C1."
    rule(fold, "penalty", 3, points={"blue": -2})
    assert sentence(fold) == "Lena rules on event 3: penalty. seen by all. Points: Rui -2."
    rule(fold, "takeback", 3)
    assert sentence(fold).endswith("The game goes back to event 2. 1 event is undone.")
    rule(fold, "result", 5, result={"winners": ["red"], "reason": "pressed"})
    assert sentence(fold) == (
        "Lena replaces the ruling of event 5: result. seen by all. "
        "The game continues after event 4. The game is over. Winner: Ana (pressed)."
    )
    rule(fold, "stands", 6)
    assert sentence(fold) == "Lena confirms the ruling of event 6. seen by all"
    rule(fold, "refused", 6)
    assert sentence(fold).startswith("Lena withdraws the ruling of event 6.")
    push(fold, "@claim", "red", text="no")
    rule(fold, "refused", 9)
    assert sentence(fold).startswith("Lena refuses the claim of event 9.")


def test_all_rulings_about_an_event_are_listed_with_the_one_in_force() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    rule(fold, "stands", 4)
    rule(fold, "penalty", 4, points={"blue": -1})
    rule(fold, "penalty", 6, points={"blue": -3})
    rule(fold, "refused", 5)
    (found,) = warnings(fold)
    assert found.text.partition("; ruled on ")[2] == (
        "in event 5 (event 8 has withdrawn it) by Lena: stands, seen by all; "
        "in event 6 (event 7 has replaced it) by Lena: penalty (Rui -1), seen by all; "
        "in event 7 (in force) by Lena: penalty (Rui -3), seen by all"
    )
