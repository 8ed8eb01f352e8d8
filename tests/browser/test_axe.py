"""What axe, an independent judge of accessibility, has to say of the pages: nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from gamelog_reports.site import publish, write_index
from playwright.sync_api import Page

from gamelog.play.contract.registry import names
from gamelog.play.judging.replay import replay
from gamelog.record.reading import read_record
from tests.browser.conftest import Open
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser


def violations(page: Page) -> list[tuple[str, str]]:
    """What axe finds; of the contrast of letters on the board it knows nothing, for it does not see what a picture draws behind
    them: that is measured from the pixels (`test_contrast`)."""
    found = Axe().run(page).response["violations"]
    nodes = [(one["id"], node["html"][:150]) for one in found for node in one["nodes"]]
    return [(rule, html) for rule, html in nodes if not (rule == "color-contrast" and html.startswith("<text "))]


@pytest.mark.grid
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", names())
def test_replay_pages(open_page: Open, game: str, scheme: str) -> None:
    """`bypass_csp` lets the judge's script in, which the page itself would refuse."""
    page = open_page(replay(read_record(DIRECTORY / game / "as_played.jsonl")), "#n=12", bypass_csp=True, color_scheme=scheme)
    assert violations(page) == []


@pytest.mark.parametrize("key", ["?", "p", ""])
def test_dialogs_and_faults(open_page: Open, key: str) -> None:
    page = open_page(replay(read_record(DIRECTORY / "slicewars" / "as_played.jsonl")), "#n=102", bypass_csp=True, language="pt")
    if key:
        page.keyboard.press(key)
    else:
        page.locator("details.menu summary").click()
        page.locator("[data-act=about]").click()
        page.locator("[data-act=check]").click()
    assert violations(page) == []


def test_what_is_hidden(open_page: Open) -> None:
    hidden = open_page(
        replay(read_record(DIRECTORY / "zone_s" / "takeback.jsonl")), "#n=40", bypass_csp=True, width=390, height=844
    )
    assert violations(hidden) == []


def test_the_index_of_a_site(open_page: Open, tmp_path: Path) -> None:
    entries = [publish(path, tmp_path / "site") for path in sorted((DIRECTORY / "slicewars").glob("*.jsonl"))]
    html = write_index(entries, tmp_path / "site").read_text()
    assert violations(open_page(html, bypass_csp=True)) == []
