"""Two score sheets that are merged beyond their first difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamelog.play.judging.verdict import validate
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.test_score_sheets import sheet


@pytest.fixture
def sheets(gamelog: Gamelog) -> tuple[Path, Path]:
    """Write two sheets with three differences: two different claims, and one claim that is missing in a."""
    return (
        sheet(gamelog, "a.jsonl", "A1", "A2", "A3", "B1", "C3", "B2"),
        sheet(gamelog, "b.jsonl", "A1", "A2", "C3", "B1", "D1", "B2", "D2"),
    )


def places(path: Path) -> list[str]:
    return [json.loads(b"{" + line).get("at") for line in read_record(path).bodies][1:]


def test_a_side_is_chosen_for_each_difference(gamelog: Gamelog, sheets: tuple[Path, Path]) -> None:
    Path("choices").write_text("# at the table\n2 b  # Rui remembers\n\n1 a\n3   b\n")
    done = gamelog("compare", *sheets, "--merge", "m.jsonl", "--choose", "choices")
    assert (done.status, done.out.splitlines()[-1]) == (
        0,
        "m.jsonl: 8 events, 1 difference decided for a.jsonl (1) and 2 differences decided for b.jsonl (2 to 3).",
    )
    assert places(Path("m.jsonl")) == ["A1", "A2", "A3", "B1", "D1", "B2", "D2"]
    assert validate("m.jsonl").status == "ok"
    told = gamelog("verify", "m.jsonl", "--parent", sheets[0], "--parent", sheets[1])
    assert (told.status, "6 events of the first 7 " in told.out, "7 events of the first 8 " in told.out) == (
        0,
        True,
        True,
    )


def test_the_origin_of_each_event_is_reported(gamelog: Gamelog, sheets: tuple[Path, Path]) -> None:
    args = ["--merge", "m.jsonl", "--choose", "-", "--prefer", "b", "-o", "page.html"]
    done = gamelog("compare", *sheets, *args, "--json", stdin="1 a\n")
    compared, merged = done.json
    assert (compared["same"], merged["merged"], merged["sides"]) == (False, "m.jsonl", ["a", "b", "b"])
    a, b = merged["parents"]
    assert (a["events"], b["events"]) == ([[1, 1, 5], [7, 7, 1]], [[1, 1, 3], [5, 5, 4]])
    assert (a["id"], b["id"]) == tuple(read_record(path).members["id"] for path in sheets)
    page = Path("page.html").read_text()
    assert page.count("as in <bdi>a.jsonl</bdi>") == 1
    assert page.count("as in <bdi>b.jsonl</bdi>") == 2
    assert gamelog("sheet", "m.jsonl", "--at", 6, "-o", "six.html").status == 0
    assert f"Record <bdi>{b['id']}</bdi>, event 6." in Path("six.html").read_text()
    assert gamelog("sheet", "m.jsonl", "--at", 5, "-o", "five.html", "--language", "pt").status == 0
    assert (
        f"Registo <bdi>{a['id']}</bdi>, evento 5; Registo <bdi>{b['id']}</bdi>, evento 5."
        in Path("five.html").read_text()
    )


def test_illegal_choices_are_refused_with_the_difference_and_the_rule(
    gamelog: Gamelog, sheets: tuple[Path, Path]
) -> None:
    done = gamelog("compare", *sheets, "--merge", "m.jsonl", "--choose", "-", "--prefer", "a", stdin="1 b\n")
    assert (done.status, Path("m.jsonl").exists()) == (2, False)
    assert (
        "You cannot choose a.jsonl for difference 2 after your earlier choices: event 6 of a.jsonl"
        in done.err
    )
    assert "[SW-3: " in done.err
    done = gamelog("compare", *sheets, "--merge", "m.jsonl", "--prefer", "b")
    assert (done.status, places(Path("m.jsonl"))) == (0, places(sheets[1]))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1 a\n2 c\n", 'choices, line 2: "2 c" is not a choice'),
        ("a 1\n", 'line 1: "a 1" is not a choice'),
        ("1 a\n2 a\n1 b\n", "line 3: difference 1 is decided twice"),
        ("4 a\n", "decides difference 4, but the sheets have only 3"),
        ("0 a\n", "decides difference 0"),
        ("1 a\n3 a\n", 'Difference 2 of 3 is not decided. Add a line "2 a" or "2 b" to choices'),
    ],
)
def test_unreadable_choices_are_refused(
    gamelog: Gamelog, sheets: tuple[Path, Path], typed: str, said: str
) -> None:
    Path("choices").write_text(typed)
    done = gamelog("compare", *sheets, "--merge", "m.jsonl", "--choose", "choices")
    assert (done.status, said in done.err, Path("m.jsonl").exists()) == (2, True, False), done.err


def test_choices_need_merge(gamelog: Gamelog, sheets: tuple[Path, Path]) -> None:
    for args in (["--prefer", "a"], ["--choose", "choices"]):
        done = gamelog("compare", *sheets, *args)
        assert (done.status, "--merge NEW" in done.err) == (2, True)
    done = gamelog("compare", *sheets, "--merge", "m.jsonl", "--choose", "nowhere")
    assert (done.status, "Cannot read nowhere" in done.err) == (2, True)
    Path("choices").write_bytes(b"\xff\xfe")
    assert gamelog("compare", *sheets, "--merge", "m.jsonl", "--choose", "choices").status == 2


def test_without_choices_the_agreed_events_are_recorded(gamelog: Gamelog, sheets: tuple[Path, Path]) -> None:
    done = gamelog("compare", *sheets, "--merge", "m.jsonl")
    assert (done.status, done.out.splitlines()[-1]) == (
        1,
        "m.jsonl has the events on which both records agree, up to the first difference. To continue after it, decide the "
        "differences with --choose FILE or --prefer a|b.",
    )
    assert places(Path("m.jsonl")) == ["A1", "A2"]


def test_events_that_are_illegal_on_the_other_sheet_are_reported(
    gamelog: Gamelog, sheets: tuple[Path, Path]
) -> None:
    said = (
        "The events of a.jsonl from event 5 on cannot follow the events of b.jsonl up to difference 1, because event 6, "
        '"Ana (a.jsonl) claims C3.", is not possible there: C3 is not free (SW-3).'
    )
    assert said in gamelog("compare", *sheets).out
    other = sheet(gamelog, "c.jsonl", "A1", "A2", "A3", "B1", "E1", "B2", "C3")
    (one,) = gamelog("compare", sheets[1], other, "--json").json[0]["contradictions"]
    assert (one["of"], one["difference"], one["n"]) == ("b", 1, 8)
    done = gamelog("compare", *sheets, "--json", "-o", "page.html")
    (one,) = done.json[0]["contradictions"]
    assert (one["of"], one["difference"], one["since"], one["n"], one["finding"]["rule"]) == (
        "a",
        1,
        5,
        6,
        "SW-3",
    )
    assert "cannot follow the events of b.jsonl" in Path("page.html").read_text()


def test_substitutions_that_the_merged_record_does_not_have_are_named(
    gamelog: Gamelog, sheets: tuple[Path, Path]
) -> None:
    for path in sheets:
        done = gamelog("substitute", path, "--seat", "blue", "--name", "Omar")
        assert done.status == 0, done.err
    done = gamelog("compare", *sheets, "--merge", "m.jsonl", "--prefer", "a")
    assert done.status == 0
    said = " ".join(done.err.split())
    assert (
        "a.jsonl, event 8: Omar took the seat of Rui. The merged record does not contain this substitution."
        in said
    )
    assert "b.jsonl, event 9: Omar took the seat of Rui" in said
    assert said.endswith("Record who played: gamelog substitute m.jsonl --seat SEAT --name NAME")
