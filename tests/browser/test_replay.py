"""Tests of the replay page in a real browser: steps, keys, permalinks, texts and actions."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.conftest import Open
from tests.reports.toy import Lay, folded, game, long_game
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser


def menu(page: Page, name: str) -> None:
    page.locator("details.menu summary").click()
    page.get_by_role("button", name=name).click()


def at(page: Page, n: int) -> None:
    expect(page.locator("#number")).to_have_value(str(n))


def test_steps_by_buttons_keys_slider_and_number(open_page: Open) -> None:
    page = open_page(folded(game()))
    said = page.locator("#said")
    expect(said).to_have_text("The start of the game.")
    page.get_by_role("button", name="Next event", exact=True).click()
    expect(said).to_have_text("Ana lays a die on a.")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("Rui lays a pawn on b.")
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text("Ana lays a die on a.")
    page.keyboard.press("End")
    at(page, 14)
    page.keyboard.press("Home")
    at(page, 0)
    page.locator("#slider").fill("5")
    expect(said).to_contain_text("Ana rolls 2 against 5: lost.")
    page.keyboard.press("g")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(said).to_have_text("Ana goes from a to b.")


def test_the_board_shows_the_position(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=2")
    expect(page.locator("#board .piece")).to_have_count(2)
    expect(page.locator("#board .owner")).to_have_count(2)
    expect(page.locator("#board .mark.changed")).to_have_count(1)
    page.keyboard.press("Home")
    expect(page.locator("#board .piece")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("#board .piece")).to_have_count(2)
    expect(page.locator("#board .way:not(.casing, .tip)")).to_have_count(1)


def test_search_for_contests_points_comments_and_findings(open_page: Open) -> None:
    page = open_page(folded([*game(), *long_game(16)[14:]]))  # event 15 moves a piece that does not exist
    for key, n in (("m", 3), ("c", 5), ("s", 10), ("m", 10)):
        page.keyboard.press(key)
        at(page, n)
    page.get_by_role("button", name="Next finding").click()
    at(page, 14)  # the finding is about the event after the last playable one
    expect(page.locator("#ticks .t-finding")).to_have_attribute("d", "M14 0V12")


def test_the_permalink_opens_its_event_and_follows_steps(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=4")
    expect(page.locator("#said")).to_have_text("Ana goes from a to b.")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#n=5")
    page.evaluate("location.hash = '#n=2'")
    expect(page.locator("#said")).to_have_text("Rui lays a pawn on b.")
    expect(page.locator("li.event a[aria-current=step]")).to_have_attribute("href", "#n=2")
    page.locator("li.event", has_text="turns all up").locator("a").click()
    at(page, 11)


def test_play_pause_and_speed(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.clock.install()
    page.locator("#speed").select_option("2")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#number")).to_have_value(re.compile(r"[2-9]|\d\d"))
    page.locator("body").press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    stopped = page.evaluate("gamelog.n")
    page.clock.run_for(10_000)
    assert page.evaluate("gamelog.n") == stopped
    page.locator("#speed").select_option("real")
    page.keyboard.press("End")
    expect(page.locator("#captions")).to_contain_text("clock0:30")  # 90 s, less a minute of pause


def test_a_step_changes_only_the_elements_that_look_different(open_page: Open) -> None:
    page = open_page(folded(game()))
    stayed, made_anew = page.evaluate("""() => {
        const panels = [...document.querySelectorAll(".card .captions")], counts = [0, 0];
        for (let n = 1; n <= gamelog.last; n++) {
            const before = panels.map((panel) => [panel.innerHTML, panel.firstChild]);
            gamelog.goto(n);
            panels.forEach((panel, at) => {
                if (panel.innerHTML === before[at][0]) counts[Number(panel.firstChild !== before[at][1])]++;
            });
        }
        return counts;
    }""")
    assert stayed > 5
    assert made_anew == 0


def test_dice_sums_odds_and_luck(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=10")
    dice = page.locator("#dice")
    expect(dice.locator(".die")).to_have_count(2)
    expect(dice).to_contain_text("Ana won (chance to win: 41.7 %)")
    expect(page.locator(".card", has_text="Ana").locator(".luck dd")).to_have_text("+0.17")  # 1 - 2 * 15/36
    expect(page.locator(".card", has_text="Rui").locator(".luck dd")).to_have_text("−0.17")
    expect(page.locator(".card", has_text="Ana").locator(".score")).to_have_text("1")


def test_points_over_time_can_be_clicked(open_page: Open) -> None:
    page = open_page(folded(game()))
    expect(page.locator("#plot .line")).to_have_count(2)
    expect(page.locator("#ends b")).to_have_text(["1", "0"])
    box = page.locator("#plot").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    at(page, 7)


def test_a_takeback_marks_the_events_that_it_undid(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=8")
    undone = page.locator("li.event.undone")
    expect(undone).to_have_count(1)
    expect(undone).to_contain_text("Ana goes from a to c.")
    expect(undone).to_contain_text("taken back by event 8")


def test_search_and_filter(open_page: Open) -> None:
    page = open_page(folded(game()))
    shown = page.locator("li.event:not([hidden])")
    page.keyboard.press("/")
    page.keyboard.type("PAWN")
    expect(shown).to_have_count(1)
    expect(page.locator("#found")).to_have_text("1 events")
    page.locator("#search").fill("")
    page.locator("#kind").select_option("contest")
    expect(shown).to_have_count(2)
    page.locator("#kind").select_option("common")
    expect(shown).to_have_count(4)


def test_a_finding_has_its_rule_and_the_legal_events(open_page: Open) -> None:
    page = open_page(folded([*game()[:2], Lay(3, 9_000, "red", "nowhere", "die")]))
    finding = page.locator("li.unplayed .finding")
    expect(finding).to_contain_text("there is no cell nowhere")
    expect(finding).to_contain_text(
        "TY-2 Things are laid on the <b>cells</b> of the board, two words of it in the next line."
    )
    finding.locator("summary").click()
    expect(finding.locator("li").first).to_have_text("Ana lays a disc on a.")
    expect(page.locator(".chip.s-illegal")).to_be_visible()


def test_groups_by_round(open_page: Open) -> None:
    page = open_page(folded(game()))
    expect(page.locator("#list h3").first).to_have_text("Round 1 · Ana")


def test_keys_are_explained(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("one event back or forward")
    page.keyboard.press("ArrowRight")
    at(page, 0)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    at(page, 1)


def test_the_script_interface(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.evaluate(
        "seen = []; addEventListener('gamelog:step', ({ detail }) => seen.push([detail.n, detail.from]), true)"
    )
    page.evaluate("gamelog.goto(5)")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("seen") == [[5, 0], [6, 5]]
    assert page.evaluate("gamelog.last") == 14


def test_jumps_in_a_long_game(open_page: Open) -> None:
    page = open_page(folded(long_game(2_500)), "#n=2499")
    expect(page.locator("#said")).to_have_text("Ana goes from a to b.")
    for n in (1, 2_500, 1_250, 0):
        page.evaluate(f"gamelog.goto({n})")
        at(page, n)
    expect(page.locator("#board .piece")).to_have_count(0)


def test_portuguese(open_page: Open) -> None:
    page = open_page(folded(game()), language="pt")
    assert page.locator("html").get_attribute("lang") == "pt"
    expect(page.locator("#turn")).to_have_text("A jogar: Ana")
    page.get_by_role("button", name="Evento seguinte").click()
    at(page, 1)


def test_decimals_have_the_format_of_the_language(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=10", language="pt")
    expect(page.locator("#dice")).to_contain_text("Ana ganhou (hipótese: 41,7 %)")
    expect(page.locator(".card", has_text="Ana").locator(".luck dd")).to_have_text("+0,17")


def test_odds_close_to_certain_are_not_called_certain(open_page: Open) -> None:
    page = open_page(
        fold_record(read_record(DIRECTORY / "slicewars" / "takeback.jsonl")), "#n=104"
    )  # six dice against one
    expect(page.locator("#dice")).to_contain_text("won (chance to win: > 99.99 %)")


def test_position_in_words(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=6")
    menu(page, "Position in words")
    words = page.get_by_role("dialog")
    expect(words).to_contain_text("Event 6 of 14")
    expect(words).to_contain_text("To move: Ana")
    expect(words).to_contain_text("Ana (0 points)a die 3.")
    expect(words).to_contain_text("b pawn; h face down.")


def test_the_record_dialog_shows_the_header(open_page: Open) -> None:
    page = open_page(folded(game()))
    menu(page, "About this record")
    facts = page.locator("#facts dt").all_text_contents()
    assert {"game", "started", "status", "dice", "board", "id"} <= set(facts)
