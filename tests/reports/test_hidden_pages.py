"""Pages for viewers who may not see the whole record: they hold what the viewer sees, and nothing else of the record."""

from __future__ import annotations

import json
from dataclasses import replace as with_members
from typing import Any

import msgspec
import pytest
from gamelog_reports.replay_page.page import replay_page
from gamelog_reports.replay_page.page_data import page_data
from gamelog_reports.replay_page.shown_record import ShownRecord
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelog.play.anonymity.anonymous_record import anonymous_replay
from gamelog.play.contract.registry import find, names
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import Event
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.play.view.eventful import eventful
from tests.reports import payload
from tests.reports.toy import TOY, Lay, folded, game
from tests.shares import examples

GAMES = sorted(name for name in names() if "@" not in name)


def recorded(fold: Fold) -> FoldedRecord:
    """Return the record of the events of `fold`, judged."""
    return fold_record(parse_record(compose(fold.header, [*fold.events])[0], "evening.jsonl"), fold.game)


def packed(shown: ShownRecord) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """Return the data of a page, and its events and effects as they are read back."""
    stage, data = page_data(shown)
    events = [json.loads("{" + line) for line in payload.lines(data, "lines", stage)]
    return data, events, [json.loads(line) for line in payload.lines(data, "effects", stage)]


def check_page(shown: ShownRecord) -> None:
    """Assert that the page of `shown` holds the events and effects that its viewer sees, and no bytes of the record."""
    assert shown.folded.fold
    view = RecordView(shown.folded.fold, shown.viewer, shown.folded.unfolded_events)
    data, events, effects = packed(shown)
    assert not {"raw", "first", "head"} & set(data)
    assert events == [json.loads(json.dumps(view.event(n))) for n in range(1, view.last_played + 1)]
    assert len(effects) == len(events)


@settings(max_examples=examples(60))
@given(st.sampled_from(GAMES), st.integers(0, 10_000))
def test_a_page_that_hides_something_holds_what_its_viewer_sees(name: str, seed: int) -> None:
    found = recorded(eventful(find(name), seed))
    assert found.fold
    seats = found.fold.header.seat_ids
    viewers: tuple[str | tuple[str, ...], ...] = (*seats, seats)
    for seat in viewers:
        check_page(ShownRecord(found, Viewer.of(seat)))
    check_page(ShownRecord(found, hides_seed=True))
    check_page(ShownRecord(anonymous_replay(found)))


NEXT, LATER = len(game()) + 1, game()[-1].t + 1_000
"""Number and time of an event after the toy game."""

TYPED: dict[str, tuple[Event, ...]] = {
    "a note": (common_events.Note(NEXT, LATER, "red", "tea {}"),),
    "a name": (common_events.Substitute(NEXT, LATER, "table", "red", "Ana{}"),),
    "a corrected name": (
        common_events.Amend(NEXT, LATER, "table", seats={"red": common_events.SeatNames(name="{}")}),
    ),
    "a tag": (common_events.Amend(NEXT, LATER, "table", tags={"{}": "{}"}),),
    "a reason": (common_events.Takeback(NEXT, LATER, "table", 13, "because {}"),),
    "a claim": (common_events.Claim(NEXT, LATER, "red", "{}"),),
    "an intended event": (common_events.Claim(NEXT, LATER, "red", "no", intended={"{}": "{}"}),),
    "a ruling": (common_events.Ruling(NEXT, LATER, "arbiter", 10, "warning", "{}", "L{}", warned=("red",)),),
}
"""Typed texts with a place for a character."""


def test_each_reserved_character_is_in_a_page_as_it_was_typed() -> None:
    for (kind, events), letter in ((one, chr(code)) for one in TYPED.items() for code in range(0x7F, 0x84)):
        typed = [replace_text(event, letter) for event in events]
        found = folded([*game(), *typed])
        assert found.fold, kind
        assert found.fold.n == len(game()) + len(typed), kind
        for seat in ("red",) if kind == "an intended event" else ("red", "N", found.fold.header.seat_ids):
            data, shown, _ = packed(ShownRecord(found, Viewer.of(seat)))
            assert "raw" not in data
            assert letter in json.dumps(shown[-1], ensure_ascii=False), kind


def replace_text(event: Any, letter: str) -> Event:
    """Return `event` with `letter` in its places."""
    return msgspec.json.decode(msgspec.json.encode(event).replace(b"{}", letter.encode()), type=type(event))  # type: ignore[no-any-return]


@pytest.mark.parametrize("letter", [chr(code) for code in range(0x7F, 0x84)])
def test_a_page_of_the_whole_table_holds_the_record_byte_for_byte(letter: str) -> None:
    found = folded(
        [
            *game(),
            common_events.Amend(NEXT, LATER, "table", seats={"red": common_events.SeatNames(name=letter)}),
        ]
    )
    stage, data = page_data(ShownRecord(found))
    assert data["raw"] == [body.decode("latin-1")[:-1] for body in found.record.bodies]
    assert len(payload.lines(data, "effects", stage)) == len(found.record.bodies)


def test_a_page_of_a_game_that_fails_tells_a_seat_nothing_that_is_hidden() -> None:
    events = [*game()[:6], Lay(7, 13_000, "N", "h", "flag", secret=True, as_played=True)]
    found = folded(events)
    assert found.fold

    def scene(state: Any, seat: str | None) -> Any:
        if len(state.things) == 3:
            raise KeyError("flag")
        return TOY.scene(state, seat)

    fold = Fold(found.fold.header, with_members(TOY, scene=scene))
    assert fold.extend(list(found.events)) is None
    failing = FoldedRecord(found.record, fold, found.events, found.findings)
    (whole, seen) = (payload.page_data(replay_page(failing, seat=seat)) for seat in (None, "red"))
    assert ["it is not N" in one["message"] for one in whole["findings"]] == [True, False]
    assert "flag" in whole["findings"][-1]["message"]
    assert [one["code"] for one in seen["findings"]] == ["play.as_played", "play.broken_game"]
    assert seen["findings"][0]["message"] == "…"
    assert seen["findings"][1]["message"] == (
        "the code of the game Toy & Sons, from the package tests.reports.toy, failed: KeyError"
    )
