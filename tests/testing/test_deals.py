"""Tests of the kit with a deal that keeps a part of a shuffled deck, and with unordered mappings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gamelog import game
from gamelog.chance.draws import results_problem
from gamelog.chance.stream import draw_results
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.digest import play_digest
from gamelog.testing.conformance import Conformance
from gamelog.testing.plays import play
from tests.testing.deals import DECK, TOP, WHOLE, Deal, apply, check, game_with

GROUPS = [
    "test_due_chance_is_checked",
    "test_a_canonical_event_is_the_same_play",
    "test_events_outside_a_complete_list_are_refused",
    "test_folding_is_pure",
]


def run_check(found: AnyGame, name: str) -> None:
    """Run the check `name` of the kit on a game."""
    kit: Any = type("Kit", (Conformance,), {"game": found})()
    getattr(kit, name)()


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("draw", [WHOLE, TOP], ids=["whole", "top"])
def test_a_deal_that_keeps_part_of_the_deck_passes_the_kit(draw: game.Shuffle, name: str) -> None:
    run_check(game_with(draw), name)


@pytest.mark.parametrize("draw", [WHOLE, TOP], ids=["whole", "top"])
def test_a_deal_with_a_card_twice_is_found(draw: game.Shuffle) -> None:
    lax = replace(
        game_with(draw), check=lambda state, event: None if isinstance(event, Deal) else check(state, event)
    )
    with pytest.raises(
        AssertionError, match=r"may record the chance that is due for table|although it cannot be drawn"
    ):
        run_check(lax, "test_due_chance_is_checked")


def test_the_top_of_a_deck_does_not_depend_on_the_number_of_dealt_cards() -> None:
    [whole] = draw_results(b"key", b"", (WHOLE,))
    assert sorted(map(str, whole)) == sorted(DECK)
    for dealt in range(len(DECK) + 1):
        draw = game.Shuffle(DECK, dealt=dealt)
        [top] = draw_results(b"key", b"", (draw,))
        assert top == whole[:dealt]
        assert results_problem((draw,), (top,)) is None
    assert str(results_problem((TOP,), (whole,))) == "4 draws are due, but 6 are given"


def test_the_order_of_mappings_does_not_change_the_digest() -> None:
    found = play(game_with(TOP))
    deal = found.events[0]
    assert isinstance(deal, Deal)
    turned = Deal(deal.n, deal.t, deal.by, dict(reversed(deal.hands.items())))
    digests = set()
    for first in (deal, turned):
        fold = Fold(found.header, found.game)
        assert fold.extend([first, *found.events[1:]]) is None
        digests.add(play_digest(fold, fold.events))
    assert len(digests) == 1


def test_a_game_that_depends_on_the_order_of_a_mapping_is_found() -> None:
    def by_place(state: Any, event: Any) -> Any:
        after = apply(state, event)
        return replace_hands(after, event) if isinstance(event, Deal) else after

    def replace_hands(state: Any, event: Deal) -> Any:
        return type(state)(state.setup, tuple(event.hands.values()), state.shown)

    with pytest.raises(AssertionError, match="mappings have no order"):
        run_check(replace(game_with(TOP), apply=by_place), "test_a_canonical_event_is_the_same_play")


def test_a_cut_list_is_not_complete() -> None:
    assert game.Legal((), cut=True) == game.Legal((), complete=False, cut=True)
    assert game.Legal(()).complete
