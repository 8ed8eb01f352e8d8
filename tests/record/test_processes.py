"""Several writers, and killed ones: a small share of `tests.fuzz.record`, whose docstring has the commands for the rest."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz import record as fuzz


def test_processes_that_append_to_one_record(tmp_path: Path) -> None:
    done = fuzz.writers(tmp_path, processes=4, events=400)
    assert done.events == 400


def test_no_acknowledged_event_is_lost_to_a_kill(tmp_path: Path) -> None:
    done = fuzz.kills(tmp_path, count=10, seed=7)
    assert done.acknowledged >= 10
