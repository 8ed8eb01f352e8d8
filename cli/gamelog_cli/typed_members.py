"""The members of an event as people type them: words of the game, numbers, lists and pairs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import structs

from gamelog.record.envelope import Event, tag_of

Vocabulary = Mapping[str, Collection[str]]
"""Names of a position by how they are typed, without case: more than one where that does not say which is
meant.
"""

NAME = re.compile(r"[^,=+]+")

NOTHING = "nothing"
"""How a mapping without anything in it is typed."""

COMMON_MEMBERS = frozenset(Event.__struct_fields__)


def begins(name: str, start: str) -> bool:
    """Return whether `name` begins with `start`, which cuts no number in two: 3 does not begin 31."""
    return name.startswith(start) and not (start[-1:].isdigit() and name[len(start) :][:1].isdigit())


def ends(name: str, end: str) -> bool:
    """Return whether `name` ends with `end`, which cuts no number in two: 5 does not end p15."""
    return name.endswith(end) and not (end[:1].isdigit() and name[: len(name) - len(end)][-1:].isdigit())


class Misread(ValueError):
    """What was typed is not an event; the message says what would be."""


@cache
def own_members(kind: type[Event]) -> tuple[structs.FieldInfo, ...]:
    """The members of an event type that are its own."""
    return tuple(field for field in structs.fields(kind) if field.name not in COMMON_MEMBERS)


def blanks(kind: type[Event]) -> list[str]:
    """What stands for the members of such an event where people are told how it is typed."""
    return [field.encode_name.upper() for field in own_members(kind)]


def event_words(event: Event) -> list[str]:
    """An event as people would type it."""
    fields = own_members(type(event))
    values = [getattr(event, field.name) for field in fields]
    while values and not fields[len(values) - 1].required and values[-1] == fields[len(values) - 1].default:
        values.pop()
    return [tag_of(type(event)), *(_word(msgspec.to_builtins(value)) for value in values)]


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}={_word(item)}" for name, item in value.items()) or NOTHING
    if isinstance(value, list | tuple):
        return ",".join(map(_word, value))
    if value is None:
        return "-"
    return str(value)


def vocabulary(words: Iterable[str], people: Iterable[tuple[str, str]] = ()) -> Vocabulary:
    """What the words of a position are typed as: themselves in any case, players by their names as well."""
    made: dict[str, set[str]] = {}
    for typed, meant in (*((word.casefold(), word) for word in words), *people):
        made.setdefault(typed, set()).add(meant)
    return made


def gathered(fields: Sequence[structs.FieldInfo], given: list[str]) -> list[str]:
    """The words given, one for each member: a list at the end takes all that are left."""
    if fields and len(given) > len(fields) and _is_list(fields[-1]):
        return [*given[: len(fields) - 1], ",".join(given[len(fields) - 1 :])]
    return given


def required_count(fields: Sequence[structs.FieldInfo]) -> int:
    return len([field for field in fields if field.required])


def fits_members(kind: type[Event], given: list[str], known: Vocabulary) -> bool:
    """Whether the words given can be the members of such an event: in number, in kind, and as names that
    the position has.
    """
    fields = own_members(kind)
    parts = gathered(fields, given)
    if not max(1, required_count(fields)) <= len(parts) <= len(fields):
        return False
    try:
        values = [member_value(field, word) for field, word in zip(fields, parts, strict=False)]
    except Misread:
        return False
    named = [word for value, word in zip(values, parts, strict=True) if value == word or _is_name(value)]
    return all(name.casefold() in known or name.isdecimal() for word in named for name in NAME.findall(word))


def _is_name(value: Any) -> bool:
    """Whether a member holds names: itself, in a list, or as keys and values."""
    return not isinstance(value, int) and not (
        isinstance(value, dict) and all(isinstance(one, int) for one in value.values())
    )


def _is_list(field: structs.FieldInfo) -> bool:
    shape = msgspec.inspect.type_info(field.type)
    return isinstance(
        shape, msgspec.inspect.VarTupleType | msgspec.inspect.ListType | msgspec.inspect.TupleType
    )


def spelled_as_known(word: str, known: Vocabulary) -> str:
    """`word`, each of its names as the game writes it where it is clear which one is meant."""

    def name(match: re.Match[str]) -> str:
        meant = known.get(match[0].casefold(), ())
        return match[0] if match[0] in meant or len(meant) != 1 else next(iter(meant))

    return NAME.sub(name, word)


def member_value(field: structs.FieldInfo, word: str) -> Any:
    shape = msgspec.inspect.type_info(field.type)
    parts: Any = word
    if isinstance(shape, msgspec.inspect.DictType | msgspec.inspect.StructType):
        pairs = [part.partition("=") for part in word.split(",")]
        if word != NOTHING and not all(equals for _, equals, _ in pairs):
            raise Misread(f'"{word}" does not fit {field.encode_name}: write NAME=VALUE,…')
        parts = (
            {}
            if word == NOTHING
            else {name: value.split("+") if "+" in value else value for name, _, value in pairs}
        )
    elif _is_list(field):
        parts = word.split(",")
    try:
        return msgspec.to_builtins(msgspec.convert(parts, field.type, strict=False))
    except msgspec.ValidationError as error:
        raise Misread(f'"{word}" does not fit {field.encode_name}: {error}') from None
