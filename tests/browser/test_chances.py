"""Tests of the chances on a replay page: marks lead to their events, and everything can be read everywhere."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from gamelog_reports.replay_page.page import replay_page
from gamelog_reports.site import publish
from msgspec import structs
from playwright.sync_api import Browser, FloatRect, Page, expect

from gamelog.analysis.turning_points import Alternative
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.browser.conftest import Open, settle
from tests.browser.contrast import SIZE, too_faint
from tests.browser.test_axe import violations
from tests.reports.analyses import made_analysis, written
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser

GAMES = {"slicewars/full-2": (2, 119, 300), "gp02a_territory/full-3": (90, 127), "zone_s/full-2": (81, 85)}
"""Games and their turning points."""


@cache
def record(name: str) -> FoldedRecord:
    return fold_record(read_record(DIRECTORY / f"{name}.jsonl"))


@cache
def html(name: str = "slicewars/full-2", language: str = "en") -> str:
    other = Alternative({"do": "pass"}, 0.9, 0.03, 0.2, True)
    made = made_analysis(record(name), GAMES[name], {119: other}, slope=0.5)
    return replay_page(record(name), language=language, analysis=made)


def place(page: Page, selector: str) -> FloatRect:
    box = page.locator(selector).bounding_box()
    assert box
    return box


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740)])
def test_the_curve_is_under_the_points_with_the_same_events_across(
    open_page: Open, width: int, height: int
) -> None:
    page = open_page(html(), width=width, height=height)
    points, chances = place(page, "#plot"), place(page, "#chances .axis >> nth=0")
    assert chances["y"] > points["y"] + points["height"]
    assert abs(chances["x"] - points["x"]) <= 2
    assert abs(chances["width"] - points["width"]) <= 2


def test_a_mark_and_its_line_in_the_list_lead_to_the_event(open_page: Open) -> None:
    page = open_page(html(), width=1280, height=900)
    number = page.locator("#number")
    page.locator("#chances .plot a").nth(1).click()
    expect(number).to_have_value("119")
    expect(page.locator("#said")).to_contain_text("Ana attacks E4 from E5")
    page.locator("#chances li a", has_text="300").click()
    expect(number).to_have_value("300")
    page.go_back()
    expect(number).to_have_value("119")
    mark = page.get_by_role("link", name="◆ 2 By dice, the chance of Ana goes from 0.50 to 0.75.")
    mark.focus()
    page.keyboard.press("Enter")
    expect(number).to_have_value("2")


@pytest.mark.parametrize("width", [1440, 390, 360])
def test_targets_of_marks_are_large_and_do_not_overlap(open_page: Open, width: int) -> None:
    html_of = replay_page(
        record("slicewars/full-2"),
        analysis=made_analysis(record("slicewars/full-2"), (2, 20, 60, 119, 121, 300)),
    )
    page = open_page(html_of, width=width, height=844)
    boxes = (
        "[...document.querySelectorAll('#chances .target')].map((e) => e.getBoundingClientRect().toJSON())"
    )
    found = page.evaluate(boxes)
    assert len(found) > 2
    assert all(round(box[side], 1) >= 24 for box in found for side in ("width", "height"))
    assert all(left["right"] <= right["left"] for left, right in pairwise(found))


def test_a_click_on_the_curve_shows_the_event_and_the_line_follows_it(open_page: Open) -> None:
    page = open_page(html(), width=1280, height=900)
    plot, number = page.locator("#chances .plot"), page.locator("#number")
    box = place(page, "#chances .axis >> nth=0")
    plot.click(position={"x": box["width"] / 2, "y": 60})
    expect(number).to_have_value("156")
    here = place(page, "#chances .here")
    assert abs(here["x"] - box["x"] - box["width"] * 156 / 311) < 3
    page.keyboard.press("End")
    expect(page.locator("#chances .here")).to_have_attribute("x1", "100%")


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_wider_than_a_phone(open_page: Open, name: str, language: str) -> None:
    page = open_page(html(name, language), width=360, height=740)
    page.evaluate(
        "for (const one of document.querySelectorAll('#chances, #chances details')) one.open = true"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    right = "[...document.querySelectorAll('#chances *')].map((one) => one.getBoundingClientRect().right)"
    assert max(page.evaluate(right)) <= 360


def test_long_names_fit_a_phone(open_page: Open) -> None:
    header = record("slicewars/full-2").record.header
    assert header
    folded = record("slicewars/full-2")
    assert folded.fold
    seats = tuple(structs.replace(seat, name=f"{seat.seat} {'W' * 50}") for seat in header.seats)
    data, _ = compose(structs.replace(header, seats=seats), [*folded.fold.events])
    renamed = fold_record(parse_record(data))
    page = open_page(replay_page(renamed, analysis=made_analysis(renamed, (2, 119))), width=360, height=740)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.querySelector('#chances').scrollWidth") <= 360


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 600), (1440, 900)])
def test_all_words_can_be_scrolled_to_beside_the_board(open_page: Open, width: int, height: int) -> None:
    page = open_page(html(), width=width, height=height)
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    page.locator("#chances .more summary").click()
    last = page.locator("#chances .more p").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    expect(page.locator("#list")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_fault_and_all_text_can_be_read(
    open_page: Open, name: str, scheme: Literal["light", "dark"], width: int
) -> None:
    page = open_page(
        html(name),
        "#n=81",
        bypass_csp=True,
        color_scheme=scheme,
        width=width,
        height=844,
        device_scale_factor=SIZE,
    )
    page.evaluate(
        "for (const one of document.querySelectorAll('#chances, #chances details')) one.open = true"
    )
    page.locator("#chances").scroll_into_view_if_needed()
    settle(page)
    assert violations(page) == []
    assert too_faint(page) == []


def test_hidden_information_is_folded_until_the_reader_opens_it(open_page: Open) -> None:
    page = open_page(html("zone_s/full-2"), width=1280, height=800)
    expect(page.locator("#chances .plot")).to_be_hidden()
    expect(page.locator("#summary")).not_to_contain_text("chance")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#chances .plot")).to_be_hidden()
    page.locator("#chances > summary").click()
    expect(page.locator("#chances .plot")).to_be_visible()


def test_paper_has_all_words(open_page: Open) -> None:
    page = open_page(html(), width=800, height=1000)
    expect(page.locator("#chances .more p").first).to_be_hidden()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#chances .more p").last).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#chances .more p").first).to_be_hidden()


def test_a_frame_has_the_board_only(open_page: Open) -> None:
    expect(open_page(html(), "#embed&n=2").locator("#chances")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 360])
def test_without_scripts_words_curve_and_links_are_there(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    (tmp_path / "page.html").write_text(html())
    page = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": 740}).new_page()
    page.goto((tmp_path / "page.html").as_uri())
    for text in (
        "+0.25 by dice",
        "if both went on like the greedy bot",
        "60–80%",
        "overconfident",
        "Better, with",
    ):
        expect(page.locator("#chances").get_by_text(text).first).to_be_visible()
    expect(page.locator("#chances li a").first).to_have_attribute("href", "#n=2")
    lines = page.locator("#chances .plot .line")
    assert place(page, "#chances .plot .line >> nth=0")["width"] > 100
    strokes = lines.evaluate_all(
        "(all) => all.map((one) => [getComputedStyle(one).stroke, one.getAttribute('stroke-dasharray')].join())"
    )
    assert len(strokes) == len(set(strokes)) == 2
    page.context.close()


def test_a_page_of_a_site_has_the_same_parts(browser: Browser, tmp_path: Path) -> None:
    copy = tmp_path / "full-2.jsonl"
    copy.write_bytes((DIRECTORY / "slicewars" / "full-2.jsonl").read_bytes())
    written(made_analysis(record("slicewars/full-2"), (2, 119)), tmp_path / "full-2.analysis.json")
    entry = publish(copy, tmp_path / "site")
    page = browser.new_page()
    page.goto((tmp_path / "site" / entry.href).as_uri())
    page.wait_for_selector("html.ready")
    page.locator(".people #chances .plot a").nth(1).click()
    expect(page.locator("#number")).to_have_value("119")
    page.close()
