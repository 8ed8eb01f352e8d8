"""Tests of the table's layout in a real browser: nothing moves under the finger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs
from playwright.sync_api import Browser

import gamelog
from gamelog.chance.draws import Dice
from gamelog.play.contract.game import Pending
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from gamelog.record.record_file import compose
from tests.browser.shifts import forget, watched
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, beginning_now, serve_in_thread
from tests.table.recorded import SIZES, open_device, replayed_at
from tests.table.touch import Device

pytestmark = pytest.mark.browser

LONG = "Maria Leopoldina Francisca de Albuquerque"
PLACE = "(({ x, y, width, height }) => [x, y, width, height])(document.getElementById('board').getBoundingClientRect())"
"""JavaScript for the place and the size of the board."""

COVERED = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect(), found = [];
  for (const one of document.querySelectorAll("button, a, input, #turn, #board, #held, #ask p, .given")) {
    const { left, top, right, bottom } = one.getBoundingClientRect(), isOwn = one.closest(selector);
    if (!isOwn && right > left && left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1) found.push(one.id || one.textContent);
  }
  return [box.width * box.height > 0, found];
}"""
"""JavaScript for whether a part is shown, and the prompts, the controls and the board that it covers."""

HIDDEN = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect(), middle = (left + right) / 2;
  return right > left && ![top + 3, bottom - 3].every((y) => one.contains(document.elementFromPoint(middle, y)));
}).map((one) => one.textContent)"""
"""JavaScript for the texts of the parts that something covers or that are partly out of sight."""

BOXES = """(selector) => [...document.querySelectorAll(selector)].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.textContent, x, y, width, height].join();
})"""
"""JavaScript for the texts, places and sizes of parts."""

IN_LIST = """(() => {
  const list = document.getElementById("list").getBoundingClientRect(), line = document.querySelector("#list [aria-current]");
  const { top, bottom } = line?.getBoundingClientRect() ?? {}, { n } = line?.closest("li").dataset ?? {};
  return n === "40" && top >= list.top && bottom <= list.bottom + 1 && list.height < innerHeight;
})()"""
"""JavaScript for whether the list shows event 40 and marks it."""

CELL = """(label) => {
  const group = [...document.querySelectorAll("#board .ground > g")].find((one) => one.querySelector("title").textContent.startsWith(label));
  const box = group.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""
"""JavaScript for the middle of a cell, lit or not."""


def has_pairs(pending: Pending) -> bool:
    """Return whether the page has keys for two dice."""
    draws = pending.chance.draws if pending.chance else ()
    return any(isinstance(draw, Dice) and draw.count > 1 for draw in draws)


def test_nothing_moves_while_a_game_is_recorded(browser: Browser, tmp_path: Path) -> None:
    sizes = ["390x844", "1024x768"]
    with replayed_at(browser, tmp_path / "game.jsonl", "zone_s", sizes) as (replayed, devices, serving):
        assert sum(1 for _ in replayed.play(devices, serving, 40)) == 40
        for device in devices:
            found = watched(device.page)
            assert (found.shifts, len(found.places), device.complaints) == ([], 1, [])
            device.page.locator("#slider").fill("1")
            device.wait(IN_LIST.replace("40", "1"))
            device.page.locator("#live").evaluate("(one) => one.click()")
            device.wait(IN_LIST)


@pytest.fixture
def named(tmp_path: Path) -> Iterator[Serving]:
    """Yield a server of a game of people with long names, after two events."""
    path = tmp_path / "evening.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": LONG})
    with serve_in_thread(path) as serving:
        serving.scorer.write({"do": "start_roll", "rolls": {"red": 5, "blue": 2}})
        serving.scorer.write({"do": "claim", "at": "C3"})
        yield serving


@pytest.mark.parametrize("size", ["390x844", "844x390"])
def test_forms_messages_and_lost_connections_do_not_move_the_board(
    browser: Browser, named: Serving, size: str
) -> None:
    device = open_device(browser, named.client_link("scorer"), size)
    device.at(2)
    place = device.page.evaluate(PLACE)
    assert device.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
    assert device.page.evaluate(HIDDEN, "#acts button") == []
    device.page.get_by_role("button", name="More events").tap()
    assert device.page.evaluate(HIDDEN, "#more [data-do='@resign']") == []
    back = device.page.locator("#more .back")
    assert back.locator("button").all_inner_texts() == ["Take back", "Correct event 2"]
    assert back.locator("p").all_inner_texts() == [
        "A player takes back moves, which stay in the list.",
        "Replaces or omits an event that was recorded wrongly.",
    ]
    assert device.page.evaluate(PLACE) == place
    device.page.locator("#more [data-do='@note']").tap()
    device.wait("document.querySelector('.form textarea')")
    box = device.page.locator("#more .form").bounding_box()
    assert box
    assert box["y"] + box["height"] <= device.page.evaluate("innerHeight") + 1, "the sheet is on the screen"
    assert device.page.evaluate(PLACE) == place
    device.page.locator("#more .form").get_by_role("button", name="Cancel").tap()
    device.context.set_offline(True)
    device.wait("document.getElementById('line').textContent.includes('no connection')")
    device.tap_cell("D1")
    device.release()
    device.wait("document.getElementById('line').textContent.includes('not sent: 1')")
    assert device.page.evaluate(PLACE) == place
    device.context.set_offline(False)
    device.at(3)
    assert device.page.evaluate("document.documentElement.scrollWidth") <= int(size.split("x", maxsplit=1)[0])
    assert watched(device.page).places == [",".join(str(round(one)) for one in place)]
    device.context.close()


def resize(device: Device, size: str) -> None:
    width, height = map(int, size.split("x"))
    device.page.set_viewport_size({"width": width, "height": height})


def test_a_message_and_a_hint_cover_no_prompt_button_or_cell(browser: Browser, named: Serving) -> None:
    device = open_device(browser, named.client_link("scorer"), "390x844")
    device.at(2)
    device.wait("document.getElementById('line').textContent === 'live'")
    device.tap_cell("D1")
    assert device.page.locator("#hint").is_visible()
    named.scorer.write({"do": "@takeback", "by": "table", "to": 1})
    device.release()
    device.wait("document.getElementById('alert').textContent !== ''")
    assert "{" not in device.page.inner_text("#alert")
    for size in SIZES:
        resize(device, size)
        device.page.evaluate(
            "document.getElementById('hint').hidden = false, document.getElementById('alert').append('…')"
        )
        for part in ("#alert", "#hint"):  # a message is in the place of the hint
            assert device.page.evaluate(COVERED, part) == [True, []], (size, part)
            device.page.evaluate(
                "document.getElementById('alert').replaceChildren(), document.getElementById('hint').hidden = false"
            )
    device.page.evaluate("document.getElementById('alert').append('…')")
    device.page.touchscreen.tap(3, 3)
    assert device.page.inner_text("#alert") == ""
    device.context.close()


def test_the_buttons_of_offers_and_forms_are_in_sight_at_each_size(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": LONG}, takebacks="agreed")
    with serve_in_thread(path) as serving:
        serving.scorer.write({"do": "start_roll", "rolls": {"red": 5, "blue": 2}})
        for at in ("C3", "E3", "D1", "E1", "C5", "F2"):
            assert serving.scorer.write({"do": "claim", "at": at}).status == 201
        text = "It was my turn, and Ana touched the die before I had finished my move. " * 3
        serving.scorer.write({"do": "@claim", "by": "blue", "text": text, "about": 3})
        serving.scorer.write({"do": "@takeback", "by": "red", "to": 1})
        roles: tuple[tuple[str, ...], ...] = (("seat", "blue"), ("arbiter",), ("scorer",))
        links = [serving.client_link(*role) for role in roles]
        blue, arbiter, scorer = (open_device(browser, link, "390x844", locale="pt-PT") for link in links)
        for device in (blue, arbiter, scorer):
            device.at(9)
        for size in SIZES:
            for device in (blue, arbiter, scorer):
                resize(device, size)
                assert device.page.evaluate(HIDDEN, "#offers button, #dispute button") == [], size
                row = device.page.locator("#more > .row")
                assert row.evaluate("(row) => row.scrollHeight <= row.clientHeight"), size
        blue.page.locator("#more [data-do='@claim']").tap()
        form = blue.page.locator("#more .form")
        for size in SIZES:
            resize(blue, size)
            form.evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
            assert blue.page.evaluate(HIDDEN, ".form h2, .form > .row button") == [], size
        for device in (blue, arbiter, scorer):
            assert device.complaints == []
            device.context.close()


@pytest.mark.parametrize("role", ["seat", "scorer"])
def test_an_open_request_leaves_the_next_dice_in_sight_and_moves_nothing(
    browser: Browser, tmp_path: Path, role: str
) -> None:
    path = tmp_path / "dice.jsonl"
    sample = read_record(DIRECTORY / "dice_flags" / "full-3.jsonl")
    folded = fold_record(sample).fold
    assert folded
    n = next(at for at in range(20, 200) if has_pairs(folded.pending_at(at)))
    header = structs.replace(beginning_now(folded.header), takebacks="agreed", rolls="players")
    path.write_bytes(compose(header, [structs.replace(one, t=0) for one in folded.events[:n]])[0])
    chance = folded.pending_at(n).chance
    assert chance
    mover = chance.by
    asker = next(seat for seat in folded.header.seat_ids if seat != mover)
    with serve_in_thread(path) as serving:
        link = serving.client_link("seat", mover) if role == "seat" else serving.client_link("scorer")
        device = open_device(browser, link, "390x844")
        device.at(n)
        sizes: dict[str, list[str]] = {size: [] for size in ("390x844", "360x640", *SIZES)}
        keys = "#pad .keys button"
        for size in sizes:
            resize(device, size)
            sizes[size] = device.page.evaluate(BOXES, keys)
        asks = {"do": "@takeback", "by": asker, "to": n - 1}
        assert serving.scorer.write(asks).status == 201
        device.at(n + 1)
        for size, places in sizes.items():
            resize(device, size)
            assert device.page.evaluate(BOXES, keys) == places, size
            assert device.page.evaluate(HIDDEN, f"#offers button, {keys}") == [], size
        assert device.page.inner_text("#offers p").count("undo") == 1
        assert device.complaints == []
        device.context.close()


def test_the_scorer_has_large_buttons_for_the_answers_of_three_players(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "zones.jsonl"
    folded = fold_record(read_record(DIRECTORY / "zone_control" / "full-4.jsonl")).fold
    assert folded
    people = [structs.replace(seat, name=LONG) for seat in folded.header.seats]
    header = structs.replace(beginning_now(folded.header), takebacks="agreed", seats=tuple(people))
    path.write_bytes(compose(header, [structs.replace(one, t=0) for one in folded.events[:8]])[0])
    with serve_in_thread(path) as serving:
        device = open_device(browser, serving.client_link("scorer"), "390x844")
        device.at(8)
        forget(device.page)
        assert serving.scorer.write({"do": "@takeback", "by": "north", "to": 6}).status == 201
        device.at(9)
        assert watched(device.page).shifts == []
        for size in ("390x844", "360x640", *SIZES):
            resize(device, size)
            buttons = device.page.locator("#offers button")
            assert buttons.count() == 7, "two for each player, and one to withdraw the offer"
            assert device.page.evaluate(HIDDEN, "#offers button") == [], size
            assert device.page.evaluate("document.getElementById('offers').scrollTop") == 0
            heights = [box["height"] for one in buttons.all() if (box := one.bounding_box())]
            assert min(heights) >= (28 if size == "844x390" else 38 if size == "360x640" else 44), size
            inside = (
                "(one) => one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth + 1"
            )
            assert all(one.evaluate(inside) for one in buttons.all()), size
        places = [one.bounding_box() for one in buttons.all()]
        device.tap_button(f"{LONG} undoes 2", "#offers")
        assert buttons.first.inner_text() == "Really undo 2"
        assert [one.bounding_box() for one in buttons.all()] == places
        assert device.complaints == []
        device.context.close()


def test_a_second_tap_on_the_held_place_sends_the_event_and_nothing_else(
    browser: Browser, named: Serving
) -> None:
    device = open_device(browser, named.client_link("scorer"), "390x844")
    device.at(2)
    device.tap_cell("E3")
    assert device.page.locator(".ghost").count() == 1, "the board shows the piece before it is recorded"
    device.finger(*device.page.evaluate(CELL, "E3"))
    device.at(3)
    assert named.scorer.get().json["text"] == f"{LONG} claims E3."
    assert device.page.evaluate("document.getElementById('held').hidden")
    assert device.complaints == []
    device.context.close()


def test_the_player_to_move_has_the_edge_of_the_screen_and_the_title(
    browser: Browser, named: Serving
) -> None:
    device = open_device(browser, named.client_link("seat", "red"), "390x844")
    device.at(2)
    assert device.page.title() == "SliceWars: evening"
    edge = "getComputedStyle(document.getElementById('edge')).borderTopColor"
    blue = device.page.evaluate(edge)
    named.scorer.write({"do": "claim", "at": "E3"})
    device.at(3)
    assert device.page.title() == "● Your turn · SliceWars: evening"
    assert device.page.evaluate(edge) != blue
    assert "Ana" in device.page.inner_text("#turn")
    device.context.close()


def test_a_device_keeps_the_side_from_which_it_sees_the_board(browser: Browser, named: Serving) -> None:
    device = open_device(browser, named.client_link("scorer"), "390x844")
    device.at(2)
    before, other = (device.page.evaluate(CELL, one) for one in ("C3", "H3"))
    device.page.get_by_role("button", name="Turn board").tap()
    after = device.page.evaluate(CELL, "C3")
    assert (after[0] - before[0]) * (other[0] - before[0]) > 0, "the left side is now the right side"
    assert device.page.evaluate(
        "[...document.querySelectorAll('#board text')].every((one) => one.getScreenCTM().b === 0)"
    )
    device.page.reload()
    device.page.wait_for_selector("html.ready")
    device.at(2)
    assert device.page.evaluate(CELL, "C3") == pytest.approx(after, abs=1)
    device.tap_cell("D1")
    device.release()
    device.at(3)
    assert named.scorer.get().json["event"]["at"] == "D1"
    device.context.close()


def test_small_cells_are_enlarged_where_something_is_legal(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "zones.jsonl"
    seats = {"north": "Ana", "east": "Rui", "south": "Mei", "west": "Zé"}
    gamelog.create(path, "zone_control", seats=seats)
    with serve_in_thread(path) as serving:
        while serving.scorer.get("/choices").json["chance"]:
            due = serving.scorer.get("/choices").json["chance"]["draws"]
            results = [[at % 5 + 1 + (not at) for _ in range(draw["count"])] for at, draw in enumerate(due)]
            assert serving.scorer.write({"results": results}).status == 201
        n = serving.scorer.get().json["n"]
        scorer = open_device(browser, serving.client_link("scorer"), "390x844")
        spectator = open_device(browser, serving.client_link("spectator"), "390x844")
        for device in (scorer, spectator):
            device.at(n)
        width = "document.getElementById('board').viewBox.baseVal.width"
        whole = spectator.page.evaluate(width)
        scorer.wait(f"{width} < {0.86 * whole}")
        scorer.page.get_by_role("button", name="Whole board").tap()
        assert scorer.page.evaluate(width) == pytest.approx(whole, abs=1)
        scorer.page.get_by_role("button", name="Zoom in").tap()
        assert scorer.page.evaluate(width) < 0.86 * whole
        for device in (scorer, spectator):
            assert device.complaints == []
            device.context.close()
