"""Sentences from events and effects.

A game's ``messages`` have one English template for each tag. The places of a template are members of the
event or effect (`gamelog.message` has the grammar). An event or effect with an empty template is not
described. A page fills in templates by itself, in other languages too (`gamelog.play.contract.translation`),
so it contains each template once and only the arguments of each event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from gamelog.message import Locale, Message, Part, plain_text
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import renderer
from gamelog.play.contract.outcome import Outcome
from gamelog.record.envelope import ARBITER, STAMP_MEMBERS, TABLE, Event, tag_of

ENGINE_MESSAGES: Mapping[str, str] = {
    "rolled": "{@seat} rolls {faces}.",
    "rolled_none": "Dice of no player: {faces}.",
    "contest": "{@by} rolls {attack_sum} against {defence_sum}: {result}.",
    "captured": "{@by} takes {at}.",
    "income": "{@seat} receives {count}.",
    "discarded": "{@seat} gives {count} back.",
    "threat": "{@seat} threatens to win.",
    "turn_over": "",
    "out": "{@seat} is out of the game.",
    "over": "The game is over. Winner: {@winners} ({reason}).",
    "over_none": "The game is over. Draw ({reason}).",
    "team": "{name}: {@seats}.",
    "placed": "Place {place}: {@seats}.",
    "paid": "Payoffs: {@payoffs}.",
    "awaited": "Waiting for {@seats} to agree.",
    "awaited_ruling": "Waiting for the arbiter to agree.",
    "lapsed": "The offer of event {about} expires because {@seats} did not agree.",
    "went_back": "The game goes back to {to:zero=the start|other=event #}. "
    "{count} {count:event is|events are} undone.",
    "went_on": "The game continues after event {to}.",
    "awarded": "Points: {@points}.",
    "time_given": "Time: {@time}.",
    "warned": "Warned: {@seats}.",
    "clocks_set": "Clocks: {@clock}.",
    "@note": "Note by {@by}: {=text}",
    "@clock": "The clock {state}.",
    "@claim": "{@by} claims: {=text}",
    "@withdraw": "{@by} withdraws the claim of event {about}.",
    "@withdraw_offer": "{@by} withdraws the offer of event {about}.",
    "@takeback": "{@by} takes the game back to {to:zero=the start|other=event #}.",
    "@takeback_offer": "{@by} asks to take the game back to {to:zero=the start|other=event #}.",
    "@correction": "{@by} corrects the record: the events recorded {to:zero=so far|other=after event #} were "
    "not played.",
    "@correction_offer": "{@by} asks to correct the record: the events recorded "
    "{to:zero=so far|other=after event #} were not played.",
    "@accept": "{@by} accepts the offer of event {about}.",
    "@decline": "{@by} declines the offer of event {about}.",
    "@offered": "The offer was to take the game back to {to:zero=the start|other=event #}.",
    "@offered_end": "The offer was to end the game: {@result}.",
    "@reason": "Reason: {=reason}",
    "@agree": "{@by} offers to end the game: {@result}.",
    "@resign": "{@by} resigns.",
    "@ruling": "{=name} rules on event {about}: {kind}. {=reason}",
    "@refusal": "{=name} refuses the claim of event {about}. {=reason}",
    "@upholding": "{=name} upholds the claim of event {about}. {=reason}",
    "@withdrawal": "{=name} withdraws the ruling of event {about}. {=reason}",
    "@confirmation": "{=name} confirms the ruling of event {about}. {=reason}",
    "@replacement": "{=name} replaces the ruling of event {about}: {kind}. {=reason}",
    "@gap": "Moves are missing here, so the position is declared. {=reason}",
    "@reveal": "{@seat} reveals a secret.",
    "@sign": "{@seat} signs the record.",
    "@substitute": "{=name} takes the seat of {@seat}.",
    "@amend": "Names or tags are corrected.",
    "@renamed": "{=was} is now called {=name}.",
    "@identified": "The id of {@seat} is now {=id}.",
    "@tagged": "Tags: {=tags}.",
    "@recovered": "A torn end of {bytes} {bytes:byte|bytes} was moved to another file.",
    "@recovered?": "A torn end was moved to another file.",
    "@result": "The table's result: {@outcome}.",
    "@unseen": "{@by} does something that is hidden from you.",
}
"""The templates for common events and effects, by tag. A game can replace them."""


Mark = Callable[[str], str]
"""A function that prepares a value for display (`gamelog.record.escaping.isolate`)."""


def message_template(game: AnyGame, tag: str) -> str:
    """Return the game's template for `tag`, or the template in `ENGINE_MESSAGES`, or an empty template."""
    return game.messages.get(tag, ENGINE_MESSAGES.get(tag, ""))


_PEOPLE_OF = {"over": "winners", "rolled": "seat", "turn_over": "next"}
"""The member with the people of an effect. Without people, the effect has the template ``TAG_none``."""


def _message(game: AnyGame, tag: str, members: dict[str, Any]) -> Message:
    """Return the message that describes an event or effect."""
    has_people = members.get(_PEOPLE_OF.get(tag, ""), True)
    return Message(message_template(game, tag if has_people else f"{tag}_none"), members)


def arguments(described: Event | Effect) -> dict[str, Any]:
    """Return the members of `described` as plain data, and those that only the engine's templates use."""
    members: dict[str, Any] = {
        name: msgspec.to_builtins(getattr(described, name)) for name in described.__struct_fields__
    }
    tag = tag_of(type(described))
    if tag == "contest":
        members["result"] = "won" if members["won"] else "lost"
    elif tag == "@clock":
        members["state"] = "runs" if members["running"] else "stops"
    return members


def sentence(
    game: AnyGame,
    event: Event,
    effects: Iterable[Effect],
    name_of: Callable[[str], str],
    phrase: str | None = None,
    locale: Locale | None = None,
    mark: Mark | None = None,
) -> str:
    """Return a description of `event` and its `effects` on one line.

    Args:
        game: The game, which has the templates.
        event: The event.
        effects: The effects to describe, in order.
        name_of: Returns the name of the person at a seat.
        phrase: The tag of the event's template, or None for its own tag.
        locale: The language, or None for English.
        mark: Prepares each value for display, or None.
    """
    parts = [(phrase or tag_of(type(event)), arguments(event))]
    return sentence_of(
        game,
        [*parts, *((tag_of(type(effect)), arguments(effect)) for effect in effects)],
        name_of,
        locale,
        mark,
    )


def sentence_of(
    game: AnyGame,
    things: Iterable[tuple[str, dict[str, Any]]],
    name_of: Callable[[str], str],
    locale: Locale | None = None,
    mark: Mark | None = None,
) -> str:
    """Return a description of `things` on one line.

    Args:
        game: The game, which has the templates.
        things: The tag of a template and its arguments, for each sentence.
        name_of: Returns the name of the person at a seat.
        locale: The language, or None for English.
        mark: Prepares each value for display, or None.
    """
    renders = renderer(game, lambda seat: _person(seat, name_of(seat), locale), locale)
    described = list(things)
    messages = [_message(game, tag, members) for tag, members in described]
    parts = [part for message in messages if (part := renders.text(message, mark))]
    if not parts and described:
        messages = [_listed_members(*described[0], renders.locale)]
        parts = [renders.text(messages[0], mark)]
    by = messages[0].args.get("by") if messages else None
    if by in (TABLE, ARBITER) and renders.parts(messages[0])[:1] == [Part(_person(by, by, locale), True)]:
        parts[0] = parts[0][0].upper() + parts[0][1:]
    return " ".join([*map(with_full_stop, parts[:-1]), *parts[-1:]])


def _listed_members(tag: str, members: Mapping[str, Any], locale: Locale) -> Message:
    """Return the words for an event without a sentence: its author, its kind and its own members."""
    own = {name: value for name, value in members.items() if name not in STAMP_MEMBERS and value is not None}
    words = f"{locale.word(tag.replace('_', ' '))} {_in_words(own, locale)}".strip()
    return Message("{@by}: {=words}", {"by": members.get("by"), "words": words})


def _in_words(value: Any, locale: Locale) -> str:
    """Return a value of a member in the words of `locale`."""
    if isinstance(value, Mapping):
        return ", ".join(f"{locale.word(str(key))} {_in_words(item, locale)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return " ".join(_in_words(item, locale) for item in value)
    return locale.word(plain_text(value))


def _person(seat: str, name: str, locale: Locale | None) -> str:
    """Return the name for the person at `seat` in a sentence.

    The table and the arbiter are named by a word, unless a person has that name.
    """
    if name != seat or seat not in (TABLE, ARBITER):
        return name
    return f"the {seat}" if locale is None else locale.word(seat)


def game_over_message(outcome: Outcome) -> Message:
    """Return the sentence that the game is over, with the winners or a draw, and the reason."""
    template = ENGINE_MESSAGES["over" if outcome.winners else "over_none"]
    return Message(template, msgspec.to_builtins(outcome))


def game_over_text(game: AnyGame, outcome: Outcome, name_of: Callable[[str], str]) -> str:
    """Return the sentence that the game is over, with the winners or a draw, and the reason."""
    return renderer(game, name_of).text(game_over_message(outcome))


def with_full_stop(text: str) -> str:
    """Return `text` with a full stop, unless it ends with another sign."""
    return text if text.endswith((".", "!", "?", "…", ":")) else f"{text}."
