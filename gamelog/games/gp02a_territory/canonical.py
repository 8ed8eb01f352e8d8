"""What has no order by the rules, put in order: so two score sheets of one game say the same."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.games.gp02a_territory.events import DealCards, Distribute, Event


def canonical(event: Event) -> Event:
    """`event` with the seats to which turn cards go sorted. Chips have no order anyway; all else has one."""
    if type(event) is DealCards or type(event) is Distribute:
        return replace(event, cards=dict(sorted(event.cards.items())))
    return event
