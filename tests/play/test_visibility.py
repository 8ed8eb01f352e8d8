"""Tests that a seat sees of events only what the game's `seen` shows."""

from __future__ import annotations

from dataclasses import replace as with_members
from typing import Any

import pytest
from gamelog_reports.replay_page.page_data import page_data
from gamelog_reports.replay_page.shown_record import ShownRecord
from msgspec import structs

from gamelog.finding import Finding
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.rendering.events import visible_sentence, visible_tag
from gamelog.play.visibility.events import UNSEEN, visible_data, visible_in_fold
from gamelog.play.visibility.findings import finding_for
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer
from gamelog.record.chain import chained_line
from gamelog.record.envelope import Event
from gamelog.record.record_file import compose
from tests.reports.toy import TOY, Lay, folded, game, header, judged

SECRET, OPEN = 6, 7
"""A face-down event of the toy game, and a public event while the card lies there."""


def fold_toy(toy: AnyGame = TOY) -> tuple[Fold, FoldedRecord]:
    told = folded(game())
    assert told.fold
    fold = Fold(told.fold.header, toy)
    assert fold.extend(list(told.events)) is None
    return fold, told


def sentence_for(fold: Fold, n: int, seat: str | None) -> str:
    return visible_sentence(fold, fold.events[n - 1], Viewer.of(seat), (), str)


def data(fold: Fold, n: int, seat: str | None) -> dict[str, Any]:
    event = fold.events[n - 1]
    return visible_data(event, visible_in_fold(fold, event, Viewer.of(seat)))


def test_a_public_event_is_shown_whole_while_others_are_hidden() -> None:
    fold, _ = fold_toy()
    assert TOY.observe(fold.states[OPEN], "red") != fold.states[OPEN]
    for seat in (None, "red", "N"):
        assert sentence_for(fold, OPEN, seat) == "red goes from a to c."
        assert data(fold, OPEN, seat)["dst"] == "c"


def test_hidden_members_are_in_no_sentence_and_no_data() -> None:
    fold, _ = fold_toy()
    event = fold.events[SECRET - 1]
    assert sentence_for(fold, SECRET, "red") == "N lays something on h."
    assert data(fold, SECRET, "red") == {
        "do": "lay",
        "n": 6,
        "t": 12_000,
        "by": "N",
        "at": "h",
        "secret": True,
    }
    for seat in (None, "N"):
        assert sentence_for(fold, SECRET, seat) == "N lays a flag on h."
        assert visible_in_fold(fold, event, Viewer.of(seat)) is event


def test_a_partly_visible_event_without_its_own_template_uses_the_usual_one() -> None:
    words = {tag: text for tag, text in TOY.messages.items() if tag != "lay?"}
    fold, _ = fold_toy(with_members(TOY, messages=words))
    assert sentence_for(fold, SECRET, "red") == "N does something that is hidden from you."
    fold, _ = fold_toy(with_members(TOY, messages=words | {"lay": "{@by} lays a thing on {at}."}))
    assert sentence_for(fold, SECRET, "red") == "N lays a thing on h."


def test_of_an_unseen_event_only_author_and_time_are_shown() -> None:
    fold, _ = fold_toy(
        with_members(TOY, seen=lambda event, _before, seat: event if event.by == seat else None)
    )
    event = fold.events[OPEN - 1]
    assert data(fold, OPEN, "N") == {"do": UNSEEN, "n": 7, "t": 15_000, "by": "red"}
    assert visible_tag(fold.game, event, None) == UNSEEN
    assert sentence_for(fold, 3, "N") == sentence_for(fold, 3, None)  # all players hear what people say


def test_an_event_with_changed_members_is_described_with_them() -> None:
    def seen(event: Event, _before: object, seat: str) -> Event:
        return structs.replace(event, what="token") if isinstance(event, Lay) and event.by != seat else event

    fold, _ = fold_toy(
        with_members(TOY, seen=seen, messages={**TOY.messages, "lay?": "{@by} lays a {what}."})
    )
    assert sentence_for(fold, SECRET, "red") == "N lays a token."
    assert data(fold, SECRET, "red")["what"] == "token"


@pytest.mark.parametrize("seat", ["red", "N"])
def test_a_page_tells_a_seat_the_same(seat: str) -> None:
    _, told = fold_toy()
    _, data = page_data(ShownRecord(told, Viewer.of(seat)))
    assert ([SECRET, "lay?"] in [list(one) for one in data["messages"]]) == (seat == "red")


def test_the_reason_of_a_refusal_is_shown_to_the_author() -> None:
    events = [*game()[:6], Lay(7, 15_000, "N", "nowhere", "pawn")]
    told = folded(events)
    assert told.fold
    (found,) = [found for found in told.findings if found.code == "play.illegal"]
    assert "N's turn" in found.text
    assert finding_for(told.fold, found, events[-1], WHOLE_TABLE) is found
    assert found.rule == "TY-1"
    for seat, message, rule in (("N", found.text, found.rule), ("red", "…", None)):
        shown = finding_for(told.fold, found, events[-1], Viewer.of(seat))
        assert shown.plain == structs.replace(found, text=message, legal=(), offset=None, rule=rule).plain
        assert str(shown.message) == message


@pytest.mark.parametrize(
    "line", [b'{"do":"lay","what":"flag"}\n', b"flag\n", b'{"do":"flag","n":8,"t":90000,"by":"N"}\n']
)
@pytest.mark.parametrize("chained", [True, False])
def test_a_line_that_cannot_be_read_is_quoted_to_those_who_see_everything(line: bytes, chained: bool) -> None:
    data, head = compose(header(), game()[:7])
    told = judged(data + (chained_line(head.encode(), line[1:])[0] if chained else line))
    assert told.fold
    problem = told.record.problem
    assert chained == (problem is None)
    for found in [problem] if problem else told.findings:
        assert finding_for(told.fold, found, None, WHOLE_TABLE) is found
        for seat in ("red", "N", ("red", "N")):
            shown = finding_for(told.fold, found, None, Viewer.of(seat))
            assert (shown.code, shown.n, shown.text, shown.offset) == (found.code, found.n, "…", None)


def test_an_incomplete_line_is_reported_to_all_because_the_sentence_quotes_nothing() -> None:
    found = Finding.of("record.torn", "the last line is incomplete", n=8, offset=700)
    fold, _ = fold_toy()
    assert finding_for(fold, found, None, Viewer.of("red")) == structs.replace(found, offset=None)


def test_spectators_see_the_members_that_all_seats_see() -> None:
    fold, _ = fold_toy()
    event = fold.events[SECRET - 1]
    both, red = Viewer(("red", "N")), Viewer(("red",))
    assert visible_in_fold(fold, event, both) == visible_in_fold(fold, event, red) != event
    assert visible_in_fold(fold, event, Viewer(("N",))) is event is visible_in_fold(fold, event, WHOLE_TABLE)
    fold, _ = fold_toy(
        with_members(TOY, seen=lambda event, _before, seat: event if event.by == seat else None)
    )
    assert visible_in_fold(fold, event, both) is None


def test_a_seat_gets_no_legal_events_with_a_finding_that_is_about_no_event() -> None:
    fold, _ = fold_toy()
    found = Finding("play.illegal", "no", legal=({"do": "go"},))
    assert finding_for(fold, found, None, WHOLE_TABLE).legal
    assert finding_for(fold, found, None, Viewer.of("red")).legal == ()
