"""Layout shifts of a page, as the browser reports them."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Page

WATCH = """(() => {
  const name = (node) => (node ? [node.nodeName, node.id && "#" + node.id, node.className?.baseVal ?? node.className, node.textContent.slice(0, 30)].filter(Boolean).join(" ") : "gone");
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(",");
  window.shifts = [];
  window.places = new Set();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts.push([entry.value, ...entry.sources.map((one) => `${name(one.node)}: ${box(one.previousRect)} -> ${box(one.currentRect)}`)]);
  }).observe({ type: "layout-shift", buffered: false });
  const look = () => {
    const board = document.getElementById("board"), made = document.documentElement?.classList.contains("ready");
    if (board && made) window.places.add(box(board.getBoundingClientRect()));
    requestAnimationFrame(look);
  };
  document.addEventListener("DOMContentLoaded", look);
})()"""
"""JavaScript that collects layout shifts, with or without recent input, and the places of the board."""

PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
"""JavaScript that waits until the browser has painted and reported its layout shifts."""

_WALK = """async (events) => {
  for (const n of events) {
    gamelog.goto(n);
    await new Promise(requestAnimationFrame);
  }
}"""


class Watched(NamedTuple):
    """The result of one page: the sum of its layout shifts, the shifts, and the places of its board."""

    value: float
    shifts: list[list[Any]]
    places: list[str]


def watched(page: Page) -> Watched:
    """Return what a page with `WATCH` has collected."""
    page.evaluate(PAINTED)
    shifts: list[list[Any]] = page.evaluate("window.shifts")
    return Watched(sum(one[0] for one in shifts), shifts, page.evaluate("[...window.places]"))


def forget(page: Page) -> None:
    """Discard what a page with `WATCH` has collected until now."""
    watched(page)
    page.evaluate("window.shifts.length = 0, window.places.clear()")


def walked(page: Page, first: int = 1, last: int | None = None) -> Watched:
    """Show the events from `first` to `last`, or to the end, on a replay page with `WATCH`. Return its layout shifts."""
    page.evaluate("(n) => gamelog.goto(n)", first - 1)
    forget(page)
    page.evaluate(_WALK, list(range(first, (last or page.evaluate("gamelog.last")) + 1)))
    return watched(page)
