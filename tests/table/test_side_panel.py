"""Tests of the panel with the choices and the event list in a real browser: no part of it is out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, serve_in_thread
from tests.table.recorded import open_device
from tests.table.test_layout import CELL, HIDDEN
from tests.table.touch import Device

pytestmark = pytest.mark.browser

EVENTS = 59

SWIPES = 20
"""Most swipes along the panel and the whole list in it."""

LAST_LINE = """(() => {
  const line = document.querySelector(`#list li[data-n="59"]`), { left, bottom } = line?.getBoundingClientRect() ?? {};
  return Boolean(line) && line.contains(document.elementFromPoint(left + 40, bottom - 3));
})()"""
"""JavaScript for whether the line of the last event is in sight."""

SCROLLED = "document.querySelector('aside').scrollTop"
END = f"{SCROLLED} = document.querySelector('aside').scrollHeight"


@pytest.fixture
def long(tmp_path: Path) -> Iterator[Serving]:
    """Yield a server of a game of SliceWars with a list that is longer than the panel, before a decision."""
    path = tmp_path / "long.jsonl"
    lines = (DIRECTORY / "slicewars" / "full-2.jsonl").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: EVENTS + 1]))
    with serve_in_thread(path) as serving:
        yield serving


def opened(browser: Browser, serving: Serving, size: str) -> Device:
    """Open the long game, and answer the question about the time since its last event."""
    device = open_device(browser, serving.client_link("scorer"), size)
    device.at(EVENTS)
    device.page.locator("#desk .form[data-do=idle] button").last.click()
    return device


def swipe(device: Device, size: str, by: int) -> None:
    """Swipe in the lower part of the panel by `by` pixels, where the list is. Without a touch screen, turn the wheel."""
    box = device.page.locator("aside").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.75
    if size == "1440x900":
        device.page.mouse.move(x, y)
        device.page.mouse.wheel(0, -by)
        device.page.wait_for_timeout(150)
        return
    session = device.context.new_cdp_session(device.page)
    for at in range(0, abs(by) + 1, 15):
        point = {"x": x, "y": y + (at if by > 0 else -at)}
        session.send(
            "Input.dispatchTouchEvent",
            {"type": "touchMove" if at else "touchStart", "touchPoints": [point]},
        )
        device.page.evaluate("new Promise(requestAnimationFrame)")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


@pytest.mark.parametrize("size", ["390x844", "768x1024", "1440x900"])
def test_the_list_passes_a_swipe_on_and_shows_its_last_line(
    browser: Browser, long: Serving, size: str
) -> None:
    device = opened(browser, long, size)
    device.page.evaluate("document.querySelector('#list').scrollTop = 0")
    device.page.evaluate(END)
    assert device.page.evaluate("document.querySelector('#list').clientHeight < innerHeight / 2 + 200")
    for _ in range(SWIPES):
        if device.page.evaluate(LAST_LINE):
            break
        swipe(device, size, -120)
    assert device.page.evaluate(LAST_LINE)
    for _ in range(2 * SWIPES):
        if not device.page.evaluate(SCROLLED):
            break
        swipe(device, size, 120)
    assert device.page.evaluate(SCROLLED) == 0, "the list at its begin passes the swipe on"
    assert device.page.evaluate(HIDDEN, "#undo") == []
    assert device.complaints == []
    device.context.close()


def test_buttons_lead_from_the_list_back_to_the_choices(browser: Browser, long: Serving) -> None:
    device = opened(browser, long, "390x844")
    undo = device.page.locator("#undo")
    device.page.evaluate(END)
    expect(undo).not_to_be_in_viewport()
    device.page.locator("#from-list").tap()
    expect(undo).to_be_in_viewport()
    device.page.evaluate(END)
    device.page.locator("#back").tap()
    device.page.locator("#live").tap()
    expect(undo).to_be_in_viewport()
    assert device.complaints == []
    device.context.close()


@pytest.mark.parametrize("size", ["390x844", "1024x768"])
def test_a_tap_outside_the_sheet_only_closes_it(browser: Browser, begun: Serving, size: str) -> None:
    device = open_device(browser, begun.client_link("scorer"), size)
    device.at(2)
    sheet = device.page.locator("#more .rest")
    for way in ("board", "button"):
        device.page.locator("#more .rest > summary").evaluate("(one) => one.scrollIntoView()")
        device.press(device.page.locator("#more .rest > summary"))
        expect(sheet).to_have_attribute("open", "")
        assert device.page.evaluate(HIDDEN, "#more .rest .shut") == []
        if way == "board":
            device.finger(*device.page.evaluate(CELL, "D1"))
        else:
            device.tap_button("✕", "#more .rest")
        expect(sheet).not_to_have_attribute("open", "")
        assert device.page.locator("#held").is_hidden(), way
    device.context.close()


def test_the_bar_of_a_held_event_is_in_sight(browser: Browser, begun: Serving) -> None:
    device = open_device(browser, begun.client_link("scorer"), "390x844")
    device.at(2)
    device.page.evaluate(END)
    cancel = device.page.get_by_role("button", name="Cancel event")
    device.tap_cell("D1")
    expect(cancel).to_be_in_viewport(ratio=1)
    device.page.evaluate(END)
    assert device.page.evaluate(HIDDEN, "#held button") == [], "also if the user scrolls on"
    device.tap_button("Cancel event")
    assert begun.scorer.get().json["n"] == 2
    assert device.complaints == []
    device.context.close()
