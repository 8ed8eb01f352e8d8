"""Tests of the report in a browser: no blocked resources, no requests, and a layout for screens and print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from gamelog_reports.report.page import report
from playwright.sync_api import Browser, expect

from gamelog.archive import index

pytestmark = pytest.mark.browser

SOFT = "getComputedStyle(document.querySelector('figcaption')).color"

SAMPLES = Path(__file__).parents[2] / "sample_games"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of a report of two games whose parts have different names."""
    folder = tmp_path_factory.mktemp("report")
    index([SAMPLES / "slicewars", SAMPLES / "zone_s"], folder / "a.db")
    (folder / "report.html").write_text(report(folder / "a.db"), encoding="utf-8")
    return (folder / "report.html").as_uri()


def test_the_report_shows_its_charts_on_screens_and_paper(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1200, "height": 800}, color_scheme="dark")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request", lambda request: None if request.url.startswith("file:") else complaints.append(request.url)
    )
    page.goto(address)
    charts = page.locator("figure:not(:has(.map))")
    assert charts.count() >= 5
    for chart in charts.all():
        widths = chart.evaluate(
            "node => [node, node.querySelector('table, svg')].map(one => one.getBoundingClientRect().width)"
        )
        assert widths[0] == pytest.approx(widths[1], abs=1) and widths[0] > 400, "as wide as its place"
    assert page.locator("article").count() == 2
    drawn = charts.locator("path").evaluate_all("all => all.map(p => getComputedStyle(p).fill)")
    bars = charts.locator("rect.bar").evaluate_all("all => all.map(p => getComputedStyle(p).fill)")
    assert set(bars) == {"rgb(127, 179, 236)"} and not drawn, "light on dark, as the page"
    inks = page.locator(".plot text").evaluate_all("texts => texts.map(text => getComputedStyle(text).fill)")
    assert inks
    assert set(inks) <= {page.evaluate("getComputedStyle(document.body).color"), page.evaluate(SOFT)}
    assert (
        page.locator("svg.map").first.evaluate("node => getComputedStyle(node).backgroundColor")
        == "rgb(255, 254, 251)"
    )
    expect(page.locator("details td").first).to_be_hidden()
    page.set_viewport_size({"width": 320, "height": 600})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.emulate_media(media="print")
    rest = page.locator("details td")
    assert rest.count() and not [cell for cell in rest.all() if not cell.is_visible()], "paper has all rows"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    page.close()
    assert complaints == []


def test_charts_have_one_size_of_type_on_every_screen(browser: Browser, tmp_path: Path) -> None:
    index([SAMPLES / "slicewars", SAMPLES / "dice_flags"], tmp_path / "a.db")
    (tmp_path / "report.html").write_text(report(tmp_path / "a.db"), encoding="utf-8")
    page = browser.new_page()
    for width in (1400, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto((tmp_path / "report.html").as_uri())
        sizes = page.locator("figure .plot text").evaluate_all(
            "(all) => all.map((e) => [e, e.getScreenCTM()])"
            ".map(([e, m]) => [getComputedStyle(e).fontSize, Math.hypot(m.a, m.b).toFixed(2)])"
        )
        assert {tuple(size) for size in sizes} == {("12px", "1.00")}
        maps = page.locator("svg.map text").evaluate_all(
            "(all) => all.map((e) => parseFloat(e.getAttribute('font-size')) * e.getScreenCTM().a)"
        )
        assert len(maps) > 50
        assert min(maps) >= (9 if width > 640 else 7)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_five_games_fit_on_twelve_pages_of_paper(browser: Browser, tmp_path: Path) -> None:
    index([SAMPLES], tmp_path / "a.db")
    (tmp_path / "report.html").write_text(report(tmp_path / "a.db"), encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("article").count() == 5
    first = page.locator("main > section").first
    assert first.locator("h2").inner_text() == "Nothing stands out."
    for address in first.locator("a").evaluate_all("all => all.map(one => one.hash)"):
        assert page.locator(address).count() == 1
    paper = page.pdf(format="A4", prefer_css_page_size=True)
    page.close()
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) <= 12


@pytest.mark.grid
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, address: str, scheme: Literal["light", "dark"]) -> None:
    """`bypass_csp` admits the script of axe, which the policy of the page forbids."""
    page = browser.new_page(color_scheme=scheme, bypass_csp=True)
    page.goto(address)
    response = Axe().run(page).response
    page.close()
    assert [(one["id"], node["html"][:150]) for one in response["violations"] for node in one["nodes"]] == []
    assert "landmark-unique" in {one["id"] for one in response["passes"]}
