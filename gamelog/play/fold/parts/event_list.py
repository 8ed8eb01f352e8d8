"""The events of a fold, first to last. Events that would fill the memory are kept as encoded bodies.

Lists and mappings in events can take fifty times the memory of their line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from operator import eq
from typing import Any, Self, Union, overload

import msgspec

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.game_calls import raise_only_errors
from gamelog.play.fold import common_events
from gamelog.play.fold.parts.copying import FoldPart
from gamelog.record import chain
from gamelog.record.envelope import Event, tag_of

_COMMA, _LIST, _MAPPING = 64, 104, 240
"""Maximum number of bytes that decoding allocates per comma, per list and per mapping."""

_MAX_DECODED_RATIO = 6
"""Maximum memory of decoded events, in multiples of the size of their lines. Larger stretches stay
encoded.
"""


class Decoder:
    """The decoder of a game's events and the common events.

    Its type is loose because the union is built at run time. An event may have a ``__post_init__``, which is
    code of the game.
    """

    def __init__(self, game: AnyGame) -> None:
        decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
            Union[(*common_events.EVENTS, *game.events)]
        )
        self.decode: Callable[[bytes], Any] = raise_only_errors(decoder.decode)
        self.decode_lines: Callable[[bytes], list[Any]] = raise_only_errors(decoder.decode_lines)


@cache
def decoder(game: AnyGame) -> Decoder:
    """Return the decoder of a game's events and the common events."""
    return Decoder(game)


@cache
def tags(game: AnyGame) -> frozenset[str]:
    """Return the tags that this version knows in records of `game`."""
    return frozenset(tag_of(kind) for kind in (*common_events.EVENTS, *game.events))


class EventList(FoldPart, Sequence[Event]):
    """Events, first to last. Events that would fill the memory are kept as bodies, in slices too."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._stored: list[Any] = []
        self._encoded: list[tuple[int, int]] = []

    def _decode(self, body: bytes) -> Event:
        event: Event = decoder(self._game).decode(b"{" + body)
        return event

    def append(self, event: Event) -> None:
        """Append one event."""
        self._stored.append(event)

    def __iadd__(self, events: Iterable[Event]) -> Self:
        """Append `events`. Events of another list that are kept as bodies stay bodies."""
        if isinstance(events, EventList):
            self._encoded += [(begin + len(self), end + len(self)) for begin, end in events._encoded]
        self._stored += events._stored if isinstance(events, EventList) else events
        return self

    def compact(self, bodies: Sequence[bytes]) -> None:
        """Keep the last events as their `bodies` if they would take too much memory."""
        text = b"".join(bodies)
        parts = _COMMA * text.count(b",") + _LIST * text.count(b"[") + _MAPPING * text.count(b"{")
        if parts > _MAX_DECODED_RATIO * (len(text) + chain.PREFIX_BYTES * len(bodies)):
            self.keep_encoded(bodies)

    def keep_encoded(self, bodies: Sequence[bytes]) -> None:
        """Keep the last events as their `bodies`."""
        end = len(self)
        if bodies:
            self._stored[end - len(bodies) :] = bodies
            self._encoded.append((end - len(bodies), end))

    def stretches(self) -> Iterator[tuple[list[Event], list[bytes]]]:
        """Yield the decoded events stretch by stretch, each with its bodies if they are kept."""
        index = 0
        for begin, end in [*self._encoded, (len(self), len(self))]:
            if index < begin:
                yield self._stored[index:begin] if self._encoded else self._stored, []
            if begin < end:
                yield list(map(self._decode, self._stored[begin:end])), self._stored[begin:end]
            index = end

    def __len__(self) -> int:
        return len(self._stored)

    def __iter__(self) -> Iterator[Event]:
        if self._encoded:
            return (self._decode(stored) if type(stored) is bytes else stored for stored in self._stored)
        return iter(self._stored)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> EventList: ...
    def __getitem__(self, index: int | slice) -> Event | EventList:
        """Return the event at an index from 0, or the events of a slice as another list."""
        stored: Any = self._stored[index]
        if isinstance(index, slice):
            part = EventList(self._game)
            part._stored = stored
            begin, end, _ = index.indices(len(self))
            within = ((max(first, begin), min(last, end)) for first, last in self._encoded)
            part._encoded = [(first - begin, last - begin) for first, last in within if first < last]
            return part
        event: Event = self._decode(stored) if type(stored) is bytes else stored
        return event

    def __delitem__(self, index: slice) -> None:
        """Remove the last events, from the beginning of the slice on."""
        remaining = self[: index.start]
        self._stored, self._encoded = remaining._stored, remaining._encoded

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # the list is mutable
