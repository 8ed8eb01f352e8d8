"""The kit itself: it passes what is right, and it finds what is wrong."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from msgspec import structs

from gamelog.chance.draws import Bag, Dice
from gamelog.errors import CannotApply
from gamelog.play.game import AnyGame, Legal, Violation
from gamelog.play.registry import find
from gamelog.play.translation import Translation
from gamelog.testing import strategies
from gamelog.testing.conformance import Conformance
from gamelog.testing.dice import Scripted
from gamelog.testing.plays import Play

GAME = find("slicewars")


def _never(*_given: object) -> None:
    return None


def _forgets_one(state: Any) -> Legal:
    legal = GAME.legal(state)
    return Legal(legal.events[1:] or legal.events, legal.complete)


def _takes_any_dice(state: Any, event: Any) -> Violation | None:
    found = GAME.check(state, event)
    return None if isinstance(event, GAME.chance_events) else found


def _unknown_rule(state: Any, event: Any) -> Violation | None:
    found = GAME.check(state, event)
    return Violation("SW-99", found.text) if found else None


def _lopsided(state: Any, seat: str | None) -> Any:
    scene = GAME.scene(state, seat)
    return structs.replace(scene, fills=(("nowhere", "red"),))


def _asks_for_more(language: str) -> Translation:
    return Translation({**GAME.translation(language).phrases, "claim": "{@by} ocupa {zone}."})


FAULTS: dict[str, tuple[AnyGame, str]] = {
    "accepts everything": (replace(GAME, check=_never), "test_where_the_list_is_complete_all_others_are_refused"),
    "forgets a legal event": (replace(GAME, legal=_forgets_one), "test_where_the_list_is_complete_all_others_are_refused"),
    "takes any dice": (replace(GAME, check=_takes_any_dice), "test_chance_is_owed_and_judged"),
    "cites a rule there is not": (replace(GAME, check=_unknown_rule), "test_every_violation_names_a_rule"),
    "draws beside the board": (replace(GAME, scene=_lopsided), "test_scenes_and_sentences_never_fail"),
    "lacks a phrase": (replace(GAME, phrases={}), "test_phrases_fit_what_they_speak_of"),
    "translates wrongly": (replace(GAME, translation=_asks_for_more), "test_translations_ask_for_what_the_english_asks_for"),
    "watches too little for its points": (
        replace(find("dice_flags"), scored=("flags",)),
        "test_points_hang_on_the_members_named_alone",
    ),
    "watches a member it has not": (replace(GAME, scored=("land",)), "test_points_hang_on_the_members_named_alone"),
    "forgets a seat's score": (replace(GAME, score=lambda _state: {}), "test_scores_speak_of_the_seats"),
    "has two seats of one name": (replace(GAME, seats={2: ("red", "red")}), "test_names_collide_with_nothing"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    game, check = FAULTS[fault]
    kit = type("Kit", (Conformance,), {"game": game})()
    with pytest.raises((AssertionError, CannotApply, ValueError, KeyError)):
        getattr(kit, check)()


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
