"""Tests of gestures in a real browser: drags, pinches, taps next to a small cell, and accidental taps."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from gamelog_table.events.taps import tapped_choices
from playwright.sync_api import Browser, Route

import gamelog
from gamelog.chance.rng import generator
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.seats import legal_for
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import as_proposal
from tests.browser.conftest import settle
from tests.table.client import Serving, serve_in_thread
from tests.table.touch import TABLET, Device, play_on

pytestmark = pytest.mark.browser

SEATS = {
    "dice_flags": ("north", "south"),
    "zone_control": ("north", "east", "south", "west"),
    "slicewars": ("red", "blue"),
}


def play_until(path: Path, game: str, until: Callable[[EventRecorder], Any]) -> Any:
    """Return the first result of `until` in a game of greedy bots, which is written to `path` up to there."""
    gamelog.create(path, game, seats=dict(zip(SEATS[game], ("Ana", "Rui", "Mei", "Zé"), strict=False)))
    recorder = EventRecorder(path)
    rng = generator("gestures")
    for _ in range(200):
        found = until(recorder)
        if found:
            return found
        play_on(recorder, b"gestures", rng)
    raise AssertionError("never found")


def events_after(path: Path, n: int) -> list[dict[str, Any]]:
    """Return the events after number `n`, without their request keys."""
    told = [as_proposal(step.event) for step in gamelog.read(path)][n:]
    return [{name: value for name, value in one.items() if name != "id"} for one in told]


def moves(recorder: EventRecorder) -> list[Any]:
    """Return the decisions that are legal now."""
    return (
        []
        if recorder.fold.pending.chance
        else list(legal_for(recorder.fold.game, recorder.fold.state, None).events)
    )


class Board(Device):
    """A device that can also drag and pinch."""

    def where(self, cell: str) -> tuple[float, float]:
        """Return the centre of a cell on the screen."""
        script = """(id) => {
          const board = document.getElementById("board"), cell = [...board.querySelectorAll(".ground > g")];
          const own = cell.find((one) => one.querySelector("title").textContent.split(" · ")[0].split(" ").pop() === id);
          const box = own.getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        }"""
        x, y = self.page.evaluate(script, cell)
        return x, y

    def fingers(self, kind: str, *points: tuple[float, float]) -> None:
        """Touch, move or lift fingers."""
        told = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        if not hasattr(self, "_line"):
            self._line = self.context.new_cdp_session(self.page)
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    def show_whole_board(self) -> None:
        """Tap the button for the whole board. After a drag, Chromium may take the first tap for the end of its motion."""
        key, shown = self.page.locator("#whole"), "document.getElementById('whole').title !== 'Whole board'"
        for _ in range(3):
            self.press(key)
            with suppress(AssertionError):
                self.wait(shown, tries=200)
                return
        self.wait(shown)

    def drag(self, cells: list[str]) -> None:
        """Drag a finger from the first of `cells` to the last."""
        self.page.evaluate("document.getElementById('board').scrollIntoView({block: 'center'})")
        points = [self.where(cell) for cell in cells]
        self.fingers("touchStart", points[0])
        for (x, y), (u, v) in pairwise(points):
            for part in (0.34, 0.67, 1):
                self.fingers("touchMove", (x + (u - x) * part, y + (v - y) * part))
        self.fingers("touchEnd")

    def box(self) -> list[float]:
        """Return the visible part of the board in units of the board."""
        found: list[float] = self.page.evaluate(
            "document.getElementById('board').getAttribute('viewBox').split(' ').map(Number)"
        )
        return found


NO_ZOOM = "localStorage.setItem('gamelog', JSON.stringify({zoom: false}))"
"""JavaScript after which the board does not zoom by itself."""


@contextmanager
def board(browser: Browser, path: Path, **context: Any) -> Iterator[tuple[Board, Serving]]:
    """Yield a scorer's device with the record at `path`, and check that its page has no complaints."""
    with serve_in_thread(path) as serving:
        device = Board(browser, serving.links[0]["url"], NO_ZOOM, **context)
        device.at(serving.scorer.get().json["n"])
        yield device, serving
        assert device.complaints == []
        device.context.close()


def test_only_links_that_can_record_can_drag(begun: Serving) -> None:
    ask = "/walked?cells="
    assert begun.scorer.get(f"{ask}%5B%22C3%22%5D").json == {"events": [], "text": ""}
    assert begun.scorer.get(f"{ask}%5B1%5D").status == begun.scorer.get("/walked").status == 400
    assert begun.scorer.get(f"{ask}%5B{'%22C3%22,' * 500}%22C3%22%5D").json["events"] == []
    assert begun.spectator.get(f"{ask}%5B%5D").status == 403


def two_ways(recorder: EventRecorder) -> tuple[str, Any] | None:
    """Return the cell of a soldier with several paths to one space, and the last listed path."""
    seen: dict[Any, Any] = {}
    for event in moves(recorder):
        way: tuple[str, ...] = getattr(event, "path", ())
        if len(way) > 2:
            first = seen.setdefault((event.soldier, event.die, way[-1]), event)
            if first is not event:
                soldiers = recorder.fold.game.scene(recorder.fold.state, None).pieces
                return next(one.at for one in soldiers if one.id == f"{event.by} {event.soldier}"), event
    return None


def test_a_drag_records_the_path_of_the_finger(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "dice.jsonl"
    start, event = play_until(path, "dice_flags", two_ways)
    with board(browser, path, **TABLET) as (device, serving):
        n = serving.scorer.get().json["n"]
        beside = [start, event.path[-1]]
        device.drag(beside)
        device.wait("document.getElementById('alert').textContent !== ''")
        device.drag([start, *event.path])
        device.wait("!document.getElementById('held').hidden")
        device.release()
        device.at(n + 1)
        assert events_after(path, n) == [as_proposal(event)]


def run_of(game: AnyGame, state: Any, cells: list[str]) -> list[str] | None:
    """Return three steps of the piece on the last of `cells`, as the cells of its path."""
    if len(cells) == 4:
        return cells
    for one in legal_for(game, state, None).events:
        if getattr(one, "src", None) == cells[-1] and getattr(one, "dst", None) not in cells:
            return run_of(game, game.apply(state, one), [*cells, getattr(one, "dst", "")])
    return None


def test_a_drag_of_several_steps_records_all_of_them(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "zones.jsonl"

    def three_steps(recorder: EventRecorder) -> list[str] | None:
        game, state = recorder.fold.game, recorder.fold.state
        return next(
            filter(None, (run_of(game, state, [one.src]) for one in moves(recorder) if hasattr(one, "src"))),
            None,
        )

    run = play_until(path, "zone_control", three_steps)
    with board(browser, path, viewport={"width": 390, "height": 844}) as (device, serving):
        n = serving.scorer.get().json["n"]
        device.drag(run)
        device.wait("!document.getElementById('held').hidden")
        device.release()
        device.at(n + 3)
        assert [(one["src"], one["dst"]) for one in events_after(path, n)] == list(pairwise(run))


def test_a_path_that_the_next_event_contradicts_is_corrected_as_a_slip(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "dice.jsonl"

    def reopened(recorder: EventRecorder) -> dict[str, Any] | None:
        if recorder.fold.pending.chance:
            return None
        told = tapped_choices(recorder.record_view, moves(recorder))
        return next((one for one in told["choices"] if one.first and len(one.tokens) == 3), None)

    choice = play_until(path, "dice_flags", reopened)
    with board(browser, path, **TABLET) as (device, serving):
        n = serving.scorer.get().json["n"]
        told = serving.scorer.get("/choices").json
        device.choose(next(one for one in told["choices"] if one.get("first")), told["tokens"])
        device.release()
        device.at(n + 3)
        slip, way, event = events_after(path, n)
        assert (slip["do"], slip["slip"], way, event) == ("@takeback", True, choice.first[1], choice.event)
    assert gamelog.validate(path).status == "ok"


@pytest.mark.grid
@pytest.mark.parametrize("size", [(320, 640), (390, 844), (1024, 700)])
def test_a_tap_near_a_small_cell_selects_the_lit_cell_and_a_pinch_enlarges_it(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    path = tmp_path / "zones.jsonl"
    event = play_until(
        path,
        "zone_control",
        lambda recorder: next((one for one in moves(recorder) if hasattr(one, "dst")), None),
    )
    with board(browser, path, viewport={"width": size[0], "height": size[1]}) as (device, _):
        device.page.evaluate("document.getElementById('board').scrollIntoView({block: 'center'})")
        x, y = device.where(event.src)
        whole = device.box()
        device.fingers("touchStart", (x - 10, y), (x + 10, y))
        for by in (20, 30, 40):
            device.fingers("touchMove", (x - by, y), (x + by, y))
        device.fingers("touchEnd")
        device.wait("document.getElementById('whole').title === 'Whole board'")
        assert device.box()[2] == pytest.approx(whole[2] / 4, rel=0.05)
        there = device.where(event.src)
        assert there == pytest.approx((x, y), abs=6), "the point under the fingers stays in place"
        assert device.page.locator(".light.chosen").count() == 0, "a pinch is not a tap"
        before = device.box()
        middle = (size[0] / 2, y)
        device.fingers("touchStart", middle)
        for by in (20, 40):
            device.fingers("touchMove", (middle[0], middle[1] - by))
        device.fingers("touchEnd")
        moved = device.box()
        assert moved[2:] == before[2:]
        assert moved[1] >= before[1]
        device.show_whole_board()
        assert device.box() == pytest.approx(whole, abs=1)
        lit = device.page.evaluate(
            "[...document.querySelectorAll('[data-cell]')].map((one) => one.dataset.cell)"
        )
        cell = event.src
        x, y = device.where(cell)
        far = [one for one in lit if one != cell]
        off = next(
            (dx, dy)
            for dx, dy in ((14, 0), (-14, 0), (0, 14), (0, -14), (0, 0))
            if _nearest(device, x + dx, y + dy, [cell, *far]) == cell
        )
        device.finger(x + off[0], y + off[1])
        device.wait(
            "document.querySelectorAll('.light.chosen').length > 0 || !document.getElementById('held').hidden"
        )
        assert cell in device.page.evaluate(
            "[...document.querySelectorAll('[aria-pressed=true]')].map((one) => one.dataset.cell)"
        )


def _nearest(device: Board, x: float, y: float, cells: list[str]) -> str:
    places = {cell: device.where(cell) for cell in cells}
    return min(places, key=lambda cell: (places[cell][0] - x) ** 2 + (places[cell][1] - y) ** 2)


def test_a_bouncing_finger_records_nothing_twice(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.tap_cell("D1", bounces=True)
    settle(device.page)
    assert not any('"id":' in one for one in device.posted), "only previews are asked for"
    assert "Rui claims D1." in device.page.inner_text("#held")
    assert begun.scorer.get().json["n"] == 2, "the second tap did not write what is held"
    device.release()
    device.at(3)
    assert device.page.locator("#held").is_hidden(), "nor say anything of the next seat"
    device.tap_button("Undo event 3", bounces=True)
    device.at(4)
    settle(device.page)
    assert sum('"id":' in one for one in device.posted) == 2, "one event and its undo"
    assert begun.scorer.get().json["n"] == 4
    device.context.close()


def test_a_held_event_is_refused_with_a_message_if_another_device_records_first(
    browser: Browser, begun: Serving
) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.page.clock.install()
    device.tap_cell("D1")
    begun.scorer.write({"do": "claim", "at": "E1"})
    device.wait("document.getElementById('alert').textContent.includes('Someone else recorded first')")
    device.at(3)
    device.page.clock.run_for(30_000)
    assert (begun.scorer.get().json["n"], begun.scorer.get().json["text"]) == (3, "Rui claims E1.")
    assert device.page.locator(".light").count() > 0, "the page goes on"
    device.context.close()


def test_taps_that_are_faster_than_the_server_are_all_recorded_in_order(
    browser: Browser, begun: Serving
) -> None:
    device = Device(browser, begun.links[0]["url"])
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    device.page.route("**/events", hold)
    centre = "(id) => { const box = document.querySelector(`[data-cell='${id}']`).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }"
    for x, y in [device.page.evaluate(centre, cell) for cell in ("D1", "E1", "F1", "G1")]:
        device.finger(x, y)
        device.page.wait_for_timeout(300)  # a second tap at one place within 0.28 s is ignored
    assert len(waiting) == 1, "the first event is on its way"
    device.page.unroute("**/events", hold)
    device.at(6)
    claims = [begun.scorer.get(f"?at={n}").json["text"] for n in range(3, 7)]
    assert claims == ["Rui claims D1.", "Ana claims E1.", "Rui claims F1.", "Ana claims G1."]
    assert device.complaints == []
    device.context.close()


def test_an_event_can_be_recorded_several_times_at_once(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "slices.jsonl"

    def places(recorder: EventRecorder) -> Any:
        if recorder.fold.pending.chance:
            return None
        told = tapped_choices(recorder.record_view, moves(recorder))
        return next((one for one in told["choices"] if one.times > 2), None)

    choice = play_until(path, "slicewars", places)
    with board(browser, path) as (device, serving):
        n = serving.scorer.get().json["n"]
        told = serving.scorer.get("/choices").json
        device.choose({"tokens": choice.tokens, "targets": choice.targets}, told["tokens"])
        device.tap_button("×3")
        device.release()
        device.at(n + 3)
        assert events_after(path, n) == [choice.event] * 3


def test_the_player_to_move_can_be_read_on_a_small_phone_with_long_clock_times(
    browser: Browser, tmp_path: Path
) -> None:
    path = Path(
        shutil.copy(Path(__file__).parents[2] / "sample_games" / "zone_control" / "short.jsonl", tmp_path)
    )
    with board(browser, path, viewport={"width": 320, "height": 640}) as (device, _):
        device.wait("document.getElementById('clock').textContent.length > 8")
        shown, whole = device.page.evaluate(
            "(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])(document.getElementById('turn'))"
        )
        assert shown >= whole > 0


PADDED = """[...document.querySelectorAll("#acts button")].map((button) => {
  const range = document.createRange(), { left, right } = button.getBoundingClientRect();
  range.selectNodeContents(button);
  const text = range.getBoundingClientRect();
  return text.left - left > 4 && right - text.right > 4;
})"""
"""JavaScript for whether the text of each button has space beside it."""


def test_the_keys_keep_their_place_and_the_last_result_can_be_removed(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "slices.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui", "green": "Mei"})
    with board(browser, path) as (device, serving):
        key = device.page.locator("#pad button").get_by_text("3", exact=True)
        place = key.bounding_box()
        for _ in range(2):
            device.press(key)
            assert key.bounding_box() == place
        assert device.page.evaluate(PADDED) == [True, True], "the texts do not touch the frames"
        device.tap_button("Remove last result")
        assert device.page.locator(".thrown").all_inner_texts() == ["Ana: 3"]
        assert key.bounding_box() == place
        device.tap_button("4")
        device.tap_button("5")
        device.release()
        device.at(1)
        roll = serving.scorer.get("?at=1").json
        assert "3" in roll["text"] and "4" in roll["text"] and "5" in roll["text"]
