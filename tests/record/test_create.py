"""Tests of starting a record: its first line, and places where no record can start."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamelog.errors import Exists, RecordError, WriteFailed
from gamelog.record.reading import read_record
from gamelog.record.record_file import Ack, compose, create_record
from tests.record.sample import HEADER, Move, add


def test_a_new_record_holds_its_header(path: Path) -> None:
    new = create_record(path, HEADER)
    assert path.read_bytes() == compose(HEADER, [])[0]
    assert (new.n, new.t, new.size) == (0, 0, path.stat().st_size)
    assert new.header == HEADER
    assert new.head == read_record(path).head
    assert add(new, Move(1, 0, "red")) == [Ack(1, read_record(path).head or "")]


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
        with pytest.raises(Exists, match=r"already exists\. Gamelog does not overwrite files"):
            create_record(place, HEADER)
    assert path.with_name("file.jsonl").read_text() == "mine"
    assert path.with_name("empty.jsonl").read_bytes() == b""
    assert not path.with_name("nowhere.jsonl").exists()


def test_paths_where_no_record_can_start_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place, words in (
        (tmp_path / "none" / "game.jsonl", "none does not exist"),
        (tmp_path / "file" / "game.jsonl", "Not a directory"),
        (tmp_path / ("n" * 300), "A record cannot have the name"),
        (tmp_path / "a\0b", "is not a valid file name"),
        (tmp_path / "game.jsonl.zst", "is compressed"),
    ):
        with pytest.raises(RecordError, match=words):
            create_record(place, HEADER)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"options": {"x": 2**53}}, "53 bits"),
        ({"options": {1: "a", "1": "b"}}, '"1" is listed twice'),
        ({"options": {"x": object()}}, "cannot be written as JSON"),
        ({"options": {"x": "\ud800"}}, "cannot be written as JSON"),
        ({"seats": ()}, "does not fit"),
        ({"gamelog": 2}, "format 2"),
        ({"id": ""}, "does not fit"),
        ({"board": {"cells": ["x" * 50] * 25_000}}, "a line can have at most 1,048,576"),
    ],
)
def test_an_invalid_header_is_not_written(path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        create_record(path, msgspec.structs.replace(HEADER, **change))
    assert not path.exists()


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_a_record_that_could_not_be_started_leaves_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, broken, full)
        with pytest.raises(WriteFailed, match="No space left"):
            create_record(path, HEADER)
    assert not path.exists()
    create_record(path, HEADER)
