"""Tests of the words for the state of the page: the connection, the delay, the game, and events that wait."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from gamelog_table.live.followers import Delay
from playwright.sync_api import Browser, Route

import gamelog
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import as_proposal
from tests.table.client import Serving, serve_in_process, serve_in_thread
from tests.table.conftest import FIRST, FORFEIT
from tests.table.touch import Device, bots_event

SMALL: dict[str, Any] = {"viewport": {"width": 320, "height": 640}}


def line(device: Device, *words: str) -> None:
    """Wait until the chip shows exactly these states, and check that it is not cut off."""
    device.wait(f"document.getElementById('line').textContent === '{' · '.join(words)}'")
    cut = "(({ clientWidth, scrollWidth, clientHeight, scrollHeight }) => [scrollWidth - clientWidth, scrollHeight - clientHeight])"
    assert device.page.evaluate(f"{cut}(document.getElementById('line'))") == [0, 0]
    assert device.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_quiet_stream_has_heartbeats(begun: Serving) -> None:
    scorer = begun.scorer
    connection = scorer.connect()
    connection.request(
        "GET", f"{scorer.path}/live?from=3", headers={"Authorization": f"Bearer {scorer.token}"}
    )
    got = connection.getresponse()
    assert [got.readline() for _ in range(6)] == [b"retry: 1000\n", b"\n", b":\n", b"\n", b":\n", b"\n"]
    connection.close()


@pytest.mark.browser
def test_the_page_is_live_only_while_the_server_answers(browser: Browser, record: Path) -> None:
    with serve_in_process(record) as serving:
        serving.scorer.write(FIRST)
        device = Device(browser, serving.links[0]["url"], **SMALL)
        line(device, "live")
        serving.process.send_signal(signal.SIGSTOP)
        line(device, "no connection")
        device.tap_cell("C3")
        device.release()
        line(device, "no connection", "not sent: 1")
        serving.process.send_signal(signal.SIGCONT)
        line(device, "live")
        device.at(2)
        device.context.set_offline(True)
        line(device, "no connection")
        device.context.set_offline(False)
        line(device, "live")
        device.context.close()


@pytest.mark.browser
def test_each_state_has_its_words(browser: Browser, record: Path) -> None:
    with serve_in_thread(record, Delay(events=1, minutes=0)) as serving:
        scorer = serving.scorer
        for event in (FIRST, {"do": "claim", "at": "C3"}):
            assert scorer.write(event).status == 201
        assert scorer.get("/table").json["delayed"] is None
        assert serving.spectator.get("/table").json["delayed"] == {"events": 1, "minutes": 0}
        device = Device(browser, serving.links[0]["url"], **SMALL)
        spectator = Device(browser, serving.client_link("spectator"), **SMALL)
        line(device, "live")
        line(spectator, "delayed: 1 event", "read only")
        assert "stopped" not in spectator.page.inner_text("#clock")
        scorer.write({"do": "@clock", "by": "table", "running": False})
        line(device, "live", "clock paused")
        scorer.write({"do": "@clock", "by": "table", "running": True})
        line(spectator, "delayed: 1 event", "clock paused", "read only")
        spectator.wait("document.getElementById('clock').textContent.includes('stopped')")
        line(device, "live")
        assert serving.client("arbiter").write(FORFEIT).status == 201
        line(device, "game over")
        line(spectator, "game over", "read only")
        for one in (device, spectator):
            assert one.complaints == []
            one.context.close()


@pytest.mark.browser
@pytest.mark.parametrize("status", [401, 403])
def test_the_page_stops_following_if_its_link_is_refused(browser: Browser, record: Path, status: int) -> None:
    with serve_in_thread(record) as serving:
        device, asked = Device(browser, serving.client_link("spectator"), **SMALL), list[str]()

        def refuse(route: Route) -> None:
            asked.append(route.request.url)
            route.fulfill(status=status, json={"error": {"code": "table.bad_link", "message": "No."}})

        line(device, "live", "read only")
        device.context.route("**/live?*", refuse)
        device.context.set_offline(True)
        line(device, "no connection", "read only")
        device.context.set_offline(False)
        line(device, "link withdrawn", "read only")
        assert len(asked) == 1
        device.context.close()


@pytest.mark.browser
def test_the_page_shows_the_record_that_replaces_its_own(browser: Browser, tmp_path: Path) -> None:
    path, other = tmp_path / "evening.jsonl", tmp_path / "other"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
    gamelog.create(other, "zone_s", seats={"dominion": "Zoë", "separatists": "Max"})
    with serve_in_thread(tmp_path) as serving:
        scorer = Device(browser, serving.client_link("scorer").replace("/#", "/table/evening#"))
        player = Device(browser, serving.scorer.get("/evening/links").json["links"][0]["url"])
        assert scorer.page.inner_text("#title").startswith("SliceWars")
        os.replace(other, path)
        scorer.wait("document.getElementById('title').textContent.startsWith('Zone S')")
        assert scorer.complaints == []
        player.wait("document.body.innerText.includes('This link does not work.')")
        assert "Zoë" not in player.page.content()  # packed bytes of the page can spell Zoe
        for one in (scorer, player):
            one.context.close()


@pytest.mark.browser
def test_a_deleted_event_is_not_sent(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.context.set_offline(True)
    line(device, "no connection")
    device.tap_cell("D1")
    device.release()
    line(device, "no connection", "not sent: 1")
    waiting = device.page.locator("#waiting li")
    assert waiting.all_inner_texts() == ["Rui claims D1.\nDelete"]
    drawn, words = device.page.locator(".ghost"), device.page.locator("#waiting p")
    assert drawn.count() == 1
    assert words.all_inner_texts() == [
        "Not sent yet. The board shows the position after event 2.",
        "Dashed lines mark the event that waits.",
    ]
    assert device.page.locator(".light").count() == 0, "the position after the waiting event is unknown here"
    assert device.page.locator("#acts button").count() == 0
    tap_text = device.page.locator("#tap-text")
    for at in ((200, 260), (60, 300)):
        device.finger(*at)
        assert tap_text.inner_text() == "Wait until the event is sent, or delete it."
        box = tap_text.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= at[0] <= box["x"] + box["width"] <= 390
        assert abs(box["y"] + box["height"] / 2 - at[1]) < 80, "it is at the finger"
    device.tap_button("Delete")
    assert tap_text.is_hidden()
    line(device, "no connection")
    assert drawn.count() == 0
    device.tap_cell("E1")
    device.release()
    device.wait("document.getElementById('waiting').innerText.includes('Rui claims E1.')")
    device.context.set_offline(False)
    device.at(3)
    line(device, "live")
    assert device.page.locator("#waiting").is_hidden()
    assert drawn.count() == 0
    assert begun.scorer.get().json["text"] == "Rui claims E1."
    assert begun.scorer.get().json["n"] == 3
    assert device.page.inner_text("#alert") == ""
    device.context.close()


@pytest.mark.browser
def test_a_message_disappears_when_it_is_no_longer_true(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.tap_cell("D1")
    begun.scorer.write({"do": "claim", "at": "E1"})
    device.wait("document.getElementById('alert').textContent.includes('Someone else recorded first')")
    device.at(3)
    assert "Someone else recorded first" in device.page.inner_text("#alert"), "it is true at event 3"
    begun.scorer.write({"do": "claim", "at": "D2"})
    device.at(4)
    assert device.page.inner_text("#alert") == ""
    device.context.close()


@pytest.mark.browser
def test_a_message_ends_after_twelve_seconds(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.at(2)
    device.page.clock.install()
    device.page.locator("#back").tap()
    device.page.clock.pause_at(device.page.evaluate("Date.now()") + 1000)
    device.finger(200, 260)
    tap_text = device.page.locator("#tap-text")
    assert tap_text.inner_text() == "To record after looking at event 1, press “Go live”."
    device.page.clock.run_for(11_900)
    assert tap_text.is_visible()
    device.page.clock.run_for(200)
    assert tap_text.is_hidden()
    device.context.close()


LONG_HOLD = "{ const own = setTimeout; window.setTimeout = (act, ms, ...more) => own(act, ms === 2000 ? 1e6 : ms, ...more); }"
"""JavaScript with which an event is held until it is sent by a tap."""


@pytest.mark.browser
def test_a_held_event_stays_while_another_device_records_a_note(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.links[0]["url"], LONG_HOLD)
    device.at(2)
    device.tap_cell("D1")
    assert begun.scorer.write({"do": "@note", "by": "table", "text": "Tea."}).status == 201
    device.wait("document.getElementById('desk').dataset.n === '3'")
    assert "Rui claims D1." in device.page.inner_text("#held")
    assert begun.scorer.get().json["n"] == 3, "it is not sent yet"
    device.release()
    device.at(4)
    assert begun.scorer.get().json["text"] == "Rui claims D1."
    assert device.page.inner_text("#alert") == ""
    device.context.close()


@pytest.mark.browser
def test_a_roll_that_waited_is_recorded_and_the_game_continues(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "dice.jsonl"
    gamelog.create(path, "dice_flags", seats={"north": "Ana", "south": "Rui"}, options={"max_rounds": 3})
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.links[0]["url"])
        device.at(0)
        recorder = EventRecorder(path)
        chance = recorder.fold.pending.chance
        assert chance is not None
        device.context.set_offline(True)
        line(device, "no connection")
        device.roll(chance, random.Random(1))
        line(device, "no connection", "not sent: 1")
        assert device.page.locator("#pad button").count() == 0
        assert device.page.locator("#waiting p").all_inner_texts() == [
            "Not sent yet. The board shows the position after event 0."
        ]
        device.context.set_offline(False)
        device.at(1)
        line(device, "live")
        recorder.refresh()
        while (chance := recorder.fold.pending.chance) is not None:
            device.roll(chance, random.Random(2))
            device.at(recorder.n + 1)
            recorder.refresh()
        assert device.page.locator("#list li").count() > 0
        assert [one for one in device.complaints if "ERR_INTERNET" not in one] == []
        device.context.close()


@pytest.mark.browser
def test_a_roll_by_the_computer_waits_for_the_table(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "seeded.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"}, dice="seeded")
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.links[0]["url"])
        device.at(0)
        device.context.set_offline(True)
        line(device, "no connection")
        device.tap_button("Roll", "#pad")
        device.release()
        line(device, "no connection", "not sent: 1")
        assert device.page.inner_text("#waiting li span") == (
            "The table makes this roll or draw when you are connected again."
        )
        device.context.set_offline(False)
        device.at(1)
        device.context.close()


@pytest.mark.browser
def test_a_roll_stays_while_it_is_due(browser: Browser, table: Serving) -> None:
    """Notes and offers do not remove the dice that are entered already. The roll of another device does."""
    device = Device(browser, table.links[0]["url"])
    note = {"do": "@note", "by": "red", "text": "late"}
    device.at(0)
    thrown = device.page.locator("#pad .thrown")
    device.tap_button("5", "#pad")
    assert thrown.all_inner_texts() == ["Ana: 5"]
    assert table.scorer.write(note).status == 201
    device.at(1)
    assert thrown.all_inner_texts() == ["Ana: 5"]
    device.page.locator("#more button[data-do='@note']").tap()
    device.page.locator("#more .form textarea").fill("early")
    device.page.locator("#more .form button.main").tap()
    device.at(2)
    assert thrown.all_inner_texts() == ["Ana: 5"]
    device.tap_button("2", "#pad")
    assert table.scorer.write(note).status == 201
    device.wait("document.getElementById('desk').dataset.n === '3'")
    device.at(4)
    assert table.scorer.get().json["text"].startswith("Ana rolls 5. Rui rolls 2.")
    assert device.page.inner_text("#alert") == ""
    assert device.complaints == []
    device.context.close()


def test_undo_after_a_roll_takes_back_the_roll_alone(tmp_path: Path) -> None:
    path = tmp_path / "dice.jsonl"
    gamelog.create(path, "dice_flags", seats={"north": "Ana", "south": "Rui"})
    recorder, rng = EventRecorder(path), random.Random(1)
    for _ in range(60):
        rolled = False
        while (chance := recorder.fold.pending.chance) is not None:
            results = tuple(tuple(rng.randint(1, 6) for _ in range(draw.count)) for draw in chance.draws)
            recorder.append([as_proposal(recorder.fold.game.chance(recorder.fold.state, results))])
            rolled = True
        if rolled and recorder.n > 6:
            break
        recorder.append([as_proposal(bots_event(recorder))])
    n = recorder.n
    with serve_in_thread(path) as serving:
        undo = serving.scorer.get("/choices").json["undo"]
        assert ([one["n"] for one in undo["undone"]], undo["event"]["to"]) == ([n], n - 1)
        assert serving.scorer.write(undo["event"]).status == 201
        assert serving.scorer.get("/choices").json["chance"] is not None
