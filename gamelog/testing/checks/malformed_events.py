"""Malformed events: events with wrong members, and events of kinds that were not played in the sample.

Members are out of range, exchanged, missing, repeated, or from another event or seat. A record could contain
each event: it fits its type and can be decoded from JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import inspect as types
from msgspec import structs

from gamelog.chance.rng import Random
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.parts.event_list import decoder
from gamelog.record.envelope import ARBITER, MAX_INT, STAMP_FIELDS, STAMP_MEMBERS, TABLE, Event, tag_of

_NUMBERS = (-MAX_INT, -7, -1, 0, 1, 2, 3, 6, 7, 9, 10, 99, MAX_INT)
"""Numbers that a malformed event can have."""
STRANGE_WORDS = ("", "?", "-1", "0", "nowhere", "table", "a" * 300, "\u202e\x1b[2J\n")
"""Texts that are not names in most games, for malformed events."""


class MalformedEvents:
    """A generator of malformed events from the events of a sample, by tag."""

    def __init__(self, game: AnyGame, kinds: Mapping[str, list[Event]], seats: tuple[str, ...]) -> None:
        self._game = game
        self._kinds = [kind for kind in kinds.values() if kind]
        self._seats = seats
        self._by = (*seats, *seats, TABLE, ARBITER)
        self._words = sorted(strings(kinds) | set(seats))
        self._never = [kind for kind in game.events if not kinds.get(tag_of(kind))]

    def random_events(
        self, rng: Random, count: int, near: Event | None = None, by: tuple[str, ...] = ()
    ) -> Iterator[Event]:
        """Yield about `count` events.

        Args:
            rng: The random generator.
            count: About the number of events; some changes give no event.
            near: An event of which half of the events are copies with one changed member, or None.
            by: The seats that are the authors of most events; without any, all seats may be.
        """
        for at in range(count):
            if self._never and at % 4 == 3:
                event = self._new_event(rng.choice(self._never), rng)
            elif near is not None and at % 2:
                event = self._change(near, rng)
            else:
                event = self._change(rng.choice(rng.choice(self._kinds)), rng)
                if event is not None and by and at % 8:
                    event = structs.replace(event, by=rng.choice(by))
            if event is not None:
                yield event

    def targeted_events(self, by: tuple[str, ...]) -> Iterator[Event]:
        """Yield one event of each kind by each seat in `by`, with each seat of the game as its target."""
        for kind in self._kinds:
            members: dict[str, Any] = msgspec.to_builtins(kind[0])
            for name in [
                name
                for name, value in members.items()
                if name not in STAMP_FIELDS and isinstance(value, str) and value in self._seats
            ]:
                for actor in by:
                    for seat in self._seats:
                        event = self._decode({**members, "n": 1, "by": actor, name: seat})
                        if event is not None:
                            yield event

    def _new_event(self, kind: type[Event], rng: Random) -> Event | None:
        """Return an event of a kind that is not in the sample, with random members of the right types."""
        own = [field for field in structs.fields(kind) if field.name not in STAMP_FIELDS]
        members = {field.encode_name: self._value(types.type_info(field.type), rng) for field in own}
        members |= {"do": tag_of(kind), "n": 1, "t": 0, "by": rng.choice(self._by)}
        return self._decode(members)

    def _value(self, shape: types.Type, rng: Random) -> Any:
        """Return a random value of this type."""
        match shape:
            case types.BoolType():
                return rng.random() < 0.5
            case types.IntType():
                return rng.choice(_NUMBERS)
            case types.StrType():
                return rng.choice(self._words)
            case types.LiteralType(values=values):
                return rng.choice(values)
            case types.UnionType(types=parts):
                return self._value(rng.choice(parts), rng)
            case (
                types.ListType(item_type=item)
                | types.VarTupleType(item_type=item)
                | types.SetType(item_type=item)
            ):
                return [self._value(item, rng) for _ in range(rng.randrange(4))]
            case types.TupleType(item_types=items):
                return [self._value(item, rng) for item in items]
            case types.DictType(key_type=key, value_type=value):
                return {self._value(key, rng): self._value(value, rng) for _ in range(rng.randrange(4))}
            case types.StructType(fields=fields):
                return {field.encode_name: self._value(field.type, rng) for field in fields}
        return None

    def _decode(self, members: dict[str, Any]) -> Event | None:
        """Return the event with these members, or None if they do not fit its type."""
        try:
            event: Event = decoder(self._game).decode(msgspec.json.encode(members))
        except (msgspec.ValidationError, msgspec.DecodeError):
            return None
        return structs.replace(event, n=0)

    def _change(self, event: Event, rng: Random) -> Event | None:
        """Return `event` with another actor or one changed member, or None if its type refuses it."""
        members: dict[str, Any] = msgspec.to_builtins(event)
        own = [name for name in members if name not in STAMP_MEMBERS]
        if not own or rng.random() < 0.25:
            return structs.replace(event, n=0, t=event.t, by=rng.choice(self._by))
        name = rng.choice(own)
        others = [other for other in rng.choice(self._kinds) if type(other) is type(event)]
        if others and rng.random() < 0.3:
            members[name] = msgspec.to_builtins(getattr(rng.choice(others), name))
        else:
            members[name] = self.spoil(members[name], rng)
        return self._decode(members)

    def spoil(self, value: Any, rng: Random) -> Any:
        """Return `value` with one error, but with the same type."""
        match value:
            case bool():
                return not value
            case int():
                return rng.choice((*_NUMBERS, value - 1, value + 1, -value))
            case str():
                return rng.choice((*STRANGE_WORDS, *self._words, *self._words))
            case list():
                return self._list(value, rng)
            case dict():
                return self._mapping(value, rng)
        return rng.choice((None, *_NUMBERS, *self._words))

    def _list(self, value: list[Any], rng: Random) -> list[Any]:
        """Return a list with a part removed, repeated, reversed or spoiled."""
        items = list(value)
        if not items:
            return [rng.choice((*_NUMBERS, *self._words))]
        at = rng.randrange(len(items))
        match rng.randrange(6):
            case 0:
                return items[:at] + items[at + 1 :]
            case 1:
                return [*items, items[at]]
            case 2:
                return items[::-1]
            case 3:
                return []
            case 4:
                return items * 50
        items[at] = self.spoil(items[at], rng)
        return items

    def _mapping(self, value: dict[str, Any], rng: Random) -> dict[str, Any]:
        """Return a mapping with a key removed or added, or a value spoiled."""
        items = dict(value)
        if not items:
            return {rng.choice(self._words or STRANGE_WORDS): rng.choice(_NUMBERS)}
        key = rng.choice(list(items))
        match rng.randrange(4):
            case 0:
                del items[key]
            case 1:
                items[rng.choice((*STRANGE_WORDS, *self._words))] = items[key]
            case _:
                items[key] = self.spoil(items[key], rng)
        return items


def strings(kinds: Mapping[str, list[Event]]) -> set[str]:
    """Return the words in the events of a sample."""
    return {word for kind in kinds.values() for event in kind[:50] for word in _words(_own_values(event))}


def _own_values(event: Event) -> list[Any]:
    members = msgspec.to_builtins(event)
    return [value for name, value in members.items() if name not in STAMP_MEMBERS]


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _words(item)
