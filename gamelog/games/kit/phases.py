"""The next event in each phase of a game, and the refusal of other events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from gamelog.game import Event, Outcome, Violation, forbids

_StateT = TypeVar("_StateT")

Due = Mapping[str, tuple[str, str]]
"""By phase: the rule that names the next event, and a sentence for it."""


def not_due(due: Due, phase: str, ended_by: Mapping[str, str], outcome: Outcome | None) -> Violation:
    """Return why an event of another phase is illegal.

    Args:
        due: For each phase, the rule that names the next event, and a sentence for it.
        phase: The phase of the position. It is not used after the end of the game.
        ended_by: For each reason of an outcome, the rule that ended the game.
        outcome: The result, or None during the game.
    """
    return forbids(*due[phase]) if outcome is None else forbids(ended_by[outcome.reason], "the game is over")


def due_rules(refused: Callable[[_StateT], Violation], state: _StateT) -> tuple[str, ...]:
    """Return the rule of the next event in `state`: the rule by which `refused` refuses other events."""
    return (refused(state).rule,)


def out_of_turn(rule: str, seat: str, event: Event) -> Violation:
    """Return the violation of `rule` by an event out of turn. `seat` is to move."""
    return forbids(rule, "it is {@turn}'s turn, not {@by}'s", turn=seat, by=event.by)


def unknown_place(rule: str, kind: str, name: str) -> Violation:
    """Return the violation of `rule` by an unknown place `name`. `kind` is the word for a place."""
    return forbids(rule, 'the board has no {kind} "{=name}"', kind=kind, name=name)
