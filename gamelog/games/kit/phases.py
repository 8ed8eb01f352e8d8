"""What is due in each phase of a game, and why anything else is refused."""

from __future__ import annotations

from collections.abc import Mapping

from gamelog.game import Event, Outcome, Violation, forbids

Due = Mapping[str, tuple[str, str]]
"""For each phase the rule that says what is due, and the same in words."""


def not_due(due: Due, phase: str, ended_by: Mapping[str, str], outcome: Outcome | None) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due, or that ended the game."""
    return forbids(*due[phase]) if outcome is None else forbids(ended_by[outcome.reason], "the game is over")


def not_on_turn(rule: str, seat: str, event: Event) -> Violation:
    """That it is the turn of `seat`, against `rule`."""
    return forbids(rule, "it is {@turn}'s turn, not {@by}'s", turn=seat, by=event.by)


def unknown(rule: str, kind: str, name: str) -> Violation:
    """That the board has no place `name` of that `kind`, against `rule`."""
    return forbids(rule, 'the board has no {kind} "{=name}"', kind=kind, name=name)
