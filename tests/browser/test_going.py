"""Tests of navigation in a game: turns, wheel, mouse, keys, real time, the final line, and the history."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.conftest import Open, until
from tests.browser.test_replay import at
from tests.reports.toy import Go, folded, game, long_game
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser


def test_steps_by_turns(open_page: Open) -> None:
    page = open_page(folded(game()))
    for key, places in (("Shift+ArrowRight", (1, 2, 5)), ("Shift+ArrowLeft", (2, 1, 0, 0))):
        for n in places:
            page.keyboard.press(key)
            at(page, n)
    page.get_by_role("button", name="Next turn", exact=True).click()
    at(page, 1)
    page.get_by_role("button", name="Previous turn").click()
    at(page, 0)


def test_shift_searches_backwards(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=14")
    for key, n in (("Shift+C", 10), ("Shift+C", 5), ("Shift+M", 3), ("x", 10)):
        page.keyboard.press(key)
        at(page, n)


def test_back_returns_to_the_event_before_a_jump(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=2")
    entries = page.evaluate("history.length")
    for n in (3, 4):
        page.keyboard.press("ArrowRight")
        at(page, n)
    page.wait_for_url("**#n=4")
    assert page.evaluate("history.length") == entries  # steps add no entry
    page.locator("li.event", has_text="turns all up").locator("a").click()
    page.wait_for_url("**#n=11")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#n=12")
    page.go_back()
    at(page, 4)
    page.go_forward()
    at(page, 12)
    page.reload()
    page.wait_for_selector("html.ready")
    at(page, 12)


def test_a_slow_drag_of_the_slider_adds_one_history_entry(open_page: Open) -> None:
    page = open_page(folded(long_game(200)), "#n=20")
    page.clock.install()
    entries = page.evaluate("history.length")
    for begin, place in ((20, "#slider"), (None, "#plot")):
        box = page.locator(place).bounding_box()
        assert box
        before = page.evaluate("location.hash")
        page.mouse.move(box["x"] + 40, box["y"] + 10)
        page.mouse.down()
        for x in (60, 140, 220, 300):
            page.mouse.move(box["x"] + x, box["y"] + 10)
            page.clock.run_for(300)
        page.mouse.up()
        until(page, f"location.hash !== '{before}'")
        page.clock.run_for(3_000)
        entries += 1
        assert page.evaluate("history.length") == entries
        if begin:
            page.go_back()
            at(page, begin)
            page.go_forward()


def test_wheel_and_drag_on_the_board(open_page: Open) -> None:
    page = open_page(folded(game()))
    box = page.locator(".field").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    for turn, n in ((100, 1), (100, 2), (-100, 1)):
        page.mouse.wheel(0, turn)
        at(page, n)
    page.mouse.down()
    page.mouse.move(x + 80, y)
    at(page, 4)
    page.mouse.move(x + 30, y)
    page.mouse.up()
    at(page, 3)


def test_the_wheel_scrolls_a_page_that_is_too_long(open_page: Open) -> None:
    page = open_page(folded(game()), width=390, height=700)
    page.mouse.move(200, 200)
    page.mouse.wheel(0, 120)
    until(page, "scrollY > 0")
    at(page, 0)


def test_the_slider_previews_events(open_page: Open) -> None:
    page = open_page(folded(game()))
    seen = page.locator("#preview")
    expect(seen).to_be_hidden()
    box = page.locator("#slider").bounding_box()
    assert box
    page.mouse.move(box["x"] + 9 + (box["width"] - 18) * 2 / 14, box["y"] + box["height"] / 2)
    expect(seen).to_contain_text("2. Rui lays a pawn on b.")
    expect(seen.locator(".piece")).to_have_count(2)
    place = seen.bounding_box()
    assert place
    assert place["x"] >= 0
    assert place["y"] >= 0
    at(page, 0)
    page.mouse.move(10, 10)
    expect(seen).to_be_hidden()


def test_the_final_line_leaves_out_undone_events(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=6")
    page.get_by_label("Shown events").select_option("without undone events")
    page.locator("#board").hover()
    for key, n in (("ArrowRight", 9), ("ArrowLeft", 6)):
        page.locator("body").press(key)
        at(page, n)
    page.locator("li.event.undone a").click()
    at(page, 7)
    expect(page.locator("#said")).to_contain_text("taken back by event 8")
    expect(open_page(folded(long_game(5))).get_by_label("Shown events")).to_be_hidden()


@pytest.mark.parametrize("name", ["slicewars", "dice_flags"])
def test_undone_lines_of_real_games_can_be_left_out(open_page: Open, name: str) -> None:
    folded = fold_record(read_record(DIRECTORY / name / "takeback.jsonl"))
    assert folded.fold
    ((back, to),) = folded.fold.takebacks.items()
    page = open_page(folded, f"#n={to}")
    page.get_by_label("Shown events").select_option("final")
    page.locator("body").press("ArrowRight")
    at(page, back + 1)


def event_after_play(page: Page, ms: int) -> int:
    page.clock.run_for(ms)
    n: Any = page.evaluate("gamelog.n")
    return int(n)


def test_real_time_follows_the_clock_with_long_pauses_shortened(open_page: Open) -> None:
    page = open_page(
        folded(
            [*game()[:2], common_events.Note(3, 5_500, "red", "after 1.5 s"), Go(4, 65_500, "red", "a", "c")]
        ),
        "#n=2",
    )
    page.clock.install(time=0)
    page.clock.pause_at(60_000)  # from here on the test controls the time
    page.locator("#speed").select_option("real time")
    page.get_by_role("button", name="Play").click()
    assert [event_after_play(page, ms) for ms in (1_400, 200, 2_800, 200)] == [
        2,
        3,
        3,
        4,
    ]  # 1.5 s; a minute is cut to 3 s
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_keys_change_the_speed(open_page: Open) -> None:
    page = open_page(folded(game()))
    speed = page.locator("#speed")
    for key, value in (
        ("+", "2"),
        ("+", "4"),
        ("-", "2"),
        ("-", "1"),
        ("-", "0.5"),
        ("-", "real"),
        ("-", "real"),
    ):
        page.locator("body").press(key)
        expect(speed).to_have_value(value)
    page.reload()
    expect(speed).to_have_value("real")


def test_the_list_scrolls_to_the_event_of_the_address(open_page: Open) -> None:
    page = open_page(fold_record(read_record(DIRECTORY / "slicewars" / "as_played.jsonl")), "#n=602")
    until(
        page,
        """(() => {
            const list = document.querySelector('#list').getBoundingClientRect();
            const row = document.querySelector('[aria-current]')?.getBoundingClientRect();
            return row && row.top >= list.top && row.bottom <= list.bottom;
        })()""",
    )


def test_fields_release_the_keyboard(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.keyboard.press("g")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    at(page, 5)
    page.keyboard.press("ArrowRight")
    at(page, 6)
    for leave in ("Escape", "Enter"):
        page.keyboard.press("/")
        expect(page.locator("#search")).to_be_focused()
        page.keyboard.press(leave)
        expect(page.locator("#search")).not_to_be_focused()
    page.keyboard.press("ArrowLeft")
    at(page, 5)
    page.get_by_label("Speed").select_option("8")
    page.keyboard.press("ArrowRight")
    at(page, 6)
    expect(page.get_by_label("Speed")).to_have_value("8")
    page.keyboard.press("g")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    at(page, 7)
    page.locator("details.menu summary").click()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    at(page, 8)


def test_a_choice_with_the_arrow_keys_keeps_the_focus(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.get_by_label("Speed").focus()
    for speed in ("2", "4"):
        page.keyboard.press("ArrowDown")
        expect(page.get_by_label("Speed")).to_have_value(speed)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    at(page, 1)


def test_space_plays_after_a_click_in_the_list(open_page: Open) -> None:
    page = open_page(folded(long_game(60)))
    page.get_by_label("Speed").select_option("8")
    page.locator("li.event a").nth(4).click()
    at(page, 5)
    page.keyboard.press("Space")
    until(page, "gamelog.n > 5")


def test_numbers_of_four_digits_can_be_read(open_page: Open) -> None:
    page = open_page(folded(long_game(1300)), "#n=1234")
    assert page.evaluate(
        "(() => { const field = document.getElementById('number'); return field.scrollWidth <= field.clientWidth; })()"
    )
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(
        "(() => { const field = document.getElementById('number'); return field.scrollWidth <= field.clientWidth; })()"
    )
