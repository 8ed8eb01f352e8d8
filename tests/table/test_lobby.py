"""Tests of the lobby: states of the games, links for one table, codes, the files of the evening, addresses."""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import zipfile
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from gamelog_table.live.followers import Delay
from gamelog_table.pages import summaries as module
from gamelog_table.pages.summaries import REFRESH_SECONDS, Summaries, Summary
from playwright.sync_api import Browser, Dialog, Route, expect

import gamelog
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Client, Serving, serve_in_thread
from tests.table.conftest import FIRST
from tests.table.touch import Device

PEOPLE = {"red": "Ana", "blue": "Rui"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Serving]:
    """Serve a folder with a new game, a game that is over, and a file that is no record of a game."""
    gamelog.create(tmp_path / "new.jsonl", "slicewars", seats=PEOPLE)
    shutil.copy(DIRECTORY / "slicewars/full-2.jsonl", tmp_path / "over.jsonl")
    shutil.copy(DIRECTORY / "slicewars/bit-flipped.jsonl", tmp_path / "damaged.jsonl")
    with serve_in_thread(tmp_path) as serving:
        yield serving


def summaries(client: Client) -> dict[str, Any]:
    """Return the summaries by name, once all records have one."""
    while True:
        records = client.get("//api/records").json["records"]
        if all("summary" in one for one in records):
            return {one["name"]: one["summary"] for one in records}


def link_of(links: list[dict[str, Any]], role: str) -> str:
    return str(next(link["token"] for link in links if link["role"] == role))


def test_each_record_has_its_state_players_to_move_points_and_last_activity(club: Serving) -> None:
    club.scorer.ask("POST", "/new/events", FIRST)
    found = summaries(club.scorer)
    assert found["damaged"] == {"status": "unknown"}
    over = fold_record(read_record(DIRECTORY / "slicewars/full-2.jsonl"))
    assert over.fold is not None
    assert over.fold.outcome is not None
    assert found["over"]["status"] == "over"
    assert found["over"]["winners"] == list(over.fold.outcome.winners)
    assert found["over"]["last"] == len(over.events)
    new = found["new"]
    assert (new["status"], new["last"], len(new["by"])) == ("running", 1, 1)
    assert new["score"].keys() == PEOPLE.keys()


def test_a_summary_follows_the_record(club: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    assert REFRESH_SECONDS > 0
    assert summaries(club.scorer)["new"]["status"] == "waiting"
    club.scorer.ask("POST", "/new/events", FIRST)
    while summaries(club.scorer)["new"].get("last") != 1:
        pass
    club.scorer.ask("POST", "/new/events", {"do": "@clock", "by": "table", "running": False})
    while summaries(club.scorer)["new"]["status"] != "paused":
        pass


def test_a_summary_says_what_waits_for_the_arbiter(club: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    club.scorer.ask("POST", "/new/events", FIRST)
    claim = {"do": "@claim", "by": "blue", "text": "It was a 3.", "about": 1}
    assert club.scorer.ask("POST", "/new/events", claim).status == 201
    while summaries(club.scorer)["new"].get("for_arbiter") != {"claim": 2}:
        pass
    found = summaries(club.scorer)
    assert found["new"]["asked_by"] == {"claim": "blue"}
    assert "for_arbiter" not in found["over"]
    illegal = {"do": "claim", "by": "blue", "at": "D1", "as_played": True}
    answer = club.scorer.ask("POST", "/new/events", illegal)
    assert answer.status == 201, answer.json
    while summaries(club.scorer)["new"]["for_arbiter"] != {"claim": 2, "illegal": 3}:
        pass
    arbiter = club.client("arbiter")
    ruling = {
        "do": "@ruling",
        "by": "arbiter",
        "about": 3,
        "kind": "stands",
        "reason": "It counts.",
        "name": "Lena",
    }
    assert arbiter.ask("POST", "/new/events", ruling).status == 201
    position = {
        "do": "@gap",
        "by": "arbiter",
        "reason": "seen",
        "state": arbiter.get("/new?at=4").json["state"],
    }
    assert arbiter.ask("POST", "/new/events", position).status == 201
    while summaries(club.scorer)["new"]["last"] != 5:
        pass
    assert summaries(club.scorer)["new"]["for_arbiter"] == {"claim": 2}, (
        "the arbiter has declared the position"
    )


def test_a_game_with_corrected_names_has_not_started(club: Serving) -> None:
    amend = {"do": "@amend", "by": "table", "seats": {"blue": {"name": "Rui Sá"}}}
    assert club.scorer.ask("POST", "/new/events", amend).status == 201
    found = summaries(club.scorer)["new"]
    assert (found["status"], found["last"]) == ("waiting", 1)


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


def test_the_lobby_of_a_delayed_spectator_does_not_wait_for_a_changed_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = gamelog.create(tmp_path / "evening.jsonl", "slicewars", seats=PEOPLE)

    async def never(*_args: Any, **_named: Any) -> Summary:
        await asyncio.Event().wait()
        return Summary("unknown")

    with serve_in_thread(tmp_path, delay=Delay(events=5)) as serving:
        monkeypatch.setattr(module, "REFRESH_SECONDS", 0)
        before = summaries(serving.spectator)
        recorder.append(FIRST)
        monkeypatch.setattr(module, "WAIT_SECONDS", 60)  # longer than the client waits
        monkeypatch.setattr(Summaries, "_make", never)
        assert [summaries(serving.spectator) for _ in range(2)] == [before] * 2


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
    pages = re.findall(rb"/Type */Page\b", device.page.pdf(format="A4"))
    assert len(pages) == 2, "all tables on one page, and the organisers' codes on a page of their own"
    device.page.locator("#paper").get_by_role("button", name="Close").tap()
    assert device.page.locator("#paper").is_hidden()
    assert device.page.locator("#records").is_visible()
    device.context.close()


def test_a_delayed_spectator_sees_the_lobby_as_it_was(tmp_path: Path) -> None:
    shutil.copy(DIRECTORY / "slicewars/takeback.jsonl", tmp_path / "game.jsonl")
    with serve_in_thread(tmp_path, delay=Delay(events=5)) as serving:
        whole, seen = summaries(serving.scorer)["game"], summaries(serving.spectator)["game"]
        is_over = whole["status"] == "over"
        assert whole["last"] - seen["last"] == (0 if is_over else 5)
        assert serving.spectator.get("//api/records").json["delayed"] == {"events": 5, "minutes": 0}


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


def test_a_link_for_one_table_opens_this_table_alone(club: Serving) -> None:
    links = club.client("arbiter").get("/new/links").json["links"]
    roles = [link["role"] for link in links]
    assert sorted(roles) == ["arbiter", "scorer", "seat", "seat", "spectator"]
    for role in roles:
        client = club.scorer.with_token(link_of(links, role))
        listed = client.get("//api/records").json
        assert [one["name"] for one in listed["records"]] == ["new"]
        assert listed["folder"] is False
        assert client.get("/new").status == 200
        assert client.get("/over").code == "table.other_record"
        assert client.get("/over/live?from=1").code == "table.other_record"
        assert client.ask("POST", "", {"game": "slicewars", "seats": PEOPLE}).status == 403
        assert client.get("//api/codes?record=over").status == 403
        assert client.get("//api/evening/records").status == 403
    scorer = club.scorer.with_token(link_of(links, "scorer"))
    assert scorer.ask("POST", "/new/events", FIRST).status == 201
    assert scorer.ask("POST", "/over/events", FIRST).code == "table.other_record"
    assert scorer.get("/new/links").json["links"] == [one for one in links if one["role"] != "arbiter"]
    arbiter = club.scorer.with_token(link_of(links, "arbiter"))
    assert arbiter.get("/new/links").json["links"] == links
    spectator = club.scorer.with_token(link_of(links, "spectator"))
    assert spectator.ask("POST", "/new/events", FIRST).status == 403
    assert spectator.get("/new/links").status == 403


def test_codes_are_shown_only_if_other_devices_can_open_the_links(
    club: Serving, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    local = club.scorer.get("/new/links").json
    assert local["reachable"] is False
    assert all("qr" not in link for link in local["links"])
    monkeypatch.setattr("gamelog_table.server.TableHost.is_reachable", True)
    with serve_in_thread(tmp_path) as serving:
        sheets = serving.scorer.get("//api/codes?record=new&record=over&record=none").json["records"]
        assert [sheet["name"] for sheet in sheets] == ["new", "over"]
        assert all(link["qr"].startswith("data:image/svg") for sheet in sheets for link in sheet["links"])
        assert serving.spectator.get("//api/codes?record=new").status == 403
        whole = serving.client("arbiter").get("//api/codes?record=new").json["records"]
        assert [link["role"] for link in whole[0]["links"]] == [
            "seat",
            "seat",
            "scorer",
            "arbiter",
            "spectator",
        ]


def test_shared_links_have_the_corrected_names(club: Serving) -> None:
    amend = {"do": "@amend", "by": "table", "seats": {"blue": {"name": "Rui Sá"}}}
    assert club.scorer.ask("POST", "/new/events", amend).status == 201
    shown = (
        club.scorer.get("/new/links").json["links"],
        club.scorer.get("//api/codes?record=new").json["records"][0]["links"],
    )
    for links in shown:
        assert [link["name"] for link in links if link["role"] == "seat"] == ["Ana", "Rui Sá"]


def test_a_link_shares_no_link_with_more_authority(club: Serving) -> None:
    new = {"game": "slicewars", "seats": PEOPLE, "name": "more"}
    shared = [
        club.scorer.get("/new/links").json["links"],
        club.scorer.get("//api/codes?record=new").json["records"][0]["links"],
        club.scorer.ask("POST", "", new).json["links"],
        club.scorer.ask("POST", "/over/rematch").json["links"],
    ]
    for links in shared:
        assert [link["role"] for link in links] == ["seat", "seat", "scorer", "spectator"]
    own = club.scorer.with_token(link_of(shared[0], "scorer"))
    assert "arbiter" not in {link["role"] for link in own.get("/new/links").json["links"]}
    for role in ("seat", "spectator"):
        client = club.scorer.with_token(link_of(shared[0], role))
        assert client.get("/new/links").code == "table.role"


@pytest.mark.parametrize("role", ["scorer", "arbiter"])
def test_the_links_of_a_single_record_follow_the_same_rule(begun: Serving, role: str) -> None:
    links = begun.client(role).get("/links").json["links"]
    allowed = [link for link in begun.links if role == "arbiter" or link["role"] != "arbiter"]
    places = [link.pop("place") for link in links if link["role"] == "seat"]
    assert places == ["red", "blue"]
    assert links == allowed
    for other in (begun.spectator, begun.client("seat", "red")):
        assert other.get("/links").code == "table.role"


def test_the_files_of_an_evening_are_made_for_the_scorer(club: Serving) -> None:
    assert club.folder is not None
    title = f"{club.folder.path.name}, 20".encode()
    records = club.scorer.get("//api/evening/records")
    with zipfile.ZipFile(io.BytesIO(records.body)) as packed:
        assert sorted(packed.namelist()) == ["damaged.jsonl", "new.jsonl", "over.jsonl"]
        assert packed.read("over.jsonl") == (DIRECTORY / "slicewars/full-2.jsonl").read_bytes()
    with zipfile.ZipFile(io.BytesIO(club.scorer.get("//api/evening/site").body)) as packed:
        assert {"index.html", "games/over.html"} <= set(packed.namelist())
        assert title in packed.read("index.html")
    assert title in club.scorer.get("//api/evening/report").body
    assert club.scorer.get("//api/evening/pack").body[:4] == b"PAR1"
    assert club.scorer.get("//api/evening/other").status == 404
    for client in (club.spectator, club.scorer.with_token("x" * 22)):
        assert client.get("//api/evening/records").status in (401, 403)


def test_a_full_disk_does_not_keep_later_files_from_the_scorer(
    club: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: str) -> str:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("tempfile.mkdtemp", fail)
        refused = club.scorer.get("//api/evening/records")
    assert (refused.status, refused.code) == (500, "table.failed")
    assert b"No space left on device" in refused.body
    assert club.scorer.get("//api/evening/records").status == 200


def test_a_new_record_has_a_name_by_itself_and_the_takebacks_that_were_chosen(club: Serving) -> None:
    asked = {"game": "slicewars", "seats": PEOPLE, "takebacks": "agreed", "board": "hex36"}
    names = [club.scorer.ask("POST", "", asked).json["name"] for _ in range(2)]
    assert [name[10:] for name in names] == [" SliceWars 1", " SliceWars 2"]
    assert club.folder is not None
    header = gamelog.read(club.folder.path / f"{names[0]}.jsonl").header
    assert header.takebacks == "agreed"
    assert str(header.board).startswith("hex36@")
    assert club.scorer.ask("POST", "", asked | {"takebacks": "nobody"}).status == 400
    assert club.scorer.ask("POST", "", asked | {"name": ""}).status == 422


def test_games_have_words_in_the_language_of_the_device_and_pictures_of_their_boards(club: Serving) -> None:
    games = {game["id"]: game for game in club.scorer.get("//api/games?lang=pt").json["games"]}
    dice = games["dice_flags"]
    assert dice["board_names"]["df181"] == "Tabuleiro pequeno, 181 espaços"
    assert dice["controls"][0]["title"] == "Colocação livre"
    for name in dice["boards"]:
        picture = club.scorer.get(f"//api/games/dice_flags/boards/{name}")
        assert (picture.status, picture.body[:4]) == (200, b"<svg")
    assert club.scorer.get("//api/games/dice_flags/boards/none").status == 404
    assert club.scorer.get("//api/games/none/boards/df181").status == 404


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
