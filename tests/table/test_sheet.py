"""Tests of the incident sheet at the table, for links that see the whole table."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from gamelog_reports.incident_sheet import incident_sheet
from playwright.sync_api import Browser

from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.position_data import position_data
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.reading import read_record
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Serving
from tests.table.touch import Device


def test_scorer_and_arbiter_get_the_page_of_the_command(begun: Serving, record: Path) -> None:
    written = incident_sheet(fold_record(read_record(record)), 2)
    for client in (begun.scorer, begun.client("arbiter")):
        answer = client.get("/sheet?at=2")
        assert (answer.status, answer.body.decode()) == (200, written)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        policy = answer.headers["content-security-policy"].removesuffix("; frame-ancestors 'none'")
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert f'content="{policy}"'.replace("'", "&#39;") in written, (
            "the page has the same policy where it is kept"
        )
    spoken = begun.scorer.get("/sheet?at=2", **{"Accept-Language": "pt-PT,en;q=0.5"}).body.decode()
    assert spoken == incident_sheet(fold_record(read_record(record)), 2, "pt")
    for client in (begun.spectator, begun.client("seat", "red")):
        denied = client.get("/sheet?at=2")
        assert (denied.status, denied.code) == (403, "table.role")
        assert (
            denied.json["error"]["message"]
            == "Only the scorer and the arbiter can see the sheet, because it shows hidden information."
        )


def test_a_sheet_about_a_missing_event_is_refused(table: Serving) -> None:
    nothing = table.scorer.get("/sheet?at=1")
    assert (nothing.status, nothing.json["error"]["message"]) == (
        404,
        "The record has no events yet, so there is no sheet.",
    )
    assert table.scorer.write({"do": "@note", "by": "table", "text": "The lamp went out."}).status == 201
    for at, status, said in (
        ("?at=2", 404, "There is no event 2. The last event is event 1."),
        ("?at=0", 404, "There is no event 0. The last event is event 1."),
        ("?at=one", 400, '"at" must be the number of an event.'),
        ("", 400, "Give the number of the event in the address: ?at=N"),
    ):
        answer = table.scorer.get(f"/sheet{at}")
        assert (answer.status, answer.json["error"]["message"]) == (status, said)
    assert table.scorer.get("/sheet?at=1").status == 200


@pytest.mark.parametrize("view", [(), ("red",), ("red", "blue")])
def test_a_refused_event_has_a_sheet_and_a_position(tmp_path: Path, view: tuple[str, ...]) -> None:
    shutil.copy(DIRECTORY / "slicewars/illegal-reach.jsonl", path := tmp_path / "refused.jsonl")
    recorder = EventRecorder(path)
    assert recorder.n == recorder.fold.n + 1
    shown = RecordView(recorder.fold, Viewer(view), recorder.events[-1:])
    told, before = (position_data(shown, n) for n in (recorder.n, recorder.n - 1))
    assert (told["event"]["n"], told["text"]) == (recorder.n, "Rui attacks D3 from C2.")
    assert (told["state"], told["score"], told["pending"]) == (
        before["state"],
        before["score"],
        before["pending"],
    )


@pytest.mark.browser
def test_the_button_saves_the_sheet_about_the_shown_event(
    browser: Browser, begun: Serving, tmp_path: Path
) -> None:
    device = Device(browser, begun.client_link("arbiter"))
    device.at(2)
    for n in (2, 1):  # the button stays in place while the event on the screen changes
        with device.page.expect_download() as download:
            device.tap_button("Save incident sheet", "#more")
        assert download.value.suggested_filename == f"evening sheet-{n}.html"
        download.value.save_as(tmp_path / "sheet.html")
        assert (tmp_path / "sheet.html").read_bytes() == begun.scorer.get(f"/sheet?at={n}").body
        device.page.locator("#back").tap()
        device.wait(f"document.getElementById('number').textContent.startsWith('{n - 1} ')")
    assert device.page.get_by_text("Save incident sheet").count() == 0, (
        "before the first event there is no sheet"
    )
    assert device.complaints == []
    device.context.close()
