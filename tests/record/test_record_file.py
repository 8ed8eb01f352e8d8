"""Tests of opening and appending: what is written, what is refused, and the result of a failure."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamelog.errors import AppendError, Conflict, Damaged, RecordError, Torn, UnknownFormat, WriteFailed
from gamelog.record import chain, envelope, record_file
from gamelog.record.envelope import Event
from gamelog.record.reading import read_record
from gamelog.record.record_file import Ack, RecordFile, compose, create_record
from tests.record.sample import HEADER, Move, add, moves, noted, write_record


class Dial(Event, frozen=True, tag="dial"):
    """An event with a number."""

    angle: float


class Embedded(Event, frozen=True, tag="embedded"):
    """An event that copies JSON verbatim."""

    raw: msgspec.Raw


def test_opening_finds_the_end_of_the_record(path: Path) -> None:
    data = write_record(path, moves(30))
    opened = RecordFile.open(path)
    record = read_record(path)
    assert (opened.n, opened.t, opened.head, opened.size) == (30, 300, record.head, len(data))


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"", Torn, "empty"),
        (
            compose(HEADER, moves(3))[0][:-2],
            Torn,
            r"last line is incomplete.*\. Recover the record\.$",
        ),
        (compose(HEADER, moves(3))[0] + b"x\n", Damaged, "not a line of a record"),
        (chain.chained_line(chain.GENESIS, b'"gamelog":2}\n')[0], UnknownFormat, "format 2"),
    ],
)
def test_a_damaged_record_is_not_opened(
    path: Path, data: bytes, error: type[RecordError], words: str
) -> None:
    path.write_bytes(data)
    with pytest.raises(error, match=words):
        RecordFile.open(path)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"nonsense\n", "is not an event"),
        (b'"do":"move","n":3,"t":0,"by":"red"}\n', "the line should be event 4, but has the number 3"),
        (b'"do":"move","n":4,"t":-1,"by":"red"}\n', "is not an event"),
        (b'"do":"move","n":4,"t":40,"by":"red","id":7}\n', "is not an event"),
        (
            b'"do":"move","n":4,"t":40,"by":"red","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
            "is not an event",
        ),
    ],
)
def test_nothing_can_follow_a_last_line_that_is_not_an_event(path: Path, body: bytes, words: str) -> None:
    data, head = compose(HEADER, moves(3))
    path.write_bytes(data + chain.chained_line(head.encode(), body)[0])
    with pytest.raises(Damaged, match=words) as caught:
        RecordFile.open(path)
    assert f"byte {len(data)}" in str(caught.value)


def test_links_lead_to_the_same_record(path: Path) -> None:
    create_record(path, HEADER)
    link = path.with_name("link.jsonl")
    link.symlink_to(path.name)
    here, there = RecordFile.open(path), RecordFile.open(link)
    add(there, Move(1, 0, "red"))
    with here.lock() as locked:
        assert len(locked.new_bodies) == 1
    assert link.is_symlink()


# --- appending ---


def test_events_are_in_the_file_as_confirmed(path: Path) -> None:
    writer = create_record(path, HEADER)
    acks = [*add(writer, *moves(3)), *add(writer, *moves(2, 4)), *add(writer)]
    record = read_record(path)
    assert path.read_bytes() == compose(HEADER, moves(5))[0]
    assert acks == [Ack(n, record.head_at(n)) for n in range(1, 6)]
    assert (writer.n, writer.t, writer.head, writer.size) == (5, 50, record.head, path.stat().st_size)
    assert vars(writer) == vars(RecordFile.open(path))


def test_one_session_can_have_several_appends(path: Path) -> None:
    writer = create_record(path, HEADER)
    with writer.lock() as locked:
        for event in moves(5):
            locked.append([event])
        assert locked.new_bodies == []
    assert read_record(path).bodies == [envelope.encode_body(event) for event in moves(5)]


@pytest.mark.parametrize("n", [0, 1, 2, 4, 2**53])
def test_a_number_that_is_not_the_next_is_a_conflict(path: Path, n: int) -> None:
    data = write_record(path, moves(2))
    writer = RecordFile.open(path)
    with writer.lock() as locked, pytest.raises(Conflict, match="number 3, not") as caught:
        locked.append([Move(n, 99, "red")])
    assert (caught.value.expected, caught.value.found) == (n - 1, 2)
    assert path.read_bytes() == data


def test_an_unexpected_last_event_is_a_conflict(path: Path) -> None:
    data = write_record(path, moves(2))
    writer = RecordFile.open(path)
    with writer.lock() as locked:
        locked.expect(2)
        for n in (0, 1, 3):
            with pytest.raises(Conflict, match="the last event is 2, not") as caught:
                locked.expect(n)
            assert (caught.value.expected, caught.value.found) == (n, 2)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Move(3, 19, "red"), "is before the time of event 2, 20 ms"),
        (Move(3, 2**53, "red"), "53 bits"),
        (Move(3, 20, 7), "Expected `str`"),  # type: ignore[arg-type]  # wrong on purpose
        (Move(3, 20, "red", data={"x": 2**70}), "53 bits"),
        (Move(3, 20, "red", data={"x": object()}), "unsupported"),
        (Move(3, 20, "red", data={1: 1, "1": 2}), "is listed twice"),  # type: ignore[dict-item]  # wrong on purpose
        (Move(3, 20, "red", "\udfff"), "surrogates"),
        (Move(3, 20, "red", "x" * (1 << 20)), "a line can have at most 1,048,576"),
        (Dial(3, 20, "red", float("nan")), "Expected `float`"),
        (Embedded(3, 20, "red", msgspec.Raw(b"[1,\n2]")), "raw line end"),
        (Embedded(3, 20, "red", msgspec.Raw(b"[1,")), "not JSON"),
    ],
)
def test_events_that_cannot_be_read_back_are_not_written(path: Path, event: Event, words: str) -> None:
    data = write_record(path, moves(2))
    writer = RecordFile.open(path)
    with writer.lock() as locked:
        with pytest.raises(AppendError, match=words) as caught:
            locked.append([event])
        assert "vent 3" in str(caught.value)
        assert path.read_bytes() == data
        assert locked.append([Move(3, 20, "red")])[0].n == 3


def test_deep_nesting_is_not_written(path: Path) -> None:
    writer = create_record(path, HEADER)
    for depth, words in ((64, "64 levels deep"), (100_000, "recursion")):
        nested: Any = 0
        for _ in range(depth):
            nested = [nested]
        with writer.lock() as locked, pytest.raises(AppendError, match=words):
            locked.append([Move(1, 0, "red", data={"x": nested})])


def test_a_batch_is_written_as_a_whole_or_not_at_all(path: Path) -> None:
    data = write_record(path, moves(2))
    writer = RecordFile.open(path)
    for last in (
        Move(5, 1, "red"),
        Move(9, 50, "red"),
        Move(5, 50, "red", "\ud800"),
        Move(5, 50, "red", id="k"),
    ):
        with writer.lock() as locked, pytest.raises(AppendError):
            locked.append([Move(3, 30, "red", "first", id="k"), Move(4, 40, "red"), last])
        assert path.read_bytes() == data
        assert writer.n == 2


def test_the_longest_line_is_written_and_read(path: Path) -> None:
    writer = create_record(path, HEADER)
    room = (
        envelope.MAX_LINE
        - len(chain.chained_line(chain.GENESIS, envelope.encode_body(Move(1, 0, "red", "x")))[0])
        + 1
    )
    add(writer, Move(1, 0, "red", "x" * room))
    assert path.read_bytes().count(b"\n") == 2
    assert len(path.read_bytes().splitlines(keepends=True)[1]) == envelope.MAX_LINE
    assert read_record(path).problem is None
    with (
        writer.lock() as locked,
        pytest.raises(
            AppendError, match=f"needs a line of {envelope.MAX_LINE + 1:,} bytes, but a line can have at most"
        ),
    ):
        locked.append([Move(2, 0, "red", "x" * (room + 1))])


def test_the_longest_header_is_written_and_read(path: Path) -> None:
    empty = msgspec.structs.replace(HEADER, board="")
    room = envelope.MAX_LINE - len(chain.chained_line(chain.GENESIS, envelope.encode_body(empty))[0])
    with pytest.raises(RecordError, match="a line can have at most"):
        create_record(path, msgspec.structs.replace(empty, board="x" * (room + 1)))
    create_record(path, msgspec.structs.replace(empty, board="x" * room))
    assert path.stat().st_size == envelope.MAX_LINE
    assert read_record(path).problem is None


def test_a_record_does_not_grow_beyond_the_readable_size(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_record(path, moves(5))
    monkeypatch.setattr(record_file, "MAX_RECORD", len(data) + 200)
    writer = RecordFile.open(path)
    with pytest.raises(AppendError, match="Start another record"):
        add(writer, *moves(3, 6))
    assert path.read_bytes() == data
    add(writer, *moves(1, 6))
    grown = len(write_record(path.with_name("grown"), moves(7)))
    monkeypatch.setattr(record_file, "MAX_RECORD", grown - 1)
    with pytest.raises(AppendError, match=f"would have {grown:,} bytes"):
        add(writer, *moves(1, 7))
    monkeypatch.setattr(record_file, "MAX_RECORD", grown)
    add(writer, *moves(1, 7))


# --- failure ---


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_a_failed_write_ends_only_the_handle(
    path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    write_record(path, moves(2))
    writer, other = RecordFile.open(path), RecordFile.open(path)

    def failing(*_: object) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with writer.lock() as locked:
        with monkeypatch.context() as patch:
            patch.setattr(os, broken, failing)
            with pytest.raises(WriteFailed, match="Input/output error"):
                locked.append(moves(1, 3))
        with pytest.raises(WriteFailed, match="Open the record again"):
            locked.append(moves(1, 3))
    with pytest.raises(WriteFailed, match="Open the record again"), writer.lock():
        pass
    assert writer.n == 2
    with other.lock() as locked:  # the line was written whole when only the sync failed
        assert len(locked.new_bodies) == (0 if broken == "write" else 1)
        locked.append(moves(1, other.n + 1))
    assert RecordFile.open(path).n == other.n


def test_an_interrupted_write_ends_the_handle(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_record(path, moves(2))
    writer = RecordFile.open(path)

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            add(writer, *moves(1, 3))
    with pytest.raises(WriteFailed, match="Open the record again"):
        add(writer, *moves(1, 3))
    assert RecordFile.open(path).n == 3


def test_short_writes_are_continued(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, bytes(data[:7])))
    writer = create_record(path, HEADER)
    add(writer, *moves(3))
    assert path.read_bytes() == compose(HEADER, moves(3))[0]


def test_a_batch_is_one_write_and_one_sync(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = create_record(path, HEADER)
    calls = noted(monkeypatch)
    add(writer, *moves(50))
    assert calls == ["write", "fsync"]
