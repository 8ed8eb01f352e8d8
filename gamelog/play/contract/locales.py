"""The locale of a language: the translations of a game, of the engine and of further packages together.

And the renderer for the messages of a game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from gamelog.message import ENGLISH, Locale, Renderer
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.translation import ENGINE, LOCALES, Translation, translation

LANGUAGES = ("en", *LOCALES)
"""The languages of messages and pages."""


@cache
def load_locale(language: str, game: AnyGame | None = None, *packages: str) -> Locale:
    """Return the locale for `language` with the translations of `game`, the engine and the given `packages`.

    If several have the same key, the first of them is used, and the engine comes last. So a package can word
    messages of the engine in its own way, in English too. A message can also be a clause within another one,
    so it is there without its full stop, too.
    """
    translations = [game.translation(language)] if game else []
    translations += [translation(package, language) for package in (*packages, ENGINE)]
    messages: dict[str, str] = {}
    words: dict[str, str] = {}
    for texts in reversed(translations):
        messages |= {
            english.rstrip(". "): translated.rstrip(". ") for english, translated in texts.messages.items()
        }
        messages |= texts.messages
        words |= texts.words
    if language == ENGLISH.language:
        return Locale(messages=messages, words=words)
    if game:
        rules = rulebook(game, language)
        for id_, rule in rulebook(game).items():
            messages[rule.text] = rules[id_].text
            messages[rule.text.rstrip(".")] = rules[id_].text.rstrip(".")
    engine = translation(ENGINE, language)
    return Locale(
        language, messages, words, engine.plural or ENGLISH.plural, tuple(engine.list) or ENGLISH.lists
    )


@cache
def _english(own: Callable[[str], Translation]) -> Locale:
    """Return English with the words that a game has for values such as ``majority_full``."""
    return Locale(words=own("en").words)


def renderer(game: AnyGame, name_of: Callable[[str], str], locale: Locale | None = None) -> Renderer:
    """Return the renderer for messages of `game`, in the language of `locale`, or in English."""
    return Renderer(locale or _english(game.translation), name_of)
