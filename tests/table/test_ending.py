"""Tests of the end of a game at the table: the end screen, the rematch, and the next table."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest
from gamelog_table.live.followers import NO_DELAY, Delay
from gamelog_table.record import new_record
from playwright.sync_api import Browser

import gamelog
from gamelog.record.envelope import Header
from gamelog.record.record_file import create_record
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FIRST, FORFEIT
from tests.table.test_phones import SEEN
from tests.table.touch import Device

AGREED: list[dict[str, object]] = [
    {"do": "@agree", "by": "blue", "result": {"winners": ["red"], "reason": "agreed"}},
    {"do": "@accept", "by": "red", "about": 3},
]
IS_OPEN = "document.getElementById('ending').open"
WIDE = {"width": 1366, "height": 900}
PLACE = "JSON.stringify(document.getElementById('board').getBoundingClientRect())"
CLOSE_PLACE = "JSON.stringify(document.querySelector('#ending-acts button').getBoundingClientRect())"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Serving]:
    """Serve a folder with a game of two events and a game that waits."""
    seats = {"red": "Ana <ana@club>", "blue": "Rui"}
    gamelog.create(
        tmp_path / "first.jsonl",
        "slicewars",
        seats=seats,
        board="hex36",
        options={"max_rounds": 7},
        tags={"event": "Club night"},
        takebacks="agreed",
    )
    gamelog.create(tmp_path / "second.jsonl", "slicewars", seats={"red": "Mei", "blue": "Zé"})
    with serve_in_thread(tmp_path) as serving:
        for event in (FIRST, {"do": "claim", "at": "C3"}):
            assert serving.scorer.ask("POST", "/first/events", event).status == 201
        yield serving


def test_a_rematch_has_the_same_settings_and_rotated_seats(club: Serving) -> None:
    assert club.folder is not None
    assert club.scorer.ask("POST", "/first/rematch").code == "table.not_over"
    amend = {"do": "@amend", "by": "table", "seats": {"blue": {"name": "Rui Sá"}}}
    assert club.scorer.ask("POST", "/first/events", amend).status == 201
    assert club.client("arbiter").ask("POST", "/first/events", FORFEIT).status == 201
    assert club.spectator.ask("POST", "/first/rematch").status == 403
    links = club.scorer.get("/first/links").json["links"]
    own = club.scorer.with_token(next(link["token"] for link in links if link["role"] == "scorer"))
    assert own.ask("POST", "/first/rematch").status == 403
    made = club.scorer.ask("POST", "/first/rematch")
    assert made.status == 201
    old = gamelog.read(club.folder.path / "first.jsonl").header
    new = gamelog.read(club.folder.path / f"{made.json['name']}.jsonl").header
    assert [(one.seat, one.name, one.id) for one in new.seats] == [
        ("red", "Rui Sá", None),
        ("blue", "Ana", "ana@club"),
    ]
    for name in ("game", "rules", "options", "board", "dice", "takebacks", "tags"):
        assert getattr(new, name) == getattr(old, name)
    assert new.id != old.id
    assert made.json["name"] == "first, game 2"
    again = club.scorer.ask("POST", "/first/rematch")
    assert (again.status, again.json) == (200, made.json)
    forfeit = {**FORFEIT, "about": 1}
    assert club.scorer.ask("POST", "/first%2C%20game%202/events", FIRST).status == 201
    assert club.client("arbiter").ask("POST", "/first%2C%20game%202/events", forfeit).status == 201
    other = {"game": "slicewars", "seats": {"red": "Mei", "blue": "Zé"}, "name": "first, game 3"}
    assert club.scorer.ask("POST", "", other).status == 201
    made = club.scorer.ask("POST", "/first%2C%20game%202/rematch")
    assert (made.status, made.json["name"]) == (201, "first, game 4"), "the third game is of other people"
    assert club.scorer.ask("POST", "/first%2C%20game%202/rematch").json["name"] == "first, game 4"


def test_the_stream_of_a_page_says_when_the_next_game_of_its_link_has_started(club: Serving) -> None:
    links = club.scorer.get("/first/links").json["links"]
    red, blue = (club.scorer.with_token(link["token"]) for link in links if link["role"] == "seat")
    assert club.client("arbiter").ask("POST", "/first/events", FORFEIT).status == 201
    for one in (red, blue):
        one.path += "/first"
    with red.live(4, "steps") as events:
        assert club.folder is not None
        gamelog.create(  # by another program
            club.folder.path / "first, game 2.jsonl",
            "slicewars",
            seats={"red": "Rui", "blue": "Ana <ana@club>"},
            board="hex36",
            options={"max_rounds": 7},
            tags={"event": "Club night"},
            takebacks="agreed",
        )
        assert next(events)["event"] == "next"
    replaced = {"do": "@amend", "by": "table", "seats": {"blue": {"name": "Mei"}}}
    assert club.scorer.ask("POST", "/first%2C%20game%202/events", replaced).status == 201
    with red.live(4, "steps") as mine, blue.live(4, "steps") as others:
        assert next(others)["event"] == "next"
        assert (
            club.scorer.ask("POST", "/first/events", {"do": "@note", "by": "table", "text": "-"}).status
            == 201
        )
        assert next(mine)["event"] == "step", "another person sits at the new table"


def test_a_record_whose_name_the_form_would_refuse_has_a_rematch(tmp_path: Path) -> None:
    gamelog.create(tmp_path / "Ana & Rui’s.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    with serve_in_thread(tmp_path) as serving:
        for event in (AGREED[0], {**AGREED[1], "about": 1}):
            assert serving.scorer.ask("POST", "/Ana%20%26%20Rui%E2%80%99s/events", event).status == 201
        made = serving.scorer.ask("POST", "/Ana%20%26%20Rui%E2%80%99s/rematch")
        assert (made.status, made.json["name"]) == (201, "Ana & Rui’s, game 2")


def test_a_link_leads_to_the_rematch_with_its_own_rights(club: Serving) -> None:
    links = club.scorer.get("/first/links").json["links"]
    red, blue = (club.scorer.with_token(link["token"]) for link in links if link["role"] == "seat")
    assert red.get("/first/rematch").code == "table.not_over"
    assert club.client("arbiter").ask("POST", "/first/events", FORFEIT).status == 201
    assert red.get("/first/rematch").code == "table.no_rematch"
    assert red.get("/second/rematch").code == "table.other_record"
    new = club.scorer.ask("POST", "/first/rematch").json
    seats = {link["name"]: link["token"] for link in new["links"] if link["role"] == "seat"}
    for client, person in ((red, "Ana"), (blue, "Rui")):
        answer = client.get("/first/rematch")
        assert answer.status == 200
        assert (answer.json["name"], answer.json["token"]) == (new["name"], seats[person])
    for own in links:
        if own["role"] != "seat":
            token = club.scorer.with_token(own["token"]).get("/first/rematch").json["token"]
            mine = next(link["token"] for link in new["links"] if link["role"] == own["role"])
            assert token == mine, "a link for one record leads to a link for one record"
            assert red.with_token(token).get("//api/records/second").code == "table.other_record"
    for whole in (club.scorer, club.spectator, club.client("arbiter")):
        assert whole.get("/first/rematch").json["token"] == whole.token
    own = red.with_token(seats["Ana"])
    assert own.get(f"//{new['api'][1:]}").status == 200
    replaced = {"do": "@amend", "by": "table", "seats": {"blue": {"name": "Mei"}}}
    assert club.scorer.ask("POST", "/first%2C%20game%202/events", replaced).status == 201
    assert red.get("/first/rematch").code == "table.no_rematch", "another person sits at the new table"
    assert blue.get("/first/rematch").status == 200


@pytest.mark.browser
def test_the_end_of_a_game_has_a_screen_that_moves_nothing(browser: Browser, club: Serving) -> None:
    scorer = Device(browser, club.links[0]["url"].replace("/#", "/table/first#"))
    spectator = Device(browser, club.client_link("spectator").replace("/#", "/table/first#"))
    devices = (scorer, spectator)
    for one in devices:
        one.at(2)
        assert not one.page.evaluate(IS_OPEN)
    assert club.client("arbiter").ask("POST", "/first/events", FORFEIT).status == 201
    for one in devices:
        one.wait(IS_OPEN)
        assert one.page.inner_text("#ending-title") == "The game is over. Winner: Ana (forfeit)."
        assert one.page.locator("#standings li").all_inner_texts() == ["1.\nAna\n1", "2.\nRui\n0"]
        assert one.page.locator("#plot path").count() > 2
    buttons = [one.page.locator("#ending-acts button").all_inner_texts() for one in devices]
    assert buttons == [
        ["Record result: Ana (forfeit)", "Rematch, seats rotated", "Next table", "Close"],
        ["Close"],
    ]
    assert [one.page.inner_text("#ending-note") for one in devices] == [
        "The game ended with this result. Record it to confirm it and close the game.",
        "The organiser can start the next game.",
    ]
    following = scorer.page.get_by_role("button", name="Next table").bounding_box()
    scorer.tap_button("Record result: Ana (forfeit)", "#ending")
    scorer.at(4)
    scorer.wait(f"!{IS_OPEN}")
    assert scorer.page.inner_text("#alert") == "The result is recorded."
    scorer.tap_button("Result", "#tools")
    scorer.wait("document.querySelector('#ending-acts button').disabled")
    note = "The game ended with this result. The result is recorded, and the game is closed."
    assert scorer.page.inner_text("#ending-note") == note
    assert scorer.page.get_by_role("button", name="Next table").bounding_box() == following
    for one in devices:
        place = one.page.evaluate(PLACE)
        one.tap_button("Close", "#ending")
        assert not one.page.evaluate(IS_OPEN)
        assert one.page.evaluate(PLACE) == place
        one.tap_button("Result", "#tools")
        assert one.page.evaluate(IS_OPEN)
        assert one.page.evaluate(PLACE) == place
    scorer.tap_button("Next table", "#ending")
    scorer.wait("decodeURIComponent(location.pathname) === '/table/second'")
    for one in devices:
        assert one.complaints == []
        one.context.close()


@pytest.mark.browser
def test_a_usual_reason_is_recorded_in_english_and_read_in_each_language(
    browser: Browser, club: Serving
) -> None:
    device = Device(
        browser, club.client_link("scorer").replace("/#", "/table/first#"), locale="pt-PT", viewport=WIDE
    )
    device.at(2)
    device.page.locator("#more summary").first.tap()
    device.tap_button("Propor resultado", "#more")
    device.tap_button("Registar", "#more .form")
    device.at(3)
    assert "por acordo" in device.page.inner_text("#offers")
    event = club.scorer.get("/first").json["event"]
    assert (event["do"], event["result"]["reason"]) == ("@agree", "agreed")
    device.context.close()


@pytest.mark.browser
def test_the_buttons_of_the_end_screen_are_in_sight_in_each_size(browser: Browser, club: Serving) -> None:
    assert club.client("arbiter").ask("POST", "/first/events", FORFEIT).status == 201
    for size in ("844x390", "667x375", "360x640", "390x844", "1366x900"):
        width, height = map(int, size.split("x"))
        viewport = {"width": width, "height": height}
        device = Device(browser, club.links[0]["url"].replace("/#", "/table/first#"), viewport=viewport)
        device.at(3)
        device.tap_button("Result", "#tools")
        for at in range(device.page.locator("#ending-acts button").count()):
            assert device.page.evaluate(SEEN, f"#ending-acts button:nth-child({at + 1})"), (size, at)
        assert device.complaints == []
        device.context.close()


@pytest.mark.browser
def test_the_screen_closes_if_the_game_continues_and_a_rematch_opens(browser: Browser, club: Serving) -> None:
    device = Device(browser, club.links[0]["url"].replace("/#", "/table/second#"))
    for event in (FIRST, {"do": "claim", "at": "C3"}, *AGREED):
        assert club.scorer.ask("POST", "/second/events", event).status == 201
    device.wait(IS_OPEN)
    back = {"do": "@takeback", "by": "table", "to": 2}
    assert club.scorer.ask("POST", "/second/events", back).status == 201
    device.wait(f"!{IS_OPEN}")
    again = [AGREED[0], {**AGREED[1], "about": 6}]
    assert [club.scorer.ask("POST", "/second/events", one).status for one in again] == [201, 201]
    device.wait(IS_OPEN)
    links = club.scorer.get("/second/links").json["links"]
    seat = Device(browser, next(link["url"] for link in links if link["name"] == "Mei"))
    seat.at(7)
    seat.tap_button("Result", "#tools")
    spectator = Device(browser, club.client_link("spectator").replace("/#", "/table/second#"))
    spectator.at(7)
    spectator.tap_button("Result", "#tools")
    joined = {spectator: "Follow next game", seat: "Next game"}
    places = {}
    for one in joined:
        assert one.page.locator("#ending-acts button").all_inner_texts() == ["Close"], "there is no next game"
        one.page.evaluate("window.held = document.querySelector('#ending-acts button')")
        places[one] = one.page.evaluate(CLOSE_PLACE)
    device.tap_button("Rematch, seats rotated", "#ending")
    device.wait("location.pathname !== '/table/second'")
    device.at(0)
    assert device.page.locator("#seats .name").all_inner_texts() == ["Zé", "Mei"]
    for one, text in joined.items():
        one.wait("document.querySelectorAll('#ending-acts button').length === 2")
        assert one.page.evaluate("window.held === document.querySelector('#ending-acts button')"), (
            "a tap was lost"
        )
        assert one.page.evaluate(CLOSE_PLACE) == places[one]
        one.tap_button(text, "#ending")
        one.wait("decodeURIComponent(location.pathname) === '/table/second, game 2'")
        one.at(0)
    assert seat.page.inner_text("#role") == "Mei"
    for one in (device, seat, spectator):
        assert one.complaints == []
        one.context.close()


@pytest.mark.browser
def test_players_without_a_scorer_begin_the_next_game_together(browser: Browser, tmp_path: Path) -> None:
    seats = {"red": "Ana", "blue": "Rui"}
    gamelog.create(tmp_path / "one.jsonl", "slicewars", seats=seats, rolls="players")
    with serve_in_thread(tmp_path) as serving:
        links = serving.scorer.get("/one/links").json["links"]
        red, blue = (link for link in links if link["role"] == "seat")
        devices = [Device(browser, link["url"]) for link in (red, blue)]
        for event in (AGREED[0], {**AGREED[1], "about": 1}):
            assert serving.scorer.ask("POST", "/one/events", event).status == 201
        for device in devices:
            device.wait(IS_OPEN)
            assert device.page.locator("#ending-acts button").all_inner_texts() == ["Next game", "Close"]
        clients = [serving.scorer.with_token(link["token"]) for link in (red, blue)]
        with ThreadPoolExecutor(2) as threads:
            made = list(threads.map(lambda one: one.ask("POST", "/one/rematch", {}), clients))
        assert sorted(one.status for one in made) == [200, 201]
        assert {one.json["name"] for one in made} == {"one, game 2"}
        for device, name in zip(devices, ("Ana", "Rui"), strict=True):
            device.tap_button("Next game", "#ending")
            device.wait("decodeURIComponent(location.pathname) === '/table/one, game 2'")
            device.at(0)
            assert device.page.inner_text("#role") == name
            device.page.reload()
            device.at(0)
            device.page.go_back()
            device.wait("location.pathname === '/table/one'")
            device.at(2)
            assert device.page.inner_text("#role") == name
            device.page.go_forward()
            device.wait("decodeURIComponent(location.pathname) === '/table/one, game 2'")
            device.at(0)
            assert device.complaints == []
            device.context.close()
        assert len([*tmp_path.glob("*.jsonl")]) == 2


@pytest.mark.browser
def test_a_link_for_another_record_offers_its_own_record(browser: Browser, club: Serving) -> None:
    links = club.scorer.get("/first/links").json["links"]
    mine = next(link["url"] for link in links if link["role"] == "seat").replace("/#", "/table/second#")
    lost = club.client_link("spectator").replace("/#", "/table/third#")
    for url, text, path in ((mine, "Open first", "/table/first"), (lost, "All tables", "/")):
        device = Device(browser, url)
        assert device.page.inner_text("#hello").startswith("This record cannot be shown: ")
        device.context.set_offline(True)
        device.tap_button(text, "#records")
        device.wait("document.getElementById('hello').textContent === 'No connection. Try again later.'")
        assert device.page.url == url.partition("#")[0], "the browser shows no error of its own"
        device.context.set_offline(False)
        device.tap_button(text, "#records")
        device.wait(f"location.pathname === '{path}' && document.documentElement.classList.contains('ready')")
        device.context.close()


def test_a_rematch_is_asked_for_while_it_is_being_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gamelog.create(tmp_path / "one.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    both = Barrier(2)

    def create_slowly(path: Path, header: Header) -> None:
        path.touch()  # as a record looks before its header is written
        with suppress(BrokenBarrierError):
            both.wait(1)  # a second creation that has begun
        path.unlink()
        create_record(path, header)

    monkeypatch.setattr(new_record, "create_record", create_slowly)
    with serve_in_thread(tmp_path) as serving:
        for event in (AGREED[0], {**AGREED[1], "about": 1}):
            assert serving.scorer.ask("POST", "/one/events", event).status == 201
        with ThreadPoolExecutor(2) as threads:
            made = list(threads.map(lambda _: serving.scorer.ask("POST", "/one/rematch", {}), range(2)))
    assert sorted(one.status for one in made) == [200, 201]
    assert len([*tmp_path.glob("*.jsonl")]) == 2


@pytest.mark.browser
@pytest.mark.parametrize("delay", [NO_DELAY, Delay(events=3)])
def test_spectators_return_to_a_game_that_continues(browser: Browser, record: Path, delay: Delay) -> None:
    back = {"do": "@takeback", "by": "table", "to": 2}
    with serve_in_thread(record, delay) as serving:
        for event in (FIRST, {"do": "claim", "at": "C3"}, *AGREED):
            assert serving.scorer.write(event).status == 201
        late = Device(browser, serving.client_link("spectator"))
        late.at(4)
        late.tap_button("Result", "#tools")
        assert "game over" in late.page.inner_text("#line")
        assert serving.scorer.write(back).status == 201
        late.at(5 - delay.events)
        late.wait(f"!{IS_OPEN}")
        assert late.page.inner_text("#turn") == "To move: Rui"
        assert "game over" not in late.page.inner_text("#line")
        assert late.page.locator("#result").is_hidden()
        for cell in ("D1", "G4", "E1"):
            assert serving.scorer.write({"do": "claim", "at": cell}).status == 201
        late.at(8 - delay.events)
        assert late.complaints == []
        late.context.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("sample", "decides"),
    [
        ("ended-pieces", "Ana: 3 for zones, with 4 pieces in them."),
        ("ended-roll_off", "Tom rolls 4 4 4 6 4 4."),
    ],
)
def test_the_end_screen_says_what_decided_between_equal_players(
    browser: Browser, tmp_path: Path, sample: str, decides: str
) -> None:
    (tmp_path / "ended.jsonl").write_bytes((DIRECTORY / "zone_control" / f"{sample}.jsonl").read_bytes())
    with serve_in_thread(tmp_path / "ended.jsonl") as serving:
        device = Device(browser, serving.client_link("spectator"))
        device.press(device.page.locator("#result"))
        device.wait(IS_OPEN)
        shown = device.page.inner_text("#ending-how")
        assert decides in shown
        assert "The game is over" not in shown
        assert device.page.evaluate("document.getElementById('ending').scrollWidth <= innerWidth")
        device.page.screenshot(path=tmp_path / "ending.png")
        assert device.complaints == []
        device.context.close()
