"""What has no order by the rules, put in order: so two score sheets of one game say the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gamelog.games.slicewars.events import Battle, Event, RemovalRoll, Remove, StartRoll


def canonical(event: Event) -> Event:
    """`event` with the dice of a hand (SW-12: they are added up), the removed territories and the rolling seats sorted."""
    sort = SORTS.get(type(event))
    return event if sort is None else sort(event)


def _roll(event: RemovalRoll | StartRoll) -> Event:
    return replace(event, rolls=dict(sorted(event.rolls.items())))


def _remove(event: Remove) -> Event:
    return replace(event, at=tuple(sorted(event.at)))


def _battle(event: Battle) -> Event:
    return replace(event, attack=tuple(sorted(event.attack)), defence=tuple(sorted(event.defence)))


SORTS: dict[type[Event], Callable[[Any], Event]] = {
    RemovalRoll: _roll,
    Remove: _remove,
    StartRoll: _roll,
    Battle: _battle,
}
"""How an event of each kind is put in order; the others have nothing without an order."""
