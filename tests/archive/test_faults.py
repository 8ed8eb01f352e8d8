"""Tests of the questions on findings, broken rules, copies and the contents of an archive."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from gamelog.archive.schema import tables

from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]


def file_row(path: str, id: str | None, status: str) -> tables.FileRow:
    return tables.FileRow(
        path=path, size=1, mtime_ns=1, id=id, game="tug" if id else None, status=status, judge="us"
    )


def test_rules_broken_and_findings(pile: Pile, ask: Ask) -> None:
    pile.game(None, id="a", path="/a", status="illegal", counted=False, turns=None)
    pile.game(None, id="b", path="/b", status="disputed", counted=False, seats=("red", "blue", "green"))
    pile.rows += [
        file_row("/a", "a", "illegal"),
        file_row("/b", "b", "disputed"),
        file_row("/c", None, "damaged"),
    ]
    broken: dict[str, Any] = {
        "code": "play.illegal",
        "severity": "error",
        "rule": "TU-2",
        "message": "no such rope",
    }
    pile.rows.append(tables.FindingRow(path="/a", id="a", n=7, **broken))
    pile.rows.append(
        tables.FindingRow(
            path="/b", id="b", n=3, **{**broken, "code": "play.as_played", "severity": "warning"}
        )
    )
    pile.rows.append(tables.FindingRow(path="/c", code="record.damaged", severity="error", message="line 1"))
    assert ask("rules_broken") == [
        {
            "game": "tug", "rule": "TU-2", "times": 1, "records": 1, "stood": 0, "disputed": 1,
            "example": "/a", "n": 7, "message": "no such rope",
        }
    ]  # fmt: skip
    assert [(row["path"], row["status"], row["code"], row["n"]) for row in ask("findings")] == [
        ("/a", "illegal", "play.illegal", 7), ("/c", "damaged", "record.damaged", None), ("/b", "disputed", "play.as_played", 3),
    ]  # fmt: skip
    assert [row["path"] for row in ask("findings", game="tug")] == ["/a", "/b"]
    assert [row["path"] for row in ask("findings", players=3)] == ["/b"]
    assert [(row["rule"], row["example"]) for row in ask("rules_broken", players=3)] == [("TU-2", "/b")]


def test_findings_of_one_file_stand_in_the_order_of_its_events(pile: Pile, ask: Ask) -> None:
    pile.rows.append(file_row("/a", None, "illegal"))
    for n in (9, 2, 30, 4):
        pile.rows.append(
            tables.FindingRow(path="/a", n=n, code="play.illegal", severity="error", message="no")
        )
    assert [row["n"] for row in ask("findings")] == [2, 4, 9, 30]


def test_copies(pile: Pile, ask: Ask) -> None:
    first = pile.game(players_=("Ana", "Rui"))
    copy = pile.game(counted=False, copy_of=first, players_=("A. Silva", "R."))
    pile.game()
    assert [
        (row["id"], row["names"], row["copy"], row["copy_path"], row["copy_names"]) for row in ask("copies")
    ] == [(first, ["Ana", "Rui"], copy, f"/{copy}.jsonl", ["A. Silva", "R."])]
    assert ask("copies", since="2027-01-01") == []


def test_overview(pile: Pile, ask: Ask) -> None:
    pile.game()
    pile.game(None, events=5, seats=("red", "blue", "green"), started="2025-01-01 00:00:00")
    pile.game(status="disputed", valid=False, counted=False)
    pile.game(status="torn", valid=False, counted=False, copy_of="x")
    (row,) = ask("overview")
    assert {name: row[name] for name in ("records", "counted", "finished", "disputed", "broken", "copies", "events")} == {
        "records": 4, "counted": 2, "finished": 1, "disputed": 1, "broken": 1, "copies": 1, "events": 35,
    }  # fmt: skip
    assert (row["fewest"], row["most"], row["first"]) == (2, 3, datetime(2025, 1, 1))


def test_a_breach_is_counted_once_and_when_it_is_decided(pile: Pile, ask: Ask) -> None:
    """One evening has a stopped record, its copy, a second file, a branch, a ruled record and a disputed one."""
    stopped = pile.game(None, id="stopped", path="/stopped", status="illegal", counted=False)
    pile.game(None, id="branch", path="/branch", status="illegal", counted=False, parent=stopped)
    ruled = pile.game(id="ruled", path="/ruled", status="ruled")
    pile.game(id="copy", path="/copy", status="ruled", counted=False, copy_of=ruled)
    pile.game(None, id="open", path="/open", status="disputed", counted=False)
    for path, id, code in (
        ("/stopped", stopped, "play.illegal"), ("/backup", stopped, "play.illegal"), ("/branch", "branch", "play.illegal"),
        ("/ruled", ruled, "play.ruled"), ("/copy", "copy", "play.ruled"), ("/open", "open", "play.as_played"),
    ):  # fmt: skip
        severity = "error" if code == "play.illegal" else "warning"
        pile.rows.append(file_row(path, id, "illegal"))
        pile.rows.append(
            tables.FindingRow(
                path=path, id=id, n=3, code=code, severity=severity, rule="TU-2", message="no such rope"
            )
        )
    (row,) = ask("rules_broken")
    assert (row["times"], row["records"], row["stood"], row["disputed"]) == (2, 2, 1, 1)
    assert row["example"] == "/ruled", "of what is decided"


def test_the_overview_tells_why_records_do_not_count(pile: Pile, ask: Ask) -> None:
    first = pile.game()
    pile.game(counted=False, parent=first)
    pile.game(counted=False, copy_of=first)
    pile.game(counted=False, status="disputed", valid=False, copy_of=first)
    pile.game(result_by="walkover")
    told: dict[str, Any] = {"severity": "warning", "message": "no"}
    doubted, forked = pile.game(counted=False, parent=first), pile.game(counted=False)
    pile.rows.append(tables.FindingRow(path="/b", id=doubted, code="sign.doubt", **told))
    pile.rows += [tables.FindingRow(path="/f", id=id, code="archive.fork", **told) for id in (forked, None)]
    (row,) = ask("overview")
    assert {name: row[name] for name in ("counted", "finished", "unplayed", "disputed", "copies", "branches", "forks")} == {
        "counted": 2, "finished": 2, "unplayed": 1, "disputed": 1, "copies": 2, "branches": 2, "forks": 1,
    }  # fmt: skip
