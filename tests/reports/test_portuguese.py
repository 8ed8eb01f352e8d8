"""Pages in Portuguese have no English text: replay, table, incident sheet, index and report of sample records."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from gamelog_reports import site
from gamelog_reports.incident_sheet import incident_sheet
from gamelog_reports.replay.page import replay_page
from gamelog_reports.report.page import report
from gamelog_reports.templates import texts
from gamelog_table.table_page import page_html_in

from gamelog.archive import index
from gamelog.archive.asking.reader import INCOMPLETE
from gamelog.message import places
from gamelog.play.contract.registry import installed
from gamelog.play.contract.translation import translation
from gamelog.play.judging.replay import replay
from gamelog.record.reading import read_record
from tests import templates
from tests.english_words import ENGLISH
from tests.samples.__main__ import DIRECTORY

RECORDS = [DIRECTORY / game / "ruled.jsonl" for game in ("slicewars", "zone_s", "gp02a_territory")]

NAMES = re.compile(r"gamelog( [a-z-]+)*( --\w+)?|\b\w+_\w+\b|\S+\.jsonl|\S+@\S+|play\.\w+|record\.\w+")
"""Names that no language changes: commands, ids, files and codes."""


def replay_of(path: Path, folder: Path) -> str:  # noqa: ARG001 - each page is made in the same way
    return replay_page(replay(read_record(path)), language="pt")


def table_of(path: Path, folder: Path) -> str:  # noqa: ARG001 - the page comes before the record
    return page_html_in("pt")[0].decode()


def sheet_of(path: Path, folder: Path) -> str:  # noqa: ARG001 - it is not written to a file
    replayed = replay(read_record(path))
    return incident_sheet(replayed, next(found.n for found in replayed.findings if found.n), "pt")


def index_of(path: Path, folder: Path) -> str:
    entry = site.publish(path, folder, language="pt", single=True)
    return site.write_index([entry], folder, language="pt").read_text("utf-8")


def report_of(path: Path, folder: Path) -> str:
    index([*path.parent.glob("*.jsonl")], folder / "a.archive")
    return report(str(folder / "a.archive"), language="pt")


PAGES = {"replay": replay_of, "table": table_of, "sheet": sheet_of, "index": index_of, "report": report_of}


def shown(page: str) -> list[str]:
    """Return the texts that a page shows or reads out, without scripts and styles, and the texts of its scripts."""
    spoken = re.search(r'<script type="application/json" id="texts">(.*?)</script>', page, re.S)
    body = re.sub(r"(?s)<(script|style|code).*?</\1>", "", page[page.index("<body") :])
    found = re.findall(r'>([^<]+)<|(?:aria-label|alt|title|placeholder)="([^"]*)"', body)
    bits = [html.unescape(text or label).strip() for text, label in found]
    return [bit for bit in bits if bit] + [*(json.loads(spoken[1]) if spoken else {}).values()]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("kind", PAGES)
def test_a_portuguese_page_has_no_english_text(tmp_path: Path, kind: str, path: Path) -> None:
    make: Callable[[Path, Path], str] = PAGES[kind]
    page = make(path, tmp_path)
    assert '<html lang="pt">' in page
    english, own = texts("en"), texts("pt")
    foreign = {text for key, text in english.items() if text != own[key]} - set(own.values())
    bits = shown(page)
    assert len(bits) > 20
    assert [bit for bit in bits if bit in foreign] == []
    titles = [one.game.title for one in installed() if one.game]
    written = [
        str(getattr(event, name))
        for event in replay(read_record(path)).events
        for name in ("text", "reason", "name")
        if getattr(event, name, "")
    ]
    for words in sorted((*titles, *written), key=len, reverse=True):
        bits = [bit.replace(words.rstrip("."), "") for bit in bits]
    assert [bit for bit in bits if ENGLISH.search(NAMES.sub("", bit))] == []


def translations() -> dict[str, str]:
    """Return the translations of the report's sentences by their English templates."""
    data = json.loads((files("gamelog_reports") / "locales" / "pt.json").read_text("utf-8"))
    found: dict[str, str] = data["messages"]
    return found


def test_every_sentence_of_the_report_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "_makers", lambda: {"say": 0})
    known = translations()
    said = {text for text in templates.templates("gamelog_reports") if " " in text.strip()}
    assert len(said) > 80
    assert INCOMPLETE in known
    sheet = translation("gamelog.dispute", "pt").messages
    assert sorted(said - {*known, *sheet}) == []
    for english, own in known.items():
        assert {place.name for place in places(own)} == {place.name for place in places(english)}, english
