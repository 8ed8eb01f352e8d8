"""What was typed as JSON once is touched: what a claim means, places and teams, a declared position."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.table.client import Serving, served
from tests.table.test_desk import Writer, until

pytestmark = pytest.mark.browser


def test_what_a_claim_means_is_tapped_and_a_position_is_set_up_by_its_fields(
    browser: Browser, begun: Serving, record: Path
) -> None:
    device = Writer(browser, begun.links[0]["url"], viewport={"width": 320, "height": 640})
    device.at(2)
    device.open("@claim")
    device.fill(In_words="I meant D1.")
    device.tap_button("Tap it on the board", "#more")
    device.tap_cell("D1")
    device.wait("document.querySelector('#more .form').innerText.includes('Rui claims D1.')")
    assert device.page.evaluate("document.getElementById('held').hidden"), "nothing is written by it"
    device.write()
    claim = until(record, 3)
    assert claim.intended == {"do": "claim", "by": "blue", "at": "D1"}
    device.at(3)
    device.open("@gap")
    device.page.wait_for_selector("#more .form[data-do='@gap'] fieldset")
    assert device.page.evaluate("document.documentElement.scrollWidth") <= 320
    device.page.evaluate("document.getElementById('board').scrollIntoView()")
    device.tap_cell("A1")
    device.wait("document.activeElement.value === 'free 0'")
    device.page.keyboard.press("Control+A")
    device.page.keyboard.type("blue 2")
    device.page.locator("#more .form").get_by_label("Reason").fill("Nobody wrote.")
    device.foretold("Nobody wrote.")
    before = begun.scorer.get().json["state"]
    device.write()
    until(record, 4)
    state = begun.scorer.get().json["state"]
    assert state == {**before, "territories": {**before["territories"], "A1": ["blue", 2]}}
    device.closes()


def test_places_with_ties_and_teams_are_chosen(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "four.jsonl"
    game = gamelog.read(Path(__file__).parents[2] / "sample_games" / "zone_control" / "full-4.jsonl")
    people = dict(zip(game.header.seat_ids, ("Ana", "Rui", "Mei", "Zé"), strict=True))
    gamelog.create(path, "zone_control", seats=people)
    with served(path) as serving:
        device = Writer(browser, serving.links[0]["url"])
        device.at(0)
        device.open("@result")
        form = device.page.locator("#more .form")
        for name in ("Ana", "Mei"):
            form.get_by_role("checkbox", name=name).check()
        device.page.evaluate(
            "document.querySelectorAll('#more .form details').forEach((one) => (one.open = true))"
        )
        places, teams = (
            form.locator("fieldset", has=device.page.locator("legend", has_text=one)).last
            for one in ("Places", "Teams")
        )
        for name, place, team in (("Ana", "1", "A"), ("Rui", "3", "B"), ("Mei", "1", "A"), ("Zé", "3", "B")):
            places.get_by_label(name).select_option(place)
            if name == "Rui":
                assert not form.evaluate("form => form.checkValidity()"), "all seats have a place, or none"
            teams.get_by_label(name).select_option(team)
        device.foretold("Ana")
        device.write()
        outcome = until(path, 1).outcome
        one, two, three, four = people
        assert outcome.places == ((one, three), (two, four))
        assert outcome.teams == {"A": (one, three), "B": (two, four)}
        assert json.loads(path.read_bytes().splitlines()[1])["outcome"]["winners"] == [one, three]
        device.closes()
