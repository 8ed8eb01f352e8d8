"""Tests of rulings on claims: a ruling settles the event of the claim, or names the missing ruling.

The table has the cases: kind of claim, state of its event, and ruling. The recorder records each case. Then the verdict,
the list of incidents, the sheets, the page and an archive of all cases must show the same.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from gamelog_reports.incident_sheet import incident_sheet
from gamelog_reports.replay_page.page import replay_page
from msgspec import structs

from gamelog.archive import Reader, index
from gamelog.dispute.incidents import incidents
from gamelog.errors import Refused
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.judging.verdict import Verdict, validate
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import read_record
from gamelog.record.record_file import create_record
from tests.play.tables import header
from tests.reports import payload

BEGUN: list[dict[str, Any]] = [
    {"do": "start_roll", "by": "table", "rolls": {"red": 6, "blue": 5}},
    {"do": "claim", "by": "red", "at": "A1"},
    {"do": "claim", "by": "blue", "at": "C1"},
]
LEGAL = {"do": "claim", "by": "red", "at": "B1"}
NEXT = {"do": "claim", "at": "D1"}
BACK = {"do": "@takeback", "by": "arbiter", "to": 3}
STANDS = {"do": "@ruling", "about": 4, "kind": "stands", "reason": "it was seen late", "name": "Mei"}


def claim(about: int | None) -> dict[str, Any]:
    return {"do": "@claim", "by": "red", "text": "not so", **({} if about is None else {"about": about})}


CLAIMS: dict[str, list[dict[str, Any]]] = {
    "about an illegal event": [{"do": "claim", "by": "blue", "at": "I6", "as_played": True}, claim(4)],
    "about a legal event": [LEGAL, claim(4)],
    "about the game": [LEGAL, claim(None)],
    "about a claim about an illegal event": [
        {"do": "claim", "by": "blue", "at": "I6", "as_played": True},
        claim(4),
        claim(5),
    ],
    "about a declined takeback": [
        LEGAL,
        {"do": "@takeback", "by": "red", "to": 2},
        {"do": "@decline", "by": "blue", "about": 5},
        claim(5),
    ],
}

STATES: dict[str, list[dict[str, Any]]] = {
    "counts": [],
    "was followed": [NEXT],
    "was undone": [BACK],
    "was corrected": [{**BACK, "slip": True}, LEGAL],
    "was ruled on": [STANDS],
}

RULINGS: dict[str, dict[str, Any]] = {
    "takeback": {},
    "stands": {},
    "refused": {},
    "upheld": {},
    "penalty": {"points": {"blue": -1}},
    "result": {"result": {"winners": ["red"], "reason": "it was decided"}},
}


class Case(NamedTuple):
    """A record with a ruling, or the reason why the ruling was refused."""

    path: Path
    claim: int
    refused: str
    doubt: str = ""


Cases = dict[tuple[str, str, str], Case]
Archived = dict[str, "Views"]


def record(folder: Path, at: int, what: str, state: str, ruling: str) -> Case:
    """Record a case and return it."""
    path = folder / f"{at:03}.jsonl"
    agreed = "agreed" if "takeback" in what else "scorer"
    create_record(path, structs.replace(header(takebacks=agreed), id=f"case {at}"))
    recorder = EventRecorder(path)
    recorder.append([*BEGUN, *CLAIMS[what]])
    number = recorder.n
    recorder.append(STATES[state])
    if state == "was ruled on" and what != "about the game":
        recorder.append([CLAIMS[what][-1]])
        number = recorder.n
    proposal = {
        "do": "@ruling",
        "about": number,
        "kind": ruling,
        "reason": "as I saw it",
        "name": "Lena",
        **RULINGS[ruling],
    }
    try:
        recorder.append([proposal])
    except Refused as error:
        return Case(path, number, str(error))
    return Case(path, number, "", str(recorder.remaining_problem(recorder.n) or ""))


TABLE = """
claim                                | its event     | takeback   | stands       | refused      | upheld             | penalty      | result
about an illegal event               | counts        | ruled      | ruled        | disputed 4   | no: disputed 4 5   | disputed 4   | disputed 4
about an illegal event               | was followed  | ruled      | ruled        | disputed 4   | no: disputed 4 5   | disputed 4   | disputed 4
about an illegal event               | was undone    | no: ok 5   | no: ok 5     | ok           | ok                 | ruled        | ruled
about an illegal event               | was corrected | no: ok 5   | no: ok 5     | ok           | ok                 | ruled        | ruled
about an illegal event               | was ruled on  | ruled      | ruled        | ruled        | no: ruled 7        | ruled        | ruled
about a legal event                  | counts        | ruled      | ok           | ok           | no: ok 5           | ruled        | ruled
about a legal event                  | was followed  | ruled      | ok           | ok           | no: ok 5           | ruled        | ruled
about a legal event                  | was undone    | no: ok 5   | no: ok 5     | ok           | ok                 | ruled        | ruled
about a legal event                  | was corrected | no: ok 5   | no: ok 5     | ok           | ok                 | ruled        | ruled
about a legal event                  | was ruled on  | ruled      | ok           | ok           | no: ok 7           | ruled        | ruled
about the game                       | counts        | no: ok 5   | ok           | ok           | ok                 | ruled        | ruled
about the game                       | was followed  | no: ok 5   | ok           | ok           | ok                 | ruled        | ruled
about the game                       | was undone    | no: ok 5   | ok           | ok           | ok                 | ruled        | ruled
about the game                       | was corrected | no: ok 5   | ok           | ok           | ok                 | ruled        | ruled
about the game                       | was ruled on  | no: ok 5   | ok           | ok           | ok                 | ruled        | ruled
about a claim about an illegal event | counts        | ruled 5    | disputed 4 5 | disputed 4 5 | no: disputed 4 5 6 | disputed 4 5 | disputed 4 5
about a claim about an illegal event | was followed  | ruled 5    | disputed 4 5 | disputed 4 5 | no: disputed 4 5 6 | disputed 4 5 | disputed 4 5
about a claim about an illegal event | was undone    | no: ok 5 6 | no: ok 5 6   | ok 5         | ok 5               | ruled 5      | ruled 5
about a claim about an illegal event | was corrected | no: ok 5 6 | no: ok 5 6   | ok 5         | ok 5               | ruled 5      | ruled 5
about a claim about an illegal event | was ruled on  | ruled 6    | ruled 6      | ruled 6      | no: ruled 6 8      | ruled 6      | ruled 6
about a declined takeback            | counts        | ruled      | ok           | ok           | no: ok 7           | ruled        | ruled
about a declined takeback            | was followed  | ruled      | ok           | ok           | no: ok 7           | ruled        | ruled
about a declined takeback            | was undone    | ruled      | ok           | ok           | no: ok 7           | ruled        | ruled
about a declined takeback            | was corrected | ruled      | ok           | ok           | no: ok 7           | ruled        | ruled
about a declined takeback            | was ruled on  | ruled 7    | ok 7         | ok 7         | no: ok 7 9         | ruled 7      | ruled 7
"""
"""The status and the open events after each ruling. "no" means that the ruling is refused."""


class Views(NamedTuple):
    """The view of a case: the status of the record, and the events that wait for a ruling."""

    status: str
    waiting: frozenset[int]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    folder = tmp_path_factory.mktemp("cases")
    return {key: record(folder, at, *key) for at, key in enumerate(product(CLAIMS, STATES, RULINGS))}


@pytest.fixture(scope="module")
def archived(cases: Cases, tmp_path_factory: pytest.TempPathFactory) -> Archived:
    """Return the view of each file in an archive of all cases."""
    archive = tmp_path_factory.mktemp("archive") / "games.archive"
    index([case.path for case in cases.values()], archive)
    with Reader(archive) as reader:
        statuses = dict(reader.ask("SELECT path, status FROM files").rows)
        rows = reader.ask("SELECT path, n FROM findings WHERE code IN ('play.as_played', 'play.claim')").rows
    return {
        path: Views(status, frozenset(n for where, n in rows if where == path))
        for path, status in statuses.items()
    }


def expected() -> Iterator[tuple[tuple[str, str, str], str]]:
    """Yield the cells of the table, each with its case."""
    header, *rows = [[cell.strip() for cell in row.split("|")] for row in TABLE.strip().splitlines()]
    for what, state, *cells in rows:
        yield from (((what, state, ruling), cell) for ruling, cell in zip(header[2:], cells, strict=True))


@pytest.mark.parametrize(("key", "cell"), list(expected()))
def test_all_views_agree_after_a_ruling(
    key: tuple[str, str, str], cell: str, cases: Cases, archived: Archived
) -> None:
    case = cases[key]
    verdict = validate(case.path)
    found = {one.n or 0: one.code for one in verdict.findings if one.code in ("play.as_played", "play.claim")}
    assert " ".join(map(str, [verdict.status, *sorted(found)])) == cell.removeprefix("no: ")
    assert bool(case.refused) is cell.startswith("no: ")
    views = Views(str(verdict.status), frozenset(found))
    folded = fold_record(read_record(case.path))
    assert _in_list(folded) == views.waiting
    assert _on_page(folded) == _with_open_claim(views, verdict)
    assert archived[str(case.path)] == views
    for n in {4, case.claim}:
        assert _on_sheet(folded, n) is (n in views.waiting) or not _can_wait(folded, n)
    missing = {n for n, code in found.items() if code == "play.as_played"}
    for n in missing if not case.refused else ():
        assert case.doubt == f"Event {n} is disputed until the arbiter rules on that event too"
    inner = {5} & found.keys() if is_on_outer_claim(key, case) and not missing else set()
    if inner and not case.refused:
        assert case.doubt == "The claim of event 5, which that claim is about, is still open"
    assert bool(case.doubt) is (bool(missing or inner) and not case.refused)


def is_on_outer_claim(key: tuple[str, str, str], case: Case) -> bool:
    """Return whether the ruling is on a claim about claim 5."""
    return key[0].startswith("about a claim") and case.claim > 5


def _in_list(folded: FoldedRecord) -> frozenset[int]:
    return frozenset(one.n for one in incidents(folded) if one.open)


def _on_page(folded: FoldedRecord) -> Views:
    data = payload.page_data(replay_page(folded))
    found = [one for one in data["findings"] if one["code"] in ("play.as_played", "play.claim")]
    return Views(data["status"], frozenset(one["n"] for one in found))


def _with_open_claim(views: Views, verdict: Verdict) -> Views:
    """Return `views` as a page shows them: a valid or ruled record with an open claim has a status of its own."""
    claims = any(finding.code == "play.claim" for finding in verdict.findings)
    return Views("claim", views.waiting) if claims and views.status in ("ok", "ruled") else views


def _on_sheet(folded: FoldedRecord, n: int) -> bool:
    """Return whether the sheet about event `n` reports that no one has ruled on it."""
    return "No one has ruled on the event: " in html.unescape(incident_sheet(folded, n))


def _can_wait(folded: FoldedRecord, n: int) -> bool:
    """Return whether event `n` is a claim, or an illegal event that counts. Other events need no ruling."""
    fold = folded.fold
    assert fold
    return n in fold.rulings.claims.subjects or (n in fold.violations and fold.stands(n))
