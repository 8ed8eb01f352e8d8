"""What is told in other languages: all that English tells, of the same things."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from gamelog.play.contract.registry import find, names
from gamelog.play.contract.rulebook import Rule, parse_rulebook, rulebook
from gamelog.play.contract.translation import LOCALES, Translation, translation
from gamelog.play.telling.messages import ENGINE_MESSAGES
from tests.play.tables import GAME


@pytest.mark.parametrize("language", LOCALES)
def test_the_engine_says_everything_in_every_language(language: str) -> None:
    said = translation("gamelog.play", language).messages
    assert {text for text in ENGINE_MESSAGES.values() if text} - said.keys() == set()


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", names())
def test_the_games_say_everything_in_every_language(name: str, language: str) -> None:
    game = find(name)
    spoken = game.translation(language)
    engine = translation("gamelog.play", language)
    untold = {text for text in game.messages.values() if text} - {*spoken.messages, *engine.messages}
    assert untold == set()
    assert all(spoken.words.values())
    assert game.unit in {**engine.words, **spoken.words}


def figures(rule: Rule) -> Counter[str]:
    """Numbers without the marks that each language sets in them, rules that are named, and what is written as code."""
    found = re.findall(r"`[^`]+`|[A-Z]{2}-A?\d+|\d+(?:[.,]\d+)*", f"{rule.text} {rule.unchecked}")
    return Counter(re.sub("[.,]", "", one) if one[0].isdigit() else one for one in found)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", names())
def test_rules_in_every_language_have_the_numbers_and_options_of_the_english(
    name: str, language: str
) -> None:
    game = find(name)
    spoken = parse_rulebook(game.translation(language).rules)
    for id_, rule in rulebook(game).items():
        assert figures(spoken[id_]) == figures(rule), id_
        assert spoken[id_].text != rule.text


def test_a_rule_that_a_language_lacks_is_told_in_english() -> None:
    first, second, *_ = english = rulebook(GAME)
    game = replace(
        GAME,
        translation=lambda _language: Translation(
            rules=f"# Regras\n- **{first}** Em português.\n- **XX-1** A mais.\n"
        ),
    )
    spoken = rulebook(game, "pt")
    assert list(spoken) == list(english)
    assert (spoken[first].text, spoken[first].section) == ("Em português.", "Regras")
    assert spoken[second] == english[second]
    assert rulebook(game) == english


def test_a_game_speaks_english_alone_unless_it_says_more() -> None:
    assert GAME.translation("xx") == Translation()
    assert translation("gamelog.games.slicewars", "tlh") == Translation()
