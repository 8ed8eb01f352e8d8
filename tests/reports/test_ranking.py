"""Tests of the players that a report ranks, and of the list of all other players."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from gamelog_reports.report import section
from gamelog_reports.report.page import report

from gamelog.archive import Reader
from tests.archive.piles import Pile

Cells = list[list[str]]


def add_games(pile: Pile, one: str, other: str, games: int, won: int) -> None:
    """Add this many games of two players, with the number of games that the first one won."""
    for at in range(games):
        pile.game(("red" if at < won else "blue",), players_=(one, other))


def tables(html: str) -> dict[str, Cells]:
    """Return the tables of players by their names, and the chart of the ranking."""
    part = html[html.index('id="game1-players"') :].split("</section>", maxsplit=1)[0]
    found = re.findall(r'aria-label="[^"]*: Players: ([^"]*)" tabindex="0"><table>(.*?)</table>', part, re.S)
    found += [("Ranking", chart) for chart in re.findall(r'class="chart[^>]*>(.*?)<tfoot', part, re.S)]
    return {
        head: [
            [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", body, re.S)
        ]
        for head, body in found
    }


def column(cells: Cells, *names: str) -> list[Sequence[str]]:
    places = [cells[0].index(name) for name in names]
    return [tuple(row[at] for at in places) for row in cells[1:]]


def test_only_players_with_enough_finished_games_are_ranked(tmp_path: Path) -> None:
    pile = Pile()
    add_games(pile, "Ana", "Rui", 20, 8)
    add_games(pile, "Eva", "Ana", 19, 19)
    add_games(pile, "Mei", "Eva", 0, 0)
    html = report(pile.stored(tmp_path / "a.archive"))
    found = tables(html)
    assert column(found["Ranking"], "player", "games") == [("1. Rui", "20"), ("2. Ana", "39")]
    assert column(found["Victories by player"], "player", "finished", "won") == [
        ("Eva", "19", "19"), ("Rui", "20", "12"), ("Ana", "39", "8"),
    ]  # fmt: skip
    assert "2 of 3 players are ranked, those who finished at least 20 games." in html
    assert "too few to" not in html.split('id="game1-players"')[1].split("</section>")[0]


def test_all_players_are_on_the_page(tmp_path: Path) -> None:
    """The chart shows 20 of 44 ranked players. The others are in a folded list, and their ranks continue."""
    pile = Pile()
    people = [f"player {at:02}" for at in range(44)]
    for at, one in enumerate(people):
        add_games(pile, one, people[(at + 1) % 44], 10, 5 + (at < 22))
    found = tables(report(pile.stored(tmp_path / "a.archive")))
    first, rest = found["Ranking"], found["Other ranked players"]
    with Reader(tmp_path / "a.archive") as reader:
        order = [(str(row["player"]), round(row["rating"])) for row in reader.ask("players").dicts()]
    ranked = [f"{rank}. {player}" for rank, player in column(rest, "rank", "player")]
    ratings = [rating for _, rating in order]
    assert len({*ratings}) < len(ratings), "equal ratings share a rank"
    assert [label for (label,) in column(first, "player")] + ranked == [
        f"{ratings.index(rating) + 1}. {player}" for player, rating in order
    ]
    wins = [found[f"Victories by player{part}"] for part in ("", ", other rows")]
    assert [len(rows) for rows in wins] == [1 + 10, 1 + 34]


def test_the_cells_of_a_table_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    layout = section._class

    def count_reads(cells: list[section.TableCell]) -> str:
        looked_at.append(len(cells))
        return layout(cells)

    monkeypatch.setattr(section, "_class", count_reads)
    pile = Pile()
    for one, other in pairwise(f"player {at:02}" for at in range(30)):
        add_games(pile, one, other, 1, 1)
    html = report(pile.stored(tmp_path / "a.archive"))
    assert 30 * 6 < sum(looked_at) < 2 * html.count("<td")


def test_players_who_never_met_are_ranked_separately(tmp_path: Path) -> None:
    pile = Pile()
    add_games(pile, "Ana", "Rui", 20, 8)
    add_games(pile, "Eva", "Mei", 20, 11)
    add_games(pile, "Eva", "Kim", 20, 20)
    html = report(pile.stored(tmp_path / "a.archive"))
    assert column(tables(html)["Ranking"], "player") == [
        ("group 1",), ("1. Eva",), ("2. Mei",), ("3. Kim",), ("group 2",), ("1. Rui",), ("2. Ana",),
    ]  # fmt: skip
    assert "The ranked players form 2 groups that never met." in html


def test_a_page_names_the_question_that_lists_the_omitted_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gamelog_reports.report import fairness_sections

    monkeypatch.setattr(fairness_sections, "MAX_ROWS", 3)
    assert section.MAX_ROWS > 44
    pile = Pile()
    for at in range(5):
        add_games(pile, f"player {at}", f"player {at + 1}", 1, 1)
    html = report(pile.stored(tmp_path / "a.archive"))
    assert "This page leaves out 3 more. To list all of them, run: <code>gamelog query players</code>" in html
    assert len(tables(html)["Victories by player"]) == 1 + 3


def test_an_anonymous_report_has_no_real_names(tmp_path: Path) -> None:
    """The order of the list must not reveal names either."""
    pile = Pile()
    people = [f"{letter}na" for letter in "ABCDEFGHIJKLMNOP"]
    for one, other in pairwise(people):
        add_games(pile, one, other, 1, 1)
    cells = tables(report(pile.stored(tmp_path / "a.archive"), anonymous=True))
    rows = [row for part in ("", ", other rows") for row in cells[f"Victories by player{part}"][1:]]
    shown = [row[0] for row in rows]
    assert len(shown) == 16
    assert [row[3] for row in rows] == ["1"] * 15 + ["0"]
    assert shown[1:15] == sorted(shown[1:15], key=str.casefold)
    assert not set(shown) & set(people)
