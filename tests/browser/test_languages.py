"""Tests of pages in Portuguese: the game's words are translated, and people's own words are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from gamelog.play.contract.registry import find, names
from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.series import simulate_game
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.browser.conftest import Open
from tests.reports.toy import folded, game
from tests.samples.__main__ import DIRECTORY

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.browser


ON_PAPER = """() => {
    dispatchEvent(new Event("beforeprint")); // paper has all lines; what is out of sight goes soon after
    return [...document.querySelectorAll("li.event .said")].map((line) => line.textContent);
}"""


TEXTS = """() => {
    const found = new Set(), roots = [...document.querySelectorAll("#board, .status, #remark, #dice, #seats, #axes, #position-text")];
    for (const root of roots) for (const node of [root, ...root.querySelectorAll("*")]) {
        for (const child of node.childNodes) if (child.nodeType === 3) found.add(child.data);
        for (const name of ["title", "aria-label"]) if (node.hasAttribute(name)) found.add(node.getAttribute(name));
    }
    return [...found];
}"""
"""JavaScript for the texts of the board and of the panels around it, with titles and hidden texts."""

SAME = {"base", "bases", "original", "midgard", "ogre", "troll", "vala", "extra_ownerless"}
"""Words of games that Portuguese has too."""


def words_of_boards(open_page: Open, name: str, language: str) -> set[str]:
    """Return the words on the pages of a long game and of an ended game, at their start, middle and end."""
    found: set[str] = set()
    people: set[str] = set()
    full, ended = (sorted(DIRECTORY.glob(f"{name}/{kind}-*.jsonl"))[0] for kind in ("full", "ended"))
    for path in (full, ended):
        page = open_page(fold_record(read_record(path)), language=language)
        people |= {*re.findall('"name":"([^"]*)"', path.read_text().lower())}
        for share in (0, 0.5, 1):
            page.evaluate("(share) => gamelog.goto(share * document.getElementById('slider').max)", share)
            page.keyboard.press("p")
            found |= {*page.evaluate(TEXTS)}
            page.keyboard.press("Escape")
    return {word.lower() for text in found for word in re.findall(r"[^\W\d]{4,}", text)} - people


@pytest.mark.grid(keeps=("dice_flags", "zone_s"))
@pytest.mark.parametrize("name", names())
def test_boards_and_panels_are_portuguese(open_page: Open, name: str) -> None:
    english, own = (words_of_boards(open_page, name, language) for language in ("en", "pt"))
    assert len(own) > 20
    assert sorted((english & own) - SAME) == []


def test_the_events_of_a_whole_game_are_portuguese(open_page: Open) -> None:
    header, events = simulate_game(find("slicewars"), "pt", 0, players=2)
    page = open_page(fold_record(parse_record(compose(header, events)[0])), language="pt")
    told = " ".join(page.evaluate(ON_PAPER))
    for words in ("começa.", "ocupa", "ataca", "É a vez de", " dados.", "O jogo acabou. Vencedor:"):
        assert words in told
    assert not re.search(r"\b(rolls|claims|attacks|receives|turn|game|over)\b", told)
    expect(page.locator("#captions")).to_contain_text("ronda")
    expect(page.locator("#seats")).to_contain_text("territórios")
    page.evaluate("gamelog.goto(3)")
    expect(page.locator("#list h3").first).to_contain_text(re.compile("preparação", re.IGNORECASE))


def test_words_of_the_game_are_translated_and_peoples_words_are_not(open_page: Open) -> None:
    page = open_page(
        folded([*game()[:10], common_events.Note(11, 24_000, "red", "die, red flag", 2)]), language="pt"
    )
    said = page.locator("li.event .said")
    expect(said.nth(0)).to_have_text("Ana põe um dado em a.")
    expect(said.nth(3)).to_have_text(
        "Ana goes from a to b."
    )  # a sentence without a translation stays English
    expect(said.nth(4)).to_contain_text("Ana lança 2 contra 5: perdeu.")
    expect(said.nth(7)).to_have_text("Ana faz o jogo voltar ao evento 6. Motivo: touched the wrong one")
    expect(said.nth(10)).to_have_text("Ana anota: die, red flag")


def test_counts_and_findings_of_a_portuguese_page_are_portuguese(open_page: Open) -> None:
    """The record has conquests with one die and with more, and a ruling on an illegal attack."""
    page = open_page(
        fold_record(read_record(ROOT / "sample_games" / "slicewars" / "ruled.jsonl")), language="pt"
    )
    page.evaluate("gamelog.goto(121)")
    expect(page.locator("#said")).to_contain_text("Rui conquista B2 e avança com 1 dado.")
    page.evaluate("gamelog.goto(123)")
    expect(page.locator("#said")).to_contain_text("Rui conquista A5 e avança com 3 dados.")
    page.evaluate("gamelog.goto(102)")
    expect(page.locator(".finding").first).to_contain_text(
        "D2 não toca em A1; decidido no evento 110 (em vigor) por Mei: mantém-se"
    )


def test_an_english_page_is_english(open_page: Open) -> None:
    expect(open_page(folded(game())).locator("li.event .said").first).to_have_text("Ana lays a die on a.")


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "Omar takes the seat of Ana.", "Zé takes the seat of Omar."),
        ("pt", "Omar toma o lugar de Ana.", "Zé toma o lugar de Omar."),
    ],
)
def test_a_substitution_names_both_players(open_page: Open, language: str, first: str, second: str) -> None:
    people = [
        common_events.Substitute(11 + at, 24_000, "table", "red", name)
        for at, name in enumerate(("Omar", "Zé"))
    ]
    page = open_page(folded([*game()[:10], *people]), language=language)
    said = page.locator("li.event .said")
    expect(said.nth(10)).to_have_text(first)
    expect(said.nth(11)).to_have_text(second)
    assert "Zé" in page.title()
    assert "Ana" not in page.title()


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            "Names or tags are corrected. Ana is now called North. The id of North is now ana@club. "
            "Tags: round die, note red.",
        ),
        (
            "pt",
            "Corrigem-se nomes ou etiquetas. Ana chama-se agora North. A identificação de North é agora "
            "ana@club. Etiquetas: round die, note red.",
        ),
    ],
)
def test_a_correction_of_names_names_its_changes(open_page: Open, language: str, told: str) -> None:
    people = {"red": common_events.SeatNames("North", "ana@club"), "N": common_events.SeatNames("Rui")}
    amend = common_events.Amend(11, 24_000, "arbiter", {"round": "die", "note": "red"}, people)
    page = open_page(folded([*game()[:10], amend]), language=language)
    expect(page.locator("li.event .said").nth(10)).to_have_text(told)
