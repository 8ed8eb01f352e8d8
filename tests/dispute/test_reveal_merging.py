"""Tests of uniting copies of one record that have different links and rolls after the same intent."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from gamelog.dispute.reveal_merging import are_copies, unite_copies
from gamelog.errors import PlayError
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.envelope import Event, tag_of
from gamelog.record.reading import Record, parse_record
from gamelog.record.record_file import compose
from tests.play.reveals import Table, header
from tests.play.tables import not_none

TORN: dict[str, Any] = {"bytes": 3, "digest": "0" * 64}


def copy(*seats: str, t: int = 0, players: int = 3, torn: bool = False, rolled: bool = False) -> Table:
    """Return a table at its first battle, where these seats revealed their links with a delay of `t` milliseconds."""
    table = Table(header(players)).battle()
    table.t += t
    if torn:
        table.must("@recovered", "table", **TORN)
    if seats:
        table.reveal(*seats)
    return table.roll() if rolled else table


def record(table: Table, path: str = "a") -> Record:
    return parse_record(compose(table.header, table.events)[0], path)


def united(*tables: Table) -> list[Event]:
    """Return the events of all copies united. The result must be the same in both orders."""
    one, *others = [record(table) for table in tables]
    forth = back = one
    for other in others:
        forth, back = parse_record(unite_copies(forth, other)), parse_record(unite_copies(other, back))
    assert forth.heads == back.heads
    done = fold_record(forth)
    assert not [found for found in done.findings if found.severity == "error"]
    return list(done.events)


def after_intent(events: list[Event]) -> list[tuple[str, str, int]]:
    """Return the tags, seats and relative times of the events after the intent."""
    intent = not_none(copy().fold.reveals).intent or 0
    begin = events[intent - 1].t
    return [(tag_of(type(event)), event.by, event.t - begin) for event in events[intent:]]


def test_links_are_in_the_order_of_their_times_and_then_of_their_seats() -> None:
    found = after_intent(united(copy("blue"), copy("red"), copy("yellow", t=-1)))
    assert found == [("@reveal", "yellow", 2999), ("@reveal", "red", 3000), ("@reveal", "blue", 3000)]


def test_links_that_both_copies_have_are_sorted_too() -> None:
    """The order in which three copies are united does not matter."""

    def at_once(*seats: str) -> Table:
        table = copy()
        table.t += 3000
        for seat in seats:
            table.t -= 3000
            table.reveal(seat)
        return table

    found = after_intent(united(at_once("yellow", "red"), at_once("yellow", "blue")))
    assert found == [("@reveal", seat, 3000) for seat in ("red", "blue", "yellow")]


def test_a_link_of_several_copies_has_its_earliest_time() -> None:
    found = after_intent(united(copy("red", "blue"), copy("blue", "yellow", t=1000), copy("red", t=500)))
    assert found == [("@reveal", "red", 3000), ("@reveal", "blue", 4000), ("@reveal", "yellow", 7000)]


def test_a_repaired_copy_is_united_too() -> None:
    found = after_intent(united(copy("red", torn=True), copy("blue"), copy("yellow")))
    assert [(do, by) for do, by, _ in found] == [
        ("@reveal", "blue"),
        ("@reveal", "yellow"),
        ("@recovered", "table"),
        ("@reveal", "red"),
    ]
    twice = after_intent(united(copy("red", torn=True), copy("red", "blue", torn=True)))
    assert [do for do, *_ in twice].count("@recovered") == 1


def test_rolls_at_different_places_are_the_same_roll() -> None:
    all_three = ("red", "blue", "yellow")
    early, late = copy(*all_three, rolled=True), copy(*all_three, t=700, torn=True, rolled=True)
    found = united(early, late)
    assert [do for do, *_ in after_intent(found)] == ["@reveal", "@recovered", "@reveal", "@reveal", "battle"]
    roll = found[-1]
    assert tag_of(type(roll)) == "battle"
    assert structs.replace(roll, n=0, t=0) == structs.replace(early.events[-1], n=0, t=0)
    assert roll.t == early.events[-1].t
    assert len(found) == len(late.events)


def test_a_continued_copy_stays_as_it_is_and_must_have_all_links() -> None:
    further = copy("blue", "red", "yellow", rolled=True)
    further.must("@note", "table", text="played on")
    for stale in (copy(), copy("red"), copy("red", "blue", t=9), copy("red", "yellow", "blue", rolled=True)):
        assert united(further, stale) == further.events
    other = copy("red", "blue", "yellow", rolled=True)
    other.must("@note", "table", text="played on here, too")
    with pytest.raises(PlayError, match="Continue only one of the copies") as refused:
        unite_copies(record(further, "one"), record(other, "two"))
    n = len(copy().events) + 1
    assert str(refused.value).startswith(
        f"These copies of one record cannot be united, because from event {n} on they differ "
    )
    assert 'one has "Rui reveals a secret."' in str(refused.value)
    assert 'two has "Ana reveals a secret."' in str(refused.value)


def test_a_ruling_between_the_links_is_not_a_link() -> None:
    ruled, plain = copy("red"), copy("blue")
    ruled.must("@ruling", "arbiter", about=1, kind="penalty", points={"red": -1}, reason="late", name="Mei")
    for pair in ((ruled, plain), (plain, ruled)):
        with pytest.raises(PlayError, match="in more than the links for one roll"):
            unite_copies(*map(record, pair))
    assert united(ruled, copy("red")) == ruled.events
    shorter = copy()
    assert united(ruled, shorter) == ruled.events


def test_a_refusal_quotes_the_events_of_both_copies() -> None:
    left, right = copy("red"), copy("red")
    left.must("@ruling", "arbiter", about=1, kind="penalty", points={"red": -1}, reason="late", name="Mei")
    right.reveal("blue")
    with pytest.raises(PlayError, match=r'a has ".*Mei.*", but a has "Rui reveals a secret."'):
        unite_copies(record(left), record(right))


def test_a_forged_roll_is_refused() -> None:
    good, bad = copy("red", "blue", "yellow", rolled=True), copy("red", "blue", "yellow")
    forged: Any = structs.replace(good.events[-1])
    dice = [7 - die for die in forged.attack]
    lines = [*bad.events, structs.replace(forged, attack=dice)]
    for pair in (
        (record(good), parse_record(compose(bad.header, lines)[0], "bad")),
        (parse_record(compose(bad.header, lines)[0], "bad"), record(good)),
    ):
        with pytest.raises(PlayError, match=r"^Cannot unite bad with a copy: "):
            unite_copies(*pair)


def test_copies_begin_with_the_same_header() -> None:
    one, other = record(Table(header(2))), record(Table(header(3)))
    assert are_copies(one, one)
    assert not are_copies(one, other)
    assert not are_copies(parse_record(b""), parse_record(b""))
