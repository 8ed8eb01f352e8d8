"""Tests with axe, an independent checker of accessibility, which finds no faults in the pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from gamelog_reports.comparison_page import comparison_page
from gamelog_reports.incident_sheet import incident_sheet
from gamelog_reports.site import entry, write_index
from playwright.sync_api import Browser, Page

from gamelog.dispute.compare import compare
from gamelog.play.contract.registry import names
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.conftest import Open
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser


def violations(page: Page) -> list[tuple[str, str]]:
    """Return the faults that axe finds.

    The contrast on boards is left out, because axe does not see the picture behind letters. `test_contrast`
    measures it.
    """
    found = Axe().run(page).response["violations"]
    nodes = [(one["id"], node["html"][:150]) for one in found for node in one["nodes"]]
    return [
        (rule, html) for rule, html in nodes if not (rule == "color-contrast" and html.startswith("<text "))
    ]


@pytest.mark.grid
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", names())
def test_replay_pages(open_page: Open, game: str, scheme: str) -> None:
    """`bypass_csp` admits the script of axe, which the policy of the page forbids."""
    page = open_page(
        fold_record(read_record(DIRECTORY / game / "as_played.jsonl")),
        "#n=12",
        bypass_csp=True,
        color_scheme=scheme,
    )
    assert violations(page) == []


@pytest.mark.parametrize("key", ["?", "p", ""])
def test_dialogs_and_faults(open_page: Open, key: str) -> None:
    page = open_page(
        fold_record(read_record(DIRECTORY / "slicewars" / "as_played.jsonl")),
        "#n=102",
        bypass_csp=True,
        language="pt",
    )
    if key:
        page.keyboard.press(key)
    else:
        page.locator("details.menu summary").click()
        page.locator("[data-act=about]").click()
        page.locator("[data-act=check]").click()
    assert violations(page) == []


def test_hidden_information(open_page: Open) -> None:
    hidden = open_page(
        fold_record(read_record(DIRECTORY / "zone_s" / "takeback.jsonl")),
        "#n=40",
        bypass_csp=True,
        width=390,
        height=844,
    )
    assert violations(hidden) == []


def test_the_index_of_a_site(open_page: Open, tmp_path: Path) -> None:
    records = [fold_record(read_record(path)) for path in sorted((DIRECTORY / "slicewars").glob("*.jsonl"))]
    html = write_index([entry(one, "games/a.html") for one in records], tmp_path).read_text()
    looks: list[dict[str, Any]] = [
        {"color_scheme": "light"},
        {"color_scheme": "dark", "width": 390, "height": 844},
        {"forced_colors": "active", "width": 1024, "height": 768},
    ]
    for look in looks:
        page = open_page(html, "#group=event&boards=1", bypass_csp=True, **look)
        page.wait_for_selector("td.picture svg")
        assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_sheets_to_print(browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    """The incident sheet and the comparison page fit a phone without scrolling sideways."""
    a, b = (read_record(DIRECTORY / "slicewars" / f"{name}.jsonl") for name in ("takeback", "short"))
    sheet = incident_sheet(fold_record(read_record(DIRECTORY / "dice_flags" / "as_played.jsonl")), 26)
    complaints: list[str] = []
    for html in (sheet, comparison_page(a, b, compare(a, b))):
        page = browser.new_page(viewport={"width": 320, "height": 640}, color_scheme=scheme, bypass_csp=True)
        page.on("console", lambda message: complaints.append(message.text))
        (tmp_path / "page.html").write_text(html)
        page.goto((tmp_path / "page.html").as_uri())
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.close()
    assert complaints == []


def test_a_sheet_is_one_page_of_paper(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    for name, n, language in (
        ("slicewars", 102, "en"),
        ("dice_flags", 26, "pt"),
        ("gp02a_territory", 25, "pt"),
    ):
        sheet = incident_sheet(fold_record(read_record(DIRECTORY / name / "ruled.jsonl")), n, language)
        (tmp_path / "page.html").write_text(sheet)
        page.goto((tmp_path / "page.html").as_uri())
        assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))) == 1, name
    page.close()
