"""What has no order by the rules, put in order: so two score sheets of one game say the same."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.games.kit.order import in_order
from gamelog.games.zone_control.events import ORDERLESS, Event, Occupy

_canonical = in_order(ORDERLESS)


def canonical(event: Event) -> Event:
    """`event` with the members in order that have none by themselves, and who moves in where paired in order.

    The pieces of a seat are alike, so it matters which squares they leave and enter, not which of them enters
    which (ZC-21).
    """
    if type(event) is not Occupy:
        return _canonical(event)
    squares = event.placement
    return replace(event, placement=dict(zip(sorted(squares), sorted(squares.values()), strict=True)))
