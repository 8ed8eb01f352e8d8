"""What has no order by the rules, put in order: so two score sheets of one game say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from gamelog.game import Event

EventT = TypeVar("EventT", bound=Event)


def in_order(loose: Mapping[Any, tuple[str, ...]]) -> Callable[[EventT], EventT]:
    """A `canonical` for `Game`, of the members of each event type that have no order.

    Dice of a hand and sets of places are sorted; so are rolls and hands by whose they are, and the dice of
    each hand.
    """

    def canonical(event: EventT) -> EventT:
        members = loose.get(type(event))
        if members is None:
            return event
        ordered: dict[str, Any] = {}
        for name in members:
            value = getattr(event, name)
            ordered[name] = tuple(sorted(value)) if type(value) is tuple else _sorted(value)
        return replace(event, **ordered)

    return canonical


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return tuple(sorted(value)) if isinstance(value, tuple) else value
