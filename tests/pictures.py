"""The pictures of pages in the documentation: ``python -m tests.pictures`` takes them again in a real Chromium."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from gamelog_reports.replay_page.page import replay_page
from msgspec import Struct
from playwright.sync_api import Browser, sync_playwright

from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.chromium import MISSING, QUIET, chromium
from tests.browser.conftest import settle

ROOT = Path(__file__).parent.parent

GRID = (64, 45)
"""Columns and rows of the parts whose colours are compared, so that another font makes no difference."""

DIFFERENT = 24
"""Difference of a part's mean colour, out of 255, from which the part is different."""


class Picture(Struct, frozen=True):
    """A picture of a replay page.

    Attributes:
        record: The record, a path from the project's folder.
        event: The number of the event that the page shows.
        size: The width and height in pixels.
    """

    record: str
    event: int
    size: tuple[int, int]


PICTURES = {"replay.png": Picture("sample_games/slicewars/full-4.jsonl", 603, (1280, 900))}
"""The pictures, by the names of their files in ``docs/``."""


def take(browser: Browser, picture: Picture) -> bytes:
    """Return a picture as PNG."""
    width, height = picture.size
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(replay_page(fold_record(read_record(ROOT / picture.record))), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        shown = context.new_page()
        shown.goto(f"{page.as_uri()}#n={picture.event}")
        shown.wait_for_selector("html.ready")
        settle(shown)
        taken = shown.screenshot()
        context.close()
    return taken


_MEANS = """async ([pictures, columns, rows]) => {
  const canvas = new OffscreenCanvas(columns, rows), context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  const means = [];
  for (const picture of pictures) {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    context.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0, columns, rows);
    means.push([...context.getImageData(0, 0, columns, rows).data]);
  }
  return means;
}"""
"""JavaScript that returns the mean colours of the parts of pictures."""


def difference(browser: Browser, one: bytes, other: bytes) -> float:
    """Return the share of the parts of two pictures whose colours differ."""
    page = browser.new_page()
    texts = [base64.b64encode(picture).decode() for picture in (one, other)]
    before, after = page.evaluate(_MEANS, [texts, *GRID])
    page.close()
    columns, rows = GRID
    parts = range(0, 4 * columns * rows, 4)
    different = sum(max(abs(before[at + c] - after[at + c]) for c in range(3)) >= DIFFERENT for at in parts)
    return float(different / (columns * rows))


def main() -> None:
    """Take all pictures again."""
    path = chromium()
    if path is None:
        raise SystemExit(MISSING)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=list(QUIET))
        for name, picture in PICTURES.items():
            (ROOT / "docs" / name).write_bytes(take(browser, picture))
            print(ROOT / "docs" / name)
        browser.close()


if __name__ == "__main__":
    main()
