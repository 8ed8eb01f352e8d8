"""Tests of the lobby's cards: which tables need someone, and the search."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.table.client import serve_in_thread
from tests.table.conftest import FIRST
from tests.table.touch import Device

NAMES = "[...document.querySelectorAll('a.table strong')].map((one) => one.textContent).join()"


@pytest.mark.browser
def test_the_scorer_sees_claims_at_once_and_finds_people_without_their_accents(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    for name, first in (("one", "Inês"), ("two", "Ana"), ("three", "Zé")):
        gamelog.create(tmp_path / f"{name}.jsonl", "slicewars", seats={"red": first, "blue": "Rui"})
    with serve_in_thread(tmp_path) as serving:
        device = Device(browser, serving.client_link("scorer"))
        device.wait("document.querySelectorAll('.state-waiting').length === 3")
        top = "document.querySelector('a.table').getBoundingClientRect().top"
        before, order = device.page.evaluate(top), device.page.evaluate(NAMES).split(",")
        events = (FIRST, {"do": "@claim", "by": "blue", "text": "It was a 3.", "about": 1})
        last = order[-1]
        assert [serving.scorer.ask("POST", f"/{last}/events", one).status for one in events] == [201, 201]
        device.wait("document.querySelectorAll('.flagged').length === 1")
        assert device.page.title() == f"● For the arbiter: 1. · {tmp_path.name}"
        assert device.page.evaluate(NAMES).split(",") == order, "no card moves by itself"
        assert device.page.evaluate(top) == before
        search = device.page.get_by_label("Search games")
        amend = {"do": "@amend", "by": "table", "seats": {"blue": {"name": "João"}}}
        assert serving.scorer.ask("POST", "/two/events", amend).status == 201
        device.wait("document.body.innerText.includes('João')")
        for typed, found in (("ines", "one"), ("INÊS", "one"), ("joao", "two"), ("ze", "three")):
            search.fill(typed)
            device.wait(f"{NAMES} === '{found}'")
        device.page.get_by_role("button", name="For the arbiter: 1.").tap()
        device.wait(f"{NAMES}.startsWith('{last},')")
        assert search.input_value() == ""
        assert device.complaints == []
        device.context.close()
