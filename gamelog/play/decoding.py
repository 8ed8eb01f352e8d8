"""Events from the bodies of lines: decoded all at once where that is quick, singly where something is wrong.

Lists and mappings in events may take fifty times the room that their line takes. Where a stretch of a record holds so many
of them, its events are kept as the bodies they stand in, and decoded when somebody asks for them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import cache
from itertools import accumulate
from operator import eq
from typing import Any, Self, Union, overload

import msgspec

from gamelog.play import common
from gamelog.play.findings import Finding
from gamelog.play.game import AnyGame
from gamelog.play.narrate import tag_of
from gamelog.record import chain, strict
from gamelog.record.envelope import VERSION, Event

COMMON = frozenset(common.COMMON)

STRETCH = 1 << 20
"""Bytes of bodies that are decoded at once."""

COMMA, LIST, MAPPING = 64, 104, 240
"""Bytes that decoding makes, at most, of what stands before a comma, of a list and of a mapping."""

ROOM = 6
"""Times the size of its lines that a stretch may take decoded; what would take more is kept as it stands."""

_encoder = msgspec.json.Encoder()
_tags: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


class Kept(Sequence[Event]):
    """Events in their order, those that would fill the memory as the bodies they stand in. Slices are kept alike."""

    def __init__(self, game: AnyGame) -> None:
        self._read: Callable[[bytes], Event] = lambda body: decoder(game).decode(b"{" + body)
        self._held: list[Any] = []
        self._heavy: list[tuple[int, int]] = []

    def append(self, event: Event) -> None:
        """Take up one event."""
        self._held.append(event)

    def __iadd__(self, events: Iterable[Event]) -> Self:
        """Take up `events`; those of others that are kept as bodies stay so."""
        if isinstance(events, Kept):
            self._heavy += [(begin + len(self), end + len(self)) for begin, end in events._heavy]
        self._held += events._held if isinstance(events, Kept) else events
        return self

    def lighten(self, bodies: Sequence[bytes]) -> None:
        """Keep the last events as their `bodies`."""
        end = len(self)
        if bodies:
            self._held[end - len(bodies) :] = bodies
            self._heavy.append((end - len(bodies), end))

    def stretches(self) -> Iterator[tuple[list[Event], list[bytes]]]:
        """All events, decoded, a stretch at a time; with it the bodies, where it is kept as these."""
        at = 0
        for begin, end in [*self._heavy, (len(self), len(self))]:
            if at < begin:
                yield self._held[at:begin] if self._heavy else self._held, []
            if begin < end:
                yield list(map(self._read, self._held[begin:end])), self._held[begin:end]
            at = end

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Event]:
        return (self._read(held) if type(held) is bytes else held for held in self._held) if self._heavy else iter(self._held)

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> Kept: ...
    def __getitem__(self, at: int | slice) -> Event | Kept:
        held: Any = self._held[at]
        if isinstance(at, slice):
            begin, end, _ = at.indices(len(self))
            some = copy(self)
            some._held = held
            within = ((max(one, begin), min(other, end)) for one, other in self._heavy)
            some._heavy = [(one - begin, other - begin) for one, other in within if one < other]
            return some
        one: Event = self._read(held) if type(held) is bytes else held
        return one

    def __delitem__(self, at: slice) -> None:
        """Let go of the last events, from the beginning of the slice on."""
        left = self[: at.start]
        self._held, self._heavy = left._held, left._heavy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment] # it changes


def decode(game: AnyGame, bodies: Sequence[bytes], first: int = 1) -> tuple[Kept, Finding | None]:
    """The events in `bodies`, numbered from `first`, up to one that does not decode, and why it does not."""
    events = Kept(game)
    for begin, end in _stretches(bodies):
        some = bodies[begin:end]
        found, wrong = _decode(game, some, first + begin)
        events += found
        if end - begin < len(bodies) and _heavy(some):
            events.lighten(some[: len(found)])
        if wrong:
            return events, wrong
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
    parts = COMMA * text.count(b",") + LIST * text.count(b"[") + MAPPING * text.count(b"{")
    return parts > ROOM * (len(text) + chain.PREFIX * len(bodies))


@cache
def decoder(game: AnyGame) -> msgspec.json.Decoder[Any]:
    """The decoder of a game's events and the common ones. Its type is loose: the union is made at run time."""
    return msgspec.json.Decoder(Union[(*common.COMMON, *game.events)])


@cache
def tags(game: AnyGame) -> frozenset[str]:
    """The tags this version knows in records of `game`."""
    return frozenset(tag_of(kind) for kind in (*common.COMMON, *game.events))


def _decode(game: AnyGame, bodies: Sequence[bytes], first: int) -> tuple[list[Event], Finding | None]:
    """The same for one stretch.

    All of it is decoded in one call, and encoded again in one: a line that comes out the same
    holds no duplicate members, and a game judges its own numbers. Only other lines, and the few
    common events, whose members may be anything, are looked at one by one.
    """
    text = b"{" + b"{".join(bodies) if bodies else b""
    try:
        events: list[Event] = decoder(game).decode_lines(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _decode_singly(game, bodies, first)
    if len(events) != len(bodies):
        return _decode_singly(game, bodies, first)
    canonical = _encoder.encode_lines(events) == text
    if canonical and COMMON.isdisjoint(map(type, events)):
        return events, None
    for at, (event, body) in enumerate(zip(events, bodies, strict=True)):
        if type(event) in COMMON or not (canonical or _encoder.encode(event) + b"\n" == b"{" + body):
            unsound = strict.check(body)
            if unsound:
                return events[:at], Finding("record.json", unsound, n=first + at)
    return events, None


def _decode_singly(game: AnyGame, bodies: Sequence[bytes], first: int) -> tuple[list[Event], Finding | None]:
    events: list[Event] = []
    for n, body in enumerate(bodies, first):
        unsound = strict.check(body)
        if unsound:
            return events, Finding("record.json", unsound, n=n)
        try:
            events.append(decoder(game).decode(b"{" + body))
        except msgspec.ValidationError as error:
            members = _tags.decode(b"{" + body)
            tag, version = members.get("do"), members.get("v", 1)
            if type(version) is int and version != VERSION:
                text = f"the event is of version {version} (v); only version {VERSION} is known here"
                return events, Finding("play.unknown_event", text, n=n)
            if isinstance(tag, str) and tag not in tags(game):
                text = f'{game.title} {game.rules_version} has no event "{tag}"; a newer version may have written it'
                return events, Finding("play.unknown_event", text, n=n)
            return events, Finding("record.members", f'the event "{tag}" does not fit its type: {error}', n=n)
    return events, None
