"""Events as people type them: ``attack C3 C4``.

The tag comes first, then the values of the members in order. The items of a list have commas between them,
and so do the ``key=value`` pairs of a mapping. Optional members may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from gamelog.errors import Refused
from gamelog.finding import Finding
from gamelog.message import Message, with_names
from gamelog.play.contract.game import AnyGame, Legal
from gamelog.play.contract.violation import Violation
from gamelog.play.rendering.refusals import refusal
from gamelog.record.envelope import Event, as_proposal, tag_of
from gamelog_cli.errors import Misread
from gamelog_cli.input.abbreviated_events import matching_events
from gamelog_cli.input.typed_members import (
    Vocabulary,
    event_words,
    fits_members,
    has_prefix,
    join_list_words,
    member_value,
    own_members,
    placeholders,
    required_count,
    spelled_as_known,
)

_COMMA = re.compile(r"\s*,\s*")
"""A comma with the spaces around it."""
_MAX_LISTED_MATCHES = 4
"""Maximum number of matching events that a message lists."""

_MAX_OFFERED_MATCHES = 9
"""Maximum number of matching events from which the user chooses."""

Choose = Callable[[Sequence[Event]], Event]
"""Function that asks the user to choose one of several events.

It raises `Misread` if the user does not choose.
"""


class AmbiguousEvent(Misread):
    """Typed text that matches several events."""


def parse_event(
    game: AnyGame,
    state: Any,
    text: str,
    legal: Legal,
    known: Vocabulary | None = None,
    name_of: Callable[[str], str] = str,
    choose: Choose | None = None,
) -> dict[str, Any]:
    """Return the event that `text` proposes, with its player if only one player can play it.

    The tag may be shortened. It may be left out if the legal events, or the types of the members, leave one
    tag.

    Args:
        game: The game.
        state: The state of the position.
        text: The typed words.
        legal: The legal events, as far as they are listed.
        known: Names in the position, which may be typed in any case; None for no names.
        name_of: Returns the name of the person at a seat, for messages.
        choose: Chooses if a short form matches several events; None if no one can be asked.

    Raises:
        Misread: The text is not an event.
        AmbiguousEvent: The text matches several events, and there is no `choose`.
        Refused: The rules allow none of the events that short words of the game can mean.
    """
    typed = _COMMA.sub(",", text).split()
    kinds: dict[str, type[Event]] = {tag_of(kind): kind for kind in game.events}
    tag = _tag(typed[0].casefold(), kinds, legal)
    given = [spelled_as_known(word, known or {}) for word in (typed if tag is None else typed[1:])]
    meant_event = (
        _exact(tag, given, legal.events, name_of)
        or _parse_short_words(game, state, tag, given, legal.events, name_of, choose)
        or _choose_one(given, _match_abbreviation(kinds, tag, given, legal, known or {}), name_of, choose)
    )
    if meant_event:
        return as_proposal(meant_event)
    if tag is None:
        tag = _tag_left_out(typed, given, kinds, legal, known or {})
    fields = own_members(kinds[tag])
    given = join_list_words(fields, given)
    if not required_count(fields) <= len(given) <= len(fields):
        if not fields:
            raise Misread(
                Message.of('Type {=word} alone, without "{=rest}".', word=tag, rest=" ".join(given))
            )
        usage = " ".join([tag, *placeholders(kinds[tag])])
        for event in legal.events:
            if tag_of(type(event)) == tag:
                example = " ".join(event_words(event))
                raise Misread(
                    Message.of(
                        'The number of words after "{=word}" is wrong. Type: {=usage}. '
                        "For example: {=example}",
                        word=tag,
                        usage=usage,
                        example=example,
                    )
                )
        raise Misread(
            Message.of('The number of words after "{=word}" is wrong. Type: {=usage}', word=tag, usage=usage)
        )
    proposed: dict[str, Any] = {"do": tag}
    for field, word in zip(fields, given, strict=False):
        if word != "-":
            proposed[field.encode_name] = member_value(field, word)
    players = {event.by for event in legal.events if tag_of(type(event)) == tag}
    return proposed | ({"by": players.pop()} if len(players) == 1 else {})


def _exact(
    tag: str | None, given: list[str], legal: Iterable[Event], name_of: Callable[[str], str]
) -> Event | None:
    """Return the legal event whose words, except optional ones, are the `given` words."""
    typed = [word.casefold() for word in given]
    complete: list[Event] = []
    fitting: list[Event] = []
    for event in legal:
        if tag in (None, tag_of(type(event))):
            words = [word.casefold() for word in event_words(event)[1:]]
            if words[: len(typed)] == typed and len(typed) >= min(
                len(words), required_count(own_members(type(event)))
            ):
                (complete if words == typed else fitting).append(event)
    return _choose_one(given, complete or fitting, name_of)


def _parse_short_words(
    game: AnyGame,
    state: Any,
    tag: str | None,
    given: list[str],
    legal: Collection[Event],
    name_of: Callable[[str], str],
    choose: Choose | None,
) -> Event | None:
    """Return the event that short words of the game mean.

    If none of the matching events is legal, return one of them, so that the judge explains the refusal.

    Raises:
        Refused: The game says why the words mean no event.
        AmbiguousEvent: The words mean several events, and `choose` is None.
    """
    meaning = game.shorthand(state, tuple(given))
    if isinstance(meaning, Violation):
        finding = Finding.of("play.illegal", with_names(meaning.message, name_of), rule=meaning.rule)
        raise Refused(refusal(game, finding), finding)
    matches = [event for event in meaning or () if tag in (None, tag_of(type(event)))]
    events = [event for event in matches if event in legal] or matches[:1]
    if len(events) < 2:
        return events[0] if events else None
    if choose:
        return choose(events)
    ends = [" ".join(word.rpartition(",")[2] for word in event_words(event)) for event in events]
    examples = [
        end if ends.count(end) == 1 else " ".join(event_words(event))
        for end, event in zip(ends, events, strict=True)
    ]
    raise AmbiguousEvent(_ambiguous(given, examples))


def _match_abbreviation(
    kinds: Mapping[str, type[Event]], tag: str | None, given: list[str], legal: Legal, known: Vocabulary
) -> list[Event]:
    """Return the legal events that the `given` words can mean as a short form.

    Words that may be a whole event are a short form only if they begin the words of a legal event.
    """
    listed = [(event, event_words(event)[1:]) for event in legal.events if tag in (None, tag_of(type(event)))]
    fitting = [event for event, words in listed if _is_shortened(event, words, given, known)]
    whole = any(fits_members(kind, given, known) for name, kind in kinds.items() if tag in (None, name))
    if (not given and len(listed) != 1) or (not fitting and (legal.cut or whole)):
        return fitting
    matching = matching_events(listed, given, known, partial=not fitting)
    return [event for event, _ in listed if event in fitting or event in matching]


def _is_shortened(event: Event, words: list[str], given: list[str], known: Vocabulary) -> bool:
    """Return whether the first or the last `words` of `event` begin with the `given` words.

    A word that is a known name matches only itself.
    """
    if not given:
        return False
    typed, full = [word.casefold() for word in given], [word.casefold() for word in words]
    complete = len(typed) >= min(len(full), required_count(own_members(type(event))))
    return (complete and _begin(full, typed, known)) or (
        len(typed) < len(full) and _begin(full[-len(typed) :], typed, known)
    )


def _begin(words: list[str], typed: list[str], known: Vocabulary) -> bool:
    return len(typed) <= len(words) and all(
        word == start or (has_prefix(word, start) and start not in known)
        for word, start in zip(words, typed, strict=False)
    )


def _choose_one(
    given: list[str], events: list[Event], name_of: Callable[[str], str], choose: Choose | None = None
) -> Event | None:
    """Return the only one of `events`, or None if there are none. Of a few events, `choose` chooses one.

    Raises:
        AmbiguousEvent: There is more than one event.
    """
    if len(events) < 2:
        return events[0] if events else None
    differ_only_in_player = len({" ".join(event_words(event)) for event in events}) == 1
    if choose and len(events) <= _MAX_OFFERED_MATCHES and not differ_only_in_player:
        return choose(events)
    examples = [
        f"{name_of(event.by)}: {' '.join(event_words(event))}"
        if differ_only_in_player
        else " ".join(event_words(event))
        for event in events
    ]
    raise AmbiguousEvent(_ambiguous(given, examples))


def _ambiguous(given: list[str], matches: list[str]) -> Message:
    """Return the message that the `given` words match several events."""
    return Message.of(
        '"{=typed}" matches {n} events: {=events}. Type one of them.'
        if len(matches) <= _MAX_LISTED_MATCHES
        else '"{=typed}" matches {n} events, for example: {=events}. Type one of them.',
        typed=" ".join(given),
        n=len(matches),
        events="; ".join(matches[:_MAX_LISTED_MATCHES]),
    )


def _tag(word: str, kinds: Iterable[str], legal: Legal) -> str | None:
    """Return the tag that begins with `word`.

    Return None if there is no such tag, or if `word` begins only other words of legal events.

    Raises:
        Misread: `word` begins several tags, or no tag of a legal event.
    """
    tags = [tag for tag in kinds if tag.startswith(word)]
    legal_tags = _tags(legal.events)
    matching_legal = [tag for tag in tags if tag in legal_tags]
    if word in tags or len(matching_legal) == 1:
        return word if word in tags else matching_legal[0]
    if not matching_legal and any(
        own.casefold().startswith(word) for event in legal.events for own in event_words(event)[1:]
    ):
        return None
    if len(tags) < 2:
        return next(iter(tags), None)
    if legal_tags and not matching_legal and legal.complete:
        text = 'No legal event begins with "{=word}". Legal now: {=events}.'
        raise Misread(Message.of(text, word=word, events=", ".join(legal_tags)))
    text = '"{=word}" matches several events: {=events}. Type more of the word.'
    raise Misread(Message.of(text, word=word, events=", ".join(matching_legal or tags)))


def _tag_left_out(
    typed: list[str], given: list[str], kinds: Mapping[str, type[Event]], legal: Legal, known: Vocabulary
) -> str:
    """Return the tag for typed words without a tag that match no legal event.

    Raises:
        Misread: The words fit several kinds of events, or none.
    """
    legal_tags = _tags(legal.events)
    if len(legal_tags) == 1:
        return legal_tags[0]
    fitting = [tag for tag in legal_tags if fits_members(kinds[tag], given, known)]
    if len(fitting) > 1 and not legal.complete:
        text = '"{=word}" matches several events: {=events}. Type the name of the event first.'
        raise Misread(Message.of(text, word=" ".join(typed), events=", ".join(fitting)))
    fitting = fitting or [tag for tag in kinds if fits_members(kinds[tag], given, known)]
    if fitting:
        return fitting[0]
    raise Misread(
        Message.of(
            '"{=word}" is not an event of this game. Legal now: {=events}.'
            if legal_tags
            else '"{=word}" is not an event of this game. The events are: {=events}.',
            word=typed[0],
            events=", ".join(legal_tags or kinds),
        )
    )


def _tags(events: Iterable[Event]) -> list[str]:
    return list(dict.fromkeys(tag_of(type(event)) for event in events))
