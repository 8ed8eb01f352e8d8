"""A deal keeps a part of a shuffled deck, and mappings in it have no order."""

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
from gamelog.testing.random_play import play
from tests.testing.deals import DECK, TOP, WHOLE, Deal, apply, check, made

GROUPS = [
    "test_chance_is_owed_and_judged",
    "test_a_canonical_event_is_the_same_play",
    "test_where_the_list_is_complete_all_others_are_refused",
    "test_folding_is_pure",
]


def tried(found: AnyGame, name: str) -> None:
    kit: Any = type("Kit", (Conformance,), {"game": found})()
    getattr(kit, name)()


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("draw", [WHOLE, TOP], ids=["whole", "top"])
def test_a_deal_that_keeps_part_of_the_deck_passes_the_kit(draw: game.Shuffle, name: str) -> None:
    tried(made(draw), name)


@pytest.mark.parametrize("draw", [WHOLE, TOP], ids=["whole", "top"])
def test_a_deal_that_may_hold_a_card_twice_is_found(draw: game.Shuffle) -> None:
    lax = replace(
        made(draw), check=lambda state, event: None if isinstance(event, Deal) else check(state, event)
    )
    with pytest.raises(AssertionError, match=r"may record what table owes|though it cannot be drawn"):
        tried(lax, "test_chance_is_owed_and_judged")


def test_the_top_of_a_deck_is_the_same_however_many_cards_are_dealt() -> None:
    [whole] = draw_results(b"key", b"", (WHOLE,))
    assert sorted(map(str, whole)) == sorted(DECK)
    for dealt in range(len(DECK) + 1):
        draw = game.Shuffle(DECK, dealt=dealt)
        [top] = draw_results(b"key", b"", (draw,))
        assert top == whole[:dealt]
        assert results_problem((draw,), (top,)) is None
    assert str(results_problem((TOP,), (whole,))) == "4 draws are due, but 6 are given"


def test_mappings_have_one_digest_in_any_order() -> None:
    found = play(made(TOP))
    deal = found.events[0]
    assert isinstance(deal, Deal)
    turned = Deal(deal.n, deal.t, deal.by, dict(reversed(deal.hands.items())))
    digests = set()
    for first in (deal, turned):
        fold = Fold(found.header, found.game)
        assert fold.extend([first, *found.events[1:]]) is None
        digests.add(play_digest(fold, fold.events))
    assert len(digests) == 1


def test_a_game_that_goes_by_the_order_of_a_mapping_is_found() -> None:
    def by_place(state: Any, event: Any) -> Any:
        after = apply(state, event)
        return replace_hands(after, event) if isinstance(event, Deal) else after

    def replace_hands(state: Any, event: Deal) -> Any:
        return type(state)(state.setup, tuple(event.hands.values()), state.shown)

    with pytest.raises(AssertionError, match="mappings have no order"):
        tried(replace(made(TOP), apply=by_place), "test_a_canonical_event_is_the_same_play")


def test_a_list_that_is_cut_is_not_complete() -> None:
    assert game.Legal((), cut=True) == game.Legal((), complete=False, cut=True)
    assert game.Legal(()).complete
