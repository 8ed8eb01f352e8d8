"""Records to serve, and servers that serve them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import gamelog
from tests.table.client import Serving, served

FIRST = {"do": "start_roll", "rolls": {"red": 5, "blue": 2}}


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A game of Ana and Rui that has not begun."""
    path = tmp_path / "evening.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
    return path


@pytest.fixture
def table(record: Path) -> Iterator[Serving]:
    """A server of that game."""
    with served(record) as serving:
        yield serving


@pytest.fixture
def begun(table: Serving) -> Serving:
    """The same, red having begun and claimed C3: two events."""
    assert table.scorer.write(FIRST).status == 201
    assert table.scorer.write({"do": "claim", "at": "C3"}).status == 201
    return table
