"""Tests of messages: templates and arguments, rendered for terminals, pages and programs."""

from __future__ import annotations

import msgspec
import pytest
from babel import Locale as Cldr
from babel.lists import format_list

from gamelog.errors import GamelogError, clause
from gamelog.finding import Finding
from gamelog.message import (
    ENGLISH,
    IN_ENGLISH,
    Locale,
    Message,
    Renderer,
    placeholders,
    reason_of,
    verbatim,
    with_names,
)
from gamelog.play.contract.locales import load_locale
from gamelog.record.escaping import isolate

PEOPLE = {"red": "Ana", "blue": "שרה"}
POLISH = Locale(
    "pl",
    {"{@by} rolls {n} {n:die|dice}": "{@by}: {n} {n:one=kość|few=kości|other=kostek}"},
    {"red": "czerwony"},
    {"one": "i = 1", "few": "i % 10 = 2..4 and i % 100 != 12..14"},
    ("{0}, {1}", "{0} i {1}"),
)


def name_of(seat: str) -> str:
    return PEOPLE.get(seat, seat)


@pytest.mark.parametrize("language", ["en", "pt"])
def test_numbers_and_lists_follow_the_cldr(language: str) -> None:
    cldr, told = Cldr.parse({"en": "en_GB", "pt": "pt_PT"}[language]), load_locale(language)
    for number in range(1001):
        assert told.category(number) == cldr.plural_form(number), number
    assert told.category(1_000_000) == cldr.plural_form(1_000_000)
    for length in range(1, 5):
        parts = ["Ana", "Rui", "Eva", "Tom"][:length]
        assert told.join(parts) == format_list(parts, locale=cldr)
    assert told.join([]) == ""


def test_zero_is_plural() -> None:
    text = "{n} {n:event|events} saved in {=path}. To continue, run: gamelog record {$path}"
    message = Message.of(text, n=0, path="a")
    spoken = load_locale("pt", None, "gamelog_cli")
    assert Renderer(spoken).text(message).startswith("0 eventos guardados em a.")
    assert IN_ENGLISH.text(message).startswith("0 events saved in a.")


def test_forms_are_named_by_category() -> None:
    message = Message("{@by} rolls {n} {n:die|dice}", {"by": "red", "n": 2})
    told = [Renderer(POLISH).text(Message(message.text, {"by": "red", "n": n})) for n in (1, 2, 5, 12, 22)]
    assert told == [
        "czerwony: 1 kość",
        "czerwony: 2 kości",
        "czerwony: 5 kostek",
        "czerwony: 12 kostek",
        "czerwony: 22 kości",
    ]
    assert IN_ENGLISH.text(message) == "red rolls 2 dice"


def test_an_invalid_plural_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="not a valid relation of a CLDR plural rule"):
        Locale("xx", plural={"one": "n is 1"}).category(1)


def test_values_are_never_read_as_templates_or_seats() -> None:
    message = Message.of("{@by} may not go to {at}, says {=who}", by="red", at="{@blue}", who="{at}")
    assert Renderer(ENGLISH, name_of).text(message) == "Ana may not go to {@blue}, says {at}"


def test_a_message_without_arguments_is_its_text() -> None:
    assert str(Message("no {@red} and no {n:die|dice}")) == "no {@red} and no {n:die|dice}"
    assert str(Message("{nothing} is here", {"x": 1})) == " is here"


def test_people_keep_the_names_they_had() -> None:
    message = Message.of(
        "{@all}: {@points}; {inner}",
        all=["red", "blue", "green"],
        points={"red": "+2", "green": "-1"},
        inner=Message.of("{@by} ({@result})", by="red", result={"winners": ["red"], "reason": "last"}),
    )
    named = with_names(message, name_of)
    assert str(named) == "Ana, שרה and green: Ana +2, green -1; Ana (Ana (last))"
    assert Renderer(POLISH, lambda _seat: "Eva").text(named).startswith("Ana, שרה i Eva: Ana +2")
    assert (
        Renderer(Locale("xx", words={"Ana": "no", "green": "verde"}))
        .text(named)
        .startswith("Ana, שרה and verde")
    )


def test_a_form_can_name_zero_and_contain_its_number() -> None:
    back = "back to {to:zero=the start|other=event #}, {n:one die|# dice}"
    assert [str(Message.of(back, to=to, n=to + 1)) for to in (0, 7)] == [
        "back to the start, one die",
        "back to event 7, 8 dice",
    ]
    assert Renderer(POLISH).text(Message.of("{n:zero=nic|one=# kość|other=# kostek}", n=0)) == "nic"


def test_empty_values_are_rendered() -> None:
    assert str(Message.of("{@a}, {@b}, {c}.", a=None, b=[], c=None)) == "no one, no one, ."


def test_terminals_and_pages_isolate_the_direction_of_a_value() -> None:
    message = Message.of("{@by} takes {at} & {=note}", by="blue", at="C4", note="<b>")
    renderer = Renderer(ENGLISH, name_of)
    assert renderer.text(message, isolate) == "\u2068שרה\u2069 takes C4 & <b>"
    assert renderer.html(message) == ("<bdi>שרה</bdi> takes <bdi>C4</bdi> &amp; <bdi>&lt;b&gt;</bdi>")
    assert isolate("a\u202e\u2069שb") == "\u2068a\\u202e\\u2069שb\u2069"


def test_programs_get_the_template_and_its_arguments() -> None:
    finding = Finding.of("play.illegal", Message.of("{@by} has {n}", by=verbatim("Ana"), n=3), n=7)
    told = msgspec.json.decode(msgspec.json.encode(finding))
    assert told["message"] == "Ana has 3"
    assert told["said"] == ["{@by} has {n}", {"by": ["{=text}", {"text": "Ana"}], "n": 3}]
    assert "said" not in msgspec.json.decode(msgspec.json.encode(finding.plain))
    assert finding.plain.message == Message("Ana has 3")


def test_an_error_keeps_its_message() -> None:
    error = GamelogError(Message.of("There is no {=what}.", what="die"))
    assert str(error) == "There is no die."
    assert (str(clause(error)), str(error.clause)) == ("There is no die", "There is no die")
    assert reason_of(ValueError(Message("x"))) == reason_of(ValueError("x")) == Message("x")


def test_places_are_read_in_order() -> None:
    found = [
        (place.kind, place.name, dict(place.forms)) for place in placeholders("{@by} {n} {n:die|dice} {=t}")
    ]
    assert found == [
        ("@", "by", {}),
        ("", "n", {}),
        ("", "n", {"one": "die", "other": "dice"}),
        ("=", "t", {}),
    ]


def test_messages_are_joined_in_their_order() -> None:
    parts = [Message.of("{n} {n:die|dice}", n=n) for n in (1, 2, 3)]
    assert str(Message.join(parts)) == "1 die; 2 dice; 3 dice"
    assert str(Message.join(parts[:2], ", ")) == "1 die, 2 dice"
    assert Message.join(parts[:1]) == parts[0]
    assert str(Message.join([])) == ""
