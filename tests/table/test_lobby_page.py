"""The page of the lobby in a browser: cards, codes, links and the form for a new game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gamelog_table.live.followers import Delay
from playwright.sync_api import Browser, Dialog, Route, expect

import gamelog
from gamelog.play.recording.recorder import EventRecorder
from tests.browser.shifts import forget, watched
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FIRST, PEOPLE, link_of
from tests.table.recorded import open_device
from tests.table.touch import Device


@pytest.mark.browser
def test_a_claim_and_a_takeback_alert_the_arbiter_in_the_lobby_and_at_the_table(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    for name in ("one", "two"):
        gamelog.create(tmp_path / f"{name}.jsonl", "slicewars", seats=PEOPLE, takebacks="arbiter")
    with serve_in_thread(tmp_path) as serving:
        lobby, table = (
            Device(browser, serving.client_link("arbiter").replace("/#", f"/{path}#"))
            for path in ("", "table/one")
        )
        lobby.wait("document.querySelectorAll('a.table').length === 2")
        lobby.wait("document.querySelectorAll('.state-waiting').length === 2")
        assert lobby.page.locator(".flag").is_hidden()
        events = (FIRST, {"do": "@claim", "by": "blue", "text": "It was a 3.", "about": 1})
        assert [serving.scorer.ask("POST", "/one/events", one).status for one in events] == [201, 201]
        table.wait("document.title.startsWith('● Claim to rule on')")
        assert serving.scorer.ask("POST", "/two/events", FIRST).status == 201
        takeback = {"do": "@takeback", "by": "red", "to": 0}
        assert serving.scorer.ask("POST", "/two/events", takeback).status == 201
        lobby.wait("document.querySelectorAll('.asks b').length === 2")
        assert set(lobby.page.locator(".asks").all_inner_texts()) == {
            "⚑ Claim to rule on: Rui, event 2",
            "⚑ Takeback to decide: Ana, event 2",
        }
        assert lobby.page.inner_text("h1") == tmp_path.name
        assert lobby.page.title() == f"● For the arbiter: 2. · {tmp_path.name}"
        claimed = lobby.page.get_by_role("link", name="one").get_attribute("href")
        assert claimed == "/table/one#n=2"
        assert lobby.page.inner_text(".flag") == "⚑ For the arbiter: 2."
        assert lobby.page.get_by_label("Order").input_value() == "arbiter"
        lobby.page.get_by_label("State").select_option("arbiter")
        lobby.wait("document.querySelectorAll('a.table').length === 2")
        ruling = {
            "do": "@ruling",
            "by": "arbiter",
            "about": 2,
            "kind": "refused",
            "reason": "No.",
            "name": "Lena",
        }
        assert serving.client("arbiter").ask("POST", "/one/events", ruling).status == 201
        table.wait("!document.title.startsWith('●')")
        lobby.wait("document.querySelectorAll('.asks b').length === 1")
        for device in (lobby, table):
            assert device.complaints == []
            device.context.close()


@pytest.mark.browser
def test_the_codes_are_shown_on_the_screen_too(browser: Browser, club: Serving) -> None:
    device = Device(browser, club.links[0]["url"], "window.print = () => (window.printed = true)")
    device.wait("document.querySelectorAll('a.table').length === 3")
    device.wait("document.querySelectorAll('.state-over').length === 1")
    device.page.get_by_role("button", name="Print codes").tap()
    device.wait("window.printed")
    paper = device.page.locator("#paper")
    assert paper.locator(".codes h2").all_inner_texts() == [
        "damaged: SliceWars",
        "new: SliceWars",
        "Codes of the organisers, not for players",
    ]
    assert paper.locator(".codes").nth(1).locator("figcaption b").all_inner_texts() == [
        "Ana (red)",
        "Rui (blue)",
        "spectator",
    ]
    assert paper.locator(".codes").last.locator("figcaption b + span").all_inner_texts() == ["damaged", "new"]
    assert "Games that are over have no codes here: over." in paper.inner_text()
    device.page.emulate_media(media="print")
    lines = "[...document.querySelectorAll('#paper figure')].map((one) => getComputedStyle(one).outlineStyle)"
    assert set(device.page.evaluate(lines)) == {"dashed"}, "lines to cut between the seats"
    device.page.emulate_media(media="null")
    pages = re.findall(rb"/Type */Page\b", device.page.pdf(format="A4"))
    assert len(pages) == 2, "all tables on one page, and the organisers' codes on a page of their own"
    device.page.locator("#paper").get_by_role("button", name="Close").tap()
    assert device.page.locator("#paper").is_hidden()
    assert device.page.locator("#records").is_visible()
    device.context.close()


@pytest.mark.browser
def test_the_pages_of_a_delayed_spectator_name_the_delay(browser: Browser, tmp_path: Path) -> None:
    gamelog.create(tmp_path / "game.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    EventRecorder(tmp_path / "game.jsonl").append([FIRST, {"do": "claim", "at": "C3"}])
    with serve_in_thread(tmp_path, delay=Delay(events=1)) as serving:
        page = browser.new_page()
        page.goto(serving.client_link("spectator"))
        expect(page.locator("#line")).to_have_text("delayed: 1 event")
        page.get_by_role("link", name="game").click()
        page.locator("#back").click()
        expect(page.locator("#live")).to_have_text("Latest event")
        page.close()


@pytest.mark.browser
def test_a_table_has_its_own_address_and_a_way_back(browser: Browser, club: Serving) -> None:
    device = Device(browser, club.links[0]["url"])
    page, base = device.page, f"http://127.0.0.1:{club.scorer.port}"
    device.wait("document.querySelectorAll('a.table').length === 3")
    page.get_by_role("link", name="new").tap()
    device.at(0)
    assert page.url == f"{base}/table/new"
    page.reload()
    device.at(0)
    page.go_back()
    device.wait("document.querySelectorAll('a.table').length === 3")
    page.go_forward()
    device.at(0)
    page.get_by_role("link", name="All tables").tap()
    device.wait("document.querySelectorAll('a.table').length === 3")
    assert device.complaints == []
    device.context.close()


@pytest.mark.browser
@pytest.mark.parametrize("size", ["390x844", "1024x768"])
def test_the_way_back_without_a_connection_stays_at_the_table_and_says_why(
    browser: Browser, club: Serving, size: str
) -> None:
    device = open_device(browser, club.links[0]["url"].replace("/#", "/table/new#"), size)
    device.at(0)
    forget(device.page)
    device.context.set_offline(True)
    way_back = device.page.get_by_role("link", name="All tables")
    way_back.tap()
    device.wait("document.getElementById('alert').textContent.startsWith('No connection.')")
    assert device.page.evaluate("location.pathname") == "/table/new"
    assert watched(device.page).shifts == []
    device.context.set_offline(False)
    device.wait("document.getElementById('line').textContent.includes('live')")
    assert device.page.inner_text("#alert") == "", "the message is gone with its reason"
    way_back.tap()
    device.wait("document.querySelectorAll('a.table').length === 3")
    device.context.close()


@pytest.mark.browser
def test_new_games_wait_for_a_tap_if_the_summaries_of_the_others_are_late(
    browser: Browser, club: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    device = Device(browser, club.links[0]["url"])
    device.wait("document.querySelectorAll('a.table').length === 3")

    def answer_without_summaries(route: Route) -> None:
        response = route.fetch()
        body = response.json()
        for record in body["records"]:
            del record["summary"]
        route.fulfill(response=response, json=body)

    device.page.route("**/api/records", answer_without_summaries)
    device.wait("document.querySelectorAll('.state-asked').length === 3")
    gamelog.create(club.folder.path / "later.jsonl", "slicewars", seats=PEOPLE)  # type: ignore[union-attr]
    device.page.unroute("**/api/records")
    device.wait("document.querySelector('#lobby > button:not([hidden])')?.textContent === 'Show new: 1'")
    assert device.page.locator("a.table").count() == 3
    device.context.close()


@pytest.mark.browser
def test_the_lobby_refreshes_its_cards_and_new_games_wait_for_a_tap(
    browser: Browser, club: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    device = Device(browser, club.links[0]["url"])
    page = device.page
    device.wait("document.querySelectorAll('a.table').length === 3")
    club.scorer.ask("POST", "/new/events", FIRST)
    gamelog.create(club.folder.path / "later.jsonl", "slicewars", seats=PEOPLE)  # type: ignore[union-attr]
    device.wait("document.querySelector('#lobby > button:not([hidden])')?.textContent === 'Show new: 1'")
    device.wait("document.querySelectorAll('.state-running').length === 1")
    assert page.locator("a.table").count() == 3
    assert page.locator(".state-running").locator("xpath=ancestor::a").inner_text().count("▸") == 1
    assert "▸" not in page.locator(".state-over").locator("xpath=ancestor::a").inner_text()
    page.get_by_role("button", name="Show new: 1").tap()
    device.wait("document.querySelectorAll('a.table').length === 4")
    page.get_by_label("Search games").fill("over")
    device.wait("document.querySelectorAll('a.table').length === 1")
    page.get_by_label("Search games").fill("")
    page.get_by_label("State").select_option("playing")
    device.wait("document.querySelectorAll('a.table').length === 1")
    page.get_by_label("State").select_option("waiting")
    device.wait("document.querySelectorAll('a.table').length === 1")
    assert page.locator("a.table strong").text_content() == "later"
    page.get_by_role("link", name="later").tap()
    device.at(0)
    page.go_back()
    device.wait("document.querySelectorAll('a.table').length === 1")
    assert page.get_by_label("State").input_value() == "waiting"
    page.get_by_label("Search games").fill("nobody")
    page.get_by_text("No game fits.").wait_for()
    page.get_by_label("Search games").fill("")
    page.get_by_label("State").select_option("all")
    for closes_by_key in (True, False):
        page.get_by_role("button", name="New game").tap()
        page.wait_for_selector("#begin:not([hidden])")
        if closes_by_key:
            page.keyboard.press("Escape")
        else:
            page.get_by_role("button", name="Cancel").tap()
        assert page.locator("#begin").is_hidden()
    places = "JSON.stringify([...document.querySelectorAll('#evening button')].map((one) => one.offsetLeft))"
    before = page.evaluate(places)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save records").tap()
    named = download.value.suggested_filename
    assert re.fullmatch(r".+, \d{4}-\d\d-\d\d records\.zip", named)
    page.get_by_text(f"Saved: {named}.").wait_for()
    page.evaluate("void (fetch = () => new Promise(() => null))")
    page.get_by_role("button", name="Save report").tap()
    saves = page.locator("#evening button", has_text="Save").all()
    assert len(saves) == 4
    assert not any(one.is_enabled() for one in saves)
    assert page.evaluate(places) == before
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.get_by_role("link", name="later").tap()
    device.at(0)
    assert asked == ["beforeunload"]
    page.get_by_role("link", name="All tables").tap()
    page.get_by_text("You left the page, so no file was saved. Tap “Save report” again.").wait_for()
    assert device.complaints == []
    device.context.close()


@pytest.mark.browser
def test_the_device_remembers_its_links_until_it_is_told_to_forget_them(
    browser: Browser, club: Serving
) -> None:
    device = Device(browser, club.links[0]["url"])
    device.wait("document.querySelectorAll('a.table').length === 3")
    page = device.context.new_page()  # another tab, another day
    page.goto(f"http://127.0.0.1:{club.scorer.port}/")
    page.get_by_role("button", name="scorer").tap()
    page.wait_for_selector("a.table")
    again = device.context.new_page()
    again.goto(f"http://127.0.0.1:{club.scorer.port}/")
    again.get_by_role("button", name="Forget links").tap()
    again.wait_for_selector("html.ready")
    assert again.get_by_role("button", name="scorer").count() == 0
    links = club.scorer.get("/new/links").json["links"]
    device.page.evaluate("(token) => (location.hash = token)", link_of(links, "spectator"))
    device.wait("location.pathname === '/table/new'")  # another link in an open page
    device.at(0)
    assert device.page.inner_text("#role") == "spectator"
    device.page.evaluate("location.hash = 'x'.repeat(22)")
    device.page.get_by_text("This link does not work.").wait_for()
    device.page.get_by_role("button", name="spectator: new").wait_for()
    device.context.close()


@pytest.mark.browser
def test_the_form_for_a_new_game_has_controls_in_words_and_sends_only_changed_options(
    browser: Browser, tmp_path: Path
) -> None:
    with serve_in_thread(tmp_path) as serving:
        device = Device(browser, serving.links[0]["url"])
        page = device.page
        page.locator("#begin select").first.select_option("zone_control")
        page.get_by_text("Rules, dice and takebacks").tap()
        text = page.inner_text("#begin")
        assert "_" not in text
        assert "null" not in text
        page.get_by_label("Clock (minutes)").fill("")
        page.get_by_label("Limit of turns").fill("20")
        page.get_by_label("Lost challenge").select_option(label="all the attacker's pieces in the ring")
        for field in page.locator(".people-names input").all():
            field.fill(f"Player {field.get_attribute('name')}")
        page.get_by_text("Ids and tags").tap()
        page.get_by_label("Id: ").first.fill("ana@club")
        page.get_by_label("Tags").fill("event=Club night\nplace = Hall 2")
        page.get_by_label("Record name").fill("taken")
        (tmp_path / "taken.jsonl").touch()
        page.get_by_role("button", name="Start game").tap()
        page.locator("label:has([name=record]) [role=alert]:not(:empty)").wait_for()
        assert page.get_by_label("Record name").evaluate("(one) => one === document.activeElement")
        (tmp_path / "taken.jsonl").unlink()
        page.get_by_label("Record name").fill("")
        page.get_by_role("button", name="Start game").tap()
        device.at(0)
        assert ["409" in one for one in device.complaints] == [True]  # the name was taken
        device.context.close()
    (made,) = tmp_path.glob("*.jsonl")
    header = gamelog.read(made).header
    assert header.tags == {"event": "Club night", "place": "Hall 2"}
    assert header.seats[0].id == "ana@club"
    options = header.options
    assert (options["clock_minutes"], options["turn_limit"], options["loss"]) == (None, 20, "ring")


@pytest.mark.browser
def test_a_tap_without_a_connection_keeps_the_lobby_and_says_why(browser: Browser, club: Serving) -> None:
    device = Device(browser, club.links[0]["url"])
    device.wait("document.querySelectorAll('a.table').length === 3")
    address = device.page.url
    device.context.set_offline(True)
    device.page.locator("a.table", has_text="new").tap()
    device.wait("document.getElementById('lost').textContent.startsWith('No connection.')")
    assert device.page.url == address
    assert device.page.locator("a.table").count() == 3
    device.context.set_offline(False)
    device.wait("document.getElementById('lost').textContent === ''")
    device.page.locator("a.table", has_text="new").tap()
    device.wait("location.pathname === '/table/new'")
    device.context.close()


@pytest.mark.browser
def test_a_tap_while_the_server_is_gone_keeps_the_lobby(browser: Browser, club: Serving) -> None:
    device = Device(browser, club.links[0]["url"])
    device.wait("document.querySelectorAll('a.table').length === 3")
    device.page.route("**/api/records", lambda route: route.abort())
    device.wait("document.getElementById('line').textContent === 'no connection'")
    device.page.locator("a.table", has_text="new").tap()
    device.wait("document.getElementById('lost').textContent !== ''")
    assert device.page.evaluate("location.pathname") == "/"
    device.context.close()
