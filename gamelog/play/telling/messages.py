"""Sentences from events and effects.

A game's ``messages`` hold one English template for each tag. ``{name}`` stands for a member of the
event or effect: a list is joined by spaces, a mapping by commas. ``{@name}`` stands for seats, shown
as the people who sit there: one, a list, or a mapping from seats. ``{name:one|other}`` is the first word
where the number in `name` is 1, else the second: CLDR has no other forms of English and Portuguese. An empty
template is silence. Templates are plain enough for a page to fill in by itself, so a page carries each
template once and only the arguments by event; it does so in other languages as well
(`gamelog.play.contract.translation`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Protocol

import msgspec

from gamelog.play.contract.effects import Effect
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.common import Ruling
from gamelog.record.counting import join_words
from gamelog.record.envelope import Event, tag_of

PLACE = re.compile(r"\{(@?)([a-z_]+)(?::([^{}|]*)\|([^{}|]*))?\}")
"""A place of a template; or ``{name:one|other}``, the form that goes with the number in the place `name`."""

ENGINE_MESSAGES: Mapping[str, str] = {
    "rolled": "{@seat} rolls {faces}.",
    "contest": "{@by} rolls {attack_sum} against {defence_sum}: {result}.",
    "captured": "{@by} takes {at}.",
    "income": "{@seat} receives {count}.",
    "discarded": "{@seat} gives {count} back.",
    "turn_over": "",
    "out": "{@seat} is out of the game.",
    "over": "The game is over: {@winners} ({reason}).",
    "team": "{name}: {@seats}.",
    "placed": "Place {place}: {@seats}.",
    "paid": "Payoffs: {@payoffs}.",
    "awaited": "It waits for the yes of {@seats}.",
    "awaited_ruling": "It waits for the yes of the arbiter.",
    "lapsed": "So the offer of event {about} has lapsed, without the yes of {@seats}.",
    "went_back": "The game goes back to event {to}; {count} {count:event is|events are} undone.",
    "went_on": "The game goes on from event {to}.",
    "awarded": "Points: {@points}.",
    "time_given": "Time: {@time}.",
    "warned": "Warned: {@seats}.",
    "clocks_set": "Clocks: {@clock}.",
    "@note": "Note by {@by}: {text}",
    "@clock": "The clock {state}.",
    "@claim": "{@by} claims: {text}",
    "@takeback": "{@by} takes the game back to event {to}.",
    "@takeback_offer": "{@by} asks to take the game back to event {to}.",
    "@correction": "{@by} corrects the record: what was written after event {to} was never played.",
    "@correction_offer": "{@by} asks to correct the record: what was written after event {to} was never "
    "played.",
    "@accept": "{@by} accepts event {about}.",
    "@decline": "{@by} declines event {about}.",
    "@agree": "{@by} offers to end the game: {@result}.",
    "@resign": "{@by} resigns.",
    "@ruling": "{name} rules on event {about}: {kind}. {reason}",
    "@refusal": "{name} refuses the claim of event {about}. {reason}",
    "@upholding": "{name} upholds the claim of event {about}. {reason}",
    "@withdrawal": "{name} withdraws the ruling of event {about}. {reason}",
    "@confirmation": "{name} confirms the ruling of event {about}. {reason}",
    "@replacement": "{name} replaces the ruling of event {about}: {kind}. {reason}",
    "@gap": "Moves are missing here; the position is declared. {reason}",
    "@reveal": "{@seat} reveals a secret.",
    "@sign": "{@seat} signs the record.",
    "@substitute": "{name} takes the seat of {@seat}.",
    "@amend": "Names or tags are corrected.",
    "@recovered": "A torn end of {bytes} bytes was set aside.",
    "@result": "The table's result: {@outcome}.",
    "@unseen": "{@by} does something that cannot be seen from here.",
}
"""What the engine says of common events and effects where a game says nothing else."""


class Tongue(Protocol):
    """Another language than English: templates by their tags, and the words of games."""

    messages: Mapping[str, str]

    def word(self, text: str) -> str:
        """`text`, a value of the game's, with the words in it translated."""
        ...


def message_template(game: AnyGame, tag: str) -> str:
    """The template for what is told under `tag`: the game's, else the engine's, else silence."""
    return game.messages.get(tag, ENGINE_MESSAGES.get(tag, ""))


def arguments(thing: Event | Effect) -> dict[str, Any]:
    """The members of `thing` as plain data, and what the engine's own templates ask for besides."""
    members: dict[str, Any] = {
        name: msgspec.to_builtins(getattr(thing, name)) for name in thing.__struct_fields__
    }
    tag = tag_of(type(thing))
    if tag == "contest":
        members["result"] = "won" if members["won"] else "lost"
    elif tag == "@clock":
        members["state"] = "runs" if members["running"] else "stops"
    return members


def plain_text(value: Any) -> str:
    """`value` in a sentence. None is silence."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plain_text(item)}" for key, item in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return " ".join(map(plain_text, value))
    return "" if value is None else str(value)


def _people(value: Any, name_of: Callable[[str], str], word: Callable[[str], str] = str) -> str:
    """Whom the seats in `value` stand for: one, several, what each has, winners. None is nobody."""
    if isinstance(value, Mapping):
        if "winners" in value:
            return f"{_people(value['winners'], name_of, word)} ({word(value.get('reason', ''))})"
        return ", ".join(f"{name_of(str(seat))} {word(plain_text(item))}" for seat, item in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        names = [name_of(str(seat)) for seat in value]
        return join_words(names, word(" and ").strip()) or word("nobody")
    return word("nobody") if value is None else name_of(str(value))


def time_told(ms: int) -> str:
    """Time that a clock is given or loses: ``+60 s``."""
    return f"{ms / 1000:+g} s"


def clock_told(ms: int) -> str:
    """What a clock shows: ``12:30``, from an hour on ``1:02:03``."""
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


def decision(ruling: Ruling, name_of: Callable[[str], str]) -> str:
    """What `ruling` decides, in a few words: where the game goes back to, whose points, who has won."""
    match ruling.kind:
        case "takeback":
            return f"takeback to {'before it' if ruling.to is None else f'event {ruling.to}'}"
        case "penalty":
            points = ", ".join(
                f"{name_of(seat)} {number:+}" for seat, number in (ruling.points or {}).items()
            )
            return f"penalty ({points})"
        case "time":
            time = ", ".join(f"{name_of(seat)} {time_told(ms)}" for seat, ms in (ruling.time or {}).items())
            return f"time penalty ({time})"
        case "clock":
            clock = " and ".join(
                f"{name_of(whose)} {clock_told(ms)}" for whose, ms in (ruling.clock or {}).items()
            )
            return f"clock ({clock})"
        case "warning":
            return f"warning ({', '.join(map(name_of, ruling.warned or ()))})"
        case "result" | "forfeit":
            return f"{ruling.kind} won by {_people(msgspec.to_builtins(ruling.result), name_of)}"
    return ruling.kind


def fill(
    text: str,
    members: Mapping[str, Any],
    name_of: Callable[[str], str],
    word: Callable[[str], str] = str,
    said: Collection[str] = (),
) -> str:
    """`text` with its places filled; what `members` lacks is left out, a seat is then nobody.

    `word` says a value in the language of `text`; those of the members `said` are people's own words and
    stay.
    """

    def place(match: re.Match[str]) -> str:
        seats, name, *forms = match.groups()
        value = members.get(name)
        if forms[0] is not None:
            return str(forms[value != 1])
        if seats:
            return _people(value, name_of, word)
        return plain_text(value) if name in said else word(plain_text(value))

    return PLACE.sub(place, text)


def sentence(
    game: AnyGame,
    event: Event,
    effects: Iterable[Effect],
    name_of: Callable[[str], str],
    phrase: str | None = None,
    tongue: Tongue | None = None,
) -> str:
    """What happened, for a person: the event, under `phrase`, and its consequences in one line of text.

    Without a `tongue` it is told in English.
    """
    things = [(phrase or tag_of(type(event)), arguments(event))]
    return sentence_of(
        game, [*things, *((tag_of(type(effect)), arguments(effect)) for effect in effects)], name_of, tongue
    )


def sentence_of(
    game: AnyGame,
    things: Iterable[tuple[str, Mapping[str, Any]]],
    name_of: Callable[[str], str],
    tongue: Tongue | None = None,
) -> str:
    """What happened: members, each under the tag that they are told by, in one line of text."""
    parts = [part for tag, members in things if (part := _told(game, tag, members, name_of, tongue))]
    return " ".join([*map(with_full_stop, parts[:-1]), *parts[-1:]])


def _told(
    game: AnyGame, tag: str, members: Mapping[str, Any], name_of: Callable[[str], str], tongue: Tongue | None
) -> str:
    """One thing that happened. What people have said in common events, and what they are called, is
    theirs.
    """
    english = message_template(game, tag)
    said = members.keys() - {"kind", "state"} if tag.startswith("@") else ()
    if tongue is None:
        return fill(english, members, name_of, lambda text: _in_english(game, text), said)

    def called(seat: str) -> str:
        name = name_of(seat)
        return tongue.word(seat) if name == seat else name

    return fill(tongue.messages.get(tag, english), members, called, tongue.word, said)


def game_over(game: AnyGame, outcome: Outcome, name_of: Callable[[str], str]) -> str:
    """Return the sentence that names the winners and the reason of `outcome`."""
    members = msgspec.to_builtins(outcome)
    return fill(ENGINE_MESSAGES["over"], members, name_of, lambda text: _in_english(game, text))


def result_text(game: AnyGame, outcome: Outcome, name_of: Callable[[str], str]) -> str:
    """Return the winners of `outcome`, with its reason in parentheses."""
    return _people(msgspec.to_builtins(outcome), name_of, lambda text: _in_english(game, text))


def _in_english(game: AnyGame, value: str) -> str:
    """Return the English words for `value`, if it is a word of the game's own such as ``majority_full``."""
    return game.translation("en").words.get(value, value)


def with_full_stop(text: str) -> str:
    """`text` with a full stop, where it ends with no sign of its own."""
    return text if text.endswith((".", "!", "?", "…", ":")) else f"{text}."
