"""Events as people type them: ``attack C3 C4``, dice as ``4 3 3``.

An event is its tag and then its members' values in order. A list is its items joined by commas, a
mapping ``key=value`` pairs joined by commas; an optional member that is left out is left out.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import structs

from gamelog.chance.draws import Dice, Draw, Results, fits
from gamelog.play.game import AnyGame, Owed
from gamelog.play.narrate import tag_of
from gamelog.record.envelope import Event

COMMON_MEMBERS = frozenset(Event.__struct_fields__)


class Misread(ValueError):
    """What was typed is no event; the message says what would be."""


def members(kind: type[Event]) -> list[structs.FieldInfo]:
    """The members of an event type that are its own."""
    return [field for field in structs.fields(kind) if field.name not in COMMON_MEMBERS]


def words(event: Event) -> list[str]:
    """An event as people would type it."""
    values = [getattr(event, field.name) for field in members(type(event))]
    while values and values[-1] is None:
        values.pop()
    return [tag_of(type(event)), *(_word(msgspec.to_builtins(value)) for value in values)]


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}={_word(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ",".join(map(_word, value))
    return "-" if value is None else str(value)


def parse(game: AnyGame, text: str, legal: tuple[Event, ...]) -> dict[str, Any]:
    """The proposal that `text` means.

    The tag may be shortened, and be left out where all legal events share it. Raises `Misread`.
    """
    typed = text.split()
    kinds = {tag_of(kind): kind for kind in game.events}
    tags = [tag for tag in kinds if tag.startswith(typed[0])]
    if typed[0] not in kinds and len(tags) != 1:
        only = {tag_of(type(event)) for event in legal}
        if len(only) != 1:
            raise Misread(f'"{typed[0]}" is no event; there are: {", ".join(kinds)}')
        typed.insert(0, only.pop())
        tags = [typed[0]]
    tag = typed[0] if typed[0] in kinds else tags[0]
    fields = members(kinds[tag])
    required = [field for field in fields if field.required]
    given = typed[1:]
    if not len(required) <= len(given) <= len(fields):
        raise Misread(f"write: {tag} {' '.join(field.encode_name.upper() for field in fields)}".rstrip())
    proposal: dict[str, Any] = {"do": tag}
    for field, word in zip(fields, given, strict=False):
        if word != "-":
            proposal[field.encode_name] = _value(field, word)
    return proposal


def _value(field: structs.FieldInfo, word: str) -> Any:
    shape = msgspec.inspect.type_info(field.type)
    parts: Any = word
    if isinstance(shape, msgspec.inspect.DictType):
        pairs = [part.partition("=") for part in word.split(",")]
        parts = {name: _value_of(value) for name, _, value in pairs}
    elif isinstance(shape, msgspec.inspect.VarTupleType | msgspec.inspect.ListType | msgspec.inspect.TupleType):
        parts = word.split(",")
    try:
        return msgspec.to_builtins(msgspec.convert(parts, field.type, strict=False))
    except msgspec.ValidationError as error:
        raise Misread(f'"{word}" does not fit {field.encode_name}: {error}') from None


def _value_of(word: str) -> Any:
    return word.split("+") if "+" in word else word


def dice(owed: Owed, text: str) -> Results:
    """The results typed for the chance that is owed: faces or names in recorded order, separated by spaces or commas.

    Single digits may be typed together (``433``). Raises `Misread` saying what is owed.
    """
    typed = text.replace(",", " ").split()
    total = sum(draw.count for draw in owed.draws)
    small = all(isinstance(draw, Dice) and draw.sides < 10 for draw in owed.draws)
    if small and len(typed) == 1 and len(typed[0]) == total:
        typed = list(typed[0])
    if len(typed) != total:
        raise Misread(f"{asked(owed)}: type {total} of them")
    results: list[tuple[int | str, ...]] = []
    at = 0
    for draw in owed.draws:
        part = typed[at : at + draw.count]
        at += draw.count
        if isinstance(draw, Dice) and not all(word.isdecimal() for word in part):
            raise Misread(f"{asked(owed)}: type numbers")
        results.append(tuple(int(word) if isinstance(draw, Dice) else _thing(draw, word) for word in part))
    wrong = fits(owed.draws, tuple(results))
    if wrong:
        raise Misread(wrong)
    return tuple(results)


def _thing(draw: Draw, word: str) -> str:
    names = [] if isinstance(draw, Dice) else [name for name, count in draw.things if count and name.startswith(word)]
    return names[0] if len(names) == 1 else word


def asked(owed: Owed) -> str:
    """What is to be rolled or drawn, for a prompt."""
    parts = []
    for draw in owed.draws:
        whose = f" of {draw.seat}" if draw.seat else ""
        if isinstance(draw, Dice):
            sides = "" if draw.sides == 6 else f" with {draw.sides} sides"
            parts.append(f"{draw.count} {'die' if draw.count == 1 else 'dice'}{sides}{whose}")
        else:
            things = ", ".join(name for name, count in draw.things if count)
            parts.append(f"{draw.count}{f' for {draw.seat}' if draw.seat else ''} out of {things}")
    return f"{owed.do}: " + ", then ".join(parts)
