"""The standings of a league with analysed games: the result less luck, always beside the result."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.archive import MIN_GAMES, Reader, index
from gamelog.league.applying import apply_league
from gamelog.league.league_file import read_league
from tests.archive.conftest import Table
from tests.archive.test_analyses import season
from tests.cli.terminal import Terminal
from tests.league.conftest import Gamelog

LEAGUE = 'name = "Club"\n[points]\n[points.places]\n2 = [3, 0]\n'


def analysed_club(folder: Path, games: int) -> Path:
    """Write a league of analysed games of Ana and Rui, and return its folder."""
    season(Table(folder), games)
    (folder / "league.toml").write_text(LEAGUE)
    return folder


def test_the_column_is_that_of_the_question_and_changes_no_rank(records: Path, tmp_path: Path) -> None:
    archive = tmp_path / "club.archive"
    for games in (MIN_GAMES - 1, MIN_GAMES + 4):
        folder = analysed_club(records, games)
        index([folder], archive)
        apply_league(read_league(folder / "league.toml"), archive)
        with Reader(archive) as reader:
            rows = reader.ask("league_standings").dicts()
            found = {row["player"]: row for row in reader.ask("adjusted").dicts()}
        assert [(row["rank"], row["player"], row["analysed"]) for row in rows] == [
            (1, "Ana", games),
            (2, "Rui", games),
        ]
        for row in rows:
            asked = found[row["player"]]
            assert row["share"] == pytest.approx(asked["result"])
            assert row["points"] == pytest.approx(3 * games * row["share"]), "points are the raw result"
            if games < MIN_GAMES:
                assert row["adjusted"] is None
            else:
                assert row["adjusted"] == pytest.approx(asked["adjusted"])


def test_a_correction_by_the_organiser_is_no_result_to_adjust(records: Path, tmp_path: Path) -> None:
    folder, archive = analysed_club(records, MIN_GAMES), tmp_path / "club.archive"
    decision = '[[corrections]]\nrecord = "001"\ndecision = "forfeit"\nwinner = "Rui"\nreason = "late"\n'
    (folder / "league.toml").write_text(LEAGUE + decision)
    index([folder], archive)
    apply_league(read_league(folder / "league.toml"), archive)
    with Reader(archive) as reader:
        rows = reader.ask("league_standings").dicts()
    assert {(row["games"], row["analysed"], row["adjusted"]) for row in rows} == {
        (MIN_GAMES, MIN_GAMES - 1, None)
    }


def test_terminal_and_site_show_the_columns_only_with_enough_games(
    gamelog: Gamelog, records: Path, tmp_path: Path
) -> None:
    words = ("league", records, "--archive", tmp_path / "club.archive")
    environment = {"COLUMNS": "120", "PYTHONPATH": str(Path(__file__).parents[1] / "archive" / "plugin")}

    def shown() -> str:
        with Terminal(*words, **environment) as screen:
            assert screen.ends() == 0
            return screen.text

    analysed_club(records, MIN_GAMES - 1)
    assert "without" not in shown()
    analysed_club(records, MIN_GAMES)
    table = shown()
    assert table.index("analysed") < table.index("share") < table.index("without")
    assert gamelog(*words, "-o", "site").status == 0
    for page in ("index.html", "standings.html"):
        html = Path("site", page).read_text()
        assert html.index("share of wins in them") < html.index("without luck")
