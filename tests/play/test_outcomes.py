"""Tests of places, payoffs and teams of outcomes: which are possible, and which are shown."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from gamelog.play.contract.effects import Over, Paid, Placed, Team, outcome_effects
from gamelog.play.contract.outcome import Outcome, outcome_problem
from gamelog.play.fold.fold import Fold
from gamelog.play.rendering.events import describe_event
from tests.play.tables import outcome, push, start_game

SEATS = ("red", "blue", "yellow", "green")
TEAMS = {"north": ("red", "yellow"), "south": ("blue", "green")}
FALLING = {"red": 3, "blue": 1, "yellow": 0, "green": 2}
WHOLE = Outcome(
    ("red", "yellow"), "last", (("red", "yellow"), ("blue", "green")), dict.fromkeys(SEATS, 0), TEAMS
)


def test_an_outcome_without_more_is_written_as_it_always_was() -> None:
    assert msgspec.json.encode(Outcome(("red",), "four")) == b'{"winners":["red"],"reason":"four"}'
    assert msgspec.json.decode(msgspec.json.encode(WHOLE), type=Outcome) == WHOLE


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (Outcome(("red", "red"), "x"), "no seat can be named twice"),
        (Outcome(("red",), "x", (("red",), ("blue", "yellow"))), "every seat once"),
        (Outcome(("red",), "x", (("blue",), ("red", "yellow", "green"))), "the winners first"),
        (Outcome((), "x", (("red", "blue"), ("yellow", "green"))), "in a draw all seats are tied"),
        (Outcome(("red",), "x", (("red",), (), ("blue", "yellow", "green"))), "every seat once"),
        (Outcome(("red", "yellow"), "x", teams={"north": ("red", "yellow"), "south": ("blue",)}), "in exactly one team"),
        (Outcome(("red",), "x", teams=TEAMS), "must win together"),
        (Outcome(("red", "yellow"), "x", (("red", "yellow"), ("blue",), ("green",)), teams=TEAMS), (
            "all seats of a team must have the same place"
        )),
        (Outcome(("red",), "x", payoffs={"red": 1}), "every seat must have a payoff"),
        (Outcome(("red",), "x", payoffs={"red": 1, "blue": 2, "yellow": 0, "green": 0}), "a higher payoff than"),
        (Outcome(("red",), "x", (("red",), ("blue", "yellow"), ("green",)), FALLING), "a higher payoff than"),
    ],
)  # fmt: skip
def test_impossible_outcomes_are_reported(wrong: Outcome, why: str) -> None:
    assert why in str(outcome_problem(wrong, SEATS))


@pytest.mark.parametrize(
    "right",
    [
        WHOLE,
        Outcome((), "x"),
        Outcome((), "x", (SEATS,), {"red": 2, "blue": 0.5, "yellow": 0, "green": -2}),
        Outcome(
            ("red",),
            "x",
            (("red",), ("blue", "yellow"), ("green",)),
            {"red": 3, "blue": 1, "yellow": 1, "green": 1},
        ),
        Outcome(("red",), "x", payoffs={"red": 3, "blue": -3, "yellow": 0, "green": 0}),
    ],
)
def test_possible_outcomes_are_accepted(right: Outcome) -> None:
    assert outcome_problem(right, SEATS) is None


def test_places_count_those_before() -> None:
    ended = Outcome(("red",), "x", (("red",), ("blue", "yellow"), ("green",)))
    assert [ended.place_of(seat) for seat in SEATS] == [1, 2, 2, 4]
    assert [WHOLE.team_of(seat) for seat in SEATS] == ["north", "south", "north", "south"]
    assert (Outcome(("red",), "x").place_of("red"), ended.team_of("red")) == (None, None)


def test_an_agreed_result_may_give_places_and_tells_them() -> None:
    fold = start_game(3)
    result = {
        "winners": ["red"],
        "reason": "agreed",
        "places": [["red"], ["blue", "yellow"]],
        "payoffs": {"red": 2, "blue": -1},
    }
    refused = push(fold, "@agree", "red", result=result)
    assert refused is not None
    assert refused.text == "every seat must have a payoff"
    result["payoffs"] = {"red": 2, "blue": -1, "yellow": -1}
    assert push(fold, "@agree", "red", result=result) is None
    offer = fold.n
    assert push(fold, "@accept", "blue", about=offer) is None
    assert push(fold, "@accept", "yellow", about=offer) is None
    ended = outcome(fold)
    assert ended is not None
    assert ended.places == (("red",), ("blue", "yellow"))
    assert describe_event(fold, fold.events[-1]) == (
        f"Lena accepts the offer of event {offer}. The game is over. Winner: Ana (agreed). Place 1: Ana. Place 2: Rui and Lena. "
        "Payoffs: Ana 2, Rui -1, Lena -1."
    )


def test_an_effect_that_ends_a_game_which_goes_on_is_described_without_places() -> None:
    fold = start_game()
    over = replace(fold.game, effects=lambda _before, _event, _after: (Over(("red",), "all"),))
    wrong = Fold(fold.header, over)
    for event in fold.events:
        assert wrong.push(event) is None
    assert describe_event(wrong, wrong.events[-1]).count("The game is over. Winner: Ana") == 1


def test_a_recorded_result_may_be_incomplete_but_not_different() -> None:
    fold = start_game(3)
    places = [["red"], ["blue"], ["yellow"]]
    assert (
        push(fold, "@agree", "red", result={"winners": ["red"], "reason": "agreed", "places": places}) is None
    )
    offer = fold.n
    for seat in ("blue", "yellow"):
        assert push(fold, "@accept", seat, about=offer) is None
    assert push(fold, "@result", "table", outcome={"winners": ["red"], "reason": "agreed"}) is None
    assert not fold.result_differs
    told = {"winners": ["red"], "reason": "agreed", "places": [["red"], ["yellow"], ["blue"]]}
    assert push(fold, "@result", "table", outcome=told) is None
    assert fold.result_differs


def test_a_ruling_may_give_places() -> None:
    fold = start_game(3)
    ruling = {"about": 1, "kind": "result", "reason": "late", "name": "Lena"}
    result = {"winners": ["red"], "reason": "late", "places": [["red"], ["blue"]]}
    refused = push(fold, "@ruling", "arbiter", **ruling, result=result)
    assert refused is not None
    assert "the places must list every seat once" in refused.text
    result["places"] = [["red"], ["blue"], ["yellow"]]
    assert push(fold, "@ruling", "arbiter", **ruling, result=result) is None
    ended = outcome(fold)
    assert ended is not None
    assert ended.place_of("yellow") == 3


def test_the_effects_of_an_end_name_the_teams_their_places_and_what_they_won() -> None:
    ended = Outcome(
        ("red",),
        "pressed",
        places=(("red",), ("blue",)),
        payoffs={"red": 2, "blue": -2},
        teams={"north": ("red",), "south": ("blue",)},
    )
    assert outcome_effects(ended) == (
        Team("north", ("red",)),
        Team("south", ("blue",)),
        Placed(1, ("red",)),
        Placed(2, ("blue",)),
        Paid({"red": 2, "blue": -2}),
    )
