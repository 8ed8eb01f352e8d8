"""The table tells a seat nothing about hidden cards before or instead of recording its event."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.violation import Violation
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer
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
    assert (answer.status, answer.code) == (200, "table.hidden")


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
    told = RecordView(recorder.fold, red).shown_refusal(refused.value)
    assert "9" not in str(told)
    assert told.finding is not None
    assert told.finding.message == Message("…")
    assert (told.finding.code, told.finding.text, told.finding.legal) == ("play.hidden", "…", ())
    whole = RecordView(recorder.fold)
    assert whole.shown_refusal(refused.value) is refused.value


def test_a_refusal_because_of_a_recorded_event_shows_a_seat_only_what_it_sees(record: Path) -> None:
    view = RecordView(EventRecorder(record).fold, Viewer(("red",)))
    for n, reason in ((2, "she may not"), (3, "…")):
        bad = Refused("Event 3 is bad.", Finding.of("play.illegal", "she may not", n=n))
        shown = view.shown_refusal(bad)
        assert shown.finding is not None
        assert shown.finding.text == reason
        assert ("she may not" in str(shown)) == (reason != "…")


def test_a_refusal_of_data_that_are_no_event_quotes_only_these_data(record: Path) -> None:
    recorder = EventRecorder(record)
    with pytest.raises(Refused) as refused:
        recorder.append([{"do": "choose", "by": "red"}])
    assert RecordView(recorder.fold, Viewer(("red",))).shown_refusal(refused.value) is refused.value
