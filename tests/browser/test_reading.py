"""Tests of the information near the board and in the list: faults, times, captures, paths, hidden pieces."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from msgspec import structs
from playwright.sync_api import Page, expect

from gamelog.games.dice_flags.events import Move
from gamelog.games.zone_control.events import Occupy, Step
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.record.envelope import Parent
from gamelog.record.reading import read_record
from tests.browser.conftest import Open
from tests.reports.toy import Lay, folded, game, header
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser


def sample(name: str) -> FoldedRecord:
    return fold_record(read_record(DIRECTORY / f"{name}.jsonl"))


def test_an_illegal_move_that_was_played_has_its_finding_below_the_board(open_page: Open) -> None:
    page = open_page(sample("slicewars/as_played"), "#n=102")
    fault = page.locator("#fault .finding")
    expect(fault).to_have_class("finding error")
    expect(fault).to_contain_text("disputed")
    expect(fault).to_contain_text("SW-11")
    fault.locator("summary").click()
    assert fault.locator("li").count() > 5
    red = fault.evaluate("node => getComputedStyle(node).borderLeftColor")
    assert (
        red
        == page.locator("#list .finding").evaluate("node => getComputedStyle(node).borderLeftColor")
        == "rgb(168, 35, 28)"
    )
    page.keyboard.press("ArrowRight")
    expect(fault).to_have_count(0)


def test_the_end_shows_the_event_that_could_not_be_played(open_page: Open) -> None:
    page = open_page(folded([*game()[:2], Lay(3, 9_000, "red", "nowhere", "die")]), "#n=1")
    expect(page.locator("#fault")).to_be_empty()
    page.keyboard.press("f")
    expect(page.locator("#number")).to_have_value("2")
    expect(page.locator("#fault")).to_contain_text("there is no cell nowhere")


def test_the_list_shows_the_times_of_the_clock(open_page: Open) -> None:
    page = open_page(folded(game()))
    expect(page.locator("li.event time").nth(12)).to_have_text("0:26")


def test_captures_are_losses_of_other_players_on_the_board(open_page: Open) -> None:
    page = open_page(folded(game()))
    page.get_by_label("Kind of event").select_option("captures")
    expect(page.locator("li.event:not([hidden]) .n")).to_have_text("10")


@pytest.mark.grid
@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("slicewars/full-2", "conquered"),
        ("zone_s/ended-base", "taken"),
        ("zone_control/full-4", "sent_home"),
        ("dice_flags/full-2", "imprisoned"),
    ],
)
def test_captures_of_real_games_are_found(open_page: Open, name: str, by: str) -> None:
    page = open_page(sample(name))
    page.get_by_label("Kind of event").select_option("captures")
    expect(page.locator("#found")).to_have_text(re.compile(r"^[1-9]\d* events$"))
    shown = int((page.locator("#found").text_content() or "").split()[0])
    assert shown < page.evaluate("gamelog.last") / 2, by


def ways(page: Page, n: int) -> int:
    page.evaluate(f"gamelog.goto({n})")
    return int(page.locator("#board .way:not(.casing, .tip)").count())


def test_buttons_for_events_that_a_game_lacks_are_disabled(open_page: Open) -> None:
    page = open_page(folded(game()))
    expect(page.get_by_role("button", name="Next contest")).to_be_enabled()
    expect(page.get_by_role("button", name="Next finding")).to_be_disabled()


def test_only_moves_have_an_arrow(open_page: Open) -> None:
    """A challenge names squares without an order, an occupation names pairs, and a move of Dice names its path."""
    folded = sample("zone_control/full-4")
    tags = {event.n: event.__struct_config__.tag for event in folded.events}
    page = open_page(folded)
    first = {
        tag: next(n for n, one in tags.items() if one == tag)
        for tag in ("step", "challenge", "occupy", "end_turn")
    }
    assert ways(page, first["step"]) == 1
    assert ways(page, first["challenge"]) == 0
    assert page.locator("#board .mark.named").count() >= 1
    occupy = folded.events[first["occupy"] - 1]
    assert isinstance(occupy, Occupy)
    assert ways(page, first["occupy"]) == len(occupy.placement)
    before = [one for n, one in tags.items() if n < first["end_turn"] and one == "step"]
    assert 1 <= ways(page, first["end_turn"]) <= len(before), "the end of a turn shows all its moves"
    dice = sample("dice_flags/full-4")
    move = next(event for event in dice.events if isinstance(event, Move) and len(event.path) == 3)
    other = open_page(dice)
    assert ways(other, move.n) == 1
    corners = other.locator("#board .way").first.get_attribute("d") or ""
    assert corners.count("L") + 1 == 4  # its origin and its three steps


def test_the_steps_of_a_piece_in_a_turn_are_one_route_with_one_head(open_page: Open) -> None:
    folded = sample("zone_control/full-4")
    steps = [event for event in folded.events if isinstance(event, Step)]
    first, second = next(
        (one, other)
        for one, other in pairwise(steps)
        if other.n == one.n + 1 and one.by == other.by and one.dst == other.src and one.src != other.dst
    )
    page = open_page(folded, f"#n={second.n}")
    expect(page.locator("#board .tip")).to_have_count(1)
    corners = page.locator("#board .way").first.get_attribute("d") or ""
    page.evaluate(f"gamelog.goto({first.n})")
    shorter = page.locator("#board .way").first.get_attribute("d") or ""
    assert corners.count("L") == shorter.count("L") + 1


def test_a_draw_from_the_bag_is_not_called_a_roll(open_page: Open) -> None:
    page = open_page(sample("zone_s/full-2"), "#n=20")
    assert page.locator("#turn").text_content() in ("Ana draws", "Rui draws")
    expect(open_page(sample("zone_control/full-4")).locator("#turn")).to_have_text("the table rolls")


def test_names_of_trays_do_not_overlap_their_pieces(open_page: Open) -> None:
    page = open_page(sample("dice_flags/full-4"), "#n=200", width=1366, height=768)
    clear = page.evaluate(
        """() => [...document.querySelectorAll('.label.tray')].every((name) => {
            const box = name.getBoundingClientRect();
            return [...document.querySelectorAll('.piece')].every((piece) => {
                const own = piece.getBoundingClientRect();
                return own.right <= box.left || own.left >= box.right || own.top >= box.bottom - 1 || own.bottom <= box.top;
            });
        })"""
    )
    assert clear


def test_a_hidden_setup_stays_hidden_until_it_is_revealed(open_page: Open) -> None:
    page = open_page(folded(game()), "#n=6")
    said, down = page.locator("#said"), page.locator('#board [data-look="token,1"]')
    expect(page.get_by_label("View")).to_have_value("hidden")
    expect(said).to_have_text("Rui lays something on h.")
    expect(page.locator("li.event").nth(5)).to_contain_text("lays something on h")
    expect(page.locator("li.event").nth(6)).to_contain_text("goes from a to c")  # all players see this one
    expect(down).to_have_count(1)
    expect(page.locator("#board .mark.named")).to_have_count(0)
    for seat, words in (
        ("all", "lays a flag on h"),
        ("N", "lays a flag on h"),
        ("red", "lays something on h"),
    ):
        page.get_by_label("View").select_option(seat)
        expect(said).to_contain_text(words)
        expect(page.locator("li.event").nth(5)).to_contain_text(words)
    page.keyboard.press("Escape")
    page.evaluate("gamelog.goto(11)")
    expect(said).to_have_text("Rui turns all up.")
    expect(down).to_have_count(0)


def test_a_hidden_setup_of_a_real_game(open_page: Open) -> None:
    page = open_page(sample("zone_s/full-2"), "#n=70")
    unknown = page.locator("#board .tile.face-down")
    expect(unknown).to_have_count(38)
    page.get_by_label("View").select_option("As Ana sees it")
    expect(unknown).to_have_count(19)
    page.get_by_label("View").select_option("Everything visible")
    expect(unknown).to_have_count(0)
    page.get_by_label("View").select_option("Hidden until revealed")
    page.evaluate("gamelog.goto(81)")
    expect(unknown).to_have_count(0)
    expect(open_page(sample("slicewars/short")).locator("#view")).to_be_hidden()


def test_a_branch_shows_its_first_event(open_page: Open) -> None:
    parent = Parent("0d1c7a52-0f0e-4a55-9c0e-0d6c5a9b7f10", 4, "A" * 43)
    page = open_page(folded(game(), structs.replace(header(), parents=(parent,))))
    expect(page.locator("li.event", has_text="branch of 0d1c7a52").locator(".n")).to_have_text("5")


def test_an_event_without_a_sentence_is_shown_by_its_members(open_page: Open) -> None:
    """Dice describes a move by its effects, and an event that was not played has no effects."""
    page = open_page(sample("dice_flags/illegal-turn"), "#n=21")
    expect(page.locator("li.unplayed .said")).to_contain_text("Rui: move soldier ")
    expect(page.locator("li.unplayed .said")).to_contain_text("path ")
    page.locator("#fault summary").click()
    expect(page.locator("#fault li").first).to_contain_text("Ana: move soldier")
