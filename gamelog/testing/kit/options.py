"""Values of options, found by their types: the switches thrown, the ends of ranges, the other words."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, structs
from msgspec import inspect as types

_NUMBERS = (0, 1, 2, 4, 10, 100, 1_000)
"""Tried where a number may be anything; the range is the game's to state."""

WILD: tuple[Any, ...] = (-1, -(2**53), 2**53 - 1, "", "?", None, [], {}, 0.5, True)
"""What hardly any option can mean: accepted or refused, but never by a crash."""


def accepted(options: type[Struct], given: dict[str, Any]) -> Struct | None:
    """The options with what is `given`, or None where their type refuses it. All else is raised."""
    try:
        return msgspec.convert(given, options)
    except (msgspec.ValidationError, ValueError):
        return None


def variations(options: type[Struct]) -> list[dict[str, Any]]:
    """One changed option each: every value that the types show and the options accept, once."""
    found: dict[bytes, dict[str, Any]] = {}
    default = msgspec.json.encode(accepted(options, {}))
    for field in structs.fields(options):
        for value in _values(types.type_info(field.type)):
            given = {field.encode_name: value}
            made = accepted(options, given)
            if made is not None:
                found.setdefault(msgspec.json.encode(made), given)
    return [given for form, given in found.items() if form != default]


def stated(options: type[Struct]) -> set[tuple[str, Any]]:
    """The options and values that a type says: words, switches, the ends and middle of a closed range."""
    return {
        (field.encode_name, value)
        for field in structs.fields(options)
        for value in _stated(types.type_info(field.type))
    }


def invalid_options(options: type[Struct]) -> list[dict[str, Any]]:
    """One option each, out of its range or of another type."""
    return [{field.encode_name: value} for field in structs.fields(options) for value in WILD]


def _stated(shape: types.Type) -> list[Any]:
    """The values that a type names."""
    match shape:
        case types.BoolType():
            return [False, True]
        case types.LiteralType(values=values):
            return list(values)
        case types.EnumType(cls=cls):
            return [member.value for member in cls]
        case types.IntType() | types.FloatType():
            return _range(shape)
        case types.NoneType():
            return [None]
        case types.UnionType(types=parts):
            return [value for part in parts for value in _stated(part)]
    return []


def _range(shape: types.IntType | types.FloatType) -> list[Any]:
    """Both ends of a range and what lies in the middle; nothing where an end is open."""
    step = 1 if isinstance(shape, types.IntType) else 0.0
    least = shape.ge if shape.ge is not None else None if shape.gt is None else shape.gt + step
    most = shape.le if shape.le is not None else None if shape.lt is None else shape.lt - step
    if least is None or most is None or shape.multiple_of:
        return []
    return [least, (least + most) // 2 if step else (least + most) / 2, most]


def _values(shape: types.Type) -> list[Any]:
    """The values that are tried: those that a type names, and of numbers some more."""
    match shape:
        case types.IntType(ge=least, le=most):
            return [*_NUMBERS, *(end for end in (least, most) if end is not None), *_range(shape)]
        case types.UnionType(types=parts):
            return [value for part in parts for value in _values(part)]
    return _stated(shape)
