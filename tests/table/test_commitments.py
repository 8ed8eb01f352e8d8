"""Tests of commitments by taps: the device makes the salt, keeps it, and opens the choice later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.examples.conftest import SOURCES, installed
from tests.table.client import Serving, serve_in_thread
from tests.table.touch import Device

pytestmark = pytest.mark.browser


@pytest.fixture
def rps(tmp_path: Path) -> Iterator[Serving]:
    """Yield a server of a game of rock, paper, scissors between Ana and Rui."""
    site = tmp_path / "site"
    site.mkdir()
    with installed(site, SOURCES):
        gamelog.create(
            tmp_path / "rps.jsonl", "rps", seats={"red": "Ana", "blue": "Rui"}, options={"points": 1}
        )
        with serve_in_thread(tmp_path / "rps.jsonl") as serving:
            yield serving


def link(serving: Serving, seat: str) -> str:
    return next(str(one["url"]) for one in serving.links if one.get("seat") == seat)


def events(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def test_a_choice_is_committed_to_and_opened_by_taps(browser: Browser, rps: Serving, tmp_path: Path) -> None:
    path = tmp_path / "rps.jsonl"
    red, blue = (Device(browser, link(rps, seat)) for seat in ("red", "blue"))
    red.tap_button("rock")
    red.release()
    red.at(1)
    [committed] = events(path)
    assert (committed["do"], committed["by"], len(committed["digest"])) == ("commit", "red", 64)
    assert "rock" not in "".join(red.posted), "the choice does not leave the device"
    assert red.page.locator("#desk button").get_by_text("rock", exact=True).count() == 0
    blue.at(1)
    blue.tap_button("scissors")
    blue.release()
    blue.at(2)

    elsewhere = Device(browser, link(rps, "red"))
    elsewhere.at(2)
    assert "on the device that you used to choose" in elsewhere.page.inner_text("#ask")
    red.page.reload()
    red.page.wait_for_selector("html.ready")
    red.at(2)
    for device, text, n in ((red, "Ana shows rock.", 3), (blue, "Rui shows scissors.", 4)):
        device.at(n - 1)
        device.tap_button(f"Reveal choice: {text}")
        device.release()
        device.at(n)
    assert [event["do"] for event in events(path)] == ["commit", "commit", "open", "open"]
    verdict = gamelog.validate(path)
    assert verdict.valid and verdict.outcome
    assert verdict.outcome.winners == ("red",)
    for device in (red, blue, elsewhere):
        assert device.complaints == []
        device.context.close()


def test_a_cancelled_choice_is_not_recorded_and_buttons_can_be_portuguese(
    browser: Browser, rps: Serving, tmp_path: Path
) -> None:
    device = Device(browser, link(rps, "red"), locale="pt-PT")
    assert "este aparelho guarda a sua escolha." in device.page.inner_text("#ask")
    device.tap_button("papel")
    device.tap_button("Cancelar evento")
    device.at(0)
    assert events(tmp_path / "rps.jsonl") == []
    device.tap_button("tesoura")
    device.release()
    device.at(1)
    assert len(events(tmp_path / "rps.jsonl")) == 1
    assert device.complaints == []
    device.context.close()


def test_only_the_link_of_a_seat_is_offered_choices(rps: Serving) -> None:
    for seat in ("red", "blue"):
        told = rps.client("seat", seat).get("/choices").json["commitments"]
        assert [choice["label"] for choice in told["choices"]] == ["rock", "paper", "scissors"]
        assert told["opens"] == ""
    assert "commitments" not in rps.scorer.get("/choices").json
