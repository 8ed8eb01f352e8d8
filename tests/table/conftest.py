"""Fixtures: records, and servers of these records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import gamelog
from tests.table.client import Serving, serve_in_thread

FIRST = {"do": "start_roll", "rolls": {"red": 5, "blue": 2}}
FORFEIT = {
    "do": "@ruling",
    "by": "arbiter",
    "about": 2,
    "kind": "forfeit",
    "result": {"winners": ["red"], "reason": "forfeit"},
    "reason": "Blue left.",
    "name": "Lena",
}
"""A ruling of the arbiter that ends the game after two events."""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the path of a game of Ana and Rui without events."""
    path = tmp_path / "evening.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
    return path


@pytest.fixture
def table(record: Path) -> Iterator[Serving]:
    """Yield a server of the game."""
    with serve_in_thread(record) as serving:
        yield serving


@pytest.fixture
def begun(table: Serving) -> Serving:
    """Return the server after two events: red begins and claims C3."""
    assert table.scorer.write(FIRST).status == 201
    assert table.scorer.write({"do": "claim", "at": "C3"}).status == 201
    return table
