"""Tests of the sentence about an amendment: the names, ids and tags that it changed."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.play.rendering.events import describe_event
from tests.play.tables import push, start_game


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"seats": {"blue": {"name": "Rui Costa"}}}, "Rui is now called Rui Costa."),
        ({"seats": {"blue": {"id": "rui@club"}}}, "The id of Rui is now rui@club."),
        ({"seats": {"blue": {"name": ""}}}, "Rui is now called blue."),
        ({"tags": {"event": "Club", "round": "3"}}, "Tags: event Club, round 3."),
        ({"seats": {"blue": {"name": "Rui"}}}, ""),
        (
            {"seats": {"red": {"name": "Rui"}, "blue": {"name": "Ana"}}, "tags": {"table": "4"}},
            "Ana is now called Rui. Rui is now called Ana. Tags: table 4.",
        ),
    ],
    ids=["name", "id", "no name", "tags", "nothing new", "all"],
)
def test_an_amendment_names_what_it_changed(members: dict[str, Any], told: str) -> None:
    fold = start_game()
    assert push(fold, "@amend", "arbiter", **members) is None
    assert describe_event(fold, fold.events[-1]) == f"Names or tags are corrected. {told}".strip()


def test_an_amendment_is_described_with_the_names_of_its_time() -> None:
    fold = start_game()
    for name in ("Rui Costa", "Rui M. Costa"):
        assert push(fold, "@amend", "arbiter", seats={"blue": {"name": name}}) is None
    assert describe_event(fold, fold.events[-2]).endswith(" Rui is now called Rui Costa.")
    assert describe_event(fold, fold.events[-1]).endswith(" Rui Costa is now called Rui M. Costa.")
