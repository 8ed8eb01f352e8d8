"""Tests of controls that remove several events: they say how many, are red, and ask once. Forms hold their event."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

import gamelog
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import as_proposal
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FIRST
from tests.table.touch import Device, bots_event

pytestmark = pytest.mark.browser

_COLOURS = """(path) => {
  const shown = getComputedStyle(document.querySelector(path)), probe = document.body.appendChild(document.createElement("i"));
  const colour = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  return [shown.backgroundColor === colour("accent"), shown.color === colour("bad")];
}"""
"""JavaScript for whether a button has the background of a usual button, and the colour of warnings."""


def test_undo_of_several_events_asks_once(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "seeded.jsonl"
    seats = {"north": "Ana", "south": "Rui"}
    record = gamelog.create(path, "dice_flags", seats=seats, dice="seeded", seed="1" * 32)
    decided = False
    while not (decided and record.pending.chance):
        decided = not record.pending.chance
        record.append(as_proposal(bots_event(EventRecorder(path)))) if decided else record.roll()
    record.roll()
    last = record.n
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.client_link("scorer"))
        device.at(last)
        undo = device.page.locator("#undo")
        assert undo.inner_text() == "Undo 2 events"
        assert device.page.evaluate(_COLOURS, "#undo") == [False, True], "it is red"
        device.press(undo)
        assert undo.inner_text() == "Really undo 2"
        assert serving.scorer.get().json["n"] == last
        device.press(undo)
        device.at(last + 1)
        assert device.complaints == []
        device.context.close()


def test_a_form_says_how_many_events_it_removes(browser: Browser, begun: Serving) -> None:
    arbiter = Device(browser, begun.client_link("arbiter"))
    arbiter.tap_button("Make ruling", "#more")
    form = arbiter.page.locator("form[data-do='@ruling']")
    form.get_by_label("Decision").select_option("takeback")
    form.get_by_label("Last event kept").fill("0")
    form.get_by_role("textbox", name="Reason").last.fill("Start again.")
    form.get_by_label("Name").fill("Lena")
    record = form.locator("button.main")
    arbiter.wait("document.querySelector('form button.main').textContent === 'Record, undo 2…'")
    record.tap()
    assert record.inner_text() == "Really undo 2"
    assert arbiter.page.evaluate(_COLOURS, "form button.main") == [False, True], "it is red"
    assert begun.scorer.get().json["n"] == 2
    record.tap()
    arbiter.at(3)
    assert arbiter.complaints == []
    arbiter.context.close()


def test_players_who_record_meanwhile_do_not_close_the_form_of_a_ruling(
    browser: Browser, begun: Serving
) -> None:
    """The form shows what each new event adds to its effects, also if this event was first by a moment."""
    claim = {"do": "@claim", "by": "blue", "text": "It was a 3.", "about": 1}
    assert begun.scorer.write(claim).status == 201
    arbiter = Device(browser, begun.client_link("arbiter"), viewport={"width": 768, "height": 1024})
    arbiter.at(3)
    arbiter.tap_button("3. Rui claims: It was a 3.", "#dispute")
    form = arbiter.page.locator("form[data-do='@ruling']")
    form.get_by_label("Decision").select_option("takeback")
    form.get_by_role("textbox", name="Reason").last.fill("Roll again.")
    form.get_by_label("Name").fill("Lena")
    record, shows = form.locator("button.main"), "document.querySelector('form button.main')?.textContent ==="
    arbiter.wait(f"{shows} 'Record, undo 2…'")
    assert begun.scorer.write({"do": "claim", "at": "D1"}).status == 201
    arbiter.wait(f"{shows} 'Record, undo 3…'")
    record.tap()
    assert record.inner_text() == "Really undo 3"
    assert begun.scorer.write({"do": "claim", "at": "A1"}).status == 201
    arbiter.wait(f"{shows} 'Really undo 4'")

    def be_first(route: Route) -> None:
        assert begun.scorer.write({"do": "claim", "at": "E5"}).status == 201
        route.continue_()

    arbiter.page.route("**/events", be_first, times=1)
    record.tap()
    arbiter.wait(f"{shows} 'Really undo 5'")
    assert "6. Rui claims E5." in form.inner_text()
    assert form.get_by_label("Decision").input_value() == "takeback"
    assert form.get_by_role("textbox", name="Reason").last.input_value() == "Roll again."
    assert form.get_by_label("Name").input_value() == "Lena"
    record.tap()
    arbiter.at(7)
    assert form.count() == 0
    assert begun.scorer.get().json["n"] == 7
    assert ["409" in one for one in arbiter.complaints] == [True]
    arbiter.context.close()


def test_an_accepted_takeback_of_several_events_asks_once(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "agreed.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"}, takebacks="agreed")
    with serve_in_thread(path) as serving:
        asks = {"do": "@takeback", "by": "red", "to": 0, "reason": "I misread the map"}
        for event in (FIRST, {"do": "claim", "at": "C3"}, asks):
            assert serving.scorer.write(event).status == 201
        blue = Device(browser, serving.client_link("seat", "blue"))
        blue.at(3)
        offer = "Ana asks to take the game back to the start. Reason: I misread the map. Waiting for Rui to agree."
        undone = "2. Ana claims C3. 1. Ana rolls 5. Rui rolls 2. Ana rolled highest and begins."
        assert blue.page.inner_text("#said") == offer
        assert blue.page.inner_text("#offers p") == f"Ana asks to undo: {undone} Reason: I misread the map"
        assert "Waiting for" not in blue.page.inner_text("#ask"), "the offer says it"
        assert blue.page.inner_text("#fault") == "", "the sentence says it already"
        assert blue.page.locator("#hint").is_hidden(), "no hint covers the sentence"
        places = [one.bounding_box() for one in blue.page.locator("#offers button").all()]
        blue.tap_button("Rui undoes 2", "#offers")
        blue.wait("document.querySelector('#offers button').textContent === 'Really undo 2'")
        assert [one.bounding_box() for one in blue.page.locator("#offers button").all()] == places
        serving.scorer.write({"do": "@note", "by": "red", "text": "please"})
        blue.at(4)
        blue.tap_button("Really undo 2", "#offers")
        blue.at(5)
        assert blue.complaints == []
        blue.context.close()


def test_the_event_of_a_form_can_be_cancelled(browser: Browser, begun: Serving) -> None:
    blue = Device(browser, begun.client_link("seat", "blue"))
    blue.page.locator("#more summary").first.tap()
    blue.tap_button("Enter other event", "#more")
    blue.page.locator("form[data-do='other']").get_by_label("at", exact=True).fill("D1")
    blue.tap_button("Record", "#more form")
    assert "Rui claims D1." in blue.page.inner_text("#held")
    blue.tap_button("Cancel event")
    assert blue.page.locator("#held").is_hidden()
    assert begun.scorer.get().json["n"] == 2
    assert all('"expect"' not in one for one in blue.posted), "only the form asked for a preview"
    assert blue.complaints == []
    blue.context.close()
