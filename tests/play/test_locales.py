"""Locale files: every key is a template in code, every template of a game has a key, and the places agree."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from gamelog.message import Locale, Message, Renderer, places
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.translation import LOCALES, Translation, translation
from gamelog.play.fold.event_list import tags
from gamelog.record.envelope import tag_of
from tests.templates import templates, texts

HOMES = {
    "gamelog.play": ("gamelog",),
    "gamelog.dispute": ("gamelog", "gamelog_reports"),
    "gamelog_table": ("gamelog", "gamelog_table"),
}
"""Packages with locale files of their own, and where their keys are said."""

SAME_EVERYWHERE = {
    "{=tag}: {problem}",
    "{@winners} ({reason})",
    "{kind}",
    "{@result}",
    "{=text}",
    "{@seat} {what}",
    "{first}, {rest}",
    "{first}; {rest}",
    "{remark} ({=rule})",
    "{severity}: {remark}.",
    "{ruling} {state}",
    "{first} {second}",
    "{parts}",
    "  {parts}",
    "  {=path}: {seals}",
    "{why}.",
    "{n}",
}
"""Templates that have no words of their own."""


def spoken_names() -> set[str]:
    """Tags of events, and their members, of all games: they are words that a sheet says by themselves."""
    games = [find(name) for name in names()]
    found = {tag.replace("_", " ") for game in games for tag in tags(game)}
    return found | {
        member for game in games for kind in game.events for member in kind.__struct_fields__ if tag_of(kind)
    }


def home(name: str) -> str:
    return f"gamelog.games.{name}"


def asked(template: str) -> tuple[set[tuple[str, str]], set[str]]:
    """The places of a template without forms, and the numbers that its forms go with."""
    found = places(template)
    plain = {(place.kind, place.name) for place in found if not place.forms}
    return plain, {place.name for place in found if place.forms}


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("package", [*HOMES, *map(home, names())])
def test_every_key_is_a_template_and_its_places_agree(package: str, language: str) -> None:
    known = set().union(*(texts(one) for one in HOMES.get(package, (package, "gamelog.games.kit"))))
    known |= spoken_names() if package == "gamelog.dispute" else set()
    for key, text in translation(package, language).messages.items():
        assert key in known or key.removesuffix(".") in known, f"nothing says {key!r} any more"
        (there, counted), (here, formed) = asked(key), asked(text)
        assert there == here, f"{key!r} and {text!r} have different places"
        assert formed <= counted | {name for _, name in there}, f"{text!r} counts what {key!r} does not"


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", names())
def test_every_template_of_a_game_has_a_translation(name: str, language: str) -> None:
    known = {**translation("gamelog.play", language).messages, **find(name).translation(language).messages}
    made = {*templates(home(name)), *templates("gamelog.games.kit")}
    assert len(made) > 20
    assert made - known.keys() - SAME_EVERYWHERE == set()


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("package", ["gamelog.play", "gamelog.record", "gamelog.chance", "gamelog.dispute"])
def test_every_template_of_the_engine_has_a_translation(package: str, language: str) -> None:
    known = set().union(*(translation(one, language).messages for one in HOMES))
    made = {text for text in templates(package) if "{" in text}
    assert made
    assert made - known - SAME_EVERYWHERE == set()


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
    whole = Message.of("a hold is recorded like a roll: {remark}", remark=turn)
    assert renderer.text(whole) == "parar regista-se como um lançamento: é a vez de Ana, não de Ana"
    assert renderer.text(Message.of("{@by} rolls {value}.", by="red", value="jackpot")) == "Ana lança pote."
