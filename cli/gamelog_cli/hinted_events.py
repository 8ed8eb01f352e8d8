"""What is enough to tell an event from all else that may be played: how its names end or begin."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TypeVar

from gamelog.record.envelope import Event
from gamelog_cli.typed_members import begins, ends

_Listed = TypeVar("_Listed", bound=Event)

_PARTED = re.compile("[,=+]")


def hinted(
    listed: Iterable[tuple[_Listed, list[str]]],
    given: list[str],
    known: Collection[str],
    kept: Collection[str] = (),
) -> list[_Listed]:
    """The events `listed` with their words of which what is `given` is how the last words end, else how some
    names begin.

    Nothing that is given is enough for the only one. What is `known` as the name of something means that and
    nothing
    longer. Of several that end so, the one that begins with a `kept` name is meant.
    """
    parts = [part for word in given for part in _PARTED.split(word.casefold()) if part]
    named = {part for part in parts if part in known}
    at_the_end: list[tuple[_Listed, list[str]]] = []
    anywhere: list[_Listed] = []
    for event, words in listed:
        names = [name for word in words for name in _PARTED.split(word.casefold())]
        if not named <= set(names):
            continue
        if len(parts) <= len(names) and all(map(ends, names[len(names) - len(parts) :], parts)):
            at_the_end.append((event, words))
        if _spelled(names, parts):
            anywhere.append(event)
    return walking_on(at_the_end, kept) or anywhere


def _spelled(names: list[str], parts: list[str]) -> bool:
    """Whether `parts` are how some of `names` begin, in their order; ``yh6`` are ``yellow`` and ``h6``.

    No number is cut in two: neither that of a name nor one that is typed.
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


def walking_on(listed: Iterable[tuple[_Listed, list[str]]], kept: Collection[str]) -> list[_Listed]:
    """The only one of the events `listed` with their words that begins with a name that is `kept`, of who
    moved last say; else all.
    """
    every = list(listed)
    again = [
        event
        for event, words in every
        if any(name in kept for word in words[:-1] for name in own_names(word))
    ]
    return again if len(again) == 1 else [event for event, _ in every]


def own_names(word: str) -> list[str]:
    """The names in a member as it is typed, without case; numbers name nothing."""
    return [name for name in _PARTED.split(word.casefold()) if name and not name.isdecimal()]
