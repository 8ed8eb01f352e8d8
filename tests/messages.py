"""Every message of the project with sample values, in English and in the other languages.

``python -m tests.messages [FOLDER ...]`` prints the messages of the folders (default: all) side by side.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from gamelog_reports.templates import texts

from gamelog.message import ENGLISH, Locale, Message, Renderer, placeholders
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.translation import LOCALES
from gamelog.play.rendering.sentences import ENGINE_MESSAGES
from tests.templates import templates

GAMES = "gamelog.games"
PAGES = "gamelog_reports"

HOMES: dict[str, tuple[str, ...]] = {
    "gamelog.record": (),
    "gamelog.chance": (),
    "gamelog.play": (),
    "gamelog.dispute": ("gamelog.dispute",),
    "gamelog.league": (),
    "gamelog_table": ("gamelog_table",),
    "gamelog_cli": ("gamelog.dispute", "gamelog_cli"),
    "gamelog_reports": ("gamelog_reports", "gamelog.dispute"),
    "gamelog.errors": (),
}
"""The folders whose messages people read in their language, with their locale files in addition to the engine's."""

PEOPLE = {"red": "Ana", "blue": "Rui"}

INSIDE = Message('the member "by" is missing')
"""A message that stands for those that other messages contain."""

SAMPLES: dict[str, Any] = {
    **dict.fromkeys(("seat", "name", "by", "left", "now", "named", "was"), "Ana"),
    **dict.fromkeys(("at", "src", "zone", "slot"), "C4"),
    **dict.fromkeys(("dst", "first_base", "second_base"), "D4"),
    **dict.fromkeys(("path", "a", "file", "quoted", "parent"), "sheet-1.jsonl"),
    **dict.fromkeys(("b", "other"), "sheet-2.jsonl"),
    **dict.fromkeys(("game", "title"), "SliceWars"),
    **dict.fromkeys(("odds", "percent", "exactly", "more"), "41.67%"),
    **dict.fromkeys(("key", "sealed", "stored", "head", "shown", "expected"), "mJ0x7Qf"),
    **dict.fromkeys(("id", "picked", "origin", "origins", "distribution"), "3f2a-91"),
    "command": "gamelog validate sheet-1.jsonl",
    "rule": "SW-11",
    "text": "«…»",
    "reason": "«…»",
    "faces": "6 4 1",
    "time": "12:30",
}
"""Sample values of places by name; other places have a number."""

SEATS: dict[str, Any] = {
    **dict.fromkeys(("seats", "people", "winners", "asked", "found", "bases", "armies"), ("red", "blue")),
    **{name: {"red": "+2", "blue": "-1"} for name in ("points", "payoffs")},
    **{name: {"red": "12:30", "blue": "9:05"} for name in ("clock", "time")},
    **{name: {"winners": ["red"], "reason": "«…»"} for name in ("result", "outcome")},
    **dict.fromkeys(("by", "against", "loser", "next"), "blue"),
}
"""Sample seats of places by name; other places have one seat."""

CONTAIN = frozenset(
    [
        "agreed",
        "decision",
        "difference",
        "doubt",
        "failure",
        "fate",
        "giver",
        "known",
        "options",
        "parting",
        "parts",
        "problem",
        "rest",
        "ruled",
        "rulings",
        "seals",
        "second",
        "trouble",
        "what",
        "where",
        "whose",
        "words",
    ]
)
"""The names of places that contain another message."""


class Rendering(NamedTuple):
    """A message with sample values, and in one language; ``own_words`` have ``…`` for each value."""

    template: str
    english: str
    text: str
    own_words: str


def name_of(seat: str) -> str:
    """Return the name of the person at `seat`."""
    return PEOPLE.get(seat, seat)


def home_of(game: str) -> str:
    """Return the folder of an installed game."""
    return f"{GAMES}.{game}"


def folders() -> list[str]:
    """Return the folders whose messages people read in their language."""
    return [*HOMES, *map(home_of, names())]


@cache
def templates_of(folder: str) -> frozenset[str]:
    """Return the templates of `folder`, those for events and effects included."""
    import_module("gamelog_table.net.responses")  # its errors are messages too
    found = {*templates(folder)}
    if folder == "gamelog.play":
        found |= {*ENGINE_MESSAGES.values()}
    if folder.startswith(GAMES):
        found |= {*find(folder.removeprefix(f"{GAMES}.")).messages.values(), *templates(f"{GAMES}.kit")}
        found -= templates_of("gamelog.play")
    return frozenset(template for template in found if template)


def locale_of(folder: str, language: str) -> Locale:
    """Return the language in which the messages of `folder` are shown."""
    game = find(folder.removeprefix(f"{GAMES}.")) if folder.startswith(GAMES) else None
    return load_locale(language, game, *HOMES.get(folder, ()))


def sample(template: str, number: int = 2) -> Message:
    """Return the message of `template` with sample values, and with `number` for each number."""
    args: dict[str, Any] = {}
    counted = {place.name for place in placeholders(template) if place.forms}
    for place in placeholders(template):
        if place.forms or place.name in counted:
            args[place.name] = number
        elif place.kind == "@":
            args[place.name] = SEATS.get(place.name, "red")
        elif place.kind == "" and place.name in CONTAIN:
            args[place.name] = INSIDE
        else:
            args.setdefault(place.name, SAMPLES.get(place.name, number))
    return Message(template, args)


def rendering(template: str, spoken: Locale, number: int = 2) -> Rendering:
    """Return `template` with sample values in English and as `spoken`."""
    message = sample(template, number)
    parts = Renderer(spoken, name_of).parts(message)
    return Rendering(
        template,
        Renderer(ENGLISH, name_of).text(message),
        "".join(part.text for part in parts),
        "".join("…" if part.is_value else part.text for part in parts),
    )


def renderings(folder: str, language: str) -> Iterator[Rendering]:
    """Yield the messages of `folder` in `language`, in the order of their templates."""
    spoken = locale_of(folder, language)
    return (rendering(template, spoken) for template in sorted(templates_of(folder)))


def page_renderings(language: str) -> Iterator[Rendering]:
    """Yield the texts of the pages in `language`, by name; their places are numbers in braces."""
    other = texts(language)
    return (Rendering(name, text, other[name], other[name]) for name, text in texts("en").items())


def main(wanted: list[str]) -> None:
    """Print the messages of the `wanted` folders in all languages."""
    for folder in wanted or [*folders(), PAGES]:
        print(f"\n## {folder}")
        for language in LOCALES:
            found = page_renderings(language) if folder == PAGES else renderings(folder, language)
            for one in found:
                print(f"\nen  {one.english}\n{language}  {one.text}")


if __name__ == "__main__":
    main(sys.argv[1:])
