"""The Chromium of this machine, shared by all tests of a process."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

MISSING = "THE PAGES ARE NOT TESTED: no Chromium on this machine (tests/browser/install.sh installs one)"
WHOLE = ("chromium", "chromium-browser", "google-chrome")
NAMES = ("chromium-headless-shell", *WHOLE)
"""Names of browsers. The headless shell comes first, because tests take half the time in it."""

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium(names: Iterable[str] = NAMES) -> str | None:
    """Return the path of the first of `names` that this machine has."""
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield one browser for the whole session."""
    path = chromium()
    if path is None:
        if os.environ.get("GAMELOG_REQUIRE_BROWSER") == "1":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    expect.set_options(timeout=30_000)  # as long as all other waits: the machine can be busy
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=path, args=list(QUIET))
        yield running
        running.close()
