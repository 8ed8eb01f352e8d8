"""Tests of clocks that ran while nobody played: the table asks the scorer, and the arbiter can set them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Browser, expect

from gamelog.archive.rows.timeline import Timeline
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.correction import Correction
from gamelog.play.recording.header import new_header
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import ARBITER, DiceSpec, Seat, tag_of
from gamelog.record.reading import read_record
from gamelog.record.record_file import create_record
from tests.play.tables import GAME
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FIRST
from tests.table.test_desk import Writer, recorded_events, until
from tests.table.touch import Device

HOUR = 3_600_000


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """Return a game whose last event is 19 hours old. Red has used a minute, and the clock runs."""
    path = tmp_path / "left.jsonl"
    started = (datetime.now(UTC) - timedelta(hours=20)).strftime("%Y-%m-%dT%H:%M:%SZ")
    people = [Seat("red", "Ana"), Seat("blue", "Rui")]
    create_record(path, new_header(GAME, people, id="left", started=started, dice=DiceSpec("table")))
    claim = {"do": "claim", "at": "C3", "t": HOUR}
    EventRecorder(path).append([{**FIRST, "t": HOUR - 60_000}, claim])
    return path


@pytest.fixture
def serving(left: Path) -> Iterator[Serving]:
    """Yield a server of the game."""
    with serve_in_thread(left) as serving:
        yield serving


def test_only_the_scorer_is_asked_and_only_while_the_clock_runs(serving: Serving) -> None:
    idle = serving.scorer.get("/choices").json["idle"]
    assert idle["ms"] > 18 * HOUR
    assert idle["pause"] == {"do": "@clock", "by": "table", "running": False, "t": HOUR}
    for role, seat in (("seat", "red"), ("arbiter", None)):
        assert serving.client(role, seat).get("/choices").json["idle"] is None
    assert serving.scorer.write(idle["pause"]).status == 201
    assert serving.scorer.get("/choices").json["idle"] is None
    assert serving.scorer.get("/table").json["running"] is False


def test_the_arbiter_sets_clocks_and_the_games_clock_follows(serving: Serving) -> None:
    arbiter = serving.client("arbiter")
    ruling = {
        "do": "@ruling",
        "about": 2,
        "kind": "clock",
        "reason": "The night.",
        "name": "Mei",
        "clock": {"blue": 30_000},
    }
    assert arbiter.write(ruling).status == 201
    with serving.spectator.live(3, "steps") as events:
        step = next(events)
    assert (step["event"], step["data"]["n"], step["data"]["clock"]) == ("step", 3, HOUR + 30_000)
    assert step["data"]["table"]["used"] == {"blue": 30_000}


@pytest.mark.browser
def test_a_long_time_before_the_first_event_of_play_does_not_count(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "early.jsonl"
    started = (datetime.now(UTC) - timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    people = [Seat("red", "Ana"), Seat("blue", "Rui")]
    create_record(path, new_header(GAME, people, id="early", started=started, dice=DiceSpec("table")))
    with serve_in_thread(path) as serving:
        arbiter, scorer = (Writer(browser, serving.client_link(role)) for role in ("arbiter", "scorer"))
        for device in (arbiter, scorer):
            device.at(0)
            assert device.page.inner_text("#clock") == "0:00 · starts with play"
        assert serving.scorer.write({"do": "@note", "by": "table", "text": "Wait."}).json["n"] == 2
        refused = serving.scorer.write({"do": "claim", "at": "C3"})
        assert (refused.status, len(recorded_events(path))) == (422, 2), "a refused event ends no pause"
        assert serving.scorer.write(FIRST).json["n"] == 4
        for device in (arbiter, scorer):
            device.at(4)
            device.wait("!document.getElementById('clock').textContent.includes('starts')")
            device.closes()
    replayed = fold_record(read_record(path))
    assert replayed.status == "ok"
    events = replayed.events
    assert [tag_of(type(event)) for event in events] == ["@clock", "@note", "@clock", "start_roll"]
    assert (events[0].t, replayed.fold and replayed.fold.play_time) == (0, events[3].t - events[2].t)


@pytest.mark.browser
def test_the_form_of_a_ruling_names_the_times_on_the_clocks_afterwards(
    browser: Browser, left: Path, serving: Serving
) -> None:
    """Red and blue have used a minute each. The time since then is on the clock of the player to move."""
    claim = {"do": "claim", "at": "D1", "t": HOUR + 60_000}
    EventRecorder(left).append([claim])
    ruling = {"do": "@ruling", "about": 3, "kind": "takeback", "reason": "Too late.", "name": "Mei"}
    arbiter = serving.client("arbiter")
    clocks = arbiter.ask("POST", "/would", ruling).json["clocks"]
    assert clocks["red"] == 60_000
    assert clocks["blue"] > 18 * HOUR
    assert clocks["table"] == HOUR + clocks["blue"]
    assert arbiter.ask("POST", "/would", {**ruling, "kind": "stands"}).json["clocks"] is None
    device = Writer(browser, serving.client_link("arbiter"))
    device.at(3)
    device.open("@ruling")
    device.fill(Reason="Too late.", Name="Mei", Decision="takeback")
    device.foretold("Clocks afterwards: Ana 1:00, Rui 19:0")
    device.closes()


@pytest.mark.browser
def test_after_reopening_one_tap_stops_the_clock_from_the_last_event_on(
    browser: Browser, serving: Serving, left: Path
) -> None:
    device = Writer(browser, serving.links[0]["url"])
    device.at(2)
    question = device.page.get_by_role("alertdialog")
    expect(question).to_contain_text("The last event was recorded 19:0")
    question.get_by_role("button", name="Exclude time").tap()
    pause = until(left, 3)
    assert (pause.running, pause.t) == (False, HOUR)
    device.at(3)
    expect(question).to_have_count(0)
    device.closes()


@pytest.mark.browser
def test_the_clock_runs_from_the_start_of_the_record_and_says_so_until_the_first_event(
    browser: Browser, table: Serving
) -> None:
    scorer, spectator = (Device(browser, table.client_link(role)) for role in ("scorer", "spectator"))
    for device in (scorer, spectator):
        device.at(0)
        device.wait(r"/^\d+:\d\d · runs$/.test(document.getElementById('clock').textContent)")
    with table.spectator.live(1, "steps") as events:
        assert table.scorer.write(FIRST).status == 201
        step = next(events)["data"]
    assert step["clock"] == step["t"] > 0, "the time before the first event is time of play"
    for device in (scorer, spectator):
        device.at(1)
        device.wait(r"/^\d+:\d\d$/.test(document.getElementById('clock').textContent)")
        assert device.complaints == []
        device.context.close()


@pytest.mark.browser
def test_if_the_time_counts_nothing_is_recorded(browser: Browser, serving: Serving, left: Path) -> None:
    device = Writer(browser, serving.links[0]["url"])
    device.at(2)
    device.page.get_by_role("button", name="Count time").tap()
    expect(device.page.get_by_role("alertdialog")).to_have_count(0)
    device.closes()
    assert len(recorded_events(left)) == 2


@pytest.mark.browser
def test_the_arbiters_form_sets_clocks(browser: Browser, serving: Serving, left: Path) -> None:
    device = Writer(browser, serving.client_link("arbiter"))
    device.at(2)
    device.open("@ruling")
    device.fill(Decision="none", Reason="The night.", Name="Mei")
    device.page.locator("#more .form fieldset").filter(has_text="Clock times").get_by_label("Rui").fill(
        "0:45"
    )
    device.foretold("Clocks: Rui 0:45")
    device.write()
    ruling = until(left, 3)
    assert (ruling.by, ruling.kind, ruling.clock) == (
        ARBITER,
        "clock",
        {"blue": 45_000, "table": HOUR + 45_000},
    )
    device.closes()


@pytest.mark.browser
def test_a_ruling_on_clocks_alone_does_not_replace_the_ruling_before_it(
    browser: Browser, serving: Serving, left: Path
) -> None:
    ruling = {"do": "@ruling", "about": 2, "kind": "takeback", "to": 1, "reason": "Late.", "name": "Mei"}
    assert serving.client("arbiter").write(ruling).status == 201
    device = Writer(browser, serving.client_link("arbiter"))
    device.at(3)
    device.open("@ruling")
    device.fill(Decision="none", Reason="The night.", Name="Mei")
    device.page.locator("#more .form fieldset").filter(has_text="Clock times").get_by_label("Rui").fill(
        "0:45"
    )
    device.foretold("Clocks: Rui 0:45")
    device.write()
    clocks = until(left, 5)
    assert (clocks.kind, clocks.about) == ("clock", 4), "the ruling is about a note with its reason"
    fold = fold_record(read_record(left)).fold
    assert fold is not None
    assert not fold.stands(2)
    device.closes()


def test_a_step_says_how_long_the_clock_has_run_since_the_last_play(serving: Serving, left: Path) -> None:
    EventRecorder(left).append([{"do": "@note", "by": "red", "text": "late", "t": HOUR + 40_000}])
    assert serving.scorer.get("/table").json["unplayed"] == 40_000
    EventRecorder(left).append(
        [
            {"do": "@clock", "by": "table", "running": False, "t": HOUR + 50_000},
            {"do": "@note", "by": "red", "text": "in the pause", "t": HOUR + 90_000},
            {"do": "@clock", "by": "table", "running": True, "t": HOUR + 100_000},
            {"do": "@note", "by": "red", "text": "after it", "t": HOUR + 130_000},
        ]
    )
    with serving.spectator.live(3, "steps") as events:
        steps = [next(events)["data"] for _ in range(5)]
    assert [(step["clock"] - HOUR, step.get("unplayed", 0)) for step in steps] == [
        (0, 40_000),
        (50_000, 0),
        (50_000, 0),
        (50_000, 0),
        (50_000, 30_000),
    ]


@pytest.mark.browser
def test_a_note_does_not_turn_the_clock_back(browser: Browser, serving: Serving, left: Path) -> None:
    EventRecorder(left).append([{"do": "@note", "by": "red", "text": "late", "t": 19 * HOUR}])
    device = Writer(browser, serving.links[0]["url"])
    for n in (3, 4):
        device.at(n)
        expect(device.page.locator("#clock")).to_have_text(re.compile(r"^(19:[5-9]\d|20:\d\d):\d\d"))
        EventRecorder(left).append([{"do": "@note", "by": "red", "text": "later"}])
    device.closes()


@pytest.mark.browser
def test_a_correction_does_not_change_the_clock(browser: Browser, serving: Serving, left: Path) -> None:
    """The right event repeats a minute of play, and the page shows the same time as before."""
    device = Device(browser, serving.client_link("spectator"))
    device.at(2)
    clock = device.page.locator("#clock")
    expect(clock).to_have_text(re.compile(r"^20:\d\d:\d\d"))
    correction = Correction(left, 2)
    assert correction.put({"do": "claim", "at": "D1"}) is None
    correction.write(EventRecorder(left))
    device.at(4)
    expect(clock).to_have_text(re.compile(r"^20:\d\d:\d\d"))
    device.page.reload()
    device.at(4)
    expect(clock).to_have_text(re.compile(r"^20:\d\d:\d\d"))
    EventRecorder(left).append([{"do": "@takeback", "by": "table", "to": 1, "slip": True}])
    device.at(5)
    expect(clock).to_have_text(re.compile(r"^20:\d\d:\d\d"))
    assert device.complaints == []
    device.context.close()


@pytest.mark.browser
def test_all_clocks_agree_after_a_correction_and_an_agreed_end(browser: Browser, left: Path) -> None:
    """Time up to the last event of play counts, and the table says which event this is."""
    recorder = EventRecorder(left)
    correction = Correction(left, 2)
    assert correction.put({"do": "claim", "at": "D1"}) is None
    correction.write(recorder)
    late = {"t": 3 * HOUR}
    offer = {"do": "@agree", "by": "blue", "result": {"winners": ["red"], "reason": "agreed"}}
    EventRecorder(left).append([{**offer, **late}, {"do": "@accept", "by": "red", "about": 5, **late}])
    folded = fold_record(read_record(left))
    assert folded.fold is not None
    assert RecordView(folded.fold).step(6).clock == HOUR
    assert Timeline(folded.fold, folded.events, folded.record.bodies).duration == HOUR
    with serve_in_thread(left) as serving:
        device = Device(browser, serving.client_link("spectator"))
        device.at(6)
        expect(device.page.locator("#clock")).to_have_text("1:00:00 · up to event 4")
        assert device.complaints == []
    finished = left.with_suffix(".html")
    finished.write_text(replay_page(folded), encoding="utf-8")
    device.page.goto(f"{finished.as_uri()}#n=6")
    expect(device.page.locator("#captions")).to_contain_text("clock1:00:00")
    device.context.close()
