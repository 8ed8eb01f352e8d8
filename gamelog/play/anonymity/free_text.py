"""Free text in plain values and in events: the strings that people typed, by type.

A ``str`` is free text unless its type is `SeatId` or `GameWord` (`gamelog.record.envelope`) and the string is
one of these words. Numbers, truth values, literals and enums contain no free text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, cast

from msgspec import Struct, structs
from msgspec import inspect as types

from gamelog.play.visibility.findings import LEFT_OUT

ValueT = TypeVar("ValueT")

Path = tuple[str | int, ...]
"""The keys and indices that lead to a value inside plain data."""


class Vocabulary(Struct, frozen=True):
    """The words that stay in an anonymous record.

    Attributes:
        seats: Words in strings that are seats.
        game: Words in strings that are the game's own.
        plain: Words in other strings.
    """

    seats: Collection[str]
    game: Collection[str] = ()
    plain: Collection[str] = ()

    def clean(self, event: ValueT) -> ValueT:
        """Return `event`, or another struct, without its free texts."""
        cleaned: ValueT = self._clean(event, _shape(cast("type[Struct]", type(event))), self.plain)
        return cleaned

    def _clean(self, value: Any, shape: types.Type, known: Collection[str]) -> Any:
        """Return `value`, of the type `shape`, without strings that are not `known`.

        Values of fixed sets and keys of structs stay. Repeated removed keys of a mapping get numbers.
        """
        match shape:
            case types.Metadata(type=inner, extra=extra):
                known_names = {"seat": self.seats, "game": self.game}.get(
                    str((extra or {}).get("names")), known
                )
                return self._clean(value, inner, known_names)
            case types.StructType(fields=fields) if isinstance(value, Struct):
                members = {
                    field.name: self._clean(getattr(value, field.name), field.type, known) for field in fields
                }
                return structs.replace(value, **members)
            case types.DictType(key_type=key, value_type=inner):
                names = [self._clean(name, key, known) for name in value]
                return {
                    f"{LEFT_OUT}{at}" if name == LEFT_OUT else name: self._clean(item, inner, known)
                    for at, (name, item) in enumerate(zip(names, value.values(), strict=True), 1)
                }
            case types.TupleType(item_types=shapes):
                return tuple(
                    self._clean(item, item_type, known) for item, item_type in zip(value, shapes, strict=True)
                )
            case types.CollectionType(item_type=inner) if not isinstance(value, str | bytes):
                return type(value)(self._clean(item, inner, known) for item in value)
            case types.UnionType(types=shapes):
                return self._clean(value, _kind_in(value, shapes), known)
            case types.LiteralType() | types.EnumType():
                return value
            case _:
                return without_words(value, known)


def without_words(value: Any, known: Collection[str] = ()) -> Any:
    """Return plain data without the strings that are not `known` words."""
    match value:
        case str():
            return value if not value or value in known else LEFT_OUT
        case bytes():
            return b""
        case Mapping():
            return {
                name if name in known else f"{LEFT_OUT}{at}": without_words(item, known)
                for at, (name, item) in enumerate(value.items(), 1)
            }
        case list() | tuple() | set() | frozenset():
            return type(value)(without_words(item, known) for item in value)
        case _:
            return value


def words_in(value: Any) -> Iterator[str]:
    """Yield every string in plain data, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from words_in(name)
            yield from words_in(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from words_in(item)


def places_of_words(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield each string in plain data, keys left out, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from places_of_words(item, (*path, name))
    elif isinstance(value, list | tuple):
        for at, item in enumerate(value):
            yield from places_of_words(item, (*path, at))


def with_word(value: Any, path: Path, word: str) -> Any:
    """Return plain data with `word` at `path`."""
    if not path:
        return word
    if isinstance(value, Mapping):
        return {
            name: with_word(item, path[1:], word) if name == path[0] else item for name, item in value.items()
        }
    return [with_word(item, path[1:], word) if at == path[0] else item for at, item in enumerate(value)]


@cache
def _shape(kind: type[Struct]) -> types.Type:
    return types.type_info(kind)


def _kind_in(value: Any, several: tuple[types.Type, ...]) -> types.Type:
    """Return the type in a union that fits `value`, or ``AnyType`` if two types fit."""
    fitting = [kind for kind in several if isinstance(kind, types.NoneType) == (value is None)]
    if isinstance(value, Struct):
        fitting = [kind for kind in fitting if isinstance(kind, types.StructType) and kind.cls is type(value)]
    return fitting[0] if len(fitting) == 1 else types.AnyType()
