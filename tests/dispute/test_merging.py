"""Tests of merging by choice: the events, their origins, and refusals."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from gamelog.dispute import score_sheet
from gamelog.dispute.alignment import Side, align, combine
from gamelog.dispute.branch import branch
from gamelog.dispute.chosen_line import choose_line
from gamelog.dispute.compare import compare
from gamelog.dispute.merging import merge
from gamelog.dispute.origins import first_without_origin, in_order, origin_of
from gamelog.dispute.parents import compare_parent
from gamelog.dispute.score_sheet import ScoreSheet
from gamelog.errors import PlayError
from gamelog.games.slicewars.events import ClaimLand
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import Claim, Clock, Gap, Note, Withdraw
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import DiceSpec, Event, Parent, tag_of
from gamelog.record.reading import Record, parse_record
from tests.dispute.sheets import record, sheets
from tests.play.tables import GAME, not_none, renumber
from tests.play.test_declare import drawn
from tests.play.test_together import FINGERS, LEAD, fold_lines, shows

ITEMS = st.lists(st.integers(0, 4), max_size=12)


@example([], [1, 2, 3], random.Random(1))
@given(ITEMS, ITEMS, st.randoms(use_true_random=False))
def test_a_chosen_line_has_common_items_and_the_items_of_the_chosen_side(
    a: list[int], b: list[int], rng: random.Random
) -> None:
    found = align(a, b)
    for side, line in (("a", a), ("b", b)):
        chosen = list(combine(found, len(a), [side] * len(found)))  # type: ignore[list-item]
        assert [a[at.a] if at.a is not None else b[not_none(at.b)] for at in chosen] == line
    sides: list[Side] = [rng.choice(("a", "b")) for _ in found]
    for at in combine(found, len(a), sides):
        assert at.a is None or at.b is None or a[at.a] == b[at.b]
        assert (at.a is not None and at.b is not None) or sides[at.differences_before - 1] == (
            "b" if at.a is None else "a"
        )
    agreed = [at.a for at in combine(found, len(a), [])]
    assert agreed == list(range(min(found[0][0].a, found[0][0].b) if found else len(a)))


def test_decisions_that_seats_made_together_keep_the_order_in_which_they_were_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(score_sheet, "fold_record", lambda made: fold_record(made, FINGERS))
    fold, made = fold_lines([LEAD, *shows(("green", "red", "blue"), 1), LEAD, *shows(("blue", "red"), 5)])
    sheet = ScoreSheet(record(fold.header, made))
    assert [event.by for event in sheet.events] == ["red", "red", "blue", "green", "red", "red", "blue"]
    line = choose_line(sheet, sheet, [], [])
    assert [not_none(item.a).by for item in line] == [event.by for event in made]


def slipped() -> tuple[Record, Record, list[Event]]:
    """Return a sheet, a later one without event 21, with event 40 twice and a note, and the events."""
    head, other, events = sheets()
    lines = [*events[:20], *events[21:40], events[39], *events[40:]]
    wrong: list[Event] = [Note(1, 0, "table", text="x"), *lines]
    wrong = [structs.replace(event, n=n, t=5_000_000 + n, id=f"k{n}") for n, event in enumerate(wrong, 1)]
    return record(head, events), record(other, wrong, "b"), events


def test_a_merged_record_has_the_chosen_events_and_names_their_origins() -> None:
    a, b, events = slipped()
    for sides in itertools.product(("a", "b"), repeat=2):
        try:
            made = parse_record(merge(a, b, "m", sides))  # type: ignore[arg-type]
        except PlayError:
            assert sides != ("a", "a")
            continue
        assert verdict(fold_record(made)).status == "ok"
        assert made.header is not None
        assert first_without_origin(made.header) is None
        assert all(in_order(parent.events) for parent in made.header.parents)
        for parent in (a, b):
            assert compare_parent(made, parent).objection is None
    made = parse_record(merge(a, b, "m", ("a", "a")))
    assert compare(made, a).same
    header = not_none(made.header)
    assert [(parent.id, n) for parent, n in origin_of(header, 21)] == [(header.parents[0].id, 21)]
    assert [(parent.id, n) for parent, n in origin_of(header, 20)] == [
        (header.parents[0].id, 20),
        ("other", 21),
    ]
    assert origin_of(header, len(events) + 1) == ()
    assert all(event.id is None for event in fold_record(made).events)


def test_times_come_from_the_first_sheet_without_pauses() -> None:
    head, other, events = sheets()
    t = events[29].t
    paused: list[Event] = [
        *events[:30],
        Clock(31, t, "table", running=False),
        Clock(32, t + 9_000, "table", running=True),
    ]
    paused += [structs.replace(event, n=event.n + 2, t=event.t + 9_000) for event in events[30:]]
    shorter = [*events[:50], *renumber(events[51:], -1)]
    made = fold_record(parse_record(merge(record(head, paused), record(other, shorter, "b"), "m", ("a",))))
    assert [event.t for event in made.events] == [event.t for event in events]
    own = not_none(
        fold_record(parse_record(merge(record(head, shorter), record(other, events, "b"), "m", ("b",))))
    )
    assert own.events[50].t == events[50].t
    early = [structs.replace(event, t=0) for event in events]
    made = fold_record(parse_record(merge(record(head, shorter), record(other, early, "b"), "m", ("b",))))
    times = [event.t for event in made.events]
    assert times == sorted(times)
    assert times[50] == events[49].t, "never before the event before it"
    late = [structs.replace(event, t=2**40) for event in events]
    made = fold_record(parse_record(merge(record(head, shorter), record(other, late, "b"), "m", ("b",))))
    assert made.events[50].t == events[51].t, "never after the next event"


def test_the_origins_that_a_merged_record_names_are_checked() -> None:
    a, b, _ = slipped()
    made = parse_record(merge(a, b, "m", ("a", "a")))
    header, played = not_none(made.header), list(fold_record(made).events)
    one, two = header.parents

    def objection(parent: Record, *parents: Parent, line: list[Event] | None = None) -> str:
        merged = record(structs.replace(header, parents=parents), played if line is None else line, "m")
        return str(compare_parent(merged, parent).objection or "")

    assert objection(a, one, two) == objection(b, one, two) == ""
    shifted = structs.replace(two, events=((1, 3, 20), *two.events[1:]))
    assert "event 1 is not event 3 of b" in objection(b, one, shifted)
    overlapping = structs.replace(one, events=((1, 1, 30), (20, 20, 10)))
    assert "overlap or are out of order" in objection(a, overlapping, two)
    invented = [structs.replace(parent, events=((1, parent.events[0][1], 5),)) for parent in (one, two)]
    later = structs.replace(invented[0], events=((1, 1, 5), (9, 9, 10)))
    assert "event 6 comes from no parent" in objection(a, later, invented[1])
    gap = structs.replace(one, events=((1, 1, 10), (12, 12, one.n - 11)))
    assert "event 11 comes from no parent" in objection(a, gap), "the other parent was left out"
    without_first = structs.replace(one, events=((2, 2, one.n - 1),))
    assert "event 1 comes from no parent" in objection(a, without_first)
    fewer = structs.replace(one, events=((1, 1, 10),))
    assert f"end with event 10, not with event {one.n}" in objection(
        a, fewer, structs.replace(two, events=((1, 2, 10),))
    )
    assert "this record ends before event" in objection(a, one, two, line=played[:50])
    assert "event 30 is not event 30 of a" in objection(
        a, one, two, line=[*played[:29], structs.replace(played[30], n=30, t=played[29].t), *played[30:]]
    )
    assert objection(a, structs.replace(one, events=((1, 1, 2**53 - 1),)), two), "this must not take long"


def test_a_branch_of_a_merged_record_keeps_the_parents_that_end_before_the_fork() -> None:
    a, b, events = slipped()
    made = parse_record(merge(a, b, "m", ("a", "a")))
    early = not_none(parse_record(branch(made, 30, "early")).header)
    assert [parent.id for parent in early.parents] == ["m"]
    whole = parse_record(branch(made, len(events), "whole"))
    assert [parent.id for parent in not_none(whole.header).parents] == [
        *(one.id for one in not_none(made.header).parents),
        "m",
    ]
    assert compare_parent(whole, a).objection is None


@pytest.mark.parametrize("name", names())
def test_a_sheet_with_slips_is_corrected_in_every_game(name: str) -> None:
    game = find(name)
    header, events = simulate_game(game, "choice", 4, players=min(game.seats), dice="table")
    lines = [*events[:10], *events[11:30], events[29], *events[30:]]
    wrong = [structs.replace(event, n=n, t=event.t) for n, event in enumerate(lines, 1)]
    a, b = record(header, events), record(structs.replace(header, id="b"), wrong, "b")
    count = len(compare(a, b).differences)
    assert count
    for left, right, side in ((a, b, "a"), (b, a, "b")):
        sides: Any = [side] * count
        made = parse_record(merge(left, right, "m", sides))
        judged = verdict(fold_record(made))
        assert (judged.status, judged.play) == ("ok", verdict(fold_record(a)).play)


def test_an_illegal_event_that_counts_gets_a_mark() -> None:
    from tests.play.tables import start_game
    from tests.play.test_rulings import STANDS, play_events

    header = start_game().header
    ruled = record(header, play_events(("claim", "blue", {"at": "I6"}), STANDS))
    other = record(structs.replace(header, id="other"), play_events(("claim", "red", {"at": "I5"})), "b")
    sides: list[Side] = ["a"] * len(compare(ruled, other).differences)
    made = fold_record(parse_record(merge(ruled, other, "m", sides)))
    assert [event.as_played for event in made.events][-1]
    assert made.status == "disputed"


@pytest.mark.parametrize("is_first", [False, True])
def test_claims_and_their_withdrawals_are_no_differences_and_are_not_merged(is_first: bool) -> None:
    head, other, events = sheets()
    t, seat = events[19].t, head.seat_ids[0]
    claimed = [
        *events[:20],
        Claim(21, t, seat, text="no", about=20),
        Claim(22, t, seat, text="no", about=19),
        Withdraw(23, t, seat, about=22),
        *renumber(events[20:], 3),
    ]
    shorter = [*events[:30], *renumber(events[31:], -1)]
    a, b = record(head, claimed), record(other, shorter, "b")
    one, two = (a, b) if is_first else (b, a)
    assert [gap.kind for gap in compare(one, two).differences] == [f"missing in {'b' if is_first else 'a'}"]
    made = fold_record(parse_record(merge(one, two, "m", ["a" if is_first else "b"])))
    assert [tag_of(type(event)) for event in made.events] == [tag_of(type(event)) for event in events]
    assert made.status == "ok"
    assert [finding.code for finding in fold_record(a).findings] == ["play.claim"], "one claim is open"


def test_an_impossible_event_on_both_sheets_is_reported() -> None:
    head, other, events = sheets()
    wrong = [*events[:9], structs.replace(events[9], by="table"), *events[10:]]
    shorter = [*wrong[:30], *renumber(wrong[31:], -1)]
    with pytest.raises(
        PlayError, match=r"^Both sheets contain an event that is not possible there: event 10 of a, "
    ):
        merge(record(head, wrong), record(other, shorter, "b"), "m", ("a",))


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_choice_that_a_choice_before_it_rules_out_names_the_sheet_chosen_there(side: Side) -> None:
    a, b, _ = contradicted()
    one, two = (a, b) if side == "b" else (b, a)
    sides: list[Side] = [side] * len(compare(one, two).differences)
    sides[1:] = ["a" if side == "b" else "b"] * (len(sides) - 1)
    with pytest.raises(
        PlayError, match=r"^You cannot choose b for difference 1 after your earlier choices: "
    ):
        merge(one, two, "m", sides)


def contradicted() -> tuple[Record, Record, list[Event]]:
    """Return two sheets and the events of the second one, on which Ana claims a cell too early and an event is missing."""
    head, other, events = sheets()
    claims = [event for event in events if isinstance(event, ClaimLand)]
    wrong = [
        *events[: claims[4].n - 1],
        structs.replace(claims[4], at=claims[-1].at),
        *events[claims[4].n : 60],
    ]
    wrong += renumber(events[61:], -1)
    return record(head, events), record(other, wrong, "b"), wrong


def test_an_event_that_cannot_follow_the_other_sheet_is_found() -> None:
    a, b, _ = contradicted()
    claims = [event.n for event in fold_record(a).events if isinstance(event, ClaimLand)]
    (one,) = compare(a, b).contradictions
    assert (one.of, one.difference, one.since, one.n) == ("a", 1, claims[4] + 1, claims[-1])
    assert (one.finding.code, one.finding.rule) == ("play.illegal", "SW-3")
    (one,) = compare(b, a).contradictions
    assert (one.of, one.difference, one.n) == ("b", 1, claims[-1])
    assert compare(a, a).contradictions == ()


def test_the_first_event_after_a_difference_can_be_the_one_that_cannot_follow() -> None:
    """The second sheet lacks a claim, so the same player is still to move; later it lacks another event."""
    head, other, events = sheets()
    claims = [event for event in events if isinstance(event, ClaimLand)]
    wrong = [*events[: claims[4].n - 1], *events[claims[4].n : 60], *events[61:]]
    found = compare(record(head, events), record(other, _numbered(wrong), "b")).contradictions
    assert [(one.of, one.difference, one.since, one.n) for one in found if one.of == "a"] == [
        ("a", 1, claims[5].n, claims[5].n)
    ]


def _numbered(events: list[Event]) -> list[Event]:
    return [structs.replace(event, n=n) for n, event in enumerate(events, 1)]


def test_a_single_difference_is_not_a_contradiction() -> None:
    a, _, _ = contradicted()
    _, other, events = sheets()
    shorter = record(other, [*events[:20], *renumber(events[21:], -1)], "b")
    assert compare(a, shorter).contradictions == ()
    assert compare(a, shorter).b.illegal


def test_declared_positions_and_recomputed_dice_prevent_contradictions() -> None:
    a, b, wrong = contradicted()
    end = not_none(fold_record(b).fold).n
    state = describe_state(GAME, not_none(fold_record(a).fold).states[end])
    declared = Gap(end + 1, wrong[end - 1].t, "arbiter", state=state, reason="the pen was lost")
    other = record(not_none(b.header), [*wrong[:end], declared], "b")
    assert fold_record(other).status == "disputed"
    assert compare(a, other).contradictions == compare(other, a).contradictions == ()
    seeded = record(structs.replace(not_none(b.header), dice=DiceSpec("seeded", seed="x")), wrong, "b")
    assert compare(a, seeded).contradictions == ()


def test_the_events_of_a_sheet_are_judged_by_its_own_clock() -> None:
    """The clock of the first sheet was fast. This sheet has another roll without effect and lacks the time-out."""
    game = find("zone_control")
    header, events = simulate_game(game, "clock", 1, players=min(game.seats), dice="table")
    up = next(event for event in events if tag_of(type(event)) == "time_up")
    at, roll = next(rolls_that_change_nothing(record(header, events[: up.n - 1])))
    other = [*events[: at - 1], roll, *events[at : up.n - 1]]
    fast = [structs.replace(event, n=n, t=event.t * 2) for n, event in enumerate(other, 1)]
    a, b = record(structs.replace(header, id="a"), fast), record(header, events, "b")
    assert [gap.kind for gap in compare(a, b).differences] == ["another", "missing in a"]
    assert [one for one in compare(a, b).contradictions if one.of == "b"] == []
    assert [one for one in compare(b, a).contradictions if one.of == "a"] == []


def rolls_that_change_nothing(sheet: Record) -> Iterator[tuple[int, Event]]:
    """Yield other results of a roll after which all later events are still legal."""
    done, rng = fold_record(sheet), random.Random(1)
    fold = not_none(done.fold)
    for event in done.events:
        if type(event) not in fold.game.chance_events:
            continue
        draws = not_none(fold.game.pending(fold.states[event.n - 1]).chance).draws
        results = tuple(tuple(drawn(draw, rng)) for draw in draws)
        made: Event = fold.game.chance(fold.states[event.n - 1], results)
        roll = structs.replace(made, n=event.n, t=event.t)
        line = [*done.events[: event.n - 1], roll, *done.events[event.n :]]
        if (
            not compare(record(not_none(sheet.header), line), sheet).same
            and Fold(fold.header).extend(line) is None
        ):
            yield event.n, roll
