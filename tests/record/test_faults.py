"""Tests of faults of system, power and content: a small share of ``tests.fuzz``, which documents the whole
runs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import mutations, powercut, syscalls

SHARE = 19
"""Run each nineteenth case. This is not a multiple of the number of faults, so every fault is tried."""


@pytest.mark.parametrize("operation", syscalls.OPERATIONS)
def test_records_survive_failing_system_calls(operation: str) -> None:
    reason = syscalls.missing_reason()
    if reason:
        pytest.skip(reason)
    done = syscalls.run_faults(operation, every=SHARE, first=2)
    assert done.calls["fsync"] >= 1
    assert done.calls["write"] >= 1
    assert done.cases == sum(done.ended.values()) == len(range(2, 3 * sum(done.calls.values()), SHARE))
    assert len(done.ended) >= 2


def test_records_survive_power_cuts(tmp_path: Path) -> None:
    done = powercut.cuts(tmp_path, 600, seed=3, mend_every=10)
    assert set(done.ended) >= {"torn", "damaged"}
    assert set(done.lost) == set(powercut.LOSSES)
    assert done.mended == 60


def test_spoiled_records_are_judged() -> None:
    done = mutations.mutations(3_000, seed=2, jobs=1)
    assert sum(done.status.values()) == 3_000
    assert set(done.status) >= {"ok", "illegal", "torn", "damaged", "unknown", "disputed"}
