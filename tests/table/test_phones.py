"""Tests of the page on phones in a real browser: nothing that a person needs is covered, cut or out of sight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from gamelog.play.contract.registry import find
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, serve_in_thread
from tests.table.recorded import open_device
from tests.table.touch import Device

UPRIGHT = ["360x640", "390x844", "768x1024"]

UNDER = """([selector, over]) => {
  const box = document.querySelector(selector).getBoundingClientRect(), other = document.querySelector(over).getBoundingClientRect();
  return [box.height > 0, box.left < other.right - 1 && box.right > other.left + 1 && box.top < other.bottom - 1 && box.bottom > other.top + 1];
}"""
"""JavaScript for whether a part is shown, and whether it covers another part."""

SEEN = """(selector) => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect(), middle = (left + right) / 2;
  return [top + 2, bottom - 2].every((y) => document.querySelector(selector).contains(document.elementFromPoint(middle, y)));
}"""
"""JavaScript for whether nothing covers a part, and no part of it is out of sight."""

CUT_CHOICES = """(select) => {
  const copy = select.cloneNode(true), { width } = select.getBoundingClientRect();
  Object.assign(copy.style, { width: "max-content", position: "absolute" });
  select.parentNode.append(copy);
  const wanted = copy.getBoundingClientRect().width;
  copy.remove();
  return wanted > width + 1;
}"""
"""JavaScript for whether one of the choices is too long for its list."""


@pytest.fixture
def played(begun: Serving) -> Serving:
    """Return a server of a game in its set-up, with an open claim."""
    begun.scorer.write({"do": "claim", "at": "D1"})
    begun.scorer.write({"do": "@claim", "by": "blue", "about": 3, "text": "It was my turn. " * 8})
    return begun


def opened(browser: Browser, serving: Serving, role: str, size: str, n: int) -> Device:
    device = open_device(browser, serving.client_link(role), size)
    device.at(n)
    return device


def closes(device: Device) -> None:
    assert device.complaints == []
    device.context.close()


@pytest.mark.browser
def test_the_form_of_a_correction_covers_no_cell_and_no_key(browser: Browser, played: Serving) -> None:
    device = opened(browser, played, "scorer", UPRIGHT[0], 4)
    device.page.evaluate("document.getElementById('back').click()")
    device.page.evaluate("document.querySelector('#more [data-do=slip]').click()")
    device.wait("document.querySelector('#fixing .how button')")
    for size in UPRIGHT:
        width, height = map(int, size.split("x"))
        device.page.set_viewport_size({"width": width, "height": height})
        for part in ("#board", "#choices"):
            assert device.page.evaluate(UNDER, ["#fixing .form", part]) == [True, False], (size, part)
        assert device.page.evaluate(SEEN, "#fixing .form > .row:last-child button"), size
    closes(device)


TITLE_LINES = """() => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector("#fixing h2"));
  return words.getClientRects().length;
}"""
"""JavaScript that counts the lines of a correction's title."""


@pytest.mark.browser
@pytest.mark.parametrize("size", ["390x844", "844x390", "1024x768"])
def test_a_correction_shows_what_can_follow_when_a_later_event_does_not_fit(
    browser: Browser, table: Serving, size: str
) -> None:
    table.scorer.write({"do": "start_roll", "rolls": {"red": 5, "blue": 2}})
    for at in ("A1", "B1", "C1", "D1"):
        table.scorer.write({"do": "claim", "at": at})
    device = open_device(browser, table.client_link("scorer"), size, locale="pt-PT")
    device.at(5)
    device.page.locator("#slider").fill("2")
    device.page.evaluate("document.querySelector('#more [data-do=slip]').click()")
    device.wait("document.querySelectorAll('#fixing .how button').length === 2")
    for part in ("#fixing .how p", "#fixing .how button:last-child"):
        assert device.page.evaluate(SEEN, part), part
    device.tap_cell("C1")
    assert "Isto entra na correção." in device.page.inner_text("#held")
    device.release()
    device.wait("document.querySelectorAll('#fixing .ways button').length === 2")
    for part in ("#fixing .ways button:first-child", "#fixing .ways button:last-child"):
        assert device.page.evaluate(SEEN, part), part
    assert size == "844x390" or device.page.evaluate(SEEN, "#fixing p.bad"), (
        "on a low screen, the text scrolls"
    )
    assert device.page.evaluate(TITLE_LINES) <= 3, "each of the three words is whole"
    assert device.page.evaluate(UNDER, ["#fixing .form", "#choices"]) == [True, False]
    closes(device)


@pytest.mark.browser
def test_a_complete_correction_asks_only_whether_to_record_it(browser: Browser, begun: Serving) -> None:
    device = opened(browser, begun, "scorer", "390x844", 2)
    device.page.evaluate("document.querySelector('#more [data-do=slip]').click()")
    device.wait("document.querySelector('#fixing .how button')")
    device.tap_cell("D1")
    assert "goes into the correction" in device.page.inner_text("#held")
    device.release()
    device.wait("document.querySelector('#fixing button.main')")
    assert device.page.locator("#ask").inner_text() == ""
    assert device.page.locator("[data-cell]").count() == 0, "no place is lit"
    device.tap_button("Record", "#fixing")
    device.at(4)  # the event was replaced
    device.wait("document.querySelector('[data-cell]')")
    closes(device)


@pytest.mark.browser
def test_the_form_of_a_ruling_shows_its_decisions_and_the_name_at_once(
    browser: Browser, played: Serving
) -> None:
    device = opened(browser, played, "arbiter", "390x844", 4)
    for round in range(2):
        device.page.locator("#dispute .claim").first.tap()
        device.wait("document.querySelector('#more .form select')")
        form = device.page.locator("#more .form")
        assert device.page.evaluate(SEEN, "#more .form input[autocomplete=name]")
        assert not form.locator("select").first.evaluate(CUT_CHOICES)
        name = form.get_by_label("Arbiter’s name")
        assert name.input_value() == ("" if round == 0 else "Mei"), "the device remembers it"
        name.fill("Mei")
        form.locator("select").first.select_option("refused")
        if round == 0:
            device.wait("document.querySelector('#more .effect').textContent !== ''")
            form.get_by_role("button", name="Record").tap()
            device.at(5)
            played.scorer.write({"do": "@claim", "by": "red", "about": 3, "text": "No."})
            device.at(6)
    closes(device)


@pytest.mark.browser
def test_the_warning_about_a_claim_is_whole_and_the_lists_of_the_lobby_too(
    browser: Browser, played: Serving, tmp_path: Path
) -> None:
    device = opened(browser, played, "scorer", "390x844", 4)
    assert "open claim" in device.page.inner_text("#fault")
    assert device.page.evaluate(SEEN, "#fault .finding")
    assert device.page.locator("#fault .finding").evaluate(
        "(one) => one.scrollHeight <= one.clientHeight + 1"
    )
    closes(device)
    with serve_in_thread(tmp_path) as serving:
        for language in ("en-GB", "pt-PT"):
            lobby = Device(browser, serving.client_link("arbiter"), locale=language)
            for choice in lobby.page.locator(".tools select").all():
                assert not choice.evaluate(CUT_CHOICES), language
            closes(lobby)


@pytest.mark.browser
@pytest.mark.parametrize("size", ["390x844", "1024x768"])
def test_the_clock_is_in_sight_during_moves(browser: Browser, tmp_path: Path, size: str) -> None:
    lines = (DIRECTORY / "zone_control" / "full-4.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "zones.jsonl"
    path.write_bytes(b"".join(lines[:13]))
    with serve_in_thread(path) as serving:
        device = opened(browser, serving, "spectator", size, 12)
        assert device.page.evaluate(SEEN, "#clock")
        closes(device)


@pytest.mark.browser
def test_the_prompt_of_a_roll_names_the_dice_that_are_missing(browser: Browser, tmp_path: Path) -> None:
    gamelog.create(tmp_path / "dice.jsonl", "dice_flags", seats={"north": "Ana", "south": "Rui"})
    with serve_in_thread(tmp_path / "dice.jsonl") as serving:
        assert serving.scorer.write({"results": [[6], [2]]}).status == 201
        device = opened(browser, serving, "scorer", "390x844", 1)
        place = device.page.locator("#pad .ones").bounding_box()
        assert device.page.inner_text("#pad .given p") == "Ana: enter 2 dice"
        device.tap_button("6", "#pad .ones")
        assert device.page.inner_text("#pad .given p") == "Ana: enter 1 die"
        assert device.page.locator("#pad .ones").bounding_box() == place
        device.tap_button("2", "#pad .ones")
        device.release()
        device.at(2)
        words = device.page.locator("#ask button").all_inner_texts()
        assert words == ["Move 2 spaces", "Move 6 spaces"]
        closes(device)


@pytest.fixture
def in_rounds(tmp_path: Path) -> Iterator[Serving]:
    """Yield a server of a game of SliceWars whose rounds have begun, and in which no roll is due."""
    source = DIRECTORY / "slicewars" / "full-2.jsonl"
    steps = [*gamelog.read(source)]
    n = next(step.n for step in steps if step.event and type(step.event).__name__ == "Attack") - 1
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"".join(source.read_bytes().splitlines(keepends=True)[: n + 1]))
    with serve_in_thread(path) as serving:
        yield serving


def test_only_seats_that_can_resign_now_are_listed(begun: Serving, in_rounds: Serving) -> None:
    assert begun.scorer.get("/choices").json["resigning"] == []
    resign = {"do": "@resign", "by": "red"}
    assert begun.scorer.write(resign).status == 422
    assert in_rounds.scorer.get("/choices").json["resigning"] == ["red", "blue"]
    assert in_rounds.client("seat", "red").get("/choices").json["resigning"] == ["red"]
    assert in_rounds.scorer.write(resign).status == 201
    assert in_rounds.scorer.get("/choices").json["resigning"] == []


def test_a_game_that_fails_to_judge_a_resignation_offers_it_and_goes_on(
    begun: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_state: object, _seat: str) -> None:
        raise RuntimeError("no such seat")

    monkeypatch.setitem(vars(find("slicewars")), "retire", fail)
    offered = begun.scorer.get("/choices")
    assert (offered.status, offered.json["resigning"]) == (200, ["red", "blue"])
    assert begun.scorer.write({"do": "@resign", "by": "red"}).status == 500


@pytest.mark.browser
def test_resigning_is_offered_only_while_it_is_legal(
    browser: Browser, begun: Serving, in_rounds: Serving
) -> None:
    for serving, count in ((begun, 0), (in_rounds, 1)):
        device = opened(browser, serving, "scorer", "390x844", serving.scorer.get().json["n"])
        device.wait(f"document.querySelectorAll('#more [data-do=\"@resign\"]').length === {count}")
        closes(device)


@pytest.mark.browser
def test_a_resignation_says_what_it_means_and_has_a_visible_button(
    browser: Browser, in_rounds: Serving
) -> None:
    device = opened(browser, in_rounds, "scorer", "1024x768", in_rounds.scorer.get().json["n"])
    button = device.page.locator("#more > .row [data-do='@resign']")
    button.tap()
    form = device.page.locator("#more .form[data-do='@resign']")
    assert "gives up the game" in form.inner_text()
    device.wait("document.querySelector('#more .effect').textContent.includes('resigns')")
    assert "@" not in device.page.inner_text("#more .effect")
    assert form.get_by_role("button", name="Record").is_enabled()
    closes(device)


@pytest.mark.browser
def test_a_page_that_cannot_reach_the_server_at_its_start_says_so(browser: Browser, begun: Serving) -> None:
    context = browser.new_context()
    context.route("**/api/records", lambda route: route.abort())
    page = context.new_page()
    page.goto(begun.client_link("scorer"))
    page.wait_for_selector("html.ready")
    assert (
        page.inner_text("#hello") == "No connection to the table. Check the network, and load the page again."
    )
    context.close()


CUT_ODDS = """(last) => {
  const slider = document.getElementById("slider"), cut = [];
  for (slider.value = 1; Number(slider.value) < last; slider.value = Number(slider.value) + 1) {
    slider.dispatchEvent(new Event("input"));
    for (const verdict of document.querySelectorAll("#dice .verdict")) {
      if (verdict.scrollHeight > verdict.clientHeight + 1 || verdict.scrollWidth > verdict.clientWidth + 1) cut.push(slider.value);
    }
  }
  return cut;
}"""
"""JavaScript for the events with a contest whose odds are cut."""


@pytest.mark.browser
@pytest.mark.parametrize("size", ["390x844", "844x390"])
def test_the_odds_of_a_contest_are_not_cut(browser: Browser, tmp_path: Path, size: str) -> None:
    (tmp_path / "battle.jsonl").write_bytes((DIRECTORY / "slicewars" / "full-2.jsonl").read_bytes())
    with serve_in_thread(tmp_path) as serving:
        device = open_device(browser, serving.links[0]["url"].replace("/#", "/table/battle#"), size)
        assert device.page.evaluate(CUT_ODDS, int(device.page.get_attribute("#slider", "max") or 0)) == []
        closes(device)
