"""Descriptions of a game's options, from which forms are made: title, meaning, possible values, rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec import NODEFAULT, Meta, Struct, inspect, structs

_NO_CHOICES: Mapping[Any, str] = MappingProxyType({})
"""The choices of an option whose values need no words."""


def option(
    title: str,
    meaning: str = "",
    *,
    rule: str = "",
    choices: Mapping[Any, str] = _NO_CHOICES,
    ge: int | None = None,
    le: int | None = None,
) -> Meta:
    """Return the description of an option, for ``Annotated[TYPE, option(...)]`` in a game's Options.

    People read the texts in their language: the game's ``locales`` translate them as ``words``.

    Args:
        title: The name of the option, for people.
        meaning: One sentence with a full stop.
        rule: The id of the rule or ruling that the option changes.
        choices: The words for each value, None included, in the order of the form.
        ge: The least number, or None if the type does not limit it here.
        le: The greatest number, or None.

    >>> option("Length", "Number of rounds.", ge=1, le=50).description
    'Number of rounds.'
    """
    extra = {"rule": rule, "choices": choices}
    return Meta(title=title, description=meaning, extra=extra, ge=ge, le=le)


class OptionField(Struct, frozen=True):
    """An option as a control of a form.

    Attributes:
        meaning: Sentence about the option.
        rule: Id of the rule that the option changes.
        kind: Kind of the control: a ``switch`` (true or false), a ``number``, a ``choice`` of one value,
            ``counts`` (a number for each of several names), or ``other`` for a value that has no control, for
            example a list.
        default: Value of a new game.
        least: Lowest number, or None if the type has no such limit.
        most: Highest number, or None if the type has no such limit.
        none: Text for no number (None); empty if there must be a number.
        choices: Value and text of each choice, or name and text of each of the ``counts``.
    """

    name: str
    title: str
    meaning: str
    rule: str
    kind: Literal["switch", "number", "choice", "counts", "other"]
    default: Any
    least: int | None = None
    most: int | None = None
    none: str = ""
    choices: tuple[tuple[Any, str], ...] = ()

    @property
    def values(self) -> tuple[Any, ...]:
        """Values that the type names, as plain data: no numbers of a range, and nothing for ``counts``."""
        match self.kind:
            case "switch":
                return (True, False)
            case "number" if self.none:
                return (None,)
            case "choice":
                return tuple(value for value, _ in self.choices)
        return ()


def option_fields(options: type[Struct]) -> tuple[OptionField, ...]:
    """Return the controls of a form for `options`, in their order. All texts are English."""
    return tuple(_fields(options))


def _fields(options: type[Struct]) -> Iterator[OptionField]:
    """Yield the description of each option, with its default as plain data."""
    described = inspect.type_info(options)
    assert isinstance(described, inspect.StructType)
    for field, member in zip(described.fields, structs.fields(options), strict=True):
        type_, meta = field.type, dict[str, Any]()
        while isinstance(type_, inspect.Metadata):
            meta |= (type_.extra_json_schema or {}) | (type_.extra or {})
            type_ = type_.type
        default = member.default_factory() if member.default is NODEFAULT else member.default
        words: Mapping[Any, str] = meta.get("choices", _NO_CHOICES)
        control = OptionField(
            field.encode_name,
            meta.get("title") or field.encode_name.replace("_", " "),
            meta.get("description", ""),
            meta.get("rule", ""),
            "other",
            msgspec.to_builtins(default),
        )
        yield _control(control, type_, words)


def _control(control: OptionField, type_: inspect.Type, words: Mapping[Any, str]) -> OptionField:
    """Return `control` with its kind and values, which follow from `type_`, and the `words` of its values."""

    def choice(values: tuple[Any, ...]) -> OptionField:
        ordered = [
            *(value for value in words if value in values),
            *(value for value in values if value not in words),
        ]
        return structs.replace(
            control,
            kind="choice",
            choices=tuple((value, words.get(value, _value_text(value))) for value in ordered),
        )

    match type_:
        case inspect.BoolType():
            return structs.replace(control, kind="switch")
        case inspect.IntType():
            least, most = _limits(type_)
            return structs.replace(control, kind="number", least=least, most=most)
        case inspect.LiteralType(values=values):
            return choice(tuple(values))
        case inspect.DictType(key_type=names, value_type=value) if isinstance(
            number := without_description(value), inspect.IntType
        ):
            least, most = _limits(number)
            control = structs.replace(control, least=least, most=most)
            if isinstance(names, inspect.LiteralType):
                control = structs.replace(choice(tuple(names.values)), kind="counts")
        case inspect.UnionType(types=types):
            parts = [without_description(part) for part in types]
            numbers = [part for part in parts if isinstance(part, inspect.IntType)]
            if numbers and type_.includes_none and len(parts) == 2:
                return structs.replace(_control(control, numbers[0], words), none=words.get(None, "no limit"))
            if words:
                return choice(tuple(words))
            if all(
                isinstance(part, inspect.LiteralType | inspect.NoneType | inspect.BoolType) for part in parts
            ):
                return choice(tuple(value for part in parts for value in _values(part)))
        case inspect.StrType() if words:
            return choice(tuple(words))
        case _:
            pass
    return control


def without_description(type_: inspect.Type) -> inspect.Type:
    """Return `type_` without its description, or itself if it has none."""
    return without_description(type_.type) if isinstance(type_, inspect.Metadata) else type_


def _limits(type_: inspect.IntType) -> tuple[int | None, int | None]:
    """Return the least and the greatest whole number of a type, each None if it has no such limit."""
    least = type_.ge if type_.ge is not None else None if type_.gt is None else type_.gt + 1
    most = type_.le if type_.le is not None else None if type_.lt is None else type_.lt - 1
    return least, most


def _values(type_: inspect.Type) -> tuple[Any, ...]:
    match type_:
        case inspect.LiteralType(values=values):
            return tuple(values)
        case inspect.BoolType():
            return (False, True)
    return (None,)


def _value_text(value: Any) -> str:
    """Return the text of a value without words of its own."""
    known = {None: "none", False: "no", True: "yes"}
    return known[value] if value is None or isinstance(value, bool) else str(value).replace("_", " ")
