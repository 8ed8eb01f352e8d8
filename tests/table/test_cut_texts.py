"""Tests of texts that are longer than their place at the table: names, sentences, the legend."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.table.client import Serving, serve_in_thread
from tests.table.recorded import open_device
from tests.table.touch import Device

pytestmark = pytest.mark.browser

PEOPLE = {
    "north": "Maria Leopoldina Francisca de Albuquerque",
    "east": "Bartholomew Featherstonehaugh",
    "south": "Terrivelmente",
    "west": "דנה כהן־לוי",
}
TABLE = "Final of the long evening"
SIZES = ((390, 844), (320, 640), (844, 390), (1024, 768))

CUT = """() => {
  const cut = (node) => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1;
  return [...document.querySelectorAll("#title, #role, #line, #turn, #captions, #said")].filter((part) =>
    part.textContent && [part, ...part.children].some(cut)).map((part) => [part.id, part.textContent]);
}"""
"""JavaScript for the ids and the whole texts of the parts whose text is cut."""

BROKEN_LINES = """() => {
  const box = document.querySelector(".words").getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(document.getElementById("said"));
  return [...range.getClientRects()].filter(({ top, bottom }) => top < box.bottom - 2 && bottom > box.bottom + 2).length;
}"""
"""JavaScript for the number of rows of the sentence that are visible in part."""

WORDS = """(selector) => [...document.querySelectorAll(selector)].flatMap((name) => {
  const range = document.createRange(), text = name.firstChild, words = [...text.data.matchAll(/[^\\s-]+/g)];
  return words.filter((word) => {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(([word]) => word);
})"""
"""JavaScript for the words of the elements that are broken into several rows."""


CLOCK = re.compile(r"\d+:\d\d")
"""The time on a clock, which runs."""


@pytest.fixture(scope="module")
def long_names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Yield a server of a game of four people with long names."""
    path = tmp_path_factory.mktemp("long") / f"{TABLE}.jsonl"
    gamelog.create(path, "dice_flags", seats=PEOPLE)
    with serve_in_thread(path) as serving:
        yield serving


@pytest.fixture(scope="module")
def seat(browser: Browser, long_names: Serving) -> Iterator[Device]:
    """Yield the device of the player with the longest name, after a note."""
    n = long_names.scorer.write({"do": "@note", "by": "north", "text": "Ana says: " + "too long " * 30}).json
    device = open_device(browser, long_names.client_link("seat", "north"), "390x844")
    device.at(n["n"])
    yield device
    assert device.complaints == []
    device.context.close()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_tap_shows_the_whole_of_each_text_that_is_cut(seat: Device, width: int, height: int) -> None:
    page = seat.page
    page.set_viewport_size({"width": width, "height": height})
    cut = page.evaluate(CUT)
    assert {"said"} <= {part for part, _ in cut}
    assert page.evaluate(BROKEN_LINES) == 0
    for part, whole in cut:
        page.locator("#" + part).click()
        shown = page.locator("#whole-text:popover-open")
        assert CLOCK.sub("", shown.text_content() or "") == CLOCK.sub("", whole)
        box = shown.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        shown.click()
        assert page.locator("#whole-text:popover-open").count() == 0


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_names_of_all_players_are_shown_whole(seat: Device, width: int, height: int) -> None:
    page = seat.page
    page.set_viewport_size({"width": width, "height": height})
    names = page.locator("#seats .name")
    assert names.all_text_contents() == list(PEOPLE.values())
    assert names.evaluate_all(
        "(all) => all.every((one) => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1)"
    )
    assert page.evaluate(WORDS, "#seats .name") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_whole_legend_is_on_the_screen(seat: Device, width: int, height: int) -> None:
    page = seat.page
    page.set_viewport_size({"width": width, "height": height})
    page.locator("#legend summary").click()
    seen = page.locator("#legend .panel > div").evaluate_all(
        """(rows) => rows.map((row) => row.firstChild.getBoundingClientRect()).map(({ left, top }) =>
            Boolean(document.elementFromPoint(left + 2, top + 2)?.closest("#legend")))"""
    )
    page.locator("#legend summary").click()
    assert len(seen) > 2
    assert all(seen)
