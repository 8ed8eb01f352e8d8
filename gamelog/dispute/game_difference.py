"""The difference between two headers that do not belong to one game."""

from __future__ import annotations

from typing import Any

import msgspec

from gamelog.message import Message, verbatim
from gamelog.record.envelope import Header
from gamelog.record.escaping import differing_excerpts, shorten

MAX_OPTIONS = 4
"""Maximum number of different options that a message names."""

_NOT_GIVEN = "not given"

_DIFFERENT = {
    "game": "the games are {=one} and {=other}",
    "rules": "the rules are {=one} and {=other}",
    "board": "the boards are {=one} and {=other}",
}
"""Clauses on headers of different games, by the member that differs."""


def game_difference(a: Header, b: Header) -> Message | None:
    """Return the reason why the headers belong to different games, or None if they belong to one game."""
    for name, text in _DIFFERENT.items():
        if getattr(a, name) != getattr(b, name):
            excerpt_a, excerpt_b = _excerpts(getattr(a, name), getattr(b, name))
            return Message.of(text, one=excerpt_a, other=excerpt_b)
    names = [name for name in {**a.options, **b.options} if not _is_same_option(a, b, name)]
    if names:
        named = [_option_difference(a, b, name) for name in names[:MAX_OPTIONS]]
        named += [verbatim("…")] if len(names) > MAX_OPTIONS else []
        return Message.of("the options are different ({options})", options=Message.join(named))
    if a.seat_ids != b.seat_ids:
        text = "the seats are {=one} and {=other}"
        return Message.of(text, one=", ".join(a.seat_ids), other=", ".join(b.seat_ids))
    return None


def _is_same_option(a: Header, b: Header, name: str) -> bool:
    return name in a.options and name in b.options and bool(a.options[name] == b.options[name])


def _option_difference(a: Header, b: Header, name: str) -> Message:
    texts = _excerpts(a.options.get(name, _NOT_GIVEN), b.options.get(name, _NOT_GIVEN))
    one, other = (
        verbatim(text) if name in header.options else Message(_NOT_GIVEN)
        for text, header in zip(texts, (a, b), strict=True)
    )
    return Message.of("{=name}: {one} and {other}", name=shorten(name), one=one, other=other)


def _excerpts(one: Any, other: Any) -> tuple[str, str]:
    """Return two values as JSON, each cut to the part that differs."""
    return differing_excerpts(msgspec.json.encode(one).decode(), msgspec.json.encode(other).decode())
