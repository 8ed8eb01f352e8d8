"""Tests of the summary of a replay page, its turning points, and the page without JavaScript."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Browser, expect

import gamelog
from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.record.reading import read_record
from tests.browser.conftest import Open
from tests.reports.toy import folded, game
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser


@cache
def territory() -> FoldedRecord:
    return fold_record(read_record(DIRECTORY / "gp02a_territory" / "full-3.jsonl"))


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_summary_does_not_push_the_board_down(open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(territory(), width=size[0], height=size[1])
    summary = page.locator("#summary")
    expect(summary.locator("summary")).to_contain_text(
        "Ana ★ 15 – Rui 14 – Omar 12 · Club night · Round 1 · 2026-03-14"
    )
    assert summary.evaluate("(e) => e.open") is (size[0] > 1000)
    board = page.locator("#board").bounding_box()
    assert board
    assert board["y"] + board["height"] <= size[1]


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)])
def test_an_opened_summary_is_above_the_board_and_closes(open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(territory(), "#n=10", width=size[0], height=size[1])
    summary, board = page.locator("#summary"), page.locator("#board")
    before = board.bounding_box()
    for closing in ("Escape", "a", "h1"):
        summary.locator("summary").click()
        expect(summary.locator("li").last).to_be_in_viewport(ratio=1)
        assert board.bounding_box() == before
        if closing == "Escape":
            page.keyboard.press(closing)
        else:
            page.locator(f"#summary {closing}" if closing == "a" else closing).first.click()
        expect(summary.locator("li").last).to_be_hidden()
        assert board.bounding_box() == before
    expect(page.locator("#number")).to_have_value("21")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "The game is over. Draw (agreed)."), ("pt", "O jogo acabou. Empate (por acordo).")],
)
def test_summary_and_board_name_a_draw_in_one_sentence(
    open_page: Open, tmp_path: Path, language: str, sentence: str
) -> None:
    path = tmp_path / "drawn.jsonl"
    with gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"}) as recorder:
        recorder.append({"do": "@agree", "by": "red", "result": {"winners": [], "reason": "agreed"}})
        recorder.append({"do": "@accept", "by": "blue", "about": 1})
    page = open_page(fold_record(read_record(path)), "#n=2", language=language, width=1280, height=900)
    expect(page.locator("#summary p")).to_have_text(sentence)
    expect(page.locator("#turn")).to_have_text(sentence)
    expect(page.locator("#said")).to_contain_text(sentence)


def test_the_whole_board_is_above_the_buttons_on_a_phone(open_page: Open) -> None:
    """The board and the sentence of Zone Control are the tallest."""
    page = open_page(
        fold_record(read_record(DIRECTORY / "zone_control" / "full-4.jsonl")), "#n=34", width=390, height=844
    )
    bottom, top = page.evaluate(
        "[document.querySelector('#board').getBoundingClientRect().bottom, document.querySelector('.desk').getBoundingClientRect().top]"
    )
    assert bottom <= top + 1


def test_one_key_goes_from_turning_point_to_turning_point(open_page: Open) -> None:
    page = open_page(territory(), width=1440, height=900)
    number = page.locator("#number")
    for key, n in (("k", "21"), ("k", "47"), ("k", "84"), ("Shift+K", "47")):
        page.keyboard.press(key)
        expect(number).to_have_value(n)
    expect(page.locator("li.event", has=page.locator("[aria-current]"))).to_contain_text(
        "▼ Lena loses 2 in one turn, and Ana takes the lead, 5 to 4."
    )
    signs = page.locator("#plot .sign").get_attribute("d") or ""
    assert signs.count("M") == 5
    page.locator("#summary a", has_text="101").click()
    expect(number).to_have_value("101")


@pytest.mark.parametrize("game", ["slicewars/full-4", "zone_control/full-4", "dice_flags/full-4"])
def test_a_phone_shows_the_whole_result_before_the_summary_is_opened(open_page: Open, game: str) -> None:
    page = open_page(fold_record(read_record(DIRECTORY / f"{game}.jsonl")), width=390, height=844)
    line = page.locator("#summary > summary")
    right = line.evaluate(
        "(e) => e.getBoundingClientRect().right - parseFloat(getComputedStyle(e).paddingRight)"
    )
    assert line.locator("b").last.evaluate("(e) => e.getBoundingClientRect().right") <= right


def test_a_link_right_after_a_jump_is_followed(open_page: Open) -> None:
    """The address of the jump is written late. Here that happens between the tap on a link and the event about it."""
    page = open_page(territory(), width=1440, height=900)
    page.evaluate(
        "() => { window.timers = []; const real = setTimeout;"
        " window.setTimeout = (act, ...more) => { timers.push(act); return real(act, ...more); }; }"
    )
    page.keyboard.press("k")
    expect(page.locator("#number")).to_have_value("21")
    page.evaluate(
        """() => { document.querySelector('#summary a[href="#n=101"]').click(); for (const act of timers) act(); }"""
    )
    expect(page.locator("#number")).to_have_value("101")
    assert page.evaluate("location.hash") == "#n=101"


def test_forced_colours_frame_only_the_player_to_move(open_page: Open) -> None:
    page = open_page(territory(), "#n=21", forced_colors="active")
    frames = "(cards) => new Set(cards.map((card) => getComputedStyle(card).borderTopColor)).size"
    assert page.locator(".card:not(.active)").evaluate_all(frames) == 1
    assert page.locator(".card").evaluate_all(frames) == 2


def test_paper_begins_with_the_summary(open_page: Open) -> None:
    page = open_page(territory(), width=390, height=844, language="pt")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    tops = page.evaluate(
        "['#summary', '#paper'].map((id) => document.querySelector(id).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)


def test_paper_has_a_board_and_whole_sentences_for_each_turning_point(open_page: Open) -> None:
    page = open_page(territory(), width=390, height=844, language="pt")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    key = page.locator("#paper .key figure")
    numbers = page.locator("#paper figcaption b").all_text_contents()
    assert numbers[:5] == ["21. ", "47. ", "84. ", "101. ", "148. "]
    assert len(numbers) == len(set(numbers)), "each position is printed once"
    expect(key).to_have_count(5)
    expect(key.first.locator("strong")).to_have_text("▼ Rui passa para a frente, 4 a 3.")
    assert not key.locator(".piece").first.is_hidden()
    expect(page.locator("#summary p")).to_be_visible()
    expect(page.locator("#summary ol")).to_be_hidden()


@pytest.mark.parametrize("name", ["zone_s/full-2", "slicewars/full-4"])
def test_without_javascript_the_page_shows_summary_and_end(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(replay_page(fold_record(read_record(DIRECTORY / f"{name}.jsonl"))), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.locator("#summary ol li").first).to_be_visible()
    expect(page.locator("noscript pre")).to_contain_text(
        "red (r): territories 30" if "slice" in name else "dominion (d): captured 24"
    )
    expect(page.locator("main")).to_be_hidden()
    entries = page.locator("noscript li")
    if "slice" in name:
        assert entries.count() == 0  # long lists are left out
    else:
        expect(entries.first).to_have_text("1–80. 80 hidden events.")
        assert entries.count() == 1 + 10
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#summary").evaluate("(e) => getComputedStyle(e).borderTopWidth") == "0px"
    expect(page.locator("noscript .blank")).to_be_hidden()
    context.close()


def test_sentences_have_the_person_of_their_event_with_and_without_javascript(
    open_page: Open, browser: Browser, tmp_path: Path
) -> None:
    made = folded([*game()[:10], common_events.Substitute(11, 24_000, "table", "red", "Omar")])
    told = open_page(made).locator("li.event .said").all_inner_texts()
    assert told[0] == "Ana lays a die on a."
    path = tmp_path / "page.html"
    path.write_text(replay_page(made), encoding="utf-8")
    page = browser.new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    written = page.locator("noscript li").all_inner_texts()
    assert len(written) == len(told) == 11
    for n, text in enumerate(told, 1):  # the list adds what was taken back
        assert f"{n}. {text}".startswith(written[n - 1])
    page.close()


def test_turning_points_have_the_person_of_their_event(open_page: Open) -> None:
    page = open_page(territory())
    told = page.locator("#summary ol li").all_text_contents()
    assert [text.split()[2] for text in told[1:3]] == ["Lena", "Omar"], "event 74 seats Omar instead of Lena"
