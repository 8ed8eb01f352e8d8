"""Appending: what is written, what is refused, what others see of it."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamelog.errors import AppendError, Conflict, Damaged, Exists, NotReadable, RecordError, Torn, UnknownFormat, WriteFailed
from gamelog.record import chain, envelope, log
from gamelog.record.compose import compose
from gamelog.record.envelope import Event
from gamelog.record.log import Ack, Log, create
from gamelog.record.reading import read
from tests.record.sample import HEADER, Move, moves, written


class Other(Event, frozen=True, tag="other"):
    """Another event with the same members as `Move`."""

    text: str = ""
    data: dict[str, Any] = {}


class Dial(Event, frozen=True, tag="dial"):
    """An event with a number in it."""

    angle: float


class Embedded(Event, frozen=True, tag="embedded"):
    """An event that copies JSON as it is."""

    raw: msgspec.Raw


def add(to: Log, *events: Event) -> list[Ack]:
    with to.turn() as turn:
        return turn.append(events)


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the writes and syncs that are made from now on."""
    calls: list[str] = []
    write, fsync = os.write, os.fsync

    def writing(file: int, data: bytes) -> int:
        calls.append("write")
        return write(file, data)

    def syncing(file: int) -> None:
        calls.append("fsync")
        fsync(file)

    monkeypatch.setattr(os, "write", writing)
    monkeypatch.setattr(os, "fsync", syncing)
    return calls


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


# --- starting a record ---


def test_a_new_record_holds_its_header(path: Path) -> None:
    new = create(path, HEADER)
    assert path.read_bytes() == compose(HEADER, [])[0]
    assert (new.n, new.t, new.good) == (0, 0, path.stat().st_size)
    assert new.header == HEADER
    assert new.head == read(path).head
    assert add(new, Move(1, 0, "red")) == [Ack(1, read(path).head or "")]


def test_nothing_is_overwritten(path: Path) -> None:
    for existing in ("file", "empty", "folder", "link", "link to nothing"):
        place = path.with_name(f"{existing}.jsonl")
        match existing:
            case "file":
                place.write_text("mine")
            case "empty":
                place.touch()
            case "folder":
                place.mkdir()
            case "link":
                place.symlink_to("file.jsonl")
            case _:
                place.symlink_to("nowhere.jsonl")
        with pytest.raises(Exists, match="exists already and is not overwritten"):
            create(place, HEADER)
    assert path.with_name("file.jsonl").read_text() == "mine"
    assert path.with_name("empty.jsonl").read_bytes() == b""
    assert not path.with_name("nowhere.jsonl").exists()


def test_where_no_record_can_be_started(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place, words in (
        (tmp_path / "none" / "game.jsonl", "there is no folder"),
        (tmp_path / "file" / "game.jsonl", "Not a directory"),
        (tmp_path / ("n" * 300), "name too long"),
        (tmp_path / "a\0b", "cannot be the name of a file"),
        (tmp_path / "game.jsonl.zst", "is compressed"),
    ):
        with pytest.raises(WriteFailed, match=words):
            create(place, HEADER)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"options": {"x": 2**53}}, "53 bits"),
        ({"options": {1: "a", "1": "b"}}, '"1" stands twice'),
        ({"options": {"x": object()}}, "cannot be written as JSON"),
        ({"options": {"x": "\ud800"}}, "cannot be written as JSON"),
        ({"seats": ()}, "does not fit"),
        ({"gamelog": 2}, "format 2"),
        ({"id": ""}, "does not fit"),
        ({"board": {"cells": ["x" * 50] * 25_000}}, "a line at most 1,048,576"),
    ],
)
def test_a_header_that_would_not_be_read_back_is_not_written(path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        create(path, msgspec.structs.replace(HEADER, **change))
    assert not path.exists()


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_a_record_that_could_not_be_started_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, broken, full)
        with pytest.raises(WriteFailed, match="No space left"):
            create(path, HEADER)
    assert not path.exists()
    create(path, HEADER)


# --- opening ---


def test_opening_knows_where_the_record_ends(path: Path) -> None:
    data = written(path, moves(30))
    opened = Log.open(path)
    record = read(path)
    assert (opened.n, opened.t, opened.head, opened.good) == (30, 300, record.head, len(data))


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"", Torn, "empty"),
        (compose(HEADER, moves(3))[0][:-1], Torn, "no line end"),
        (compose(HEADER, moves(3))[0] + b"x\n", Damaged, "no line of a record"),
        (chain.line(chain.GENESIS, b'"gamelog":2}\n')[0], UnknownFormat, "format 2"),
    ],
)
def test_a_record_that_is_not_good_is_not_opened(path: Path, data: bytes, error: type[RecordError], words: str) -> None:
    path.write_bytes(data)
    with pytest.raises(error, match=words):
        Log.open(path)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"nonsense\n", "holds no event"),
        (b'"do":"move","n":3,"t":0,"by":"red"}\n', "event 4 says that it is number 3"),
        (b'"do":"move","n":4,"t":-1,"by":"red"}\n', "holds no event"),
        (b'"do":"move","n":4,"t":40,"by":"red","id":7}\n', "holds no event"),
        (b'"do":"move","n":4,"t":40,"by":"red","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "holds no event"),
    ],
)
def test_a_last_line_that_verifies_and_holds_no_event_cannot_be_followed(path: Path, body: bytes, words: str) -> None:
    data, head = compose(HEADER, moves(3))
    path.write_bytes(data + chain.line(head.encode(), body)[0])
    with pytest.raises(Damaged, match=words) as caught:
        Log.open(path)
    assert f"byte {len(data)}" in str(caught.value)


def test_links_lead_to_the_one_record(path: Path) -> None:
    create(path, HEADER)
    link = path.with_name("link.jsonl")
    link.symlink_to(path.name)
    here, there = Log.open(path), Log.open(link)
    add(there, Move(1, 0, "red"))
    with here.turn() as turn:
        assert len(turn.new) == 1
    assert link.is_symlink()


# --- appending ---


def test_events_stand_in_the_file_as_they_were_acknowledged(path: Path) -> None:
    writer = create(path, HEADER)
    acks = [*add(writer, *moves(3)), *add(writer, *moves(2, 4)), *add(writer)]
    record = read(path)
    assert path.read_bytes() == compose(HEADER, moves(5))[0]
    assert acks == [Ack(n, record.head_at(n)) for n in range(1, 6)]
    assert (writer.n, writer.t, writer.head, writer.good) == (5, 50, record.head, path.stat().st_size)
    assert vars(writer) == vars(Log.open(path))


def test_several_appends_in_one_turn(path: Path) -> None:
    writer = create(path, HEADER)
    with writer.turn() as turn:
        for event in moves(5):
            turn.append([event])
        assert turn.new == []
    assert read(path).bodies == [envelope.body(event) for event in moves(5)]


@pytest.mark.parametrize("n", [0, 1, 2, 4, 2**53])
def test_a_number_that_is_not_the_next_is_a_conflict(path: Path, n: int) -> None:
    data = written(path, moves(2))
    writer = Log.open(path)
    with writer.turn() as turn, pytest.raises(Conflict, match="number 3, not") as caught:
        turn.append([Move(n, 99, "red")])
    assert (caught.value.expected, caught.value.found) == (n - 1, 2)
    assert path.read_bytes() == data


def test_an_expected_number(path: Path) -> None:
    data = written(path, moves(2))
    writer = Log.open(path)
    with writer.turn() as turn:
        turn.expect(2)
        for n in (0, 1, 3):
            with pytest.raises(Conflict, match="moved on to event 2") as caught:
                turn.expect(n)
            assert (caught.value.expected, caught.value.found) == (n, 2)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Move(3, 19, "red"), "before event 2 at 20 ms"),
        (Move(3, 2**53, "red"), "53 bits"),
        (Move(3, 20, 7), "Expected `str`"),  # type: ignore[arg-type]
        (Move(3, 20, "red", data={"x": 2**70}), "53 bits"),
        (Move(3, 20, "red", data={"x": object()}), "unsupported"),
        (Move(3, 20, "red", data={1: 1, "1": 2}), "stands twice"),  # type: ignore[dict-item]
        (Move(3, 20, "red", "\udfff"), "surrogates"),
        (Move(3, 20, "red", "x" * (1 << 20)), "a line at most 1,048,576"),
        (Dial(3, 20, "red", float("nan")), "Expected `float`"),
        (Embedded(3, 20, "red", msgspec.Raw(b"[1,\n2]")), "raw line end"),
        (Embedded(3, 20, "red", msgspec.Raw(b"[1,")), "not JSON"),
    ],
)
def test_what_would_not_be_read_back_is_not_written(path: Path, event: Event, words: str) -> None:
    data = written(path, moves(2))
    writer = Log.open(path)
    with writer.turn() as turn:
        with pytest.raises(AppendError, match=words) as caught:
            turn.append([event])
        assert "vent 3" in str(caught.value)
        assert path.read_bytes() == data
        assert turn.append([Move(3, 20, "red")])[0].n == 3


def test_deep_nesting_is_not_written(path: Path) -> None:
    writer = create(path, HEADER)
    for depth, words in ((64, "64 deep"), (100_000, "recursion")):
        nested: Any = 0
        for _ in range(depth):
            nested = [nested]
        with writer.turn() as turn, pytest.raises(AppendError, match=words):
            turn.append([Move(1, 0, "red", data={"x": nested})])


def test_all_or_none_of_a_batch(path: Path) -> None:
    data = written(path, moves(2))
    writer = Log.open(path)
    for last in (Move(5, 1, "red"), Move(9, 50, "red"), Move(5, 50, "red", "\ud800"), Move(5, 50, "red", id="k")):
        with writer.turn() as turn, pytest.raises(AppendError):
            turn.append([Move(3, 30, "red", "first", id="k"), Move(4, 40, "red"), last])
        assert path.read_bytes() == data
        assert writer.n == 2


def test_the_longest_line_is_written_and_read(path: Path) -> None:
    writer = create(path, HEADER)
    room = envelope.MAX_LINE - len(chain.line(chain.GENESIS, envelope.body(Move(1, 0, "red", "x")))[0]) + 1
    add(writer, Move(1, 0, "red", "x" * room))
    assert path.read_bytes().count(b"\n") == 2
    assert len(path.read_bytes().splitlines(keepends=True)[1]) == envelope.MAX_LINE
    assert read(path).problem is None
    with writer.turn() as turn, pytest.raises(AppendError, match="a line at most"):
        turn.append([Move(2, 0, "red", "x" * (room + 1))])


def test_the_longest_header_is_written_and_read(path: Path) -> None:
    empty = msgspec.structs.replace(HEADER, board="")
    room = envelope.MAX_LINE - len(chain.line(chain.GENESIS, envelope.body(empty))[0])
    with pytest.raises(RecordError, match="a line at most"):
        create(path, msgspec.structs.replace(empty, board="x" * (room + 1)))
    create(path, msgspec.structs.replace(empty, board="x" * room))
    assert path.stat().st_size == envelope.MAX_LINE
    assert read(path).problem is None


def test_a_record_does_not_grow_beyond_what_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = written(path, moves(5))
    monkeypatch.setattr(log, "MAX_RECORD", len(data) + 200)
    writer = Log.open(path)
    with pytest.raises(AppendError, match="start another one"):
        add(writer, *moves(3, 6))
    assert path.read_bytes() == data
    add(writer, *moves(1, 6))
    grown = len(written(path.with_name("grown"), moves(7)))
    monkeypatch.setattr(log, "MAX_RECORD", grown - 1)
    with pytest.raises(AppendError, match=f"would have {grown:,} bytes"):
        add(writer, *moves(1, 7))
    monkeypatch.setattr(log, "MAX_RECORD", grown)
    add(writer, *moves(1, 7))


# --- others ---


def test_what_others_append_is_seen_once_and_in_order(path: Path) -> None:
    create(path, HEADER)
    ana, rui = Log.open(path), Log.open(path)
    add(ana, *moves(3))
    with rui.turn() as turn:
        assert turn.new == [envelope.body(event) for event in moves(3)]
        assert (rui.n, rui.t, rui.head) == (3, 30, ana.head)
        turn.append(moves(1, 4))
    with rui.turn() as turn:
        assert turn.new == []
    with ana.turn() as turn:
        assert turn.new == [envelope.body(event) for event in moves(1, 4)]
    assert vars(ana) == vars(rui) == vars(Log.open(path))


def test_whoever_was_second_gets_a_conflict_and_can_go_on(path: Path) -> None:
    create(path, HEADER)
    ana, rui = Log.open(path), Log.open(path)
    add(ana, Move(1, 5, "red"))
    with pytest.raises(Conflict):
        add(rui, Move(1, 6, "blue"))
    assert [ack.n for ack in add(rui, Move(2, 6, "blue"))] == [2]


def test_a_turn_reads_no_more_than_the_last_line_and_what_is_new(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path, moves(2000))
    writer, other = Log.open(path), Log.open(path)
    add(other, *moves(2, 2001))
    walked: list[int] = []
    walk = chain.walk

    def measured(data: bytes, *rest: Any) -> chain.Links:
        walked.append(len(data))
        return walk(data, *rest)

    monkeypatch.setattr(chain, "walk", measured)
    lines = path.read_bytes().splitlines(keepends=True)
    add(writer, *moves(1, 2003))
    add(writer, *moves(1, 2004))
    assert walked == [len(b"".join(lines[-3:])), len(path.read_bytes().splitlines(keepends=True)[-2])]


@pytest.mark.parametrize("added", [b'{"h":"', b"x\n", b"\n"])
def test_what_others_leave_unfinished_or_broken_is_refused_and_nothing_is_forgotten(path: Path, added: bytes) -> None:
    written(path, moves(2))
    writer, other = Log.open(path), Log.open(path)
    add(other, *moves(1, 3))
    whole = path.read_bytes()
    path.write_bytes(whole + added)
    before = dict(vars(writer))
    for _ in range(2):
        with pytest.raises(Damaged if added.endswith(b"\n") else Torn, match=f"byte {len(whole)}"):
            add(writer, *moves(1, 4))
    assert vars(writer) == before
    assert path.read_bytes() == whole + added
    path.write_bytes(whole)
    with writer.turn() as turn:
        assert len(turn.new) == 1


def test_a_record_whose_known_end_is_gone_or_changed_is_refused(path: Path) -> None:
    data = written(path, moves(5))
    writer = Log.open(path)
    last = data.rindex(b'{"h":')
    for changed in (
        b"",
        data[:last],
        data[:-1],
        data[: last + 20],
        data[:-5] + b"zzz}\n",
        data[:last] + data[last:].replace(b'"red"', b'"blu"').replace(b'"blue"', b'"redd"'),
        compose(HEADER, [*moves(4), Move(5, 50, "red", "another")])[0],
        compose(HEADER, [Move(1, 10, "red"), *moves(9, 2)])[0],
    ):
        path.write_bytes(changed)
        with pytest.raises(Damaged, match="event 5, which was there"):
            add(writer, *moves(1, 6))
        assert path.read_bytes() == changed
    path.unlink()
    with pytest.raises(NotReadable, match="does not exist"):
        add(writer, *moves(1, 6))
    path.write_bytes(data)
    add(writer, *moves(1, 6))


def test_a_file_put_in_the_place_of_the_record_is_written_if_it_continues_it(path: Path) -> None:
    """As when the folder is synchronised: what counts is the name and the chain."""
    written(path, moves(5))
    writer = Log.open(path)
    copy = path.with_name("copy.jsonl")
    written(copy, moves(6))
    copy.replace(path)
    with writer.turn() as turn:
        assert len(turn.new) == 1
        turn.append(moves(1, 7))
    assert len(read(path).bodies) == 7


def test_whoever_writes_without_the_lock_is_not_overwritten(path: Path) -> None:
    """The chain shows afterwards that something went wrong; no byte of either is lost."""
    data = written(path, moves(2))
    writer = Log.open(path)
    with writer.turn() as turn:
        with path.open("ab") as file:
            file.write(b"rude\n")
        turn.append(moves(1, 3))
    assert path.read_bytes().startswith(data + b'rude\n{"h":"')
    with pytest.raises(Damaged, match=f"byte {len(data)}"):
        Log.open(path)


def test_threads_share_a_handle(path: Path) -> None:
    writer = create(path, HEADER)

    def work() -> None:
        for _ in range(25):
            with writer.turn() as turn:
                turn.append([Move(writer.n + 1, writer.t, "red")])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record = read(path)
    assert record.problem is None
    assert len(record.bodies) == writer.n == 100


# --- keys ---


def test_a_repeated_event_is_acknowledged_as_it_stands(path: Path) -> None:
    writer = create(path, HEADER)
    first = add(writer, Move(1, 10, "red", "x", id="a"), Move(2, 20, "red"))[0]
    data = path.read_bytes()
    for handle in (writer, Log.open(path)):
        for event in (Move(1, 10, "red", "x", id="a"), Move(3, 99, "red", "x", id="a"), Move(0, 0, "red", "x", id="a")):
            with handle.turn() as turn:
                assert turn.seen(event) == first
                assert turn.append([event]) == [first]
    assert path.read_bytes() == data


def test_a_repeated_event_is_known_to_others_after_a_look(path: Path) -> None:
    create(path, HEADER)
    ana, rui = Log.open(path), Log.open(path)
    [ack] = add(ana, Move(1, 10, "red", id="a"))
    assert add(rui, Move(1, 10, "red", id="a")) == [ack]
    assert len(read(path).bodies) == 1


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
    writer = create(path, HEADER)
    add(writer, Move(1, 10, "red", "x", id="a"))
    data = path.read_bytes()
    with writer.turn() as turn:
        with pytest.raises(Conflict, match='The key "a" was used for another event, number 1'):
            turn.seen(other)
        with pytest.raises(Conflict, match="number 1"):
            turn.append([other])
    assert path.read_bytes() == data


def test_a_batch_of_which_a_part_was_written_is_completed(path: Path) -> None:
    """What a client does whose acknowledgement was lost: it sends the same again, with the numbers it gave them."""
    writer = create(path, HEADER)
    batch = [Move(n, 10 * n, "red", str(n), id=f"key {n}") for n in range(1, 6)]
    first = add(writer, *batch[:3])
    again = add(Log.open(path), *batch)
    assert again[:3] == first
    assert [ack.n for ack in again] == [1, 2, 3, 4, 5]
    assert path.read_bytes() == compose(HEADER, batch)[0]


def test_a_key_twice_in_one_batch(path: Path) -> None:
    writer = create(path, HEADER)
    one = Move(1, 10, "red", "x", id="a")
    first, second, third = add(writer, one, one, Move(2, 10, "red"))
    assert first == second != third
    assert len(read(path).bodies) == 2
    with pytest.raises(Conflict, match="number 3"):
        add(writer, Move(3, 10, "red", id="b"), Move(4, 10, "blue", id="b"))


def test_neither_spelling_nor_the_order_of_members_makes_another_event(path: Path) -> None:
    data, head = compose(HEADER, [])
    body = b'"id" : "k\\u0065y", "by":"red","n":1, "t":10,"as_played":false,"data":{},"text":"x","do":"move"}\n'
    path.write_bytes(data + chain.line(head.encode(), body)[0])
    writer = Log.open(path)
    assert add(writer, Move(1, 0, "red", "x", id="key")) == [Ack(1, writer.head)]


def test_a_key_written_with_escapes_is_a_key(path: Path) -> None:
    data, head = compose(HEADER, [])
    body = b'"do":"move","n":1,"t":10,"by":"red","\\u0069d":"key"}\n'
    second = b'"do":"move","n":2,"t":10,"by":"red"}\n'
    line, last = chain.line(head.encode(), body)
    path.write_bytes(data + line + chain.line(last, second)[0])
    assert [ack.n for ack in add(Log.open(path), Move(3, 10, "red", id="key"))] == [1]


def test_of_two_lines_with_one_key_the_first_counts(path: Path) -> None:
    """Gamelog does not write such a record, but somebody may."""
    written(path, [Move(1, 0, "red", "x", id="a"), Move(2, 0, "red"), Move(3, 0, "red", "x", id="a"), Move(4, 0, "red")])
    writer = Log.open(path)
    assert [ack.n for ack in add(writer, Move(5, 0, "red", "x", id="a"))] == [1]
    more, _ = compose(
        HEADER,
        [
            *[msgspec.json.decode(b"{" + body, type=Move) for body in read(path).bodies],
            Move(5, 0, "red", "y", id="a"),
            Move(6, 0, "red"),
        ],
    )
    path.write_bytes(more)
    assert [ack.n for ack in add(writer, Move(7, 0, "red", "x", id="a"))] == [1]


def test_the_word_id_elsewhere_is_no_key(path: Path) -> None:
    writer = create(path, HEADER)
    add(writer, Move(1, 0, "red", '"id":"a"', {"id": "b", "x": [{"id": "c"}]}), Move(2, 0, "red"))
    for handle in (writer, Log.open(path)):
        with handle.turn() as turn:
            assert [turn.seen(Move(0, 0, "red", id=key)) for key in "abc"] == [None, None, None]


def test_lists_and_tuples_are_one_thing_in_json(path: Path) -> None:
    writer = create(path, HEADER)
    [ack] = add(writer, Move(1, 0, "red", data={"x": (1, 2)}, id="a"))
    assert add(writer, Move(1, 0, "red", data={"x": [1, 2]}, id="a")) == [ack]


def test_a_repeated_event_is_synced_before_it_is_acknowledged_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever wrote it may have been killed between writing and syncing."""
    writer = create(path, HEADER)
    add(writer, Move(1, 0, "red", id="a"))
    calls = noted(monkeypatch)
    add(Log.open(path), Move(1, 0, "red", id="a"))
    assert calls == ["fsync"]


# --- failure ---


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_a_failed_write_ends_the_handle_and_nothing_else(path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    written(path, moves(2))
    writer, other = Log.open(path), Log.open(path)

    def failing(*_: object) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with writer.turn() as turn:
        with monkeypatch.context() as patch:
            patch.setattr(os, broken, failing)
            with pytest.raises(WriteFailed, match="Input/output error"):
                turn.append(moves(1, 3))
        with pytest.raises(WriteFailed, match="open the record again"):
            turn.append(moves(1, 3))
    with pytest.raises(WriteFailed, match="open the record again"), writer.turn():
        pass
    assert writer.n == 2
    with other.turn() as turn:  # the line was written whole when only the sync failed
        assert len(turn.new) == (0 if broken == "write" else 1)
        turn.append(moves(1, other.n + 1))
    assert Log.open(path).n == other.n


def test_an_interrupted_write_ends_the_handle(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path, moves(2))
    writer = Log.open(path)

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            add(writer, *moves(1, 3))
    with pytest.raises(WriteFailed, match="open the record again"):
        add(writer, *moves(1, 3))
    assert Log.open(path).n == 3


def test_short_writes_are_continued(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, bytes(data[:7])))
    writer = create(path, HEADER)
    add(writer, *moves(3))
    assert path.read_bytes() == compose(HEADER, moves(3))[0]


def test_a_batch_is_one_write_and_one_sync(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = create(path, HEADER)
    calls = noted(monkeypatch)
    add(writer, *moves(50))
    assert calls == ["write", "fsync"]
