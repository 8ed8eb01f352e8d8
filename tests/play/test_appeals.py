"""Tests of rulings on rulings, and of the advice if something cannot be ruled on, which is then accepted."""

from __future__ import annotations

from gamelog.play.fold.fold import Fold
from gamelog.play.judging.warnings import warnings
from gamelog.play.rendering.session_effects import TimeGiven, Warned, session_effects_of
from tests.play.tables import GAME, event, header, push, start_game
from tests.play.test_rulings import claims, rule


def why(fold: Fold, kind: str, about: int, **members: object) -> str:
    refused = rule(fold, kind, about, **members)
    assert refused is not None
    return refused.text


def test_a_withdrawal_is_confirmed_or_the_event_is_ruled_on_anew() -> None:
    fold = start_game()
    rule(fold, "penalty", 3, points={"blue": -1})
    push(fold, "@claim", "red", text="no", about=3)
    rule(fold, "refused", 4)
    push(fold, "@claim", "red", text="it was right", about=6)
    assert "event 6 withdraws a ruling, and a withdrawal cannot be undone" in why(fold, "refused", 6)
    assert "rule on event 3 again" in why(fold, "penalty", 6, points={"blue": -1})
    assert claims(fold) == [5, 7]
    assert rule(fold, "stands", 6) is None
    assert claims(fold) == [5], "the claim about the withdrawal is answered, that about the event is not"
    assert rule(fold, "penalty", 3, points={"blue": -1}) is None
    assert claims(fold) == []


def test_the_message_about_a_replaced_ruling_names_the_ruling_in_force() -> None:
    fold = start_game()
    rule(fold, "penalty", 3, points={"blue": -1})
    rule(fold, "penalty", 4, points={"blue": -2})
    rule(fold, "penalty", 5, points={"blue": -3})
    assert "the ruling in event 4 is not in force, because event 6 has replaced it" in why(fold, "refused", 4)
    rule(fold, "stands", 6)
    assert "the ruling in event 7 is not in force, because event 6 has replaced it" in why(fold, "refused", 7)
    assert rule(fold, "refused", 6) is None
    assert "event 8 has withdrawn it: rule on event 3 itself" in why(fold, "refused", 5)


def test_the_message_about_an_undone_event_names_the_takeback() -> None:
    fold = start_game()
    push(fold, "@takeback", "table", to=2)
    assert "event 3 was taken back by event 4: rule on event 4" in why(fold, "stands", 3)
    assert rule(fold, "stands", 4) is None


def test_a_ruling_in_force_is_confirmed_though_its_place_was_taken_back() -> None:
    fold = start_game()
    rule(fold, "penalty", 3, points={"blue": -1})
    push(fold, "@takeback", "table", to=2)
    assert rule(fold, "stands", 4) is None


def test_rulings_on_an_empty_record_and_penalties_without_seats_get_advice() -> None:
    fold = Fold(header(), GAME)
    assert "record what happened as a note, and rule on the note" in why(fold, "forfeit", 1)
    push(fold, "@note", "table", text="Rui has not come")
    assert 'for example {"winners":["red"],"reason":"late"}; the seats are Ana (red), Rui (blue)' in why(
        fold, "forfeit", 1
    )
    assert 'for example {"red":-2}; the seats are Ana (red)' in why(fold, "penalty", 1, points={"Ana": 1})
    assert rule(fold, "forfeit", 1, result={"winners": ["red"], "reason": "walkover"}) is None
    assert [found.code for found in warnings(fold)] == ["play.ruled"]


def test_two_withdrawn_takebacks_have_no_effect() -> None:
    """The first was made on a line that the second left; when both are withdrawn, what stood before the first stands."""
    fold = start_game()
    assert rule(fold, "takeback", 3, to=2) is None
    assert push(fold, "claim", fold.pending.by[0], at="D5") is None
    assert rule(fold, "takeback", 5, to=5) is None
    for about in (4, 6):
        assert rule(fold, "penalty", about, points={"red": 1}) is None
    assert fold.main_line_numbers() == [1, 2, 3]
    fold = start_game()
    assert push(fold, "claim", fold.pending.by[0], at="E2") is None
    assert rule(fold, "penalty", 4, points={"red": 1}) is None
    assert rule(fold, "takeback", 5, to=5) is None
    assert push(fold, "claim", fold.pending.by[0], at="E5") is None
    assert rule(fold, "takeback", 7) is None
    assert rule(fold, "refused", 6) is None
    assert rule(fold, "penalty", 8, points={"red": 1}) is None
    assert fold.main_line_numbers() == [1, 2, 3, 4, 5]


def test_claims_and_rulings_about_an_event_include_indirect_ones() -> None:
    fold = start_game()
    push(fold, "@claim", "red", text="no", about=2)
    rule(fold, "stands", 4)
    push(fold, "@claim", "blue", text="and something else")
    push(fold, "@claim", "blue", text="still", about=5)
    assert [fold.rulings.claims_and_rulings_about(n) for n in (1, 2, 3, 4, 5)] == [
        [],
        [4, 5, 7],
        [],
        [5, 7],
        [7],
    ]


def test_points_and_time_of_a_ruling_are_described() -> None:
    fold = start_game()
    told = []
    for kind, what in (
        ("time", {"time": {"red": -60_000, "blue": 90_000}}),
        ("warning", {"warned": ["red"]}),
    ):
        ruling = event(
            fold, "@ruling", "arbiter", kind=kind, about=3, reason="seen by all", name="Lena", **what
        )
        assert fold.push(ruling) is None
        told.append(session_effects_of(fold, ruling))
    assert told == [(TimeGiven({"red": "-60 s", "blue": "+90 s"}),), (Warned(("red",)),)]
