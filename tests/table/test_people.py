"""Tests of names at the table: corrections by a tap, and names from right to left."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

import gamelog
from tests.table.client import Serving, serve_in_thread
from tests.table.touch import Device

pytestmark = pytest.mark.browser


def test_a_tapped_name_is_corrected_everywhere(browser: Browser, begun: Serving) -> None:
    scorer, blue = (
        Device(browser, begun.client_link("scorer")),
        Device(browser, begun.client_link("seat", "blue")),
    )
    assert blue.page.inner_text("#role") == "Rui"
    assert blue.page.locator("#seats [role=button]").count() == 0
    scorer.page.get_by_role("button", name="Rui").tap()
    field = scorer.page.get_by_label("blue", exact=True)
    assert field.evaluate("(one) => one === document.activeElement")
    assert scorer.page.get_by_label("red", exact=True).input_value() == "Ana"
    assert field.input_value() == "Rui"
    assert Axe().run(scorer.page).violations_count == 0
    field.fill("Rui Sá")
    scorer.tap_button("Record", "#more .form")
    for one in (scorer, blue):
        one.at(3)
        assert one.page.locator("#seats .name").all_inner_texts() == ["Ana", "Rui Sá"]
    assert blue.page.inner_text("#role") == "Rui Sá"
    event = begun.scorer.get().json["event"]
    assert (event["do"], event["seats"]) == ("@amend", {"blue": {"name": "Rui Sá"}})
    for one in (scorer, blue):
        assert one.complaints == []
        one.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_from_right_to_left_are_isolated(browser: Browser, tmp_path: Path, scheme: str) -> None:
    gamelog.create(tmp_path / "game.jsonl", "dice_flags", seats={"north": "אבי", "south": "ليلى"})
    with serve_in_thread(tmp_path) as serving:
        scorer = Device(browser, serving.client_link("scorer"), color_scheme=scheme)
        scorer.wait("document.querySelectorAll('a.table bdi').length === 3")
        assert Axe().run(scorer.page).violations_count == 0
        scorer.page.get_by_role("button", name="New game").tap()
        scorer.page.wait_for_selector("#begin:not([hidden])")
        assert scorer.page.locator(".people-names input:not([dir=auto])").count() == 0
        assert Axe().run(scorer.page).violations_count == 0
        scorer.page.get_by_role("link", name="game").tap()
        scorer.at(0)
        assert "\u2068אבי\u2069: enter the roll" in scorer.page.inner_text("#pad")
        assert scorer.complaints == []
        scorer.context.close()
