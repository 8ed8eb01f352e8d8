"""Tests of recording by touch in a real browser, on a phone and a tablet, with the server in its own process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

import gamelog
from gamelog.play.contract.registry import find
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, begin, end, serve_in_thread
from tests.table.conftest import FIRST
from tests.table.touch import TABLET, Device, play

pytestmark = pytest.mark.browser

SHORT: dict[str, dict[str, Any]] = {
    "slicewars": {"max_rounds": 1},
    "zone_control": {"turn_limit": 3},
    "gp02a_territory": {},
    "zone_s": {},
    "dice_flags": {"max_rounds": 3},
}
"""Options that shorten a game."""


def start_game(path: Path, game: str) -> Path:
    seats = find(game).seats
    people = dict(zip(seats[min(seats)], ("Ana", "Rui", "Mei", "Zé"), strict=False))
    gamelog.create(path, game, seats=people, options=SHORT[game])
    return path


@pytest.mark.grid(keeps=("zone_control",))
@pytest.mark.parametrize("game", SHORT)
def test_a_whole_game_is_recorded_by_taps_on_a_phone(browser: Browser, tmp_path: Path, game: str) -> None:
    check_whole_game(browser, tmp_path, game, {})


@pytest.mark.grid(keeps=("dice_flags",))
@pytest.mark.parametrize("game", SHORT)
def test_a_whole_game_is_recorded_by_taps_on_a_tablet(browser: Browser, tmp_path: Path, game: str) -> None:
    check_whole_game(browser, tmp_path, game, TABLET)


def check_whole_game(browser: Browser, tmp_path: Path, game: str, size: dict[str, Any]) -> None:
    """Record a game to its end by taps, on a phone or a device of another `size`, and check its record."""
    path = start_game(tmp_path / "game.jsonl", game)
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.links[0]["url"], **size)
        events = play(device, serving.scorer, path)
        assert events > 20
        device.page.locator("#ending-acts button >> nth=0").tap()
        device.at(events + 1)
        assert device.complaints == []
        device.context.close()
    verdict = gamelog.validate(path)
    assert (verdict.status, verdict.finished) == ("ok", True)


def test_a_cancelled_event_leaves_no_trace_and_undo_names_its_event(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.tap_cell("D1")
    assert "Rui claims D1." in device.page.inner_text("#held")
    chosen = "[...document.querySelectorAll('.lights [aria-pressed=true]')].map((one) => one.dataset.cell)"
    assert device.page.evaluate(chosen) == ["D1"], "the held event is shown on the board"
    device.tap_button("Cancel event")
    device.tap_cell("E1")
    device.wait("document.getElementById('held').hidden")  # after two seconds it is recorded
    device.at(3)
    assert begun.scorer.get().json["text"] == "Rui claims E1."
    assert "Rui claims E1." in device.page.inner_text("#acts")
    device.tap_button("Undo event 3")
    device.at(4)
    assert begun.scorer.get().json["state"]["territories"]["E1"] == ["free", 0]
    assert device.complaints == []
    device.context.close()


@pytest.mark.parametrize(("language", "prompt"), [("en", "2 dice left to place"), ("pt", "faltam 2 dados")])
def test_the_prompt_says_who_does_what(browser: Browser, tmp_path: Path, language: str, prompt: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes((DIRECTORY / "slicewars/full-2.jsonl").read_bytes())
    replayed = gamelog.read(path)
    n = next(step.n for step in replayed if getattr(step.after, "hand", 0) == 2)
    name = replayed.seats[replayed[n + 1].event.by]
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: n + 1]))
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.links[0]["url"], locale=language)
        device.at(n)
        asked = device.page.inner_text("#ask .due")
        assert asked.startswith(f"{name}: ")
        assert prompt in asked
        device.context.close()


def test_a_player_is_told_that_the_scorer_enters_a_roll(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "slices.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.client_link("seat", "red"))
        device.wait("document.getElementById('ask').textContent.includes('The scorer enters the result')")
        serving.scorer.write({"do": "start_roll", "rolls": {"red": 5, "blue": 2}})
        device.at(1)
        assert "scorer" not in device.page.inner_text("#ask")
        device.context.close()


def test_a_tap_while_an_event_is_held_sends_it_and_counts(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.tap_cell("D1")
    device.page.touchscreen.tap(*device.page.evaluate(_MIDDLE, "G4"))
    device.wait("document.getElementById('held').innerText.includes('Ana claims G4')")
    device.at(4)
    device.context.close()


_MIDDLE = """(label) => {
  const groups = [...document.querySelectorAll("#board .ground > g")];
  const group = groups.find((one) => one.querySelector("title").textContent.startsWith(label));
  const box = group.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


def test_two_devices_record_at_once_while_a_spectator_follows(browser: Browser, begun: Serving) -> None:
    red = Device(browser, begun.client_link("seat", "red"))
    blue = Device(browser, begun.client_link("seat", "blue"), **TABLET)
    other = Device(browser, begun.client_link("spectator"))
    assert red.page.locator(".light").count() == 0, "it is not red's turn"
    assert other.page.locator("#desk").is_hidden()
    blue.tap_cell("D1")
    blue.release()
    for device in (red, blue, other):
        device.at(3)
        assert "Rui claims D1." in device.page.inner_text("#said")
    other.page.locator("#back").tap()
    other.wait("document.getElementById('number').textContent.startsWith('2 ')")
    red.wait("document.querySelectorAll('.light').length > 0")
    red.tap_cell("E1")
    red.release()
    red.at(4)
    other.wait("document.getElementById('number').textContent === '2 of 4'")
    other.page.get_by_role("button", name="Go live").tap()
    other.at(4)
    for device in (red, blue, other):
        assert device.complaints == []
        device.context.close()


def test_the_page_connects_to_a_restarted_server_and_loses_no_events(browser: Browser, record: Path) -> None:
    serving = begin(record)
    serving.scorer.write(FIRST)
    port = serving.scorer.port
    device = Device(browser, serving.links[0]["url"])
    device.at(1)
    serving.process.kill()
    serving.process.communicate()
    device.wait("document.getElementById('line').textContent.includes('no connection')")
    device.tap_cell("C3")
    device.release()
    device.wait("document.getElementById('line').textContent.includes('not sent: 1')")
    serving = begin(record, port=port)
    device.wait("document.getElementById('number').textContent === '2 of 2'")
    device.at(2)
    assert serving.scorer.get().json["text"] == "Ana claims C3."
    device.context.set_offline(True)
    device.tap_cell("D1")
    device.release()
    device.wait("document.getElementById('line').textContent.includes('not sent: 1')")
    serving.scorer.write({"do": "claim", "at": "D1"})
    device.context.set_offline(False)
    device.wait("document.getElementById('alert').textContent.includes('Rui claims D1.')")
    assert serving.scorer.get().json["n"] == 3, "the event that no longer fits is shown once"
    device.page.reload()
    device.at(3)
    device.context.close()
    assert end(serving) == ""


def test_a_refusal_names_the_rule_and_the_event_can_be_recorded_anyway(
    browser: Browser, begun: Serving
) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.tap_cell("D1")
    begun.scorer.write({"do": "@takeback", "by": "table", "to": 1})
    device.release()
    device.wait("document.getElementById('alert').textContent.includes('Someone else recorded first')")
    assert begun.scorer.get().json["n"] == 3
    device.context.close()


def test_recording_works_with_only_a_keyboard(browser: Browser, begun: Serving) -> None:
    device = Device(
        browser,
        begun.links[0]["url"],
        viewport={"width": 1280, "height": 800},
        has_touch=False,
        is_mobile=False,
    )
    page = device.page
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.cell !== undefined"):
            break
    first = page.evaluate("document.activeElement.dataset.cell")
    assert first
    page.keyboard.press("ArrowDown")
    second = page.evaluate("document.activeElement.dataset.cell")
    assert second != first
    page.keyboard.press("Enter")
    device.at(3)
    assert begun.scorer.get().json["event"]["at"] == second
    device.context.close()


@pytest.mark.parametrize(
    ("role", "language", "scheme"),
    [("scorer", "en", "light"), ("arbiter", "pt", "dark"), ("spectator", "pt", "light")],
)
def test_axe_finds_no_faults_and_the_page_fits_a_small_phone(
    browser: Browser, begun: Serving, role: str, language: str, scheme: str
) -> None:
    url = begun.client_link(role)
    device = Device(
        browser,
        url,
        viewport={"width": 320, "height": 640},
        bypass_csp=True,
        color_scheme=scheme,
        locale=language,
        is_mobile=False,
    )
    page = device.page
    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    found = Axe().run(page).response["violations"]
    nodes = [(one["id"], node["html"][:150]) for one in found for node in one["nodes"]]
    assert [
        node for node in nodes if not (node[0] == "color-contrast" and node[1].startswith("<text "))
    ] == []
    if language == "pt":
        assert "Ana reclama C3" in page.inner_text("#said") or "C3" in page.inner_text("#said")
        assert "To move" not in page.inner_text("body")
    device.context.close()


def test_the_token_is_removed_from_the_address_and_a_page_without_one_is_empty(
    browser: Browser, begun: Serving
) -> None:
    device = Device(browser, begun.links[0]["url"])
    assert device.page.url == f"http://127.0.0.1:{begun.scorer.port}/"
    assert device.page.evaluate("history.length") <= 2
    device.page.reload()
    device.at(2)
    stranger = Device(browser, f"http://127.0.0.1:{begun.scorer.port}/")
    assert "open the link" in stranger.page.inner_text("#hello")
    wrong = Device(browser, f"http://127.0.0.1:{begun.scorer.port}/#{'x' * 22}")
    assert "does not work" in wrong.page.inner_text("#hello")
    for one in (device, stranger, wrong):
        one.context.close()


def test_the_lobby_starts_a_game(browser: Browser, tmp_path: Path) -> None:
    with serve_in_thread(tmp_path) as serving:
        device = Device(browser, serving.links[0]["url"])
        page = device.page
        page.locator("#begin select").first.select_option("zone_s")
        page.get_by_label("dominion", exact=True).fill("Ana")
        page.get_by_label("separatists", exact=True).fill("Rui")
        page.locator("#begin button.main").tap()
        device.at(0)
        assert device.page.locator(".light").count() > 5
        assert device.complaints == []
        device.context.close()
    (made,) = tmp_path.glob("*Zone S 1.jsonl")
    assert gamelog.read(made).header.seats[0].name == "Ana"


def test_seeded_dice_need_one_tap_and_links_can_be_shared(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "seeded.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"}, dice="seeded", seed="7")
    with serve_in_thread(path) as serving:
        device = Device(browser, serving.links[0]["url"])
        arbiter = Device(browser, serving.client_link("arbiter"))
        device.tap_button("Roll")
        device.release()
        device.at(1)
        device.tap_button("Share links", "#more")
        device.wait("document.querySelectorAll('figure code').length === 4")
        shown = device.page.locator("figure code").all_inner_texts()
        assert shown == [link["url"] for link in serving.links if link["role"] != "arbiter"]
        arbiter.at(1)
        arbiter.tap_button("Share links", "#more")
        arbiter.wait("document.querySelectorAll('figure code').length === 5")
        assert arbiter.page.locator("figure code").all_inner_texts() == [one["url"] for one in serving.links]
        arbiter.context.close()
        assert device.page.locator("figure img").count() == 0  # no other device can open these links
        assert "--lan" in device.page.inner_text("#codes")
        assert device.page.evaluate(
            "document.elementsFromPoint(innerWidth / 2, innerHeight / 2).every((one) => one.id !== 'hint')"
        )
        device.page.keyboard.press("Escape")
        assert device.page.locator("figure code").first.is_hidden()
        assert device.complaints == []
        device.context.close()


def test_the_prompt_names_the_board_and_a_tap_beside_the_lit_cells_is_answered(
    browser: Browser, begun: Serving
) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.at(2)
    assert device.page.inner_text("#ask") == "Rui: Tap an outlined cell on the board."
    lit = "document.querySelectorAll('[data-cell]').length"
    taken = device.page.evaluate(
        "(() => { const one = [...document.querySelectorAll('#board .ground > g')].find((cell) => cell.querySelector('title').textContent.includes('C3'));"
        " const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    assert device.page.evaluate(lit) > 0
    device.finger(*taken)
    device.wait("document.getElementById('ask').textContent.includes('Nothing is possible there now.')")
    assert "Possible, for example: Rui claims A1." in device.page.inner_text("#ask")
    device.wait("document.getElementById('alert').textContent.includes('C3 is not free [SW-3: ')")
    device.context.close()


def test_outlines_hide_neither_the_names_of_cells_nor_the_last_event(
    browser: Browser, begun: Serving
) -> None:
    device = Device(browser, begun.links[0]["url"])
    device.at(2)
    lit = device.page.locator("[data-cell]").count()
    assert device.page.locator("#board .raised .label").count() == lit > 0
    assert device.page.locator("#board .raised .mark.changed").count() == 1
    device.page.evaluate("document.querySelector('#more [data-do=slip]').click()")
    device.wait(
        "document.querySelectorAll('[data-cell]').length > 20 && !document.querySelector('.over > .mark')"
    )
    device.tap_cell("A1")
    device.wait("document.getElementById('fixing').textContent.includes('A1')")
    assert device.page.locator("#board .over > .mark.changed").count() == 0
    device.context.close()
