"""Tests of event keys: a repeat is harmless, another event with the same key is a conflict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamelog.errors import Conflict
from gamelog.record import chain
from gamelog.record.envelope import Event
from gamelog.record.reading import read_record
from gamelog.record.record_file import Ack, RecordFile, compose, create_record
from tests.record.sample import HEADER, Move, add, noted, write_record


class Other(Event, frozen=True, tag="other"):
    """Another event with the same members as `Move`."""

    text: str = ""
    data: dict[str, Any] = {}


def test_a_repeated_event_is_confirmed_with_its_stored_number(path: Path) -> None:
    writer = create_record(path, HEADER)
    first = add(writer, Move(1, 10, "red", "x", id="a"), Move(2, 20, "red"))[0]
    data = path.read_bytes()
    for handle in (writer, RecordFile.open(path)):
        for event in (
            Move(1, 10, "red", "x", id="a"),
            Move(3, 99, "red", "x", id="a"),
            Move(0, 0, "red", "x", id="a"),
        ):
            with handle.lock() as locked:
                assert locked.find_ack(event) == first
                assert locked.append([event]) == [first]
    assert path.read_bytes() == data


def test_other_handles_know_a_repeated_event_after_reading(path: Path) -> None:
    create_record(path, HEADER)
    ana, rui = RecordFile.open(path), RecordFile.open(path)
    [ack] = add(ana, Move(1, 10, "red", id="a"))
    assert add(rui, Move(1, 10, "red", id="a")) == [ack]
    assert len(read_record(path).bodies) == 1


@pytest.mark.parametrize(
    "other",
    [
        Move(2, 20, "red", "y", id="a"),
        Move(2, 20, "blue", "x", id="a"),
        Move(2, 20, "red", "x", id="a", as_played=True),
        Move(2, 20, "red", "x", {"more": 1}, id="a"),
        Other(2, 20, "red", "x", id="a"),
    ],
)
def test_a_key_used_for_another_event_is_a_conflict(path: Path, other: Event) -> None:
    writer = create_record(path, HEADER)
    add(writer, Move(1, 10, "red", "x", id="a"))
    data = path.read_bytes()
    with writer.lock() as locked:
        with pytest.raises(Conflict, match='The key "a" has already been used for event 1'):
            locked.find_ack(other)
        with pytest.raises(Conflict, match="event 1"):
            locked.append([other])
    assert path.read_bytes() == data


def test_a_partly_written_batch_is_completed(path: Path) -> None:
    """A client whose confirmation was lost sends the same batch again, with the same numbers."""
    writer = create_record(path, HEADER)
    batch = [Move(n, 10 * n, "red", str(n), id=f"key {n}") for n in range(1, 6)]
    first = add(writer, *batch[:3])
    again = add(RecordFile.open(path), *batch)
    assert again[:3] == first
    assert [ack.n for ack in again] == [1, 2, 3, 4, 5]
    assert path.read_bytes() == compose(HEADER, batch)[0]


def test_a_key_used_twice_in_one_batch_is_confirmed_or_refused(path: Path) -> None:
    writer = create_record(path, HEADER)
    one = Move(1, 10, "red", "x", id="a")
    first, second, third = add(writer, one, one, Move(2, 10, "red"))
    assert first == second != third
    assert len(read_record(path).bodies) == 2
    with pytest.raises(Conflict, match="event 3"):
        add(writer, Move(3, 10, "red", id="b"), Move(4, 10, "blue", id="b"))


def test_spelling_and_order_of_members_do_not_make_another_event(path: Path) -> None:
    data, head = compose(HEADER, [])
    body = (
        b'"id" : "k\\u0065y", "by":"red","n":1, "t":10,"as_played":false,"data":{},"text":"x","do":"move"}\n'
    )
    path.write_bytes(data + chain.chained_line(head.encode(), body)[0])
    writer = RecordFile.open(path)
    assert add(writer, Move(1, 0, "red", "x", id="key")) == [Ack(1, writer.head)]


def test_a_key_written_with_escapes_is_a_key(path: Path) -> None:
    data, head = compose(HEADER, [])
    body = b'"do":"move","n":1,"t":10,"by":"red","\\u0069d":"key"}\n'
    second = b'"do":"move","n":2,"t":10,"by":"red"}\n'
    line, last = chain.chained_line(head.encode(), body)
    path.write_bytes(data + line + chain.chained_line(last, second)[0])
    assert [ack.n for ack in add(RecordFile.open(path), Move(3, 10, "red", id="key"))] == [1]


def test_of_two_lines_with_one_key_the_first_counts(path: Path) -> None:
    """Gamelog does not write such a record, but other programs may."""
    write_record(
        path,
        [
            Move(1, 0, "red", "x", id="a"),
            Move(2, 0, "red"),
            Move(3, 0, "red", "x", id="a"),
            Move(4, 0, "red"),
        ],
    )
    writer = RecordFile.open(path)
    assert [ack.n for ack in add(writer, Move(5, 0, "red", "x", id="a"))] == [1]
    more, _ = compose(
        HEADER,
        [
            *[msgspec.json.decode(b"{" + body, type=Move) for body in read_record(path).bodies],
            Move(5, 0, "red", "y", id="a"),
            Move(6, 0, "red"),
        ],
    )
    path.write_bytes(more)
    assert [ack.n for ack in add(writer, Move(7, 0, "red", "x", id="a"))] == [1]


def test_the_word_id_elsewhere_is_not_a_key(path: Path) -> None:
    writer = create_record(path, HEADER)
    add(writer, Move(1, 0, "red", '"id":"a"', {"id": "b", "x": [{"id": "c"}]}), Move(2, 0, "red"))
    for handle in (writer, RecordFile.open(path)):
        with handle.lock() as locked:
            assert [locked.find_ack(Move(0, 0, "red", id=key)) for key in "abc"] == [None, None, None]


def test_lists_and_tuples_are_the_same_in_json(path: Path) -> None:
    writer = create_record(path, HEADER)
    [ack] = add(writer, Move(1, 0, "red", data={"x": (1, 2)}, id="a"))
    assert add(writer, Move(1, 0, "red", data={"x": [1, 2]}, id="a")) == [ack]


def test_a_repeated_event_is_synced_before_it_is_confirmed_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that wrote it may have been killed between the write and the sync."""
    writer = create_record(path, HEADER)
    add(writer, Move(1, 0, "red", id="a"))
    calls = noted(monkeypatch)
    add(RecordFile.open(path), Move(1, 0, "red", id="a"))
    assert calls == ["fsync"]
