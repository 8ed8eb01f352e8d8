"""The texts of the pages: the same in every language, short on buttons and in hints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import gamelog_reports
import gamelog_table
import pytest
from gamelog_reports import bundle
from gamelog_reports.templates import script_texts, text_calls, texts

from gamelog.play.contract.locales import LANGUAGES

HOMES = [Path(module.__file__ or "").parent for module in (gamelog_reports, gamelog_table)]

MAX_BUTTON_WORDS, MAX_HINT_WORDS = 3, 12


def sources(folder: str, ending: str) -> list[str]:
    """Return the text of each file of the two packages in `folder` with this ending."""
    return [path.read_text("utf-8") for home in HOMES for path in sorted((home / folder).glob(f"*.{ending}"))]


def first_argument(source: str, start: int) -> str:
    """Return the argument of a call that begins at `start`, up to the comma or bracket that ends it."""
    depth = 0
    for at in range(start, len(source)):
        letter = source[at]
        if letter in ")]}," and depth == 0:
            return source[start:at]
        depth += (letter in "([{") - (letter in ")]}")
    raise AssertionError("the call does not end")


def keys_in(expression: str, source: str) -> Iterator[str]:
    """Yield the keys, or beginnings of keys, that `expression` takes texts by, itself or by a function of `source`."""
    for call in re.finditer(r"\bt\(", expression):
        quoted = re.findall(r'"(\w+)"', first_argument(expression, call.end()))
        assert quoted, f"a key that only the running page knows: {expression}"
        yield from quoted
    for name in re.findall(r"\b(\w+)\(", expression):
        made = re.search(
            rf"^(?:function {name}\(.*?^}}|const {name} = \(.*?;$)", source, re.MULTILINE | re.DOTALL
        )
        if made:
            yield from keys_in(made[0].partition(name)[2].partition("(")[2], source)


def button_keys() -> set[str]:
    """Return the keys of all texts on buttons, in templates and scripts."""
    found: set[str] = set()
    for template in sources("templates", "j2"):
        for button in re.findall(r"<button.*?</button>|\{\{ button\(.*?\}\}", template):
            found |= set(re.findall(r"\bt\.(\w+)", button))
    for script in sources("assets", "js"):
        for call in re.finditer(
            r'(?<!function )\b(?:button|removalButton)\(|\bel\("button", (?:\{[^}]*\}), ', script
        ):
            found |= set(keys_in(first_argument(script, call.end()), script))
    return {
        key
        for key in texts("en")
        if any(key == one or (one.endswith("_") and key.startswith(one)) for one in found)
    }


def hint_keys() -> set[str]:
    """Return the keys of the hints, the soft paragraphs of the table's page."""
    soft = re.compile(r'el\("p", \{ class: "soft" \}, t\("(\w+)"')
    return {key for script in sources("assets", "js") for key in soft.findall(script)}


def test_every_language_has_the_same_texts_with_the_same_places() -> None:
    english = texts("en")
    for language in LANGUAGES:
        own = texts(language)
        assert list(own) == list(english)
        for key, text in english.items():
            assert sorted(re.findall(r"\{\d\}", own[key])) == sorted(re.findall(r"\{\d\}", text)), key
            assert own[key].strip() == own[key] != "", key


@pytest.mark.parametrize(
    ("script", "home"),
    [
        ("replay", "gamelog_reports"),
        ("index", "gamelog_reports"),
        ("table", "gamelog_table"),
        ("lobby_page", "gamelog_table"),
    ],
)
def test_a_page_has_the_texts_that_its_script_uses(script: str, home: str) -> None:
    """Each call quotes the keys of its texts, or their beginnings. Other texts would be missing."""
    code = bundle.script(script, home)
    known = script_texts("en", code)
    calls = [call for call in text_calls(code) if call != "(name,...given)"]
    assert len(calls) > 10
    for call in calls:
        quoted = re.findall(r'"([a-z_]+)"', call)
        assert any(
            key in known or (key.endswith("_") and any(one.startswith(key) for one in known))
            for key in quoted
        ), call


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_has_at_most_three_words(language: str) -> None:
    keys = button_keys()
    assert {
        "undo",
        "do_note",
        "pause_clock",
        "accept",
        "start_game",
        "download",
        "turn_back",
        "whole_board",
    } <= keys
    long = {key: texts(language)[key] for key in keys if len(texts(language)[key].split()) > MAX_BUTTON_WORDS}
    assert long == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_one_short_sentence(language: str) -> None:
    keys = hint_keys()
    assert {"tap_board", "tap_fills", "listed_only", "nothing_there", "looking_back"} <= keys
    for key in keys:
        hint = texts(language)[key]
        assert len(hint.split()) <= MAX_HINT_WORDS, hint
        assert hint.endswith(".") and not re.search(r"[.!?] ", hint), hint
