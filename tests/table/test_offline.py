"""A part of the long run `python -m tests.fuzz.offline`."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.fuzz.offline import GAMES, run


@pytest.mark.browser
@pytest.mark.grid(keeps=("slicewars",))
@pytest.mark.parametrize("game", GAMES)
def test_a_device_without_a_connection_loses_and_doubles_no_event(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    run(browser, tmp_path / "game.jsonl", game, points=3, seed=2)
