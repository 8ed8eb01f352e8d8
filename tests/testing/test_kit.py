"""Tests of the kit: correct games pass, and faults are found."""

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from msgspec import Meta, Struct, structs

from gamelog.errors import PlayError
from gamelog.games.slicewars.events import ClaimLand
from gamelog.play.contract.effects import Effect, Over, Rolled, TurnOver
from gamelog.play.contract.game import AnyGame, Legal, Pending
from gamelog.play.contract.registry import find
from gamelog.play.contract.translation import Translation
from gamelog.play.contract.violation import Violation
from gamelog.record.envelope import tag_of
from gamelog.testing import strategies
from gamelog.testing.checks.joint_decision_checks import MAX_ORDERS, orders
from gamelog.testing.checks.malformed_events import MalformedEvents
from gamelog.testing.checks.options import invalid_options, variations
from gamelog.testing.checks.random_games import Sample
from gamelog.testing.conformance import Conformance
from gamelog.testing.plays import Play
from tests.testing import bids

GAME = find("slicewars")
ZONES = find("zone_control")
HALVES = find("zone_s")


def _never(*_given: object) -> None:
    return None


def _forgets_one(state: Any, seat: str) -> Legal:
    legal = GAME.legal(state, seat)
    return Legal(legal.events[1:] or legal.events, legal.complete)


def _forgets_rare_events(state: Any, seat: str) -> Legal:
    legal = HALVES.legal(state, seat)
    common = tuple(event for event in legal.events if tag_of(type(event)) != "summon")
    return Legal(common or legal.events, legal.complete)


def _takes_any_dice(state: Any, event: Any) -> Violation | None:
    found = GAME.check(state, event)
    return None if isinstance(event, GAME.chance_events) else found


def _takes_dice_twice(state: Any, event: Any) -> Violation | None:
    found = ZONES.check(state, event)
    return None if tag_of(type(event)) == "challenge_roll" and state.phase == "occupy" else found


def _unknown_rule(state: Any, event: Any) -> Violation | None:
    found = GAME.check(state, event)
    return Violation("SW-99", found.text) if found else None


def _fails_out_of_range(state: Any, event: Any) -> Violation | None:
    if tag_of(type(event)) == "deploy":
        state.setup.board.index[event.at]
    return HALVES.check(state, event)


def _wraps_around(state: Any, event: Any) -> Violation | None:
    if tag_of(type(event)) == "place" and event.at not in state.setup.board.index:
        event = structs.replace(event, at=state.setup.board.names[-1])
    return GAME.check(state, event)


def _counts_events(state: Any, event: Any) -> Violation | None:
    return Violation("ZC-4", "this is too late") if event.n > 500 else ZONES.check(state, event)


def _refuses_some_numbers(state: Any, event: Any) -> Violation | None:
    return Violation("ZC-4", "this is too late") if event.n % 50 == 49 else ZONES.check(state, event)


def _draws_outside_the_board(state: Any, seat: str | None) -> Any:
    scene = GAME.scene(state, seat)
    return structs.replace(scene, fills=(("nowhere", "red"),))


def _hides_free_places(state: Any, seat: str | None) -> Any:
    scene = GAME.scene(state, seat)
    return structs.replace(scene, ground=structs.replace(scene.ground, margin=0.1))


def _asks_for_more(language: str) -> Translation:
    return Translation({**GAME.translation(language).messages, GAME.messages["claim"]: "{@by} ocupa {zone}."})


def _other_translation(english: str, other: str) -> Any:
    return lambda language: Translation({**GAME.translation(language).messages, english: other})


def _other_rules(pattern: str, other: str) -> Any:
    return lambda _language: Translation(rules=re.sub(pattern, other, GAME.rules(), count=1))


def _always_raises(*_given: object) -> Any:
    raise ValueError("no")


def _forgets_whose_turn(now: Any, words: dict[str, Any]) -> Any:
    assert GAME.declare
    state = GAME.declare(now, words)
    return structs.replace(state, actor=(state.actor + 1) % len(state.setup.seats))


def _gives_the_turn_to_the_first_seat(now: Any, words: dict[str, Any]) -> Any:
    assert GAME.declare
    return structs.replace(GAME.declare(now, words), actor=0)


def _one_board(options: Any, board: Any, seats: tuple[str, ...]) -> Any:
    if len(board.names) != 50:
        raise IndexError("board")
    return GAME.start(options, board, seats)


def _one_option(options: Any, board: Any, seats: tuple[str, ...]) -> Any:
    return {"all": GAME.start}[options.check](options, board, seats)


def _only_the_defaults(options: Any, board: Any, seats: tuple[str, ...]) -> Any:
    if options.keep_connected:
        raise ValueError("not yet")
    return GAME.start(options, board, seats)


def _without(kind: type[Effect]) -> Callable[[Any, Any, Any], tuple[Effect, ...]]:
    return lambda before, event, after: tuple(
        effect for effect in ZONES.effects(before, event, after) if not isinstance(effect, kind)
    )


def _dice_in_private(state: Any) -> Pending:
    pending = ZONES.pending(state)
    if pending.chance is None:
        return pending
    draws = tuple(structs.replace(draw, private=True) for draw in pending.chance.draws)
    return structs.replace(pending, chance=structs.replace(pending.chance, draws=draws))


def _fails_when_illegal(before: Any, event: Any, after: Any) -> tuple[Effect, ...]:
    if ZONES.check(before, event):
        raise LookupError(event)
    return ZONES.effects(before, event, after)


def _own_chance(state: Any, seat: str, _rng: Random) -> Any:
    return ZONES.sample(state, seat, Random())


def _only_by_default(state: Any, seat: str, rng: Random) -> Any:
    event = ZONES.bots["greedy"](state, seat, rng)
    return event if state.setup.options.move_in == "all_fit" else structs.replace(event, by="nobody")


def _hides_the_turn(state: Any, seat: str | None) -> Any:
    return structs.replace(state, actor=0) if seat else state


def _hides_from_everyone(state: Any, _seat: str | None) -> Any:
    return structs.replace(state, actor=0)


def _ignores_resignation(state: Any, _seat: str) -> Any:
    return state


def _without_a_rule(_state: Any, _seat: str) -> Violation:
    return Violation("SW-98", "no")


def _unknown_for_rolls(state: Any) -> tuple[str, ...]:
    return ("X-1",) if GAME.pending(state).chance else ()


def _never_ends(state: Any) -> Pending:
    pending = ZONES.pending(state)
    return pending if pending.outcome is None else Pending(by=(state.setup.seats[0],))


COMPLETE = "test_events_outside_a_complete_list_are_refused"
ROBUST = "test_check_and_apply_never_fail"
EFFECTS = "test_the_end_and_turns_have_effects"
DECLARED = "test_described_positions_can_be_declared"
RESIGNATIONS = "test_resignations_follow_the_rules"
MESSAGES = "test_messages_fit_events_and_effects"
TRANSLATIONS = "test_translations_have_the_places_of_the_english"
OTHER_RULES = "test_translated_rulebooks_have_the_same_rules"
BOTS = "test_bots_use_only_the_given_random_numbers"
SHORT = "test_shorthand_gives_events_or_violations"
VISIBLE = "test_visible_states_are_states_of_the_game"

FAULTS: dict[str, tuple[AnyGame, str]] = {
    "accepts everything": (replace(GAME, check=_never), COMPLETE),
    "forgets a legal event": (replace(GAME, legal=_forgets_one), COMPLETE),
    "forgets a rare legal event": (replace(HALVES, legal=_forgets_rare_events), COMPLETE),
    "fails for members out of range": (replace(HALVES, check=_fails_out_of_range), ROBUST),
    "mistakes members out of range for others": (replace(GAME, check=_wraps_around), COMPLETE),
    "counts events": (replace(ZONES, check=_counts_events), "test_check_ignores_number_and_key"),
    "refuses some numbers": (
        replace(ZONES, check=_refuses_some_numbers),
        "test_check_ignores_number_and_key",
    ),
    "accepts any dice": (replace(GAME, check=_takes_any_dice), "test_due_chance_is_checked"),
    "accepts dice that are not due": (
        replace(ZONES, check=_takes_dice_twice),
        "test_chance_that_is_not_due_is_refused",
    ),
    "cites a rule that does not exist": (
        replace(GAME, check=_unknown_rule),
        "test_every_violation_names_a_rule",
    ),
    "draws outside the board": (
        replace(GAME, scene=_draws_outside_the_board),
        "test_scenes_and_sentences_never_fail",
    ),
    "hides places of a growing board": (
        replace(GAME, scene=_hides_free_places),
        "test_a_growing_board_shows_the_places_of_legal_events",
    ),
    "has no messages": (replace(GAME, messages={}), MESSAGES),
    "has a message with an unknown member": (
        replace(ZONES, messages={**ZONES.messages, "final_roll": "{@by} and {dicee}."}),
        MESSAGES,
    ),
    "has a message with an unknown member of a rare effect": (
        replace(HALVES, messages={**HALVES.messages, "over": "{winer} has won."}),
        MESSAGES,
    ),
    "has a message for an unknown event": (
        replace(ZONES, messages={**ZONES.messages, "stepp": "{@by} steps."}),
        MESSAGES,
    ),
    "translates wrongly": (replace(GAME, translation=_asks_for_more), TRANSLATIONS),
    "loses a place in a remark": (
        replace(GAME, translation=_other_translation("{at} is not free", "não está livre")),
        TRANSLATIONS,
    ),
    "uses a person as a word in a remark": (
        replace(GAME, translation=_other_translation("it is {@by}'s turn", "é a vez de {by}")),
        TRANSLATIONS,
    ),
    "counts something that the remark does not count": (
        replace(GAME, translation=_other_translation("{at} holds dice", "{at} tem {n:dado|dados}")),
        TRANSLATIONS,
    ),
    "translates no rules": (replace(GAME, translation=_other_rules(r"\*\*(?s:.*)", "")), OTHER_RULES),
    "has no translation of a rule": (
        replace(GAME, translation=_other_rules("(?m)^- .*SW-2[*].*$", "")),
        OTHER_RULES,
    ),
    "has no translation of a heading": (
        replace(GAME, translation=_other_rules("(?m)^## Attack$", "")),
        OTHER_RULES,
    ),
    "has an additional heading in another language": (
        replace(GAME, translation=_other_rules("- .*SW-2[*]", r"## Mais\n\g<0>")),
        OTHER_RULES,
    ),
    "marks a rule as checkable in another language": (
        replace(GAME, translation=_other_rules(r"_\(not checkable: [^)]*\)_", "")),
        OTHER_RULES,
    ),
    "names too few members for its points": (
        replace(find("dice_flags"), scored=("flags",)),
        "test_points_depend_only_on_the_scored_members",
    ),
    "names an unknown member for its points": (
        replace(GAME, scored=("land",)),
        "test_points_depend_only_on_the_scored_members",
    ),
    "forgets a seat's score": (replace(GAME, score=lambda _state: {}), "test_scores_have_all_seats"),
    "gives the points to the losers": (
        replace(ZONES, score=lambda state: {seat: -points for seat, points in ZONES.score(state).items()}),
        "test_winners_are_not_behind",
    ),
    "has two seats with one name": (
        replace(GAME, seats={2: ("red", "red")}),
        "test_names_are_unique",
    ),
    "cannot declare anything": (replace(GAME, declare=_always_raises), DECLARED),
    "forgets whose turn was declared": (replace(GAME, declare=_forgets_whose_turn), DECLARED),
    "gives every declared turn to the first seat": (
        replace(GAME, declare=_gives_the_turn_to_the_first_seat),
        DECLARED,
    ),
    "describes too little": (replace(GAME, describe=lambda _state: {"on_turn": "red"}), DECLARED),
    "starts only on one board": (
        replace(GAME, start=_one_board),
        "test_every_board_starts_games",
    ),
    "fails with another option": (replace(GAME, start=_one_option), "test_every_option_starts_and_is_played"),
    "has an option that never starts": (
        replace(GAME, start=_only_the_defaults),
        "test_every_option_starts_and_is_played",
    ),
    "reads data that is not a board": (
        replace(GAME, read_board=lambda data: data["territories"] and GAME.read_board(data)),
        "test_data_that_is_not_a_board_is_refused_in_a_sentence",
    ),
    "has no effect for the end": (replace(ZONES, effects=_without(Over)), EFFECTS),
    "has no effect for turns": (replace(ZONES, effects=_without(TurnOver)), EFFECTS),
    "fails for the effects of illegal events": (
        replace(ZONES, effects=_fails_when_illegal),
        "test_effects_of_illegal_events_do_not_fail",
    ),
    "has a bot with its own random numbers": (
        replace(ZONES, bots={**ZONES.bots, "greedy": _own_chance}),
        BOTS,
    ),
    "has a bot that works only with the default options": (
        replace(ZONES, bots={**ZONES.bots, "greedy": _only_by_default}),
        BOTS,
    ),
    "hides who is to act": (replace(ZONES, observe=_hides_the_turn), VISIBLE),
    "hides something from the viewer of everything": (replace(ZONES, observe=_hides_from_everyone), VISIBLE),
    "asks a seat that has resigned": (replace(GAME, retire=_ignores_resignation), RESIGNATIONS),
    "fails when a seat resigns": (replace(GAME, retire=_always_raises), RESIGNATIONS),
    "refuses a resignation with an unknown rule": (replace(GAME, retire=_without_a_rule), RESIGNATIONS),
    "names an unknown rule for the next event": (replace(GAME, due_rules=lambda _state: ("X-1",)), SHORT),
    "names an unknown rule for a roll": (replace(GAME, due_rules=_unknown_for_rolls), SHORT),
    "never ends": (replace(ZONES, pending=_never_ends), "test_exactly_one_thing_is_pending"),
}


@pytest.mark.grid
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.checks.random_games.GAMES_PER_PLAYER_COUNT", 4)
    game, check = FAULTS[fault]
    kit = type("Kit", (Conformance,), {"game": game})()
    with pytest.raises((AssertionError, PlayError, LookupError, ValueError)):
        getattr(kit, check)()


def test_private_dice_need_no_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.checks.random_games.GAMES_PER_PLAYER_COUNT", 2)
    check = "test_dice_and_contests_have_effects"
    without_effect = replace(ZONES, effects=_without(Rolled))
    with pytest.raises(AssertionError, match="no effect Rolled shows them"):
        getattr(type("Kit", (Conformance,), {"game": without_effect})(), check)()
    private = replace(without_effect, pending=_dice_in_private)
    getattr(type("Kit", (Conformance,), {"game": private})(), check)()


def test_a_failure_names_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.checks.random_games.GAMES_PER_PLAYER_COUNT", 2)
    kit = type("Kit", (Conformance,), {"game": replace(GAME, canonical=_forgets_the_number)})()
    with pytest.raises(AssertionError) as found:
        kit.test_a_canonical_event_is_the_same_play()
    [note] = found.value.__notes__
    assert re.fullmatch(r"This was at event \d+: \w+\(n=\d+, .+\), with [234] players\.", note)


def _forgets_the_number(event: Any) -> Any:
    return structs.replace(event, n=1)


def test_only_some_orders_of_many_decisions_are_tried() -> None:
    deciders = [ClaimLand(n, n, f"seat{n}", "A1") for n in range(1, 13)]
    few, many = [*orders(deciders[:4])], [*orders(deciders)]
    assert len(few) == len(set(few)) == MAX_ORDERS
    assert len(many) == MAX_ORDERS and len(set(many)) > 20
    assert many[0] == tuple(deciders)
    assert all({*order} == {*deciders} for order in many)


class Several(Struct, frozen=True):
    """Options with several values that mean the same."""

    length: Annotated[int, Meta(ge=0, le=4)] | None = None
    name: Literal["short", "long"] = "short"
    switch: bool = False


def test_each_value_of_an_option_is_tried_once() -> None:
    for tried in (variations(Several), invalid_options(Several)):
        assert len({repr(given) for given in tried}) == len(tried)
    made = [msgspec.json.encode(msgspec.convert(given, Several)) for given in variations(Several)]
    assert len(set(made)) == len(made) == 4 + 1 + 1
    assert msgspec.json.encode(Several()) not in made


def test_unplayed_kinds_of_events_are_tried_too() -> None:
    kinds = dict(Sample(GAME).kinds)
    rare = [kinds.pop("attack")[0], kinds.pop("pass")[0]]
    tried = {
        type(event) for event in MalformedEvents(GAME, kinds, GAME.seats[2]).random_events(Random(1), 400)
    }
    assert tried >= {type(event) for event in rare}


@given(strategies.plays(GAME))
def test_plays_are_whole_games(play: Play) -> None:
    assert len(play.states) == len(play.events) + 1
    assert GAME.pending(play.states[-1]).outcome


@given(strategies.steps(GAME, 2))
def test_each_step_follows_from_the_state_before_it(step: tuple[Any, Any, Any]) -> None:
    before, event, after = step
    assert GAME.check(before, event) is None
    assert GAME.apply(before, event) == after


@given(strategies.positions(GAME, 3))
def test_positions_have_all_cells(state: Any) -> None:
    assert len(state.owners) == 50


@given(strategies.tries(GAME))
def test_tries_are_judged_without_errors(tried: tuple[Any, Any]) -> None:
    found = GAME.check(*tried)
    assert found is None or found.rule.startswith("SW-")


def _apply_indexes(state: bids.State, event: bids.Bid) -> bids.State:
    (6, 5, 4, 3, 2, 1)[event.coins]
    return bids.GAME.apply(state, event)


def test_an_error_in_apply_names_the_event_the_place_and_the_contract(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gamelog.testing.checks.random_games.GAMES_PER_PLAYER_COUNT", 2)
    kit = type("Kit", (Conformance,), {"game": replace(bids.GAME, apply=_apply_indexes)})()
    with pytest.raises(AssertionError) as found:
        kit.test_check_and_apply_never_fail()
    text = str(found.value)
    line = _apply_indexes.__code__.co_firstlineno + 1
    assert text.startswith("_apply_indexes raises IndexError: tuple index out of range in ")
    assert f"test_kit.py, line {line}, for the event bid of the seat " in text
    assert "CannotApply" in text
    assert found.value.__cause__ is found.value.__context__ is None


class _Unlimited(bids.State, frozen=True):
    """A state whose type allows coins for any number of seats."""

    coins: tuple[int, ...] = (5, 5)  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride]


def test_a_game_that_accepts_a_list_of_another_length_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.checks.random_games.GAMES_PER_PLAYER_COUNT", 2)
    check = "test_lists_of_another_length_are_refused"
    getattr(type("Kit", (Conformance,), {"game": bids.GAME})(), check)()
    loose = replace(bids.GAME, start=lambda *_: _Unlimited())
    words = r'in which "coins" has 3 items, but it has 2 items in the whole game'
    with pytest.raises(AssertionError, match=words):
        getattr(type("Kit", (Conformance,), {"game": loose})(), check)()
