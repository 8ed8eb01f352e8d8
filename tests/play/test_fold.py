"""Tests of the fold: states, stamps, the main line, and the effects of common events."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gamelog.errors import BadSetup, UnknownGame
from gamelog.games.slicewars.events import StartRoll
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.common_events import Clock, Note
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.session import MAX_TAGS
from gamelog.record.envelope import DiceSpec, Event
from tests.play.tables import GAME, RED_WINS, event, header, not_none, outcome, push, start_game, whole


@given(st.lists(st.integers(0, 600), max_size=4))
def test_in_one_go_or_in_pieces_it_is_the_same(cuts: list[int]) -> None:
    head, events = whole()
    at_once, piecewise = Fold(head, GAME), Fold(head, GAME)
    assert at_once.extend(events) is None
    bounds = sorted({0, len(events), *(min(cut, len(events)) for cut in cuts)})
    for begin, end in pairwise(bounds):
        assert piecewise.extend(events[begin:end]) is None
    assert piecewise.states == at_once.states
    singly = Fold(head, GAME)
    assert [singly.push(event) for event in events] == [None] * len(events)
    assert singly.states == at_once.states
    assert singly.t == at_once.t == events[-1].t


def test_notes_between_the_events_change_no_state() -> None:
    head, events = whole()
    mixed = []
    for at, one in enumerate(events):
        mixed += [structs.replace(one, n=2 * at + 1), Note(2 * at + 2, one.t, "table", text="well")]
    fold = Fold(head, GAME)
    assert fold.extend(mixed) is None
    plain = Fold(head, GAME)
    plain.extend(events)
    assert fold.states[1::2] == fold.states[2::2] == plain.states[1:]


def test_the_good_prefix_stays_when_an_event_fails() -> None:
    head, events = whole()
    fold = Fold(head, GAME)
    spoiled = [*events[:20], structs.replace(events[20], by="nobody"), *events[21:]]
    failure = fold.extend(spoiled)
    assert failure is not None
    assert (failure.code, failure.n, fold.n) == ("play.by", 21, 20)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"n": 9}, "record.sequence"),
        ({"n": 3}, "record.sequence"),
        ({"t": 8999}, "record.time"),
        ({"by": "green"}, "play.by"),
    ],
)
def test_stamps_are_judged(change: dict[str, object], code: str) -> None:
    fold = start_game()
    wrong = structs.replace(event(fold, "claim", "red", at="B1"), **change)
    failure = fold.extend([wrong])
    assert failure is not None
    assert (failure.code, failure.n) == (code, wrong.n)
    assert fold.n == 3


def test_judging_changes_nothing() -> None:
    fold = start_game()
    good = event(fold, "claim", "red", at="B1")
    assert fold.judge(good) is None
    assert not_none(fold.judge(structs.replace(good, at="A1"))).rule == "SW-3"
    assert fold.n == 3


def test_a_takeback_continues_from_an_earlier_state_and_keeps_the_undone_events() -> None:
    fold = start_game()
    assert push(fold, "@takeback", "table", to=2) is None
    assert fold.state == fold.states[2]
    assert len(fold.states) == 5
    assert fold.main_line_numbers() == [1, 2]
    assert push(fold, "claim", "blue", at="I6") is None
    assert fold.main_line_numbers() == [1, 2, 5]


def test_a_takeback_of_a_takeback_brings_the_old_line_back() -> None:
    fold = start_game()
    push(fold, "@takeback", "table", to=1)
    push(fold, "claim", "red", at="I6")
    assert push(fold, "@takeback", "table", to=3) is None
    assert fold.state == fold.states[3]
    assert fold.main_line_numbers() == [1, 2, 3]


def test_a_takeback_to_the_future_is_refused() -> None:
    fold = start_game()
    failure = push(fold, "@takeback", "table", to=4)
    assert failure is not None
    assert failure.code == "play.common"


def test_agreed_takebacks_wait_for_every_other_seat() -> None:
    fold = start_game(3, takebacks="agreed")
    before = fold.state
    push(fold, "@takeback", "red", to=5)
    assert fold.state == before
    assert push(fold, "@accept", "red", about=7) is not None, "one does not accept one's own offer"
    assert push(fold, "@accept", "blue", about=7) is None
    assert fold.state == before
    assert push(fold, "@accept", "yellow", about=7) is None
    assert fold.state == fold.states[5]
    assert fold.main_line_numbers() == [1, 2, 3, 4, 5]


def test_the_first_event_can_be_agreed_to() -> None:
    fold = Fold(header(), replace(GAME, agreed={StartRoll: lambda _event: ("blue",)}))
    assert push(fold, "start_roll", "table", rolls={"red": 6, "blue": 5}) is None
    assert push(fold, "@accept", "red", about=1) is not None, "nobody asked red"
    assert push(fold, "@accept", "blue", about=1) is None


def test_a_refusal_names_the_number_that_the_event_would_have_had() -> None:
    fold = start_game()
    refused = not_none(push(fold, "claim", "red", at="A1"))
    assert (refused.code, refused.n) == ("play.illegal", fold.n + 1)


def test_a_declined_or_overtaken_offer_is_gone() -> None:
    fold = start_game(takebacks="agreed")
    push(fold, "@takeback", "red", to=1)
    assert push(fold, "@decline", "blue", about=4) is None
    assert push(fold, "@accept", "blue", about=4) is not None
    push(fold, "@takeback", "red", to=1)
    push(fold, "claim", "red", at="I6")
    assert push(fold, "@accept", "blue", about=6) is not None, "playing on lets an offer lapse"


def test_only_the_arbiter_takes_back_in_this_mode() -> None:
    fold = start_game(takebacks="arbiter")
    push(fold, "@takeback", "red", to=1)
    assert fold.main_line_numbers() == [1, 2, 3, 4], "a request changes nothing yet"
    assert push(fold, "@accept", "blue", about=4) is not None
    assert push(fold, "@accept", "arbiter", about=4) is None
    assert fold.main_line_numbers() == [1]
    assert push(fold, "@takeback", "arbiter", to=3) is None
    assert fold.main_line_numbers() == [1, 2, 3]


def test_an_agreement_ends_the_game_when_all_accept_and_a_takeback_reopens_it() -> None:
    fold = start_game()
    push(fold, "@agree", "red", result={"winners": ["red"], "reason": "agreed"})
    assert outcome(fold) is None
    push(fold, "@accept", "blue", about=4)
    assert fold.outcome == RED_WINS
    over = push(fold, "claim", "red", at="I6")
    assert over is not None
    assert over.code == "play.over"
    push(fold, "@takeback", "table", to=3)
    assert outcome(fold) is None
    assert push(fold, "claim", "red", at="I6") is None
    push(fold, "@takeback", "table", to=5)
    assert fold.outcome == RED_WINS, "the end that was taken back is back"


def test_agreements_are_between_seats_of_the_record() -> None:
    fold = start_game()
    assert push(fold, "@agree", "table", result={"winners": [], "reason": "draw"}) is not None
    assert push(fold, "@agree", "red", result={"winners": ["green"], "reason": "agreed"}) is not None


def test_the_game_decides_the_effect_of_a_resignation() -> None:
    fold = start_game()
    refused = push(fold, "@resign", "red")
    assert refused is not None
    assert "SW-A26" in refused.text
    without = structs.replace(header(), id="no-retire")
    bare = Fold(without, _without_retire())
    assert push(bare, "@resign", "red") is None
    assert bare.outcome == Outcome(("blue",), "resigned")
    three = Fold(header(3), _without_retire())
    assert push(three, "@resign", "red") is not None


def _without_retire() -> AnyGame:
    return replace(GAME, retire=None)


def test_paused_time_does_not_count_for_the_game() -> None:
    fold = start_game()
    seen: list[int] = []

    def check(_state: object, one: Event) -> None:
        seen.append(one.t)

    fold.game = replace(GAME, check=check)
    push(fold, "claim", "red", at="B1")  # 12 s
    assert push(fold, "@clock", "table", running=True) is not None, "it runs already"
    push(fold, "@clock", "table", running=False)  # 15 s
    push(fold, "claim", "blue", at="B2")  # 18 s, the clock stands at 15
    push(fold, "@clock", "table", running=True)  # 21 s
    push(fold, "claim", "red", at="B3")  # 24 s: six seconds were paused
    assert seen == [12_000, 15_000, 18_000]


def test_paused_time_does_not_count_in_runs_either() -> None:
    head, events = whole()
    paused = [
        Clock(4, events[2].t, "table", running=False),
        Clock(5, events[2].t + 9000, "table", running=True),
    ]
    later = [structs.replace(one, n=one.n + 2, t=one.t + 9000) for one in events[3:]]
    asked: list[int] = []

    def check(state: Any, one: Event) -> Violation | None:
        asked.append(one.t)
        return GAME.check(state, one)

    fold = Fold(head, replace(GAME, check=check))
    assert fold.extend([*events[:3], *paused, *later]) is None
    assert asked == [one.t for one in events]


def test_people_and_tags_can_be_corrected_and_seats_nothing_else() -> None:
    fold = start_game(tags={"event": "Clup"})
    push(fold, "@amend", "arbiter", tags={"event": "Club"}, seats={"blue": {"name": "Rui Costa"}})
    push(fold, "@substitute", "table", seat="red", name="Mei", person="mei@club")
    assert fold.tags == {"event": "Club"}
    assert [fold.session.name_of(seat) for seat in ("red", "blue")] == ["Mei", "Rui Costa"]
    assert push(fold, "@substitute", "table", seat="green", name="Tom") is not None
    assert push(fold, "@amend", "table", seats={"green": {"name": "Tom"}}) is not None


def test_a_record_has_only_so_many_tags() -> None:
    fold = start_game(tags={"event": "Club"})
    push(fold, "@amend", "arbiter", tags={f"{at}": "x" for at in range(MAX_TAGS - 1)})
    push(fold, "@amend", "arbiter", tags={"event": "Clup", "0": "y"})
    failed = push(fold, "@amend", "arbiter", tags={"another": "x", "event": "Club"})
    assert failed
    assert failed.text == f"a record can have at most {MAX_TAGS} tags"
    full = start_game(tags={f"{at}": "x" for at in range(MAX_TAGS + 1)})
    assert push(full, "@amend", "arbiter", tags={"0": "y"}) is None


@pytest.mark.parametrize(
    ("do", "by", "members"),
    [
        ("@note", "table", {"text": "!", "about": 9}),
        ("@claim", "table", {"text": "he cheats"}),
        ("@accept", "blue", {"about": 1}),
        ("@result", "table", {"outcome": {"winners": ["green"], "reason": "all"}}),
        ("@clock", "table", {"running": True}),
    ],
)
def test_common_events_that_do_not_fit_are_refused(do: str, by: str, members: dict[str, object]) -> None:
    failure = push(start_game(), do, by, **members)
    assert failure is not None
    assert failure.code == "play.common"


def test_an_illegal_event_that_was_played_is_flagged_and_applied() -> None:
    fold = start_game()
    assert push(fold, "claim", "blue", at="I6", as_played=True) is None
    assert [(n, flag.rule) for n, flag in fold.violations.items()] == [(4, "SW-3")]


def test_after_an_event_that_cannot_be_carried_out_the_position_must_be_declared() -> None:
    fold = start_game()
    before = fold.state
    assert push(fold, "claim", "red", at="Z9", as_played=True) is None
    assert (fold.state, fold.session.unknown_since) == (before, 4)
    blocked = push(fold, "claim", "blue", at="I6")
    assert blocked is not None
    assert blocked.code == "play.cannot_apply"
    wrong = push(fold, "@gap", "table", state={"hand": "many"}, reason="a pawn of another game")
    assert wrong is not None
    assert push(fold, "@gap", "red", state={}, reason="so") is not None, "a seat alone declares nothing"
    here = {"on_turn": "blue", "phase": "claim", "round": 0, "first": "red"}
    assert push(fold, "@gap", "table", state=here, reason="nobody knows") is None
    assert push(fold, "claim", "blue", at="I6") is None


def test_seeded_dice_are_recomputed_and_a_takeback_winds_nothing_back() -> None:
    spec = DiceSpec("seeded", "salt")
    fold = Fold(header(dice=spec), GAME)
    rolls = [_rolls(fold, number) for number in range(3)]
    assert rolls[0] != rolls[1] != rolls[2]
    wrong = push(fold, "start_roll", "table", rolls=rolls[1])
    assert wrong is not None
    assert wrong.code == "chance.seed"
    due, found = (", ".join(f"{seat} {die}" for seat, die in rolls[n].items()) for n in (0, 1))
    assert str(wrong.message) == f"the seed gives the result rolls {due}, but the record has rolls {found}"
    assert push(fold, "start_roll", "table", rolls=rolls[0]) is None
    push(fold, "@takeback", "table", to=0)
    assert push(fold, "start_roll", "table", rolls=rolls[0]) is not None
    assert push(fold, "start_roll", "table", rolls=rolls[1]) is None


def _rolls(fold: Fold, ordinal: int) -> dict[str, int]:
    from gamelog.chance.sources import Seeded

    owed = GAME.pending(fold.states[0]).chance
    assert owed is not None
    made = GAME.chance(fold.states[0], Seeded("salt", "test").results(owed.draws, ordinal))
    return dict(made.rolls)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"game": "chess"}, UnknownGame, "No game"),
        ({"rules": "0.1"}, UnknownGame, "0.1"),
        ({"board": "hex50@" + "A" * 43}, UnknownGame, "hex50"),
        ({"board": "moon"}, UnknownGame, "moon"),
        ({"board": {"name": "x"}}, BadSetup, "board"),
        ({"options": {"nonsense": 1}}, BadSetup, "nonsense"),
        ({"options": {"max_rounds": -1}}, BadSetup, "max_rounds"),
    ],
)
def test_headers_that_cannot_start_are_refused(
    change: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Fold(structs.replace(header(), **change))


def test_seats_have_to_be_the_games_and_different() -> None:
    two = header()
    for seats in (
        two.seats[:1],
        (two.seats[0], two.seats[0]),
        (two.seats[0], structs.replace(two.seats[1], seat="pink")),
    ):
        with pytest.raises(BadSetup):
            Fold(structs.replace(two, seats=seats))
