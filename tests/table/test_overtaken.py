"""Tests of pages on which someone else records first: nothing is lost, and the page says what was recorded."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route

from tests.table.client import Serving
from tests.table.conftest import FIRST
from tests.table.touch import Device

pytestmark = pytest.mark.browser

_CONFLICT = "console: Failed to load resource: the server responded with a status of 409 (Conflict)"


def test_a_correction_keeps_its_entries_if_someone_else_records_meanwhile(
    browser: Browser, begun: Serving
) -> None:
    scorer = Device(browser, begun.client_link("scorer"))
    scorer.at(2)
    scorer.tap_button("Correct event 2", "#more")
    scorer.wait("document.querySelector('#fixing .how')")
    scorer.tap_cell("D4")
    scorer.release()
    scorer.wait("document.querySelector('#fixing button.main')?.textContent === 'Record'")

    def be_first(route: Route) -> None:
        assert begun.scorer.write({"do": "claim", "at": "A1"}).status == 201
        route.continue_()

    scorer.page.route("**/fix", be_first, times=1)
    scorer.tap_button("Record", "#fixing")
    scorer.wait("document.getElementById('alert').textContent.includes('3. Rui claims A1.')")
    assert "Your correction is kept." in scorer.page.inner_text("#alert")
    assert "Ana claims D4." in scorer.page.inner_text("#fixing")
    assert begun.scorer.get().json["n"] == 3, "only what the other device recorded"
    scorer.tap_button("Record", "#fixing")
    scorer.wait("document.getElementById('fixing').childElementCount === 0")
    territories = begun.scorer.get().json["state"]["territories"]
    assert [territories[at][0] for at in ("C3", "D4", "A1")] == ["free", "red", "blue"]
    assert [_CONFLICT in one for one in scorer.complaints] == [True]
    scorer.context.close()


def test_the_message_has_the_sentence_of_a_roll_that_was_recorded_first(
    browser: Browser, table: Serving
) -> None:
    scorer = Device(browser, table.client_link("scorer"))
    scorer.at(0)

    def be_first(route: Route) -> None:
        assert table.scorer.write(FIRST).status == 201
        route.continue_()

    scorer.page.route("**/events", be_first, times=1)
    for face in ("6", "1"):
        scorer.tap_button(face, "#pad .ones")
    scorer.release()
    scorer.wait("document.getElementById('alert').textContent.includes('Someone else recorded first')")
    told = "1. Ana rolls 5. Rui rolls 2. Ana rolled highest and begins."
    assert told in scorer.page.inner_text("#alert")
    assert [_CONFLICT in one for one in scorer.complaints] == [True]
    scorer.context.close()
