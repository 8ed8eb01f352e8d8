"""Events from the bodies of lines: decoded all at once where that is quick, singly where something is wrong.

Lists and mappings in events may take fifty times the room that their line takes. Where a stretch of a record
holds so many of them, its events are kept as the bodies they stand in (`gamelog.play.fold.event_list`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.common import LOOSE
from gamelog.play.fold.event_list import EventList, decoder, tags
from gamelog.play.fold.findings import Finding
from gamelog.record import chain, strict_json
from gamelog.record.envelope import EVENT_VERSION, Event

STRETCH = 1 << 20
"""Bytes of bodies that are decoded at once."""

_COMMA, LIST, MAPPING = 64, 104, 240
"""Bytes that decoding makes, at most, of what stands before a comma, of a list and of a mapping."""

_ROOM = 6
"""Times the size of its lines that a stretch may take decoded; what would take more is kept as it stands."""

_encoder = msgspec.json.Encoder()
_tags: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


def decode(game: AnyGame, bodies: Sequence[bytes], first: int = 1) -> tuple[EventList, Finding | None]:
    """The events in `bodies`, numbered from `first`, up to one that does not decode, and why it does not."""
    events = EventList(game)
    for begin, end in _stretches(bodies):
        some = bodies[begin:end]
        found, problem = _decode(game, some, first + begin)
        events += found
        if end - begin < len(bodies) and _heavy(some):
            events.lighten(some[: len(found)])
        if problem:
            return events, problem
    return events, None


def _stretches(bodies: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Where stretches of `STRETCH` bytes begin and end, each of at least one body."""
    ends = [0, *accumulate(map(len, bodies))]
    begin = 0
    while begin < len(bodies):
        end = max(begin + 1, bisect_right(ends, ends[begin] + STRETCH) - 1)
        yield begin, end
        begin = end


def _heavy(bodies: Sequence[bytes]) -> bool:
    """Whether the events in `bodies` may take more than their share."""
    text = b"".join(bodies)
    parts = _COMMA * text.count(b",") + LIST * text.count(b"[") + MAPPING * text.count(b"{")
    return parts > _ROOM * (len(text) + chain.PREFIX * len(bodies))


def _decode(game: AnyGame, bodies: Sequence[bytes], first: int) -> tuple[list[Event], Finding | None]:
    """The same for one stretch.

    All of it is decoded in one call, and encoded again in one: a line that comes out the same
    holds no duplicate members, and a game judges its own numbers. Only other lines, and the few
    common events of which a member may be anything, are looked at one by one.
    """
    text = b"{" + b"{".join(bodies) if bodies else b""
    try:
        events: list[Event] = decoder(game).decode_lines(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _decode_singly(game, bodies, first)
    if len(events) != len(bodies):
        return _decode_singly(game, bodies, first)
    canonical = _encoder.encode_lines(events) == text
    if canonical and LOOSE.isdisjoint(set(map(type, events))):
        return events, None
    for at, (event, body) in enumerate(zip(events, bodies, strict=True)):
        if type(event) in LOOSE or not (canonical or _encoder.encode(event) + b"\n" == b"{" + body):
            problem = strict_json.check_line(body)
            if problem:
                return events[:at], Finding("record.json", problem, n=first + at)
    return events, None


def _decode_singly(game: AnyGame, bodies: Sequence[bytes], first: int) -> tuple[list[Event], Finding | None]:
    events: list[Event] = []
    for n, body in enumerate(bodies, first):
        problem = strict_json.check_line(body)
        if problem:
            return events, Finding("record.json", problem, n=n)
        try:
            events.append(decoder(game).decode(b"{" + body))
        except msgspec.ValidationError as error:
            members = _tags.decode(b"{" + body)
            tag, version = members.get("do"), members.get("v", 1)
            if type(version) is int and version != EVENT_VERSION:
                text = f"the event is of version {version} (v); only version {EVENT_VERSION} is known here"
                return events, Finding("play.unknown_event", text, n=n)
            if isinstance(tag, str) and tag not in tags(game):
                text = (
                    f'{game.title} {game.rules_version} has no event "{tag}"; a newer version may have '
                    "written it"
                )
                return events, Finding("play.unknown_event", text, n=n)
            return events, Finding("record.members", f'the event "{tag}" does not fit its type: {error}', n=n)
    return events, None
