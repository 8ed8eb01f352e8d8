"""The canonical order of members that have no order by the rules, so that score sheets of one game agree."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.games.kit.order import in_order
from gamelog.games.zone_control.events import ORDERLESS, Event, Occupy

_canonical = in_order(ORDERLESS)


def canonical(event: Event) -> Event:
    """Return `event` with the members in order that have none by themselves.

    The pieces of a seat are alike. So an `Occupy` depends on the squares that they leave and enter, not on
    the pairs (ZC-21).
    """
    if type(event) is not Occupy:
        return _canonical(event)
    squares = event.placement
    return replace(event, placement=dict(zip(sorted(squares), sorted(squares.values()), strict=True)))
