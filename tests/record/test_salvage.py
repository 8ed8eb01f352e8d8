"""Tests that the undamaged lines of a damaged record are copied."""

from __future__ import annotations

from pathlib import Path

import pytest
import zstandard

from gamelog.errors import (
    Damaged,
    Exists,
    NotReadable,
    RecordError,
    Torn,
    UnknownFormat,
    WriteFailed,
)
from gamelog.record import chain
from gamelog.record.reading import read_record
from gamelog.record.record_file import RecordFile
from gamelog.record.recovery import SalvagedRecord, recover, salvage
from tests.record.sample import Move, moves, write_record
from tests.record.torn_records import GOOD, TAIL, WHOLE, aside


def test_the_good_prefix_of_a_damaged_record_is_copied(tmp_path: Path) -> None:
    path, out = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    lines = WHOLE.splitlines(keepends=True)
    for k in range(1, 6):
        good = b"".join(lines[:k])
        damaged = good + lines[k].replace(b'"by":', b'"bz":') + b"".join(lines[k + 1 :])
        path.write_bytes(damaged)
        done = salvage(path, out)
        assert done == SalvagedRecord(
            str(out), k - 1, len(good), len(damaged) - len(good), read_record(out).head or ""
        )
        assert out.read_bytes() == good
        assert path.read_bytes() == damaged
        log = RecordFile.open(out)
        with log.lock() as locked:
            locked.append([Move(k, 99, "red")])
        out.unlink()


def test_a_torn_record_can_be_copied_too(torn: Path) -> None:
    out = torn.with_name("saved.jsonl")
    assert salvage(torn, out).lost == len(TAIL)
    assert out.read_bytes() == GOOD
    assert torn.read_bytes() == GOOD + TAIL


def test_the_good_lines_of_a_compressed_record_are_copied(tmp_path: Path) -> None:
    path, out = tmp_path / "game.jsonl.zst", tmp_path / "saved.jsonl"
    path.write_bytes(zstandard.ZstdCompressor().compress(GOOD + b"x\n"))
    assert salvage(path, out).events == 3
    assert out.read_bytes() == GOOD


def test_salvage_overwrites_nothing(torn: Path) -> None:
    for out in (torn, torn.with_name("mine.jsonl")):
        out.touch()
        before = out.read_bytes()
        with pytest.raises(Exists, match=r"already exists\. Gamelog does not overwrite files"):
            salvage(torn, out)
        assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (WHOLE, RecordError, "is not damaged, so there is nothing to salvage"),
        (b"", Torn, "Nothing of .* can be salvaged"),
        (GOOD[:100], Torn, "Nothing of .* can be salvaged"),
        (b"x\n" + GOOD, Damaged, "Nothing of .* can be salvaged"),
        (
            chain.chained_line(chain.GENESIS, b'"gamelog":1}\n')[0] + b"x\n",
            Damaged,
            "Nothing of .* can be salvaged",
        ),
        (
            chain.chained_line(chain.GENESIS, b'"gamelog":9}\n')[0] + b"x\n",
            UnknownFormat,
            "Nothing of .* can be salvaged",
        ),
    ],
)
def test_nothing_is_salvaged_from_whole_or_unreadable_records(
    torn: Path, data: bytes, error: type[RecordError], words: str
) -> None:
    torn.write_bytes(data)
    out = torn.with_name("saved.jsonl")
    with pytest.raises(error, match=words):
        salvage(torn, out)
    assert not out.exists()


def test_salvage_reports_paths_that_cannot_be_used(tmp_path: Path) -> None:
    for use in (lambda path: recover(path, aside), lambda path: salvage(path, tmp_path / "out")):
        with pytest.raises(NotReadable, match="does not exist"):
            use(tmp_path / "none.jsonl")
    write_record(tmp_path / "game.jsonl.zst", moves(1))
    with pytest.raises(WriteFailed, match="Decompress it first"):
        recover(tmp_path / "game.jsonl.zst", aside)
