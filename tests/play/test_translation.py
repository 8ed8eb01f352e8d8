"""What is told in other languages: all that English tells, of the same things."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gamelog.play.contract.registry import find, names
from gamelog.play.contract.translation import LOCALES, Translation, translation
from gamelog.play.telling.messages import ENGINE_MESSAGES, PLACE
from tests.play.tables import GAME


def told(phrases: Mapping[str, str]) -> dict[str, set[tuple[str, str]]]:
    """The places of every phrase that is not silence; the forms that go with their numbers are each language's own."""
    return {
        tag: {(at, name) for at, name, *form in PLACE.findall(text) if not any(form)} for tag, text in phrases.items() if text
    }


@pytest.mark.parametrize("language", LOCALES)
def test_the_engine_says_everything_in_every_language(language: str) -> None:
    assert told(translation("gamelog.play", language).messages) == told(ENGINE_MESSAGES)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", names())
def test_the_games_say_everything_in_every_language(name: str, language: str) -> None:
    game = find(name)
    spoken = game.translation(language)
    assert told(spoken.messages) == told(game.messages)
    assert all(spoken.words.values())
    assert game.unit in {**translation("gamelog.play", language).words, **spoken.words}


def test_a_game_speaks_english_alone_unless_it_says_more() -> None:
    assert GAME.translation("xx") == Translation()
    assert translation("gamelog.games.slicewars", "tlh") == Translation()
