"""Tests of commit-reveal dice in the fold: what is due, and the events allowed between intent and roll."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.chance.commit_reveal import results
from gamelog.play.contract.registry import find
from gamelog.record.envelope import as_proposal
from tests.play.reveals import Table, header
from tests.play.tables import GAME, not_none

# --- what is due ---


def test_every_seat_owes_a_link_before_the_first_roll_in_any_order() -> None:
    one, two = Table(), Table()
    assert one.missing() == ("red", "blue")
    assert one.fold.due_results() is None
    one.reveal("red", "blue")
    two.reveal("blue")
    assert two.missing() == ("red",)
    assert two.fold.due_results() is None
    two.reveal("red")
    assert one.missing() == two.missing() == ()
    assert one.fold.due_results() == two.fold.due_results(), "the order of revealing changes nothing"
    draws = not_none(one.fold.pending.chance).draws
    links = {seat: not_none(one.fold.reveals).revealed_links[seat] for seat in ("red", "blue")}
    assert one.fold.due_results() == results(links, one.fold.line_heads[0].decode(), draws)
    one.roll()
    assert one.missing() == ()


@pytest.mark.parametrize("players", sorted(GAME.seats))
def test_all_seats_of_larger_tables(players: int) -> None:
    table = Table(header(players))
    for seat in GAME.seats[players]:
        assert seat in table.missing()
        assert table.fold.due_results() is None
        table.reveal(seat)
    table.roll()


def test_links_that_do_not_come_next() -> None:
    table = Table()
    good = table.link("red")
    earlier = table.chains.link("red", good)
    wrong = [
        {"seat": "red", "link": earlier},
        {"seat": "red", "link": not_none(table.fold.reveals).last_links["red"]},
        {"seat": "red", "link": good.upper()},
        {"seat": "red", "link": good[:-1]},
        {"seat": "red", "link": table.link("blue")},
        {"seat": "blue", "link": good},
        {"seat": "green", "link": good},
    ]
    for members in wrong:
        assert table.refused("@reveal", "red", **members) == "chance.link"
    table.reveal("red")
    assert table.refused("@reveal", "red", seat="red", link=earlier) == "chance.link"
    table.reveal("blue").roll()
    assert table.refused("@reveal", "red", seat="red", link=earlier) == "chance.link"


def test_the_roll_waits_for_all_links_and_then_has_to_be_theirs() -> None:
    table = Table()
    assert table.refused("start_roll", "table", rolls={"red": 6, "blue": 1}) == "chance.missing"
    table.reveal("red")
    assert table.refused("start_roll", "table", rolls={"red": 6, "blue": 1}) == "chance.missing"
    table.reveal("blue")
    due = as_proposal(table.due())
    for red in range(1, 7):
        for blue in range(1, 7):
            rolls = {"red": red, "blue": blue}
            if rolls != due["rolls"]:
                assert table.refused("start_roll", "table", rolls=rolls) == "chance.reveals"
    table.must("start_roll", "table", rolls=due["rolls"])


# --- between an intent and its roll ---


@pytest.mark.parametrize("revealed", [(), ("red",), ("red", "blue")])
def test_nothing_may_stand_between_an_intent_and_its_roll(revealed: tuple[str, ...]) -> None:
    table = Table().battle()
    intent = table.fold.n
    table.reveal(*revealed) if revealed else None
    between: list[tuple[str, str, dict[str, Any]]] = [
        ("@note", "table", {"text": "x"}),
        ("@claim", "red", {"text": "x"}),
        ("@clock", "table", {"running": False}),
        ("@takeback", "arbiter", {"to": intent - 1}),
        ("@agree", "red", {"result": {"winners": ["red"], "reason": "agreed"}}),
        ("@sign", "red", {"seat": "red", "key": "k", "sig": "s"}),
        ("@substitute", "table", {"seat": "red", "name": "Mei"}),
        ("@amend", "arbiter", {"tags": {"a": "b"}}),
        ("@gap", "arbiter", {"state": {}, "reason": "x"}),
        ("@result", "table", {"outcome": {"winners": ["red"], "reason": "x"}}),
    ]
    for do, by, members in between:
        assert table.refused(do, by, **members) == "chance.missing", do
    result = {"winners": ["red"], "reason": "x"}
    ruling = {"about": intent, "reason": "r", "name": "Referee"}
    assert table.refused("@ruling", "arbiter", **ruling, kind="takeback") == "chance.missing"
    assert table.refused("@ruling", "arbiter", **ruling, kind="result", result=result) == "chance.missing"
    table.must("@ruling", "arbiter", **ruling, kind="penalty", points={"red": -1})
    table.must("@recovered", "table", bytes=3, digest="0" * 64)
    assert table.fold.reveals is not None
    assert table.fold.reveals.intent == intent, "the roll still hangs on its intent"
    if table.missing():
        table.reveal()
    table.roll()


def test_events_between_intent_and_roll_do_not_change_the_roll() -> None:
    plain, mended = Table().battle(), Table().battle()
    plain.reveal()
    mended.reveal("red").must("@recovered", "table", bytes=3, digest="0" * 64).reveal("blue")
    assert plain.fold.due_results() == mended.fold.due_results()


def test_another_intent_is_another_roll() -> None:
    one, two = Table().reveal().roll(), Table().reveal().roll()
    one.must("claim", one.fold.pending.by[0], at="A1")
    two.must("claim", two.fold.pending.by[0], at="A2")
    for table in (one, two):
        table.go_on()
        table.reveal()
    assert one.fold.due_results() != two.fold.due_results()


def test_a_takeback_burns_the_links() -> None:
    table = Table(header(takebacks="scorer")).battle()
    intent = table.fold.n
    table.reveal()
    burned, old = dict(not_none(table.fold.reveals).revealed_links), table.fold.due_results()
    table.roll().must("@takeback", "table", to=intent)
    assert table.fold.reveals is not None
    assert (table.missing(), table.fold.reveals.intent) == (("red", "blue"), intent + 4)
    assert table.refused("@reveal", "red", seat="red", link=burned["red"]) == "chance.link"
    table.reveal()
    assert table.fold.due_results() != old
    table.roll().must("@takeback", "table", to=intent - 1)
    assert table.missing() == (), "no roll is due before the attack"


def test_the_game_s_clock_stands_while_links_are_due() -> None:
    zones = find("zone_control")
    table = Table(header(4, zones))
    table.t = 3_600_000
    table.reveal()
    assert table.fold.session.clock(table.t) == 0
    table.roll()
    spent = table.t
    while table.fold.pending.chance:
        table.reveal().roll()
        spent = table.t
    assert table.fold.session.clock(table.t) == 0
    assert table.fold.session.clock(spent + 1000) == 1000


def test_a_pause_by_people_is_left_alone() -> None:
    table = Table().reveal().roll()
    table.must("@clock", "table", running=False)
    table.go_on()
    at = table.fold.session.paused_at
    table.reveal().roll()
    assert table.fold.session.paused_at == at
    table.must("@clock", "table", running=True)
