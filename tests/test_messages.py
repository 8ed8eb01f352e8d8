"""Messages in other languages: each one is there, whole, and without English."""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec

import pytest
from gamelog_cli.app import COMMANDS

from gamelog.message import placeholders
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.translation import LOCALES, translation
from gamelog.play.fold.parts.event_list import tags
from gamelog.record.envelope import tag_of
from tests.english_words import english_in
from tests.messages import (
    GAMES,
    folders,
    home_of,
    locale_of,
    page_renderings,
    rendering,
    renderings,
    templates_of,
)
from tests.templates import code_texts, texts, trees

FILES = {
    "gamelog.play": ("gamelog", "gamelog_front"),
    "gamelog.dispute": ("gamelog", "gamelog_reports"),
    "gamelog_table": ("gamelog", "gamelog_table"),
    "gamelog_cli": ("gamelog", "gamelog_cli"),
    **{home_of(name): (home_of(name), f"{GAMES}.kit") for name in names()},
}
"""The packages with locale files, and the packages in whose code the keys of the files are."""


NAMES_COMMAND = re.compile(rf"\bgamelog (?:{'|'.join(COMMANDS)})\b|(?<![\w-])--[a-z]")
"""Pattern of a text that names a command of `gamelog`, or an option."""


def is_wordless(template: str) -> bool:
    """Return whether `template` has only places, and signs between them."""
    words = re.sub(r"\{[^{}]*\}", "", template)
    return not any(letter.isalpha() for letter in words)


def spoken_names() -> set[str]:
    """Return the tags and members of the events of all games, which a sheet shows by themselves."""
    games = [find(name) for name in names()]
    found = {tag.replace("_", " ") for game in games for tag in tags(game)}
    return found | {
        member for game in games for kind in game.events for member in kind.__struct_fields__ if tag_of(kind)
    }


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("folder", folders())
def test_every_message_has_a_translation(folder: str, language: str) -> None:
    found, known = templates_of(folder), locale_of(folder, language).messages
    assert found
    missing = {text for text in found if not is_wordless(text)} - known.keys()
    assert not missing, f"the {language} of {folder} lacks {len(missing)}:\n" + "\n".join(sorted(missing))


@pytest.mark.parametrize("language", ["en", *LOCALES])
@pytest.mark.parametrize("game", names())
def test_no_message_of_a_game_names_a_member(game: str, language: str) -> None:
    named = re.compile(r"[A-Za-z]_[A-Za-z]|[a-z]=[a-z]")
    met = [one.own_words for one in renderings(home_of(game), language) if named.search(one.own_words)]
    assert not met, "\n".join(met)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("folder", folders())
def test_no_translation_has_english_in_it(folder: str, language: str) -> None:
    met = [
        f"{words}: {one.text}"
        for one in renderings(folder, language)
        if (words := english_in(one.own_words, one.template))
    ]
    assert not met, "\n".join(met)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("folder", folders())
def test_every_place_is_filled_in_one_and_in_several(folder: str, language: str) -> None:
    spoken = locale_of(folder, language)
    for template in templates_of(folder):
        for number in (1, 2):
            one = rendering(template, spoken, number)
            assert not re.search(r"\{[@=]?[a-z_]+[:}]", one.english + one.text), one.text
            assert "  " not in one.text.strip(), one.text


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("package", FILES)
def test_every_key_is_a_template_and_its_places_agree(package: str, language: str) -> None:
    known = set().union(*(texts(one) for one in FILES[package]))
    known |= spoken_names() if package == "gamelog.dispute" else set()
    commands = translation(package, "en").messages
    for key, text in translation(package, language).messages.items():
        assert key in known or key.removesuffix(".") in known, f"no message is {key!r} any more"
        (there, counted), (here, formed) = _places(commands.get(key, key)), _places(text)
        assert there == here, f"{key!r} and {text!r} have different places"
        assert formed <= counted | {name for _, name in there}, f"{text!r} counts what {key!r} does not"


def test_the_command_line_names_commands_in_messages_of_the_library() -> None:
    library = texts("gamelog") | texts("gamelog_front")
    commands = translation("gamelog_cli", "en").messages
    assert commands
    for key, text in commands.items():
        assert key in library, f"no message is {key!r} any more"
        assert NAMES_COMMAND.search(text), f"{text!r} names no command"
        assert key in translation("gamelog_cli", "pt").messages or key not in load_locale("pt").messages, key


@pytest.mark.parametrize(
    "package", ["gamelog", "gamelog_front", "gamelog_cli", "gamelog_table", "gamelog_reports"]
)
def test_a_sentence_is_made_a_message_by_of(package: str) -> None:
    """The class itself makes messages of texts and arguments that are data, and templates without arguments."""
    made = [
        node.args[0].value
        for tree in trees(package)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message" and len(node.args) == 1
        if isinstance(node.args[0], ast.Constant)
    ]
    assert [text for text in made if not placeholders(str(text))] == []


@pytest.mark.parametrize("package", ["gamelog", "gamelog_front", "gamelog_reports"])
def test_the_library_names_no_command(package: str) -> None:
    own_program = find_spec("gamelog.testing.golden")  # has options of its own
    assert own_program is not None
    met = {
        f"{path}: {text!r}"
        for path, text in code_texts(package)
        if path != own_program.origin and NAMES_COMMAND.search(text)
    }
    assert not met, "\n".join(sorted(met))


def _places(template: str) -> tuple[set[tuple[str, str]], set[str]]:
    """Return the places of a template without forms, and the numbers that its forms go with."""
    found = placeholders(template)
    plain = {(place.kind, place.name) for place in found if not place.forms}
    return plain, {place.name for place in found if place.forms}


@pytest.mark.parametrize("language", LOCALES)
def test_every_text_of_a_page_is_there_without_english(language: str) -> None:
    def numbers(text: str) -> list[str]:
        return sorted(re.findall(r"\{\d\}", text))

    met = []
    for one in page_renderings(language):
        assert numbers(one.english) == numbers(one.text), one.template
        if words := english_in(one.text, one.english):
            met.append(f"{words}: {one.text}")
    assert not met, "\n".join(met)


def test_english_is_noticed() -> None:
    assert english_in("o evento está written again", "event {n} is written again") == ["written again"]
    assert english_in("Event 2 is not play", "") == ["is", "not"]
    assert (
        english_in('falta "by"; use gamelog validate --all', "say who does it: gamelog validate --all") == []
    )
