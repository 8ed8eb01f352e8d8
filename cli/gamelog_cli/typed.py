"""Events as people type them: ``attack C3 C4``, dice as ``4 3 3``.

An event is its tag and then its members' values in order. A list is its items joined by commas, a
mapping ``key=value`` pairs joined by commas; an optional member that is left out is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import structs

from gamelog.chance.draws import Dice, Draw, Results, fits
from gamelog.play.game import AnyGame, Owed
from gamelog.play.narrate import tag_of
from gamelog.record.envelope import Event

Vocabulary = Mapping[str, Collection[str]]
"""Names of a position by how they are typed, without case: more than one where that does not say which is meant."""

COMMA = re.compile(r"\s*,\s*")
NAME = re.compile(r"[^,=+]+")

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


def vocabulary(words: Iterable[str], people: Iterable[tuple[str, str]] = ()) -> Vocabulary:
    """What the words of a position are typed as: themselves in any case, players by their names as well."""
    made: dict[str, set[str]] = {}
    for typed, meant in (*((word.casefold(), word) for word in words), *people):
        made.setdefault(typed, set()).add(meant)
    return made


def parse(game: AnyGame, text: str, legal: tuple[Event, ...], known: Vocabulary | None = None) -> dict[str, Any]:
    """The proposal that `text` means.

    The tag may be shortened, or left out where what is legal says which is meant; names that are
    `known` may be written in any case. Raises `Misread`.
    """
    typed = COMMA.sub(",", text).split()
    kinds = {tag_of(kind): kind for kind in game.events}
    tag = _tag(typed[0].casefold(), kinds, legal)
    given = typed[1:]
    if tag is None:
        tag, given = _unsaid(typed, kinds, legal), typed
    fields = members(kinds[tag])
    if fields and len(given) > len(fields) and _is_list(fields[-1]):
        given = [*given[: len(fields) - 1], ",".join(given[len(fields) - 1 :])]
    if not len([field for field in fields if field.required]) <= len(given) <= len(fields):
        example = next((f", for example: {' '.join(words(event))}" for event in legal if tag_of(type(event)) == tag), "")
        raise Misread(f"write: {tag} {' '.join(field.encode_name.upper() for field in fields)}".rstrip() + example)
    proposal: dict[str, Any] = {"do": tag}
    for field, word in zip(fields, given, strict=False):
        if word != "-":
            proposal[field.encode_name] = _value(field, _as_known(word, known or {}))
    return proposal


def _tag(word: str, kinds: Iterable[str], legal: tuple[Event, ...]) -> str | None:
    """The tag that `word` is, or shortens; None for a word that begins no tag."""
    tags = [tag for tag in kinds if tag.startswith(word)]
    if word in tags or len(tags) < 2:
        return word if word in tags else next(iter(tags), None)
    now = [tag for tag in tags if tag in _tags(legal)]
    if len(now) == 1:
        return now[0]
    raise Misread(f'"{word}" may be {" or ".join(now or tags)}: write more of it')


def _unsaid(typed: list[str], kinds: Iterable[str], legal: tuple[Event, ...]) -> str:
    """The tag that is meant by the words of an event without it."""
    now = _tags(legal)
    if len(now) == 1:
        return now[0]
    said = [word.casefold() for word in typed]
    fitting = dict.fromkeys(tag_of(type(event)) for event in legal if [word.casefold() for word in words(event)[1:]] == said)
    if len(fitting) == 1:
        return next(iter(fitting))
    if fitting:
        raise Misread(f'"{" ".join(typed)}" may be {" or ".join(fitting)}: write which')
    raise Misread(f'"{typed[0]}" is not an event of this game; {"now" if now else "there are"}: {", ".join(now or kinds)}')


def _tags(events: Iterable[Event]) -> list[str]:
    return list(dict.fromkeys(tag_of(type(event)) for event in events))


def _is_list(field: structs.FieldInfo) -> bool:
    shape = msgspec.inspect.type_info(field.type)
    return isinstance(shape, msgspec.inspect.VarTupleType | msgspec.inspect.ListType | msgspec.inspect.TupleType)


def _as_known(word: str, known: Vocabulary) -> str:
    """`word`, each of its names as the game writes it where it is clear which one is meant."""

    def name(match: re.Match[str]) -> str:
        meant = known.get(match[0].casefold(), ())
        return match[0] if match[0] in meant or len(meant) != 1 else next(iter(meant))

    return NAME.sub(name, word)


def _value(field: structs.FieldInfo, word: str) -> Any:
    shape = msgspec.inspect.type_info(field.type)
    parts: Any = word
    if isinstance(shape, msgspec.inspect.DictType):
        pairs = [part.partition("=") for part in word.split(",")]
        parts = {name: _value_of(value) for name, _, value in pairs}
    elif _is_list(field):
        parts = word.split(",")
    try:
        return msgspec.to_builtins(msgspec.convert(parts, field.type, strict=False))
    except msgspec.ValidationError as error:
        raise Misread(f'"{word}" does not fit {field.encode_name}: {error}') from None


def _value_of(word: str) -> Any:
    return word.split("+") if "+" in word else word


def dice(owed: Owed, text: str, name_of: Callable[[str], str] = str) -> Results:
    """The results typed for the chance that is owed: faces or names in recorded order, separated by spaces or commas.

    Single digits may be typed together (``433``), all of them or those of each draw (``6655 123``).
    Raises `Misread` saying what is owed.
    """
    typed = text.replace(",", " ").split()
    total = sum(draw.count for draw in owed.draws)
    small = all(isinstance(draw, Dice) and draw.sides < 10 for draw in owed.draws)
    together = [len(word) for word in typed]
    if small and together in ([total], [draw.count for draw in owed.draws]):
        typed = list("".join(typed))
    if len(typed) != total:
        raise Misread(f"{asked(owed, name_of)}: type {total} of them")
    results: list[tuple[int | str, ...]] = []
    at = 0
    for draw in owed.draws:
        part = typed[at : at + draw.count]
        at += draw.count
        if isinstance(draw, Dice) and not all(word.isdecimal() for word in part):
            raise Misread(f"{asked(owed, name_of)}: type numbers")
        results.append(tuple(int(word) if isinstance(draw, Dice) else _thing(draw, word) for word in part))
    wrong = fits(owed.draws, tuple(results))
    if wrong:
        raise Misread(wrong)
    return tuple(results)


def _thing(draw: Draw, word: str) -> str:
    begun = word.casefold()
    names = [] if isinstance(draw, Dice) else [name for name, count in draw.things if count and name.startswith(begun)]
    return names[0] if len(names) == 1 else word


def asked(owed: Owed, name_of: Callable[[str], str] = str) -> str:
    """What is to be rolled or drawn, for a prompt; `name_of` gives the people at seats their names."""
    parts = []
    for draw in owed.draws:
        whose = f" of {name_of(draw.seat)}" if draw.seat else ""
        if isinstance(draw, Dice):
            sides = "" if draw.sides == 6 else f" with {draw.sides} sides"
            parts.append(f"{draw.count} {'die' if draw.count == 1 else 'dice'}{sides}{whose}")
        else:
            things = ", ".join(name for name, count in draw.things if count)
            parts.append(f"{draw.count}{f' for {name_of(draw.seat)}' if draw.seat else ''} out of {things}")
    return f"{owed.do}: " + ", then ".join(parts)
