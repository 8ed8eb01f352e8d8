"""Tests of the arbiter's rulings on events, claims and other rulings."""

from pathlib import Path
from typing import Any

import pytest

from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.common_events import Ruling
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.ruling import takeback_target
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.judging.warnings import warnings
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import Event
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.play.tables import GAME, event, header, outcome, push, start_game


def rule(fold: Fold, kind: str, about: int, **members: Any) -> Finding | None:
    return push(
        fold, "@ruling", "arbiter", kind=kind, about=about, reason="seen by all", name="Lena", **members
    )


def unknown_since(fold: Fold) -> int | None:
    """Return the event since which the position is unknown, asked again like `outcome`."""
    return fold.session.unknown_since


def codes(fold: Fold) -> list[str]:
    return [found.code for found in warnings(fold)]


def claims(fold: Fold) -> list[int | None]:
    """Return the open claims."""
    return [found.n for found in warnings(fold) if found.code == "play.claim"]


def test_an_illegal_event_that_stood_is_ruled_and_flagged_for_ever() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    assert codes(fold) == ["play.as_played"]
    assert rule(fold, "stands", 4) is None
    assert codes(fold) == ["play.ruled"]
    (found,) = warnings(fold)
    assert (found.n, found.rule) == (4, "SW-3")
    assert "event 5" in found.text


def test_a_ruling_takes_back_to_before_the_event_or_to_its_target() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    assert rule(fold, "takeback", 4) is None
    assert fold.state == fold.states[3]
    assert fold.main_line_numbers() == [1, 2, 3]
    assert rule(fold, "takeback", 5, to=2) is None
    assert fold.main_line_numbers() == [1, 2]
    assert rule(fold, "takeback", 6, to=4) is None, "a ruling about a ruling brings the line back"
    assert fold.main_line_numbers() == [1, 2, 3, 4]


def test_warnings_count_until_another_ruling_withdraws_them() -> None:
    fold = start_game()
    assert rule(fold, "warning", 3, warned=["red", "blue"]) is None
    assert rule(fold, "warning", 2, warned=["blue"]) is None
    assert rule(fold, "stands", 4) is None
    assert RecordView(fold).warnings == {"red": 1, "blue": 2}
    assert rule(fold, "refused", 4) is None
    assert RecordView(fold).warnings == {"red": 0, "blue": 1}
    assert rule(fold, "stands", 3, warned=["nobody"]) is None, "only a warning warns"
    steps = [step.table and step.table.warnings for step in RecordView(fold).steps(4)]
    assert steps == [{"red": 1, "blue": 1}, {"blue": 2}, None, {"red": 0, "blue": 1}, None]


def test_penalties_count_until_another_ruling_replaces_them() -> None:
    fold = start_game()
    assert rule(fold, "penalty", 3, points={"blue": -2}) is None
    assert fold.score_with_final_penalties() == {"red": 1, "blue": -1}
    assert rule(fold, "penalty", 4, points={"blue": -1, "red": 1}) is None
    assert fold.score_with_final_penalties() == {"red": 2, "blue": 0}
    assert rule(fold, "refused", 5) is None
    assert fold.score_with_final_penalties() == {"red": 1, "blue": 1}


def test_results_are_ruled_and_ruled_again() -> None:
    fold = start_game()
    assert rule(fold, "forfeit", 3, result={"winners": ["red"], "reason": "forfeit"}) is None
    assert fold.outcome == Outcome(("red",), "forfeit")
    assert rule(fold, "result", 4, result={"winners": ["red", "blue"], "reason": "shared"}) is None
    assert fold.outcome == Outcome(("red", "blue"), "shared")
    assert rule(fold, "refused", 5) is None
    assert outcome(fold) is None
    assert push(fold, "claim", "red", at="B1") is None


def test_a_claim_is_open_until_it_is_ruled_on() -> None:
    fold = start_game()
    push(fold, "@claim", "red", text="he moved my die")
    assert codes(fold) == ["play.claim"]
    assert rule(fold, "refused", 4) is None
    assert codes(fold) == []


@pytest.mark.parametrize(
    "members",
    [
        {"by": "red"},
        {"name": " "},
        {"reason": ""},
        {"about": 5},
        {"kind": "penalty"},
        {"kind": "penalty", "points": {"green": 1}},
        {"kind": "result"},
        {"kind": "forfeit", "result": {"winners": ["green"], "reason": "x"}},
        {"kind": "forfeit", "result": {"winners": ["red", "red"], "reason": "x"}},
        {"kind": "takeback", "to": 9},
        {"kind": "takeback", "about": 4},
        {"kind": "refused"},
    ],
)
def test_rulings_need_an_arbiter_a_name_a_reason_and_the_members_of_their_kind(
    members: dict[str, Any],
) -> None:
    fold = start_game()
    whole: dict[str, Any] = {
        "by": "arbiter",
        "name": "Lena",
        "reason": "so",
        "about": 3,
        "kind": "stands",
    } | members
    by = whole.pop("by")
    refused = push(fold, "@ruling", by, **whole)
    assert refused is not None
    assert refused.code == "play.common"


def record_of(events: list[Event]) -> bytes:
    return compose(header(), events)[0]


def play_events(*steps: tuple[str, str, dict[str, Any]]) -> list[Event]:
    """Return events as in a file, legal or not."""
    fold = start_game()
    made = [event(fold, do, by, **members) for do, by, members in steps]
    first = Fold(header(), GAME)
    begun = [event(first, "start_roll", "table", rolls={"red": 6, "blue": 5})]
    for do, by, at in (("claim", "red", "A1"), ("claim", "blue", "C1")):
        first.push(begun[-1])
        begun.append(event(first, do, by, at=at))
    from msgspec import structs

    return begun + [structs.replace(one, n=4 + at, t=12_000 + at) for at, one in enumerate(made)]


STANDS = ("@ruling", "arbiter", {"about": 4, "kind": "stands", "reason": "both agreed", "name": "Lena"})


def test_a_later_ruling_accepts_an_unmarked_illegal_event() -> None:
    illegal = play_events(("claim", "blue", {"at": "I6"}), ("claim", "red", {"at": "I5"}))
    judged = verdict(fold_record(parse_record(record_of(illegal))))
    assert (judged.status, judged.findings[0].n) == ("illegal", 4)
    ruled = play_events(("claim", "blue", {"at": "I6"}), ("claim", "red", {"at": "I5"}), STANDS)
    judged = verdict(fold_record(parse_record(record_of(ruled))))
    assert (judged.status, judged.valid, [found.code for found in judged.findings]) == (
        "ruled",
        True,
        ["play.ruled"],
    )


def test_marked_and_ruled_is_ruled_marked_and_taken_back_is_ok() -> None:
    marked = ("claim", "blue", {"at": "I6", "as_played": True})
    assert verdict(fold_record(parse_record(record_of(play_events(marked))))).status == "disputed"
    assert verdict(fold_record(parse_record(record_of(play_events(marked, STANDS))))).status == "ruled"
    back = verdict(
        fold_record(parse_record(record_of(play_events(marked, ("@takeback", "table", {"to": 3})))))
    )
    assert (back.status, [found.code for found in back.findings]) == ("ok", ["play.undone"])


HERE = {"on_turn": "blue", "phase": "claim", "round": 0, "first": "red"}


def test_a_declared_position_is_disputed_until_a_ruling_with_a_reason() -> None:
    lost = ("claim", "red", {"at": "Z9", "as_played": True})
    assert verdict(fold_record(parse_record(record_of(play_events(lost))))).status == "illegal"
    gap = ("@gap", "table", {"state": HERE, "reason": "the sheet was wet"})
    ruling = ("@ruling", "arbiter", {"about": 5, "kind": "stands", "reason": "so it was", "name": "Lena"})
    assert verdict(fold_record(parse_record(record_of(play_events(lost, gap))))).status == "disputed"
    about_both = ("@ruling", "arbiter", {"about": 4, "kind": "stands", "reason": "so it was", "name": "Lena"})
    assert (
        verdict(fold_record(parse_record(record_of(play_events(lost, gap, ruling, about_both))))).status
        == "ruled"
    )
    by_arbiter = ("@gap", "arbiter", {"state": HERE, "reason": "the sheet was wet"})
    assert (
        verdict(fold_record(parse_record(record_of(play_events(lost, by_arbiter, about_both))))).status
        == "disputed"
    ), "nobody has a name yet"
    assert (
        verdict(
            fold_record(parse_record(record_of(play_events(lost, by_arbiter, ruling, about_both))))
        ).status
        == "ruled"
    )


def test_a_ruling_about_an_event_closes_the_claims_about_it() -> None:
    fold = start_game()
    push(fold, "@claim", "red", text="that was my land", about=3)
    push(fold, "@claim", "blue", text="it is getting late")
    assert codes(fold) == ["play.claim", "play.claim"]
    rule(fold, "stands", 3)
    assert [found.n for found in warnings(fold)] == [5]


def test_a_confirmed_ruling_keeps_its_effect() -> None:
    fold = start_game()
    rule(fold, "penalty", 3, points={"blue": -2})
    assert rule(fold, "stands", 4) is None, "on appeal, say"
    assert fold.score_with_final_penalties() == {"red": 1, "blue": -1}
    rule(fold, "forfeit", 3, result={"winners": ["red"], "reason": "forfeit"})
    assert rule(fold, "stands", 6) is None
    assert fold.outcome == Outcome(("red",), "forfeit")


def test_rulings_about_one_event_stand_side_by_side() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    rule(fold, "stands", 4)
    rule(fold, "penalty", 4, points={"blue": -1})
    assert (fold.score_with_final_penalties(), codes(fold)) == ({"red": 1, "blue": 1}, ["play.ruled"])
    rule(fold, "refused", 6)
    assert (fold.score_with_final_penalties(), codes(fold)) == ({"red": 1, "blue": 2}, ["play.ruled"]), (
        "the other one is still in force"
    )
    rule(fold, "refused", 5)
    assert codes(fold) == ["play.as_played"], "nothing is ruled any more"


def test_a_takeback_that_is_withdrawn_brings_the_line_back() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    rule(fold, "takeback", 4)
    push(fold, "claim", "red", at="I5")
    assert fold.main_line_numbers() == [1, 2, 3, 6]
    assert rule(fold, "refused", 5) is None
    assert fold.main_line_numbers() == [1, 2, 3, 4]
    assert codes(fold) == ["play.as_played"]
    assert rule(fold, "penalty", 4, points={"blue": -1}) is None
    assert codes(fold) == ["play.ruled"]


def test_a_takeback_that_is_replaced_by_points_brings_the_line_back() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    rule(fold, "takeback", 4)
    assert rule(fold, "penalty", 5, points={"blue": -1}) is None
    assert fold.main_line_numbers() == [1, 2, 3, 4]
    assert (fold.score_with_final_penalties(), codes(fold)) == ({"red": 1, "blue": 1}, ["play.ruled"])


def test_a_claim_is_open_again_when_its_answer_is_withdrawn() -> None:
    fold = start_game()
    push(fold, "@claim", "red", text="he moved my die", about=3)
    assert rule(fold, "refused", 4) is None
    assert codes(fold) == []
    assert rule(fold, "refused", 5) is None
    assert codes(fold) == ["play.claim"]
    assert rule(fold, "refused", 3) is None, "by the event that it is about"
    assert codes(fold) == []


INSTEAD: dict[str, dict[str, Any]] = {
    "stands": {},
    "penalty": {"points": {"red": -2}},
    "takeback": {"to": 2},
    "result": {"result": {"winners": ["red"], "reason": "pressed"}},
    "forfeit": {"result": {"winners": ["red"], "reason": "late"}},
}


@pytest.mark.parametrize("first", ["refused", *INSTEAD])
@pytest.mark.parametrize("kind", INSTEAD)
def test_a_replacing_ruling_answers_the_claims_of_the_replaced_one(first: str, kind: str) -> None:
    fold = start_game()
    push(fold, "@claim", "blue", text="no", about=2)
    rule(fold, first, 4, **INSTEAD.get(first, {}))
    assert rule(fold, kind, 5, **INSTEAD[kind]) is None
    assert claims(fold) == [], "on appeal"
    confirmed = 5 if kind == "stands" else 6
    assert rule(fold, "stands", confirmed) is None
    assert claims(fold) == [], "confirmed"
    assert rule(fold, "refused", confirmed) is None
    assert claims(fold) == [4], "withdrawn, and what it replaced is gone too"
    assert rule(fold, "refused", 4) is None
    assert claims(fold) == []


def test_a_claim_stays_answered_as_long_as_one_part_of_the_decision_is_in_force() -> None:
    fold = start_game()
    assert push(fold, "claim", "blue", at="I6", as_played=True) is None
    assert push(fold, "@claim", "red", text="not allowed", about=4) is None
    assert rule(fold, "penalty", 4, points={"blue": -2}) is None
    assert rule(fold, "stands", 4) is None
    assert push(fold, "@claim", "red", text="again", about=4) is None
    assert claims(fold) == [8]
    assert rule(fold, "refused", 6) is None
    assert claims(fold) == [8], "event 7 has answered claim 5, and not the later one"
    assert rule(fold, "refused", 7) is None
    assert claims(fold) == [5, 8]


def test_a_confirmation_answers_claims_while_the_confirmed_ruling_is_in_force() -> None:
    fold = start_game()
    rule(fold, "penalty", 3, points={"red": -1})
    push(fold, "@claim", "red", text="that was no fault", about=3)
    push(fold, "@claim", "red", text="nor is the ruling right", about=4)
    assert claims(fold) == [5, 6]
    rule(fold, "stands", 4)
    assert claims(fold) == []
    rule(fold, "refused", 4)
    assert claims(fold) == [5], "the end of the ruling answers the claim about it"


def test_a_takeback_replaced_by_a_result_leaves_the_game_over() -> None:
    fold = start_game()
    rule(fold, "takeback", 3)
    rule(fold, "result", 4, result={"winners": ["red"], "reason": "pressed"})
    rule(fold, "result", 2, result={"winners": ["blue"], "reason": "second"})
    rule(fold, "refused", 6)
    assert fold.outcome == Outcome(("red",), "pressed")
    assert push(fold, "@takeback", "table", to=1) is not None, "the arbiter has ruled otherwise"


def test_a_result_that_is_withdrawn_leaves_the_one_before() -> None:
    fold = start_game()
    push(fold, "@agree", "red", result={"winners": ["blue"], "reason": "agreed"})
    push(fold, "@accept", "blue", about=4)
    rule(fold, "result", 5, result={"winners": ["red"], "reason": "pressed"})
    assert fold.outcome == Outcome(("red",), "pressed")
    rule(fold, "refused", 6)
    assert fold.outcome == Outcome(("blue",), "agreed")


def test_rulings_on_undone_events() -> None:
    fold = start_game()
    push(fold, "@takeback", "table", to=2)
    for kind in ("stands", "takeback"):
        refused = rule(fold, kind, 3)
        assert refused is not None
        assert "was taken back" in refused.text
    assert rule(fold, "penalty", 3, points={"blue": -1}) is None, "a fault can still cost points"
    assert rule(fold, "stands", 4) is None, "of a takeback, too"
    assert rule(fold, "takeback", 4) is None, "a takeback is taken back"
    assert fold.main_line_numbers() == [1, 2, 3]
    rule(fold, "refused", 5)
    refused = rule(fold, "refused", 5)
    assert refused is not None
    assert "rule on event 3 itself" in refused.text


def test_the_scorer_cannot_undo_a_ruling() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    rule(fold, "takeback", 4)
    refused = push(fold, "@takeback", "table", to=4)
    assert refused is not None
    assert "after the ruling in event 5, only another ruling" in refused.text
    assert push(fold, "claim", "red", at="I5") is None
    assert push(fold, "@takeback", "table", to=5) is None, "the table may take back events of its own line"
    assert push(fold, "@takeback", "table", to=2) is None, "and earlier events"
    rule(fold, "result", 2, result={"winners": ["red"], "reason": "late"})
    assert push(fold, "@takeback", "table", to=1) is not None
    assert outcome(fold) is not None
    assert push(fold, "@takeback", "arbiter", to=4) is None
    assert (fold.main_line_numbers(), fold.outcome) == ([1, 2, 3, 4], None)


def test_of_two_takebacks_to_one_event_the_first_bars_again_when_the_second_is_withdrawn() -> None:
    fold = start_game()
    push(fold, "claim", "red", at="B1")
    rule(fold, "takeback", 4)
    push(fold, "claim", "red", at="B2")
    rule(fold, "takeback", 6, to=3)
    assert [fold.rulings.effects.closed_by(at) for at in (3, 4, 6, 7)] == [None, 7, 7, None], (
        "the later one covers both lines"
    )
    assert rule(fold, "refused", 7) is None
    assert [fold.rulings.effects.closed_by(at) for at in (3, 4, 6)] == [None, 5, None]
    refused = push(fold, "@takeback", "table", to=4)
    assert refused is not None
    assert "after the ruling in event 5, only another ruling" in refused.text


def test_a_ruling_into_a_closed_stretch_opens_it() -> None:
    fold = start_game()
    for seat, at in (("red", "B1"), ("blue", "D1"), ("red", "F1")):
        assert push(fold, "claim", seat, at=at) is None
    rule(fold, "takeback", 4)
    assert [fold.rulings.effects.closed_by(at) for at in (4, 5, 6)] == [7, 7, 7]
    assert rule(fold, "takeback", 7, to=5) is None
    assert [fold.rulings.effects.closed_by(at) for at in (4, 5, 6)] == [None, None, 8]
    assert push(fold, "@takeback", "table", to=4) is None, "players may go there again"


def test_a_takeback_does_not_find_a_position_that_is_lost() -> None:
    fold = start_game()
    push(fold, "claim", "red", at="Z9", as_played=True)
    push(fold, "@note", "table", text="what was that?")
    assert push(fold, "@takeback", "table", to=5) is None
    assert unknown_since(fold) == 4
    assert push(fold, "@takeback", "table", to=3) is None
    assert unknown_since(fold) is None
    assert push(fold, "@takeback", "table", to=4) is None
    assert unknown_since(fold) == 4
    assert push(fold, "@gap", "table", state=HERE, reason="we put it back") is None
    assert push(fold, "@takeback", "table", to=9) is None
    assert unknown_since(fold) is None


def test_the_finding_names_arbiter_decision_and_reason() -> None:
    fold = start_game()
    push(fold, "claim", "blue", at="I6", as_played=True)
    rule(fold, "stands", 4)
    (found,) = warnings(fold)
    assert found.text.endswith("ruled on in event 5 by Lena: stands, seen by all")


def test_upholding_a_claim_about_an_undone_event_needs_a_target() -> None:
    fold = start_game()
    push(fold, "@claim", "red", text="he moved my die", about=3)
    push(fold, "@takeback", "table", to=2)
    with pytest.raises(Refused, match=r"Event 3 has already been taken back\. If nothing is left to"):
        takeback_target(fold, 4)
    push(fold, "@claim", "red", text="something is wrong")
    with pytest.raises(Refused, match='The claim in event 6 does not name an event, so say with "to"'):
        takeback_target(fold, 6)
    push(fold, "@claim", "red", text="that was not your turn", about=2)
    push(fold, "@claim", "blue", text="nor was it said in time", about=7)
    assert (takeback_target(fold, 7), takeback_target(fold, 8)) == (1, 1), (
        "to before the event that it is about in the end"
    )


def test_a_takeback_that_upholds_a_claim_is_recorded_with_its_target(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(record_of(play_events(("@claim", "red", {"text": "he moved my die", "about": 3}))))
    recorder = EventRecorder(path)
    recorder.append(
        [
            {
                "do": "@ruling",
                "by": "arbiter",
                "about": 4,
                "kind": "takeback",
                "reason": "seen by all",
                "name": "Mei",
            }
        ]
    )
    ruled = recorder.events[-1]
    assert isinstance(ruled, Ruling) and ruled.to == 2


def test_events_that_a_ruling_takes_back_keep_their_time() -> None:
    fold = start_game()
    push(fold, "claim", "red", at="B1")
    before = fold.t
    assert rule(fold, "takeback", 3) is None
    push(fold, "claim", "blue", at="D1")
    assert fold.t == before + 6000
    assert [fold.play_time_at(n) for n in (4, 5, 6)] == [before, before, before + 6000]


def test_rulings_that_are_no_longer_in_force_are_listed_with_the_ruling_that_ended_them() -> None:
    fold = start_game()
    ruling = {"reason": "seen by all", "name": "Lena"}
    assert push(fold, "@ruling", "arbiter", kind="warning", about=2, warned=["red"], **ruling) is None
    assert push(fold, "@ruling", "arbiter", kind="warning", about=3, warned=["red"], **ruling) is None
    assert push(fold, "@ruling", "arbiter", kind="refused", about=4, **ruling) is None
    assert list(fold.rulings.withdrawn()) == [(4, 6)]
