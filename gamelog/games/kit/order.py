"""Sorted members of events whose order means nothing, so that two score sheets of one game agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from gamelog.game import Event

EventT = TypeVar("EventT", bound=Event)


def canonical_order(loose: Mapping[Any, tuple[str, ...]]) -> Callable[[EventT], EventT]:
    """Return a function for `Game.canonical` that sorts the members of each event type named in `loose`.

    Lists of dice and of places are sorted. Mappings are sorted by key, and so is each list in them.
    """

    def canonical(event: EventT) -> EventT:
        members = loose.get(type(event))
        if members is None:
            return event
        ordered: dict[str, Any] = {}
        for name in members:
            value = getattr(event, name)
            ordered[name] = tuple(sorted(value)) if type(value) is tuple else _sort_nested(value)
        return replace(event, **ordered)

    return canonical


def _sort_nested(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sort_nested(value[key]) for key in sorted(value)}
    return tuple(sorted(value)) if isinstance(value, tuple) else value
