"""Tests of the replay page on different devices, for different readers, and with any record."""

from __future__ import annotations

import gzip
import re
from html import unescape
from pathlib import Path

import pytest
from gamelog_reports.packed import embedded_text
from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Browser, Page, expect

from gamelog.play.contract.locales import LANGUAGES
from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.envelope import DiceSpec, Header, Seat
from gamelog.record.escaping import escape_invisible
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.browser.bidi import not_isolated
from tests.browser.conftest import Open, until
from tests.reports import payload
from tests.reports.toy import Lay, folded, game, header
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser

HOSTILE = (
    "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\"'&{{7*7}}\u202edexif "
    + "long" * 2500
)


def test_content_of_a_record_is_always_text(open_page: Open) -> None:
    events = [*game()[:2], common_events.Note(3, 5_000, "red", HOSTILE)]
    page = open_page(folded(events, header(HOSTILE, HOSTILE, event=HOSTILE)), "#n=3")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.scripts.length") == 6
    expect(page.locator("#said bdi").nth(1)).to_have_text(escape_invisible(HOSTILE))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert re.search(r"<title>[^<]{0,400}</title>", page.content())


@pytest.mark.parametrize("seat", [None, "red"])
def test_characters_that_pages_reserve_are_text_like_any_other(open_page: Open, seat: str | None) -> None:
    odd = "\x7f\x80\x81\x82\x83"
    events = [
        *game()[:2],
        common_events.Amend(3, 5_000, "table", seats={"red": common_events.SeatNames(name=f"Ana{odd}")}),
        common_events.Claim(4, 6_000, "N", f"no{odd}"),
    ]
    page = open_page(folded(events), "#n=4", seat=seat)
    expect(page.locator("#said bdi").nth(1)).to_have_text(escape_invisible(f"no{odd}"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#said")).to_contain_text(escape_invisible(f"Ana{odd}"))


@pytest.mark.parametrize("width", [320, 1280])
def test_the_longest_names_fit_everywhere(open_page: Open, width: int) -> None:
    page = open_page(
        folded(game(), header(HOSTILE, HOSTILE, event=HOSTILE)), "#n=10", width=width, height=640
    )
    for seat in ("red", "all"):
        page.get_by_label("View").select_option(seat)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for act in ("position", "about", "help"):
        page.evaluate(f"document.querySelector('[data-act={act}]').click()")
        inside = page.locator("dialog[open]")
        assert inside.evaluate(
            "(node) => node.scrollWidth <= node.clientWidth + 1 && node.getBoundingClientRect().right <= innerWidth"
        )
        page.keyboard.press("Escape")
    box = page.get_by_role("button", name="Next event", exact=True).bounding_box()
    assert box
    assert box["x"] + box["width"] <= width
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_long_names_whole_in_the_heading(open_page: Open, width: int) -> None:
    names = ["Maria Leopoldina de Albuquerque e Featherstonehaugh", "Terrivelmente Rui Sá"]
    page = open_page(folded(game(), header(*names)), width=width, height=844)
    heading = page.locator("h1")
    assert heading.locator("bdi").all_text_contents() == names
    assert heading.evaluate("(one) => one.scrollHeight <= one.clientHeight")


def test_direction_characters_of_people_do_not_change_a_line(open_page: Open) -> None:
    evil = "Ana\u2069\u202e"
    events = [Lay(1, 0, "red", "a", "die"), common_events.Note(2, 5, "blue", "gnp\u202e.exe\u200f\u061c")]
    page = open_page(folded(events, header(evil, "Rui", **{"round\u202e": "\u20661"})), "#n=1")
    name = page.locator("#said bdi").first
    assert name.evaluate("(node) => getComputedStyle(node).unicodeBidi") in ("isolate", "isolate-override")
    for part in (page.title(), page.locator("h1").inner_text(), page.locator("#said").inner_text()):
        assert "Ana\\u2069\\u202e" in part
    everything = page.content() + page.evaluate(
        "document.body.innerText + document.querySelector('#facts').textContent"
    )
    assert re.findall("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", everything) == []
    assert "round\\u202e" in (page.locator("#facts").text_content() or "")


def test_names_from_right_to_left_do_not_turn_buttons_and_titles(open_page: Open) -> None:
    page = open_page(folded(game(), header("אבי", "دانة ليلى")), "#n=9")
    assert not_isolated(page, "אבי", "دانة ليلى") == []


def test_the_dark_theme_follows_the_system_or_the_users_choice(open_page: Open) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = open_page(folded(game())).evaluate(paper)
    page = open_page(folded(game()), color_scheme="dark")
    assert page.evaluate(paper) != light
    page.keyboard.press("t")
    assert page.evaluate(paper) == light
    page.reload()
    page.wait_for_selector("html.ready")
    assert page.evaluate(paper) == light


def test_pieces_move_unless_motion_is_off(open_page: Open) -> None:
    moves = """(key) => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        return document.querySelector("#board").getAnimations({ subtree: true }).length;
    }"""  # counted at once, because on a busy machine the motion ends before a later count
    page = open_page(folded(game()), "#n=13")
    assert page.evaluate(moves, "ArrowRight") == 1
    assert page.evaluate(moves, "Home") == 0
    calm = open_page(folded(game()), "#n=13", reduced_motion="reduce")
    assert calm.evaluate(moves, "ArrowRight") == 0
    page.evaluate("gamelog.goto(13)")
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Animate pieces").click()
    assert page.evaluate(moves, "ArrowRight") == 0


@pytest.mark.grid
@pytest.mark.parametrize(("width", "height"), [(320, 480), (640, 400), (390, 844), (1920, 1080)])
def test_the_page_fits_the_width_of_any_screen(open_page: Open, width: int, height: int) -> None:
    page = open_page(
        folded(game(), header("A name that is rather long for a phone", "Rui")),
        "#n=5",
        width=width,
        height=height,
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    board = page.locator("#board").bounding_box()
    assert board
    assert board["width"] > width * 0.4
    for button in page.locator(".controls button").all():
        expect(button).to_be_visible()


def test_everything_has_a_name_and_shows_its_focus(open_page: Open) -> None:
    page = open_page(folded(game()))
    nameless = page.evaluate(
        """[...document.querySelectorAll('button, input, select, summary, [role=img], [role=region], dialog')].filter((node) =>
            !node.getAttribute('aria-label') && !node.getAttribute('aria-labelledby') && !node.labels?.length
            && !node.textContent.trim()).length"""
    )
    assert nameless == 0
    expect(page.locator("#said")).to_have_attribute("aria-live", "polite")
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_swipes_and_taps(open_page: Open) -> None:
    page = open_page(folded(game()), width=390, height=844, has_touch=True)
    box = page.locator(".field").bounding_box()
    assert box
    x, y = box["x"], box["y"] + box["height"] / 2
    page.touchscreen.tap(x + box["width"] * 0.8, y)
    expect(page.locator("#number")).to_have_value("1")
    page.touchscreen.tap(x + box["width"] * 0.1, y)
    expect(page.locator("#number")).to_have_value("0")
    swipe(page, 250, 100)
    expect(page.locator("#number")).to_have_value("1")
    swipe(page, 100, 250)
    expect(page.locator("#number")).to_have_value("0")


def swipe(page: Page, start: int, end: int) -> None:
    page.evaluate(
        """([start, end]) => {
            const field = document.querySelector('.field'), y = field.getBoundingClientRect().top + 30;
            const send = (type, x) => field.dispatchEvent(new PointerEvent(type,
                { pointerType: 'touch', isPrimary: true, clientX: x, clientY: y, bubbles: true }));
            send('pointerdown', start);
            send('pointerup', end);
        }""",
        [start, end],
    )


def test_prints_the_board_at_each_round_and_comment_and_every_event(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    told = page.locator("#paper figcaption").all_text_contents()
    assert [text.split(".")[0] for text in told] == ["2", "6", "11", "14"]  # rounds end at 2, 6 and 11
    assert "2. Rui lays a pawn on b." in told[0]
    expect(page.locator("#paper figure").nth(3).locator(".piece")).to_have_count(2)
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator("li.event").last).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#paper figure")).to_have_count(0)


@pytest.mark.parametrize("fragment", ["#embed&n=3", "?embed#n=3"])
def test_an_embedded_page_shows_only_the_board(open_page: Open, fragment: str) -> None:
    page = open_page(folded(game()), fragment)
    expect(page.locator("#number")).to_have_value("3")
    expect(page.locator("header")).to_be_hidden()
    expect(page.locator("#list")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**n=4")
    assert "embed" in page.url


def test_a_game_that_is_not_installed_still_has_a_list_of_events(open_page: Open) -> None:
    head = Header(
        id="x", game="chess", rules="1", started="2026-01-01T00:00:00Z", seats=(Seat("white", "Ana"), Seat("black", "Rui")),
        options={}, board="eight", dice=DiceSpec("table"),
    )  # fmt: skip
    page = open_page(
        fold_record(parse_record(compose(head, [common_events.Note(1, 0, "white", "hello")])[0]))
    )
    expect(page.locator("main")).to_contain_text("The board cannot be shown")
    expect(page.locator(".finding")).to_contain_text('No game "chess" is installed')
    expect(page.locator("li.event")).to_have_count(1)


def test_a_damaged_page_reports_its_damage(open_page: Open) -> None:
    html = replay_page(folded(game()))
    page = open_page(payload.PAGE_DATA.sub(lambda match: match[1] + match[2][:200] + match[3], html))
    expect(page.locator("main")).to_contain_text("This page cannot open its game")


def test_an_old_browser_gets_an_explanation(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(replay_page(folded(game())), encoding="utf-8")
    page = browser.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(path.as_uri())
    expect(page.locator("#missing")).to_contain_text(
        "(ReferenceError: DecompressionStream is not defined). Use a browser from 2023 or later"
    )
    page.close()


def test_a_changed_script_does_not_run(browser: Browser, tmp_path: Path) -> None:
    html = replay_page(folded(game()))
    evil = embedded_text(b"document.title = 'evil'; document.documentElement.classList.add('ready')")
    path = tmp_path / "page.html"
    path.write_text(re.sub(r'(id="script">)[^<]*', lambda found: found[1] + evil, html), encoding="utf-8")
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(path.as_uri(), wait_until="commit")
    until(page, "document.scripts.length === 5")
    assert page.title() != "evil"
    assert ["Content Security Policy" in text for text in refused] == [True]
    page.close()


def test_the_load_event_waits_for_the_board(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(replay_page(folded(game())), encoding="utf-8")
    page = browser.new_page()
    page.add_init_script(
        "addEventListener('load', () => { window.seen = document.querySelectorAll('#board .cell').length; })"
    )
    page.goto(path.as_uri(), wait_until="load")
    assert page.evaluate("seen") > 0
    page.close()


def test_the_menu_closes_by_escape_and_by_a_click_elsewhere(open_page: Open) -> None:
    page = open_page(folded(game()))
    inside = page.get_by_role("button", name="About this record")
    page.locator("details.menu summary").click()
    expect(inside).to_be_visible()
    page.keyboard.press("Escape")
    expect(inside).to_be_hidden()
    page.locator("details.menu summary").click()
    page.locator("h1").click()
    expect(inside).to_be_hidden()


@pytest.mark.parametrize("data", [b"", b"nonsense\n", b'{"h":"'])
def test_the_page_of_a_file_that_is_not_a_record_names_the_problem(open_page: Open, data: bytes) -> None:
    page = open_page(fold_record(parse_record(data)))
    expect(page.locator(".finding.error").first).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_small_and_makes_no_requests(language: str) -> None:
    """The file has only the parts and styles of a page without JavaScript. The packed script adds all others.

    A page without data may have 125 kB. The limits here are half of this, and show a sudden growth.
    """
    html = replay_page(folded([]), language=language)
    assert len(payload.bare(html)) < 62_500
    assert len(gzip.compress(payload.bare(html))) < 46_000
    assert re.search(r"default-src 'none'; script-src('? 'sha256-[\w+/=]{44}){2}';", unescape(html))
    assert "http:" not in re.sub(r'"http://www\.w3\.org/2000/svg"', "", html)
    assert "https:" not in html


def test_the_page_of_a_long_game_is_small_too() -> None:
    """The limit is 90 kB. The rest is room for further texts and styles."""
    folded_record = fold_record(read_record(DIRECTORY / "slicewars" / "full-4.jsonl"))
    for language in LANGUAGES:
        assert len(replay_page(folded_record, language=language).encode()) <= 83_000


@pytest.mark.grid
@pytest.mark.parametrize(
    ("width", "height", "least"), [(480, 360, 0.5), (800, 600, 0.5), (360, 480, 0.4), (300, 150, 0.4)]
)
def test_in_a_frame_the_board_takes_most_of_the_room(
    open_page: Open, width: int, height: int, least: float
) -> None:
    page = open_page(folded(game()), "#embed&n=10", width=width, height=height)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(".field").bounding_box()
    assert box
    assert box["width"] * box["height"] > least * width * height
    expect(page.get_by_role("button", name="Next event", exact=True)).to_be_in_viewport()


def test_print_shows_points_and_time_of_the_end(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=2")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".card", has_text="Ana").locator(".score")).to_have_text("1")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#number")).to_have_value("2")
