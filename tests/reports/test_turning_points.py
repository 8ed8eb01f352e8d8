"""Tests of turning points."""

from __future__ import annotations

from gamelog_reports.replay_page.turning_points import TurningPoints

from gamelog.play.view.step import Fact, StepView


def points(*steps: tuple[dict[str, int], str], counted: range | None = None) -> list[tuple[int, str]]:
    """Return the turning points of a game of two seats, whose steps have points and the tag of an effect."""
    found = TurningPoints(("red", "blue"))
    found.push(StepView(0, 0, 0, score={"red": 0, "blue": 0}))
    for n, (score, tag) in enumerate(steps, 1):
        facts = (Fact("play", {"by": "red"}), *((Fact(tag, {"seat": "blue"}),) if tag else ()))
        found.push(StepView(n, 0, 0, facts, score=score))
    return [(one.n, str(one.message)) for one in found.find(counted or range(1, len(steps) + 1))]


def test_a_change_of_the_lead_and_the_largest_swing_are_turning_points() -> None:
    assert points(
        ({"red": 1}, "turn_over"), ({"blue": 5}, "turn_over"), ({}, "turn_over"), ({"red": 3}, "turn_over")
    ) == [
        (2, "blue gains 5 in one turn and takes the lead, 5 to 1."),
        (4, "red gains 2 in one turn and has 3."),
    ]
    assert points(
        ({"red": 3}, "turn_over"), ({"red": 4, "blue": 1}, "turn_over"), ({"red": 0}, "turn_over")
    ) == [(3, "red loses 4 in one turn, and blue takes the lead, 1 to 0.")]
    assert points(({"red": 1}, "turn_over"), ({"blue": 1}, "turn_over"), ({"blue": 2}, "turn_over")) == [
        (3, "blue takes the lead, 2 to 1.")
    ]


def test_the_first_lead_and_small_swings_are_not_turning_points() -> None:
    assert points(({"red": 1}, "turn_over"), ({"red": 2}, "turn_over")) == []


def test_the_last_threats_are_turning_points() -> None:
    assert points(*[({}, "threat")] * 5) == [(n, "blue threatens to win.") for n in (3, 4, 5)]


def test_the_end_of_a_player_is_a_turning_point() -> None:
    assert points(({"red": 1}, "turn_over"), ({}, "out")) == [(2, "blue is out of the game.")]


def test_events_that_were_taken_back_are_left_out() -> None:
    steps = [({"red": 1}, "turn_over"), ({"blue": 9}, "turn_over"), ({"blue": 0}, "turn_over")]
    assert points(*steps, counted=range(1, 2)) == []


def test_a_game_without_events_or_points_has_none() -> None:
    assert points() == []
    assert points(({}, ""), ({}, "")) == []
