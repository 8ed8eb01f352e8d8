"""Tests of the list of a fold's events, of which some are kept as bodies."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gamelog.play.fold.parts.event_list import EventList
from gamelog.record.envelope import Event
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.play.tables import GAME, whole

HEADER, EVENTS = whole()
BODIES = parse_record(compose(HEADER, EVENTS)[0]).bodies
AT = st.integers(-12, 12)
STEP = st.one_of(
    st.tuples(st.just("append"), st.integers(0, 9)),
    st.tuples(st.just("keep_encoded"), st.integers(0, 5)),
    st.tuples(st.just("slice"), AT, AT),
    st.tuples(st.just("add"), st.lists(st.sampled_from(["plain", "light"]), max_size=4)),
    st.tuples(st.just("delete"), st.integers(0, 12)),
)


def check_content(some: EventList) -> list[Event]:
    """Return the content of the list, after a check of each way to read it."""
    events = list(some)
    assert [some[at] for at in range(len(some))] == events
    assert [event for stretch, _ in some.stretches() for event in stretch] == events
    for stretch, bodies in some.stretches():
        assert bodies in ([], [BODIES[event.n - 1] for event in stretch])
    return events


@given(st.lists(STEP, max_size=12))
def test_the_list_is_the_same_with_events_kept_as_bodies(steps: list[tuple[Any, ...]]) -> None:
    some, plain = EventList(GAME), list[Event]()
    for kind, *what in steps:
        if kind == "append":
            (count,) = what
            for event in EVENTS[:count]:
                some.append(event)
                plain.append(event)
        elif kind == "keep_encoded":
            last = plain[len(plain) - min(what[0], len(plain)) :]
            if all(type(event) is not bytes for event in some._stored[len(plain) - len(last) :]):
                some.keep_encoded([BODIES[event.n - 1] for event in last])
        elif kind == "slice":
            begin, end = what
            some, plain = some[begin:end], plain[begin:end]
        elif kind == "add":
            for way in what[0]:
                more = EventList(GAME)
                more += EVENTS[:3]
                if way == "light":
                    more.keep_encoded(BODIES[1:3])
                some += more
                plain += EVENTS[:3]
        else:
            del some[what[0] :]
            del plain[what[0] :]
        assert check_content(some) == plain
