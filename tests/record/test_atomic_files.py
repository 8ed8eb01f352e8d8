"""What people name for an answer becomes a new file, whole or not at all, and nothing is written through a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from gamelog.errors import Exists, WriteFailed
from gamelog.record.atomic_files import atomic_file, write_atomically


def test_a_link_is_replaced_and_what_it_leads_to_is_not_touched(tmp_path: Path) -> None:
    precious, out = tmp_path / "precious", tmp_path / "out"
    precious.write_bytes(b"precious")
    out.symlink_to(precious)
    write_atomically(out, b"answer")
    assert (precious.read_bytes(), out.read_bytes(), out.is_symlink()) == (b"precious", b"answer", False)


def test_what_is_made_meanwhile_lies_where_nobody_else_may_look(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "out") as part:
        part.write_bytes(b"half")
        assert stat.S_IMODE(part.parent.stat().st_mode) == 0o700
        assert part.parent.parent == tmp_path
        assert not (tmp_path / "out").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o666 & ~mask


def test_what_fails_leaves_the_old_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")

    def fail() -> None:
        with atomic_file(out) as part:
            part.write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out", b"old")]


def test_a_name_that_is_taken_is_kept(tmp_path: Path) -> None:
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


def test_only_files_take_names(tmp_path: Path) -> None:
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
