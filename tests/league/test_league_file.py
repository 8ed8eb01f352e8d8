"""Each error in a file of a league names its line, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.archive import Reader
from gamelog.errors import ArchiveError
from gamelog.league.applying import apply_league
from gamelog.league.league_file import read_league
from gamelog.league.toml_lines import line_of
from tests.archive.conftest import begun
from tests.league.simulated import FIRST_DAY, Chair, Game, Rules, Sitter, store

GOOD = """name = "Club"
tie_breaks = [
  "head_to_head",
  "wins",
]

[points]
draw = 1
[points.places]
2 = [3, 0]

# the games that count
[[games]]
game = "slicewars"
boards = ["hex50"]
options = { max_rounds = 200 }

[[rounds]]
name = "1"
first_day = 2026-03-01
last_day = 2026-03-31
pairings = [
  ["Ana", "Rui"],
]

[people]
"Ana Sousa" = ["Ana"]

[[corrections]]
record = "g1"
decision = "forfeit"
winner = "Rui"
reason = "Ana left early."
"""

BAD = {
    ('draw = 1', 'draw = = 1'): (8, "This is not valid TOML: Invalid value"),
    ('  "wins",\n]', '  "wins",\n'): (7, "This is not valid TOML"),
    ('name = "Club"\n', 'name = "Club"\nname = "Two"\n'): (2, "This is not valid TOML: Cannot overwrite a value"),
    ('name = "Club"\n', ""): (1, 'The key "name" is missing. Add it.'),
    ('name = "Club"', "name = 7"): (1, "7 is not a text in quotation marks. Write a text in quotation marks."),
    ('name = "Club"', 'name = " "'): (1, "The name is empty."),
    ('draw = 1', 'drawn = 1'): (8, 'There is no key "drawn" here. Write draw.'),
    ('draw = 1', 'weather = 1'): (8, 'There is no key "weather" here. Choose from: places, draw, walkover, ties.'),
    ('draw = 1', 'draw = "one"'): (8, '"one" is not a number.'),
    ('draw = 1', 'draw = inf'): (8, "Points must be finite numbers."),
    ('draw = 1', 'walkover = [3]'): (8, "Write two numbers"),
    ('draw = 1', 'ties = "worst"'): (8, '"worst" is not possible here. Choose from: best, mean.'),
    ('2 = [3, 0]', '2 = [3, "x"]'): (10, '"x" is not a number.'),
    ('2 = [3, 0]', '2 = [3, 0, 0]'): (10, "A game of 2 players has 2 places, but the list has 3."),
    ('2 = [3, 0]', '2 = [0, 3]'): (10, "A worse place gives more points than a better one."),
    ('2 = [3, 0]', 'two = [3, 0]'): (10, '"two" is not a number of players. Write a whole number.'),
    ('2 = [3, 0]', ''): (9, "No points are given."),
    ('2 = [3, 0]', '3 = [3, 1, 0]'): (9, "The league has no points for games of 2 players, for example g1."),
    ('  "wins",', '  "winds",'): (4, '"winds" is not possible here. Write wins.'),
    ('  "wins",', '  "head_to_head",'): (3, 'The tie-break "head_to_head" is listed twice.'),
    ('game = "slicewars"', 'game = "slicewar"'): (14, 'No game "slicewar" is installed. Did you mean slicewars?'),
    ('boards = ["hex50"]', 'boards = ["hex51"]'): (15, '"hex51" is not possible here. Write hex50.'),
    ('boards = ["hex50"]', 'players = [9]'): (15, '"9" is not possible here. Choose from: 2, 3, 4, 5, 6.'),
    ('max_rounds = 200', 'max_round = 200'): (16, 'There is no key "max_round" here. Write max_rounds.'),
    ('max_rounds = 200', 'max_rounds = "many"'): (16, 'The option max_rounds of slicewars cannot be "many"'),
    ('first_day = 2026-03-01', 'first_day = "soon"'): (20, '"soon" is not a day like 2026-10-31'),
    ('last_day = 2026-03-31', 'last_day = 2026-02-01'): (21, "The round ends before it begins."),
    ('last_day = 2026-03-31', 'last_day = 2026-02-31'): (21, "This is not valid TOML"),
    ('  ["Ana", "Rui"],', '  ["Ana", "Rui"],\n  ["Ana", "Roi"],'): (24, 'No game has the person "Roi". Did you mean Rui?'),
    ('  ["Ana", "Rui"],', '  ["Ana"],'): (23, "A pairing needs two different people or more."),
    ('"Ana Sousa" = ["Ana"]', '"Ana Sousa" = ["Ana", 3]'): (27, "3 is not a text in quotation marks."),
    ('"Ana Sousa" = ["Ana"]', '"Ana Sousa" = ["Ana"]\n"Eva" = ["Ana"]'): (28, '"Ana" is listed for Ana Sousa and for Eva.'),
    ('"Ana Sousa" = ["Ana"]', '"Ana Sousa" = ["Ana"]\n"Zoe" = []'): (28, 'No game has the person "Zoe".'),
    ('record = "g1"', 'record = "g9"'): (30, 'The archive has no record "g9". Write the id or the file of a record.'),
    ('record = "g1"', 'people = ["Ana", "Rui"]'): (29, "The day of the game is missing."),
    ('decision = "forfeit"', 'decision = "forfiet"'): (31, '"forfiet" is not possible here. Write forfeit.'),
    ('decision = "forfeit"', 'decision = "annulled"'): (32, 'The decision "annulled" has no key "winner".'),
    ('decision = "forfeit"', 'decision = "result"'): (32, 'The decision "result" has no key "winner".'),
    ('winner = "Rui"', ''): (29, 'The decision "forfeit" needs the key "winner".'),
    ('winner = "Rui"', 'winner = "Eva"'): (32, "Eva does not play in the record g1. Its people: Ana Sousa, Rui."),
    ('reason = "Ana left early."', ''): (29, 'The key "reason" is missing.'),
    ('reason = "Ana left early."', 'reason = ""'): (33, "The reason is empty."),
}  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return an archive with a game of Ana and Rui, and one of Eva and Rui."""
    path = begun(tmp_path / "league.archive")
    games = [
        Game(f"g{number}", FIRST_DAY, [Chair([Sitter(name, 2)], won=at == 0) for at, name in enumerate(people)], "play")
        for number, people in enumerate((("Ana", "Rui"), ("Eva", "Rui")), 1)
    ]  # fmt: skip
    store(Rules({}, None, None, "", "", "", [], games, []), path)
    return path


def test_a_good_file_is_applied(archive: Path, tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    file.write_text(GOOD, "utf-8")
    apply_league(read_league(file), archive)


@pytest.mark.parametrize(("change", "wanted"), BAD.items())
def test_an_error_names_its_line(
    change: tuple[str, str], wanted: tuple[int, str], archive: Path, tmp_path: Path
) -> None:
    file, (old, new), (line, words) = tmp_path / "league.toml", change, wanted
    assert old in GOOD
    file.write_text(GOOD.replace(old, new, 1), "utf-8")
    with pytest.raises(ArchiveError) as caught:
        apply_league(read_league(file), archive)
    assert str(caught.value).startswith(f"{file}, line {line}: {words}")


def test_a_text_in_another_encoding(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    file.write_bytes(b'name = "Club"\n# caf\xe9\n')
    with pytest.raises(ArchiveError, match=r"line 2: This text is not UTF-8\."):
        read_league(file)


def test_a_file_of_great_size_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "league.toml"
    path.write_text(GOOD + "#" * (1 << 20))
    with pytest.raises(ArchiveError, match="larger than 1 MB"):
        read_league(path)


def test_people_in_two_files(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "people.toml").write_text('[people]\n"Rui" = []\n', "utf-8")
    file = tmp_path / "league.toml"
    file.write_text(GOOD, "utf-8")
    with pytest.raises(ArchiveError, match=r"line 26: People are listed here and in .*people\.toml"):
        apply_league(read_league(file), archive)


def test_a_league_that_does_not_fit_leaves_the_earlier_one(archive: Path, tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    file.write_text(GOOD, "utf-8")
    apply_league(read_league(file), archive)
    file.write_text(GOOD.replace("2 = [3, 0]", "3 = [1, 0, 0]").replace("Club", "Other"), "utf-8")
    with pytest.raises(ArchiveError, match="no points"):
        apply_league(read_league(file), archive)
    with Reader(archive) as reader:
        assert reader.ask("SELECT name FROM league").rows == [("Club",)]


def test_the_line_of_each_statement() -> None:
    lines = GOOD.split("\n")
    for place, start in {
        ("name",): 'name = "Club"', ("tie_breaks",): "tie_breaks", ("points",): "[points]", ("games", 0): "[[games]]",
        ("games", 0, "options", "max_rounds"): "options", ("rounds", 0, "pairings"): "pairings",
        ("corrections", 0, "reason"): "reason", ("points", "absent"): "[points]",
    }.items():  # fmt: skip
        assert lines[line_of(GOOD, place) - 1].startswith(start), place
