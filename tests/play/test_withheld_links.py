"""Tests of withheld links of commit-reveal dice: forfeits, rulings and takebacks."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.chance.commit_reveal import results
from tests.play.reveals import Table, header
from tests.play.tables import not_none


def forfeit(table: Table, *winners: str) -> dict[str, Any]:
    assert table.fold.reveals is not None
    result = {"winners": list(winners), "reason": "link withheld"}
    about = table.fold.reveals.intent or 1
    return {
        "about": about,
        "kind": "forfeit",
        "result": result,
        "reason": "no link after an hour",
        "name": "Referee",
    }


def test_a_seat_that_withholds_a_link_loses() -> None:
    table = Table().battle().reveal("red")
    assert table.refused("@ruling", "arbiter", **forfeit(table, "blue")) == "chance.missing"
    assert table.refused("@ruling", "arbiter", **forfeit(table, "red", "blue")) == "chance.missing"
    assert table.refused("@ruling", "arbiter", **forfeit(table)) == "chance.missing"
    table.must("@ruling", "arbiter", **forfeit(table, "red"))
    assert table.fold.outcome is not None
    assert table.fold.outcome.winners == ("red",)
    assert table.missing() == ()
    table.must("@note", "table", text="over")


def test_no_seat_forfeits_once_all_links_are_revealed() -> None:
    table = Table().battle().reveal()
    assert table.refused("@ruling", "arbiter", **forfeit(table, "red")) == "chance.missing"
    table.roll()


def test_if_no_seat_reveals_the_arbiter_may_choose_any_result() -> None:
    table = Table().battle()
    table.must("@ruling", "arbiter", **forfeit(table))
    assert table.fold.outcome is not None


def test_a_note_before_the_first_event_gives_a_forfeit_its_subject() -> None:
    table = Table()
    assert table.refused("@note", "table", text="Rui has not come") == "chance.missing"
    table.must("@note", "arbiter", text="Rui has not come")
    assert table.refused("@note", "arbiter", text="nor has Ana") == "chance.missing"
    assert table.missing() == ("red", "blue")
    table.must("@ruling", "arbiter", **forfeit(table))
    assert table.fold.outcome is not None


def test_a_takeback_to_the_start_begins_a_roll_of_its_own() -> None:
    table = Table().battle()
    table.must("@ruling", "arbiter", **forfeit(table)).must("@takeback", "arbiter", to=0)
    assert (not_none(table.fold.reveals).intent, table.missing()) == (table.fold.n, ("red", "blue"))


def ruling_proposal(about: int, kind: str, **members: Any) -> dict[str, Any]:
    return {
        "do": "@ruling",
        "by": "arbiter",
        "about": about,
        "kind": kind,
        "reason": "late",
        "name": "Referee",
        **members,
    }


@pytest.mark.parametrize(
    "again",
    [
        lambda over, _: [ruling_proposal(over, "refused")],
        lambda over, _: [ruling_proposal(over, "penalty", points={"blue": -1})],
        lambda _, intent: [{"do": "@takeback", "by": "arbiter", "to": intent}],
        lambda over, _: [{"do": "@takeback", "by": "arbiter", "to": over - 1}],
        lambda over, _: [ruling_proposal(over, "takeback", to=over - 1)],
        lambda over, intent: [
            {"do": "@takeback", "by": "arbiter", "to": intent - 1},
            {"do": "@takeback", "by": "arbiter", "to": over},
            ruling_proposal(over, "refused"),
        ],
    ],
)
def test_a_forfeit_that_is_taken_back_opens_the_same_roll_again(again: Any) -> None:
    """The seat that withheld its link has seen the other links, so it gets this roll and no other."""
    plain, table = Table().battle(), Table().battle()
    intent = table.fold.n
    expected = plain.reveal().fold.due_results()
    table.reveal("red").must("@ruling", "arbiter", **forfeit(table, "red"))
    table.must("@note", "table", text="well played")
    assert (table.missing(), table.fold.pending.chance) == ((), None)
    for step in again(intent + 2, intent):
        table.must(**step)
    assert table.fold.outcome is None
    assert table.fold.reveals is not None
    assert (table.missing(), table.fold.reveals.intent) == (("blue",), intent)
    assert table.refused("@reveal", "red", seat="red", link=table.link("red")) == "chance.link"
    assert table.fold.session.paused_at is not None, "the clock stands again"
    assert table.reveal("blue").fold.due_results() == expected
    table.roll().must("@takeback", "arbiter", to=intent)
    assert table.missing() == ("red", "blue"), "a roll that was made is never made again"


def test_a_forfeit_of_all_that_is_taken_back_waits_for_all() -> None:
    table = Table().battle()
    intent = table.fold.n
    table.must("@ruling", "arbiter", **forfeit(table))
    table.must(**ruling_proposal(table.fold.n, "refused"))
    assert table.fold.reveals is not None
    assert (table.missing(), table.fold.reveals.intent) == (("red", "blue"), intent)
    table.must("@ruling", "arbiter", **forfeit(table)).must(**ruling_proposal(table.fold.n, "refused"))
    assert (table.missing(), table.fold.reveals.intent) == (("red", "blue"), intent)
    table.reveal().roll()


def test_a_seat_that_resigned_owes_no_links() -> None:
    """In a game that continues without the seat, the roll comes from the other links."""
    table = Table(header(3)).battle().reveal().roll()
    assert table.push("@resign", "yellow") is None
    resigned = table.fold.n
    table.go_on()
    assert table.missing() == ("red", "blue")
    assert table.refused("@reveal", "yellow", seat="yellow", link=table.link("yellow")) == "chance.link"
    table.reveal()
    given = dict(not_none(table.fold.reveals).revealed_links)
    assert list(given) == ["red", "blue"]
    intent = not_none(table.fold.reveals).intent
    draws = not_none(table.fold.pending.chance).draws
    assert table.fold.due_results() == results(given, table.fold.line_heads[intent or 0].decode(), draws)
    table.roll().must("@takeback", "arbiter", to=resigned)
    table.go_on()
    assert table.missing() == ("red", "blue"), "the resignation still stands"
    table.reveal().roll().must("@takeback", "arbiter", to=0)
    assert table.missing() == ("red", "blue", "yellow"), "it was taken back, too"


def test_a_seat_cannot_resign_its_way_out_of_a_battle() -> None:
    table = Table(header(3)).battle().reveal("red", "blue")
    assert table.refused("@resign", "yellow") == "play.common", "SW-A26: not between an attack and its dice"
