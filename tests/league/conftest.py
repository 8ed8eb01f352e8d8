"""Fixtures for leagues: records of the small game Tug in a folder, and the command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.archive.conftest import Table, _tug
from tests.cli.conftest import Gamelog, gamelog

__all__ = ["Gamelog", "Play", "_tug", "gamelog"]

Play = Callable[..., Path]

WON = (("left", 6, 1), ("right", 2, 2), ("right", 5, 4))
"""The turns of a game that the first seat wins."""


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "october"
    folder.mkdir()
    return folder


@pytest.fixture
def play(records: Path) -> Play:
    """Return a function that writes the record of a game that its first person wins on a day of October."""
    table = Table(records)

    def write(*names: str, day: int = 1, **more: Any) -> Path:
        turns = more.pop("turns", WON)
        return table(*turns, names=names, started=f"2026-10-{day:02}T20:00:00Z", **more)

    return write
