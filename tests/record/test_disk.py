"""Tests of the lock, and of files that may not be written."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import portalocker
import pytest

from gamelog.errors import Locked, NotReadable, WriteFailed
from gamelog.record import disk
from gamelog.record.disk import open_locked, write_new
from gamelog.record.record_file import RecordFile, create_record
from tests.record.sample import HEADER, moves, nobody, write_record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    write_record(path, moves(3))
    return path


def test_only_one_writer_holds_the_lock_at_a_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "LOCK_WAIT_SECONDS", 0.05)
    writer = RecordFile.open(path)
    with open_locked(path):
        for use in (lambda: RecordFile.open(path), lambda: writer.lock().__enter__()):
            with pytest.raises(Locked, match=r"Another program has locked .* for 0\.05 seconds\. Try again"):
                use()
    with writer.lock() as locked:
        locked.append(moves(1, 4))


def test_a_process_that_dies_releases_the_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import sys\nfrom gamelog.record.disk import open_locked\nwith open_locked(sys.argv[1]):\n    print('held', "
        "flush=True)\n    sys.stdin.read()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with monkeypatch.context() as patch:
            patch.setattr(disk, "LOCK_WAIT_SECONDS", 0.05)
            with pytest.raises(Locked, match="Another program has locked"):
                RecordFile.open(path)
        other.kill()
    assert RecordFile.open(path).n == 3


def test_readers_need_no_lock(path: Path) -> None:
    with open_locked(path):
        assert path.read_bytes().count(b"\n") == 4


def test_a_file_replaced_during_the_wait_for_the_lock_is_unchanged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = portalocker.lock
    copy = path.with_name("copy.jsonl")
    write_record(copy, moves(3))

    def replaced(*arguments: Any) -> None:
        lock(*arguments)
        if copy.exists():
            copy.replace(path)
        else:
            path.unlink()

    monkeypatch.setattr(portalocker.portalocker, "lock", replaced)
    for _ in ("replaced", "removed"):
        with pytest.raises(NotReadable, match="Another file has just replaced"), open_locked(path):
            pass


def test_a_file_system_without_locks_is_not_written(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(*_: object) -> None:
        raise portalocker.LockException("No locks available")

    monkeypatch.setattr(portalocker.portalocker, "lock", without)
    with pytest.raises(WriteFailed, match=r"Cannot lock .*Writing without a lock is not safe"):
        RecordFile.open(path)
    with pytest.raises(WriteFailed, match=r"Cannot lock .*Writing without a lock is not safe"):
        create_record(tmp_path / "new.jsonl", HEADER)
    assert not (tmp_path / "new.jsonl").exists()


def test_a_read_only_file_cannot_be_opened_for_appending(path: Path) -> None:
    path.chmod(0o444)
    with nobody(path.parent), pytest.raises(WriteFailed, match=r"Cannot write .*: Permission denied"):
        RecordFile.open(path)


def test_no_record_starts_in_a_read_only_folder(path: Path) -> None:
    path.parent.chmod(0o555)
    new = path.with_name("new.jsonl")
    with nobody(path.parent), pytest.raises(WriteFailed, match=r"Cannot create .*: Permission denied"):
        create_record(new, HEADER)
    path.parent.chmod(0o700)


def test_only_regular_files_are_opened_for_writing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "nowhere.jsonl").symlink_to("gone.jsonl")
    for place, words in (
        (tmp_path, "is a folder"),
        (tmp_path / "pipe.jsonl", "a pipe or a device"),
        (Path("/dev/full"), "a pipe or a device"),
        (tmp_path / "none.jsonl", "does not exist"),
        (tmp_path / "nowhere.jsonl", "does not exist"),
    ):
        with pytest.raises(NotReadable, match=words):
            RecordFile.open(place)


def test_compressed_records_are_only_read(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.zst"
    write_record(path, moves(1))
    with pytest.raises(WriteFailed, match="Decompress it first: unzstd"):
        RecordFile.open(path)


def test_a_new_file_and_its_name_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def noted(file: int) -> None:
        synced.append(os.fstat(file).st_ino)
        fsync(file)

    monkeypatch.setattr(os, "fsync", noted)
    write_new(tmp_path / "new", b"content")
    assert synced == [(tmp_path / "new").stat().st_ino, tmp_path.stat().st_ino]


def test_nothing_stays_open(tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("this system does not list a process's open files under /proc")
    before = os.listdir("/proc/self/fd")
    for k in range(3):
        log = create_record(tmp_path / f"{k}.jsonl", HEADER)
        with log.lock() as locked:
            locked.append(moves(1))
        with pytest.raises(NotReadable), open_locked(tmp_path / "none"):
            pass
    assert os.listdir("/proc/self/fd") == before


def test_new_files_have_the_permissions_that_the_mask_leaves(tmp_path: Path) -> None:
    for mask, rights in ((0o022, 0o644), (0o027, 0o640), (0, 0o666)):
        before = os.umask(mask)
        try:
            create_record(tmp_path / f"{mask}.jsonl", HEADER)
            write_new(tmp_path / f"{mask}.key", b"content", mode=0o600)
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / f"{mask}.jsonl").stat().st_mode) == rights
        assert stat.S_IMODE((tmp_path / f"{mask}.key").stat().st_mode) == 0o600


def test_a_failure_during_use_is_reported(path: Path) -> None:
    with (
        pytest.raises(WriteFailed, match="failed while the record was open: Input/output error"),
        open_locked(path),
    ):
        raise OSError(errno.EIO, os.strerror(errno.EIO))
    assert RecordFile.open(path).n == 3


def test_a_relative_path_is_synced_in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    create_record("game.jsonl", HEADER)
    assert RecordFile.open("game.jsonl").n == 0
