"""Tests of sharing: text copies, frames, messages, the comparison of heads, and previews."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Browser, expect

from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.browser.conftest import Open, until
from tests.browser.test_record import about
from tests.browser.test_replay import menu
from tests.reports.toy import folded, game, header, judged

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs" / "pages.md"


def test_the_game_as_text(open_page: Open) -> None:
    page = open_page(
        folded(game(), header("Ana", "Rui", event="Club night")),
        permissions=["clipboard-read", "clipboard-write"],
    )
    menu(page, "Copy as text")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0] == "Toy & Sons: Ana – Rui"
    assert lines[1] == "2026-11-20T19:30:00Z · Club night · valid"
    assert lines[3:6] == ["Round 1 · Ana", "1. Ana lays a die on a.", ""]
    assert "7. Ana goes from a to c. [taken back by event 8]" in lines
    page.keyboard.press("p")
    page.get_by_role("button", name="Copy position", exact=True).click()
    until(page, "navigator.clipboard.readText().then((text) => text.startsWith('Event 0 of 14'))")


def test_text_is_copied_even_without_a_clipboard(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(new Error('no')))")
    page.evaluate("addEventListener('copy', () => (copied = document.activeElement.value), true)")
    page.keyboard.press("y")
    until(page, "window.copied?.includes('14. Ana goes from b to d.')")


def test_frames_and_messages_work_as_in_the_docs(browser: Browser, tmp_path: Path) -> None:
    (snippet,) = re.findall(r"^```html\n(.*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "game.html").write_text(replay_page(folded(game())))
    (tmp_path / "host.html").write_text("<!doctype html><title>Host</title>" + snippet.replace("n=57", "n=3"))
    page = browser.new_page()
    page.clock.install()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "host.html").as_uri())
    frame = page.frame_locator("#game")
    expect(frame.locator("#number")).to_have_value("3")
    expect(frame.locator("header")).to_be_hidden()
    entries = page.evaluate("history.length")
    page.get_by_role("button", name="The end").click()
    expect(page.locator("#told")).to_have_text("event 14 of 14")
    frame.locator("#board").click()
    page.keyboard.press("Home")
    expect(page.locator("#told")).to_have_text("event 0 of 14")
    page.clock.run_for(4_000)  # longer than the page waits before it adds an entry
    assert page.evaluate("history.length") == entries
    page.close()
    assert complaints == []


def test_messages_of_other_windows_are_ignored(open_page: Open) -> None:
    page = open_page(folded(game()))
    for message in ("null", "'goto'", "{gamelog: 'goto', n: 5}", "{gamelog: 'toString'}"):
        page.evaluate(f"postMessage({message}, '*')")
    page.evaluate(
        "new Promise((heard) => { addEventListener('message', ({ data }) => data === 'last' && heard()); "
        "postMessage('last', '*'); })"
    )
    expect(page.locator("#number")).to_have_value("0")


def test_the_script_interface_reports_steps(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.evaluate("heard = []; hear = ({ type, detail }) => heard.push([type, detail.n]); 0")
    page.evaluate("for (const what of ['play', 'pause']) addEventListener(`gamelog:${what}`, hear, true)")
    page.evaluate("gamelog.goto(13); gamelog.play()")
    until(page, "heard.length === 2")
    assert page.evaluate("heard") == [["gamelog:play", 13], ["gamelog:pause", 14]]


def test_a_head_from_another_person_is_found_in_the_chain(open_page: Open) -> None:
    data, _ = compose(header(), game())
    record = parse_record(data)
    page = open_page(judged(data))
    about(page)
    held, told = page.get_by_label("Head to compare"), page.locator("#checked")
    held.fill(f" {record.head_at(5)} ")
    expect(told).to_contain_text(
        "This is the head after event 5, so nothing up to that event has changed. Later events: 9."
    )
    held.fill("A" * 43)
    expect(told.locator(".bad")).to_contain_text("No event of this record has this head")


def test_other_programs_can_preview_the_page(open_page: Open) -> None:
    page = open_page(folded(game(), header("Ana", 'R"ui', event="Club night")))
    assert page.locator('meta[property="og:title"]').get_attribute("content") == 'Toy & Sons: Ana – R"ui'
    assert (
        page.locator('meta[property="og:description"]').get_attribute("content") == "2026-11-20 · Club night"
    )
