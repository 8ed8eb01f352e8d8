"""Tests that an output file is new, complete or absent, and never written through a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from gamelog.errors import Exists, WriteFailed
from gamelog.record.atomic_files import atomic_file, write_atomically


def test_a_link_is_replaced_and_its_target_is_unchanged(tmp_path: Path) -> None:
    precious, out = tmp_path / "precious", tmp_path / "out"
    precious.write_bytes(b"precious")
    out.symlink_to(precious)
    write_atomically(out, b"answer")
    assert (precious.read_bytes(), out.read_bytes(), out.is_symlink()) == (b"precious", b"answer", False)


def test_an_unfinished_file_is_private(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "out") as part:
        part.write_bytes(b"half")
        assert stat.S_IMODE(part.parent.stat().st_mode) == 0o700
        assert part.parent.parent == tmp_path
        assert not (tmp_path / "out").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o666 & ~mask


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")

    def fail() -> None:
        with atomic_file(out) as part:
            part.write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out", b"old")]


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def dangle() -> None:
        out.unlink()
        out.symlink_to(tmp_path / "nowhere")

    ways: list[Callable[[], object]] = [lambda: out.write_bytes(b"old"), dangle]
    for taken in ways:
        taken()
        with pytest.raises(Exists, match="already exists"), atomic_file(out, replace=False):
            pass
    out.unlink()

    def late() -> None:
        with atomic_file(out, replace=False) as part:
            part.write_bytes(b"mine")
            out.write_bytes(b"somebody was quicker")

    with pytest.raises(Exists, match="already exists"):
        late()
    assert out.read_bytes() == b"somebody was quicker"


def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    for name, words in (
        ("pipe", "a pipe or a device"),
        ("null", "a pipe or a device"),
        ("stdout", "a pipe or a device"),
        (".", "a pipe or a device"),
        ("a\0b", "is not a valid file name"),
        ("x" * 300, "too long"),
    ):
        with pytest.raises(WriteFailed, match=words):
            write_atomically(tmp_path / name, b"answer")
    with (
        pytest.raises(WriteFailed, match="nowhere does not exist"),
        atomic_file(tmp_path / "nowhere" / "out"),
    ):
        pass
    assert (tmp_path / "null").is_symlink()
