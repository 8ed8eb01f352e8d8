"""Events that are typed with parts of their words: the ends or the beginnings of names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TypeVar

from gamelog.record.envelope import Event
from gamelog_cli.typed_members import begins, ends

_Listed = TypeVar("_Listed", bound=Event)

_PARTED = re.compile("[,=+]")


def matching_events(
    listed: Iterable[tuple[_Listed, list[str]]],
    given: list[str],
    known: Collection[str],
    last_names: Collection[str] = (),
) -> list[_Listed]:
    """Return the events that the words in `given` can mean.

    If the last names of any event end with the given words, only such events are returned. Otherwise, events
    with names that begin with these words are returned. Without any word, all events match.

    Args:
        listed: Each event with its words, its tag left out.
        given: The typed words. A comma, an equals sign or a plus divides a word too.
        known: Names in the position. A known name matches only itself.
        last_names: Names in the last decision. If several events end with the given words, an event with one
            of these names is preferred.
    """
    parts = [part for word in given for part in _PARTED.split(word.casefold()) if part]
    named = {part for part in parts if part in known}
    events_at_the_end: list[tuple[_Listed, list[str]]] = []
    anywhere: list[_Listed] = []
    for event, words in listed:
        names = [name for word in words for name in _PARTED.split(word.casefold())]
        if not named <= set(names):
            continue
        if len(parts) <= len(names) and all(map(ends, names[len(names) - len(parts) :], parts)):
            events_at_the_end.append((event, words))
        if _spelled(names, parts):
            anywhere.append(event)
    return prefer_last_piece(events_at_the_end, last_names) or anywhere


def _spelled(names: list[str], parts: list[str]) -> bool:
    """Return whether `parts` are beginnings of some `names` in order; ``yh6`` matches ``yellow`` and ``h6``.

    No number is split, neither in a name nor in the typed text.
    """
    if not parts or not names:
        return not parts
    first, *rest = parts
    return any(
        begins(names[0], first[:size])
        and begins(first, first[:size])
        and _spelled(names[1:], [first[size:], *rest] if first[size:] else rest)
        for size in range(1, min(len(first), len(names[0])) + 1)
    ) or _spelled(names[1:], parts)


def prefer_last_piece(
    listed: Iterable[tuple[_Listed, list[str]]], last_names: Collection[str]
) -> list[_Listed]:
    """Return the only event of `listed` with one of `last_names`, or all events if there is not exactly one.

    `last_names` are the names in the last decision of the player, so the piece that moved last moves again.
    """
    pairs = list(listed)
    moving_again = [
        event
        for event, words in pairs
        if any(name in last_names for word in words[:-1] for name in names_in_word(word))
    ]
    return moving_again if len(moving_again) == 1 else [event for event, _ in pairs]


def names_in_word(word: str) -> list[str]:
    """Return the names in the typed form of a member, in lower case. Numbers are not names."""
    return [name for name in _PARTED.split(word.casefold()) if name and not name.isdecimal()]
