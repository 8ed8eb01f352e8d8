"""Towers: a board that grows with the pieces on it, and stacks, on pages and at the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Browser, Page

import gamelog
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.table.client import serve_in_thread
from tests.table.touch import Device

PLAYED = ("place f6", "place f7", "move f6 f7", "place g7", "place h7")
CELLS = """[...document.querySelectorAll("#board .ground > g > title")].map((one) => one.textContent)
  .filter((name) => name.length < 4).sort()"""


def squares(columns: str, rows: Sequence[int]) -> list[str]:
    return sorted(f"{column}{row}" for column in columns for row in rows)


def record(path: Path, events: Sequence[str]) -> Path:
    gamelog.create(path, "towers", seats={"red": "Ana", "blue": "Rui"})
    with gamelog.open(path) as opened:
        for at, event in enumerate(events):
            do, *members = event.split()
            named = dict(zip(("at",) if do == "place" else ("src", "dst"), members, strict=True))
            opened.append({"do": do, "by": ("red", "blue")[at % 2], **named})
    return path


@pytest.mark.browser
def test_a_page_shows_the_cells_of_the_whole_game_at_every_event(browser: Browser, tmp_path: Path) -> None:
    path = record(tmp_path / "towers.jsonl", PLAYED)
    (tmp_path / "page.html").write_text(replay_page(fold_record(read_record(path))))
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    for n in (0, 3, 5):
        page.evaluate("(n) => gamelog.goto(n)", n)
        assert page.evaluate(CELLS) == squares("efghi", (5, 6, 7, 8))
    page.close()


def shown(page: Page) -> tuple[list[str], str | None]:
    """Return the visible cells, and the place of the board's picture."""
    return page.evaluate(CELLS), page.locator("#board").get_attribute("viewBox")


@pytest.mark.browser
def test_the_board_grows_at_the_table_when_a_piece_is_placed_at_its_edge(
    browser: Browser, tmp_path: Path
) -> None:
    path = record(tmp_path / "towers.jsonl", PLAYED[:2])
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.links[0]["url"])
        device.at(2)
        before = shown(device.page)
        assert before[0] == squares("efg", (5, 6, 7, 8))
        assert serving.scorer.write({"do": "move", "src": "f6", "dst": "f7"}).status == 201
        device.at(3)
        assert shown(device.page) == before, "nothing is at the edge"
        assert serving.scorer.write({"do": "place", "at": "g7"}).status == 201
        device.at(4)
        assert shown(device.page)[0] == squares("efgh", (5, 6, 7, 8))
        device.tap_cell("h7")
        device.at(5)
        assert shown(device.page)[0] == squares("efghi", (5, 6, 7, 8))
        assert device.complaints == []
        device.context.close()
