"""The file of a league in docs/organisers.md, applied to the games that it describes."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from gamelog.archive import Reader
from gamelog.league.applying import apply_league
from gamelog.league.checking import open_matters
from gamelog.league.league_file import read_league
from tests.archive.conftest import begun
from tests.league.simulated import Chair, Game, Rules, Sitter, store

PAGE = Path(__file__).parents[2] / "docs" / "organisers.md"


def game(id: str, day: date, first: str, second: str, tag: str | None = None) -> Game:
    chairs = [Chair([Sitter(first, 3)], won=True), Chair([Sitter(second, 3)], won=False)]
    return Game(id, day, chairs, "play", tag=tag)


def test_the_league_of_the_page_works(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    file, archive = tmp_path / "league.toml", begun(tmp_path / "league.archive")
    file.write_text(text)
    games = [
        game("round1-table1", date(2026, 10, 1), "A. Sousa", "Rui Pinto", "1"),
        game("round2-table1", date(2026, 10, 9), "Rui Pinto", "Eva Reis"),
        game("round2-table2", date(2026, 10, 9), "Ana Sousa", "Eva Reis"),
    ]
    store(Rules({}, None, None, "", "", "", [], games, []), archive)
    league = read_league(file)
    apply_league(league, archive)
    with Reader(archive) as reader:
        rows = reader.ask("league_standings").dicts()
        assert [(row["player"], row["points"], row["games"]) for row in rows] == [
            ("Ana Sousa", 6, 2),
            ("Eva Reis", 2, 2),
            ("Rui Pinto", 0, 1),
            ("Zoe Martins", 0, 1),
        ]
        assert [row["round"] for row in reader.ask("league_games").dicts()] == ["1", "1", "2"]
    assert open_matters(league, archive, today=date(2026, 10, 20)) == []
