"""`gamelog league`: the tables of a folder of records with a file `league.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.league.conftest import Gamelog, Play

HEAD = 'name = "Club"\ntie_breaks = ["head_to_head", "sonneborn_berger"]\nmeetings = 2\n'
POINTS = "[points]\ndraw = 1\n[points.places]\n2 = [3, 0]\n"


@pytest.fixture
def club(records: Path, play: Play) -> Path:
    """Return the folder of a league of three games."""
    play("Ana", "Rui")
    play("Rui", "Eva", day=3)
    play("Ana", "Eva", day=5)
    (records / "league.toml").write_text(HEAD + POINTS)
    return records


def test_the_command_indexes_the_folder_and_prints_the_standings(
    gamelog: Gamelog, club: Path, play: Play
) -> None:
    done = gamelog("league", club, "--archive", "club.archive")
    assert (done.status, done.err) == (0, "")
    columns, *rows = (line.split("\t") for line in done.out.splitlines())
    assert columns[:3] == ["rank", "player", "points"]
    assert [row[:3] for row in rows] == [["1", "Ana", "6.0"], ["2", "Rui", "3.0"], ["3", "Eva", "0.0"]]
    for name in (
        "head_to_head",
        "sonneborn_berger",
        "buchholz",
        "difference",
        "score",
        "per_game",
        "forfeits",
    ):
        assert name in columns
    play("Eva", "Ana", day=9)
    assert gamelog("league", club, "--archive", "club.archive", "--json").json[2]["points"] == 3


@pytest.mark.parametrize(
    ("show", "form"),
    [
        ("standings", ("--format", "csv")),
        ("standings", ("--format", "csv", "--raw")),
        ("crosstable", ("--json",)),
        ("head_to_head", ()),
        ("form", ("--json",)),
        ("to_play", ("--format", "json")),
        ("games", ("--no-headings",)),
    ],
)
def test_every_table_is_the_answer_of_its_stock_question(
    show: str, form: tuple[str, ...], gamelog: Gamelog, club: Path
) -> None:
    done = gamelog("league", club, "--archive", "club.archive", "--show", show, *form)
    assert (done.status, done.err) == (0, "")
    assert len(done.out.splitlines()) >= 3
    assert done.out == gamelog("query", f"league_{show}", "--archive", "club.archive", *form).out


def test_the_table_of_a_day(gamelog: Gamelog, club: Path) -> None:
    done = gamelog("league", club, "--archive", "club.archive", "--as-of", "2026-10-03", "--json")
    assert [(row["player"], row["points"]) for row in done.json] == [("Ana", 3), ("Rui", 3), ("Eva", 0)]


def test_parameters_of_a_table(gamelog: Gamelog, club: Path) -> None:
    words = ("league", club, "--archive", "club.archive", "--json", "--show")
    pair = gamelog(*words, "head_to_head", "--set", "player=Eva", "--set", "against=Rui")
    assert [row["place"] for row in pair.json] == [2]
    assert {row["form"] for row in gamelog(*words, "form", "--set", "most=1").json} == {"W", "L"}
    wrong = gamelog(*words, "form", "--set", "least=1")
    assert wrong.status == 2
    assert 'has no parameter "least"' in wrong.err


def test_another_file_can_describe_the_league(gamelog: Gamelog, club: Path) -> None:
    (club / "league.toml").rename(club.parent / "second.toml")
    missing = gamelog("league", club, "--archive", "club.archive")
    assert (missing.status, missing.out) == (2, "")
    assert "has no file league.toml. Write the file, or name another one with --league." in missing.err
    assert not Path("club.archive").exists()
    assert gamelog("league", club, "--archive", "club.archive", "--league", "second.toml").status == 0


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (HEAD + "round = 3\n" + POINTS, 4, 'There is no key "round" here.'),
        (HEAD + POINTS.replace("0]", "5]"), 7, "A worse place gives more points than a better one."),
        (HEAD + POINTS + '[people]\n"Anna" = []\n', 9, "Did you mean Ana?"),
        (HEAD + POINTS.replace("2 = [", "3 = [5, "), 6, "The league has no points for games of 2 players"),
        (HEAD + "[points\n", 4, "This is not valid TOML"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "pt"])
def test_an_error_of_the_file_names_its_line(
    text: str, line: int, said: str, language: str, gamelog: Gamelog, club: Path
) -> None:
    (club / "league.toml").write_text(text)
    done = gamelog("league", club, "--archive", "club.archive", "--language", language)
    assert (done.status, done.out) == (2, "")
    word = "line" if language == "en" else "linha"
    assert done.err.startswith(f"gamelog: {club / 'league.toml'}, {word} {line}: ")
    assert (said in done.err) == (language == "en")


def test_a_wrong_day_a_wrong_folder_and_two_formats_are_refused(gamelog: Gamelog, club: Path) -> None:
    words = ("league", club, "--archive", "club.archive")
    assert gamelog(*words, "--as-of", "soon").status == 2
    assert gamelog(*words, "--json", "--format", "csv").status == 2
    assert "nowhere is not a folder" in gamelog("league", "nowhere", *words[2:]).err


def test_files_that_cannot_be_indexed_are_reported(gamelog: Gamelog, club: Path) -> None:
    (club / "torn.jsonl").write_text("not a record\n")
    done = gamelog("league", club, "--archive", "club.archive")
    assert done.status == 0
    assert "1 file could not be indexed. To list them, run: gamelog query findings" in done.err


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize(
    ("language", "heading", "empty"),
    [("en", "points", "All games of the league are played."), ("pt", "pontos", "estão disputados")],
)
def test_a_terminal_shows_the_tie_breaks_of_the_league_in_their_order(
    width: int, language: str, heading: str, empty: str, club: Path, tmp_path: Path, play: Play
) -> None:
    words = ("league", club, "--archive", tmp_path / "club.archive", "--language", language)
    environment = {"COLUMNS": str(width), "PYTHONPATH": str(Path(__file__).parents[1] / "archive" / "plugin")}
    with Terminal(*words, **environment) as screen:
        assert screen.ends() == 0
        table = screen.text.partition("Club\n")[2]
        assert max(map(len, table.splitlines())) <= width
        assert heading in table
        assert table.index("Ana") < table.index("Rui") < table.index("Eva")
    for names in (("Rui", "Ana"), ("Eva", "Rui"), ("Eva", "Ana")):
        play(*names, day=12)
    with Terminal(*words, "--show", "to_play", **environment) as screen:
        assert screen.ends() == 0
        assert empty in screen.text
