"""Tests of the forms of all events, and of the words for their members."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from gamelog_reports.templates import texts
from gamelog_table.access.links import Grant
from gamelog_table.events.forms import WITHOUT_FORM, common_forms, game_forms

from gamelog.play.contract.locales import LANGUAGES
from gamelog.play.fold import common_events
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import tag_of
from tests.table.client import Serving, serve_in_thread


def names_in(members: list[dict[str, Any]]) -> set[str]:
    """Yield the names that need words on the page: of members and of their choices."""
    found: set[str] = set()
    for member in members:
        found |= {f"member_{member['name']}"} if member["name"] else set()
        found |= {f"kind_{value}" for value in member.get("values", ())}
        found |= names_in(member.get("members", [])) | names_in([member["of"]] if "of" in member else [])
    return found


def test_each_common_event_has_a_form_for_some_role_and_words_for_its_members(record: Path) -> None:
    view = EventRecorder(record).record_view
    roles = [Grant("scorer"), Grant("arbiter"), Grant("seat", "red", view.header.id)]
    forms = [form for grant in roles for form in common_forms(view, grant)]
    unwritten = {
        tag_of(kind) for kind in (*WITHOUT_FORM, common_events.Reveal)
    }  # this game has dice from the table
    assert {form.do for form in forms} == {tag_of(kind) for kind in common_events.EVENTS} - unwritten
    asked = {f"do_{form.do[1:]}" for form in forms} | names_in(
        msgspec.to_builtins([m for form in forms for m in form.members])
    )
    assert [asked - texts(language).keys() for language in LANGUAGES] == [set(), set()]


def test_a_seat_records_for_itself_and_spectators_have_no_forms(record: Path) -> None:
    view = EventRecorder(record).record_view
    seat, spectator = Grant("seat", "red", view.header.id), Grant("spectator")
    assert {form.by for form in (*common_forms(view, seat), *game_forms(view, seat))} == {("red",)}
    assert [*common_forms(view, spectator), *game_forms(view, spectator)] == []


@pytest.mark.parametrize("role", ["spectator", "seat", "arbiter"])
def test_a_link_that_cannot_record_an_event_gets_no_preview(begun: Serving, role: str) -> None:
    client = begun.client(role, "red" if role == "seat" else None)
    move = {"do": "claim", "by": "blue", "at": "D1"}
    assert client.ask("POST", "/would", move).status == 403
    assert client.ask("POST", "/fix", {"at": 2, "expect": 2}).status == 403
    assert client.get("/record").status == (200 if role == "arbiter" else 403)


def test_the_parts_of_a_ruling_are_recorded_together_or_not_at_all(begun: Serving) -> None:
    arbiter, same = (
        begun.client("arbiter"),
        {"do": "@ruling", "by": "arbiter", "about": 2, "reason": "So.", "name": "Mei"},
    )
    warning, penalty = (
        same | {"kind": "warning", "warned": ["red"]},
        same | {"kind": "penalty", "points": {"green": -1}},
    )
    assert arbiter.write({"events": [warning, penalty]}).status == 422
    assert begun.scorer.get().json["n"] == 2
    done = arbiter.write({"events": [warning, penalty | {"points": {"red": -1}}], "id": "r", "expect": 2})
    assert (done.status, done.json["n"]) == (201, 4)
    assert begun.scorer.write({"events": [{"do": "@note", "by": "table", "text": "x"}] * 2}).status == 400


def test_only_the_arbiter_gives_the_arbiters_answer_to_a_takeback(begun: Serving) -> None:
    assert begun.scorer.write({"do": "@takeback", "by": "arbiter", "to": 1}).status == 403
    assert begun.client("arbiter").write({"do": "@accept", "by": "arbiter", "about": 2}).status == 422, (
        "there is no offer"
    )


def test_a_seat_gets_a_preview_if_nothing_is_hidden_from_it(begun: Serving) -> None:
    blue = begun.client("seat", "blue")
    told = blue.ask("POST", "/would", {"do": "claim", "at": "D1"})
    assert (told.status, told.json["parts"][0]["text"]) == (200, "Rui claims D1.")
    assert "next" not in told.json
    position = blue.ask("POST", "/would?next=1", {"do": "claim", "at": "D1"}).json["next"]
    assert position == {"pieces": {"D1": [["die", "blue", "1", False, ""]]}, "cells": []}, "red is next"
    for_all = begun.scorer.ask("POST", "/would?next=1", {"do": "claim", "at": "D1"}).json["next"]
    assert "E1" in for_all["cells"]
    assert "D1" not in for_all["cells"]
    refused = blue.ask("POST", "/would", {"do": "claim", "at": "C3"})
    assert (refused.status, refused.json["finding"]["code"]) == (200, "play.illegal"), (
        "a question is answered"
    )
    told = refused.json["error"]
    assert "{" in told["message"]
    assert "{" not in told["short"], "people read no JSON"
    assert told["message"].startswith(told["short"].removesuffix("."))
    assert begun.scorer.get().json["n"] == 2, "nothing is recorded"


def test_a_seat_gets_no_preview_if_something_is_hidden_from_it(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "sample_games" / "zone_s" / "full-2.jsonl"
    record = tmp_path / "evening.jsonl"
    record.write_bytes(b"".join(sample.read_bytes().splitlines(keepends=True)[:10]))
    with serve_in_thread(record) as table:
        seats = [table.client("seat", seat) for seat in ("dominion", "separatists")]
        legal = {seat: choices for seat in seats if (choices := seat.get("/choices").json["choices"])}
        assert legal
        for seat, choices in legal.items():
            told = seat.ask("POST", "/would", choices[0]["event"])
            assert (told.status, told.code) == (200, "table.hidden")
            assert seat.ask("POST", "/would?next=1", choices[0]["event"]).json == {"next": None}
        told = seats[0].ask("POST", "/would", {"do": "pass"})
        assert (told.status, told.json["finding"]["code"]) == (200, "play.illegal"), "anybody can see that"
