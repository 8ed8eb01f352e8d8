"""Tests of the finding on two files of one record that differ, or of which one is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.archive.indexing.repeated_files import fork_finding
from gamelog.archive.sources.items import Item
from gamelog.record.record_file import compose
from tests.play.tables import whole


def write_item(path: Path, events: int) -> Item:
    head, played = whole()
    path.write_bytes(compose(head, played[:events])[0])
    return Item(str(path), path.stat().st_size, path.stat().st_mtime_ns)


def test_a_file_that_extends_the_other_is_no_fork_finding(tmp_path: Path) -> None:
    short, long = write_item(tmp_path / "a.jsonl", 10), write_item(tmp_path / "b.jsonl", 20)
    assert fork_finding("test", short, long) is None
    assert fork_finding("test", long, short) is None


@pytest.mark.parametrize("gone", ["a", "b"])
def test_a_file_that_cannot_be_read_any_more_parts_from_nothing(tmp_path: Path, gone: str) -> None:
    one, two = write_item(tmp_path / "a.jsonl", 10), write_item(tmp_path / "b.jsonl", 20)
    (tmp_path / f"{gone}.jsonl").unlink()
    assert fork_finding("test", one, two) is None
