"""Tests of steps: those of a longer record are the same, and they add up to positions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gamelog.play.contract.game import Pending
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.scene import Mark, Scene
from gamelog.play.fold.common_events import Ruling
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.main_line import removed_ranges
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.prefixes import prefixes
from gamelog.play.view.board_change import board_change
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.session_change import NEVER_UNDONE
from gamelog.play.view.step import STEP_ENCODER, BoardChange, EventStatus, LineChange, SessionChange
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer
from gamelog.record.envelope import tag_of
from gamelog.record.reading import read_record
from tests.play.tables import push, start_game
from tests.play.view.eventful import eventful
from tests.samples.__main__ import DIRECTORY
from tests.shares import examples

SAMPLES = sorted(path for path in DIRECTORY.glob("*/*.jsonl") if fold_record(read_record(path)).fold)
GAMES = sorted(name for name in names() if "@" not in name)


def viewers(fold: Fold) -> list[Viewer]:
    """Return the whole table, each seat and spectators; fewer for a game that hides nothing."""
    seats = fold.header.seat_ids
    each = [Viewer((seat,)) for seat in (seats if fold.game.hides else seats[:1])]
    return [WHOLE_TABLE, *each, Viewer(seats)]


def check_intrinsic(whole: Fold) -> None:
    """Assert that the step of event `n` is the same in a record of `n` events as in the whole one."""
    for viewer in viewers(whole):
        later = RecordView(whole, viewer)
        for n, then in zip(range(whole.n + 1), prefixes(whole, range(whole.n + 1)), strict=True):
            if then.n < n:  # an illegal event with a later ruling: it was refused at first
                continue
            known = RecordView(then, viewer)
            assert known.last_number == n
            assert STEP_ENCODER.encode(known.step(n)) == STEP_ENCODER.encode(later.step(n)), n
            with pytest.raises(IndexError):
                known.step(n + 1)


@pytest.mark.grid(keeps=("ruled", "takeback"))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_steps_of_a_sample_are_the_same_in_each_longer_beginning(path: Path) -> None:
    fold = fold_record(read_record(path)).fold
    assert fold
    check_intrinsic(fold)


@settings(max_examples=examples(60))
@given(st.sampled_from(GAMES), st.integers(0, 10_000))
@example("gp02a_territory", 438)  # an end that a later ruling withdraws
def test_the_steps_of_a_generated_record_are_the_same_in_each_longer_beginning(name: str, seed: int) -> None:
    check_intrinsic(eventful(find(name), seed))


def test_generated_records_contain_every_kind_of_event() -> None:
    found: Counter[str] = Counter()
    for name in GAMES:
        for seed in range(6):
            fold = eventful(find(name), seed)
            found.update(tag_of(type(event)) for event in fold.events)
            found.update(f"ruling {ruling.kind}" for ruling in fold.rulings.by_number.values())
            found.update(
                f"offer {'lapsed' if n in fold.lapsed_offers else 'made'}"
                for n in fold.awaited_seats | fold.lapsed_offers
            )
            found["took back"] += len(fold.takebacks)
            found["corrected"] += len(fold.slips)
            found["ended"] += len(fold.ends)
            found["illegal"] += len(fold.violations)
            found["withdrawn"] += len(list(fold.rulings.withdrawn()))
            found["ruled later"] += sum(then.n < n for n, then in enumerate(prefixes(fold, range(fold.n))))
    tags = (
        "takeback",
        "accept",
        "decline",
        "agree",
        "resign",
        "ruling",
        "substitute",
        "amend",
        "clock",
        "claim",
        "withdraw",
        "result",
        "note",
        "gap",
        "recovered",
    )
    kinds = ("takeback", "penalty", "result", "refused", "clock", "stands", "warning", "upheld")
    rare = (
        "took back",
        "corrected",
        "ended",
        "illegal",
        "withdrawn",
        "ruled later",
        "offer lapsed",
        "offer made",
    )
    wanted = (*(f"@{tag}" for tag in tags), *(f"ruling {kind}" for kind in kinds), *rare)
    assert [one for one in wanted if found[one] < 2] == [], found


def test_a_step_has_only_the_members_that_changed() -> None:
    change = SessionChange(penalties={"red": 2})
    assert STEP_ENCODER.encode(change) == b'{"penalties":{"red":2}}'
    assert STEP_ENCODER.encode(BoardChange(fills={"A1": None})) == b'{"fills":{"A1":null}}'
    assert STEP_ENCODER.encode(LineChange(slip=True)) == b'{"slip":true}'


def applied(board: dict[str, dict[Any, Any]], change: BoardChange | None) -> None:
    """Apply `change` to a board, as a page does."""
    if change is None:
        return
    for name in ("pieces", "fills", "marks"):
        board[name] |= getattr(change, name)
    board["captions"] |= {(caption.name, caption.seat): caption for caption in change.captions}


def laid(scene: Scene) -> dict[str, dict[Any, Any]]:
    """Return `scene` as the board to which its steps add up."""
    board: dict[str, dict[Any, Any]] = {"pieces": {}, "fills": dict(scene.fills), "marks": {}, "captions": {}}
    for piece in scene.pieces:
        look = (piece.kind, piece.seat, piece.text, piece.hidden, piece.id)
        board["pieces"][piece.at] = (*board["pieces"].get(piece.at, ()), look)
    for mark in scene.marks:
        seat = (mark.seat,) if mark.seat else ()
        board["marks"][mark.at] = (*board["marks"].get(mark.at, ()), (mark.kind, mark.text, *seat))
    board["captions"] = {(caption.name, caption.seat): caption for caption in scene.captions if caption.value}
    return board


@settings(max_examples=examples(60))
@given(st.sampled_from(GAMES), st.integers(0, 10_000))
def test_the_steps_add_up_to_the_position(name: str, seed: int) -> None:
    fold = eventful(find(name), seed)
    for viewer in viewers(fold):
        view = RecordView(fold, viewer)
        board: dict[str, dict[Any, Any]] = {"pieces": {}, "fills": {}, "marks": {}, "captions": {}}
        score, names_now, pending, offers = dict[str, int](), dict[str, str](), Pending(), dict[int, Any]()
        for n in range(fold.n + 1):
            step, position = view.step(n), view.position(n)
            applied(board, step.board)
            score |= step.score or {}
            pending = step.pending or pending
            table = step.table or SessionChange()
            names_now |= table.names or {}
            offers |= table.offers
            shown = {
                part: {at: content for at, content in board[part].items() if content not in ((), None)}
                for part in board
            }
            shown["captions"] = {key: one for key, one in board["captions"].items() if one.value}
            assert shown == laid(position.scene), n
            assert (score, pending, names_now) == (position.score, position.pending, position.names), n
            assert step.clock == position.clock == fold.play_time_at(n)
        waiting = {n: set(waits) for n, waits in offers.items() if waits}
        assert waiting == {n: set(offer.waiting) for n, offer in fold.offers.items()}


@settings(max_examples=examples(60))
@given(st.sampled_from(GAMES), st.integers(0, 10_000))
def test_the_lines_of_the_steps_say_which_events_count(name: str, seed: int) -> None:
    whole = eventful(find(name), seed)
    jumps, slips, withdrawn = dict[int, int](), set[int](), dict[int, int]()
    for n, fold in zip(range(1, whole.n + 1), prefixes(whole, range(1, whole.n + 1)), strict=True):
        if fold.n < n:
            continue
        view = RecordView(fold)
        line = view.step(n).line or LineChange()
        if line.to is not None:
            jumps[n] = line.to
            slips |= {n} if line.slip else set()
        withdrawn |= dict.fromkeys(line.withdrawn, n)
        corrected = {one for cut in removed_ranges(jumps, slips, n) for one in cut}
        assert corrected == fold.corrected_events()
        assert withdrawn == {**dict(fold.rulings.withdrawn()), **fold.rulings.claims.withdrawals}
        for one in range(1, n + 1):
            found = view.event_status(one)
            if fold.stands(one) or isinstance(fold.events[one - 1], (Ruling, *NEVER_UNDONE)):
                assert found.state == ("withdrawn" if one in withdrawn else "stands")
            else:
                assert found.state == ("corrected" if one in corrected else "undone")
            if found.state in ("undone", "corrected"):
                assert jumps[found.ended_by] < one < found.ended_by and fold.stands(found.ended_by)
            elif found.state == "withdrawn":
                assert found.ended_by == withdrawn[one]


def test_the_steps_say_when_the_clock_runs_before_the_first_revealed_roll_and_after() -> None:
    fold = fold_record(read_record(DIRECTORY / "slicewars/committed.jsonl")).fold
    assert fold
    running: bool | None = None
    found = list[bool | None]()
    for step in RecordView(fold).steps(0):
        running = running if step.table is None or step.table.running is None else step.table.running
        found.append(running)
    assert found == [fold.session_at(n).paused_at is None for n in range(fold.n + 1)]
    assert set(found) == {False, True}


def test_a_refused_event_has_a_step_that_changes_nothing() -> None:
    folded = fold_record(read_record(DIRECTORY / "slicewars/illegal-taken.jsonl"))
    assert folded.fold
    view = RecordView(folded.fold, WHOLE_TABLE, folded.unfolded_events)
    assert (view.last_number, view.last_played) == (26, 25)
    step = view.step(26)
    assert (step.facts[0].tag, step.board, step.pending, step.score) == ("claim", None, None, None)
    assert view.event_status(26) == EventStatus("refused", 26)
    assert view.position(26).state is view.position(25).state
    assert view.state(26) is view.state(25)
    assert view.sentence(26) == "Ana claims C4."


def test_a_step_as_json_has_the_form_that_its_description_shows() -> None:
    fold = fold_record(read_record(DIRECTORY / "slicewars/short.jsonl")).fold
    assert fold
    step = RecordView(fold).step(2)
    assert STEP_ENCODER.encode(step).decode() == (
        '{"n":2,"t":8779,"clock":8779,"facts":[["claim",{"by":"blue","at":"G5"}]],'
        '"board":{"pieces":{"G5":[["die","blue","1",false,""]]},"fills":{"G5":"blue"},"captions":['
        '{"name":"territories","value":"1","seat":"blue"},{"name":"dice","value":"1","seat":"blue"}]},'
        '"score":{"blue":1},"pending":{"by":["red"]}}'
    )


def test_a_view_knows_all_unless_the_last_position_hides_something_from_its_viewer() -> None:
    fold = fold_record(read_record(DIRECTORY / "zone_s" / "full-2.jsonl")).fold
    assert fold is not None
    known = []
    for then in prefixes(fold, range(0, fold.n + 1, 20)):
        for viewer in viewers(then):
            view = RecordView(then, viewer)
            assert view.knows_all is not view.hides_at(view.last_number)
            known.append((bool(viewer.seats), view.knows_all))
    assert set(known) == {(False, True), (True, False)}


def test_a_view_has_the_points_after_each_event() -> None:
    fold = fold_record(read_record(DIRECTORY / "slicewars" / "full-2.jsonl")).fold
    assert fold is not None
    view = RecordView(fold)
    assert [view.score_with_final_penalties(n) for n in (0, fold.n)] == [
        fold.score_with_final_penalties(0),
        fold.score_with_final_penalties(fold.n),
    ]
    assert view.score_with_final_penalties(fold.n)


@pytest.mark.parametrize("path", SAMPLES[:3], ids=str)
def test_the_steps_have_the_numbers_and_times_of_their_events_after_a_start_at_nought(path: Path) -> None:
    folded = fold_record(read_record(path))
    assert folded.fold
    times = [(step.n, step.t) for step in RecordView(folded.fold).steps(0)]
    assert times == [(0, 0), *((event.n, event.t) for event in folded.fold.events)]
    assert RecordView(folded.fold).step(0).clock == 0


def test_a_change_has_all_marks_of_a_cell() -> None:
    scene = RecordView(start_game()).scene(0)
    change = board_change(scene, replace(scene, marks=(Mark("A1", "from"), Mark("A1", "note", "two"))))
    assert change is not None
    assert change.marks == {"A1": (("from", ""), ("note", "two"))}
    assert change.pieces == {} and change.captions == ()


def test_a_note_is_outside_play() -> None:
    fold = start_game()
    assert push(fold, "@note", "table", text="rain") is None
    view = RecordView(fold)
    assert [view.is_outside_play(n) for n in range(1, fold.n + 1)] == [False, False, False, True]
    assert view.played_events() == {1, 2, 3}
