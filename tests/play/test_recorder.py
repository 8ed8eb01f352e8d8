"""A recorder's clock, and a recorder that only judges."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from gamelog.errors import Refused, WriteFailed
from gamelog.play.recorder import Recorder, wall_clock
from gamelog.play.verify import validate
from gamelog.record.log import create
from gamelog.record.reading import read
from tests.play.tables import header

ROLL = {"do": "start_roll", "rolls": {"red": 6, "blue": 1}}
CLAIM = {"do": "claim", "at": "A1"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create(tmp_path / "game.jsonl", header())
    return tmp_path / "game.jsonl"


def test_a_clock_that_is_set_back(path: Path) -> None:
    now = [5_000]
    recorder = Recorder(path, lambda _header: now[0])
    recorder.append([ROLL])
    now[0] = -(10**9)
    recorder.append([CLAIM])
    recorder.append([{"do": "@note", "by": "table", "text": "the clock was set back"}])
    assert [event.t for event in recorder.events] == [5_000, 5_000, 5_000]
    with pytest.raises(Refused, match="time runs back"):
        recorder.append([{"do": "@note", "by": "table", "text": "earlier", "t": 4_999}])
    assert validate(path).status == "ok"


def test_a_record_that_begins_in_the_future_starts_at_nought(path: Path) -> None:
    assert wall_clock(header()) > 0
    future = path.with_name("future.jsonl")
    create(future, structs.replace(header(), started="9999-01-01T00:00:00Z"))
    recorder = Recorder(future)
    recorder.append([ROLL])
    assert recorder.events[0].t == 0


def test_who_only_rehearses_writes_nothing(path: Path) -> None:
    before = path.read_bytes()
    recorder = Recorder(path, only_rehearse=True)
    assert recorder.rehearse(ROLL) is None
    assert recorder.rehearse(CLAIM) is None
    refused = recorder.rehearse(CLAIM)
    assert refused is not None
    assert refused.code == "play.illegal"
    with pytest.raises(WriteFailed, match="open the record again"):
        recorder.append([ROLL])
    assert path.read_bytes() == before
    assert read(path).bodies == []
