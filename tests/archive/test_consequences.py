"""Tests of consequences of games whose effects are defined for legal events only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gamelog.archive.rows.consequences import fold_consequences
from gamelog.play.contract.effects import Effect
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event
from tests.play.tables import GAME, header, push


class Claimed(Effect, frozen=True, tag="claimed"):
    """An effect without content."""


def effects_of(before: Any, event: Event, _after: Any) -> tuple[Effect, ...]:
    """Return one effect of a legal event, and fail for an illegal one."""
    assert GAME.check(before, event) is None
    return (Claimed(),)


def numbers(fold: Fold, out_of_turn: str) -> list[int]:
    assert push(fold, "start_roll", "table", rolls={"red": 6, "blue": 5}) is None
    assert push(fold, "claim", "red", at="A1") is None
    assert push(fold, "claim", out_of_turn, at="A2", as_played=True) is None
    return fold_consequences(fold, list(fold.events), [True] * fold.n)[Claimed].numbers


def test_an_illegal_event_that_stood_brings_nothing_and_breaks_nothing() -> None:
    assert numbers(Fold(header(), replace(GAME, effects=effects_of)), "red") == [1, 2]


def test_a_legal_event_without_a_change_has_consequences() -> None:
    def still(before: Any, event: Event) -> Any:
        return before if event.n == 2 else GAME.apply(before, event)

    assert numbers(Fold(header(), replace(GAME, effects=effects_of, apply=still)), "blue") == [1, 2]
