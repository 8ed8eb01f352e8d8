"""Tests of missing, damaged or rewritten line ends. The chain proves the original."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from gamelog.errors import (
    Damaged,
    WriteFailed,
)
from gamelog.record import chain
from gamelog.record.reading import read_record
from gamelog.record.recovery import LineEnd, SavedTail, recover, salvage
from tests.record.torn_records import GOOD, TAIL, WHOLE, aside, beside, interrupted

# --- a line end that is missing or damaged ---


def test_a_changed_or_lost_last_byte_is_repaired_without_loss(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for end in (b"", *(bytes([WHOLE[-1] ^ 1 << bit]) for bit in range(8))):
        path.write_bytes(WHOLE[:-1] + end)
        problem = read_record(path).problem
        assert problem is not None
        assert (problem.code, problem.text) == (
            "record.torn",
            "only the line ending of the last line is missing",
        )
        assert recover(path, aside) == [LineEnd(str(path), 5, read_record(path).head or "")]
        assert path.read_bytes() == WHOLE
        assert beside(path) == {}


def test_a_header_without_its_line_end_is_repaired_too(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    header = WHOLE[: WHOLE.index(b"\n") + 1]
    path.write_bytes(header[:-1])
    [done] = recover(path, aside)
    assert isinstance(done, LineEnd)
    assert (done.n, path.read_bytes()) == (0, header)


@pytest.mark.parametrize("failing", ["ftruncate", "write", "fsync"])
def test_an_interrupted_repair_of_the_line_end_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(WHOLE[:-1] + b"\x0b")

    def fails(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, failing, fails)
        with pytest.raises(WriteFailed):
            recover(path, aside)
    if path.read_bytes() != WHOLE:
        assert isinstance(recover(path, aside)[0], LineEnd)
    assert path.read_bytes() == WHOLE
    assert beside(path) == {}


def test_a_line_end_and_an_earlier_saved_tail_are_both_recovered(torn: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        recover(torn, interrupted)
    torn.write_bytes(torn.read_bytes()[:-1])
    ended, told = recover(torn, aside)
    assert isinstance(ended, LineEnd)
    assert isinstance(told, SavedTail)
    assert (ended.n, told.ack.n, told.bytes) == (3, 4, len(TAIL))


# --- line ends that something rewrote ---

LINES = WHOLE.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("spoiled", "changed"),
    [
        pytest.param(WHOLE.replace(b"\n", b"\r\n"), 6, id="CR LF"),
        pytest.param(WHOLE.replace(b"\n", b"\r\r\n"), 6, id="twice"),
        pytest.param(WHOLE.replace(b"\n", b"\r"), 1, id="CR alone"),
        pytest.param(b"\xef\xbb\xbf" + WHOLE, 1, id="a byte order mark"),
        pytest.param(b"\xef\xbb\xbf" + WHOLE.replace(b"\n", b"\r\n"), 6, id="both"),
        pytest.param(
            b"".join(line[:-1] + (b"\n", b"\r\n")[k % 2] for k, line in enumerate(LINES)), 3, id="mixed"
        ),
        pytest.param(WHOLE.replace(b"\n", b"\r\n")[:-1], 6, id="CR LF, the last LF cut off"),
        pytest.param(WHOLE.replace(b"\n", b"\r\n")[:-2], 6, id="CR LF, the last one cut off"),
    ],
)
def test_rewritten_line_ends_are_repaired_in_a_copy(tmp_path: Path, spoiled: bytes, changed: int) -> None:
    path, out = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    path.write_bytes(spoiled)
    done = salvage(path, out)
    assert out.read_bytes() == WHOLE
    assert (done.events, done.lost, done.repaired) == (5, 0, changed)
    assert path.read_bytes() == spoiled


def test_lines_that_the_chain_does_not_prove_are_left_behind_or_refused(tmp_path: Path) -> None:
    path, out = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    path.write_bytes(WHOLE.replace(b'"n":4', b'"n":9').replace(b"\n", b"\r\n"))
    done = salvage(path, out)
    assert (done.events, done.repaired) == (3, 4)
    assert out.read_bytes() == GOOD
    assert done.lost == path.stat().st_size - len(GOOD) - 4
    out.unlink()
    path.write_bytes(WHOLE.replace(b'"red"', b'"rex"').replace(b"\n", b"\r\n"))
    with pytest.raises(Damaged, match="Nothing of"):
        salvage(path, out)
    assert not out.exists()


def test_a_line_that_was_chained_with_a_carriage_return_keeps_it(tmp_path: Path) -> None:
    path, out = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    line, _ = chain.chained_line(read_head(GOOD), b'"do":"move","n":4,"t":99,"by":"red"}\r\n')
    path.write_bytes(GOOD + line + b"x\n")
    assert salvage(path, out).events == 4
    assert out.read_bytes() == GOOD + line


def read_head(data: bytes) -> bytes:
    return chain.verify_lines(data).heads[-1]
