"""The language of the text that commands print: the language of the environment or of --language.

The library knows no commands. If it says what to do, the translations of this package name the command:
``locales/en.json`` has the English messages of the library that have a command here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, cast, get_args

from gamelog.message import Locale, Message, Renderer
from gamelog.record.escaping import isolate

if TYPE_CHECKING:
    from gamelog.play.contract.game import AnyGame

Language = Literal["en", "pt"]

_VARIABLES = ("GAMELOG_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables with the language. The first one that is set decides."""

_MESSAGE_PACKAGES = ("gamelog_cli", "gamelog.dispute")
"""Packages whose translations the command line uses, in addition to those of the game and the engine."""

_current: ContextVar[Renderer | None] = ContextVar("renderer", default=None)
"""Renderer for the language in use; None until the first message in English."""


def set_language(language: Language, game: AnyGame | None = None) -> None:
    """Print all further text in `language`, with the words and sentences of `game`."""
    if language == "en" and game is None:
        _current.set(None)
    else:
        _set_renderer(language, game)


def _set_renderer(language: Language, game: AnyGame | None) -> None:
    from gamelog.play.contract.locales import load_locale

    server = () if language == "en" else ("gamelog_table",)  # the server's words are English
    _current.set(Renderer(load_locale(language, game, *_MESSAGE_PACKAGES, *server)))


def use_game(game: AnyGame) -> None:
    """Print all further text with the words and sentences of `game`, in the language in use."""
    set_language(cast(Language, current_language()), game)


def chosen_language(words: Sequence[str], environment: Mapping[str, str] = os.environ) -> Language:
    """Return the language for a command line: the value of --language, or the language of the environment.

    JSON is in English unless --language is given. An unknown language is English.
    """
    chosen = None
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word == "--language":
            chosen = following
        elif word.startswith("--language="):
            chosen = word.partition("=")[2]
    if chosen is None and "--json" not in words:
        chosen = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    code = (chosen or "").replace("-", "_").partition("_")[0].partition(".")[0].casefold()
    return next((language for language in get_args(Language) if language == code), "en")


def current_renderer() -> Renderer:
    """Return the renderer for the language in use."""
    if _current.get() is None:
        _set_renderer("en", None)
    renderer = _current.get()
    assert renderer is not None
    return renderer


def current_language() -> str:
    """Return the code of the language in use."""
    renderer = _current.get()
    return "en" if renderer is None else renderer.locale.language


def current_locale() -> Locale | None:
    """Return the locale in use, or None for English."""
    renderer = _current.get()
    return None if renderer is None or renderer.locale.language == "en" else renderer.locale


def text_of(text: object) -> str:
    """Return `text`, rendered in the language in use if it is a message."""
    return current_renderer().text(text, isolate) if isinstance(text, Message) else str(text)


def word_of(text: str) -> str:
    """Return a word of the engine or of a game, such as a status, in the language in use."""
    return current_renderer().locale.word(text)


def clause_of(message: Message) -> str:
    """Return `message` as rendered text without its full stop, to put it inside a sentence."""
    return text_of(message).rstrip(". ")


def counted_events(n: int) -> Message:
    """Return the number of events, with separators: ``1,213 events``."""
    return Message.of("{=count} {n:event|events}", count=f"{n:,}", n=n)


def alternatives(texts: Sequence[str]) -> Message:
    """Return names or typed words as an alternative: ``a or b or c``."""
    *first, last = texts
    message = Message.of("{=text}", text=last)
    for text in reversed(first):
        message = Message.of("{=first} or {rest}", first=text, rest=message)
    return message
