"""Tests of the incident sheet in Portuguese, in which only people's own words can be English."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import get_args

import pytest
from gamelog_reports.incident_sheet import _SheetText, incident_sheet

from gamelog.dispute import MESSAGE_PACKAGE
from gamelog.dispute.incident_words import STATUS_CLAUSES
from gamelog.dispute.incidents import IncidentKind, incidents
from gamelog.message import Renderer
from gamelog.play.contract.locales import load_locale
from gamelog.play.fold.finding_codes import Status
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.judging.prefixes import Prefix
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog.record.reading import read_record
from tests.english_words import ENGLISH
from tests.samples.__main__ import DIRECTORY

LEFT = re.compile(
    rf"{ENGLISH.pattern}|\b(record|ruling|claim|die|dice|path|red|blue|won|lost|rule|error|warning|nobody|event|Nobody|It)\b"
)
"""English words of records and pages, which a Portuguese page must not have."""

WRITTEN = ("text", "reason")
"""Members of events with people's own words."""


def replay_sample(name: str) -> FoldedRecord:
    return fold_record(read_record(DIRECTORY / f"{name}.jsonl"))


def page_texts(page: str, folded: FoldedRecord) -> list[str]:
    """Return the texts of the page, without tags of the record, digests, and people's own words."""
    body = re.sub(r'(?s)<header>.*?</header>|<code>.*?</code>|src="[^"]*"', "", page[page.index("<main>") :])
    bits = [
        html.unescape(text or label).strip()
        for text, label in re.findall(r'>([^<]+)<|(?:aria-label|alt)="([^"]*)"', body)
    ]
    written = [
        getattr(event, name).rstrip(".")
        for event in folded.events
        for name in WRITTEN
        if getattr(event, name, "")
    ]
    for words in sorted(written, key=len, reverse=True):
        bits = [bit.replace(words, "") for bit in bits]
    return [bit for bit in bits if bit]


@pytest.fixture(scope="module")
def argued(tmp_path_factory: pytest.TempPathFactory) -> FoldedRecord:
    """Return a game with a corrected slip, an open claim, and confirmed, replaced and withdrawn rulings."""
    path = tmp_path_factory.mktemp("argued") / "game.jsonl"
    path.write_bytes(
        b"".join((DIRECTORY / "slicewars/takeback.jsonl").read_bytes().splitlines(keepends=True)[:12])
    )
    recorder = EventRecorder(path, lambda _header: 3_600_000)
    n = recorder.n

    def ruling(about: int, kind: str, **more: object) -> dict[str, object]:
        return {
            "do": "@ruling",
            "by": "arbiter",
            "about": about,
            "kind": kind,
            "reason": "That is it.",
            "name": "Mei",
            **more,
        }

    recorder.append(
        [
            {"do": "@claim", "by": "red", "about": n, "text": "It was not free."},
            ruling(n, "penalty", points={"blue": -1}),
            ruling(n + 2, "stands"),
            ruling(n + 2, "warning", warned=["red"]),
            ruling(n, "takeback"),
            ruling(n + 4, "refused"),
            {"do": "@claim", "by": "blue", "about": n - 1, "text": "And that?"},
            {"do": "@takeback", "by": "table", "to": n - 3, "slip": True},
        ]
    )
    return fold_record(read_record(path))


def cases(argued: FoldedRecord) -> Iterator[tuple[FoldedRecord, int, str]]:
    """Yield each incident of some records, and battles and rolls with their odds."""
    names = ("slicewars/ruled", "slicewars/illegal-reach", "dice_flags/takeback", "dice_flags/illegal-corner")
    for folded in (argued, *map(replay_sample, names)):
        yield from ((folded, one.n, one.kind) for one in incidents(folded))
    fold = argued.fold
    assert fold
    yield from ((argued, n, "") for n in range(1, fold.n + 1, 3))


def test_each_kind_of_incident_is_in_portuguese(argued: FoldedRecord) -> None:
    kinds, odds = set[str](), 0
    for folded, n, kind in cases(argued):
        page = incident_sheet(folded, n, "pt")
        assert '<html lang="pt">' in page
        left = [bit for bit in page_texts(page, folded) if LEFT.search(bit)]
        assert left == [], f"event {n} of {folded.record.path}"
        kinds.add(kind)
        odds += "Probabilidade" in page
    assert kinds - {""} == set(get_args(IncidentKind))
    assert odds > 1


def test_peoples_words_are_not_translated_and_numbers_have_the_languages_format(
    argued: FoldedRecord,
) -> None:
    ruled = page_texts(
        incident_sheet(replay_sample("slicewars/ruled"), 102, "pt"), replay_sample("slicewars/ruled")
    )
    assert "Probabilidade no confronto: Rui vence Ana com 99,9996%, exatamente 279935/279936." in ruled
    assert any(line.startswith("SW-11: Um ataque parte de um território próprio") for line in ruled)
    page = html.unescape(incident_sheet(argued, 11, "pt"))
    assert ", Ana: It was not free.<" in page, "event 16 answers the claim"
    assert "Mei: anulação até à posição antes deste evento. Razão: That is it.<" in page
    unanswered = html.unescape(incident_sheet(argued, 10, "pt"))
    assert ", Rui: And that? Ninguém decidiu sobre esta reclamação.<" in unanswered


def test_each_status_of_a_record_is_in_portuguese() -> None:
    renderer = Renderer(load_locale("pt", None, MESSAGE_PACKAGE))
    assert STATUS_CLAUSES.keys() == set(get_args(Status))
    for status, message in STATUS_CLAUSES.items():
        assert renderer.text(message) != str(message), status


def test_other_languages_are_refused(argued: FoldedRecord) -> None:
    with pytest.raises(ValueError, match='pages have the languages en, pt, not "tlh"'):
        incident_sheet(argued, 1, "tlh")


@pytest.mark.parametrize("game", ["slicewars", "zone_s"])
def test_a_board_has_the_points_of_its_position(game: str) -> None:
    """The points of a position do not include a later penalty."""
    fold = replay_sample(f"{game}/ruled").fold
    assert fold is not None
    prefix, later = Prefix(fold), 0
    for n in range(1, fold.n + 1):
        *_, shown = _SheetText(RecordView(fold), n, "en").pictures(n)
        *_, known = _SheetText(RecordView(prefix.fold_until(n)), n, "en").pictures(n)
        assert shown == known, n
        later += fold.score_with_final_penalties(n) != fold.score_at(n)
    assert later, "the sample has a penalty"
