"""Tests of the room for buttons, keys and cards in a real browser: none of them is cut where the screen has room for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from gamelog.record.envelope import as_proposal
from tests.browser.shifts import forget, watched
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving, serve_in_thread
from tests.table.recorded import Replayed, open_device
from tests.table.test_layout import CELL, HIDDEN
from tests.table.test_phones import CUT_CHOICES
from tests.table.touch import Device

pytestmark = pytest.mark.browser

TRADE = (
    ("trade: Ana", "trade: Eva"),
    ("Rui: gives nothing", "Rui: gives 1 blue", "Rui: gives 1 red", "Rui: gives 1 blue, 1 red"),
    ("Rui: takes 1 yellow",),
)
TROCA = (
    ("trocar fichas: Ana", "trocar fichas: Eva"),
    ("Rui: dá nada", "Rui: dá 1 azul", "Rui: dá 1 vermelho", "Rui: dá 1 azul, 1 vermelho"),
    ("Rui: recebe 1 amarelo",),
)
"""The buttons of a trade in English and Portuguese, one step after the other. The last of a step is tapped."""

STEPS = 4
"""Events of the sample game of Zone Control after which East can step or end the turn."""

OVERFLOWING = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  return one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
}).map((one) => one.textContent)"""
"""JavaScript for the texts that are larger than their parts."""

LAID_OVER = """(() => {
  const main = document.querySelector("#ask .main").getBoundingClientRect();
  return [...document.querySelectorAll("#ask p")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < main.right && right > main.left && top < main.bottom - 1 && bottom > main.top + 1;
  }).length;
})()"""
"""JavaScript for the number of prompts that the main button covers."""


@pytest.fixture
def stepping(tmp_path: Path) -> Iterator[Serving]:
    """Yield a server of Zone Control with four players, in which East can step or end the turn."""
    path = tmp_path / "zones.jsonl"
    replayed = Replayed(path, "zone_control")
    with serve_in_thread(path) as serving:
        for event in replayed.events[:STEPS]:
            assert serving.scorer.write(as_proposal(event)).status == 201
        yield serving


def test_the_choices_after_an_illegal_event_fit_a_tablet(browser: Browser, stepping: Serving) -> None:
    device = open_device(browser, stepping.client_link("scorer"), "768x1024")
    device.at(STEPS)
    illegal = {"do": "step", "by": "east", "src": "q15", "dst": "p14", "as_played": True}
    assert stepping.scorer.write(illegal).status == 201
    device.at(STEPS + 1)
    device.wait("!document.getElementById('dispute').hidden")
    assert device.page.locator("#ask .main").inner_text().endswith("end turn")
    assert device.page.evaluate(LAID_OVER) == 0
    assert device.page.evaluate(HIDDEN, "#choices button") == []
    assert device.complaints == []
    device.context.close()


def test_the_button_for_another_event_fits_a_tablet(browser: Browser, stepping: Serving) -> None:
    device = open_device(browser, stepping.client_link("scorer"), "768x1024")
    device.at(STEPS)
    device.tap_cell("q15")
    device.finger(*device.page.evaluate(CELL, "p14"))
    device.wait("document.querySelector('#ask [data-do=missed]')")
    assert device.page.evaluate(HIDDEN, "#ask button") == []
    assert device.page.evaluate(HIDDEN, "#acts button") == []
    assert device.complaints == []
    device.context.close()


def test_the_cards_of_four_players_show_their_times_on_a_laptop(browser: Browser, stepping: Serving) -> None:
    device = open_device(browser, stepping.client_link("scorer"), "1440x900")
    device.at(STEPS)
    assert device.page.evaluate("document.querySelectorAll('#seats .captions').length") == 4
    assert device.page.evaluate(OVERFLOWING, "#seats .captions") == []
    device.context.close()


def test_all_keys_for_two_dice_are_whole_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    source = DIRECTORY / "slicewars" / "full-2.jsonl"
    n = next(step.n for step in gamelog.read(source) if step.event and type(step.event).__name__ == "Attack")
    (tmp_path / "attack.jsonl").write_bytes(b"".join(source.read_bytes().splitlines(keepends=True)[: n + 1]))
    with serve_in_thread(tmp_path / "attack.jsonl") as serving:
        device = open_device(browser, serving.client_link("scorer"), "390x844")
        device.at(n)
        device.page.locator("#desk .form[data-do=idle] button").last.tap()
        device.page.evaluate("document.querySelector('#pad .given').className = 'given long'")
        assert device.page.locator("#pad .pairs button").count() == 21
        assert device.page.evaluate(HIDDEN, "#pad button") == []
        device.context.close()


def test_portuguese_buttons_fit_a_phone(browser: Browser, begun: Serving) -> None:
    for at in ("D1", "E1", "F1", "G1", "H1", "A1", "B1", "C1"):
        begun.scorer.write({"do": "claim", "at": at})
    device = open_device(browser, begun.client_link("scorer"), "390x844", locale="pt-PT")
    device.at(10)
    device.page.evaluate(
        "document.getElementById('acts').prepend(Object.assign(document.createElement('button'), { textContent: 'Limpar seleção' }))"
    )
    assert device.page.locator("#undo").inner_text() == "Anular evento 10"
    assert device.page.evaluate(OVERFLOWING, "#acts button") == []
    device.context.close()


def test_a_small_phone_shows_the_whole_lobby_and_the_buttons_of_the_table(
    browser: Browser, begun: Serving, tmp_path: Path
) -> None:
    device = open_device(browser, begun.client_link("scorer"), "320x640", locale="pt-PT")
    device.at(2)
    assert device.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
    assert device.page.evaluate(HIDDEN, "#undo, #to-more") == []
    device.context.close()
    folder = tmp_path / "folder"
    folder.mkdir()
    gamelog.create(folder / "one.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    with serve_in_thread(folder) as serving:
        small = {"width": 320, "height": 640}
        lobby = Device(browser, serving.client_link("arbiter"), viewport=small, locale="pt-PT")
        lobby.wait("document.querySelectorAll('.tools select').length === 2")
        assert lobby.page.evaluate("document.documentElement.scrollWidth") == 320
        for choice in lobby.page.locator(".tools select").all():
            assert not choice.evaluate(CUT_CHOICES)
        lobby.context.close()


@pytest.mark.parametrize(("language", "words"), [("en", TRADE), ("pt-PT", TROCA)])
@pytest.mark.parametrize("size", ["390x844", "1024x768"])
def test_the_buttons_of_a_trade_say_step_by_step_who_gives_what(
    browser: Browser, tmp_path: Path, language: str, words: tuple[tuple[str, ...], ...], size: str
) -> None:
    path, sample = tmp_path / "trade.jsonl", gamelog.read(DIRECTORY / "gp02a_territory" / "full-3.jsonl")
    seats = {"blue": "Ana", "red": "Rui", "green": "Eva"}
    gamelog.create(path, "gp02a_territory", seats=seats, options={"negotiation": "any"})
    with serve_in_thread(path) as serving:
        for step in islice(sample, 5):
            assert step.event
            assert serving.scorer.write(as_proposal(step.event)).status == 201
        device = open_device(browser, serving.client_link("scorer"), size, locale=language)
        device.at(5)
        forget(device.page)
        buttons = device.page.locator("#ask button:not([aria-pressed=true])")
        cards, *steps = words
        assert [text for text in buttons.all_inner_texts() if not text[-1].isdecimal()] == [*cards]
        for pressed, shown in zip((cards[0], *(step[-1] for step in steps)), steps, strict=False):
            device.tap_button(pressed, "#ask")
            assert buttons.all_inner_texts() == [*shown]
            assert min(box["height"] for one in buttons.all() if (box := one.bounding_box())) >= 44
        device.tap_button(steps[-1][-1], "#ask")
        device.wait("!document.getElementById('held').hidden")
        assert watched(device.page).shifts == []
        assert device.complaints == []
        device.context.close()
