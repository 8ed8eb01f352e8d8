"""Tests that pages in Portuguese have no English text, except names, ids and marked quotations."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from gamelog_reports import site
from gamelog_reports.comparison_page import comparison_page
from gamelog_reports.incident_sheet import incident_sheet
from gamelog_reports.replay_page.page import replay_page
from gamelog_reports.report.page import report
from gamelog_reports.templates import texts
from gamelog_table.pages.table_page import page_html_in
from msgspec import structs

from gamelog.archive import index
from gamelog.archive.querying.reader import INCOMPLETE_NOTE
from gamelog.archive.schema import tables
from gamelog.dispute.compare import compare
from gamelog.dispute.incident import last_incident
from gamelog.dispute.incidents import incidents
from gamelog.message import placeholders
from gamelog.play.contract.registry import installed_games
from gamelog.play.contract.translation import translation
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests import templates
from tests.archive.piles import Pile
from tests.english_words import ENGLISH
from tests.reports import payload
from tests.samples.__main__ import DIRECTORY

RECORDS = sorted(DIRECTORY.glob("*/ruled.jsonl"))

NAMES = re.compile(r"gamelog( [a-z-]+)*( --\w+)?|\b\w+_\w+\b|\S+\.jsonl|\S+@\S+|play\.\w+|record\.\w+")
"""Names that no language changes: commands, ids, files and codes."""


def replay_pages(path: Path, _folder: Path) -> Iterator[str]:
    """Yield the replay page of a record."""
    yield replay_page(fold_record(read_record(path)), language="pt")


def table_pages(_path: Path, _folder: Path) -> Iterator[str]:
    """Yield the page of the table, which is the same for all records."""
    yield page_html_in("pt")[0].decode()
    yield page_html_in("pt", "lobby")[0].decode()


def sheet_pages(path: Path, _folder: Path) -> Iterator[str]:
    """Yield the incident sheets of all incidents and of the last event."""
    folded = fold_record(read_record(path))
    for n in sorted({last_incident(folded), *(one.n for one in incidents(folded))}):
        yield incident_sheet(folded, n, "pt")


def index_pages(path: Path, folder: Path) -> Iterator[str]:
    """Yield the index of a site with the page of a record."""
    entry = site.publish(path, folder, language="pt", single=True)
    yield site.write_index([entry], folder, language="pt").read_text("utf-8")


def report_pages(path: Path, folder: Path) -> Iterator[str]:
    """Yield the report of all sample records of a game."""
    index([*path.parent.glob("*.jsonl")], folder / "a.archive")
    yield report(str(folder / "a.archive"), language="pt")


def comparison_pages(path: Path, _folder: Path) -> Iterator[str]:
    """Yield the pages that compare a record with itself and with copies that have mistakes."""
    one = read_record(path)
    header, events = one.header, fold_record(one).events
    assert header is not None
    middle = len(events) // 2
    people = tuple(structs.replace(seat, name=seat.name.upper()) for seat in header.seats)
    other = structs.replace(header, id="other", seats=people)
    for changed in (
        events,
        events[:middle],
        [*events[:middle], *events[middle + 3 :]],
        [*events[:middle], *events[middle - 2 :]],
        [*events[: middle - 1], *events[middle - 1 : middle + 1][::-1], *events[middle + 1 :]],
        [*events[:20], *events[25:middle], *events[middle + 1 :]],
    ):
        numbered = [structs.replace(event, n=n, t=n * 1000) for n, event in enumerate(changed, 1)]
        two = parse_record(compose(other, numbered)[0], "other.jsonl")
        yield comparison_page(one, two, compare(one, two, language="pt"), language="pt")


PAGES: dict[str, Callable[[Path, Path], Iterator[str]]] = {
    "replay": replay_pages,
    "table": table_pages,
    "sheet": sheet_pages,
    "comparison": comparison_pages,
    "index": index_pages,
    "report": report_pages,
}


def page_texts(page: str) -> list[str]:
    """Return the texts that a page shows or reads out, and the texts of its scripts.

    Scripts, styles, and quotations that are marked as English are left out.
    """
    page += payload.page_frame(page)
    spoken = re.search(r'<script type="application/json" id="texts">(.*?)</script>', page, re.S)
    body = re.sub(r'(?s)<(script|style|code).*?</\1>|<q lang="en">.*?</q>', "", page[page.index("<body") :])
    found = re.findall(r'>([^<]+)<|(?:aria-label|alt|title|placeholder)="([^"]*)"', body)
    bits = [html.unescape(text or label).strip() for text, label in found]
    return [bit for bit in bits if bit] + [*(json.loads(spoken[1]) if spoken else {}).values()]


def without(text: str, words: str) -> str:
    """Return `text` without a person's `words`, which can be cut at the end."""
    text = text.replace(words.rstrip("."), "")
    cut = next((at for at in range(len(words), 3, -1) if text.endswith(f"{words[:at]}…")), 0)
    return text[: -cut - 1] if cut else text


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("kind", PAGES)
def test_a_portuguese_page_has_no_english_text(tmp_path: Path, kind: str, path: Path) -> None:
    english, own = texts("en"), texts("pt")
    foreign = {text for key, text in english.items() if text != own[key]} - set(own.values())
    pages = [*PAGES[kind](path, tmp_path)]
    assert all('<html lang="pt">' in page for page in pages)
    bits = [bit for page in pages for bit in page_texts(page)]
    assert len(bits) > 20
    assert [bit for bit in bits if bit in foreign] == []
    titles = [one.game.title for one in installed_games() if one.game]
    written = [
        str(getattr(event, name))
        for event in fold_record(read_record(path)).events
        for name in ("text", "reason", "name")
        if getattr(event, name, "")
    ]
    for words in sorted((*titles, *written), key=len, reverse=True):
        bits = [without(bit, words) for bit in bits]
    assert [bit for bit in bits if ENGLISH.search(NAMES.sub("", bit))] == []


def test_a_portuguese_report_quotes_the_english_findings_of_its_archive(tmp_path: Path) -> None:
    pile = Pile()
    pile.game(path="/home/ana/a.jsonl")
    file = tables.FileRow(
        path="/home/ana/a.jsonl",
        size=1,
        mtime_ns=1,
        status="illegal",
        judge="x",
        id="g0001",
        game="tug",
        head="h",
    )
    finding = tables.FindingRow(
        path=file.path, code="play.illegal", severity="error", message="C4 is not <free>", n=1, rule="T-3"
    )
    pile.rows += [file, finding]
    archive = pile.stored(tmp_path / "games.archive")
    page = report(archive, language="pt")
    assert '<bdi>T-3</bdi>: <q lang="en">C4 is not &lt;free&gt;</q>' in page
    assert "O arquivo só tem as anomalias em inglês" in page
    assert "<q " not in report(archive)
    assert not re.search(r"\bC4\b", report(archive, language="pt", anonymous=True)), (
        "a pseudonym may contain C4"
    )


@pytest.mark.parametrize("language", ["en", "pt"])
def test_right_to_left_names_are_isolated_in_the_sentences_of_a_report(tmp_path: Path, language: str) -> None:
    names, pile = ("שרה", "רחל"), Pile()
    for _ in range(40):
        pile.contest(pile.game(players_=names), 1, True, 0.5)
    page = report(pile.stored(tmp_path / "games.archive"), language=language)
    for name in names:
        sentences = [one for one in re.findall(r"(?s)<(?:h3|li)>(.*?)</(?:h3|li)>", page) if name in one]
        assert sentences, "the sentence on luck"
        assert all(one.count(name) == one.count(f"<bdi>{name}</bdi>") for one in sentences)
    assert not set("\u2068\u2069") & set(page)


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
    assert INCOMPLETE_NOTE in known
    sheet = translation("gamelog.dispute", "pt").messages
    assert sorted(said - {*known, *sheet}) == []
    for english, own in known.items():
        assert {place.name for place in placeholders(own)} == {
            place.name for place in placeholders(english)
        }, english
