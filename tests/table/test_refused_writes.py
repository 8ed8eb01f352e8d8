"""Tests of disks that refuse writes: reading continues, and writing continues when the disk allows it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pytest

import gamelog
from tests.table.client import Answer, Serving, begin, end
from tests.table.conftest import FIRST

WAITING_SECONDS = 60.0
"""Seconds allowed on a busy machine for work of half a second."""


class Disk(NamedTuple):
    """A folder whose disk can refuse writes to the record of a process, and allow them again."""

    folder: Path
    refuse: Callable[[Path, int], None]
    take: Callable[[Path, int], None]


def system(*words: object) -> None:
    """Run a system command, and skip the test if it is not permitted."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{words[0]}: {done.stderr.strip()}")


@contextmanager
def limited(folder: Path) -> Iterator[Disk]:
    """Limit the growth of files to 700 bytes, which cuts an event off in the middle."""

    def allow(pid: int, size: int) -> None:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    yield Disk(
        folder,
        lambda path, pid: allow(pid, path.stat().st_size + 700),
        lambda _, pid: allow(pid, resource.getrlimit(resource.RLIMIT_FSIZE)[0]),
    )


@contextmanager
def immutable(folder: Path) -> Iterator[Disk]:
    """Make the record's file immutable."""
    try:
        yield Disk(
            folder, lambda path, _: system("chattr", "+i", path), lambda path, _: system("chattr", "-i", path)
        )
    finally:
        subprocess.run(["chattr", "-i", *folder.glob("*.jsonl")], capture_output=True)


@contextmanager
def small(folder: Path) -> Iterator[Disk]:
    """Mount a file system of 256 KiB."""
    system("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder)
    try:
        yield Disk(folder, fill, lambda path, _: path.with_name("ballast").unlink())
    finally:
        system("umount", "-l", folder)


def fill(path: Path, _: int) -> None:
    """Fill the disk except for the rest of the last block."""
    with path.with_name("ballast").open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass


@contextmanager
def remounted(folder: Path) -> Iterator[Disk]:
    """Mount a file system that becomes read-only."""
    with small(folder):
        yield Disk(
            folder,
            lambda *_: system("mount", "-o", "remount,ro", folder),
            lambda *_: system("mount", "-o", "remount,rw", folder),
        )


@pytest.fixture(params=[limited, immutable, small, remounted])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Yield each kind of disk that this machine permits."""
    if sys.platform != "linux" or (request.param is not limited and os.geteuid()):
        pytest.skip("only the owner of a machine with Linux can do that to a disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    with request.param(folder) as made:
        yield made


def note(serving: Serving, text: str) -> Answer:
    return serving.scorer.write({"do": "@note", "by": "table", "text": text})


def record_until_refused(serving: Serving) -> int:
    """Record until the disk refuses, and return the number of recorded events."""
    for taken in range(1000):
        answer = note(serving, "x" * 500)
        if answer.status != 201:
            assert (answer.status, answer.code) == (507, "record.write_failed")
            return taken
    raise AssertionError("the disk takes everything")


@pytest.mark.usefixtures("unmeasured")
def test_reading_continues_and_recording_continues_when_the_disk_allows_it(disk: Disk) -> None:
    path = disk.folder / "evening.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
    serving = begin(path)
    try:
        assert serving.scorer.write(FIRST).json["n"] == 1
        disk.refuse(path, serving.process.pid)
        with serving.spectator.live(1) as events:
            n = 1 + record_until_refused(serving)
            assert [next(events)["id"] for _ in range(n)] == [str(number) for number in range(1, n + 1)]
            for client in (serving.scorer, serving.client("seat", "red"), serving.spectator):
                assert client.get().json["n"] == n
                assert client.get("/table").status == 200
            assert note(serving, "Tea.").status == 507
            would = serving.scorer.ask("POST", "/would", {"do": "claim", "at": "C3"})
            assert would.json["n"] == n, "requests that only read need no disk"
            disk.take(path, serving.process.pid)
            until = monotonic() + WAITING_SECONDS
            while (answer := note(serving, "Tea.")).status == 507:
                assert monotonic() < until
            assert answer.status == 201, answer.body
            followed = [next(events) for _ in range(answer.json["n"] - n)]
            assert followed[-1]["data"]["text"] == answer.json["text"]
        assert serving.scorer.get().json["n"] == answer.json["n"]
    finally:
        said = end(serving)
    assert said == ""
    assert gamelog.validate(path).valid
