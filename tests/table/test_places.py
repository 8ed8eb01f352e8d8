"""Tests of events that take several places: a player chooses place by place, with a counter and one confirmation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.table.client import Serving, serve_in_thread
from tests.table.touch import Device

SEATS = {"red": "Ana", "blue": "Rui", "green": "Lena", "yellow": "Tom", "purple": "Eva"}


def begin(path: Path, seats: int, **settings: Any) -> None:
    """Begin a game of SliceWars in which Ana has rolled highest and removes territories."""
    people = dict(list(SEATS.items())[:seats])
    with gamelog.create(path, "slicewars", seats=people, **settings) as record:
        record.append({"do": "removal_roll", "rolls": {**dict.fromkeys(people, 1), "red": 6}})


def removed(serving: Serving) -> list[str]:
    """Return the territories of the last event."""
    event = serving.scorer.get().json["event"]
    assert event["do"] == "remove"
    return sorted(event["at"])


@pytest.mark.browser
def test_places_are_chosen_one_by_one_and_a_forbidden_set_stays_selected(
    browser: Browser, tmp_path: Path
) -> None:
    begin(tmp_path / "evening.jsonl", 3, options={"keep_connected": True})
    with serve_in_thread(tmp_path / "evening.jsonl") as serving:
        device = Device(browser, serving.client_link("scorer"))
        device.at(1)
        prompt = device.page.locator("#ask .due")
        assert prompt.inner_text() == "Ana: 0 of 2 chosen."
        device.tap_cell("A2")
        assert prompt.inner_text() == "Ana: 1 of 2 chosen."
        assert device.page.locator("#ask button").count() == 0, "nothing can be confirmed yet"
        device.tap_cell("B1")
        assert prompt.inner_text() == "Ana: 2 of 2 chosen."
        device.tap_button("Confirm: Ana removes A2 B1.")
        device.wait("document.getElementById('alert').textContent.includes('connected')")
        assert prompt.inner_text() == "Ana: 2 of 2 chosen."
        device.tap_cell("B1")
        assert prompt.inner_text() == "Ana: 1 of 2 chosen."
        device.tap_cell("D4")
        device.tap_button("Confirm: Ana removes A2 D4.")
        device.wait("document.getElementById('held').textContent.includes('Ana removes A2 D4.')")
        device.release()
        device.at(2)
        assert removed(serving) == ["A2", "D4"]
        assert device.complaints == []
        device.context.close()


@pytest.mark.browser
def test_places_of_more_sets_than_a_list_can_have_are_chosen_too(browser: Browser, tmp_path: Path) -> None:
    begin(
        tmp_path / "evening.jsonl",
        2,
        board="hex36",
        options={"extra_ownerless": 12, "removed": "ownerless", "keep_connected": False},
    )
    with serve_in_thread(tmp_path / "evening.jsonl") as serving:
        (choice,) = serving.scorer.get("/choices").json["choices"]
        assert (choice["count"], choice["member"], len(choice["tokens"])) == (12, "at", 36)
        device = Device(browser, serving.client_link("seat", "red"))
        device.at(1)
        cells = [token.removeprefix("cell:") for token in choice["tokens"]][7:19]
        for at, cell in enumerate(cells):
            assert device.page.inner_text("#ask .due") == f"Ana: {at} of 12 chosen."
            device.tap_cell(cell)
        device.press(device.page.locator("#ask button.main"))
        device.release()
        device.at(2)
        assert removed(serving) == sorted(cells)
        assert device.complaints == []
        device.context.close()


def test_one_place_is_tapped_alone(tmp_path: Path) -> None:
    begin(tmp_path / "evening.jsonl", 5, board="hex36")
    with serve_in_thread(tmp_path / "evening.jsonl") as serving:
        assert all("count" not in choice for choice in serving.scorer.get("/choices").json["choices"])
