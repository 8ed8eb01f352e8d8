"""Problems of a file of a league whose data have another shape than the model, from msgspec's messages."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.archive.schema.league_tables import TIE_BREAKS
from gamelog.league.model import Correction, Kind, League, Points, Problem, Round, SeparateGames
from gamelog.league.toml_lines import Place
from gamelog.message import Message

_AT = re.compile(r"^(?P<what>.*?)(?: - at `(?P<key>key|\$.*?)`(?: in `(?P<within>\$.*)`)?)?$", re.S)
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_KINDS: dict[str, Message] = {
    "str": Message.of("a text in quotation marks"),
    "int": Message.of("a whole number"),
    "float": Message.of("a number"),
    "array": Message.of("a list in square brackets"),
    "object": Message.of("a table"),
    "date": Message.of("a day like 2026-10-31, without quotation marks"),
}
"""The expected types in words, by msgspec's names."""


def shape_problem(data: dict[str, Any], words: str) -> Problem:
    """Return the problem that msgspec describes in `words`, for data of another shape than a `League`."""
    match = _AT.match(words)
    assert match
    steps = _STEP.findall(match["within"] or match["key"] or "")
    place: Place = ()
    for name, position in steps:
        part = _failing_key(data, place) if position == "..." else name or int(position)
        place = (*place, part)
    what = match["what"]
    if unknown := re.match(r"Object contains unknown field `(.*)`", what):
        known = list(_struct_at(place).__struct_fields__)
        return (*place, unknown[1]), unknown_key(unknown[1], known), unknown[1]
    if missing := re.match(r"Object missing required field `(.*)`", what):
        text = 'The key "{=key}" is missing. Add it.'
        return place, Message.of(text, key=missing[1]), ""
    if match["key"] == "key":
        (word,) = [key for key in _value_at(data, place) if not re.fullmatch(r"-?\d+", key)][:1]
        text = '"{=value}" is not a number of players. Write a whole number.'
        return (*place, word), Message.of(text, value=word), word
    value = _value_at(data, place)
    if what.startswith("Invalid enum value"):
        return place, unknown_value(str(value), _choices_at(place)), str(value)
    expected = re.match(r"Expected `(\w+)", what)
    wanted = _KINDS.get(expected[1] if expected else "date", _KINDS["date"])
    text = "{=value} is not {kind}. Write {kind}."
    return place, Message.of(text, value=shown_value(value), kind=wanted), str(value)


def shown_value(value: Any) -> str:
    """Return a value as in TOML, cut if it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _value_at(data: Any, place: Place) -> Any:
    for part in place:
        data = data[part]
    return data


def _failing_key(data: dict[str, Any], place: Place) -> str:
    """Return the key of the mapping at `place` whose value msgspec refuses."""

    def with_only(part: Any, left: Place, key: str) -> Any:
        if not left:
            return {key: part[key]}
        if isinstance(part, list):
            return [with_only(one, left[1:], key) if at == left[0] else one for at, one in enumerate(part)]
        return {
            name: with_only(value, left[1:], key) if name == left[0] else value
            for name, value in part.items()
        }

    keys: list[str] = list(_value_at(data, place))
    for key in keys:
        try:
            msgspec.convert(with_only(data, place, key), League, str_keys=True)
        except msgspec.ValidationError as error:
            if "[...]" in str(error):
                return key
    return keys[0]


_STRUCTS: dict[str, type[Struct]] = {
    "points": Points,
    "games": Kind,
    "rounds": Round,
    "corrections": Correction,
    "separate": SeparateGames,
}


def _struct_at(place: Place) -> type[Struct]:
    return _STRUCTS[str(place[0])] if place else League


def _choices_at(place: Place) -> tuple[str, ...]:
    """Return the words that are allowed at `place`."""
    if place[0] == "tie_breaks":
        return TIE_BREAKS
    names = [part for part in place if isinstance(part, str)]
    struct = _struct_at(tuple(names[:-1]))
    hints = msgspec.inspect.type_info(struct)
    assert isinstance(hints, msgspec.inspect.StructType)
    field = next(field for field in hints.fields if field.name == names[-1])
    assert isinstance(field.type, msgspec.inspect.LiteralType)
    return tuple(map(str, field.type.values))


def unknown_key(key: str, known: list[str]) -> Message:
    if close := get_close_matches(key, known, n=1):
        return Message.of('There is no key "{=key}" here. Write {=close}.', key=key, close=close[0])
    text = 'There is no key "{=key}" here. Choose from: {=known}.'
    return Message.of(text, key=key, known=", ".join(known))


def unknown_value(value: str, allowed: tuple[str, ...]) -> Message:
    if close := get_close_matches(value, allowed, n=1):
        return Message.of('"{=value}" is not possible here. Write {=close}.', value=value, close=close[0])
    text = '"{=value}" is not possible here. Choose from: {=known}.'
    return Message.of(text, value=value, known=", ".join(allowed))
