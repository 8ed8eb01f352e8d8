"""Members of events as people type them: words of the game, numbers, lists and pairs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import structs

from gamelog.message import Message
from gamelog.record.envelope import Event, tag_of
from gamelog_cli.errors import Misread

Vocabulary = Mapping[str, Collection[str]]
"""Names in a position by how people type them, in lower case; several if the typed form is ambiguous."""

NAME = re.compile(r"[^,=+]+")
"""A name inside a typed member."""

_EMPTY_MAPPING = "nothing"
"""Typed form of an empty mapping."""

_COMMON_MEMBERS = frozenset(Event.__struct_fields__)
"""Members that every event has."""


def has_prefix(name: str, start: str) -> bool:
    """Return whether `name` begins with `start` without splitting a number: 3 does not begin 31."""
    return name.startswith(start) and not (start[-1:].isdigit() and name[len(start) :][:1].isdigit())


def has_suffix(name: str, end: str) -> bool:
    """Return whether `name` ends with `end` without splitting a number: 5 does not end p15."""
    return name.endswith(end) and not (end[:1].isdigit() and name[: len(name) - len(end)][-1:].isdigit())


@cache
def own_members(kind: type[Event]) -> tuple[structs.FieldInfo, ...]:
    """Return the members of an event type that not every event has."""
    return tuple(field for field in structs.fields(kind) if field.name not in _COMMON_MEMBERS)


def placeholders(kind: type[Event]) -> list[str]:
    """Return placeholders for the members of an event type, for instructions."""
    return [field.encode_name.upper() for field in own_members(kind)]


def event_words(event: Event) -> list[str]:
    """Return the words that people type for `event`."""
    fields = own_members(type(event))
    values = [getattr(event, field.name) for field in fields]
    while values and not fields[len(values) - 1].required and values[-1] == fields[len(values) - 1].default:
        values.pop()
    return [tag_of(type(event)), *(_word(msgspec.to_builtins(value)) for value in values)]


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}={_word(item)}" for name, item in value.items()) or _EMPTY_MAPPING
    if isinstance(value, list | tuple):
        return ",".join(map(_word, value))
    if value is None:
        return "-"
    return str(value)


def vocabulary(words: Iterable[str], people: Iterable[tuple[str, str]] = ()) -> Vocabulary:
    """Return `words` and people by how they are typed, in lower case."""
    names_by_typed: dict[str, set[str]] = {}
    for typed, full_name in (*((word.casefold(), word) for word in words), *people):
        names_by_typed.setdefault(typed, set()).add(full_name)
    return names_by_typed


def join_list_words(fields: Sequence[structs.FieldInfo], given: list[str]) -> list[str]:
    """Return one word for each member. A list at the end takes all remaining words."""
    if fields and len(given) > len(fields) and _is_list(fields[-1]):
        return [*given[: len(fields) - 1], ",".join(given[len(fields) - 1 :])]
    return given


def required_count(fields: Sequence[structs.FieldInfo]) -> int:
    """Return the number of members that have no default."""
    return len([field for field in fields if field.required])


def fits_members(kind: type[Event], given: list[str], known: Vocabulary) -> bool:
    """Return whether the `given` words can be the members of an event of this `kind`.

    Their number and types must fit, and the position must have the names.
    """
    fields = own_members(kind)
    parts = join_list_words(fields, given)
    if not max(1, required_count(fields)) <= len(parts) <= len(fields):
        return False
    try:
        values = [member_value(field, word) for field, word in zip(fields, parts, strict=False)]
    except Misread:
        return False
    named = [word for value, word in zip(values, parts, strict=True) if value == word or _is_name(value)]
    return all(name.casefold() in known or name.isdecimal() for word in named for name in NAME.findall(word))


def _is_name(value: Any) -> bool:
    """Return whether the `value` of a member is a name or contains names."""
    return not isinstance(value, int) and not (
        isinstance(value, dict) and all(isinstance(item, int) for item in value.values())
    )


def _is_list(field: structs.FieldInfo) -> bool:
    shape = msgspec.inspect.type_info(field.type)
    return isinstance(
        shape, msgspec.inspect.VarTupleType | msgspec.inspect.ListType | msgspec.inspect.TupleType
    )


def spelled_as_known(word: str, known: Vocabulary) -> str:
    """Return `word` with the game's spelling of each name that is not ambiguous."""

    def name(match: re.Match[str]) -> str:
        spellings = known.get(match[0].casefold(), ())
        return match[0] if match[0] in spellings or len(spellings) != 1 else next(iter(spellings))

    return NAME.sub(name, word)


def member_value(field: structs.FieldInfo, word: str) -> Any:
    """Return the value that `word` gives to a member.

    Raises:
        Misread: The member cannot have this value.
    """
    shape = msgspec.inspect.type_info(field.type)
    parts: Any = word
    if isinstance(shape, msgspec.inspect.DictType | msgspec.inspect.StructType):
        pairs = [part.partition("=") for part in word.split(",")]
        if word != _EMPTY_MAPPING and not all(equals for _, equals, _ in pairs):
            raise _misfit(
                field, word, Message.of("Type pairs with commas between them: NAME=VALUE,NAME=VALUE")
            )
        parts = (
            {}
            if word == _EMPTY_MAPPING
            else {name: value.split("+") if "+" in value else value for name, _, value in pairs}
        )
    elif _is_list(field):
        parts = word.split(",")
    try:
        return msgspec.to_builtins(msgspec.convert(parts, field.type, strict=False))
    except msgspec.ValidationError:
        raise _misfit(field, word, _expected(shape)) from None


def _misfit(field: structs.FieldInfo, word: str, hint: Message) -> Misread:
    text = '"{=word}" does not fit {=member}. {hint}.'
    return Misread(Message.of(text, word=word, member=field.encode_name, hint=hint))


def _expected(shape: msgspec.inspect.Type) -> Message:
    """Return an instruction to type a value of type `shape`."""
    item: msgspec.inspect.Type | None = None
    match shape:
        case (
            msgspec.inspect.VarTupleType(item_type=item_type) | msgspec.inspect.ListType(item_type=item_type)
        ):
            item = item_type
        case msgspec.inspect.TupleType(item_types=(item_type, *_)):
            item = item_type
        case msgspec.inspect.LiteralType(values=values):
            return Message.of("Type one of: {=values}", values=", ".join(map(str, values)))
        case msgspec.inspect.IntType(ge=int(low), le=int(high)):
            return Message.of("Type a whole number from {low} to {high}", low=low, high=high)
        case msgspec.inspect.IntType():
            return Message.of("Type a whole number")
    if isinstance(item, msgspec.inspect.IntType):
        return Message.of("Type whole numbers with commas between them")
    return Message.of("Type another value")
