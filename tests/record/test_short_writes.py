"""Tests with a disk that accepts only a part of a write: real short writes, real refused writes."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from gamelog.errors import Torn, WriteFailed
from gamelog.record.envelope import Event
from gamelog.record.reading import read_record
from gamelog.record.record_file import RecordFile, create_record
from gamelog.record.recovery import LineEnd, recover
from tests.record.sample import HEADER, Move, moves, write_record


def aside(log: RecordFile, size: int, digest: str) -> Event:
    return Move(log.n + 1, log.t, "table", f"{size} {digest}")


def append_within(limit: int, path: Path, events: list[Move]) -> None:
    """Append `events` while no file may grow beyond `limit` bytes: the system writes less, then refuses."""
    log = RecordFile.open(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        with log.lock() as locked, pytest.raises(WriteFailed, match="File too large"):
            locked.append(events)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    with pytest.raises(WriteFailed, match="Open the record again"), log.lock():
        pass


def cut_at_every_byte(folder: str) -> tuple[int, int]:
    """Append two lines, of which the system takes each number of bytes; return how often the record was torn
    or not.
    """
    path = Path(folder) / "game.jsonl"
    base = write_record(path, moves(3))
    whole = write_record(path, moves(5))
    ends = (len(base), whole.index(b"\n", len(base)) + 1)
    torn = 0
    for limit in range(len(base), len(whole)):
        path.write_bytes(base)
        append_within(limit, path, moves(2, 4))
        assert path.read_bytes() == whole[:limit]
        if limit in ends:
            assert RecordFile.open(path).n == 3 + ends.index(limit)
        else:
            torn += 1
            with pytest.raises(Torn):
                RecordFile.open(path)
            [saved] = recover(path, aside)
            if isinstance(saved, LineEnd):  # nothing but the line end is missing
                assert path.read_bytes() == whole[: limit + 1]
            else:
                assert (
                    Path(saved.path).read_bytes() == whole[max(end for end in ends if end <= limit) : limit]
                )
                Path(saved.path).unlink()
        log = RecordFile.open(path)
        with log.lock() as locked:
            locked.append(moves(2, log.n + 1))
        assert len(read_record(path).bodies) == log.n
    return torn, len(ends)


def create_at_every_limit(folder: str) -> int:
    """Check that a header that does not fit leaves no file; return how many limits were tried."""
    path = Path(folder) / "new.jsonl"
    size = create_record(path, HEADER).size
    path.unlink()
    for limit in range(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        with pytest.raises(WriteFailed, match="File too large"):
            create_record(path, HEADER)
        assert not path.exists()
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    create_record(path, HEADER)
    return size


def in_a_process_of_its_own(work: Callable[[str], object], folder: Path) -> object:
    """Run a function in its own process, because the limit is for a whole process and this one writes other
    files.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, str(folder)).result()


@pytest.mark.usefixtures("unmeasured")
def test_an_append_can_be_cut_off_at_any_byte(tmp_path: Path) -> None:
    two_lines = len(write_record(tmp_path / "a", moves(5))) - len(write_record(tmp_path / "b", moves(3)))
    assert in_a_process_of_its_own(cut_at_every_byte, tmp_path) == (two_lines - 2, 2)


@pytest.mark.usefixtures("unmeasured")
def test_a_header_cut_off_at_any_byte_leaves_no_file(tmp_path: Path) -> None:
    assert in_a_process_of_its_own(create_at_every_limit, tmp_path) == len(write_record(tmp_path / "a", []))


def fill(folder: str) -> None:
    """Append until the file system is full, recover, make a little room, three times. Print what happened."""
    path = Path(folder) / "game.jsonl"
    ballast = Path(folder) / "ballast"
    ballast.write_bytes(bytes(28_000))
    log = create_record(path, HEADER)
    acknowledged: dict[int, str] = {}
    failures: list[str] = []
    torn = 0
    for _ in range(3):
        try:
            while True:
                with log.lock() as locked:
                    [ack] = locked.append([Move(log.n + 1, log.t, "red", "x" * 700)])
                acknowledged[ack.n] = ack.head
        except WriteFailed as error:
            failures.append(str(error))
        record = read_record(path)
        assert all(record.head_at(n) == head for n, head in acknowledged.items())
        if record.problem:
            assert record.problem.code == "record.torn"
            torn += 1
            size = path.stat().st_size
            with pytest.raises(WriteFailed) as caught:
                recover(path, aside)
            failures.append(str(caught.value))
            assert path.stat().st_size == size, "nothing is cut off before it is safe elsewhere"
            os.truncate(ballast, ballast.stat().st_size - 8_192)
            recover(path, aside)
        log = RecordFile.open(path)
    print(json.dumps([len(acknowledged), torn, failures]))


def test_a_full_disk_loses_no_confirmed_event(tmp_path: Path) -> None:
    """A file system of 64 KB, in name spaces of its own, where the system allows that to a user."""
    if (
        not shutil.which("unshare")
        or subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode
    ):
        pytest.skip(
            "a file system of its own needs user name spaces, which this system does not grant; RLIMIT_FSIZE is tested"
        )
    program = f"import sys; from {__name__} import fill; fill(sys.argv[1])"
    mount = f'mount -t tmpfs -o size=64k tmpfs {tmp_path} && exec "$@"'
    command = ["unshare", "-rm", "sh", "-c", mount, "sh", sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    acknowledged, torn, failures = json.loads(done.stdout)
    assert acknowledged > 30
    assert torn >= 2
    assert all("No space left on device" in failure for failure in failures)
