"""Fixtures for tests in a real Chromium. Without one they are skipped, or fail if GAMELOG_REQUIRE_BROWSER=1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Browser, Frame, Page

from gamelog.play.judging.fold_record import FoldedRecord
from tests.browser.chromium import MISSING, chromium


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the missing browser in the summary, so that nobody overlooks the skipped tests."""
    if chromium() is None:
        terminalreporter.write_sep("=", MISSING, red=True, bold=True)


Open = Callable[..., Page]


def until(page: Page | Frame, truth: str) -> None:
    """Wait up to half a minute until the JavaScript `truth` is true. The page's policy forbids Playwright's own wait."""
    for _ in range(600):
        if page.evaluate(truth):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {truth}")


STILL = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const places = () => [document.scrollingElement, ...document.querySelectorAll("#list")].map((one) => [one.scrollLeft, one.scrollTop]);
  const finite = (one) => one.playState === "running" && one.effect.getComputedTiming().endTime !== Infinity;
  await document.fonts.ready;
  for (let quiet = 0, last = ""; quiet < 3; ) {
    await frame();
    const now = JSON.stringify(places());
    quiet = now === last && !document.getAnimations().some(finite) ? quiet + 1 : 0;
    last = now;
  }
}"""


def settle(page: Page) -> None:
    """Wait until `page` is painted: nothing moves or scrolls in three successive frames."""
    page.evaluate(STILL)


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a page from a file. The test fails if the page makes requests, logs or throws."""
    complaints: list[str] = []
    opened: list[Page] = []

    def open_it(
        what: FoldedRecord | str,
        fragment: str = "",
        *,
        width: int = 1280,
        height: int = 800,
        seat: str | None = None,
        language: str = "en",
        **context: Any,
    ) -> Page:
        path = tmp_path / f"page{len(opened)}.html"
        html = what if isinstance(what, str) else replay_page(what, seat=seat, language=language)
        path.write_text(html, encoding="utf-8")
        shown = browser.new_context(viewport={"width": width, "height": height}, **context).new_page()
        shown.on("console", lambda message: complaints.append(f"console: {message.text}"))
        shown.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        shown.on(
            "request",
            lambda request: (
                None if request.url.startswith(("file:", "blob:")) else complaints.append(request.url)
            ),
        )
        shown.goto(path.as_uri() + fragment)
        shown.wait_for_selector("html.ready")
        opened.append(shown)
        return shown

    yield open_it
    for shown in opened:
        shown.context.close()
    assert complaints == []
