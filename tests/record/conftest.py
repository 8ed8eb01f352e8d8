"""Fixtures: paths and records for the tests of the record layer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.record.torn_records import GOOD, TAIL


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


@pytest.fixture
def torn(path: Path) -> Path:
    """Return a record of three events and the beginning of a fourth."""
    path.write_bytes(GOOD + TAIL)
    return path
