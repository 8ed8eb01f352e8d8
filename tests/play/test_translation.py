"""Tests of translations of games: their words and rules in other languages."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gamelog.message import Locale, Message, Renderer
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.rulebook import Rule, parse_rulebook, rulebook
from gamelog.play.contract.translation import LOCALES, Translation, translation
from tests.play.tables import GAME


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", names())
def test_the_words_of_a_game_are_translated(name: str, language: str) -> None:
    game = find(name)
    words = game.translation(language).words
    assert all(words.values())
    assert game.unit in {**translation("gamelog.play", language).words, **words}


def figures(rule: Rule) -> Counter[str]:
    """Return the numbers, the ids of rules and the code in a rule, which no translation may change."""
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


def test_a_missing_rule_of_a_language_is_shown_in_english() -> None:
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


def test_the_rulebook_is_known_by_its_words() -> None:
    for name in names():
        english, other = rulebook(find(name)), rulebook(find(name), "pt")
        assert {rule.text for rule in english.values()}.isdisjoint({rule.text for rule in other.values()})


def test_a_game_brings_its_sentences_as_the_guide_says() -> None:
    page = (Path(__file__).parents[2] / "docs/games.md").read_text("utf-8")
    (block,) = re.findall(r"```json\n(.*?)```", page, re.S)
    said = msgspec.json.decode(block, type=Translation)
    renderer = Renderer(
        Locale("pt", said.messages, said.words, {"one": "i = 0..1"}),
        lambda seat: {"red": "Ana"}.get(seat, seat),
    )
    assert renderer.text(Message.of("{@by} has {n} {n:die|dice} left", by="red", n=1)) == "a Ana resta 1 dado"
    turn = Message.of("it is {@turn}'s turn, not {@by}'s", turn="red", by="red")
    whole = Message.of("a hold is recorded like a roll: {problem}", problem=turn)
    assert renderer.text(whole) == "parar regista-se como um lançamento: é a vez de Ana, não de Ana"
    assert renderer.text(Message.of("{@by} rolls {value}.", by="red", value="jackpot")) == "Ana lança pote."
