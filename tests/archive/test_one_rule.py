"""A test that questions, copies, sites, reports and `gamelog people` agree on who is one person."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from gamelog_cli.app import app
from gamelog_reports.report.page import report
from msgspec import structs
from typer.testing import CliRunner

from gamelog.archive import Reader, index
from gamelog.record.envelope import Seat
from tests.reports.payload import listed_games
from tests.reports.test_ranking import column, tables

from .conftest import Table, events_of, write

WON = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
ALIASES = '[people]\n"Ana Sousa" = ["Ana", "A. Sousa", "ana@club"]\n'

CASES = {
    "an id left out once": ([("Ana", "ana@club"), ("Ana", None)], "", [{0, 1}]),
    "one id, two names": ([("Ana", "ana@club"), ("Ana Sousa", "ana@club")], "", [{0, 1}]),
    "different ids": ([("Ana", "ana@club"), ("Ana", "ana@other")], "", [{0}, {1}]),
    "an id left out of two": (
        [("Ana", "ana@club"), ("Ana", "ana@other"), ("Ana", None)],
        "",
        [{0}, {1}, {2}],
    ),
    "letter case": ([("Ana", None), ("ANA", None)], "", [{0, 1}]),
    "spaces": ([("Ana Sousa", None), ("  Ana \u00a0 Sousa", None)], "", [{0, 1}]),
    "an accent in two ways": ([("Jos\u00e9", None), ("Jose\u0301", None)], "", [{0, 1}]),
    "an accent left out": ([("Jos\u00e9", None), ("Jose", None)], "", [{0}, {1}]),
    "other names": ([("Ana", None), ("A. Sousa", None)], "", [{0}, {1}]),
    "aliases of names": ([("Ana", None), ("A. Sousa", None), ("Ana Melo", None)], ALIASES, [{0, 1}, {2}]),
    "aliases of an id": ([("Ana M.", "ana@club"), ("a. sousa", None)], ALIASES, [{0, 1}]),
    "an id that no alias has": ([("Ana", "ana@club"), ("Ana", "ana@other")], ALIASES, [{0}, {1}]),
}


@pytest.mark.grid(keeps=("an id left out of two", "aliases of names"))
@pytest.mark.parametrize(("sheets", "aliases", "persons"), CASES.values(), ids=list(CASES))
def test_all_tables_agree_on_people(
    table: Table, tmp_path: Path, sheets: list[tuple[str, str | None]], aliases: str, persons: list[set[int]]
) -> None:
    """All sheets are of one game, so sheets of the same people are copies."""
    for at, (name, id) in enumerate(sheets):
        header = structs.replace(
            table.header(f"{at}", started=f"2026-03-01T20:00:0{at}Z"),
            seats=(Seat("red", name, id), Seat("blue", "Rui")),
        )
        write(table.folder / f"{at}.jsonl", header, events_of(header, WON))
    archive, site, people = tmp_path / "games.archive", tmp_path / "site", tmp_path / "who.toml"
    people.write_text(aliases, encoding="utf-8")
    index([table.folder], archive)

    with Reader(archive, people=people) as reader:
        seated = reader.ask("SELECT person, list(id::INTEGER) FROM seats WHERE seat = 'red' GROUP BY person")
        assert sorted(map(set, dict(seated.rows).values()), key=min) == persons
        assert len(reader.ask("players").rows) == len(persons) + 1
        copies = {
            (row["id"], row["copy"]) for row in reader.ask("copies").dicts() if row["certainty"] == "sure"
        }
    assert copies == {(f"{min(one)}", f"{copy}") for one in persons for copy in one - {min(one)}}

    (listed,) = (
        cells
        for name, cells in tables(report(archive, people=people)).items()
        if name == "Victories by player"
    )
    assert len(listed) == 1 + len(persons) + 1
    assert ("Rui", f"{len(persons)}") in column(listed, "player", "games"), "copies are not counted"

    run = CliRunner()
    said = run.invoke(app(["people"]), ["people", str(archive), "--people", str(people), "--json"])
    known = [json.loads(line) for line in said.stdout.splitlines()]
    assert len(known) == len(persons) + 1
    assert {row["player"]: row["games"] for row in known}["Rui"] == len(persons), "copies are not counted"

    words = ["export", str(table.folder), "-o", str(site), "--people", str(people), "--jobs", "1"]
    assert run.invoke(app(["export"]), words).exit_code == 0
    html = (site / "index.html").read_text(encoding="utf-8")
    options = re.findall(r'<option value="([^"]*)">[^<]* \((\d+)\)</option>', html)
    assert len(options) == len(persons) + 1
    found: dict[str, set[int]] = {}
    rows: Counter[str] = Counter()
    for row in listed_games(html):
        players, sheet = row["players"] or row["names"], row["file"]
        rows.update(players)
        found.setdefault(players[0], set()).add(int(sheet))
        assert row["copy"] == any((f"{id}", sheet) in copies for id in range(len(sheets)))
    assert sorted(found.values(), key=min) == persons
    assert options == [(name, f"{rows[name]}") for name, _ in options], "the rows that the filter shows"
    assert rows["Rui"] == len(sheets), "copies are listed"

    anonymous = run.invoke(
        app(["export"]), [*words[:2], "-o", str(tmp_path / "nameless"), *words[4:], "--anonymous"]
    )
    assert anonymous.exit_code == 0
    text = (tmp_path / "nameless" / "index.html").read_text(encoding="utf-8")
    assert not [name for name, id in sheets if name in text or (id and id in text)]
    assert "Rui" not in text
