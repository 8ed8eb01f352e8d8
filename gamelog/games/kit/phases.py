"""What is due in each phase of a game, and why anything else is refused."""

from __future__ import annotations

from collections.abc import Mapping

from gamelog.game import Event, Outcome, Violation, who

Due = Mapping[str, tuple[str, str]]
"""For each phase the rule that says what is due, and the same in words."""


def not_due(due: Due, phase: str, ended_by: Mapping[str, str], outcome: Outcome | None) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due, or that ended the game."""
    return (
        Violation(*due[phase]) if outcome is None else Violation(ended_by[outcome.reason], "the game is over")
    )


def not_on_turn(rule: str, seat: str, event: Event) -> Violation:
    """That it is the turn of `seat`, against `rule`."""
    return Violation(rule, f"it is {who(seat)}'s turn, not {who(event.by)}'s")


def unknown(rule: str, kind: str, name: str) -> Violation:
    """That the board has no place `name` of that `kind`, against `rule`."""
    return Violation(rule, f'the board has no {kind} "{name}"')
