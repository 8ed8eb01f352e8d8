"""Tests of the record in a page: the same bytes, a recomputed chain, and no hidden information."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports import packed
from gamelog_reports.replay_page.page import replay_page
from playwright.sync_api import Page, expect

from gamelog.play.anonymity.anonymous_record import anonymous_replay
from gamelog.play.fold import common_events
from gamelog.record import chain
from gamelog.record.envelope import encode_body
from gamelog.record.record_file import compose
from tests.browser.conftest import Open
from tests.reports import payload
from tests.reports.toy import folded, game, header, judged

pytestmark = pytest.mark.browser

ODD = [
    b'"do": "lay", "n": 1, "t": 1000, "by": "red", "at": "a", "what": "die"}\n',
    b'"do":"lay","n":2,"t":2000,"by":"N","at":"b","what":"disc","secret":false}\n',
    b'"do":"@note","n":3,"t":2000,"by":"N","text":"\\u0041\\u202e \\ud83d\\ude00 \xc5\xbd\\\\ \\" [1,2] {"}\n',
    b'"by":"N","t":9000,"n":4,"do":"@note","text":"<!--<script>"}\n',
]


def odd() -> bytes:
    """Return a valid record in an unusual JSON format."""
    data, head = chain.chained_line(chain.GENESIS, encode_body(header("Ana", "Rui", event="Čáslav")))
    for text in ODD:
        line, head = chain.chained_line(head, text)
        data += line
    return data


def about(page: Page) -> None:
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="About this record").click()


@pytest.mark.parametrize("data", [compose(header(), game())[0], odd()], ids=["usual", "odd"])
def test_download_gives_the_same_bytes(open_page: Open, tmp_path: Path, data: bytes) -> None:
    page = open_page(judged(data))
    about(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download record").click()
    download.value.save_as(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == data
    assert download.value.suggested_filename == "3b1c7a52-0f0e-4a55-9c0e-0d6c5a9b7f10.jsonl"


def test_the_chain_is_checked_in_the_browser(open_page: Open) -> None:
    data, head = compose(header(), game())
    page = open_page(judged(data))
    about(page)
    page.get_by_role("button", name="Check chain").click()
    expect(page.locator("#checked")).to_contain_text(
        "The 14 events have not changed since they were recorded."
    )
    expect(page.locator("#checked code")).to_have_text(head)


def change_page(html: str, **members: Any) -> str:
    told = payload.page_data(html) | members
    text = b64encode(packed.deflate(json.dumps(told).encode())).decode()
    return payload.PAGE_DATA.sub(lambda match: match[1] + text + match[3], html)


def test_a_changed_page_is_detected(open_page: Open) -> None:
    html = replay_page(folded(game()))
    told = payload.page_data(html)
    page = open_page(change_page(html, tokens=told["tokens"].replace("a bold start", "a cold start")))
    about(page)
    page.get_by_role("button", name="Check chain").click()
    expect(page.locator("#checked .bad")).to_contain_text("was changed")


def test_the_page_of_a_seat_has_no_hidden_information(open_page: Open) -> None:
    replay = folded(game())
    page = open_page(replay, "#n=6", seat="red")
    expect(page.locator("#said")).to_have_text("Rui lays something on h.")
    expect(page.locator("#board .piece")).to_have_count(3)
    expect(page.locator("header")).to_contain_text("As Ana sees it")
    about(page)
    expect(page.get_by_role("dialog")).to_contain_text("This page does not contain the record")
    expect(page.get_by_role("button", name="Download record")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    expect(page.locator("#board .piece")).to_have_count(2)
    told = json.dumps(payload.page_data(replay_page(folded(game()[:10]), seat="red")))
    assert "flag" not in told
    assert "flag" in json.dumps(payload.page_data(replay_page(folded(game()[:10]), seat="N")))


def test_an_anonymous_page_has_no_names(open_page: Open) -> None:
    events = [
        *game()[:2],
        common_events.Note(3, 5_000, "red", "Ana says so"),
        common_events.Substitute(4, 6_000, "N", "N", "Eva", "eva@club"),
    ]
    html = replay_page(anonymous_replay(folded(events, header("Ana", "Rui", event="Ana's birthday"))))
    readable = re.sub(r'(?s)<script type="application/octet-stream".*?</script>', "", html)
    for name in ("Ana", "Rui", "Eva", "eva@club", "birthday", "3b1c7a52"):
        assert name not in readable, "deflated scripts can have three letters in a row by chance"
        assert name not in json.dumps(payload.page_data(html))
    page = open_page(html, "#n=2")
    expect(page.locator("#said")).to_have_text("N lays a pawn on b.")


def test_bytes_that_are_not_text_are_shown_and_kept(open_page: Open, tmp_path: Path) -> None:
    data, head = compose(header(), game()[:2])
    line, _ = chain.chained_line(
        head.encode(), b'"do":"@note","n":3,"t":3000,"by":"red","text":"\xff\xfe"}\n'
    )
    page = open_page(judged(data + line))
    expect(page.locator(".chip.s-damaged")).to_be_visible()
    about(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download record").click()
    download.value.save_as(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == data + line
