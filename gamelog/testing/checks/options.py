"""Values of options that follow from their types: switches, ends of ranges, and words."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, structs
from msgspec import inspect as types

from gamelog.play.contract.option_fields import without_description

_NUMBERS = (0, 1, 2, 4, 10, 100, 1_000)
"""Numbers that are tried if the type has no range."""

_ODD_VALUES: tuple[Any, ...] = (-1, -(2**53), 2**53 - 1, "", "?", None, [], {}, 0.5, True)
"""Values that almost no option accepts. They must be accepted or refused without a crash."""


def convert_options(options: type[Struct], given: dict[str, Any]) -> Struct | None:
    """Return the options with the `given` values, or None if their type refuses the values.

    Any other exception is raised.
    """
    try:
        return msgspec.convert(given, options)
    except (msgspec.ValidationError, ValueError):
        return None


def variations(options: type[Struct]) -> list[dict[str, Any]]:
    """Return options with one change each, for all values that the types name and the options accept."""
    variants: dict[bytes, dict[str, Any]] = {}
    default = msgspec.json.encode(convert_options(options, {}))
    for field in structs.fields(options):
        for value in _values(types.type_info(field.type)):
            given = {field.encode_name: value}
            made = convert_options(options, given)
            if made is not None:
                variants.setdefault(msgspec.json.encode(made), given)
    return [given for form, given in variants.items() if form != default]


def named_values(options: type[Struct]) -> set[tuple[str, Any]]:
    """Return each option with the values that its type names: words, switches, ends and middle of a range."""
    return {
        (field.encode_name, value)
        for field in structs.fields(options)
        for value in _named_values(types.type_info(field.type))
    }


def invalid_options(options: type[Struct]) -> list[dict[str, Any]]:
    """Return sets of options, each with one value that is out of range or of the wrong type."""
    return [{field.encode_name: value} for field in structs.fields(options) for value in _ODD_VALUES]


def _named_values(shape: types.Type) -> list[Any]:
    """Return the values that a type names."""
    shape = without_description(shape)
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
            return [value for part in parts for value in _named_values(part)]
    return []


def _range(shape: types.IntType | types.FloatType) -> list[Any]:
    """Return both ends and the middle of a range, or nothing if an end is open."""
    step = 1 if isinstance(shape, types.IntType) else 0.0
    least = shape.ge if shape.ge is not None else None if shape.gt is None else shape.gt + step
    most = shape.le if shape.le is not None else None if shape.lt is None else shape.lt - step
    if least is None or most is None or shape.multiple_of:
        return []
    return [least, (least + most) // 2 if step else (least + most) / 2, most]


def _values(shape: types.Type) -> list[Any]:
    """Return the values to try: the values that a type names, and some more numbers."""
    shape = without_description(shape)
    match shape:
        case types.IntType(ge=least, le=most):
            return [*_NUMBERS, *(end for end in (least, most) if end is not None), *_range(shape)]
        case types.UnionType(types=parts):
            return [value for part in parts for value in _values(part)]
    return _named_values(shape)
