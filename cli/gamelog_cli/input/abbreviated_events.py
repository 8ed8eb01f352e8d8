"""Events that are typed with parts of their words: the ends or the beginnings of names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TypeVar

from gamelog.record.envelope import Event
from gamelog_cli.input.typed_members import has_prefix, has_suffix

_EventT = TypeVar("_EventT", bound=Event)

_SEPARATORS = re.compile("[,=+]")


def matching_events(
    listed: Iterable[tuple[_EventT, list[str]]],
    given: list[str],
    known: Collection[str],
    *,
    partial: bool = True,
) -> list[_EventT]:
    """Return the events that the words in `given` can mean.

    First they are the events whose last names end with the words, and the events whose names, in order, all
    begin with the words. If there are none and `partial` is true, they are the events of which only some
    names begin with the words. Without any word, all events match.

    Args:
        listed: Each event with its words, its tag left out.
        given: The typed words. A comma, an equals sign or a plus divides a word too.
        known: Names in the position. A known name matches only itself.
        partial: Whether an event can match with some of its names.
    """
    parts = [part for word in given for part in _SEPARATORS.split(word.casefold()) if part]
    known_parts = {part for part in parts if part in known}
    matching: list[_EventT] = []
    partly_matching: list[_EventT] = []
    for event, words in listed:
        names = [name for word in words for name in _SEPARATORS.split(word.casefold())]
        if not known_parts <= set(names):
            continue
        last = names[len(names) - len(parts) :]
        ends_match = len(parts) <= len(names) and all(
            name == part or (part not in known_parts and has_suffix(name, part))
            for name, part in zip(last, parts, strict=True)
        )
        if ends_match or _match_beginnings(names, parts, every=True):
            matching.append(event)
        elif _match_beginnings(names, parts):
            partly_matching.append(event)
    return matching or (partly_matching if partial else [])


def _match_beginnings(names: list[str], parts: list[str], every: bool = False) -> bool:
    """Return whether `parts` are beginnings of some `names` in order; ``yh6`` matches ``yellow`` and ``h6``.

    No number is split, neither in a name nor in the typed text. With `every`, no name is left out.
    """
    if not parts or not names:
        return not parts and not (every and names)
    first, *rest = parts
    return any(
        has_prefix(names[0], first[:size])
        and has_prefix(first, first[:size])
        and _match_beginnings(names[1:], [first[size:], *rest] if first[size:] else rest, every)
        for size in range(1, min(len(first), len(names[0])) + 1)
    ) or (not every and _match_beginnings(names[1:], parts))
