"""The stock questions about a league, in leagues whose answers are known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import Reader, all_questions
from gamelog.errors import ArchiveError
from gamelog.league.applying import apply_league
from gamelog.league.league_file import read_league
from tests.archive.conftest import begun
from tests.league.simulated import FIRST_DAY, Chair, Game, Rules, Sitter, store

Ask = Callable[..., list[dict[str, Any]]]

HEAD = 'name = "Club"\ntie_breaks = ["head_to_head"]\n'
POINTS = "[points]\ndraw = 1\n[points.places]\n2 = [3, 0]\n3 = [5, 2, 0]\n"


def game(number: int, *people: str, winner: int | None = 0, day: int = 0, **more: Any) -> Game:
    """A game of these people. Without a winner, it is a draw."""
    chairs = [Chair([Sitter(name, 3)], won=at == winner) for at, name in enumerate(people)]
    return Game(f"g{number}", FIRST_DAY.replace(day=1 + day), chairs, more.pop("result_by", "play"), **more)


@pytest.fixture
def league(tmp_path: Path) -> Callable[..., Ask]:
    """Return a function that makes an archive of games and applies a league, and returns a function that asks."""

    def make(text: str, *games: Game) -> Ask:
        archive, file = begun(tmp_path / "league.archive"), tmp_path / "league.toml"
        store(Rules({}, None, None, "", "", "", [], [*games], []), archive)
        file.write_text(text, "utf-8")
        apply_league(read_league(file), archive)

        def ask(question: str, **values: Any) -> list[dict[str, Any]]:
            with Reader(archive) as reader:
                return reader.ask(question, values).dicts()

        return ask

    return make


def test_a_reader_answers_about_several_days(tmp_path: Path, league: Callable[..., Ask]) -> None:
    ask = league(
        HEAD + POINTS,
        game(1, "Ana", "Rui"),
        game(2, "Rui", "Eva", day=5),
        game(3, "Eva", "Ana", winner=None, day=9),
    )
    days = (None, "2026-03-05", "2026-03-07", None, "2026-03-05")
    questions = ("league_standings", "league_games", "league_crosstable")
    with Reader(tmp_path / "league.archive") as reader:
        lazy = reader.relation("league_games", {"as_of": "2026-03-05"})
        for day in days:
            for question in questions:
                assert reader.ask(question, {"as_of": day}).dicts() == ask(question, as_of=day)
        in_sql = "FROM settled.league_results($as_of::DATE)"
        for as_of in ("2026-03-05", FIRST_DAY.replace(day=5), "2026-3-5"):
            assert len(reader.ask(in_sql, {"as_of": as_of}).rows) == 2, "the results of one game"
        for wrong in ([1], {"a": 1}, 5, "today"):
            with pytest.raises(ArchiveError, match="cannot answer this question"):
                reader.ask(in_sql, {"as_of": wrong})
        assert len(lazy.fetchall()) == 1


def column(rows: list[dict[str, Any]], *names: str) -> list[Any]:
    return [tuple(row[name] for name in names) for row in rows]


def test_the_standings_of_a_day(league: Callable[..., Ask]) -> None:
    ask = league(
        HEAD + POINTS,
        game(1, "Ana", "Rui"),
        game(2, "Rui", "Eva", day=5),
        game(3, "Eva", "Ana", winner=None, day=9),
    )
    assert column(ask("league_standings"), "rank", "player", "points") == [
        (1, "Ana", 4),
        (2, "Rui", 3),
        (3, "Eva", 1),
    ]
    assert column(ask("league_standings", as_of="2026-03-05"), "player", "points") == [("Ana", 3), ("Rui", 0)]
    with pytest.raises(Exception, match="as_of must be a day, for example 2026-02-28"):
        ask("league_standings", as_of="soon")


def test_the_crosstable_is_in_the_order_of_the_standings(league: Callable[..., Ask]) -> None:
    ask = league(HEAD + POINTS, game(1, "Ana", "Rui"), game(2, "Rui", "Ana"), game(3, "Ana", "Eva", "Rui"))
    rows = ask("league_crosstable")
    assert column(rows, "player", "against", "games", "wins", "draws", "losses") == [
        ("Ana", "Rui", 3, 2, 0, 1), ("Ana", "Eva", 1, 1, 0, 0), ("Rui", "Ana", 3, 1, 0, 2),
        ("Rui", "Eva", 1, 0, 1, 0), ("Eva", "Ana", 1, 0, 0, 1), ("Eva", "Rui", 1, 0, 1, 0),
    ]  # fmt: skip
    assert column(rows, "points", "against_points")[0] == (8, 4)


def test_head_to_head_lists_the_games_of_a_pair(league: Callable[..., Ask]) -> None:
    ask = league(
        HEAD + POINTS, game(1, "Ana", "Rui"), game(2, "Rui", "Ana", day=3), game(3, "Ana", "Eva", day=4)
    )
    rows = ask("league_head_to_head", player="Ana", against="Rui")
    assert column(rows, "id", "place", "against_place", "points") == [("g1", 1, 2, 3), ("g2", 2, 1, 0)]
    assert len(ask("league_head_to_head")) == 6


def test_form_has_the_latest_game_last(league: Callable[..., Ask]) -> None:
    games = [game(1, "Ana", "Rui"), game(2, "Rui", "Ana", day=1), game(3, "Ana", "Rui", winner=None, day=2)]
    ask = league(HEAD + POINTS, *games)
    assert column(ask("league_form"), "player", "form", "places", "points") == [
        ("Ana", "WLD", [1, 2, 1], 4),
        ("Rui", "LWD", [2, 1, 1], 4),
    ]
    assert column(ask("league_form", most=2), "player", "form") == [("Ana", "LD"), ("Rui", "WD")]


def test_games_name_the_decision_of_the_organiser(league: Callable[..., Ask]) -> None:
    text = HEAD + POINTS + (
        '[[corrections]]\nrecord = "g1.jsonl"\ndecision = "forfeit"\nwinner = "Rui"\nreason = "Ana left"\n'
        '[[corrections]]\nrecord = "g2"\ndecision = "annulled"\nreason = "wrong board"\nday = 2026-03-20\n'
        '[[corrections]]\npeople = ["Ana", "Eva"]\nwinner = "Eva"\ndecision = "forfeit"\nreason = "Ana was ill"\nday = 2026-03-10\n'
    )  # fmt: skip
    ask = league(
        text, game(1, "Ana", "Rui"), game(2, "Ana", "Eva", day=3), game(3, "Eva", "Rui", day=4, valid=False)
    )
    assert column(ask("league_games"), "id", "people", "points", "result", "reason") == [
        ("g1", ["Rui", "Ana"], [3, 0], "forfeit", "Ana left"),
        ("correction 3", ["Eva", "Ana"], [3, 0], "forfeit", "Ana was ill"),
    ]
    assert column(ask("league_games", as_of="2026-03-15"), "id") == [("g1",), ("g2",), ("correction 3",)]
    assert column(ask("FROM league_seats ORDER BY id, seat, player"), "id", "player", "points", "walkover")[
        0
    ] == (
        "correction 3",
        "Ana",
        0,
        True,
    )


def test_games_still_to_be_played_by_pairings(league: Callable[..., Ask]) -> None:
    text = HEAD + 'newcomers = ["Zoe"]\n' + POINTS + (
        '[[rounds]]\nname = "1"\npairings = [["Ana", "Rui"], ["Eva", "Zoe"]]\n'
        '[[rounds]]\nname = "2"\npairings = [["Rui", "Ana"], ["Ana", "Eva"]]\n'
    )  # fmt: skip
    ask = league(text, game(1, "Rui", "Ana"), game(2, "Ana", "Eva", day=2), game(3, "Rui", "Eva", day=3))
    assert column(ask("league_to_play"), "round", "people", "games") == [
        ("1", ["Eva", "Zoe"], 1),
        ("2", ["Ana", "Rui"], 1),
    ]
    assert column(ask("league_games"), "id", "round") == [("g1", "1"), ("g2", "2")], (
        "no round has the third game"
    )
    assert len(ask("league_to_play", as_of="2026-02-01")) == 4
    assert column(ask("league_standings"), "player", "games")[-1] == ("Zoe", 0)


def test_games_still_to_be_played_by_meetings(league: Callable[..., Ask]) -> None:
    ask = league(
        "meetings = 2\n" + HEAD + POINTS,
        game(1, "Rui", "Ana"),
        game(2, "Ana", "Rui", day=2),
        game(3, "Rui", "Eva", day=3),
    )
    assert column(ask("league_to_play"), "round", "people", "games") == [
        (None, ["Ana", "Eva"], 2),
        (None, ["Eva", "Rui"], 1),
    ]


def test_the_people_of_the_league_are_joined_in_all_questions(league: Callable[..., Ask]) -> None:
    text = HEAD + POINTS + '[people]\n"Ana Sousa" = ["Ana", "A. Sousa"]\n'
    ask = league(text, game(1, "Ana", "Rui"), game(2, "A. Sousa", "Eva", day=1))
    assert column(ask("league_standings"), "player", "points")[0] == ("Ana Sousa", 6)
    assert {row["player"] for row in ask("FROM seats")} == {"Ana Sousa", "Rui", "Eva"}


def test_an_archive_without_a_league_has_no_rows(tmp_path: Path) -> None:
    archive = begun(tmp_path / "plain.archive")
    store(Rules({}, None, None, "", "", "", [], [game(1, "Ana", "Rui")], []), archive)
    with Reader(archive) as reader:
        for name in all_questions():
            if name.startswith("league_"):
                assert reader.ask(name).rows == []
                assert reader.notes(name) == ("The archive has no league. Apply the file of a league to it.",)
