"""Tests of several writers and killed ones: a small share of `tests.fuzz.record`, which documents the
rest.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.record.reading import read_record
from gamelog.record.record_file import create_record
from tests.fuzz import record as fuzz
from tests.record.sample import HEADER


def test_several_processes_can_append_to_one_record(tmp_path: Path) -> None:
    done = fuzz.writers(tmp_path, processes=4, events=400)
    assert done.events == 400


def test_readers_see_whole_lines_during_appends(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    create_record(path, HEADER)
    lengths = [0]
    for share in range(1, 20):  # on a busy machine, a writer may end before the first reading
        writer = fuzz.SPAWN.Process(target=fuzz.write_share, args=(str(path), 0, 300))
        writer.start()
        while lengths[-1] < 300 * share:
            assert writer.is_alive() or writer.exitcode == 0
            record = read_record(path)
            assert record.problem is None or record.problem.code == "record.torn"
            lengths.append(len(record.bodies))
        writer.join()
        if len({*lengths} - {300 * done for done in range(share + 1)}) > 1:
            break
    else:
        pytest.fail("the record was never read while it grew")
    assert lengths == sorted(lengths)


def test_no_confirmed_event_is_lost_to_a_kill(tmp_path: Path) -> None:
    done = fuzz.kills(tmp_path, count=10, seed=7)
    assert done.acknowledged >= 10
