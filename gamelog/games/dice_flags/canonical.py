"""What has no order by the rules, put in order: so two score sheets of one game say the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gamelog.games.dice_flags.events import Battle, Event, Roll, StartRoll

Hands = dict[str, tuple[int, ...]]


def canonical(event: Event) -> Event:
    """`event` with the dice of a roll, of which the general chooses the first (DF-A3), and of each soldier in a battle sorted.

    A way has an order, and so have the moves.
    """
    sort = SORTS.get(type(event))
    return event if sort is None else sort(event)


def _start_roll(event: StartRoll) -> Event:
    return replace(event, rolls=dict(sorted(event.rolls.items())))


def _roll(event: Roll) -> Event:
    return replace(event, dice=tuple(sorted(event.dice)))


def _battle(event: Battle) -> Event:
    return replace(event, attackers=_hands(event.attackers), defenders=_hands(event.defenders))


def _hands(hands: Hands) -> Hands:
    return {soldier: tuple(sorted(dice)) for soldier, dice in sorted(hands.items())}


SORTS: dict[type[Event], Callable[[Any], Event]] = {StartRoll: _start_roll, Roll: _roll, Battle: _battle}
"""How an event of each kind is put in order; the others have nothing without an order."""
