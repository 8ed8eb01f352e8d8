"""Tests of the lobby's cards: which tables need someone, and the search."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

import pytest
from gamelog_table.pages.summaries import Summaries, Summary
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
        device.page.mouse.move(5, 5)
        device.page.mouse.down()
        assert [serving.scorer.ask("POST", f"/{last}/events", one).status for one in events] == [201, 201]
        device.wait("document.querySelectorAll('.flagged').length === 1")
        assert device.page.title() == f"● For the arbiter: 1. · {tmp_path.name}"
        assert device.page.evaluate(NAMES).split(",") == order, "no card moves while the page is touched"
        assert device.page.evaluate(top) == before
        device.page.mouse.up()
        device.wait(f"{NAMES}.startsWith('{last},')")
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


@pytest.mark.browser
def test_flagged_tables_come_first_although_the_server_has_just_started(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer has no summaries yet, so the cards get their order with a later answer."""
    for name in ("two", "three", "one"):
        record = gamelog.create(tmp_path / f"{name}.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
        if name == "two":
            for event in (FIRST, {"do": "@claim", "by": "blue", "text": "It was a 3.", "about": 1}):
                record.append(event)
    make, is_allowed = Summaries._make, Event()

    async def make_later(self: Summaries, name: str, path: Path, *, whole: bool) -> Summary:
        while not is_allowed.is_set():
            await asyncio.sleep(0.01)
        return await make(self, name, path, whole=whole)

    monkeypatch.setattr(Summaries, "_make", make_later)
    with serve_in_thread(tmp_path) as serving:
        device = Device(browser, serving.client_link("scorer"))
        device.wait("document.querySelectorAll('a.table').length === 3")
        before = device.page.evaluate(NAMES).split(",")
        is_allowed.set()
        assert before[0] != "two", "without summaries, this table is not the first by itself"
        device.wait("document.querySelectorAll('.flagged').length === 1")
        device.wait(f"{NAMES}.startsWith('two,')")
        assert device.complaints == []
        device.context.close()


STARTED_IN_SIGHT = """() => {
    const { top, bottom, height } = document.querySelector("#begin [role=status]").getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= innerHeight;
}"""
"""JavaScript: whether the name of the game that was started is on the screen."""


@pytest.mark.browser
@pytest.mark.parametrize("size", [(390, 844), (1024, 768)])
def test_several_tables_are_started_with_one_form_and_its_tags(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with serve_in_thread(tmp_path) as serving:
        device = Device(browser, serving.client_link("scorer"), viewport=viewport)
        form = device.page.locator("#begin")
        form.get_by_text("Ids and tags").tap()
        form.get_by_label("Tags").fill("event=Club night")
        names = form.locator(".people-names input")
        made = []
        for people in (("Ana", "Rui"), ("Mei", "Zé")):
            assert [one.input_value() for one in names.all()] == ["", ""]
            for field, person in zip(names.all(), people, strict=True):
                field.fill(person)
            form.get_by_role("button", name="Start, add another").tap()
            device.wait("document.querySelector('.people-names input').value === ''")
            made.append(people)
            device.wait(f"document.querySelectorAll('a.table').length === {len(made)}")
            assert "no records" not in device.page.inner_text("#hello")
            assert device.page.evaluate(STARTED_IN_SIGHT)
        records = serving.scorer.get().json["records"]
        assert sorted(tuple(seat["name"] for seat in one["seats"]) for one in records) == made
        assert [one["tags"] for one in records] == [{"event": "Club night"}] * 2
        assert device.complaints == []
        device.context.close()
