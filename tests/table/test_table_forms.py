"""Tests of the forms and lists of the table's page in a browser: fields, names, links to share, sheets and offers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FIRST
from tests.table.touch import Device

pytestmark = pytest.mark.browser

NAME, LONG = "نور 1", "Rui de Vasconcelos e Sousa"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Serve a folder with a game after two events, in which players agree on takebacks."""
    folder = tmp_path_factory.mktemp("club")
    gamelog.create(
        folder / "table 5.jsonl", "slicewars", seats={"red": NAME, "blue": LONG}, takebacks="agreed"
    )
    with serve_in_thread(folder) as serving:
        for event in (FIRST, {"do": "claim", "at": "C3"}):
            assert serving.scorer.ask("POST", "/table%205/events", event).status == 201
        yield serving


@pytest.fixture
def scorer(browser: Browser, club: Serving) -> Iterator[Device]:
    """Yield the scorer's phone at the game."""
    device = Device(browser, club.client_link("scorer").replace("/#", "/table/table%205#"))
    device.wait("document.getElementById('desk').dataset.n")
    yield device
    assert device.complaints == []
    device.context.close()


def open_form(device: Device, tag: str) -> None:
    """Open the form of a common event."""
    device.page.locator(f"#more button[data-do='{tag}']").evaluate("(one) => one.click()")
    device.page.wait_for_selector(f"#more .form[data-do='{tag}']")


def test_a_box_to_check_stands_beside_its_label_in_one_line(scorer: Device) -> None:
    open_form(scorer, "@agree")
    for box in scorer.page.locator("#more .form .check").filter(visible=True).all():
        tick, label = box.locator("input").bounding_box(), box.locator("bdi").bounding_box()
        assert tick
        assert label
        assert tick["width"] < 40
        assert label["x"] >= tick["x"] + tick["width"]
        assert label["height"] < 40
        assert label["x"] + label["width"] <= 390
    scorer.page.goto(scorer.page.url.split("/table/")[0])
    scorer.page.get_by_role("button", name="New game").tap()
    scorer.page.locator("#begin select").first.select_option("zone_control")
    scorer.page.get_by_text("Rules, dice and takebacks").tap()
    for box in scorer.page.locator("#begin .check").filter(has=scorer.page.locator("small")).all():
        tick, hint = box.locator("input").bounding_box(), box.locator("small").bounding_box()
        assert tick
        assert hint
        assert hint["x"] >= tick["x"] + tick["width"]
        assert hint["y"] > tick["y"]


@pytest.mark.parametrize("copies", [True, False])
def test_a_link_is_copied_without_a_clipboard_or_else_selected(scorer: Device, *, copies: bool) -> None:
    scorer.page.evaluate(
        "(copies) => { Object.defineProperty(navigator, 'clipboard', { value: undefined });"
        " document.execCommand = () => copies && Boolean(window.copied = document.activeElement.value); }",
        copies,
    )
    scorer.tap_button("Share links", "#more")
    scorer.page.locator("#codes figure button").first.tap()
    link = scorer.page.locator("#codes figure code").first.inner_text()
    if copies:
        scorer.wait("document.querySelector('#codes figure button').textContent === 'Copied'")
        assert scorer.page.evaluate("window.copied") == link
    else:
        scorer.wait(
            "document.querySelector('#codes figure button').textContent === 'Selected: copy the link'"
        )
        assert scorer.page.evaluate("getSelection().toString()") == link


def test_a_name_keeps_its_direction_in_choices_and_in_the_held_event(scorer: Device) -> None:
    scorer.tap_cell("D1")
    names = scorer.page.locator("#held bdi").all_inner_texts()
    assert names[0] == LONG
    scorer.tap_button("Cancel event")


def test_a_takeback_removes_the_last_decision_by_default(scorer: Device) -> None:
    open_form(scorer, "@takeback")
    assert scorer.page.get_by_label("Last event kept").input_value() == "1"


def test_the_form_of_a_result_says_that_the_game_continues(scorer: Device) -> None:
    open_form(scorer, "@result")
    assert "Offer result" in scorer.page.inner_text("#more .form p")


def test_a_game_without_rules_for_resigning_does_not_offer_it(browser: Browser, tmp_path: Path) -> None:
    seats = {"red": "Ana", "blue": "Rui", "green": "Eva"}
    gamelog.create(tmp_path / "three.jsonl", "gp02a_territory", seats=seats)
    with serve_in_thread(tmp_path / "three.jsonl") as serving:
        for role, seat in (("scorer", None), ("seat", "green")):
            device = Device(browser, serving.client_link(role, seat))
            device.at(0)
            assert device.page.locator("#more [data-do='@note']").count() == 1
            assert device.page.locator("#more [data-do='@resign']").count() == 0
            device.context.close()
        refused = serving.scorer.write({"do": "@resign", "by": "green"})
        assert refused.status == 422
        assert "one of 3 players" in refused.json["error"]["message"]


TITLE = (120.0, 30.0)
"""A point on the title of the page, outside every sheet."""


def test_the_sheet_closes_outside_with_escape_and_for_an_offer(browser: Browser, club: Serving) -> None:
    links = club.scorer.get("/table%205/links").json["links"]
    blue = Device(browser, next(link["url"] for link in links if link.get("seat") == "blue"))
    sheet, summary = blue.page.locator("#more .rest"), blue.page.locator("#more .rest > summary")
    blue.wait("document.getElementById('desk').dataset.n === '2'")
    for closes_by_key in (True, False):
        summary.tap()
        assert sheet.get_attribute("open") == ""
        if closes_by_key:
            blue.page.keyboard.press("Escape")
        else:
            blue.finger(*TITLE)
        assert sheet.get_attribute("open") is None
    summary.tap()
    offer = {"do": "@takeback", "by": "red", "to": 1}
    assert club.scorer.ask("POST", "/table%205/events", offer).status == 201
    accept = blue.page.get_by_role("button", name=f"{LONG} accepts")
    accept.wait_for()
    blue.at(3)
    assert sheet.get_attribute("open") is None
    box, told = accept.bounding_box(), blue.page.locator(".told").bounding_box()
    assert box
    assert told
    assert told["y"] <= box["y"]
    assert box["y"] + box["height"] <= told["y"] + told["height"], "the offer covers the sentence"
    blue.tap_button(f"{LONG} declines", "#offers")
    blue.at(4)
    assert blue.complaints == []
    blue.context.close()


def test_an_offer_names_its_events_and_nobody_undoes_a_decision_of_the_arbiter(tmp_path: Path) -> None:
    gamelog.create(
        tmp_path / "one.jsonl", "slicewars", seats={"red": NAME, "blue": LONG}, takebacks="arbiter"
    )
    with serve_in_thread(tmp_path / "one.jsonl") as serving:
        for event in (FIRST, {"do": "claim", "at": "C3"}, {"do": "@takeback", "by": "red", "to": 1}):
            assert serving.scorer.write(event).status == 201
        (offer,) = serving.client("arbiter").get("/choices").json["offers"]
        assert [one["n"] for one in offer["events"]] == [2]
        state = serving.scorer.get().json["state"]
        gap = {"do": "@gap", "by": "arbiter", "state": state, "reason": "As seen."}
        assert serving.client("arbiter").write(gap).status == 201
        assert serving.scorer.get("/choices").json["undo"] is None


def test_a_selection_stays_while_another_device_adds_a_note(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "zone.jsonl"
    sample = (DIRECTORY / "zone_s" / "full-2.jsonl").read_bytes()
    path.write_bytes(b"".join(sample.splitlines(keepends=True)[:84]))
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.client_link("scorer"))
        device.at(83)
        chosen = "document.querySelectorAll('[data-cell][aria-pressed=true]').length"
        device.tap_cell("f2")
        device.wait(f"{chosen} === 1")
        assert (
            serving.client("arbiter").write({"do": "@note", "by": "arbiter", "text": "Seen."}).status == 201
        )
        device.at(84)
        assert device.page.locator("#held").is_hidden()
        assert device.page.evaluate(chosen) == 1
        assert device.complaints == []
        device.context.close()
