"""Checks of messages, translations, and rulebooks in other languages."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from msgspec import Struct

from gamelog.message import placeholders
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.rulebook import parse_rulebook, rulebook
from gamelog.play.contract.translation import LOCALES
from gamelog.play.rendering.sentences import ENGINE_MESSAGES, arguments, message_template
from gamelog.record.envelope import ARBITER, TABLE, Event, tag_of
from gamelog.testing.checks.random_games import Checks

_ENGINE_MEMBERS = {"contest": ("result",)}
"""Places of common templates in addition to the members of an effect."""


class MessageChecks(Checks):
    """Checks of `messages` and `translation`."""

    def test_messages_fit_events_and_effects(self) -> None:
        """Check that each event and effect has a message, whose places are its members."""
        members: dict[str, set[str]] = {}
        for kind in (*self.game.events, *self._effect_types()):
            members[tag_of(kind)] = {*kind.__struct_fields__, *_ENGINE_MEMBERS.get(tag_of(kind), ())}
        for game, state, event, after in self.sample.steps("messages"):
            things: tuple[Event | Effect, ...] = (event, *self.game.effects(state, event, after))
            for thing in things:
                members.setdefault(tag_of(type(thing)), set()).update(arguments(thing))
                self._check_people(thing, game.header.seat_ids)
        for tag in {tag_of(kind) for kind in self.game.events} | members.keys():
            assert tag in self.game.messages or tag in ENGINE_MESSAGES, (
                f"there is no message for {tag}; an empty message hides it"
            )
        for tag, text in self.game.messages.items():
            named = tag.removesuffix("?")  # a message for an event that is seen in part
            assert named in members or tag in ENGINE_MESSAGES, (
                f"there is a message for {tag}, which is not an event and not an effect"
            )
            for place in placeholders(text):
                name = place.name
                assert name in members.get(named, {name}), (
                    f"the message for {tag} has the place {name}, which is not a member"
                )

    def _check_people(self, thing: Event | Effect, seats: tuple[str, ...]) -> None:
        """Raise AssertionError if the message for `thing` shows a seat without ``@``, or no seat with it."""
        text = message_template(self.game, tag_of(type(thing)))
        members = arguments(thing)
        for place in placeholders(text):
            at, name = place.kind == "@", place.name
            value = members.get(name)
            if at and value is not None and not isinstance(value, dict):
                unknown = (
                    set(value if isinstance(value, list | tuple) else [value]) - set(seats) - {TABLE, ARBITER}
                )
                assert not unknown, f"{text!r} uses {', '.join(map(str, unknown))} as a seat"
            assert at or name != "by", f"{text!r} shows the seat, not the person at the seat: write {{@by}}"

    def _effect_types(self) -> Iterator[type[Struct]]:
        """Yield the common effects, and the effects in the package of the game."""
        module = self.game.effects.__module__
        package = (
            module if hasattr(sys.modules.get(module), "__path__") else module.rpartition(".")[0] or module
        )
        kinds = list(Effect.__subclasses__())
        for kind in kinds:
            kinds += kind.__subclasses__()
            own = kind.__module__ == package or kind.__module__.startswith(f"{package}.")
            if kind.__struct_config__.tag and (own or kind.__module__ == Effect.__module__):
                yield kind

    def test_translations_have_the_places_of_the_english(self) -> None:
        for language in LOCALES:
            for english, other in self.game.translation(language).messages.items():
                _check_places(language, english, other)

    def test_translated_rulebooks_have_the_same_rules(self) -> None:
        """Check that translated rulebooks have the same rules and sections in the same order."""
        english = rulebook(self.game)
        for language in LOCALES:
            text = self.game.translation(language).rules
            other = parse_rulebook(text)
            assert not text or list(other) == list(english), (
                f"RULES.{language}.md has other rules, or another order"
            )
            pairs = {(rule.section, other[id_].section) for id_, rule in english.items() if id_ in other}
            assert all(len(set(side)) == len(pairs) for side in zip(*pairs, strict=True)), (
                f"RULES.{language}.md has other sections"
            )
            for rule in other.values():
                same = bool(rule.unchecked) is bool(english[rule.id].unchecked)
                assert same, f"{rule.id} is marked as not checkable in one language only"


def _check_places(language: str, english: str, other: str) -> None:
    """Raise AssertionError if a translation has other places or forms than the English template."""
    (there, counted), (asked, formed) = map(_places, (english, other))
    assert there == asked, f"{language}: {english!r} and {other!r} have different places"
    unknown = formed - counted - {name for _, name in there}
    assert not unknown, (
        f"{language}: {other!r} has forms for {', '.join(unknown)}, which {english!r} does not count"
    )


def _places(text: str) -> tuple[set[tuple[str, str]], set[str]]:
    """Return the places of a template, and the numbers that have forms."""
    found = placeholders(text)
    return (
        {(place.kind, place.name) for place in found if not place.forms},
        {place.name for place in found if place.forms},
    )
