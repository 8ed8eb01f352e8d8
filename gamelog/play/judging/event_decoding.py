"""Decoding of events from lines: many at once, or one by one if something is wrong."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

import msgspec

from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.common_events import ARBITRARY_DATA_TYPES
from gamelog.play.fold.parts.event_list import Decoder, EventList, decoder, tags
from gamelog.record import strict_json
from gamelog.record.envelope import EVENT_VERSION, Event

STRETCH_BYTES = 1 << 20
"""Number of bytes that are decoded at once."""

_encoder = msgspec.json.Encoder()
_tags: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


def decode(game: AnyGame, bodies: Sequence[bytes], first: int = 1) -> tuple[EventList, Finding | None]:
    """Return the events in `bodies`, numbered from `first`, and why the first bad one cannot be decoded."""
    events, read = EventList(game), decoder(game)
    for begin, end in _stretches(bodies):
        stretch = bodies[begin:end]
        text = b"{" + b"{".join(stretch)
        try:
            decoded: list[Event] = read.decode_lines(text)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            decoded = []
        if len(decoded) != len(stretch):
            decoded = list(_decode_singly(read, stretch))
        good, problem = _count_good(decoded, stretch, text)
        events += decoded if good == len(decoded) else decoded[:good]
        if end - begin < len(bodies):
            events.compact(stretch[:good])
        n = first + begin + good
        if problem:
            return events, Finding.of("record.json", problem, n=n)
        if good < len(stretch):
            return events, _decoding_problem(game, stretch[good], n)
    return events, None


def _stretches(bodies: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of parts of `STRETCH_BYTES` bytes, each with at least one body."""
    ends = [0, *accumulate(map(len, bodies))]
    begin = 0
    while begin < len(bodies):
        end = max(begin + 1, bisect_right(ends, ends[begin] + STRETCH_BYTES) - 1)
        yield begin, end
        begin = end


def _decode_singly(read: Decoder, bodies: Sequence[bytes]) -> Iterator[Event]:
    """Yield the events in `bodies`, up to the first that cannot be decoded."""
    with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        for body in bodies:
            yield read.decode(b"{" + body)


def _count_good(events: Sequence[Event], bodies: Sequence[bytes], text: bytes) -> tuple[int, Message | None]:
    """Return the number of good `events` at the beginning of `bodies`, and the problem of the next body.

    A line that is the same when it is encoded again has no duplicate members, and the game checks its own
    numbers. Only other lines, and the few common events with a member of any type, are checked one by one.
    """
    canonical = _encoder.encode_lines(events) == text
    if canonical and ARBITRARY_DATA_TYPES.isdisjoint(set(map(type, events))):
        return len(events), None
    for position, body in enumerate(bodies[: len(events) + 1]):
        event = events[position] if position < len(events) else None
        is_strict = event is not None and type(event) not in ARBITRARY_DATA_TYPES
        is_same = is_strict and (canonical or _encoder.encode(event) + b"\n" == b"{" + body)
        problem = None if is_same else strict_json.line_problem(body)
        if problem:
            return position, problem
    return len(events), None


def _decoding_problem(game: AnyGame, body: bytes, n: int) -> Finding:
    """Return the finding that says why `body`, the good JSON of event `n`, is not an event of the game."""
    members = _tags.decode(b"{" + body)
    tag, version = members.get("do"), members.get("v", 1)
    if type(version) is int and version != EVENT_VERSION:
        text = Message.of(
            "the event has version {=v}, but this release of Gamelog reads only version {n}",
            v=version,
            n=EVENT_VERSION,
        )
        return Finding.of("play.unknown_event", text, n=n)
    if isinstance(tag, str) and tag not in tags(game):
        text = Message.of(
            '{=game} has no event "{=tag}"; a newer version of the game may have recorded the event',
            game=f"{game.title} {game.rules_version}",
            tag=tag,
        )
        return Finding.of("play.unknown_event", text, n=n)
    try:
        decoder(game).decode(b"{" + body)
    except msgspec.ValidationError as error:
        return Finding.of(
            "record.members",
            Message.of(
                'the event "{=tag}" does not have the right members: {=error}', tag=str(tag), error=str(error)
            ),
            n=n,
        )
    raise AssertionError("it decodes now")
