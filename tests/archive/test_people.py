"""Tests of the rule for people across records."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gamelog_cli.app import app
from msgspec import structs
from typer.testing import CliRunner

from gamelog.archive import Reader, Update
from gamelog.archive.rows import near_names, people
from gamelog.archive.rows.near_names import KnownPerson, alias_suggestions, near_people
from gamelog.errors import ArchiveError
from gamelog.record.envelope import Seat
from gamelog.record.names import name_key
from gamelog.record.reading import read_bytes
from tests.shares import examples

from .conftest import Table, dump, events_of, rebuilt, write

Run = Callable[..., Update]
Ask = Callable[..., list[tuple[Any, ...]]]
WON = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
GAMES = "SELECT player, count(*) FROM seats GROUP BY player ORDER BY player"


@pytest.fixture
def club(table: Table, indexed: Run) -> Table:
    for day, names in enumerate(
        (("Ana", "José"), ("ana", "Jose\u0301"), ("Ana ", "JOSÉ"), ("Ana", "Rui")), 1
    ):
        table(*WON, names=names, started=f"2026-03-0{2 * day}T20:00:00Z")
    header = table.header("ids")
    header = structs.replace(header, seats=(Seat("red", "Ana", "ana@club"), Seat("blue", "Rui", "rui@club")))
    write(table.folder / "ids.jsonl", header, events_of(header, WON))
    indexed()
    return table


@pytest.mark.usefixtures("club")
def test_a_person_is_one_however_the_name_is_spelled(ask: Ask) -> None:
    assert ask(GAMES) == [("José", 3), ("ana@club", 5), ("rui@club", 2)]
    assert ask("SELECT DISTINCT person FROM seats WHERE name = 'ana'") == [("id:ana@club",)]
    assert ask("SELECT DISTINCT person FROM seats WHERE player = 'José'") == [("name:josé",)]


def test_the_spelling_follows_the_records(
    club: Table, ask: Ask, indexed: Run, archive: Path, tmp_path: Path
) -> None:
    for at in range(5, 9):
        club(*WON, names=("Mei", "JOSÉ"), started=f"2026-03-0{at}T20:00:00Z")
    indexed()
    assert ask("SELECT player FROM seats WHERE person = 'name:josé' GROUP BY 1") == [("JOSÉ",)]
    assert dump(archive) == rebuilt(club.folder, tmp_path)


@pytest.mark.usefixtures("club")
def test_aliases_join_people_without_indexing_again(ask: Ask, archive: Path, tmp_path: Path) -> None:
    before = archive.read_bytes()
    (archive.parent / "people.toml").write_text(
        '[people]\n"Ana Sousa" = ["ANA", "ana@club"]\n', encoding="utf-8"
    )
    assert ask(GAMES) == [("Ana Sousa", 5), ("José", 3), ("rui@club", 2)]
    assert [row[1] for row in ask("players")][:1] == ["Ana Sousa"], "macros and views see it too"
    assert ask("SELECT count(*) FROM results WHERE player = 'Ana Sousa'") == [(5,)]
    other = tmp_path / "other.toml"
    other.write_text('[people]\n"Rui" = ["rui@club"]\n', encoding="utf-8")
    with Reader(archive, people=other) as one, Reader(archive) as two:
        assert one.ask(GAMES).rows == [("José", 3), ("Rui", 2), ("ana@club", 5)]
        assert two.ask(GAMES).rows[0] == ("Ana Sousa", 5), "each reader has its own"
    assert archive.read_bytes() == before


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[people", "is not a valid file of aliases"),
        ('[people]\n"Ana" = "Rui"\n', "write each person like this"),
        ('[people]\n"Ana" = ["A."]\n"Rui" = ["a."]\n', "is listed for Ana and for Rui"),
    ],
)
def test_a_bad_file_of_aliases_is_named(archive: Path, text: str, said: str) -> None:
    (archive.parent / "people.toml").write_text(text)
    with pytest.raises(ArchiveError, match=said):
        Reader(archive)
    with pytest.raises(ArchiveError, match="toml does not exist"):
        Reader(archive, people=archive.parent / "nowhere.toml")


@pytest.mark.usefixtures("club")
def test_a_file_of_aliases_may_change_while_an_archive_is_opened(
    ask: Ask, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file may be deleted before it is read. It is read once, so all messages are about one content."""
    file, apart = archive.parent / "people.toml", ask(GAMES)
    texts: list[bytes] = []
    file.write_text('[people]\n"Ana" = ["José"]\n')
    assert ask(GAMES) != apart
    looked_for = people.people_file

    def read_once(path: str) -> bytes:
        texts.append(read_bytes(path))
        file.write_text("[people")
        return texts[-1]

    def deleted(*args: Any) -> Path | None:
        found = looked_for(*args)
        file.unlink()
        return found

    monkeypatch.setattr(people, "read_bytes", read_once)
    assert ask(GAMES) != apart
    assert len(texts) == 1
    monkeypatch.undo()
    with pytest.raises(ArchiveError, match=r"people\.toml is not a valid file of aliases"):
        ask(GAMES)
    monkeypatch.setattr(people, "people_file", deleted)
    assert ask(GAMES) == apart
    monkeypatch.undo()
    with pytest.raises(ArchiveError, match="does not exist"), Reader(archive, people=file):
        pass


NEAR = [
    ("Ana", "Ana Sousa"),
    ("José", "Jose"),
    ("Katharina", "Catharina"),
    ("Irene", "Irena"),
    ("Katharina Melo", "K. Melo"),
    ("Reis, Ole", "Ole Reis"),
    ("Éva Pinto", "É. Pinto"),
    ("Eva Pinto", "É. Pinto"),
    ("Ana Maria Sousa", "A. Sousa"),
    ("Mei-Ling Ono", "Ono, Mei Ling"),
]

APART = [("Rita", "Rute"), ("Ana Sousa", "Ana Melo"), ("K. M.", "Katharina Melo"), ("Player 11", "Player 12"), ("Lena", "Omar")]  # fmt: skip


def people_named(*names: str) -> list[KnownPerson]:
    return [KnownPerson(f"name:{name_key(name)}", name, (name,)) for name in names]


@pytest.mark.parametrize(("one", "other"), NEAR)
def test_near_names(one: str, other: str) -> None:
    keys = [f"name:{name_key(name)}" for name in (one, other)]
    assert near_people(people_named(one, other, "Omar Zahl")) == {keys[0]: {keys[1]}, keys[1]: {keys[0]}}


@pytest.mark.parametrize(("one", "other"), APART)
def test_names_that_are_not_near(one: str, other: str) -> None:
    assert near_people(people_named(one, other)) == {}


def test_people_with_different_ids_are_never_near() -> None:
    ids = [KnownPerson(f"id:ana@{club}", f"ana@{club}", ("Ana Sousa",)) for club in ("club", "other")]
    assert near_people(ids) == {}
    near = near_people([*ids, *people_named("Anna Sousa")])
    assert near["name:anna sousa"] == {"id:ana@club", "id:ana@other"}
    (said,) = alias_suggestions([*ids, *people_named("Anna Sousa")], near, {})
    assert (said.line, said.remark) == ("", "Anna Sousa may be ana@club or ana@other")


def test_twenty_thousand_names_are_looked_up_not_held_against_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[None] = []
    alike = near_names._are_alike

    def counted(*given: Any) -> bool:
        compared.append(None)
        return alike(*given)

    monkeypatch.setattr(near_names, "_are_alike", counted)
    syllables = ["ba", "do", "fi", "gu", "ke", "lo", "mi", "na", "po", "ru", "sa", "ti"]
    rng = Random(1)
    crowd = {
        " ".join("".join(rng.choices(syllables, k=3)).title() for _ in "ab") for _ in range(examples(20_000))
    }
    found = near_people(people_named(*crowd, "Zoë Quist", "Z. Quist"))
    assert "name:z. quist" in found["name:zoë quist"]
    assert len(compared) < 10 * len(crowd)


@pytest.mark.usefixtures("club")
def test_people_lists_names_and_people(archive: Path) -> None:
    run = CliRunner()
    done = run.invoke(app(["people"]), ["people", str(archive), "--json"])
    ana, *_ = [json.loads(line) for line in done.stdout.splitlines()]
    assert ana == {"player": "ana@club", "games": 5, "names": ["Ana", "Ana ", "ana"], "near": []}
    assert "[people]" not in run.invoke(app(["people"]), ["people", str(archive)]).stdout


SOUSA = '[people]\n"Ana Sousa" = ["A. Sousa", "ana@club"]\n"Rui" = ["Rui Costa"]\n'
COPIES = "SELECT id, copy_of FROM games WHERE copy_of IS NOT NULL ORDER BY id"


def two_sheets(table: Table, *names: tuple[str, str]) -> None:
    for at, (one, other) in enumerate(names):
        table(*WON, id=f"sheet-{at}", names=(one, other), started=f"2026-03-01T20:00:0{at}Z")


def test_two_sheets_of_people_whom_a_file_joins_are_one_game(
    table: Table, indexed: Run, ask: Ask, archive: Path
) -> None:
    two_sheets(table, ("Ana Sousa", "Rui"), ("A. Sousa", "Rui Costa"), ("A. Silva", "Rui"))
    indexed()
    before = archive.read_bytes()
    assert ask(COPIES) == []
    assert ask("SELECT count(*) FROM results") == [(6,)]
    (archive.parent / "people.toml").write_text(SOUSA, encoding="utf-8")
    assert ask(COPIES) == [("sheet-1", "sheet-0")]
    assert ask("SELECT count(*) FROM results") == [(4,)], "views and macros count it once"
    assert [row[1:4] for row in ask("players")] == [("A. Silva", 1, 1), ("Ana Sousa", 1, 1), ("Rui", 2, 2)]
    assert [row[2] for row in ask("lengths")] == [2]
    with Reader(archive) as reader:
        assert reader.notes("lengths") == (
            'people.toml: no one in the archive has the name "ana@club".',
            "1 record is a copy of another record and does not count. To list copies, ask the stock question copies.",
        )
    (archive.parent / "people.toml").write_text(
        '[people]\n"A. Sousa" = ["Ana Sousa", "A. Silva"]\n"Rui" = ["Rui Costa"]\n'
    )
    assert ask(COPIES) == [("sheet-1", "sheet-0"), ("sheet-2", "sheet-0")], (
        "the file that is there when the question is asked"
    )
    (archive.parent / "people.toml").unlink()
    assert ask(COPIES) == []
    assert archive.read_bytes() == before


def test_a_file_of_aliases_joins_no_people_with_different_ids(
    table: Table, indexed: Run, ask: Ask, archive: Path
) -> None:
    """Ana of the club is in the file. Ana of another club is another person, and a sheet with only Ana may be of either."""
    for id, person in (("a", "ana@club"), ("b", "ana@other"), ("c", None)):
        header = table.header(id)
        header = structs.replace(header, seats=(Seat("red", "Ana", person), Seat("blue", "Rui")))
        write(table.folder / f"{id}.jsonl", header, events_of(header, WON))
    (archive.parent / "people.toml").write_text('[people]\n"Ana Sousa" = ["ana@club"]\n', encoding="utf-8")
    indexed()
    assert ask(COPIES) == []
    assert ask("SELECT DISTINCT person FROM seats WHERE player = 'Ana Sousa'") == [("alias:ana sousa",)]


SPELLINGS = [
    ("Ana  Sousa", "Ana Sousa"),
    ("Rui Cost\u00e0", "Rui Costa\u0300"),
    ("GRO\u00df", "gross"),
    ("Ana\u00a0Sousa", "ana sousa"),
]


@pytest.mark.grid
@pytest.mark.parametrize(("one", "other"), SPELLINGS)
@pytest.mark.parametrize("id", [None, "ana@club"])
def test_spellings_of_a_name_are_one_person_in_the_search_for_copies(
    one: str, other: str, id: str | None, table: Table, indexed: Run, ask: Ask
) -> None:
    """The sheets have only names, or only one of them has an id."""
    for name, seats in (
        ("a", (Seat("red", one, id), Seat("blue", "Rui"))),
        ("b", (Seat("red", other), Seat("blue", "Rui"))),
    ):
        header = structs.replace(table.header(name), seats=seats)
        write(table.folder / f"{name}.jsonl", header, events_of(header, WON))
    indexed()
    assert ask(COPIES) == [("b", "a")]


def test_white_space_is_the_same_for_the_archive_as_for_names(table: Table, indexed: Run, ask: Ask) -> None:
    spaces = [chr(code) for code in range(0x3001) if chr(code).isspace() and chr(code) not in "\r\n"]
    for at, space in enumerate(spaces):
        table(
            *WON,
            id=f"{at:02}",
            names=(f"Ana{space}{space}Sousa{space}", "Rui"),
            started=f"2026-03-{at + 1:02}T20:00:00Z",
        )
    indexed()
    assert ask("SELECT player, count(*) FROM seats WHERE seat = 'red' GROUP BY 1") == [
        ("Ana Sousa", len(spaces))
    ]


def test_a_name_is_known_if_its_person_always_has_an_id(table: Table, indexed: Run, archive: Path) -> None:
    header = structs.replace(table.header("ids"), seats=(Seat("red", "Ana", "ana@club"), Seat("blue", "Rui")))
    write(table.folder / "ids.jsonl", header, events_of(header, WON))
    indexed()
    (archive.parent / "people.toml").write_text('[people]\n"Ana Sousa" = ["Ana", "ana@club"]\n')
    said = CliRunner().invoke(app(["people"]), ["people", str(archive)])
    assert "no one in the archive" not in said.stderr


def test_unknown_names_are_reported_with_suggestions(club: Table, archive: Path) -> None:
    (archive.parent / "people.toml").write_text(
        '[people]\n"Ana Sousa" = ["Anna", "rui@clib", "Zé", "Mei", "Omar"]\n'
    )
    assert club
    said = CliRunner().invoke(app(["people"]), ["people", str(archive)])
    assert said.stderr.splitlines() == [
        'people.toml: no one in the archive has the name "Anna". Did you mean ana?',
        'people.toml: no one in the archive has the name "rui@clib". Did you mean rui@club?',
        'people.toml: no one in the archive has the name "Zé".',
        "people.toml: no one in the archive has 2 more of these names.",
    ]


def test_suggested_lines_can_be_pasted(table: Table, indexed: Run, archive: Path) -> None:
    """A name that may be several people is a comment. An id is joined with a name, but never with another id."""
    names = ("Ana", "Ana Costa", "Ana Sousa", "Katharina", "Catharina", 'Zé "Zeca" Melo', "Z. Melo", "Mei \\ Ono", "Mei Ono", "maria1@club")  # fmt: skip
    for day, name in enumerate(names):
        table(*WON, names=(name, "Omar"), started=f"2026-03-{2 * day + 1:02}T20:00:00Z")
    for at, (name, id) in enumerate((("Maria Reis", "maria1@club"), ("Maria Reis", "maria2@club"), ("Reis, Ole", "ole@club"), ("O. Reis", None))):  # fmt: skip
        header = table.header(f"id-{at}", started=f"2026-05-{2 * at + 1:02}T20:00:00Z")
        header = structs.replace(header, seats=(Seat("red", name, id), Seat("blue", "Omar")))
        write(table.folder / f"id-{at}.jsonl", header, events_of(header, WON))
    indexed()
    said = CliRunner().invoke(app(["people"]), ["people", str(archive)]).stdout
    pasted = said[said.index("[people]") :]
    assert tomllib.loads(pasted)["people"] == {
        "Catharina": ["Katharina"],
        "Mei Ono": ["Mei \\ Ono"],
        "Z. Melo": ['Zé "Zeca" Melo'],
        "maria1@club": ["maria1@club"],
        "ole@club": ["O. Reis"],
    }
    assert "# Ana may be Ana Costa or Ana Sousa" in pasted.splitlines()
    (archive.parent / "people.toml").write_text(pasted, encoding="utf-8")
    with Reader(archive) as reader:
        assert [note for note in reader.notes("SELECT 1") if "people.toml" in note] == []
        ids = "SELECT count(DISTINCT person) FROM seats WHERE key IN ('id:maria1@club', 'id:maria2@club')"
        assert reader.ask(ids).rows == [(2,)]
    again = CliRunner().invoke(app(["people"]), ["people", str(archive)])
    assert again.exit_code == 0
    assert "[people]" not in again.stdout


def test_games_are_those_that_count(table: Table, indexed: Run, archive: Path) -> None:
    table(*WON, id="a")
    table(*WON, id="copy", started="2026-03-02T10:00:00Z")
    table(("middle", 1, 1), id="illegal")
    indexed()
    done = CliRunner().invoke(app(["people"]), ["people", str(archive), "--json"])
    assert {row["player"]: row["games"] for row in map(json.loads, done.stdout.splitlines())} == {
        "Ana": 1,
        "Rui": 1,
    }


def test_only_listed_unknown_names_are_compared_with_the_archive(
    club: Table, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []

    def close(name: str, *given: Any, **named: Any) -> list[str]:
        compared.append(name)
        return get_close_matches(name, *given, **named)

    monkeypatch.setattr(people, "get_close_matches", close)
    others = ", ".join(f'"Player {at:03}"' for at in range(500))
    (archive.parent / "people.toml").write_text(f'[people]\n"Ana Sousa" = [{others}]\n')
    with Reader(archive) as reader:
        assert (
            reader.notes("SELECT 1")[-1] == "people.toml: no one in the archive has 497 more of these names."
        )
    assert club
    assert compared == ["player 000", "player 001", "player 002"]
