"""Tests of names at the table: corrections by a tap, and names from right to left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.browser.bidi import not_isolated
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FORFEIT
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


def test_names_from_right_to_left_are_isolated(browser: Browser, tmp_path: Path) -> None:
    gamelog.create(tmp_path / "game.jsonl", "dice_flags", seats={"north": "אבי", "south": "ليلى"})
    with serve_in_thread(tmp_path) as serving:
        scorer = Device(browser, serving.client_link("scorer"))
        scorer.wait("document.querySelectorAll('a.table bdi').length === 3")
        scorer.page.get_by_role("button", name="New game").tap()
        scorer.page.wait_for_selector("#begin:not([hidden])")
        assert scorer.page.locator(".people-names input:not([dir=auto])").count() == 0
        scorer.page.get_by_role("link", name="game").tap()
        scorer.at(0)
        assert "\u2068אבי\u2069: enter 1 die" in scorer.page.inner_text("#pad")
        assert scorer.complaints == []
        scorer.context.close()


def test_names_from_right_to_left_do_not_turn_buttons_and_titles(browser: Browser, tmp_path: Path) -> None:
    """The position has buttons for chips, an offer with its answers, an end screen, and a table with such a name."""
    names, path = ("אבי", "دانة ليلى", "שרה", "Ana"), tmp_path / "ערב.jsonl"
    seats: dict[str, str] = dict(zip(("blue", "red", "green", "yellow"), names, strict=True))
    recorder = gamelog.create(path, "gp02a_territory", seats=seats)
    sample = (DIRECTORY / "gp02a_territory" / "full-4.jsonl").read_bytes().splitlines()[1:41]
    for line in sample:
        recorder.append({name: value for name, value in json.loads(line).items() if name not in "hnt"})
    agree = {"do": "@agree", "by": "blue", "result": {"winners": ["red", "green"], "reason": "agreed"}}
    with serve_in_thread(path) as serving:
        scorer = Device(browser, serving.client_link("scorer"))
        scorer.at(40)
        assert scorer.page.locator("#ask button").count() > 0
        assert not_isolated(scorer.page, *names, path.stem) == []
        assert serving.scorer.write(agree).status == 201
        scorer.at(41)
        assert scorer.page.locator("#offers button").count() > 1
        assert not_isolated(scorer.page, *names, path.stem) == []
        ruling = {**FORFEIT, "about": 1, "result": agree["result"]}
        assert serving.client("arbiter").write(ruling).status == 201
        scorer.wait("document.getElementById('ending').open")
        assert not_isolated(scorer.page, *names, path.stem) == []
        assert scorer.complaints == []
        scorer.context.close()
