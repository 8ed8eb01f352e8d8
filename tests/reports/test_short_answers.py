"""Each stock question has its sentence in the report of an archive that has data for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gamelog_reports.report.page import report
from msgspec import Raw

from gamelog.archive import MIN_GAMES, Reader, all_questions
from gamelog.archive.schema import tables
from gamelog.league.applying import apply_league
from gamelog.league.league_file import read_league
from tests.archive.piles import Pile
from tests.league.simulated import FIRST_DAY, Chair, Game, Rules, Sitter, store
from tests.reports.test_report import Page

SECTIONS = {
    "comebacks": "comeback",
    "contests": "Contests",
    "copies": "copy",
    "dice": "Dice",
    "endings": "Endings",
    "fairness": "Dice by person",
    "findings": "Findings",
    "leads": "Leads",
    "lengths": "Length",
    "luck": "Luck",
    "overview": "records with",
    "places": "Board",
    "players": "Victories by player",
    "rules_broken": "Rules broken",
    "seats": "Seats",
    "slow": "slow turn",
    "standings": "Places and payoffs",
    "turn_order": "Turn order",
    "upsets": "upset",
}
"""Words of the page about the questions that have a section, a row of a section, or a sentence of their own."""


def full_pile() -> Pile:
    """Return records with data for every question about games."""
    pile, people = Pile(), ("Ana", "Rui")
    for at in range(MIN_GAMES + 10):
        winner = "blue" if at % 10 == 9 else "red"
        id = pile.game(
            (winner,),
            players_=people,
            started=f"{2000 + at}-03-01 20:00:00",
            rules="1",
            told_={
                "red": {"place": 1 + (winner != "red"), "max_deficit": 3, "max_deficit_at": 2},
                "blue": {"place": 1 + (winner != "blue"), "max_deficit": 3, "sitters": 1 + (at == 3)},
            },
        )
        if at == 3:
            for name, from_n, to_n in (("Rui", 0, 5), ("Eva", 6, None)):
                pile.rows.append(
                    tables.StayRow(
                        id=id, seat="blue", from_n=from_n, to_n=to_n, name=name, player=name, decisions=5
                    )
                )
        pile.analysed(id, (1, "red", 0.4), share=float(winner == "red"))
        for n in range(1, 17):
            pile.event(id, n, data=b'{"at":"A1"}', decision=n, elapsed_ms=2000 if n < 13 else 500)
        pile.contest(id, 1, True, place="A1")
        pile.rows += [
            tables.RollRow(id=id, n=1, seat="red", sides=6, faces=(1, 2), stands=True),
            tables.TurnRow(id=id, turn=1, n=1, seat="red", elapsed_ms=90_000 if at == 2 else 5000),
            tables.FactRow(id=id, n=1, kind="taken", seat="red", place="A1", stands=True, data=Raw(b"{}")),
        ]
    pile.game(players_=people, counted=False, copy_of=id)
    broken = pile.game(None, counted=False, valid=False, status="illegal", turns=None, path="/b")
    pile.rows += [
        tables.FileRow(path="/b", size=1, mtime_ns=1, id=broken, game="tug", status="illegal", judge="us"),
        tables.FindingRow(
            path="/b", id=broken, n=1, rule="TU-1", code="play.illegal", severity="error", message="no"
        ),
    ]
    return pile


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return full_pile().stored(tmp_path_factory.mktemp("full") / "games.archive")


def questions_about(games: bool) -> set[str]:
    return {name for name in all_questions() if name.startswith("league_") != games}


def test_the_archive_answers_every_question(filled: Path) -> None:
    with Reader(filled) as reader:
        assert [name for name in questions_about(games=True) if not reader.ask(name).rows] == []


def test_each_question_about_games_has_its_sentence(filled: Path) -> None:
    text = Page(report(filled)).text
    asked = set(re.findall(r"gamelog query (\w+)", text))
    assert questions_about(games=True) - SECTIONS.keys() - asked == set()
    assert [words for words in SECTIONS.values() if words not in text] == []
    assert "The longest run of victories: Ana won 9 games in succession." in text
    assert "red most often begins with pull A1" in text
    assert "Most turning points are at events of the kind pull: 30 of them, in 30 games." in text
    assert "--set game=tug" in text
    assert "30 results. The latest game was won by Rui." in text


def test_short_answers_in_portuguese_and_without_names(filled: Path) -> None:
    page = Page(report(filled, language="pt", anonymous=True))
    assert "A maior série de vitórias" in page.text
    assert not re.search(r"\b(Ana|Rui|Eva|pull A1)\b", page.text)


def test_a_game_without_an_answer_says_so(tmp_path: Path) -> None:
    pile = Pile()
    pile.game(None, counted=False)
    assert "No further question has an answer" in Page(report(pile.stored(tmp_path / "one.archive"))).text


def test_each_question_about_a_league_has_its_sentence(tmp_path: Path) -> None:
    pairs = (("Ana", "Rui"), ("Eva", "Ana"))
    games = [
        Game(
            f"g{at}",
            FIRST_DAY.replace(day=1 + at),
            [Chair([Sitter(name, 3)], won=not seat) for seat, name in enumerate(people)],
            "play",
        )
        for at, people in enumerate(pairs)
    ]
    archive, file = tmp_path / "league.archive", tmp_path / "league.toml"
    store(Rules({}, None, None, "", "", "", [], games, []), archive)
    file.write_text('name = "Club"\nmeetings = 2\n[points.places]\n2 = [3, 0]\n', "utf-8")
    apply_league(read_league(file), archive)
    text = Page(report(archive)).text
    assert questions_about(games=False) - set(re.findall(r"gamelog query (\w+)", text)) == set()
    assert "Ana and Eva lead the league of 3 people with 3 points." in text
    assert "4 games are still to be played." in text
    plain = tmp_path / "plain.archive"
    assert "league" not in Page(report(full_pile().stored(plain))).text
