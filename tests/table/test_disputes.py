"""Tests of illegal events that were recorded anyway: each screen marks them and offers what can follow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.table.client import Serving, serve_in_thread
from tests.table.touch import Device

OUT_OF_TURN = {"do": "claim", "by": "red", "at": "D1", "as_played": True}
OCCUPIED = {"do": "claim", "by": "blue", "at": "C3", "as_played": True}
RULING = {
    "do": "@ruling",
    "by": "arbiter",
    "about": 3,
    "kind": "stands",
    "reason": "It counts.",
    "name": "Lena",
}


@pytest.mark.browser
def test_an_illegal_event_is_marked_on_each_device_until_there_is_a_ruling(
    browser: Browser, begun: Serving
) -> None:
    scorer, arbiter, spectator = (
        Device(browser, begun.client_link(role)) for role in ("scorer", "arbiter", "spectator")
    )
    loads = list[str]()
    for one in (scorer, arbiter, spectator):
        one.page.on("request", lambda asked: loads.append(asked.url) if "/table" in asked.url else None)
    assert begun.scorer.write(OUT_OF_TURN).status == 201
    for one in (scorer, arbiter, spectator):
        one.wait("document.querySelector('#list .finding')?.textContent.includes('disputed')")
        assert "disputed" in one.page.inner_text("#fault")
    for one in (scorer, arbiter):
        assert "Event 3 is disputed: " in one.page.inner_text("#dispute")
    assert scorer.page.locator("#dispute button").all_inner_texts() == ["Declare position", "Continue game"]
    assert "SW-" in arbiter.page.inner_text("#fault .rule")
    assert loads == []
    scorer.tap_button("Continue game", "#dispute")
    assert scorer.page.locator("#dispute").is_hidden()
    scorer.page.reload()
    scorer.at(3)
    loads.clear()
    assert scorer.page.locator("#dispute").is_hidden()
    assert scorer.page.locator(".light").count() > 0
    buttons = arbiter.page.locator("#dispute button").all_inner_texts()
    assert buttons == ["Make ruling", "Declare position", "Continue game"]
    arbiter.tap_button("Make ruling", "#dispute")
    assert arbiter.page.locator("form[data-do='@ruling'] h2").inner_text() == "Ruling on event 3"
    assert begun.client("arbiter").write(RULING).status == 201
    for one in (scorer, arbiter, spectator):
        one.wait("document.querySelector('#list .finding')?.textContent.includes('settled by a ruling')")
        assert one.page.locator("#dispute").is_hidden()
        assert one.complaints == []
        one.context.close()
    assert loads == []


@pytest.mark.browser
def test_the_arbiter_has_one_tap_to_each_open_claim(browser: Browser, begun: Serving) -> None:
    claim = {"do": "@claim", "by": "blue", "text": "It was my turn.", "about": 2}
    assert begun.scorer.write(claim).status == 201
    for _ in range(2):
        assert begun.scorer.write({"do": "@note", "by": "table", "text": "Wait."}).status == 201
    device = Device(browser, begun.client_link("arbiter"))
    device.at(5)
    assert device.page.inner_text("#ask .due") == "Waiting for Rui."
    device.tap_button("3. Rui claims: It was my turn.", "#dispute")
    assert device.page.inner_text("#more .form h2") == "Ruling on event 3"
    device.context.close()


@pytest.mark.browser
def test_a_claim_is_withdrawn_by_its_player_or_by_the_scorer(browser: Browser, begun: Serving) -> None:
    for n in (3, 4):
        claim = {"do": "@claim", "by": "blue", "text": f"Claim {n - 2}.", "about": 2}
        assert begun.scorer.write(claim).status == 201
    blue, red = (Device(browser, begun.client_link("seat", seat)) for seat in ("blue", "red"))
    scorer, arbiter = (Device(browser, begun.client_link(role)) for role in ("scorer", "arbiter"))
    for one in (blue, red, scorer, arbiter):
        one.at(4)
    assert red.page.locator("#dispute").is_hidden()
    assert red.page.get_by_text("Withdraw claim").count() == 0
    card = blue.page.locator("#dispute .claim", has_text="3. Rui claims: Claim 1.")
    card.get_by_role("button", name="Withdraw claim").tap()
    for one in (blue, red, scorer, arbiter):
        one.at(5)
        assert "Rui withdraws the claim of event 3." in one.page.inner_text("#list")
    arbiter.wait("document.querySelectorAll('#dispute .claim').length === 1")
    blue.wait("document.querySelectorAll('#dispute .claim').length === 1")
    scorer.page.locator("#list").get_by_text("Rui claims: Claim 2.").tap()
    scorer.tap_button("Withdraw claim", "#more")
    arbiter.wait("document.getElementById('dispute').hidden")
    blue.wait("document.getElementById('dispute').hidden")
    assert begun.scorer.get("").json["n"] == 6
    for one in (blue, red, scorer, arbiter):
        assert one.complaints == []
        one.context.close()


@pytest.mark.browser
def test_the_form_of_a_ruling_begins_with_the_usual_decision(browser: Browser, begun: Serving) -> None:
    """Each case takes one tap for the form and one tap to record, once the arbiter's name is known."""
    arbiter = Device(browser, begun.client_link("arbiter"))
    form, record = arbiter.page.locator("form[data-do='@ruling']"), "#more .form"

    def decide(opener: str, kind: str, reason: str, said: str) -> None:
        arbiter.tap_button(opener, "#dispute")
        assert form.locator("select").first.input_value() == kind
        assert form.get_by_role("textbox", name="Reason").last.input_value() == reason
        if not form.get_by_label("Name").input_value():
            form.get_by_label("Name").fill("Mei")
        if not reason:
            form.get_by_role("textbox", name="Reason").last.fill("The roll was 4 and 2.")
        arbiter.wait(f"document.querySelector('form .effect').textContent.includes({said!r})")
        form.locator("button.main").tap()
        if form.count():  # several events would be undone, so the button asks once
            form.locator("button.main").tap()

    assert begun.scorer.write(OUT_OF_TURN).status == 201
    arbiter.at(3)
    decide("Make ruling", "takeback", "it is Rui's turn, not Ana's", "Mei rules on event 3: takeback")
    arbiter.at(4)
    claim = {"do": "@claim", "by": "blue", "text": "C3 was mine.", "about": 2}
    assert begun.scorer.write(claim).status == 201
    arbiter.at(5)
    decide(
        "5. Rui claims: C3 was mine.", "refused", "No rule was broken.", "Mei refuses the claim of event 5."
    )
    arbiter.at(6)
    intended = {"do": "start_roll", "rolls": {"red": 4, "blue": 2}}
    wrong = {"do": "@claim", "by": "blue", "text": "I saw a 4.", "about": 1, "intended": intended}
    assert begun.scorer.write(wrong).status == 201
    arbiter.at(7)
    arbiter.tap_button("7. Rui claims: I saw a 4.", "#dispute")
    form.locator("select").first.select_option("refused")
    assert form.get_by_role("textbox", name="Reason").last.input_value() == ""
    arbiter.tap_button("Cancel", record)
    decide("7. Rui claims: I saw a 4.", "takeback", "", "Mei rules on event 7: takeback")
    assert arbiter.complaints == []
    arbiter.context.close()


@pytest.mark.browser
def test_an_event_that_waits_keeps_the_time_of_the_tap(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.client_link("scorer"))
    device.at(2)
    device.context.set_offline(True)
    device.wait("document.getElementById('line').textContent.includes('no connection')")
    device.tap_cell("E1")
    device.release()
    device.wait("document.getElementById('waiting').innerText.includes('Rui claims E1.')")
    device.context.set_offline(False)
    device.at(3)
    (sent,) = [json.loads(body) for body in device.posted if '"E1"' in body and '"expect"' in body]
    assert begun.scorer.get().json["event"]["t"] == sent["t"]
    device.context.close()


@pytest.mark.browser
def test_an_illegal_event_without_a_sentence_is_described_in_words(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "zone.jsonl"
    gamelog.create(path, "zone_s", seats={"dominion": "Eva", "separatists": "Tom"})
    with serve_in_thread(path) as serving:
        tile = {"do": "place_tile", "by": "dominion", "at": "a4", "as_played": True, "id": "103-42"}
        assert serving.scorer.write(tile).json["text"] == "Eva: place tile at a4"
        device = Device(browser, serving.client_link("scorer"))
        device.at(1)
        assert "Eva: place tile at a4" in device.page.inner_text("#list")
        page = device.page.inner_text("#table")
        assert all(word not in page for word in ("as played", "as_played", "103-42", "@gap")), page
        assert device.complaints == []
        device.context.close()


@pytest.mark.browser
def test_after_an_event_with_an_unknown_effect_nothing_is_lit_until_the_position_is_declared(
    browser: Browser, begun: Serving
) -> None:
    scorer, arbiter = (Device(browser, begun.client_link(role)) for role in ("scorer", "arbiter"))
    assert begun.scorer.write(OCCUPIED).status == 201
    for one in (scorer, arbiter):
        one.at(3)
        one.wait("document.getElementById('dispute').textContent.includes('Event 3 is disputed')")
    scorer.wait(
        "document.getElementById('dispute').textContent.includes('when someone declares the position')"
    )
    assert scorer.page.locator(".light, #ask *").count() == 0
    assert begun.scorer.get("/choices").json["choices"] == []
    clocks = "[...document.querySelectorAll('#seats [data-seat]')].map((one) => one.textContent).join()"
    played, used = scorer.page.inner_text("#clock"), scorer.page.evaluate(clocks)
    scorer.wait(f"document.getElementById('clock').textContent !== {played!r}")
    assert scorer.page.evaluate(clocks) == used, "until then, the time belongs to no seat"
    arbiter.tap_button("Declare position", "#dispute")
    arbiter.page.wait_for_selector("form[data-do='@gap']")
    gap = {"do": "@gap", "by": "arbiter", "state": begun.scorer.get().json["state"], "reason": "as seen"}
    assert begun.client("arbiter").write(gap).status == 201
    scorer.at(4)
    scorer.wait("document.querySelectorAll('.light').length > 0")
    for one in (scorer, arbiter):
        assert one.complaints == []
        one.context.close()


@pytest.mark.browser
def test_the_card_of_a_player_shows_warnings_and_points_at_once_and_until_they_are_withdrawn(
    browser: Browser, begun: Serving
) -> None:
    blue, again = Device(browser, begun.client_link("seat", "blue")), "#seats .card:has(.name:text('Rui'))"
    blue.at(2)
    ruling = {"do": "@ruling", "by": "arbiter", "reason": "Late.", "name": "Mei", "about": 2}
    warning = {**ruling, "kind": "warning", "warned": ["blue"]}
    penalty = {**ruling, "kind": "penalty", "points": {"blue": -2}}
    answer = begun.client("arbiter").ask("POST", "/events", {"events": [warning, penalty]})
    assert answer.status == 201
    blue.at(4)
    card = blue.page.locator(again).inner_text()
    assert "warnings by rulings" in card
    assert "points by rulings" in card
    assert "−2" in card
    scorer = Device(browser, begun.client_link("scorer"))
    scorer.at(4)
    slider = "document.getElementById('slider')"
    scorer.page.evaluate(f"{slider}.value = 2; {slider}.dispatchEvent(new Event('input'))")
    scorer.wait("document.getElementById('number').textContent.startsWith('2 ')")
    scorer.tap_button("Correct event 2", "#more")
    scorer.page.get_by_text("Tap the correct event").wait_for()
    card = scorer.page.locator(again).inner_text()
    assert "warnings by rulings" in card
    assert "−2" in card
    assert scorer.complaints == []
    scorer.context.close()
    refused = {**ruling, "about": 3, "kind": "refused"}
    assert begun.client("arbiter").write(refused).status == 201
    blue.at(5)
    blue.wait("!document.getElementById('seats').textContent.includes('warnings by rulings')")
    assert "points by rulings" in blue.page.locator(again).inner_text()
    assert blue.complaints == []
    blue.context.close()


@pytest.mark.browser
def test_a_time_that_cannot_be_read_says_what_to_type(browser: Browser, begun: Serving) -> None:
    arbiter = Device(browser, begun.client_link("arbiter"))
    arbiter.at(2)
    arbiter.tap_button("Make ruling", "#more")
    form = arbiter.page.locator("form[data-do='@ruling']")
    clock = form.locator("input[name=red]").last
    assert not clock.is_visible()
    form.locator("select").first.select_option("none")
    assert clock.is_visible(), "the section of points, clocks and warnings is open"
    for text, said in (("-0:30", True), ("soon", True), ("0:30", False), ("1:02:30", False), ("", False)):
        clock.fill(text)
        message = str(clock.evaluate("(one) => one.validationMessage"))
        assert ("hours:minutes:seconds" in message) == said, text
        first = (
            "document.querySelector('#more .form select:invalid, #more .form [name=red]:invalid')?.localName"
        )
        assert arbiter.page.evaluate(first) == ("input" if said else "select" if not text else None), text
    assert arbiter.complaints == []
    arbiter.context.close()
