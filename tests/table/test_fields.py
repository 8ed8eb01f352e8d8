"""Tests of the form fields for claims, places, teams and declared positions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.table.client import Serving, serve_in_thread
from tests.table.test_desk import Writer, until

SAMPLES = Path(__file__).parents[2] / "sample_games"

pytestmark = pytest.mark.browser


def test_the_event_of_a_claim_is_tapped_and_a_position_is_declared_by_fields(
    browser: Browser, begun: Serving, record: Path
) -> None:
    device = Writer(browser, begun.links[0]["url"], viewport={"width": 320, "height": 640})
    device.at(2)
    device.open("@claim")
    device.fill(Text="I meant D1.")
    kinds = device.page.locator("#more .form fieldset select").first.locator("option").all_inner_texts()
    assert "battle" in kinds, "a claim can be about a roll"
    device.tap_button("Select on board", "#more")
    device.tap_cell("D1")
    device.wait("document.querySelector('#more .form').innerText.includes('Rui claims D1.')")
    assert device.page.evaluate("document.getElementById('held').hidden"), "the tap records nothing"
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
    game = gamelog.read(SAMPLES / "zone_control" / "full-4.jsonl")
    people = dict(zip(game.header.seat_ids, ("Ana", "Rui", "Mei", "Zé"), strict=True))
    gamelog.create(path, "zone_control", seats=people)
    with serve_in_thread(path) as serving:
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


def test_prisoners_have_owners_hints_are_relevant_and_old_clocks_show_days(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "old.jsonl"
    sample = (SAMPLES / "dice_flags" / "full-4.jsonl").read_bytes()
    path.write_bytes(b"".join(sample.splitlines(keepends=True)[:164]))
    with serve_in_thread(path) as serving:
        device = Writer(browser, serving.links[0]["url"], viewport={"width": 320, "height": 640})
        device.at(163)
        names = {seat["seat"]: seat["name"] for seat in json.loads(sample.splitlines()[0])["seats"]}
        asked = device.page.inner_text("#ask")
        assert f"H1 ({names['north']})" in asked, "own prisoners"
        assert f"F1 ({names['west']})" in asked, "and others'"
        clock = device.page.inner_text("#clock")
        assert clock.endswith(" days"), clock
        device.closes()
    path.write_bytes(b"".join(sample.splitlines(keepends=True)[:4]))
    with serve_in_thread(path) as serving:  # a move is due, of which only some ways are listed
        device = Writer(browser, serving.links[0]["url"])
        device.at(3)
        hint = "document.getElementById('ask').innerText.includes('For a missing event')"
        assert not device.page.evaluate(hint)
        far = (
            "(() => { const lit = [...document.querySelectorAll('[data-cell]')].map((one) => one.getBoundingClientRect()),"
            " b = document.getElementById('board').getBoundingClientRect(), all = [];"
            " for (let x = b.left + 5; x < b.right; x += 10) for (let y = b.top + 5; y < b.bottom; y += 10)"
            " all.push([Math.min(...lit.map((one) => Math.hypot(one.x - x, one.y - y))), x, y]);"
            " return all.sort((one, other) => other[0] - one[0]).slice(0, 400).map(([, x, y]) => [x, y]); })()"
        )
        for x, y in device.page.evaluate(far)[::20]:
            device.finger(x, y)
            if device.page.evaluate(hint):
                break
        else:
            raise AssertionError("a tap on a place that is not lit says what else there is")
        device.closes()


def test_a_tap_opens_the_list_of_cells_that_names_the_cell(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "zones.jsonl"
    sample = (SAMPLES / "zone_control" / "full-4.jsonl").read_bytes()
    path.write_bytes(b"".join(sample.splitlines(keepends=True)[:61]))
    with serve_in_thread(path) as serving:
        away = serving.scorer.get().json["state"]["away"]["east"]
        device = Writer(browser, serving.client_link("arbiter"))
        device.at(60)
        device.open("@gap")
        device.page.wait_for_selector("#more .form[data-do='@gap'] fieldset")
        labels = device.page.inner_text("#more .form")
        assert "empty home squares" in labels
        assert "JSON" not in labels
        device.tap_cell(away[0])
        device.wait(f"document.activeElement.value === '{' '.join(away)}'")
        device.tap_cell(away[0])
        device.wait(f"document.activeElement.value === '{' '.join(away[1:])}'")
        device.tap_cell("k6")
        device.wait(f"document.activeElement.value === '{' '.join(away[1:])} k6'")
        state = serving.scorer.get().json["state"]
        gap = {"do": "@gap", "by": "arbiter", "state": state, "reason": "As seen."}
        assert serving.client("arbiter").write(gap).status == 201
        device.wait(
            "document.querySelector('#list .finding.warning')?.textContent.includes('declared position: ')"
        )
        assert device.page.locator("#dispute").is_hidden()
        device.closes()


def test_a_seat_gets_a_preview_of_its_own_move(browser: Browser, begun: Serving) -> None:
    device = Writer(browser, begun.client_link("seat", "blue"))
    device.at(2)
    device.open("other")
    device.tap_cell("C3")  # fills in the first empty field at once
    assert device.page.get_by_label("at", exact=True).input_value() == "C3"
    device.foretold("SW-3")
    device.page.get_by_label("at", exact=True).fill("D1")
    device.foretold("Rui claims D1.")
    assert begun.scorer.get().json["n"] == 2, "nothing is recorded"
    device.context.close()


def test_a_claim_of_a_player_who_is_not_to_move_is_filled_in_by_members(
    browser: Browser, begun: Serving
) -> None:
    (red,) = (link["url"] for link in begun.links if link.get("seat") == "red")
    device = Writer(browser, red, viewport={"width": 390, "height": 844})
    device.at(2)
    device.open("@claim")
    device.page.wait_for_selector("#more .form[data-do='@claim'] details[open]")
    assert "Select on board" not in device.page.locator("#more .form").inner_text()
    device.closes()
