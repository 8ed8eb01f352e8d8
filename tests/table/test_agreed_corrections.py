"""Tests of corrections that the other players must accept, on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from gamelog.games.slicewars.events import ClaimLand
from tests.table.client import serve_in_thread
from tests.table.conftest import FIRST
from tests.table.touch import TABLET, Device

pytestmark = pytest.mark.browser


def test_players_and_the_scorer_correct_events_if_the_others_accept(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"}, rolls="players")
    assert gamelog.read(path).header.takebacks == "agreed", "nobody else could correct a mistake"
    with serve_in_thread(path) as serving:
        for event in (FIRST, *({"do": "claim", "at": at} for at in ("C3", "D1", "A1", "B1"))):
            assert serving.scorer.write(event).status == 201
        ana, rui = (Device(browser, serving.client_link("seat", seat)) for seat in ("red", "blue"))
        rui.at(5)
        rui.tap_button("Correct event 5", "#more")
        rui.page.get_by_text("With this agreement, the record would undo: 5. Rui claims B1.").wait_for()
        rui.tap_button("Record", "#more .form")
        ana.at(6)
        assert "Rui asks to correct the record" in ana.page.inner_text("#offers")
        ana.tap_button("Ana accepts", "#offers")
        rui.at(7)
        assert "scorer" not in rui.page.inner_text("#table")
        rui.tap_cell("C2")
        rui.release()
        rui.at(8)

        scorer = Device(browser, serving.client_link("scorer"), **TABLET)
        scorer.at(8)
        assert scorer.page.inner_text("#undo") == "Undo event 8"
        scorer.page.locator("#list a", has_text="claims C3").tap()
        scorer.tap_button("Correct event 2", ".field")
        scorer.page.get_by_text("Tap the correct event").wait_for()
        scorer.tap_cell("E1")
        scorer.page.get_by_text("Waiting for Rui, Ana to agree.").wait_for()
        scorer.tap_button("Record", "#fixing")
        for device, name, n in ((ana, "Ana", 9), (rui, "Rui", 10)):
            device.at(n)
            assert "the table asks to correct" in device.page.inner_text("#offers").lower()
            device.tap_button(f"{name} undoes 4", "#offers")
            device.tap_button("Really undo 4", "#offers")
        for device in (scorer, ana, rui):
            device.at(15)
            assert device.complaints == []
            device.context.close()
    record = gamelog.read(path)
    claims = [step.event.at for step in record.main_line() if isinstance(step.event, ClaimLand)]
    assert claims == ["E1", "D1", "A1", "C2"]
    assert gamelog.validate(path).status == "ok"


def test_an_author_withdraws_an_offer_on_the_page(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"}, takebacks="agreed")
    with serve_in_thread(path) as serving:
        for event in (FIRST, {"do": "claim", "at": "C3"}):
            assert serving.scorer.write(event).status == 201
        ana, rui = (Device(browser, serving.client_link("seat", seat)) for seat in ("red", "blue"))
        scorer = Device(browser, serving.client_link("scorer"), **TABLET)
        ana.at(2)
        ana.tap_button("Undo event 2", "#acts")
        for device in (ana, rui, scorer):
            device.at(3)
        assert "Withdraw" not in rui.page.inner_text("#offers")
        assert "Ana declines" not in ana.page.inner_text("#offers")
        ana.tap_button("Withdraw offer", "#offers")
        for device in (ana, rui, scorer):
            device.at(4)
            device.wait("!document.getElementById('offers').textContent")
            assert "Ana withdraws the offer of event 3." in device.page.inner_text("#list")

        scorer.tap_button("Undo event 2", "#acts")
        scorer.at(5)
        ana.at(5)
        assert "Withdraw" not in ana.page.inner_text("#offers"), "the scorer asks"
        scorer.tap_button("Withdraw offer", "#offers")
        for device in (ana, rui, scorer):
            device.at(6)
            device.wait("!document.getElementById('offers').textContent")
            assert device.complaints == []
            device.context.close()
    assert gamelog.validate(path).status == "ok"
    assert [step.n for step in gamelog.read(path).main_line() if isinstance(step.event, ClaimLand)] == [2]
