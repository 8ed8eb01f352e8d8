"""The page about a study in Chromium: axe finds no faults, and it fits a phone without scrolling sideways."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from gamelog_reports.study_page.page import study_page
from playwright.sync_api import Browser

from tests.browser.test_axe import violations
from tests.study.test_results import answer_of, values_of

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_page_about_a_study(
    browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"], language: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(study_page(answer_of(values_of(np.random.default_rng(20), 100, shift=40.0)), language))
    complaints: list[str] = []
    for width in (320, 1440):
        page = browser.new_page(
            viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True
        )
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(path.as_uri())
        for summary in page.locator("summary").all():
            summary.click()
        assert page.locator(".answers dt").count() == 4
        assert page.locator(".found").count() >= 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []
        page.close()
    assert complaints == []
