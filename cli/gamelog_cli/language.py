"""The language of the text that commands print: English, unless `gamelog record` sets another one.

The library knows no commands. Where it says what to do, the translations of this package name the command:
``locales/en.json`` has the English messages of the library that have a command here.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal

from gamelog.message import Locale, Message, Renderer
from gamelog.record.escaping import isolate

if TYPE_CHECKING:
    from gamelog.play.contract.game import AnyGame

Language = Literal["en", "pt"]

_HOMES = ("gamelog_cli", "gamelog.dispute")
"""Packages whose translations the command line uses, besides those of the game and the engine."""

_current: ContextVar[Renderer | None] = ContextVar("renderer", default=None)
"""Renderer for the language in use; None until the first message in English."""


def set_language(language: Language, game: AnyGame | None = None) -> None:
    """Print all further text in `language`, with the words and sentences of `game`."""
    from gamelog.play.contract.locales import load_locale

    _current.set(Renderer(load_locale(language, game, *_HOMES)))


def reset_language() -> None:
    """Print all further text in English."""
    _current.set(None)


def current_renderer() -> Renderer:
    """Return the renderer for the language in use."""
    if _current.get() is None:
        set_language("en")
    renderer = _current.get()
    assert renderer is not None
    return renderer


def current_language() -> str:
    """Return the code of the language in use."""
    renderer = _current.get()
    return "en" if renderer is None else renderer.locale.language


def other_locale() -> Locale | None:
    """Return the locale in use, or None for English."""
    renderer = _current.get()
    return None if renderer is None or renderer.locale.language == "en" else renderer.locale


def text_of(text: object) -> str:
    """Return `text`, rendered in the language in use if it is a message."""
    return current_renderer().text(text, isolate) if isinstance(text, Message) else str(text)


def clause_of(message: Message) -> str:
    """Return `message` as rendered text without its full stop, to put it inside a sentence."""
    return text_of(message).rstrip(". ")


def any_of(texts: Sequence[str]) -> Message:
    """Return names or typed words as an alternative: ``a or b or c``."""
    *first, last = texts
    found = Message.of("{=text}", text=last)
    for text in reversed(first):
        found = Message.of("{=first} or {rest}", first=text, rest=found)
    return found
