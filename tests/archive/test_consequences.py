"""Tests of consequences of games whose effects are defined for legal events only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gamelog.archive.rows.consequences import effect_columns, fold_consequences
from gamelog.play.contract.effects import Effect
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import Event
from tests.play.tables import GAME, header, push


class Claimed(Effect, frozen=True, tag="claimed"):
    """An effect without content."""


class Expected(Effect, frozen=True, tag="expected"):
    """A forecast without content."""

    is_forecast = True


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


def test_archives_keep_what_happened_and_no_forecasts() -> None:
    fold = Fold(header(), replace(GAME, effects=lambda *_: (Expected(), Claimed())))
    assert push(fold, "start_roll", "table", rolls={"red": 6, "blue": 5}) is None
    happened = fold_consequences(fold, list(fold.events), [True])
    assert happened[Expected].numbers == [1]
    columns = effect_columns({kind: [rows] for kind, rows in happened.items()})
    assert columns["facts"]["kind"] == ["claimed"]
