"""Tests of the event list of a long game: visible lines, keyboard, search and print."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gamelog.play.contract.registry import find
from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.recording.series import simulate_game
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose, create_record
from tests.browser.conftest import Open, settle, until
from tests.browser.test_replay import at
from tests.examples.conftest import EXAMPLES, installed
from tests.play.tables import header as table_header
from tests.reports.toy import folded, long_game
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser

IN_SIGHT = """() => {
    const { top, bottom } = document.querySelector('#list').getBoundingClientRect();
    const within = (box) => box.top >= top && box.bottom <= bottom;
    return [...document.querySelectorAll(".event")].filter((line) => within(line.getBoundingClientRect()))
        .map((line) => Number(line.dataset.n));
}"""


def here(page: Page) -> int:
    """Return the number of the line that has the focus."""
    return int(page.evaluate("Number(document.activeElement.closest('.event')?.dataset.n ?? -1)"))


def seen(page: Page) -> list[int]:
    """Return the numbers of the visible lines."""
    found: list[int] = page.evaluate(IN_SIGHT)
    return found


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("slicewars/full-4", (303, 1213)),
        ("gp02a_territory/full-3", (181,)),
        ("dice_flags/full-4", (33, 144, 288)),
    ],
)
def test_the_line_of_the_address_is_in_sight(open_page: Open, name: str, events: tuple[int, ...]) -> None:
    """The list gets its height after the page has scrolled it, and lines of other heights than expected are filled in."""
    for n in events:
        page = open_page(
            fold_record(read_record(DIRECTORY / f"{name}.jsonl")), f"#n={n}", width=1440, height=900
        )
        settle(page)
        until(page, f"({IN_SIGHT})().includes({n})")


def test_only_visible_lines_have_elements(open_page: Open) -> None:
    page = open_page(folded(long_game(3_000)), "#n=2000")
    for n in (2_000, 3_000, 1, 1_500):
        page.evaluate(f"gamelog.goto({n})")
        current = page.locator("li.event a[aria-current=step]")
        expect(current).to_have_attribute("href", f"#n={n}")
        expect(current).to_be_in_viewport()
        until(page, "document.querySelectorAll('li.event').length < 250")
    assert page.evaluate("document.querySelectorAll('*').length") < 4_000
    for part in (0.1, 0.7, 0.4):
        page.evaluate(
            f"document.querySelector('#list').scrollTop = document.querySelector('#list').scrollHeight * {part}"
        )
        until(page, f"({IN_SIGHT})().length > 4")
        lines = seen(page)
        assert lines == list(range(lines[0], lines[-1] + 1))
        assert abs(lines[0] - 3_000 * part) < 150


def test_a_step_does_not_scroll_to_a_visible_line(open_page: Open) -> None:
    page = open_page(folded(long_game(600)), "#n=300")
    until(page, "document.querySelector('#list').scrollTop > 0")
    before = seen(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator("li.event a[aria-current=step]")).to_have_attribute("href", "#n=301")
    settle(page)
    assert seen(page) == before


def test_the_list_has_one_tab_stop_and_its_keys_reach_all_lines(open_page: Open) -> None:
    page = open_page(folded(long_game(1_000)), "#n=500")
    stops = page.locator("#list [tabindex='0'], #list a:not([tabindex]), #list button, #list summary")
    expect(stops).to_have_count(1)
    page.locator("#kind").focus()
    page.keyboard.press("Tab")
    assert here(page) == 500
    for key, n in (
        ("ArrowDown", 501),
        ("ArrowUp", 500),
        ("End", 1_000),
        ("ArrowDown", 1_000),
        ("ArrowUp", 999),
        ("Home", 1),
    ):
        page.keyboard.press(key)
        assert here(page) == n
        expect(page.locator(":focus")).to_be_in_viewport()
        expect(stops).to_have_count(1)
    page.keyboard.press("PageDown")
    far = here(page)
    assert 5 < far < 60
    page.keyboard.press("PageDown")
    assert here(page) > far + 5
    page.keyboard.press("PageUp")
    assert abs(here(page) - far) < 3
    chosen = here(page)
    at(page, 500)  # so far the focus has moved, and the shown event has not
    page.keyboard.press("Enter")
    at(page, chosen)
    page.keyboard.press("ArrowRight")
    at(page, chosen + 1)


def test_a_line_has_its_number_and_the_number_of_lines_for_screen_readers(open_page: Open) -> None:
    page = open_page(folded(long_game(1_000)), "#n=700")
    line = page.locator('li.event[data-n="700"]')
    expect(line).to_have_attribute("aria-posinset", "700")
    expect(line).to_have_attribute("aria-setsize", "1000")
    page.locator("#search").fill("goes from h to d")
    expect(page.locator("#found")).to_have_text("250 events")
    expect(page.locator("li.event").first).to_have_attribute("aria-setsize", "250")
    assert page.locator("li.event").first.get_attribute("aria-posinset") is not None


def test_a_search_finds_lines_that_are_not_visible(open_page: Open) -> None:
    events = [*long_game(2_000), common_events.Note(2_001, 2_000_500, "red", "A Zébra passed")]
    page = open_page(folded(events))
    page.keyboard.press("/")
    page.keyboard.type("zebra")
    expect(page.locator("#found")).to_have_text("1 events")
    expect(page.locator("li.event")).to_have_count(1)
    expect(page.locator("li.event")).to_contain_text("A Zébra passed")
    page.locator("#search").fill("nothing of the kind")
    expect(page.locator("li.event")).to_have_count(0)
    page.locator("#search").fill("")
    expect(page.locator("#found")).to_have_text("")
    expect(page.locator('li.event[data-n="1"]')).to_be_in_viewport()


def test_paper_has_every_line(open_page: Open) -> None:
    page = open_page(folded(long_game(800)))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("li.event")).to_have_count(800)
    expect(page.locator("li.event").nth(500)).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    until(page, "document.querySelectorAll('li.event').length < 250")


def test_an_open_detail_stays_open_after_scrolling(open_page: Open) -> None:
    page = open_page(fold_record(read_record(DIRECTORY / "slicewars" / "as_played.jsonl")), "#n=102")
    page.locator("#list .finding summary").click()
    for n in (1, 102):
        page.evaluate(f"gamelog.goto({n})")
        settle(page)
    expect(page.locator("#list .finding li").first).to_be_visible()


def test_a_corrected_event_names_the_event_that_replaces_it(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "slip.jsonl"
    create_record(path, table_header())
    recorder = EventRecorder(path)
    recorder.append([{"do": "start_roll", "by": "table", "rolls": {"red": 5, "blue": 2}}])
    recorder.append([{"do": "claim", "at": "C3"}])
    recorder.append([{"do": "@takeback", "by": "table", "to": 1, "slip": True}, {"do": "claim", "at": "D1"}])
    page = open_page(fold_record(read_record(path)), "#n=4")
    expect(page.locator("#list")).to_contain_text("corrected: event 4 replaces it")


def test_turns_of_one_event_have_no_heading(open_page: Open, tmp_path: Path) -> None:
    headings = {}
    with installed(tmp_path, [EXAMPLES / "connect_four", EXAMPLES / "backgammon"]):
        for name in ("connect_four", "backgammon"):
            header, events = simulate_game(find(name), "turns", 1, players=2, dice="table")
            page = open_page(fold_record(parse_record(compose(header, events)[0])))
            expect(page.locator("li.event").first).to_be_visible()
            headings[name] = page.locator("#list h3").count()
    assert headings["connect_four"] == 0, "each of its turns is one event"
    assert headings["backgammon"] > 0, "a turn is a roll and moves"
