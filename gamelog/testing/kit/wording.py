"""Checks of the words: messages, translations, rulebooks in other languages."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from msgspec import Struct

from gamelog.message import places
from gamelog.play.contract.effects import Effect
from gamelog.play.contract.rulebook import parse_rulebook, rulebook
from gamelog.play.contract.translation import LOCALES
from gamelog.play.telling.sentences import ENGINE_MESSAGES, arguments, message_template
from gamelog.record.envelope import ARBITER, TABLE, Event, tag_of
from gamelog.testing.kit.random_games import Checks

ENGINE_MEMBERS = {"contest": ("result",)}
"""What the engine's own templates ask for besides an effect's members."""


class Wording(Checks):
    """`messages`, `translation`."""

    def test_messages_fit_what_they_speak_of(self) -> None:
        members: dict[str, set[str]] = {}
        for kind in (*self.game.events, *self._effect_types()):
            members[tag_of(kind)] = {*kind.__struct_fields__, *ENGINE_MEMBERS.get(tag_of(kind), ())}
        for game, state, event, after in self.sample.steps("messages"):
            things: tuple[Event | Effect, ...] = (event, *self.game.effects(state, event, after))
            for thing in things:
                members.setdefault(tag_of(type(thing)), set()).update(arguments(thing))
                self._people(thing, game.header.seat_ids)
        for tag in {tag_of(kind) for kind in self.game.events} | members.keys():
            assert tag in self.game.messages or tag in ENGINE_MESSAGES, (
                f"no message for {tag}; an empty one is silence"
            )
        for tag, text in self.game.messages.items():
            named = tag.removesuffix("?")  # what is told of an event that is not seen whole
            assert named in members or tag in ENGINE_MESSAGES, (
                f"a phrase for {tag}, which is neither an event nor an effect"
            )
            for place in places(text):
                name = place.name
                assert name in members.get(named, {name}), f"the phrase for {tag} asks for {name}"

    def _people(self, thing: Event | Effect, seats: tuple[str, ...]) -> None:
        """Raise AssertionError where the phrase for `thing` takes something else for a seat,
        or a seat for something else.
        """
        text = message_template(self.game, tag_of(type(thing)))
        told = arguments(thing)
        for place in places(text):
            at, name = place.kind == "@", place.name
            value = told.get(name)
            if at and value is not None and not isinstance(value, dict):
                unknown = (
                    set(value if isinstance(value, list | tuple) else [value]) - set(seats) - {TABLE, ARBITER}
                )
                assert not unknown, f"{text!r} takes {', '.join(map(str, unknown))} for a seat"
            assert at or name != "by", f"{text!r} shows the seat, not who sits there: write {{@by}}"

    def _effect_types(self) -> Iterator[type[Struct]]:
        """The effects that everybody has, and those that the game's own package defines."""
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

    def test_translations_ask_for_what_the_english_asks_for(self) -> None:
        for language in LOCALES:
            for english, other in self.game.translation(language).messages.items():
                _alike(language, english, other)

    def test_rules_in_other_languages_are_those_of_the_rulebook(self) -> None:
        english = rulebook(self.game)
        for language in LOCALES:
            text = self.game.translation(language).rules
            other = parse_rulebook(text)
            assert not text or list(other) == list(english), (
                f"RULES.{language}.md has other rules, or in another order"
            )
            pairs = {(rule.section, other[id_].section) for id_, rule in english.items() if id_ in other}
            assert all(len(set(side)) == len(pairs) for side in zip(*pairs, strict=True)), (
                f"RULES.{language}.md has other sections"
            )
            for rule in other.values():
                same = bool(rule.unchecked) is bool(english[rule.id].unchecked)
                assert same, f"{rule.id} is marked as not checkable in one language alone"


def _alike(language: str, english: str, other: str) -> None:
    """Raise AssertionError where a template's places or forms are not those of the English one."""
    (there, counted), (asked, formed) = map(_places, (english, other))
    assert there == asked, f"{language}: {english!r} and {other!r} have different places"
    unknown = formed - counted - {name for _, name in there}
    assert not unknown, (
        f"{language}: {other!r} has forms that go with no number of {english!r}: {', '.join(unknown)}"
    )


def _places(text: str) -> tuple[set[tuple[str, str]], set[str]]:
    """The places of a template, and the numbers that its forms go with."""
    found = places(text)
    return (
        {(place.kind, place.name) for place in found if not place.forms},
        {place.name for place in found if place.forms},
    )
