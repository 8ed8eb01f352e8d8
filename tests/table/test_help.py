"""Tests of help at the table: the rules for the next event, hints, and words that name one thing only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from gamelog_reports.templates import texts
from playwright.sync_api import Browser

import gamelog
from gamelog.play.contract.locales import LANGUAGES, load_locale
from gamelog.play.contract.registry import find
from gamelog.play.contract.rulebook import rulebook
from gamelog.record.envelope import tag_of
from tests.table.client import Serving, serve_in_thread
from tests.table.touch import Device

GAMES = ("slicewars", "zone_control", "gp02a_territory", "zone_s", "dice_flags")
MESSAGE_PACKAGE = ("do_claim", "do_ruling", "do_takeback", "do_gap", "do_note", "accept", "decline")
"""The labels of buttons for disputes and agreements."""

HINT = "!document.getElementById('hint').hidden"


def stems(text: str) -> Iterator[str]:
    """Yield the beginnings of the longer words of `text`, without its places."""
    for word in re.findall(r"[^\W\d_]{4,}", re.sub(r"\{.*?\}", "", text).lower()):
        yield word[:5]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_move_and_no_dispute_have_the_same_word(game: str, language: str) -> None:
    found, locale = find(game), load_locale(language, find(game))
    moves = set[str]()
    for kind in found.events:
        tag, template = tag_of(kind), found.messages.get(tag_of(kind), "")
        moves |= {*stems(locale.word(tag.replace("_", " "))), *stems(locale.messages.get(template, template))}
    assert moves
    assert moves.isdisjoint(stem for name in MESSAGE_PACKAGE for stem in stems(texts(language)[name]))


def test_the_rules_for_the_next_event_are_in_the_language_of_the_device(begun: Serving) -> None:
    for language in LANGUAGES:
        rules = begun.spectator.get("/rules", **{"Accept-Language": language}).json["rules"]
        assert [rule["id"] for rule in rules if rule["due"]] == ["SW-3"]
        book = rulebook(find("slicewars"), language)
        assert {rule["id"]: rule["text"] for rule in rules}.items() <= {
            (id_, rule.text) for id_, rule in book.items()
        }
        assert {rule["section"] for rule in rules} == {book["SW-3"].section}


@pytest.mark.browser
def test_a_device_shows_each_hint_once_and_the_rules_on_request(browser: Browser, begun: Serving) -> None:
    device = Device(browser, begun.client_link("scorer"))
    page = device.page
    assert not page.evaluate(HINT)
    device.tap_cell("D1")
    device.wait(HINT)
    assert "A tapped event waits a moment." in page.inner_text("#hint")
    device.press(page.locator("#hint button"))
    assert not page.evaluate(HINT)
    device.release()
    device.at(3)
    device.tap_cell("E1")
    assert not page.evaluate(HINT)
    device.release()
    device.at(4)
    device.press(page.get_by_role("button", name="Show rules"))
    page.wait_for_selector("#rules[open]")
    assert page.inner_text("#rules p").startswith("SW-3 The players take turns")
    device.tap_button("Close", "#rules")
    assert page.locator("#rules").is_hidden()
    assert device.complaints == []
    device.context.close()


@pytest.mark.browser
def test_the_first_roll_has_a_hint(browser: Browser, tmp_path: Path) -> None:
    gamelog.create(tmp_path / "dice.jsonl", "dice_flags", seats={"north": "Ana", "south": "Rui"})
    with serve_in_thread(tmp_path / "dice.jsonl") as serving:
        device = Device(browser, serving.client_link("scorer"), locale="pt-PT")
        device.wait(HINT)
        assert "Lance os dados e toque nos resultados." in device.page.inner_text("#hint")
        device.page.reload()
        device.at(0)
        assert not device.page.evaluate(HINT)
        assert device.complaints == []
        device.context.close()
