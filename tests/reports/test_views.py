"""Tests of the views of seats, which are only in open pages of games with hidden information."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from gamelog_reports.replay_page.page_data import page_data
from gamelog_reports.replay_page.shown_record import ShownRecord
from msgspec import structs

from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer
from gamelog.record.envelope import Event
from tests.reports.payload import lines
from tests.reports.toy import TOY, Lay, folded, game, long_game


def views_of(events: list[Event], viewer: Viewer = WHOLE_TABLE) -> tuple[dict[str, Any], list[Any]]:
    """Return the views of a page, and the table of their pieces."""
    stage, data = page_data(ShownRecord(folded(events), viewer))
    return data["views"], [json.loads(piece) for piece in lines(data, "pieces", stage)]


def test_each_seat_has_a_view_while_something_is_hidden_from_it() -> None:
    views, stock = views_of(game())
    assert set(views) == {"red", "N"}
    assert set(views["red"]) == {"hidden", "masked", "pieces", "fills", "marks"}
    laid = [stock[at] for pieces in views["red"]["pieces"]["table"] for at in pieces]
    assert ["token", 1, "", 1, ""] in laid  # the other seat's flag, face down
    assert not any(kind == "flag" for kind, *_ in laid)
    assert views["N"]["pieces"]["table"] == []  # nothing is hidden from N


def test_a_view_has_the_description_of_a_partly_hidden_event() -> None:
    _, data = page_data(ShownRecord(folded(game())))
    assert data["views"]["red"]["masked"]["table"] == [{"phrase": "lay?"}, None]
    assert {"phrase": "lay?"} not in data["views"]["N"]["masked"]["table"]


def test_a_view_has_the_members_that_the_seat_sees_instead() -> None:
    told = folded(game())
    assert told.fold
    told.fold.game = replace(
        TOY,
        seen=lambda event, _before, seat: (
            structs.replace(event, at="box") if isinstance(event, Lay) and seat == "red" else event
        ),
    )
    _, data = page_data(ShownRecord(told))
    assert {"at": "box", "phrase": "lay?"} in data["views"]["red"]["masked"]["table"]


def test_a_game_that_hides_nothing_has_no_views() -> None:
    assert views_of(long_game(20))[0] == {}


def test_the_page_of_one_seat_has_no_other_view() -> None:
    assert views_of(game(), Viewer(("red",)))[0] == {}
