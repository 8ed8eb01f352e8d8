"""Remarks in another language: found again whatever stands in them, and none left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec
import pytest

from gamelog.play.contract.registry import find, names
from gamelog.play.contract.translation import ENGINE, LOCALES, Translation, translation
from gamelog.play.telling.translator import MAX_REMARK, Template, Translator, templates, translator
from tests.play.said import PLACE, Reader, modules, source

NAMES = ("Ana", "Rui", "Knight", "Tom and Jerry", "Lena is out of the game", "red", "; it was taken back")

SAID = Translator(
    Translation(
        words={"Knight": "Cavaleiro", "red": "vermelho", "and": "e", "nobody": "ninguém", "green": "verde"},
        remarks={
            "it is {@turn}'s turn, not {@by}'s": "é a vez de {@turn}, não de {@by}",
            "the {kind} moves {n} tiles at most": "a peça {kind} anda no máximo {n} {n:terreno|terrenos}",
            "{man} rolls {n} {n:die|dice}, not {found}": "{man} lança {n} {n:dado|dados}, não {found}",
            "the dice wait for the {s:link|links} of {@people}": "os dados esperam {s:pelo elo|pelos elos} de {@people}",
            "{remark}; it was taken back": "{remark}; foi anulado",
            "{at} is not free": "{at} não está livre",
            "C4 is not free": "C4 está ocupado",
            "the {chip} of {@seat}": "a {chip} de {@seat}",
        },
    )
)


@pytest.mark.parametrize(
    ("english", "told"),
    [
        ("it is Ana's turn, not Rui's", "é a vez de Ana, não de Rui"),
        ("it is Knight's turn, not red's", "é a vez de Knight, não de vermelho"),
        ("it is Tom and Jerry's turn, not nobody's", "é a vez de Tom and Jerry, não de ninguém"),
        ("it is Ana, Rui and Knight's turn, not Rui's", "é a vez de Ana, Rui e Knight, não de Rui"),
        ("the Knight moves 1 tiles at most", "a peça Cavaleiro anda no máximo 1 terreno"),
        ("the Knight moves 3 tiles at most", "a peça Cavaleiro anda no máximo 3 terrenos"),
        ("P1 rolls 1 die, not 2", "P1 lança 1 dado, não 2"),
        ("P1 rolls 0 dice, not 1,204", "P1 lança 0 dados, não 1,204"),
        ("the dice wait for the link of Ana", "os dados esperam pelo elo de Ana"),
        ("the dice wait for the links of Ana and green", "os dados esperam pelos elos de Ana e verde"),
        ("A1 is not free; it was taken back", "A1 não está livre; foi anulado"),
        ("C4 is not free", "C4 está ocupado"),
        ("C4 is not free; it was taken back; it was taken back", "C4 está ocupado; foi anulado; foi anulado"),
        ("the red and green of red", "a vermelho e verde de vermelho"),
        ("nobody has a word for this and that", "nobody has a word for this and that"),
        ("", ""),
    ],
)
def test_a_remark_is_found_again_and_told(english: str, told: str) -> None:
    assert SAID.remark(english, ("Ana", "Rui", "Knight", "Tom and Jerry")) == told


def test_names_stay_whatever_they_say() -> None:
    for name in NAMES:
        assert SAID.remark(f"it is Ana's turn, not {name}'s", NAMES) == f"é a vez de Ana, não de {name}"
        assert (
            SAID.remark(f"it is {name}'s turn, not Rui's; it was taken back", NAMES)
            == f"é a vez de {name}, não de Rui; foi anulado"
        )


def test_what_says_most_wins_and_the_game_speaks_before_the_engine() -> None:
    told = Translator(
        Translation(remarks={"{a} is due": "jogo {a}"}),
        Translation(remarks={"{a} is due": "{a}", "{a} b is due": "b"}),
    )
    assert [told.remark(text) for text in ("x is due", "x b is due")] == ["jogo x", "b"]


def test_long_and_hostile_remarks_are_told_or_stay_english() -> None:
    long = "x" * 100_000
    assert SAID.remark(f"it is {long}'s turn, not Ana's") == f"é a vez de {long}, não de Ana"
    for text in (
        "; it was taken back" * 6000,
        "it is 's turn, not " * 6000,
        "the  of " * 12_000,
        "\0\ud800{@x}" * 9000,
    ):
        assert isinstance(SAID.remark(text), str)
        assert isinstance(translator(find("zone_s"), "pt").remark(f"the {text} does not leap"), str)
    assert SAID.remark(f"{'x' * MAX_REMARK} is not free").endswith(" is not free")


def test_english_is_not_translated() -> None:
    assert translator(find("slicewars"), "en").remark("C4 is not free") == "C4 is not free"
    assert translator(None, "pt").remark("the game is over") == "o jogo acabou"


def test_a_game_brings_its_remarks_as_the_guide_says() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "games.md").read_text("utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    told = Translator(msgspec.json.decode(block, type=Translation))
    assert [
        told.remark(text)
        for text in ("it is Ana's turn, not Rui's", "Ana has 1 die left", "Rui has 2 dice left")
    ] == [
        "é a vez de Ana, não de Rui",
        "a Ana resta 1 dado",
        "a Rui restam 2 dados",
    ]
    assert (
        told.remark("a hold is recorded like a roll: jackpot") == "parar regista-se como um lançamento: pote"
    )
    assert told.remark("a hold is recorded like a roll: it is Ana's turn, not Rui's").endswith(
        ": é a vez de Ana, não de Rui"
    )


ENGLISH = re.compile(
    r"\b(the|is|are|not|of|and|or|to|has|have|with|one|in|on|it|by|only|at|be|been|that|this|from|does|must|may|can|cannot|"
    r"where|which|there|due|turn|his|its|so|more)\b(?<!-)"
)
"""Words of English that are none of Portuguese."""

KIT = "gamelog.games.kit"
"""What it says is in the engine's file, so that every game can say it."""

RECORDS = (
    "record.reading",
    "record.chain",
    "record.strict_json",
    "record.seal",
    "chance.sources",
    "chance.commit",
)

NO_FINDINGS = {
    "gamelog.record.seal": "A key cannot|This is not a (private key|seal)|This (private key|seal) |.* (is not text|is too large)",
    "gamelog.play.contract.boards": r".* has no board .* Or name a board file",
    "gamelog.play.contract.rulebook": "rule .* is listed twice",
    "gamelog.play.contract.scene": "the scene has something",
    **{f"gamelog.games.{name}.choices": "nobody has anything to decide" for name in names()},
}
"""What only commands say, to whoever makes keys or begins a record, and what is said to authors: by module, a pattern."""

COMPOSED = (
    "ruled on in event 7 by Lena: penalty (Ana -1), seen by all",
    "C4 is not free; ruled on in event 7 by Lena: takeback to before it, seen by all",
    "ruled on 3 times before; in event 7 (in force) by Lena: takeback to event 5, seen by all; "
    "in event 8 (in force) by Lena: stands, seen by all",
    "C4 is not free; ruled on 3 times before; in event 7 (event 9 has withdrawn it) by Lena: penalty (Ana -1, Rui +2), r; "
    "in event 9 (in force) by Lena: refused, r; in event 10 (event 11 has replaced it) by Lena: result won by Ana (late), r; "
    "in event 11 (event 12 has withdrawn what it confirms) by Lena: forfeit won by Rui (late), seen by all; "
    "in event 12 (event 13 has replaced what it confirms) by Lena: stands, r; in event 13 (in force) by Lena: stands, r",
    "C4 is not free; ruled on in event 7 by Lena: warning (Ana), seen by all",
    "C4 is not free; ruled on in event 7 by Lena: time penalty (Ana -60 s), seen by all",
    "ruled on in event 7 by Lena: clock (Ana 12:30 and Rui 1:02:03), seen by all",
    "C4 is not free; it was taken back",
    "the position was declared: seen by all; it was taken back",
    "the position was declared: seen by all; ruled on in event 7 by Lena: stands, r",
    "the position was declared: seen by all; ruled on 3 times before; in event 7 (in force) by Lena: stands, r",
    "C4 is not free; what was legal is not known, for the code of the game X, which comes with x, failed: KeyError: r",
    "Signing and checking signatures needs an optional package: pip install 'gamelog[sign]'",
    "@gap: the position does not fit: the game cannot go on from it (KeyError)",
    "@gap: the position does not fit: it does not say something of every seat",
    "@resign: one gives up at the end (ZZ-1)",
)
"""What the judge puts together of many parts."""


def examples(said: Iterable[str]) -> list[str]:
    """Each with something in its places that is nobody's word."""
    parts = [text.split(PLACE) for text in said]
    return ["".join((part[0], *(f"⟦{at}⟧{text}" for at, text in enumerate(part[1:])))) for part in parts]


def used(kit: str, names: Iterable[str]) -> list[str]:
    """Which modules of `kit` the modules `names` have something of."""
    return [
        one
        for one in modules(kit)
        if any(f"from {one} import" in ast.unparse(source(name).tree) for name in names)
    ]


@cache
def said(package: str) -> dict[str, str]:
    """Every remark of the game, or of the engine and what is below it, and where it is made."""
    found = [name for name in modules(package) if ".recording" not in name]
    found += [f"gamelog.{name}" for name in RECORDS] if package == ENGINE else []
    found += modules(KIT) if package == ENGINE else used(KIT, found)
    told = Reader(found).said()
    return {
        text: where
        for text, where in told.items()
        if re.search("[a-z]{2}", text) and not re.match(NO_FINDINGS.get(where.partition(":")[0], "$."), text)
    }


def speaker(name: str, language: str) -> Translator:
    return translator(None if name == "engine" else find(name), language)


def package_of(name: str) -> str:
    return ENGINE if name == "engine" else f"gamelog.games.{name}"


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", ["engine", *names()])
def test_every_remark_that_the_code_can_make_is_told_in_every_language(name: str, language: str) -> None:
    made = said(package_of(name))
    assert len(made) > 20, "the remarks are found in the source"
    told = speaker(name, language)
    for text, where in zip(examples(made), made.values(), strict=True):
        other = told.remark(text)
        left = ENGLISH.search(other.replace("--to", ""))
        assert other != text and not left, f"{where}: {text!r} is not told in {language}: {other!r}"


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", ["engine", *names()])
def test_no_remark_is_translated_that_nobody_makes(
    name: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = set[str]()
    values = Template.values

    def spy(template: Template, text: str) -> dict[str, str] | None:
        found = values(template, text)
        if found is not None:
            used.add(template.other)
        return found

    monkeypatch.setattr(Template, "values", spy)
    told = speaker(name, language)
    for text in (*examples(said(package_of(name))), *(COMPOSED if name == "engine" else ())):
        told.remark(text)
    assert set(translation(package_of(name), language).remarks.values()) - used == set()


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", ["engine", *names()])
def test_no_translation_hides_another(name: str, language: str) -> None:
    told = speaker(name, language)
    for english, other in translation(package_of(name), language).remarks.items():
        for template in templates(english, other):
            (text,) = examples([PLACE.join(template.literals)])
            first = next(one for one in told._templates if one.values(text) is not None)
            assert first.other == other, f"{english!r} is taken for {first!r}"


def test_what_the_judge_puts_together_is_told_in_all_its_parts() -> None:
    told = translator(find("slicewars"), "pt")
    for text in COMPOSED[:-1]:
        other = told.remark(text, ("Ana", "Rui", "Lena"))
        assert not ENGLISH.search(other.replace("seen by all", "")), other
        assert other.count("Lena") == text.count("Lena")
