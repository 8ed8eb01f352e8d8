"""Fixtures: records, and servers of these records."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gamelog
from tests.samples.__main__ import DIRECTORY
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


PEOPLE = {"red": "Ana", "blue": "Rui"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Serving]:
    """Serve a folder with a new game, a game that is over, and a damaged record."""
    gamelog.create(tmp_path / "new.jsonl", "slicewars", seats=PEOPLE)
    shutil.copy(DIRECTORY / "slicewars/full-2.jsonl", tmp_path / "over.jsonl")
    shutil.copy(DIRECTORY / "slicewars/bit-flipped.jsonl", tmp_path / "damaged.jsonl")
    with serve_in_thread(tmp_path) as serving:
        yield serving


def link_of(links: list[dict[str, Any]], role: str) -> str:
    """Return the secret in the link of a role."""
    return str(next(link["token"] for link in links if link["role"] == role))
