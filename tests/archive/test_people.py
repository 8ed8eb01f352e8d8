"""Who is who across records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gamelog_cli.app import app
from msgspec import structs
from typer.testing import CliRunner

from gamelog.archive import Reader, Update
from gamelog.archive.people import near
from gamelog.errors import ArchiveError
from gamelog.record.envelope import Seat

from .conftest import Table, dump, events_of, rebuilt, write

Run = Callable[..., Update]
Ask = Callable[..., list[tuple[Any, ...]]]
WON = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
GAMES = "SELECT player, count(*) FROM seats GROUP BY player ORDER BY player"


@pytest.fixture
def club(table: Table, indexed: Run) -> Table:
    for day, names in enumerate((("Ana", "José"), ("ana", "Jose\u0301"), ("Ana ", "JOSÉ"), ("Ana", "Rui")), 1):
        table(*WON, names=names, started=f"2026-03-0{day}T20:00:00Z")
    header = table.header("ids")
    header = structs.replace(header, seats=(Seat("red", "Ana", "ana@club"), Seat("blue", "Rui", "rui@club")))
    write(table.folder / "ids.jsonl", header, events_of(header, WON))
    indexed()
    return table


@pytest.mark.usefixtures("club")
def test_a_person_is_one_however_the_name_is_spelled(ask: Ask) -> None:
    assert ask(GAMES) == [("Ana", 4), ("José", 3), ("Rui", 1), ("ana@club", 1), ("rui@club", 1)]
    assert ask("SELECT DISTINCT person FROM seats WHERE player = 'Ana'") == [("name:ana",)]


def test_the_spelling_follows_the_records(club: Table, ask: Ask, indexed: Run, archive: Path, tmp_path: Path) -> None:
    for at in range(5, 9):
        club(*WON, names=("ANA", "Rui"), started=f"2026-03-0{at}T20:00:00Z")
    indexed()
    assert ask("SELECT player FROM seats WHERE person = 'name:ana' GROUP BY 1") == [("ANA",)]
    assert dump(archive) == rebuilt(club.folder, tmp_path)


@pytest.mark.usefixtures("club")
def test_aliases_join_people_without_indexing_again(ask: Ask, archive: Path, tmp_path: Path) -> None:
    before = archive.read_bytes()
    (archive.parent / "people.toml").write_text('[people]\n"Ana Sousa" = ["ANA", "ana@club"]\n', encoding="utf-8")
    assert ask(GAMES) == [("Ana Sousa", 5), ("José", 3), ("Rui", 1), ("rui@club", 1)]
    assert [row[0] for row in ask("players")][:1] == ["Ana Sousa"], "macros and views see it too"
    assert ask("SELECT count(*) FROM results WHERE player = 'Ana Sousa'") == [(5,)]
    other = tmp_path / "other.toml"
    other.write_text('[people]\n"Rui" = ["rui@club"]\n', encoding="utf-8")
    with Reader(archive, people=other) as one, Reader(archive) as two:
        assert one.ask(GAMES).rows == [("Ana", 4), ("José", 3), ("Rui", 2), ("ana@club", 1)]
        assert two.ask(GAMES).rows[0] == ("Ana Sousa", 5), "each reader has its own"
    assert archive.read_bytes() == before


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[people", "is not a file of aliases"),
        ('[people]\n"Ana" = "Rui"\n', "write each person as"),
        ('[people]\n"Ana" = ["A."]\n"Rui" = ["a."]\n', "stands for Ana and for Rui"),
    ],
)
def test_a_bad_file_of_aliases_is_named(archive: Path, text: str, said: str) -> None:
    (archive.parent / "people.toml").write_text(text)
    with pytest.raises(ArchiveError, match=said):
        Reader(archive)
    with pytest.raises(ArchiveError, match="cannot be read"):
        Reader(archive, people=archive.parent / "nowhere.toml")


def test_near_names() -> None:
    names = {"Ana": ["Ana"], "Ana Sousa": ["Ana Sousa"], "José": ["José"], "Jose": ["Jose"], "Lena": ["Lena"], "Omar": ["Omar"]}
    assert list(near(names)) == [("Ana", "Ana Sousa"), ("José", "Jose")]
    assert list(near({"a@x": ["Katharina"], "Catharina": ["Catharina"], "": [""]})) == [("a@x", "Catharina")]


@pytest.mark.usefixtures("club")
def test_people_lists_who_is_who(archive: Path) -> None:
    run = CliRunner()
    done = run.invoke(app(["people"]), ["people", str(archive), "--json"])
    ana, *_ = [json.loads(line) for line in done.stdout.splitlines()]
    assert ana == {"player": "Ana", "games": 4, "names": ["Ana", "Ana ", "ana"], "near": ["ana@club"]}
    assert '"Ana" = ["ana@club"]' in run.invoke(app(["people"]), ["people", str(archive)]).stdout
