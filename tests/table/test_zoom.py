"""Tests of the zoom of small boards in a real browser: no place moves while a finger can be on its way to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import gamelog
from gamelog.chance.rng import generator
from gamelog.chance.stream import draw_results
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import as_proposal
from tests.table.client import Serving, serve_in_thread
from tests.table.test_gestures import Board
from tests.table.touch import bots_event, matching, play_on

pytestmark = pytest.mark.browser

WATCH = """(() => {
  window.lit = {};
  const look = () => {
    const board = document.getElementById("board"), n = document.getElementById("desk")?.dataset.n, lights = board?.querySelector(".lights");
    if (lights && getComputedStyle(lights).opacity !== "0" && lights.childElementCount) ((window.lit[n] ??= {})[board.getAttribute("viewBox")] = true);
    requestAnimationFrame(look);
  };
  document.addEventListener("DOMContentLoaded", look);
})()"""
"""JavaScript that collects, for each position, the parts of the board that were on the screen while places were lit."""

PARTS = "Object.entries(window.lit).map(([n, parts]) => [Number(n), Object.keys(parts)])"


MIDDLE = """(() => {
  const { left, top, width, height } = document.getElementById("board").getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})()"""
"""JavaScript for the middle of the board on the screen."""


@contextmanager
def dice_on_a_phone(
    browser: Browser, path: Path, events: int, seat: str | None = None, **context: Any
) -> Iterator[tuple[Board, Serving]]:
    """Yield a phone that shows motions: the scorer's or a seat's, with a game of Dice after `events` events."""
    gamelog.create(path, "dice_flags", seats={"north": "Ana", "south": "Rui"})
    recorder, rng = EventRecorder(path), generator("zoom")
    for _ in range(events):
        play_on(recorder, b"zoom", rng)
    with serve_in_thread(path) as serving:
        device = Board(
            browser,
            serving.client_link("seat" if seat else "scorer", seat),
            WATCH,
            reduced_motion="no-preference",
            **context,
        )
        device.at(events)
        yield device, serving
        assert device.complaints == []
        device.context.close()


def test_no_place_moves_while_it_is_lit(browser: Browser, tmp_path: Path) -> None:
    """The places of a position light up when the board is at rest, also if the page records by itself."""
    path, rng = tmp_path / "dice.jsonl", random.Random(2)
    with dice_on_a_phone(browser, path, 0) as (device, serving):
        while (n := (recorder := EventRecorder(path)).n) < 14:
            device.at(n)
            if chance := recorder.fold.pending.chance:
                device.roll(chance, rng)
            else:
                asked = serving.scorer.get("/choices").json
                device.choose(matching(asked["choices"], bots_event(recorder)), asked["tokens"])
            if n % 3:  # otherwise the event is recorded when the time of its hold is over
                device.release()
            device.at(n + 1)
        parts = dict(device.page.evaluate(PARTS))
        assert {n: shown for n, shown in parts.items() if len(shown) > 1} == {}
        assert len({shown[0] for shown in parts.values()}) > 1, "the board does zoom"


def test_a_finger_that_came_down_before_the_board_moved_selects_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    path, rng = tmp_path / "dice.jsonl", generator("finger")
    with dice_on_a_phone(browser, path, 0) as (device, serving):
        has_moved = False
        while not has_moved:
            recorder = EventRecorder(path)
            n, chance, before = recorder.n, recorder.fold.pending.chance, device.box()
            middle = device.page.evaluate(MIDDLE)
            device.fingers("touchStart", middle)
            if chance:
                event: dict[str, Any] = {"results": draw_results(b"finger", rng.randbytes(8), chance.draws)}
            else:
                event = as_proposal(bots_event(recorder))
            assert serving.scorer.write(event).status == 201
            device.at(n + 1)
            has_moved = bool(chance) and device.box() != before
            device.fingers("touchEnd")
        assert device.page.inner_text("#tap-text") == "The board was moving. Tap again."
        assert device.page.locator("#board [aria-pressed=true]").count() == 0
        assert device.page.locator("#held").is_hidden()


OUT_OF_SIGHT = """(() => {
  const board = document.getElementById("board").getBoundingClientRect();
  return [...document.querySelectorAll("#board .over > .mark")].filter((mark) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect(), x = (left + right) / 2, y = (top + bottom) / 2;
    return x < board.left || x > board.right || y < board.top || y > board.bottom;
  }).length;
})()"""
"""JavaScript for the number of places of the last event that are not on the screen."""


def follow(device: Board, serving: Serving, path: Path, rng: random.Random) -> dict[str, Any] | None:
    """Record the roll that is due, or else return the decision of a bot, after it was recorded and shown."""
    recorder = EventRecorder(path)
    chance = recorder.fold.pending.chance
    if chance:
        event: dict[str, Any] = {"results": draw_results(b"follow", rng.randbytes(8), chance.draws)}
    else:
        event = as_proposal(bots_event(recorder))
    assert serving.scorer.write(event).status == 201
    device.at(recorder.n + 1)
    return None if chance else event


def test_a_player_who_waits_sees_the_events_of_the_others(browser: Browser, tmp_path: Path) -> None:
    path, rng = tmp_path / "dice.jsonl", generator("waiting")
    with dice_on_a_phone(browser, path, 0, "south") as (device, serving):
        whole, was_enlarged, seen = device.box(), False, 0
        while seen < 3:
            event = follow(device, serving, path, rng)
            was_enlarged |= device.box() != whole
            if was_enlarged and event and event["by"] == "north":
                assert device.page.evaluate(OUT_OF_SIGHT) == 0, event
                seen += 1


MARKED_AND_LIT = """(() => {
  const width = (node) => node.getBoundingClientRect().width, marks = [...document.querySelectorAll("#board .raised > .mark")];
  return [...document.querySelectorAll("#board [data-cell]")].flatMap((lit) => {
    const mark = marks.find((one) => one.getAttribute("transform").startsWith(lit.getAttribute("transform")));
    return mark ? [width(mark) / width(lit.querySelector(".light"))] : [];
  });
})()"""
"""JavaScript for the sizes of the marks of the last event on lit places, compared with the outlines of these places."""


def test_a_mark_of_the_last_event_leaves_the_outline_of_a_lit_place_in_sight(
    browser: Browser, tmp_path: Path
) -> None:
    path, rng = tmp_path / "dice.jsonl", generator("marked")
    with dice_on_a_phone(browser, path, 0) as (device, serving):
        sizes: list[float] = []
        while not sizes:
            follow(device, serving, path, rng)
            sizes = device.page.evaluate(MARKED_AND_LIT)
        assert max(sizes) < 0.85
