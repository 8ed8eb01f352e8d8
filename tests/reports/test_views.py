"""What each seat sees, beside the whole: only in open pages, and only where something is hidden."""

from __future__ import annotations

from gamelog_reports.privacy import Privacy
from gamelog_reports.story import tell

from tests.reports.toy import game, long_game, replayed


def test_each_seat_has_a_view_while_something_is_hidden_from_it() -> None:
    views = tell(replayed(game()), Privacy())["views"]
    assert set(views) == {"red", "N"}
    assert set(views["red"]) == {"hidden", "pieces", "fills", "marks"}
    laid = [piece for pieces in views["red"]["pieces"]["table"] for piece in pieces]
    assert ["token", 1, "", 1, ""] in laid  # the other's flag, face down
    assert not any(kind == "flag" for kind, *_ in laid)
    assert views["N"]["pieces"]["table"] == []  # nothing was ever hidden from N


def test_a_game_that_hides_nothing_has_no_views() -> None:
    assert tell(replayed(long_game(20)), Privacy())["views"] == {}


def test_a_page_of_one_seat_holds_no_other_view() -> None:
    assert tell(replayed(game()), Privacy("red"))["views"] == {}
