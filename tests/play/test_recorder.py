"""Tests of a recorder's clock, and of a recorder that only judges."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gamelog.errors import Conflict, Damaged, NotReadable, Refused, WriteFailed
from gamelog.finding import Finding
from gamelog.play.contract.declare import describe_state
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.recorder import EventRecorder, wall_clock
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.reading import read_record
from gamelog.record.record_file import RecordFile, compose, create_record
from tests.play.tables import GAME, header, not_none, whole
from tests.play.test_registry import plug

assert plug, "a fixture"

ROLL = {"do": "start_roll", "rolls": {"red": 6, "blue": 1}}
CLAIM = {"do": "claim", "at": "A1"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_record(tmp_path / "game.jsonl", header())
    return tmp_path / "game.jsonl"


def test_a_clock_that_is_set_back(path: Path) -> None:
    now = [5_000]
    recorder = EventRecorder(path, lambda _header: now[0])
    recorder.append([ROLL])
    now[0] = -(10**9)
    recorder.append([CLAIM])
    recorder.append([{"do": "@note", "by": "table", "text": "the clock was set back"}])
    assert [event.t for event in recorder.events] == [5_000, 5_000, 5_000]
    with pytest.raises(Refused, match="time goes backwards"):
        recorder.append([{"do": "@note", "by": "table", "text": "earlier", "t": 4_999}])
    assert validate(path).status == "ok"


def test_a_record_that_begins_in_the_future_starts_at_nought(path: Path) -> None:
    assert wall_clock(header()) > 0
    future = path.with_name("future.jsonl")
    create_record(future, structs.replace(header(), started="9999-01-01T00:00:00Z"))
    recorder = EventRecorder(future)
    recorder.append([ROLL])
    assert recorder.events[0].t == 0


def test_a_rehearsal_writes_nothing(path: Path) -> None:
    before = path.read_bytes()
    recorder = EventRecorder(path, only_rehearse=True)
    assert recorder.rehearse(ROLL) is None
    assert recorder.rehearse(CLAIM) is None
    refused = recorder.rehearse(CLAIM)
    assert refused is not None
    assert refused.code == "play.illegal"
    with pytest.raises(WriteFailed, match="Open the record again"):
        recorder.append([ROLL])
    assert path.read_bytes() == before
    assert read_record(path).bodies == []


@pytest.mark.parametrize("bad", [CLAIM, {"do": "claim"}, {"do": "nonsense"}])
def test_events_are_written_all_or_none(path: Path, bad: dict[str, str]) -> None:
    before = path.read_bytes()
    recorder = EventRecorder(path)
    with pytest.raises(Refused):
        recorder.append([ROLL, CLAIM, bad])
    assert (recorder.n, recorder.is_good, path.read_bytes()) == (0, True, before)
    assert [ack.n for ack in recorder.append([ROLL, CLAIM])] == [1, 2]
    assert validate(path).status == "ok"


def test_events_with_the_same_key_are_recorded_once(path: Path) -> None:
    recorder, note = EventRecorder(path), {"do": "@note", "by": "red", "text": "x", "id": "k"}
    assert [ack.n for ack in recorder.append([note, note])] == [1, 1]
    assert (recorder.n, len(read_record(path).bodies)) == (1, 1)
    other = note | {"text": "y", "id": "l"}
    with pytest.raises(Conflict, match='The key "l" has already been used for event 2'):
        recorder.append([other, other | {"text": "z"}])
    assert (recorder.n, recorder.is_good) == (1, True)
    assert [ack.n for ack in recorder.append([ROLL, CLAIM])] == [2, 3]
    assert validate(path).status == "ok"


NOWHERE = {"do": "claim", "at": "Z9", "as_played": True}
"""An event that cannot be carried out, because the board has no such place."""


@pytest.mark.parametrize(
    "mending",
    [
        {"do": "@gap", "by": "arbiter", "reason": "as it stood"},
        {"do": "@takeback", "by": "table", "to": 1},
        {"do": "@ruling", "about": 2, "kind": "takeback", "reason": "there is no Z9", "name": "Mei"},
        {"do": "@note", "by": "table", "text": "what was that?"},
    ],
)
def test_a_record_opened_after_an_impossible_event_accepts_the_repair(
    path: Path, mending: dict[str, object]
) -> None:
    EventRecorder(path).append([ROLL, NOWHERE])
    with pytest.raises(Refused, match="continues when someone declares the position on the table"):
        EventRecorder(path).append([CLAIM])
    reopened = EventRecorder(path)
    assert reopened.failed_finding is None
    assert reopened.remaining_problem(2) is not None
    if mending["do"] == "@gap":
        mending = {**mending, "state": describe_state(reopened.fold.game, reopened.fold.state)}
    reopened.append([mending])
    again = EventRecorder(path)
    assert again.n == 3
    if mending["do"] == "@note":
        assert again.fold.session.unknown_since == 2
    else:
        again.append([CLAIM])
        assert validate(path).status in ("ok", "ruled", "disputed")


def append_bytes(path: Path, *lines: bytes) -> None:
    """Append events that a recorder would refuse."""
    log = RecordFile.open(path)
    with log.lock() as locked:
        locked.append([decoder(GAME).decode(line) for line in lines])


def test_a_record_that_went_on_after_it_opens_only_for_a_ruling(path: Path) -> None:
    recorder = EventRecorder(path)
    recorder.append([ROLL, NOWHERE])
    append_bytes(path, b'{"do":"claim","n":3,"t":9999999999999,"by":"blue","at":"A1"}')
    failed = EventRecorder(path)
    assert failed.failed_finding is not None
    assert failed.failed_finding.n == 3


def test_events_that_fail_are_ruled_on_one_after_the_other_and_not_anyhow(path: Path) -> None:
    EventRecorder(path).append([ROLL, CLAIM])
    append_bytes(
        path, *(b'{"do":"claim","n":%d,"t":9999999999999,"by":"red","at":"C%d"}' % (n, n) for n in (3, 4))
    )
    recorder = EventRecorder(path, lambda _header: 9999999999999)
    assert not_none(recorder.failed_finding).n == 3
    ruling = {"do": "@ruling", "kind": "stands", "reason": "seen by all", "name": "Lena"}
    with pytest.raises(Refused, match="turn"):
        recorder.append([{**ruling, "about": 4}])
    with pytest.raises(Refused, match="claim"):
        recorder.append([{**ruling, "about": 3, "kind": "refused"}])
    recorder.append([{**ruling, "about": 3}])
    assert not_none(recorder.failed_finding).n == 4
    recorder.append([{**ruling, "about": 4}])
    assert recorder.failed_finding is None


def test_a_refusal_counts_all_that_is_legal(tmp_path: Path) -> None:
    create_record(tmp_path / "three.jsonl", header(3))
    recorder = EventRecorder(tmp_path / "three.jsonl")
    recorder.append([{"do": "removal_roll", "rolls": {"red": 6, "blue": 1, "yellow": 1}}])
    with pytest.raises(Refused, match=r", and 1,222 more\.$"):
        recorder.append([{"do": "remove", "at": ["A1"]}])


def test_a_refusal_lists_the_legal_events(path: Path) -> None:
    recorder = EventRecorder(path)
    choices = tuple({"do": "claim", "by": "red", "at": at} for at in ("A1", "A2"))
    said = str(recorder.explain(Finding("play.illegal", "no", n=1, legal=choices)))
    assert said.endswith('; legal: {"do":"claim","by":"red","at":"A1"}, {"do":"claim","by":"red","at":"A2"}.')


def test_a_remaining_problem_of_an_event_is_a_sentence(path: Path) -> None:
    recorder = EventRecorder(path)
    recorder.append([ROLL, CLAIM])
    recorder.append([{"do": "claim", "by": "red", "at": "A2"}], as_played=True)
    recorder.append([{"do": "@result", "by": "table", "outcome": {"winners": ["red"], "reason": "late"}}])
    assert [recorder.remaining_problem(n) for n in (1, 2)] == [None, None]
    assert str(recorder.remaining_problem(3)).endswith(
        ". The event counts, but it is disputed until the arbiter rules"
    )
    assert str(recorder.remaining_problem(4)).endswith("until both agree or the arbiter rules.")


def test_refreshing_says_whether_others_have_written(path: Path) -> None:
    mine, theirs = EventRecorder(path), EventRecorder(path)
    assert not mine.refresh()
    theirs.append([ROLL])
    assert mine.refresh()
    assert (mine.n, mine.refresh()) == (1, False)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(Damaged, match="changed or cut off"):
        mine.refresh()
    path.unlink()
    with pytest.raises(NotReadable):
        mine.refresh()


def test_nothing_follows_an_illegal_event_and_the_refusal_says_which_and_why(tmp_path: Path) -> None:
    header, events = whole()
    bad = structs.replace(events[30], by="nobody")
    path = tmp_path / "bad.jsonl"
    path.write_bytes(compose(header, [*events[:30], bad])[0])
    with pytest.raises(
        Refused,
        match=r"Event 31 of .*bad\.jsonl is not valid .*, so no event can follow.*continue from event 30",
    ) as told:
        EventRecorder(path)
    assert told.value.finding is not None
    assert told.value.finding.n == 31


def test_a_recorder_is_good_until_its_record_has_failed_it(tmp_path: Path) -> None:
    path = tmp_path / "good.jsonl"
    path.write_bytes(compose(*whole())[0])
    assert EventRecorder(path).is_good is True


def test_a_recorder_must_read_again_after_a_ruling_by_another(path: Path) -> None:
    mine, others = EventRecorder(path), EventRecorder(path)
    others.append([ROLL, CLAIM])
    others.append(
        [
            {
                "do": "@ruling",
                "by": "arbiter",
                "about": 2,
                "kind": "stands",
                "reason": "seen by all",
                "name": "Mei",
            }
        ]
    )
    note = {"do": "@note", "by": "table", "text": "hm"}
    with pytest.raises(Refused, match="The arbiter has ruled on an event of"):
        mine.append([note])
    with pytest.raises(WriteFailed, match="Open the record again"):
        mine.append([note])
    assert EventRecorder(path).append([note])


def test_events_that_the_disk_refused_are_forgotten(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = EventRecorder(path)
    recorder.append([ROLL])
    state, head = recorder.fold.state, recorder.head

    def refusing(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", refusing)
        with pytest.raises(WriteFailed, match="No space left"):
            recorder.append([CLAIM, {"do": "@note", "by": "table", "text": "hm", "id": "1"}])
    assert (recorder.n, recorder.fold.n, recorder.fold.state, recorder.head) == (1, 1, state, head)
    assert recorder.rehearsal().rehearse(CLAIM) is None
    assert not recorder.is_good
    again = EventRecorder(path)
    assert [ack.n for ack in again.append([CLAIM])] == [2]


def test_an_event_of_another_game_is_refused_at_its_place(path: Path) -> None:
    recorder = EventRecorder(path)
    recorder.append([ROLL])
    with pytest.raises(Refused, match='SliceWars has no event "castle"') as refused:
        recorder.append([{"do": "castle"}])
    unknown = Finding("play.unknown_event", 'SliceWars has no event "castle"', n=2)
    assert refused.value.finding and refused.value.finding.plain == unknown


@pytest.mark.parametrize(
    ("proposal", "code"),
    [
        ({"at": "A1"}, "play.unknown_event"),
        ({"do": "@note", "text": "hm"}, "play.by"),
        ({"do": "@note", "by": "table", "text": "\ud800"}, "record.json"),
        ({"do": "claim", "at": 1}, "record.members"),
    ],
)
def test_a_proposal_that_is_no_event_is_refused_at_its_place(
    proposal: dict[str, Any], code: str, path: Path
) -> None:
    recorder = EventRecorder(path)
    recorder.append([ROLL])
    with pytest.raises(Refused) as refused:
        recorder.append([proposal])
    found = not_none(refused.value.finding)
    assert (found.code, found.n, recorder.n) == (code, 2, 1)


COVERED = """
from dataclasses import replace
from msgspec import structs
from gamelog.games.slicewars import GAME as BASE

def observe(state, seat):
    return state if seat == "red" else structs.replace(state, dice=bytes(len(state.dice)))

GAME = replace(BASE, id="covered", title="Covered", observe=observe)
"""


def test_a_rehearsal_has_the_position_as_its_viewer_knows_it(
    path: Path, plug: Callable[[str, str], None]
) -> None:
    plug("covered=covers:GAME", COVERED)
    create_record(covered := path.with_name("covered.jsonl"), structs.replace(header(), game="covered"))
    recorder = EventRecorder(covered)
    recorder.append([ROLL, CLAIM])
    state = recorder.fold.state
    for seats, dice in ((), state.dice), (("red",), state.dice), (("blue",), bytes(len(state.dice))):
        rehearsal = recorder.rehearsal(Viewer(seats))
        assert (rehearsal.fold.state.dice, rehearsal.viewer.seats) == (dice, seats)
    assert any(state.dice)
    assert recorder.fold.state is state, "the record itself hides nothing"
