"""Tests of several writers of one record: what each sees of the others."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from gamelog.errors import Conflict, Damaged, NotReadable, Torn
from gamelog.record import chain, envelope
from gamelog.record.reading import read_record
from gamelog.record.record_file import RecordFile, compose, create_record
from tests.record.sample import HEADER, Move, add, moves, write_record


def test_events_of_other_writers_are_seen_once_and_in_order(path: Path) -> None:
    create_record(path, HEADER)
    ana, rui = RecordFile.open(path), RecordFile.open(path)
    add(ana, *moves(3))
    with rui.lock() as locked:
        assert locked.new_bodies == [envelope.encode_body(event) for event in moves(3)]
        assert (rui.n, rui.t, rui.head) == (3, 30, ana.head)
        locked.append(moves(1, 4))
    with rui.lock() as locked:
        assert locked.new_bodies == []
    with ana.lock() as locked:
        assert locked.new_bodies == [envelope.encode_body(event) for event in moves(1, 4)]
    assert vars(ana) == vars(rui) == vars(RecordFile.open(path))


def test_the_second_writer_gets_a_conflict_and_can_continue(path: Path) -> None:
    create_record(path, HEADER)
    ana, rui = RecordFile.open(path), RecordFile.open(path)
    add(ana, Move(1, 5, "red"))
    with pytest.raises(Conflict):
        add(rui, Move(1, 6, "blue"))
    assert [ack.n for ack in add(rui, Move(2, 6, "blue"))] == [2]


def test_a_session_reads_only_the_last_line_and_new_lines(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_record(path, moves(2000))
    writer, other = RecordFile.open(path), RecordFile.open(path)
    add(other, *moves(2, 2001))
    walked: list[int] = []
    walk = chain.verify_lines

    def measured(data: bytes, *rest: Any) -> chain.ValidLines:
        walked.append(len(data))
        return walk(data, *rest)

    monkeypatch.setattr(chain, "verify_lines", measured)
    lines = path.read_bytes().splitlines(keepends=True)
    add(writer, *moves(1, 2003))
    add(writer, *moves(1, 2004))
    assert walked == [len(b"".join(lines[-3:])), len(path.read_bytes().splitlines(keepends=True)[-2])]


@pytest.mark.parametrize("added", [b'{"h":"', b"x\n", b"\n"])
def test_torn_or_damaged_lines_of_other_writers_are_refused(path: Path, added: bytes) -> None:
    write_record(path, moves(2))
    writer, other = RecordFile.open(path), RecordFile.open(path)
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
    with writer.lock() as locked:
        assert len(locked.new_bodies) == 1


def test_a_record_with_a_removed_or_changed_end_is_refused(path: Path) -> None:
    data = write_record(path, moves(5))
    writer = RecordFile.open(path)
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
        with pytest.raises(Damaged, match="event 5 was changed or cut off"):
            add(writer, *moves(1, 6))
        assert path.read_bytes() == changed
    path.unlink()
    with pytest.raises(NotReadable, match="does not exist"):
        add(writer, *moves(1, 6))
    path.write_bytes(data)
    add(writer, *moves(1, 6))


def test_a_file_that_replaces_the_record_is_written_if_it_continues_it(path: Path) -> None:
    """This happens when the folder is synchronised: only the name and the chain matter."""
    write_record(path, moves(5))
    writer = RecordFile.open(path)
    copy = path.with_name("copy.jsonl")
    write_record(copy, moves(6))
    copy.replace(path)
    with writer.lock() as locked:
        assert len(locked.new_bodies) == 1
        locked.append(moves(1, 7))
    assert len(read_record(path).bodies) == 7


def test_a_writer_without_the_lock_is_not_overwritten(path: Path) -> None:
    """The chain later shows that something went wrong. No byte of either writer is lost."""
    data = write_record(path, moves(2))
    writer = RecordFile.open(path)
    with writer.lock() as locked:
        with path.open("ab") as file:
            file.write(b"rude\n")
        locked.append(moves(1, 3))
    assert path.read_bytes().startswith(data + b'rude\n{"h":"')
    with pytest.raises(Damaged, match=f"byte {len(data)}"):
        RecordFile.open(path)


def test_threads_share_a_handle(path: Path) -> None:
    writer = create_record(path, HEADER)

    def work() -> None:
        for _ in range(25):
            with writer.lock() as locked:
                locked.append([Move(writer.n + 1, writer.t, "red")])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record = read_record(path)
    assert record.problem is None
    assert len(record.bodies) == writer.n == 100
