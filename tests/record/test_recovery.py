"""Tests that torn records are repaired without losing anything that was written."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamelog.errors import (
    AppendError,
    Damaged,
    Locked,
    NotReadable,
    RecordError,
    Torn,
    UnknownFormat,
    WriteFailed,
)
from gamelog.record import chain, disk
from gamelog.record.disk import open_locked
from gamelog.record.reading import read_record
from gamelog.record.record_file import Ack, RecordFile, compose
from gamelog.record.recovery import LineEnd, SavedTail, recover
from tests.record.sample import HEADER, Move, moves, nobody
from tests.record.torn_records import GOOD, STEPS, TAIL, WHOLE, aside, beside, interrupted, recovered, sha256


def test_a_torn_end_is_saved_and_the_record_says_so(torn: Path) -> None:
    done = recovered(torn)
    record = read_record(torn)
    assert done == SavedTail(f"{torn}.torn", len(TAIL), sha256(TAIL), Ack(4, record.head or ""))
    assert torn.read_bytes() == compose(HEADER, [*moves(3), Move(4, 30, "table", f"60 {sha256(TAIL)}")])[0]
    assert beside(torn) == {".torn": TAIL}


def test_a_record_cut_at_any_byte_of_its_last_two_lines_can_be_recovered(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    lines = {len(GOOD): 3, WHOLE.index(b"\n", len(GOOD)) + 1: 4}
    for size in range(len(GOOD), len(WHOLE)):
        path.write_bytes(WHOLE[:size])
        good = max(end for end in lines if end <= size)
        if size == good:
            with pytest.raises(RecordError, match="is not torn, so there is nothing to recover"):
                recover(path, aside)
            assert beside(path) == {}
        elif WHOLE[size : size + 1] == b"\n":
            assert recover(path, aside) == [LineEnd(str(path), lines[good] + 1, read_record(path).head or "")]
            assert path.read_bytes() == WHOLE[: size + 1]
            assert beside(path) == {}
        else:
            done = recovered(path)
            assert (done.bytes, done.digest, done.ack.n) == (
                size - good,
                sha256(WHOLE[good:size]),
                lines[good] + 1,
            )
            assert beside(path) == {".torn": WHOLE[good:size]}
            Path(done.path).unlink()
        log = RecordFile.open(path)
        with log.lock() as locked:
            locked.append([Move(log.n + 1, 60, "red")])
        record = read_record(path)
        assert record.problem is None
        assert path.read_bytes().startswith(WHOLE[:good])


def test_after_a_recovery_nothing_is_left_to_recover(torn: Path) -> None:
    recover(torn, aside)
    data = torn.read_bytes()
    for _ in range(2):
        with pytest.raises(RecordError, match="is not torn, so there is nothing to recover"):
            recover(torn, aside)
    assert torn.read_bytes() == data
    assert beside(torn) == {".torn": TAIL}


def test_a_record_can_be_recovered_twice(torn: Path) -> None:
    recover(torn, aside)
    for k, tail in enumerate((b"{", b"{", b'{"h":"' + b"A" * 43 + b'",', b"\0" * 500), 1):
        with torn.open("ab") as file:
            file.write(tail)
        done = recovered(torn)
        assert (done.path, done.bytes, done.ack.n) == (f"{torn}.torn.{k}", len(tail), 4 + k)
        assert Path(done.path).read_bytes() == tail
    assert Path(f"{torn}.torn").read_bytes() == TAIL
    assert read_record(torn).problem is None


def test_the_same_tail_can_be_recovered_again_after_an_interruption(torn: Path) -> None:
    for n in (4, 5):
        torn.write_bytes(torn.read_bytes()[: read_record(torn).valid_size] + b"{")
        with pytest.raises(ZeroDivisionError):
            recover(torn, interrupted)
        assert read_record(torn).problem is None
        done = recovered(torn)
        assert (done.bytes, done.ack.n) == (1, n)
    assert beside(torn) == {".torn": b"{", ".torn.1": b"{"}


def test_a_record_can_be_recovered_again_after_its_saved_tail_was_deleted(torn: Path) -> None:
    for n in (4, 5):
        torn.write_bytes(torn.read_bytes()[: read_record(torn).valid_size] + b"{")
        done = recovered(torn)
        assert (done.path, done.ack.n) == (f"{torn}.torn", n)
        Path(done.path).unlink()


@pytest.mark.parametrize("mine", [b"notes of mine\n", b""])
def test_an_unrelated_file_is_not_overwritten(torn: Path, mine: bytes) -> None:
    Path(f"{torn}.torn").write_bytes(mine)
    done = recovered(torn)
    assert (done.path, done.bytes) == (f"{torn}.torn.1", 60)
    assert beside(torn) == {".torn": mine, ".torn.1": TAIL}


@pytest.mark.parametrize("obstacle", ["folder", "pipe", "link to nothing"])
def test_an_obstacle_is_named_and_nothing_is_changed(torn: Path, obstacle: str) -> None:
    place = Path(f"{torn}.torn")
    match obstacle:
        case "folder":
            place.mkdir()
        case "pipe":
            os.mkfifo(place)
        case _:
            place.symlink_to("nothing")
    with pytest.raises(NotReadable, match=r"game\.jsonl\.torn"):
        recover(torn, aside)
    assert torn.read_bytes() == GOOD + TAIL


def test_a_read_only_folder_leaves_the_record_unchanged(torn: Path) -> None:
    torn.chmod(0o666)
    torn.parent.chmod(0o555)
    with (
        nobody(torn.parent),
        pytest.raises(WriteFailed, match=r"Cannot create .*game\.jsonl\.torn\.part: Permission denied"),
    ):
        recover(torn, aside)
    torn.parent.chmod(0o700)
    assert torn.read_bytes() == GOOD + TAIL


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("rename", "to a file next to the record: Input/output error. Nothing was changed"),
        ("ftruncate", "Solve this problem, then recover the record again"),
    ],
)
def test_a_refused_step_is_reported_and_can_be_repeated(
    torn: Path, monkeypatch: pytest.MonkeyPatch, call: str, words: str
) -> None:
    def refused(*_: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, call, refused)
    with pytest.raises(WriteFailed, match=words):
        recover(torn, aside)
    assert torn.read_bytes() == GOOD + TAIL
    monkeypatch.undo()
    done = recovered(torn)
    assert (done.path, done.ack.n, beside(torn)[".torn"]) == (f"{torn}.torn", 4, TAIL)


def test_a_saved_tail_keeps_the_permissions_of_the_record(torn: Path) -> None:
    torn.chmod(0o600)
    recover(torn, aside)
    assert Path(f"{torn}.torn").stat().st_mode & 0o777 == 0o600


def test_a_record_is_not_recovered_while_it_is_locked(torn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "LOCK_WAIT_SECONDS", 0.05)
    with open_locked(torn), pytest.raises(Locked, match="Another program has locked"):
        recover(torn, aside)
    assert torn.read_bytes() == GOOD + TAIL


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"", Torn, "contains only a part of its first line"),
        (GOOD[:100], Torn, "contains only a part of its first line"),
        (b"hello", Damaged, "not a line of a record"),
        (chain.chained_line(chain.GENESIS, b'"gamelog":9}\n')[0] + b"{", UnknownFormat, "format 9"),
        (
            GOOD.replace(b'"n":2', b'"n":7') + TAIL,
            Damaged,
            "a repaired copy, which keeps the lines before the damage",
        ),
        (GOOD + b"x\n" + TAIL, Damaged, "a repaired copy, which keeps the lines before the damage"),
    ],
)
def test_a_damaged_record_is_not_recovered(
    torn: Path, data: bytes, error: type[RecordError], words: str
) -> None:
    torn.write_bytes(data)
    with pytest.raises(error, match=words) as caught:
        recover(torn, aside)
    assert ("repaired copy" in str(caught.value)) == data.startswith(GOOD[:200]), (
        "of a record without a header there is nothing to copy"
    )
    assert torn.read_bytes() == data
    assert beside(torn) == {}


def test_an_event_that_cannot_be_written_is_asked_for_again(torn: Path) -> None:
    with pytest.raises(AppendError, match="before the time of event 3"):
        recover(torn, lambda log, size, digest: Move(log.n + 1, 0, "table", f"{size} {digest}"))
    done = recovered(torn)
    assert (done.path, done.ack.n) == (f"{torn}.torn", 4)
    assert beside(torn) == {".torn": TAIL}


def test_a_writer_between_two_recoveries_does_no_harm(torn: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        recover(torn, interrupted)
    log = RecordFile.open(torn)
    with log.lock() as locked:
        locked.append(moves(1, 4))
    done = recovered(torn)
    assert (done.bytes, done.digest, done.ack.n) == (60, sha256(TAIL), 5)


def test_nothing_is_cut_off_before_it_is_synced_elsewhere(
    torn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def noted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any) -> Any:
            done.append(name)
            return call(*arguments)

        return instead

    for name in STEPS:
        monkeypatch.setattr(os, name, noted(name, getattr(os, name)))
    recover(torn, aside)
    monkeypatch.undo()
    assert (
        " ".join(done).split("ftruncate")[0].split("rename")
        == [
            "open unlink open write fsync open fsync ",  # the record, what was left of an earlier run, the part and its name
            " open fsync ",  # the name it was given
        ]
    )
    assert (
        " ".join(done).split("ftruncate")[1] == " fsync open write fsync"
    )  # the saved end is read, then recorded
