"""Sentences, words and rules of a game in other languages than English.

They stand in data files beside the game, ``locales/<language>.json`` and ``locales/RULES.<language>.md`` in
its package, and the engine's beside this module. A language that a game does not speak, and a tag that its
file does not have, are told in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct, structs

LOCALES = ("pt",)
"""The languages that pages speak besides English."""

ENGINE = "gamelog.play"
"""The package that speaks of the events, effects and findings that every game has."""


class Translation(Struct, frozen=True):
    """What a game says in one language.

    ``messages``: by the English template, of an event, an effect, a `Violation` or an error, the template in
    this language, with the same places (`gamelog.message`). ``words``: by the English word or words, the
    words of this language wherever a game's own values contain them: colours, kinds, reasons, names of
    captions and cells. Text that people wrote is never translated. ``rules``: the rulebook, in the form of
    RULES.md and with its ids; a rule that is missing here is shown in English. ``locales/en.json`` may have
    ``words`` as well, for values that are not English yet (``majority_full``).

    The engine's file says how the language counts and lists (`gamelog.message.Locale`): ``plural`` has the
    rule of each category of numbers, ``list`` how parts are joined. Files may have members that this release
    does not know.
    """

    messages: Mapping[str, str] = {}
    words: Mapping[str, str] = {}
    plural: Mapping[str, str] = {}
    list: tuple[str, ...] = ()
    rules: str = ""

    def __post_init__(self) -> None:
        for name in ("messages", "words", "plural"):  # a mapping may have code of its own
            mapping = getattr(self, name)
            if type(mapping) is not dict:
                structs.force_setattr(self, name, {key: mapping[key] for key in mapping})


@cache
def translation(package: str, language: str) -> Translation:
    """What `package` has for `language`, if it has such files. Raises `msgspec.DecodeError` for a bad one."""
    place = files(package).joinpath("locales")
    said, rules = place.joinpath(f"{language}.json"), place.joinpath(f"RULES.{language}.md")
    spoken = msgspec.json.decode(said.read_bytes(), type=Translation) if said.is_file() else Translation()
    return structs.replace(spoken, rules=rules.read_text("utf-8")) if rules.is_file() else spoken
