"""Sentences from events and effects.

A game's ``phrases`` hold one English template for each tag. ``{name}`` stands for a member of the
event or effect: a list is joined by spaces, a mapping by commas. ``{@name}`` stands for seats, shown
as the people who sit there: one, a list, or a mapping from seats. An empty template is silence.
Templates are plain enough for a page to fill in by itself, so a page carries each template once and
only the arguments by event; it does so in other languages as well (`gamelog.play.translation`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.play.common import Takeback
from gamelog.play.effects import Effect
from gamelog.play.game import AnyGame
from gamelog.record.envelope import Event

PLACE = re.compile(r"\{(@?)([a-z_]+)\}")

ENGINE_PHRASES: Mapping[str, str] = {
    "rolled": "{@seat} rolls {faces}.",
    "contest": "{@by} rolls {attack_sum} against {defence_sum}: {result}.",
    "captured": "{@by} takes {at}.",
    "income": "{@seat} receives {count}.",
    "discarded": "{@seat} gives {count} back.",
    "turn_over": "",
    "out": "{@seat} is out of the game.",
    "over": "The game is over: {@winners} ({reason}).",
    "@note": "Note by {@by}: {text}",
    "@clock": "The clock {state}.",
    "@claim": "{@by} claims: {text}",
    "@takeback": "{@by} takes the game back to event {to}.",
    "@correction": "{@by} corrects the record: what was written after event {to} was never played.",
    "@accept": "{@by} accepts event {about}.",
    "@decline": "{@by} declines event {about}.",
    "@agree": "{@by} offers to end the game: {@result}.",
    "@resign": "{@by} resigns.",
    "@ruling": "{name} rules on event {about}: {kind}. {reason}",
    "@gap": "Moves are missing here; the position is declared. {reason}",
    "@reveal": "{@seat} reveals a secret.",
    "@sign": "{@seat} signs the record.",
    "@substitute": "{name} takes the seat of {@seat}.",
    "@amend": "Names or tags are corrected.",
    "@recovered": "A torn end of {bytes} bytes was set aside.",
    "@result": "The table's result: {@outcome}.",
}
"""What the engine says of common events and effects where a game says nothing else."""


def tag_of(kind: type[Struct]) -> str:
    """The tag of an event or effect type."""
    return str(kind.__struct_config__.tag)


def template(game: AnyGame, thing: Event | Effect) -> str:
    """The template for an event or effect: the game's, else the engine's, else silence."""
    tag = "@correction" if isinstance(thing, Takeback) and thing.slip else tag_of(type(thing))
    return game.phrases.get(tag, ENGINE_PHRASES.get(tag, ""))


def arguments(thing: Event | Effect) -> dict[str, Any]:
    """The members of `thing` as plain data, and what the engine's own templates ask for besides."""
    members: dict[str, Any] = {name: msgspec.to_builtins(getattr(thing, name)) for name in thing.__struct_fields__}
    tag = tag_of(type(thing))
    if tag == "contest":
        members["result"] = "won" if members["won"] else "lost"
    elif tag == "@clock":
        members["state"] = "runs" if members["running"] else "stops"
    return members


def plain(value: Any) -> str:
    """`value` in a sentence. None is silence."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plain(item)}" for key, item in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return " ".join(map(plain, value))
    return "" if value is None else str(value)


def people(value: Any, name_of: Callable[[str], str]) -> str:
    """Whom the seats in `value` stand for: one, several, what each has, or the winners of an outcome. None is nobody."""
    if isinstance(value, Mapping):
        if "winners" in value:
            return f"{people(value['winners'], name_of)} ({value.get('reason', '')})"
        return ", ".join(f"{name_of(str(seat))} {plain(item)}" for seat, item in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return " and ".join(name_of(str(seat)) for seat in value) or "nobody"
    return "nobody" if value is None else name_of(str(value))


def fill(text: str, members: Mapping[str, Any], name_of: Callable[[str], str]) -> str:
    """`text` with its places filled; what `members` lacks is left out, a seat is then nobody."""

    def place(match: re.Match[str]) -> str:
        seats, name = match.groups()
        value = members.get(name)
        return people(value, name_of) if seats else plain(value)

    return PLACE.sub(place, text)


def sentence(game: AnyGame, event: Event, effects: Iterable[Effect], name_of: Callable[[str], str]) -> str:
    """What happened, for a person: the event and its consequences in one line of text."""
    things: list[Event | Effect] = [event, *effects]
    parts = [fill(template(game, thing), arguments(thing), name_of) for thing in things]
    return " ".join(part for part in parts if part)
