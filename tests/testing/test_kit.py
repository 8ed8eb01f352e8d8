"""The kit itself: it passes what is right, and it finds what is wrong."""

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from msgspec import Meta, Struct, structs

from gamelog.chance.draws import Bag, Dice
from gamelog.errors import PlayError
from gamelog.games.slicewars.events import ClaimLand
from gamelog.play.contract.effects import Effect, Over, Rolled, TurnOver
from gamelog.play.contract.game import AnyGame, Legal, Pending
from gamelog.play.contract.registry import find
from gamelog.play.contract.translation import Translation
from gamelog.play.contract.violation import Violation
from gamelog.record.envelope import tag_of
from gamelog.testing import strategies
from gamelog.testing.conformance import Conformance
from gamelog.testing.dice import Scripted
from gamelog.testing.kit.joint_decision_checks import ORDERS, orders
from gamelog.testing.kit.malformed_events import MalformedEvents
from gamelog.testing.kit.options import invalid_options, variations
from gamelog.testing.kit.random_games import Sample
from gamelog.testing.random_play import Play

GAME = find("slicewars")


ZONES = find("zone_control")
HALVES = find("zone_s")


def _never(*_given: object) -> None:
    return None


def _forgets_one(state: Any, seat: str) -> Legal:
    legal = GAME.legal(state, seat)
    return Legal(legal.events[1:] or legal.events, legal.complete)


def _forgets_what_is_rare(state: Any, seat: str) -> Legal:
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


def _wraps_round(state: Any, event: Any) -> Violation | None:
    if tag_of(type(event)) == "place" and event.at not in state.setup.board.index:
        event = structs.replace(event, at=state.setup.board.names[-1])
    return GAME.check(state, event)


def _counts_events(state: Any, event: Any) -> Violation | None:
    return Violation("ZC-4", "this is too late") if event.n > 500 else ZONES.check(state, event)


def _refuses_some_numbers(state: Any, event: Any) -> Violation | None:
    return Violation("ZC-4", "this is too late") if event.n % 50 == 49 else ZONES.check(state, event)


def _lopsided(state: Any, seat: str | None) -> Any:
    scene = GAME.scene(state, seat)
    return structs.replace(scene, fills=(("nowhere", "red"),))


def _asks_for_more(language: str) -> Translation:
    return Translation({**GAME.translation(language).messages, GAME.messages["claim"]: "{@by} ocupa {zone}."})


def _told_otherwise(english: str, other: str) -> Any:
    return lambda language: Translation({**GAME.translation(language).messages, english: other})


def _rules_otherwise(pattern: str, other: str) -> Any:
    return lambda _language: Translation(rules=re.sub(pattern, other, GAME.rules(), count=1))


def _always_raises(*_given: object) -> Any:
    raise ValueError("no")


def _forgets_whose_turn(now: Any, words: dict[str, Any]) -> Any:
    assert GAME.declare
    state = GAME.declare(now, words)
    return structs.replace(state, actor=(state.actor + 1) % len(state.setup.seats))


def _gives_the_first_the_turn(now: Any, words: dict[str, Any]) -> Any:
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


def _hides_from_nobody(state: Any, _seat: str | None) -> Any:
    return structs.replace(state, actor=0)


def _stays(state: Any, _seat: str) -> Any:
    return state


def _without_a_rule(_state: Any, _seat: str) -> Violation:
    return Violation("SW-98", "no")


def _never_ends(state: Any) -> Pending:
    pending = ZONES.pending(state)
    return pending if pending.outcome is None else Pending(by=(state.setup.seats[0],))


COMPLETE = "test_where_the_list_is_complete_all_others_are_refused"
ROBUST = "test_check_never_fails_and_apply_says_when_it_cannot"
TOLD = "test_the_end_and_the_turns_are_told"
WORDS = "test_positions_in_words_lead_back"
GIVING_UP = "test_giving_up_is_a_rule"
MESSAGES = "test_messages_fit_what_they_speak_of"
TRANSLATIONS = "test_translations_ask_for_what_the_english_asks_for"
OTHER_RULES = "test_rules_in_other_languages_are_those_of_the_rulebook"
BOTS = "test_bots_have_no_chance_of_their_own"
SEEN = "test_what_a_seat_sees_is_a_state_of_the_game"

FAULTS: dict[str, tuple[AnyGame, str]] = {
    "accepts everything": (replace(GAME, check=_never), COMPLETE),
    "forgets a legal event": (replace(GAME, legal=_forgets_one), COMPLETE),
    "forgets a rare legal event": (replace(HALVES, legal=_forgets_what_is_rare), COMPLETE),
    "fails for members out of range": (replace(HALVES, check=_fails_out_of_range), ROBUST),
    "takes members out of range for others": (replace(GAME, check=_wraps_round), COMPLETE),
    "counts events": (replace(ZONES, check=_counts_events), "test_check_asks_neither_number_nor_key"),
    "refuses some numbers": (
        replace(ZONES, check=_refuses_some_numbers),
        "test_check_asks_neither_number_nor_key",
    ),
    "takes any dice": (replace(GAME, check=_takes_any_dice), "test_chance_is_owed_and_judged"),
    "takes dice that are not owed": (
        replace(ZONES, check=_takes_dice_twice),
        "test_chance_that_is_not_owed_is_refused",
    ),
    "cites a rule there is not": (replace(GAME, check=_unknown_rule), "test_every_violation_names_a_rule"),
    "draws beside the board": (replace(GAME, scene=_lopsided), "test_scenes_and_sentences_never_fail"),
    "lacks a phrase": (replace(GAME, messages={}), MESSAGES),
    "asks for a member there is not": (
        replace(ZONES, messages={**ZONES.messages, "final_roll": "{@by} and {dicee}."}),
        MESSAGES,
    ),
    "asks it of a rare effect": (
        replace(HALVES, messages={**HALVES.messages, "over": "{winer} has won."}),
        MESSAGES,
    ),
    "speaks of what never happens": (
        replace(ZONES, messages={**ZONES.messages, "stepp": "{@by} steps."}),
        MESSAGES,
    ),
    "translates wrongly": (replace(GAME, translation=_asks_for_more), TRANSLATIONS),
    "loses a place in a remark": (
        replace(GAME, translation=_told_otherwise("{at} is not free", "não está livre")),
        TRANSLATIONS,
    ),
    "takes a person for a word in a remark": (
        replace(GAME, translation=_told_otherwise("it is {@by}'s turn", "é a vez de {by}")),
        TRANSLATIONS,
    ),
    "counts what no remark counts": (
        replace(GAME, translation=_told_otherwise("{at} holds dice", "{at} tem {n:dado|dados}")),
        TRANSLATIONS,
    ),
    "translates no rule": (replace(GAME, translation=_rules_otherwise(r"\*\*(?s:.*)", "")), OTHER_RULES),
    "forgets a rule in another language": (
        replace(GAME, translation=_rules_otherwise("(?m)^- .*SW-2[*].*$", "")),
        OTHER_RULES,
    ),
    "forgets a heading in another language": (
        replace(GAME, translation=_rules_otherwise("(?m)^## Attack$", "")),
        OTHER_RULES,
    ),
    "has a heading more in another language": (
        replace(GAME, translation=_rules_otherwise("- .*SW-2[*]", r"## Mais\n\g<0>")),
        OTHER_RULES,
    ),
    "calls a rule checkable in another language": (
        replace(GAME, translation=_rules_otherwise(r"_\(not checkable: [^)]*\)_", "")),
        OTHER_RULES,
    ),
    "watches too little for its points": (
        replace(find("dice_flags"), scored=("flags",)),
        "test_points_hang_on_the_members_named_alone",
    ),
    "watches a member it has not": (
        replace(GAME, scored=("land",)),
        "test_points_hang_on_the_members_named_alone",
    ),
    "forgets a seat's score": (replace(GAME, score=lambda _state: {}), "test_scores_speak_of_the_seats"),
    "gives the points to the losers": (
        replace(ZONES, score=lambda state: {seat: -points for seat, points in ZONES.score(state).items()}),
        "test_winners_are_not_behind",
    ),
    "has two seats of one name": (
        replace(GAME, seats={2: ("red", "red")}),
        "test_names_collide_with_nothing",
    ),
    "cannot declare anything": (replace(GAME, declare=_always_raises), WORDS),
    "forgets whose turn was declared": (replace(GAME, declare=_forgets_whose_turn), WORDS),
    "gives the first seat every turn that is declared": (
        replace(GAME, declare=_gives_the_first_the_turn),
        WORDS,
    ),
    "describes too little": (replace(GAME, describe=lambda _state: {"on_turn": "red"}), WORDS),
    "starts on one board alone": (
        replace(GAME, start=_one_board),
        "test_every_board_starts_for_every_number_of_players_it_is_for",
    ),
    "fails with another option": (replace(GAME, start=_one_option), "test_every_option_starts_and_is_played"),
    "has an option that never starts": (
        replace(GAME, start=_only_the_defaults),
        "test_every_option_starts_and_is_played",
    ),
    "reads whatever is called a board": (
        replace(GAME, read_board=lambda data: data["territories"] and GAME.read_board(data)),
        "test_data_that_is_not_a_board_is_refused_in_a_sentence",
    ),
    "does not tell the end": (replace(ZONES, effects=_without(Over)), TOLD),
    "does not tell the turns": (replace(ZONES, effects=_without(TurnOver)), TOLD),
    "fails to tell what was illegal": (
        replace(ZONES, effects=_fails_when_illegal),
        "test_effects_of_illegal_events_do_not_fail",
    ),
    "has a bot with dice of its own": (replace(ZONES, bots={**ZONES.bots, "greedy": _own_chance}), BOTS),
    "has a bot for the default alone": (
        replace(ZONES, bots={**ZONES.bots, "greedy": _only_by_default}),
        BOTS,
    ),
    "hides whose turn it is": (replace(ZONES, observe=_hides_the_turn), SEEN),
    "hides from who sees all": (replace(ZONES, observe=_hides_from_nobody), SEEN),
    "asks who has given up": (replace(GAME, retire=_stays), GIVING_UP),
    "fails when somebody gives up": (replace(GAME, retire=_always_raises), GIVING_UP),
    "refuses it by a rule there is not": (replace(GAME, retire=_without_a_rule), GIVING_UP),
    "never ends": (replace(ZONES, pending=_never_ends), "test_exactly_one_thing_is_pending"),
}


@pytest.mark.grid
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.kit.random_games.GAMES", 4)
    game, check = FAULTS[fault]
    kit = type("Kit", (Conformance,), {"game": game})()
    with pytest.raises((AssertionError, PlayError, LookupError, ValueError)):
        getattr(kit, check)()


def test_dice_that_fall_in_private_need_not_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.kit.random_games.GAMES", 2)
    check = "test_dice_are_shown_and_what_they_decide_between_two_sides"
    shown_to_nobody = replace(ZONES, effects=_without(Rolled))
    with pytest.raises(AssertionError, match="no effect Rolled shows them"):
        getattr(type("Kit", (Conformance,), {"game": shown_to_nobody})(), check)()
    private = replace(shown_to_nobody, pending=_dice_in_private)
    getattr(type("Kit", (Conformance,), {"game": private})(), check)()


def test_what_the_kit_finds_names_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.kit.random_games.GAMES", 2)
    kit = type("Kit", (Conformance,), {"game": replace(GAME, canonical=_forgets_the_number)})()
    with pytest.raises(AssertionError) as found:
        kit.test_a_canonical_event_is_the_same_play()
    [note] = found.value.__notes__
    assert re.fullmatch(r"This was at event \d+: \w+\(n=\d+, .+\), with [234] players\.", note)


def _forgets_the_number(event: Any) -> Any:
    return structs.replace(event, n=1)


def test_of_many_decisions_taken_together_some_orders_are_tried() -> None:
    deciders = [ClaimLand(n, n, f"seat{n}", "A1") for n in range(1, 13)]
    few, many = [*orders(deciders[:4])], [*orders(deciders)]
    assert len(few) == len(set(few)) == ORDERS
    assert len(many) == ORDERS and len(set(many)) > 20
    assert many[0] == tuple(deciders)
    assert all({*order} == {*deciders} for order in many)


class Several(Struct, frozen=True):
    """Options of which several values mean the same."""

    length: Annotated[int, Meta(ge=0, le=4)] | None = None
    name: Literal["short", "long"] = "short"
    switch: bool = False


def test_each_value_of_an_option_is_tried_once() -> None:
    for tried in (variations(Several), invalid_options(Several)):
        assert len({repr(given) for given in tried}) == len(tried)
    made = [msgspec.json.encode(msgspec.convert(given, Several)) for given in variations(Several)]
    assert len(set(made)) == len(made) == 4 + 1 + 1
    assert msgspec.json.encode(Several()) not in made


def test_kinds_of_events_that_nobody_played_are_tried_too() -> None:
    kinds = dict(Sample(GAME).kinds)
    rare = [kinds.pop("attack")[0], kinds.pop("pass")[0]]
    tried = {type(event) for event in MalformedEvents(GAME, kinds, GAME.seats[2]).some(Random(1), 400)}
    assert tried >= {type(event) for event in rare}


@given(strategies.plays(GAME))
def test_plays_are_whole_games(play: Play) -> None:
    assert len(play.states) == len(play.events) + 1
    assert GAME.pending(play.states[-1]).outcome


@given(strategies.steps(GAME, 2))
def test_steps_follow_from_one_another(step: tuple[Any, Any, Any]) -> None:
    before, event, after = step
    assert GAME.check(before, event) is None
    assert GAME.apply(before, event) == after


@given(strategies.positions(GAME, 3))
def test_positions_are_positions(state: Any) -> None:
    assert len(state.owners) == 50


@given(strategies.tries(GAME))
def test_tries_are_judged_without_fail(tried: tuple[Any, Any]) -> None:
    found = GAME.check(*tried)
    assert found is None or found.rule.startswith("SW-")


def test_scripted_dice_fall_as_written_and_run_out() -> None:
    dice = Scripted([6, 5, "red"])
    assert dice.results((Dice(2), Bag(1, (("red", 1),))), 0) == ((6, 5), ("red",))
    with pytest.raises(AssertionError, match="no more dice"):
        dice.results((Dice(1),), 1)
