"""Messages, words and rules of a game in other languages than English.

They are data files of the game's package, ``locales/<language>.json`` and ``locales/RULES.<language>.md``.
The engine's files are beside this package. If a language or a message is missing, English is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct, structs

LOCALES = ("pt",)
"""Languages of pages in addition to English."""

ENGINE = "gamelog.play"
"""Package with the messages about events, effects and findings that all games share."""


class Translation(Struct, frozen=True):
    """The texts of a game in one language. Files may have members that this release does not know.

    ``locales/en.json`` may have words too, for values that are not English yet (``majority_full``), and
    messages, for messages of other packages that this package words in its own way. Only the engine's file
    defines numbers and lists of the language (`gamelog.message.Locale`).

    Attributes:
        messages: Template in this language by English template, with the same placeholders
            (`gamelog.message`).
        words: Translations of words in a game's own values: colours, kinds, reasons, names of captions and
            cells. Text that people wrote is never translated.
        plural: Rule of each plural category.
        list: Patterns that join parts.
        rules: Rulebook, in the form of RULES.md and with its ids; a rule that is missing here is shown in
            English.
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
    """Return the texts of `package` for `language`, or empty ones if it has no such files.

    Raises:
        msgspec.DecodeError: A file is invalid.
    """
    place = files(package).joinpath("locales")
    texts, rules = place.joinpath(f"{language}.json"), place.joinpath(f"RULES.{language}.md")
    translated = (
        msgspec.json.decode(texts.read_bytes(), type=Translation) if texts.is_file() else Translation()
    )
    return structs.replace(translated, rules=rules.read_text("utf-8")) if rules.is_file() else translated
