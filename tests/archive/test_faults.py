"""What is wrong with records, which are copies, and what there is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from gamelog.archive import schema

from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]


def held(path: str, id: str | None, status: str) -> schema.File:
    return schema.File(path=path, size=1, mtime_ns=1, id=id, game="tug" if id else None, status=status, judge="us")


def test_rules_broken_and_findings(pile: Pile, ask: Ask) -> None:
    pile.game(None, id="a", status="illegal", counted=False, turns=None)
    pile.game(None, id="b", status="disputed", counted=False, seats=("red", "blue", "green"))
    pile.rows += [held("/a", "a", "illegal"), held("/b", "b", "disputed"), held("/c", None, "damaged")]
    broken: dict[str, Any] = {"code": "play.illegal", "severity": "error", "rule": "TU-2", "message": "no such rope"}
    pile.rows.append(schema.Finding(path="/a", id="a", n=7, **broken))
    pile.rows.append(schema.Finding(path="/b", id="b", n=3, **{**broken, "code": "play.as_played", "severity": "warning"}))
    pile.rows.append(schema.Finding(path="/c", code="record.damaged", severity="error", message="line 1"))
    assert ask("rules_broken") == [
        {"game": "tug", "rule": "TU-2", "times": 2, "records": 2, "stood": 1, "example": "/a", "n": 7, "message": "no such rope"}
    ]
    assert [(row["path"], row["status"], row["code"], row["n"]) for row in ask("findings")] == [
        ("/a", "illegal", "play.illegal", 7), ("/c", "damaged", "record.damaged", None), ("/b", "disputed", "play.as_played", 3),
    ]  # fmt: skip
    assert [row["path"] for row in ask("findings", game="tug")] == ["/a", "/b"]
    assert [row["path"] for row in ask("findings", players=3)] == ["/b"]
    assert [(row["rule"], row["example"]) for row in ask("rules_broken", players=3)] == [("TU-2", "/b")]


def test_findings_of_one_file_stand_in_the_order_of_its_events(pile: Pile, ask: Ask) -> None:
    pile.rows.append(held("/a", None, "illegal"))
    for n in (9, 2, 30, 4):
        pile.rows.append(schema.Finding(path="/a", n=n, code="play.illegal", severity="error", message="no"))
    assert [row["n"] for row in ask("findings")] == [2, 4, 9, 30]


def test_copies(pile: Pile, ask: Ask) -> None:
    first = pile.game(players_=("Ana", "Rui"))
    copy = pile.game(counted=False, copy_of=first, players_=("A. Silva", "R."))
    pile.game()
    assert [(row["id"], row["names"], row["copy"], row["copy_path"], row["copy_names"]) for row in ask("copies")] == [
        (first, ["Ana", "Rui"], copy, f"/{copy}.jsonl", ["A. Silva", "R."])
    ]
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
