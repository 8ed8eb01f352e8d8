"""The replay page in a real browser: stepping, keys, permalinks, and hostile records."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from gamelog.play import common
from tests.browser.conftest import Open
from tests.reports.toy import game, header, replayed

pytestmark = pytest.mark.browser

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202edexif " + "long" * 2500


def test_steps_by_buttons_keys_and_slider(open_page: Open) -> None:
    page = open_page(replayed(game()))
    said = page.locator("#said")
    expect(said).to_have_text("The start of the game.")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(said).to_have_text("Ana lays a die on a.")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("Rui lays a pawn on b.")
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text("Ana lays a die on a.")
    page.keyboard.press("End")
    expect(page.locator("#number")).to_have_value("14")
    page.keyboard.press("Home")
    expect(page.locator("#number")).to_have_value("0")
    page.locator("#slider").fill("5")
    expect(said).to_contain_text("Ana rolls 2 against 5: lost.")
    page.locator("#number").fill("9")
    page.keyboard.press("Enter")
    expect(said).to_have_text("Ana goes from a to b.")


def test_permalink_is_honoured_and_follows(open_page: Open) -> None:
    page = open_page(replayed(game()), "#n=4")
    expect(page.locator("#said")).to_have_text("Ana goes from a to b.")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#n=5")
    page.evaluate("location.hash = '#n=2'")
    expect(page.locator("#said")).to_have_text("Rui lays a pawn on b.")


def test_plays_and_pauses(open_page: Open) -> None:
    page = open_page(replayed(game()))
    page.locator("#speed").select_option("8")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#number")).to_have_value("2")
    page.locator("body").press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    stopped = page.evaluate("gamelog.n")
    page.wait_for_timeout(400)
    assert page.evaluate("gamelog.n") == stopped


def test_a_takeback_shows_what_it_undid(open_page: Open) -> None:
    page = open_page(replayed(game()), "#n=8")
    undone = page.locator("li.event.undone")
    expect(undone).to_have_count(1)
    expect(undone).to_contain_text("Ana goes from a to c.")
    expect(undone).to_contain_text("taken back by 8")


def test_what_a_record_holds_is_only_ever_text(open_page: Open) -> None:
    events = [*game()[:2], common.Note(3, 5_000, "red", HOSTILE)]
    page = open_page(replayed(events, header(HOSTILE, HOSTILE, event=HOSTILE)), "#n=3")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.scripts.length") == 2
    expect(page.locator("#said bdi").nth(1)).to_have_text(HOSTILE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert re.search(r"<title>[^<]{0,200}</title>", page.content())


def test_dark_when_the_system_is_and_by_the_button(open_page: Open) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = open_page(replayed(game())).evaluate(paper)
    page = open_page(replayed(game()), color_scheme="dark")
    dark = page.evaluate(paper)
    assert dark != light
    page.locator("#theme").click()
    assert page.evaluate(paper) == light
