"""The table tells a seat nothing about hidden cards before or instead of recording its event."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gamelog_table.proposals import refusal_for

from gamelog.errors import Refused
from gamelog.message import Message
from gamelog.play.contract.violation import Violation
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import Viewer
from tests.table.client import Client, serve_in_thread

from .conftest import Gamelog

DEAL = {"do": "deal", "hands": {"red": [1, 7, 12], "blue": [2, 8, 11], "green": [3, 5, 9]}}
SEATS = ("--seat", "red=Ana", "--seat", "blue=Rui", "--seat", "green=Eva")


@pytest.fixture
def record(gamelog: Gamelog) -> Path:
    """Return a record in which Ana has called, and Rui and Eva have chosen, but not Ana."""
    assert gamelog("new", "duel", "duel.jsonl", *SEATS).status == 0
    lines = (json.dumps(DEAL), "red: call high", "Rui: choose 2", "Eva: choose 9")
    done = gamelog("append", "duel.jsonl", *lines)
    assert done.status == 0, done.err
    return Path("duel.jsonl")


@pytest.fixture
def red(record: Path) -> Iterator[Client]:
    """Return the device of the seat red."""
    with serve_in_thread(record) as serving:
        yield serving.client("seat", "red")


@pytest.mark.parametrize("event", [{"do": "@resign", "by": "red"}, {"do": "choose", "by": "red", "card": 7}])
def test_a_preview_reveals_nothing_about_hidden_cards(red: Client, event: Any) -> None:
    answer = red.ask("POST", "/would", event)
    assert (answer.status, answer.code) == (403, "table.hidden")


def test_a_note_is_previewed_while_cards_are_hidden(red: Client) -> None:
    assert red.ask("POST", "/would", {"do": "@note", "by": "red", "text": "Tea."}).status == 200


def test_a_refusal_that_follows_from_own_cards_has_its_reason(red: Client) -> None:
    answer = red.write({"do": "choose", "by": "red", "card": 8})
    assert answer.status == 422
    assert "does not hold the 8" in answer.json["error"]["message"]


def test_a_refusal_that_follows_from_hidden_cards_has_no_reason(record: Path) -> None:
    recorder = EventRecorder(record)
    game = recorder.fold.game

    def check(state: Any, event: Any) -> Violation | None:
        """Forbid a card that beats another player's choice, with a reason that reveals it."""
        chosen = max(state.chosen)
        beats = getattr(event, "card", 0) > chosen > 0
        return Violation("DU-3", f"the highest card is {chosen}") if beats else game.check(state, event)

    recorder.fold.game = replace(game, check=check)
    event = {"do": "choose", "by": "red", "card": 12}
    with pytest.raises(Refused, match="the highest card is 9") as refused:
        recorder.append([event])
    red = Viewer(("red",))
    told = refusal_for(recorder.rehearsal(red), [event], refused.value, RecordView(recorder.fold, red))
    assert "9" not in str(told)
    assert told.finding is not None
    assert told.finding.said == Message("…")
    assert (told.finding.code, told.finding.message, told.finding.legal) == ("play.illegal", "…", ())
    whole = RecordView(recorder.fold)
    assert refusal_for(recorder.rehearsal(), [event], refused.value, whole) is refused.value
