"""What is enough to tell an event from all else that may be played: how its names end or begin."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TypeVar

from gamelog.record.envelope import Event

_Listed = TypeVar("_Listed", bound=Event)

_PARTED = re.compile("[,=+]")


def hinted(
    listed: Iterable[tuple[_Listed, list[str]]], given: list[str], known: Collection[str]
) -> list[_Listed]:
    """The events `listed` with their words of which what is `given` is how the last words end, else how some
    names begin.

    Nothing that is given is enough for the only one. What is `known` as the name of something means that and
    nothing longer.
    """
    parts = [part for word in given for part in _PARTED.split(word.casefold()) if part]
    named = {part for part in parts if part in known}
    at_the_end: list[_Listed] = []
    anywhere: list[_Listed] = []
    for event, words in listed:
        names = [name for word in words for name in _PARTED.split(word.casefold())]
        if not named <= set(names):
            continue
        if len(parts) <= len(names) and all(map(str.endswith, names[len(names) - len(parts) :], parts)):
            at_the_end.append(event)
        if _spelled(names, parts):
            anywhere.append(event)
    return at_the_end or anywhere


def _spelled(names: list[str], parts: list[str]) -> bool:
    """Whether `parts` are how some of `names` begin, in their order; ``yh6`` are ``yellow`` and ``h6``."""
    if not parts or not names:
        return not parts
    first, *rest = parts
    return any(
        first[:size] == names[0][:size]
        and _spelled(names[1:], [first[size:], *rest] if first[size:] else rest)
        for size in range(1, min(len(first), len(names[0])) + 1)
    ) or _spelled(names[1:], parts)
