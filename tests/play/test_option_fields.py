"""Tests of the forms for a game's options: each option has a control, words in each language, and a rule."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from gamelog.play.contract.option_fields import OptionField, option, option_fields
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.translation import LOCALES


class Options(Struct, frozen=True, kw_only=True):
    """Options of every kind."""

    quick: bool = False
    most: Annotated[int, Meta(ge=1, le=9)] = 3
    clock: Annotated[Annotated[int, Meta(ge=1)] | None, option("Clock", choices={None: "no clock"})] = None
    tie: Annotated[Literal["reroll", "shared_win"], option("Tie", choices={"reroll": "roll again"})] = (
        "reroll"
    )
    trade: bool | Literal["any"] = False
    bag: Annotated[
        dict[Literal["red", "blue"], Annotated[int, Meta(ge=0)]],
        option("Bag", choices={"red": "red chips", "blue": "blue chips"}),
    ] = {}
    cells: tuple[int, ...] = ()


def _texts(field: OptionField) -> list[str]:
    return [field.title, field.meaning, *filter(None, [field.none]), *(text for _, text in field.choices)]


def test_each_type_has_its_control() -> None:
    quick, most, clock, tie, trade, bag, cells = option_fields(Options)
    assert (quick.kind, quick.title, quick.default) == ("switch", "quick", False)
    assert (most.kind, most.least, most.most, most.none) == ("number", 1, 9, "")
    assert (clock.kind, clock.title, clock.least, clock.none) == ("number", "Clock", 1, "no clock")
    assert (tie.kind, tie.choices) == ("choice", (("reroll", "roll again"), ("shared_win", "shared win")))
    assert (trade.kind, trade.choices) == ("choice", ((False, "no"), (True, "yes"), ("any", "any")))
    assert (bag.kind, [name for name, _ in bag.choices]) == ("counts", ["red", "blue"])
    assert cells.kind == "other"


@pytest.mark.parametrize("name", names())
def test_every_option_of_a_game_has_a_control_a_meaning_and_its_rule(name: str) -> None:
    game = find(name)
    for field in option_fields(game.Options):
        assert field.kind != "other", field.name
        assert "_" not in "".join(_texts(field)), field.name
        assert field.meaning.endswith("."), field.name
        assert field.rule in rulebook(game), field.name


@pytest.mark.parametrize("name", names())
def test_every_choice_is_a_value_of_the_option_and_the_default_is_one_of_them(name: str) -> None:
    game = find(name)
    for field in option_fields(game.Options):
        if field.kind == "choice":
            values: list[Any] = [value for value, _ in field.choices]
            assert field.default in values, field.name
            for value in values:
                msgspec.convert({field.name: value}, game.Options)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", names())
def test_options_and_boards_have_words_in_each_language(name: str, language: str) -> None:
    game = find(name)
    english, other = game.translation("en").words, game.translation(language).words
    texts = [text for field in option_fields(game.Options) for text in _texts(field)]
    texts += [english[board] for board in game.boards]
    assert [text for text in texts if not text.isdecimal() and text not in other] == []
