"""Tests of the contrast of all text with its visible background, in both themes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from gamelog_reports.report.page import report
from gamelog_reports.site import publish, write_index
from playwright.sync_api import Page

from gamelog.archive import index as archived
from gamelog.play.contract.registry import names
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.conftest import Open, settle
from tests.browser.contrast import SIZE, contrasts, too_faint
from tests.browser.test_sizes import sample
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
LOOK = {"bypass_csp": True, "device_scale_factor": SIZE, "reduced_motion": "reduce"}


@pytest.mark.grid
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", names())
def test_every_text_of_a_replay_page_can_be_read(open_page: Open, name: str, scheme: Scheme) -> None:
    folded = sample(name)
    assert folded.fold
    page = open_page(folded, color_scheme=scheme, width=1200, height=800, **LOOK)
    for n in (0, folded.fold.n // 2, folded.fold.n):
        page.evaluate("(n) => gamelog.goto(n)", n)
        settle(page)
        assert too_faint(page) == [], n


LOST = """(doubted) => {
  const measured = new Set(window.texts), all = doubted.map((path) => document.querySelector(path));
  const lines = (e) => [...e.childNodes].filter((node) => node.nodeType === 3).flatMap((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  });
  const seen = all.filter((e) => lines(e).some((box) => window.seen(e, box)));
  return [seen.length, seen.filter((e) => !measured.has(e)).map((e) => e.outerHTML.slice(0, 80))];
}"""


UNSEEN = """() => {
  for (const row of document.querySelectorAll("li.event")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) row.style.visibility = "hidden";
  }
}"""
"""JavaScript that hides the rows out of sight, because axe would check each of a thousand rows."""


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
def test_contrast_that_axe_cannot_decide_is_measured(open_page: Open, name: str) -> None:
    """All text over pictures, patterns and other elements, which axe cannot decide, is measured."""
    folded = sample(name)
    assert folded.fold
    count = 0
    for part in (2, 3):  # which lines of the list are cut off differs between two positions
        page = open_page(folded, f"#n={folded.fold.n // part}", width=1200, height=800, **LOOK)
        settle(page)
        page.evaluate(UNSEEN)
        found = Axe().run(page, options={"runOnly": ["color-contrast"]}).response["incomplete"]
        assert too_faint(page) == []
        seen, lost = page.evaluate(LOST, [node["target"][0] for one in found for node in one["nodes"]])
        assert lost == []
        count += seen
    assert count > 3


def _menu(page: Page) -> None:
    page.locator("details.menu summary").click()


def _about(page: Page) -> None:
    _menu(page)
    page.locator("[data-act=about]").click()
    page.locator("[data-act=check]").click()
    page.locator("#checked .good").wait_for()


def _stranger(page: Page) -> None:
    _menu(page)
    page.locator("[data-act=about]").click()
    page.locator("#held").fill("A" * 43)
    page.locator("#checked .bad").wait_for()


def _copy(page: Page) -> None:
    page.keyboard.press("y")
    page.locator("#notice").wait_for()


def _preview(page: Page) -> None:
    box = page.locator("#slider").bounding_box()
    assert box
    page.mouse.move(box["x"] + 200, box["y"] + 5)
    page.locator("#preview").wait_for()


STATES: dict[str, tuple[str, str, Callable[[Page], object]]] = {
    "menu": ("slicewars/full-2", "#n=40", _menu),
    "letters": ("dice_flags/full-2", "#n=40", lambda page: page.locator("#legend summary").click()),
    "help": ("slicewars/full-2", "#n=40", lambda page: page.keyboard.press("?")),
    "position": ("zone_control/full-4", "#n=40", lambda page: page.keyboard.press("p")),
    "about": ("slicewars/full-2", "#n=40", _about),
    "about a stranger's head": ("slicewars/full-2", "#n=40", _stranger),
    "notice": ("slicewars/full-2", "#n=40", _copy),
    "preview": ("gp02a_territory/full-4", "#n=40", _preview),
    "over a button": ("slicewars/full-2", "#n=40", lambda page: page.locator("[data-act=next]").hover()),
    "over a row": (
        "slicewars/full-2",
        "#n=40",
        lambda page: page.locator("li.event a:visible").nth(2).hover(),
    ),
    "search": ("slicewars/full-2", "#n=40", lambda page: page.locator("#search").fill("passes")),
    "dispute": ("slicewars/as_played", "#n=102", lambda page: page.keyboard.press("f")),
    "ruling": ("slicewars/ruled", "#n=0", lambda page: page.keyboard.press("End")),
    "takeback": ("zone_s/takeback", "#n=40", lambda page: page.locator("#view").select_option("all")),
    "damaged": ("slicewars/bit-flipped", "#n=5", lambda page: page.keyboard.press("End")),
    "frame": (
        "dice_flags/full-4",
        "#embed&n=57",
        lambda page: page.set_viewport_size({"width": 380, "height": 300}),
    ),
    "phone": (
        "dice_flags/full-4",
        "#n=57",
        lambda page: page.set_viewport_size({"width": 390, "height": 844}),
    ),
    "small": (
        "dice_flags/full-4",
        "#n=57",
        lambda page: page.set_viewport_size({"width": 320, "height": 256}),
    ),
}
"""States of a page: a record, a position in it, and an action there."""


@pytest.mark.grid
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_every_text_can_be_read_whatever_is_open(open_page: Open, state: str, scheme: Scheme) -> None:
    record, place, act = STATES[state]
    page = open_page(
        fold_record(read_record(DIRECTORY / f"{record}.jsonl")),
        place,
        color_scheme=scheme,
        width=1200,
        height=800,
        **LOOK,
    )
    act(page)
    settle(page)
    assert too_faint(page) == []


@pytest.mark.grid
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_of_an_index_and_of_a_report_can_be_read(
    open_page: Open, tmp_path: Path, scheme: Scheme
) -> None:
    entries = [publish(path, tmp_path / "site") for path in sorted((DIRECTORY / "slicewars").glob("*.jsonl"))]
    made = write_index(entries, tmp_path / "site").read_text()
    assert too_faint(open_page(made, color_scheme=scheme, width=1000, height=1400, **LOOK)) == []
    archived([DIRECTORY / "slicewars"], tmp_path / "a.db")
    html = report(tmp_path / "a.db").replace("<html ", '<html class="ready" ')
    assert too_faint(open_page(html, color_scheme=scheme, width=1000, height=3000, **LOOK)) == []


def test_the_measured_contrast_includes_the_background(open_page: Open) -> None:
    """The texts are grey on white, on black, on stripes of both, and with a halo."""
    html = """<html class="ready"><body style="background:#fff"><svg width="600" height="300" style="font:700 20px sans-serif">
    <defs><pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse">
    <rect width="4" height="8" fill="#000"/></pattern></defs>
    <rect y="40" width="600" height="40" fill="#000"/><rect y="80" width="600" height="80" fill="url(#p)"/>
    <text y="30" fill="#767676">white</text><text y="70" fill="#767676">black</text><text y="110" fill="#767676">stripes</text>
    <text y="150" fill="#767676" stroke="#fff" stroke-width="8" paint-order="stroke">halo</text>
    </svg></body></html>"""
    found = {one["told"].split()[0]: one["ratio"] for one in contrasts(shown(open_page, html))}
    assert found["white"] == pytest.approx(4.54, abs=0.02)
    assert found["black"] == pytest.approx(4.62, abs=0.02)
    assert found["stripes"] < 4.55
    assert found["halo"] == pytest.approx(4.54, abs=0.02)
    assert contrasts(shown(open_page, html.replace("#767676", "#999")))[0]["ratio"] == pytest.approx(
        2.85, abs=0.02
    )


def shown(open_page: Open, html: str) -> Page:
    return open_page(html, **LOOK)
