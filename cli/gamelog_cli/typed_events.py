"""Events as people type them: ``attack C3 C4``.

An event is its tag and then its members' values in order. A list is its items joined by commas, a
mapping ``key=value`` pairs joined by commas; an optional member that is left out is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.message import many, with_names
from gamelog.play.contract.game import AnyGame, Legal
from gamelog.play.contract.violation import Violation
from gamelog.record.envelope import Event, proposal, tag_of
from gamelog_cli.hinted_events import hinted, walking_on
from gamelog_cli.typed_members import (
    Misread,
    Vocabulary,
    begins,
    blanks,
    event_words,
    fits_members,
    gathered,
    member_value,
    own_members,
    required_count,
    spelled_as_known,
)

_COMMA = re.compile(r"\s*,\s*")
_SHOWN = 4
"""How many events are named that words may stand for."""

Choose = Callable[[Sequence[Event]], Event]
"""Asks somebody which of several events is meant. Raises `Misread` where nobody says."""


class Several(Misread):
    """What was typed may be any of several events."""


def parse_event(
    game: AnyGame,
    state: Any,
    text: str,
    legal: Legal,
    known: Vocabulary | None = None,
    name_of: Callable[[str], str] = str,
    choose: Choose | None = None,
    kept: Collection[str] = (),
) -> dict[str, Any]:
    """The proposal that `text` means in `state`, with its player where what is legal says whose it is.

    The tag may be shortened, or left out where what is legal says which is meant, or where the words fit one
    kind of
    event alone; names that are `known` may be written in any case. Where only the end of several is said,
    the one that
    begins with a `kept` name is meant, of what moved last say. Where short ones (`Game.shorthand`) mean
    several,
    `choose` says which. Raises `Misread` for words that say no event, `Several` where nobody can choose, and
    `Refused`
    for short ones that the rules leave no meaning.
    """
    typed = _COMMA.sub(",", text).split()
    kinds: dict[str, type[Event]] = {tag_of(kind): kind for kind in game.events}
    tag = _tag(typed[0].casefold(), kinds, legal)
    given = [spelled_as_known(word, known or {}) for word in (typed if tag is None else typed[1:])]
    meant = (
        _meant(tag, given, legal.events, name_of)
        or _short(game, state, tag, given, legal.events, name_of, choose)
        or _shortened(tag, given, legal.events, known or {}, name_of, kept)
    )
    if not (
        meant
        or legal.cut
        or any(fits_members(kind, given, known or {}) for name, kind in kinds.items() if tag in (None, name))
    ):
        listed = [
            (event, event_words(event)[1:]) for event in legal.events if tag in (None, tag_of(type(event)))
        ]
        meant = (
            _one(given, hinted(listed, given, known or {}, kept), name_of)
            if given or len(listed) == 1
            else None
        )
    if meant:
        return proposal(meant)
    if tag is None:
        tag = _unsaid(typed, given, kinds, legal, known or {})
    fields = own_members(kinds[tag])
    given = gathered(fields, given)
    if not required_count(fields) <= len(given) <= len(fields):
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
            proposed[field.encode_name] = member_value(field, word)
    players = {event.by for event in legal.events if tag_of(type(event)) == tag}
    return proposed | ({"by": players.pop()} if len(players) == 1 else {})


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
            if own[: len(begun)] == begun and len(begun) >= min(
                len(own), required_count(own_members(type(event)))
            ):
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
    """The event that is meant by words of the game's own; where none is legal, one of them, for the judge
    to refuse.
    """
    found = game.shorthand(state, tuple(given))
    if isinstance(found, Violation):
        finding = Finding.of("play.illegal", with_names(found.message, name_of), rule=found.rule)
        raise Refused(f"Refused: {finding.message} [{found.rule}].", finding)
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
    kept: Collection[str],
) -> Event | None:
    """The legal event whose words begin with those `given`, or whose last words do: where it goes to,
    without where from.

    A word that is the name of something means that and nothing longer.
    """
    begun = [word.casefold() for word in given]
    from_the_start: list[Event] = []
    at_the_end: list[tuple[Event, list[str]]] = []
    for event in legal if begun else ():
        if tag in (None, tag_of(type(event))):
            own = [word.casefold() for word in event_words(event)[1:]]
            if len(begun) >= min(len(own), required_count(own_members(type(event)))) and _begin(
                own, begun, known
            ):
                from_the_start.append(event)
            elif len(begun) < len(own) and _begin(own[-len(begun) :], begun, known):
                at_the_end.append((event, own))
    return _one(given, from_the_start or walking_on(at_the_end, kept), name_of)


def _begin(own: list[str], begun: list[str], known: Vocabulary) -> bool:
    return len(begun) <= len(own) and all(
        word == start or (begins(word, start) and start not in known)
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
    """The tag that `word` is, or shortens; None for a word that begins no tag, or none that can come now
    but a word of what can.
    """
    tags = [tag for tag in kinds if tag.startswith(word)]
    there = _tags(legal.events)
    now = [tag for tag in tags if tag in there]
    if word in tags or len(now) == 1:
        return word if word in tags else now[0]
    if not now and any(
        own.casefold().startswith(word) for event in legal.events for own in event_words(event)[1:]
    ):
        return None
    if len(tags) < 2:
        return next(iter(tags), None)
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
    fitting = [tag for tag in now if fits_members(kinds[tag], given, known)]
    if len(fitting) > 1 and not legal.complete:
        raise Misread(f'"{" ".join(typed)}" may be {" or ".join(fitting)}: write which')
    fitting = fitting or [tag for tag in kinds if fits_members(kinds[tag], given, known)]
    if fitting:
        return fitting[0]
    raise Misread(
        f'"{typed[0]}" is not an event of this game; {"now" if now else "there are"}: '
        f"{', '.join(now or kinds)}"
    )


def _tags(events: Iterable[Event]) -> list[str]:
    return list(dict.fromkeys(tag_of(type(event)) for event in events))
