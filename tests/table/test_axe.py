"""Tests with axe in every state of the table and of the lobby, in light and dark. Each page is loaded once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

import gamelog
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FIRST, FORFEIT
from tests.table.recorded import open_device

pytestmark = pytest.mark.browser

RUN = """([within, rules]) => axe.run(within, {resultTypes: ["violations"], ...(rules && {runOnly: rules})}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html.slice(0, 120)])))"""
"""JavaScript for the faults that axe finds within an element, by one of its rules or by all."""

OUTLINES = """(selector) => [...document.querySelectorAll(selector)].map((one) => getComputedStyle(one).outlineStyle)"""


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Serving]:
    """Serve a folder with a game that begins and a game that waits."""
    for name, board in (("first", "hex36"), ("second", "hex50")):
        seats = {"red": "Ana", "blue": "Rui"}
        gamelog.create(tmp_path / f"{name}.jsonl", "slicewars", seats=seats, board=board, takebacks="agreed")
    with serve_in_thread(tmp_path) as serving:
        yield serving


class Audited:
    """A device whose page axe checks in state after state."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.device = open_device(browser, url, "320x640", bypass_csp=True)
        self.page = self.device.page
        self.page.evaluate(Axe().axe_script)

    def check(self, state: str, within: str = "html") -> None:
        """Check that axe finds no faults within an element. Its colours are checked in the dark theme, too.

        Texts on the board are left out. `tests.browser.test_contrast` measures them.
        """
        schemes: tuple[tuple[Literal["light", "dark"], list[str] | None], ...] = (
            ("light", None),
            ("dark", ["color-contrast"]),
        )
        for scheme, rules in schemes:
            self.page.emulate_media(color_scheme=scheme)
            found = self.page.evaluate(RUN, [within, rules])
            faults = [one for one in found if one[0] != "color-contrast" or not one[1].startswith("<text ")]
            assert faults == [], (state, scheme)
        assert self.page.evaluate("document.documentElement.scrollWidth") <= 320, state

    def open(self, tag: str) -> None:
        """Open the sheet of an event, with all of its parts."""
        self.page.locator(f"#more [data-do='{tag}']").evaluate("(one) => one.click()")
        self.device.wait(f"document.querySelector(\"#more .form[data-do='{tag}']\")")
        self.page.evaluate("document.querySelectorAll('.form details').forEach((one) => (one.open = true))")

    def cancel(self) -> None:
        """Close the sheet."""
        self.page.locator("#more .form").get_by_role("button", name="Cancel").first.evaluate(
            "(one) => one.click()"
        )


def test_the_lobby_and_the_form_for_a_new_game(browser: Browser, club: Serving) -> None:
    audited = Audited(browser, club.links[0]["url"])
    page = audited.page
    page.wait_for_selector("a.table")
    audited.check("lobby")
    page.get_by_role("button", name="New game").tap()
    page.wait_for_selector("#begin:not([hidden])")
    for folded in page.locator("#begin summary").all():
        folded.tap()
    audited.check("new game", "#welcome")
    page.emulate_media(forced_colors="active")
    assert page.evaluate(OUTLINES, "#begin .main") == ["solid"], "the main button differs without colours"
    audited.device.context.close()


def test_every_state_of_the_table(browser: Browser, club: Serving) -> None:
    audited = Audited(browser, club.links[0]["url"].replace("/#", "/table/first#"))
    device = audited.device
    device.at(0)
    audited.check("waiting for a roll, with a hint")
    assert club.scorer.ask("POST", "/first/events", FIRST).status == 201
    device.at(1)
    device.tap_cell("C3")
    device.wait("!document.getElementById('held').hidden")
    audited.check("a held event")
    device.release()
    device.at(2)
    _sheets(audited)
    _panels(audited)
    _troubles(audited, club)
    assert club.client("arbiter").ask("POST", "/first/events", {**FORFEIT, "about": 5}).status == 201
    device.wait("document.getElementById('ending').open")
    audited.check("the end screen", "#ending")
    device.tap_button("Close", "#ending")
    audited.check("over")
    device.context.close()


def _sheets(audited: Audited) -> None:
    tags = audited.page.evaluate(
        "[...document.querySelectorAll('#more [data-do]')].map((one) => one.dataset.do)"
    )
    sheets = [tag for tag in tags if tag not in ("@clock", "sheet", "slip")]
    assert len(sheets) > 8
    for tag in sheets:
        audited.open(tag)
        audited.check(tag, "#more .form")
        audited.cancel()


def _panels(audited: Audited) -> None:
    """Check the rules, the sheet of further buttons, an earlier position and a pause."""
    device, page = audited.device, audited.page
    page.locator("#ask-rules").tap()
    device.wait("document.getElementById('rules').open")
    audited.check("the rules", "#rules")
    page.keyboard.press("Escape")
    page.locator("#more .rest summary").tap()
    audited.check("further buttons", "#more")
    page.keyboard.press("Escape")
    page.locator("#back").tap()
    audited.check("an earlier position")
    page.locator("#live").tap()
    page.locator("#more [data-do='@clock']").tap()
    device.at(3)
    audited.check("paused", "header")
    page.locator("#more [data-do='@clock']").tap()
    device.at(4)


def _troubles(audited: Audited, club: Serving) -> None:
    """Check an illegal event, a lost connection and an event that waits."""
    device, page = audited.device, audited.page
    illegal = {"do": "claim", "by": "blue", "at": "C3", "as_played": True}
    assert club.scorer.ask("POST", "/first/events", illegal).status == 201
    device.at(5)
    audited.check("an illegal event")
    device.context.set_offline(True)
    device.wait("document.getElementById('line').textContent.includes('no connection')")
    audited.open("@note")
    page.locator("#more textarea").fill("No network.")
    page.locator("#more .form .main").evaluate("(one) => one.click()")
    device.wait("document.querySelector('#waiting li')")
    audited.check("an event waits")
    page.locator("#waiting li button").evaluate("(one) => one.click()")
    device.context.set_offline(False)
    device.wait("document.getElementById('line').textContent.includes('live')")
