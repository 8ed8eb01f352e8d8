"""Events as people type them: ``attack C3 C4``.

An event is its tag and then its members' values in order. A list is its items joined by commas, a
mapping ``key=value`` pairs joined by commas; an optional member that is left out is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import structs

from gamelog.errors import Refused
from gamelog.play.contract.game import AnyGame, Legal
from gamelog.play.contract.violation import Violation, said
from gamelog.play.fold.findings import Finding
from gamelog.record.counting import many
from gamelog.record.envelope import Event, proposal, tag_of
from gamelog_cli.hinted_events import hinted

Vocabulary = Mapping[str, Collection[str]]
"""Names of a position by how they are typed, without case:
more than one where that does not say which is meant.
"""

_COMMA = re.compile(r"\s*,\s*")
NAME = re.compile(r"[^,=+]+")

NOTHING = "nothing"
"""How a mapping without anything in it is typed."""

_SHOWN = 4
"""How many events are named that words may stand for."""

COMMON_MEMBERS = frozenset(Event.__struct_fields__)

Choose = Callable[[Sequence[Event]], Event]
"""Asks somebody which of several events is meant. Raises `Misread` where nobody says."""


class Misread(ValueError):
    """What was typed is not an event; the message says what would be."""


class Several(Misread):
    """What was typed may be any of several events."""


@cache
def _members(kind: type[Event]) -> tuple[structs.FieldInfo, ...]:
    """The members of an event type that are its own."""
    return tuple(field for field in structs.fields(kind) if field.name not in COMMON_MEMBERS)


def blanks(kind: type[Event]) -> list[str]:
    """What stands for the members of such an event where people are told how it is typed."""
    return [field.encode_name.upper() for field in _members(kind)]


def event_words(event: Event) -> list[str]:
    """An event as people would type it."""
    fields = _members(type(event))
    values = [getattr(event, field.name) for field in fields]
    while values and not fields[len(values) - 1].required and values[-1] == fields[len(values) - 1].default:
        values.pop()
    return [tag_of(type(event)), *(_word(msgspec.to_builtins(value)) for value in values)]


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}={_word(item)}" for name, item in value.items()) or NOTHING
    return (
        ",".join(map(_word, value))
        if isinstance(value, list | tuple)
        else "-"
        if value is None
        else str(value)
    )


def vocabulary(words: Iterable[str], people: Iterable[tuple[str, str]] = ()) -> Vocabulary:
    """What the words of a position are typed as: themselves in any case, players by their names as well."""
    made: dict[str, set[str]] = {}
    for typed, meant in (*((word.casefold(), word) for word in words), *people):
        made.setdefault(typed, set()).add(meant)
    return made


def parse_event(
    game: AnyGame,
    state: Any,
    text: str,
    legal: Legal,
    known: Vocabulary | None = None,
    name_of: Callable[[str], str] = str,
    choose: Choose | None = None,
) -> dict[str, Any]:
    """The proposal that `text` means in `state`, with its player where what is legal says whose it is.

    The tag may be shortened, or left out where what is legal says which is meant, or where the words fit one
    kind of event alone; names that are `known` may be written in any case. Where short ones
    (`Game.shorthand`) mean several, `choose` says which. Raises `Misread` for words that say no event,
    `Several` where nobody can choose, and `Refused` for short ones that the rules leave no meaning.
    """
    typed = _COMMA.sub(",", text).split()
    kinds: dict[str, type[Event]] = {tag_of(kind): kind for kind in game.events}
    tag = _tag(typed[0].casefold(), kinds, legal)
    given = [_as_known(word, known or {}) for word in (typed if tag is None else typed[1:])]
    meant = (
        _meant(tag, given, legal.events, name_of)
        or _short(game, state, tag, given, legal.events, name_of, choose)
        or _shortened(tag, given, legal.events, known or {}, name_of)
    )
    if not (
        meant
        or legal.cut
        or any(_fits(kind, given, known or {}) for name, kind in kinds.items() if tag in (None, name))
    ):
        listed = [
            (event, event_words(event)[1:]) for event in legal.events if tag in (None, tag_of(type(event)))
        ]
        meant = (
            _one(given, hinted(listed, given, known or {}), name_of) if given or len(listed) == 1 else None
        )
    if meant:
        return proposal(meant)
    if tag is None:
        tag = _unsaid(typed, given, kinds, legal, known or {})
    fields = _members(kinds[tag])
    given = _gathered(fields, given)
    if not _required(fields) <= len(given) <= len(fields):
        if not fields:
            raise Misread(f'write {tag} alone: "{" ".join(given)}" is too much')
        example = next(
            (" ".join(event_words(event)) for event in legal.events if tag_of(type(event)) == tag), ""
        )
        raise Misread(
            f"write: {' '.join([tag, *blanks(kinds[tag])])}{example and f', for example: {example}'}"
        )
    proposed: dict[str, Any] = {"do": tag}
    for field, word in zip(fields, given, strict=False):
        if word != "-":
            proposed[field.encode_name] = _value(field, word)
    players = {event.by for event in legal.events if tag_of(type(event)) == tag}
    return proposed | ({"by": players.pop()} if len(players) == 1 else {})


def _gathered(fields: Sequence[structs.FieldInfo], given: list[str]) -> list[str]:
    """The words given, one for each member: a list at the end takes all that are left."""
    if fields and len(given) > len(fields) and _is_list(fields[-1]):
        return [*given[: len(fields) - 1], ",".join(given[len(fields) - 1 :])]
    return given


def _required(fields: Sequence[structs.FieldInfo]) -> int:
    return len([field for field in fields if field.required])


def _meant(
    tag: str | None, given: list[str], legal: Iterable[Event], name_of: Callable[[str], str]
) -> Event | None:
    """The legal event whose words, or all but those that may be left out, are `given`."""
    begun = [word.casefold() for word in given]
    whole: list[Event] = []
    fitting: list[Event] = []
    for event in legal:
        if tag in (None, tag_of(type(event))):
            own = [word.casefold() for word in event_words(event)[1:]]
            if own[: len(begun)] == begun and len(begun) >= min(len(own), _required(_members(type(event)))):
                (whole if own == begun else fitting).append(event)
    return _one(given, whole or fitting, name_of)


def _short(
    game: AnyGame,
    state: Any,
    tag: str | None,
    given: list[str],
    legal: Collection[Event],
    name_of: Callable[[str], str],
    choose: Choose | None,
) -> Event | None:
    """The event that is meant by words of the game's own;
    where none is legal, one of them, for the judge to refuse.
    """
    found = game.shorthand(state, tuple(given))
    if isinstance(found, Violation):
        text = said(found.text, name_of)
        raise Refused(f"Refused: {text} [{found.rule}].", Finding("play.illegal", text, rule=found.rule))
    meant = [event for event in found or () if tag in (None, tag_of(type(event)))]
    ways = [event for event in meant if event in legal] or meant[:1]
    if len(ways) < 2:
        return ways[0] if ways else None
    if choose:
        return choose(ways)
    ends = [" ".join(word.rpartition(",")[2] for word in event_words(event)) for event in ways]
    some = [
        end if ends.count(end) == 1 else " ".join(event_words(event))
        for end, event in zip(ends, ways, strict=True)
    ]
    raise Several(_may_be(given, some))


def _shortened(
    tag: str | None,
    given: list[str],
    legal: Iterable[Event],
    known: Vocabulary,
    name_of: Callable[[str], str],
) -> Event | None:
    """The legal event whose words begin with those `given`, or whose last words do: where it goes to, without
    where from.

    A word that is the name of something means that and nothing longer.
    """
    begun = [word.casefold() for word in given]
    from_the_start: list[Event] = []
    at_the_end: list[Event] = []
    for event in legal if begun else ():
        if tag in (None, tag_of(type(event))):
            own = [word.casefold() for word in event_words(event)[1:]]
            if len(begun) >= min(len(own), _required(_members(type(event)))) and _begin(own, begun, known):
                from_the_start.append(event)
            elif len(begun) < len(own) and _begin(own[-len(begun) :], begun, known):
                at_the_end.append(event)
    return _one(given, from_the_start or at_the_end, name_of)


def _begin(own: list[str], begun: list[str], known: Vocabulary) -> bool:
    return len(begun) <= len(own) and all(
        word == start or (word.startswith(start) and start not in known)
        for word, start in zip(own, begun, strict=False)
    )


def _one(given: list[str], events: list[Event], name_of: Callable[[str], str]) -> Event | None:
    """The only one of `events`, or None if there are none. Raises `Misread` for several."""
    if len(events) < 2:
        return events[0] if events else None
    alike = len({" ".join(event_words(event)) for event in events}) == 1
    some = [
        f"{name_of(event.by)}: {' '.join(event_words(event))}" if alike else " ".join(event_words(event))
        for event in events
    ]
    raise Several(_may_be(given, some))


def _may_be(given: list[str], meant: list[str]) -> str:
    """That the words given may be any of these."""
    more = f" or {many(len(meant) - _SHOWN, 'other')}" if len(meant) > _SHOWN else ""
    return f'"{" ".join(given)}" may be {" or ".join(meant[:_SHOWN])}{more}: write which'


def _tag(word: str, kinds: Iterable[str], legal: Legal) -> str | None:
    """The tag that `word` is, or shortens; None for a word that begins no tag."""
    tags = [tag for tag in kinds if tag.startswith(word)]
    if word in tags or len(tags) < 2:
        return word if word in tags else next(iter(tags), None)
    there = _tags(legal.events)
    now = [tag for tag in tags if tag in there]
    if len(now) == 1:
        return now[0]
    if there and not now and legal.complete:
        raise Misread(f'"{word}" does not begin anything that may be played now; now: {", ".join(there)}')
    raise Misread(f'"{word}" may be {" or ".join(now or tags)}: write more of it')


def _unsaid(
    typed: list[str], given: list[str], kinds: Mapping[str, type[Event]], legal: Legal, known: Vocabulary
) -> str:
    """The tag that is meant by the words of an event without it, which is not among what is legal."""
    now = _tags(legal.events)
    if len(now) == 1:
        return now[0]
    fitting = [tag for tag in now if _fits(kinds[tag], given, known)]
    if len(fitting) > 1 and not legal.complete:
        raise Misread(f'"{" ".join(typed)}" may be {" or ".join(fitting)}: write which')
    fitting = fitting or [tag for tag in kinds if _fits(kinds[tag], given, known)]
    if fitting:
        return fitting[0]
    raise Misread(
        f'"{typed[0]}" is not an event of this game; {"now" if now else "there are"}: '
        f"{', '.join(now or kinds)}"
    )


def _fits(kind: type[Event], given: list[str], known: Vocabulary) -> bool:
    """Whether the words given can be the members of such an event:
    in number, in kind, and as names that the position has.
    """
    fields = _members(kind)
    parts = _gathered(fields, given)
    if not max(1, _required(fields)) <= len(parts) <= len(fields):
        return False
    try:
        values = [_value(field, word) for field, word in zip(fields, parts, strict=False)]
    except Misread:
        return False
    named = [word for value, word in zip(values, parts, strict=True) if value == word or _is_name(value)]
    return all(name.casefold() in known or name.isdecimal() for word in named for name in NAME.findall(word))


def _is_name(value: Any) -> bool:
    """Whether a member holds names: itself, in a list, or as keys and values."""
    return not isinstance(value, int) and not (
        isinstance(value, dict) and all(isinstance(one, int) for one in value.values())
    )


def _tags(events: Iterable[Event]) -> list[str]:
    return list(dict.fromkeys(tag_of(type(event)) for event in events))


def _is_list(field: structs.FieldInfo) -> bool:
    shape = msgspec.inspect.type_info(field.type)
    return isinstance(
        shape, msgspec.inspect.VarTupleType | msgspec.inspect.ListType | msgspec.inspect.TupleType
    )


def _as_known(word: str, known: Vocabulary) -> str:
    """`word`, each of its names as the game writes it where it is clear which one is meant."""

    def name(match: re.Match[str]) -> str:
        meant = known.get(match[0].casefold(), ())
        return match[0] if match[0] in meant or len(meant) != 1 else next(iter(meant))

    return NAME.sub(name, word)


def _value(field: structs.FieldInfo, word: str) -> Any:
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
