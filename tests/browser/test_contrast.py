"""Everything that is read stands out from what lies behind it, as it is drawn, in light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from gamelog_reports.report.page import report
from gamelog_reports.site import index, publish
from playwright.sync_api import Page

from gamelog.archive import index as archived
from gamelog.play.contract.registry import names
from tests.browser.conftest import Open
from tests.browser.contrast import SIZE, contrasts, too_faint
from tests.browser.test_sizes import sample
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
LOOK = {"bypass_csp": True, "device_scale_factor": SIZE, "reduced_motion": "reduce"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", names())
def test_every_text_of_a_replay_page_can_be_read(open_page: Open, name: str, scheme: Scheme) -> None:
    replayed = sample(name)
    assert replayed.fold
    page = open_page(replayed, color_scheme=scheme, width=1200, height=800, **LOOK)
    for n in (0, replayed.fold.n // 2, replayed.fold.n):
        page.evaluate("(n) => gamelog.goto(n)", n)
        page.wait_for_timeout(100)
        assert too_faint(page) == [], n


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_of_an_index_and_of_a_report_can_be_read(open_page: Open, tmp_path: Path, scheme: Scheme) -> None:
    entries = [publish(path, tmp_path / "site") for path in sorted((DIRECTORY / "slicewars").glob("*.jsonl"))]
    made = index(entries, tmp_path / "site").read_text()
    assert too_faint(open_page(made, color_scheme=scheme, width=1000, height=1400, **LOOK)) == []
    archived([DIRECTORY / "slicewars"], tmp_path / "a.db")
    html = report(tmp_path / "a.db").replace("<html ", '<html class="ready" ')
    assert too_faint(open_page(html, color_scheme=scheme, width=1000, height=3000, **LOOK)) == []


def test_the_judge_sees_what_lies_behind(open_page: Open) -> None:
    """Grey on white, on black, on stripes of both, and with a halo."""
    html = """<html class="ready"><body style="background:#fff"><svg width="600" height="300" style="font:700 20px sans-serif">
    <defs><pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse">
    <rect width="4" height="8" fill="#000"/></pattern></defs>
    <rect y="40" width="600" height="40" fill="#000"/><rect y="80" width="600" height="80" fill="url(#p)"/>
    <text y="30" fill="#767676">white</text><text y="70" fill="#767676">black</text><text y="110" fill="#767676">stripes</text>
    <text y="150" fill="#767676" stroke="#fff" stroke-width="8" paint-order="stroke">halo</text>
    </svg></body></html>"""
    found = {one["told"].split()[0]: one["ratio"] for one in contrasts(shown(open_page, html))}
    assert found["white"] == pytest.approx(4.54, abs=0.02)
    assert found["black"] == pytest.approx(4.62, abs=0.02)
    assert found["stripes"] < 4.55
    assert found["halo"] == pytest.approx(4.54, abs=0.02)
    assert contrasts(shown(open_page, html.replace("#767676", "#999")))[0]["ratio"] == pytest.approx(2.85, abs=0.02)


def shown(open_page: Open, html: str) -> Page:
    return open_page(html, **LOOK)
