"""Tests of readers: they answer questions, and change neither the archive nor the machine."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import TABLES, VIEWS, Format, Reader, index
from gamelog.archive.indexing.store import Store
from gamelog.archive.schema import connecting
from gamelog.errors import ArchiveError

from .conftest import numbers, three_games


@pytest.fixture(scope="module")
def archive(untouched: Path) -> Path:
    return untouched


@pytest.fixture(scope="module")
def reader(archive: Path) -> Iterator[Reader]:
    with Reader(archive) as reader:
        yield reader


@pytest.fixture
def own(shelf: Path, tmp_path: Path) -> Path:
    """Return an archive of the same games that a test may change, with the games on the shelf."""
    three_games(shelf)
    index([shelf], tmp_path / "own.archive")
    return tmp_path / "own.archive"


def test_an_answer_has_columns_types_and_rows(reader: Reader) -> None:
    answer = reader.ask(
        "SELECT id, events, winners FROM games WHERE events > $least ORDER BY id", {"least": 2}
    )
    assert answer.columns == ("id", "events", "winners")
    assert answer.types == ("VARCHAR", "BIGINT", "VARCHAR[]")
    assert answer.rows == [("a", 6, ["red"])]
    assert answer.dicts() == [{"id": "a", "events": 6, "winners": ["red"]}]


def test_a_limit_is_a_limit(reader: Reader) -> None:
    assert len(reader.ask("FROM range(1000000000)", limit=3).rows) == 3


def test_every_table_view_and_column_is_there_as_declared(reader: Reader) -> None:
    for table in (*TABLES.values(), *VIEWS.values()):
        answer = reader.ask(f"FROM {table.name}", limit=0)
        assert answer.columns == tuple(column.name for column in table.columns)
        assert answer.types == tuple(column.sql for column in table.columns)
        assert table.meaning
        assert all(column.meaning for column in table.columns)


def test_views_save_the_joins(reader: Reader) -> None:
    assert reader.ask("SELECT id, seat, turn_order, player, won, score, reason, minutes FROM results ORDER BY seat").rows == [
        ("a", "blue", 2, "Rui", False, 0, "points", 0.1), ("a", "red", 1, "Ana", True, 2, "points", 0.1),
    ]  # fmt: skip
    assert reader.ask("SELECT n, player, kind, seconds, data->>'at' FROM moves WHERE id = 'a' ORDER BY n").rows == [
        (1, "Ana", "pull", 1.0, "left"), (3, "Rui", "pull", 1.0, "right"), (5, "Ana", "pull", 1.0, "right"),
    ]  # fmt: skip
    assert reader.ask("SELECT n, player, sides, face, source, stands FROM dice WHERE id = 'b' ORDER BY player").rows == [
        (2, "Ana", 6, 1, "table", True), (2, "Rui", 6, 1, "table", True),
    ]  # fmt: skip
    for name in VIEWS:
        (ids,) = reader.ask(f"SELECT count(*) FROM (SELECT id FROM {name} ANTI JOIN games USING (id))").rows
        assert ids == (0,)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("SELECT * FROM gams", "Did you mean"),
        ("SELECT colour FROM games", '(line 1, at "colour")'),
        ("SELEKT 1", 'The question is not valid SQL: syntax error at or near "SELEKT" (line 1, at "SELEKT")'),
        ("SELECT id\nFROM games\nWHERE nosuch(id)", '(line 3, at "nosuch(id)")'),
        ("SELECT " + "1, " * 200 + "colour FROM games", '(line 1, at "colour")'),
        ("", "empty"),
        ("-- nothing", "empty"),
        ("SELECT 1; SELECT 2", "one statement at a time"),
        ("SELECT $x", "x"),
        ("SELECT 1 / 'a'", "a"),
        ("SELECT error('boom')", "boom"),
    ],
)
def test_mistakes_are_explained_in_one_sentence(reader: Reader, question: str, said: str) -> None:
    with pytest.raises(ArchiveError) as caught:
        reader.ask(question)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert "LINE 1" not in str(caught.value)


def test_readers_that_write_the_same_file_share_an_archive(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.csv"
    with Reader(archive, out=out), Reader(archive, out=out) as reader:
        reader.save("SELECT 1 AS one", "csv")
    assert out.read_text() == "one\n1\n"


@pytest.mark.parametrize(
    "question",
    [
        "SELECT now() AS now, 1 AS one",
        "SELECT now(), now();",
        "SELECT [now()] -- a list",
        "SELECT {'at': now()}",
    ],
)
def test_times_with_a_zone_come_as_text(reader: Reader, question: str) -> None:
    answer = reader.ask(question)
    assert "TIMESTAMP WITH TIME ZONE" in answer.types[0]
    assert isinstance(answer.rows[0][0], str)
    assert "202" in answer.rows[0][0]


def test_every_type_can_be_asked_for(reader: Reader) -> None:
    answer = reader.ask("FROM test_all_types()")
    zoned = [at for at, type in enumerate(answer.types) if "TIMESTAMPTZ" in type]
    assert zoned
    assert all(isinstance(answer.rows[0][at], str) for at in zoned)


def test_zoned_times_of_a_value_come_as_text(reader: Reader) -> None:
    asked = reader.ask("SELECT $at::TIMESTAMPTZ AS at", {"at": "2026-03-01 20:00:00+00"})
    assert asked.rows[0][0].startswith(("2026-03-01 ", "2026-03-02 ")), "as the clock shows it here"


def test_a_question_that_is_nearly_named_is_suggested(reader: Reader) -> None:
    for word, hint in (
        ("seatz", "Did you mean seats?"),
        (" Lenghts ", "Did you mean lengths?"),
        ("games", "FROM games"),
        ("xyzzy", "Look at the list of stock questions"),
    ):
        with pytest.raises(ArchiveError, match="There is no stock question") as caught:
            reader.ask(word)
        assert hint in str(caught.value)


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_an_answer_is_written(format: Format, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / f"it's an answer.{format}"
    with Reader(archive, out=out) as reader:
        reader.save(
            "SELECT id, events, tags->>'event' AS event FROM games WHERE valid ORDER BY id -- all of them",
            format,
        )
    wanted = [{"id": "a", "events": 6, "event": "Club, night"}, {"id": "b", "events": 2, "event": None}]
    if format == "csv":
        with out.open(newline="") as file:
            assert [
                row | {"events": int(row["events"]), "event": row["event"] or None}
                for row in csv.DictReader(file)
            ] == wanted
    elif format == "json":
        assert [json.loads(line) for line in out.read_text().splitlines()] == wanted
    else:
        import duckdb

        assert [
            dict(zip(wanted[0], row, strict=True)) for row in duckdb.read_parquet(str(out)).fetchall()
        ] == wanted
    assert sorted(path.name for path in tmp_path.iterdir()) == [out.name]


def test_a_stock_question_is_written(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "seats.csv"
    with Reader(archive, out=out) as reader:
        reader.save("seats", "csv", {"game": "tug"})
    assert out.read_text().startswith("game,players,seat,")


def test_a_failed_answer_keeps_the_old_file(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "answer.csv"
    out.write_text("yesterday's")
    with Reader(archive, out=out) as reader, pytest.raises(ArchiveError):
        reader.save("SELECT error('boom') FROM events", "csv")
    with Reader(archive, out=out) as reader, pytest.raises(ArchiveError):
        reader.save("DELETE FROM games", "csv")
    assert out.read_text() == "yesterday's"
    assert not list(tmp_path.glob(".*"))


def test_an_error_without_a_place_names_none(archive: Path) -> None:
    with (
        Reader(archive) as reader,
        pytest.raises(
            ArchiveError,
            match=r"^The archive cannot answer this question: boom\. Correct the "
            r"question and try again\.$",
        ),
    ):
        reader.ask("SELECT error('boom')")


def test_an_answer_has_to_go_somewhere(archive: Path, tmp_path: Path) -> None:
    with Reader(archive) as reader, pytest.raises(ArchiveError, match="No file was named"):
        reader.save("SELECT 1", "csv")
    with (
        Reader(archive, out=tmp_path / "nowhere" / "x.csv") as reader,
        pytest.raises(ArchiveError, match="nowhere"),
    ):
        reader.save("SELECT 1", "csv")


def test_many_may_read_at_once(archive: Path) -> None:
    code = "import sys; from gamelog.archive import Reader; print(Reader(sys.argv[1]).ask('SELECT count(*) FROM games').rows)"
    with Reader(archive):
        done = subprocess.run(
            [sys.executable, "-c", code, archive], capture_output=True, text=True, check=True
        )
    assert done.stdout == "[(3,)]\n"


def test_a_file_that_is_not_an_archive_is_named(tmp_path: Path, shelf: Path) -> None:
    import duckdb

    three_games(shelf)
    noise, note, other, empty, later = (
        tmp_path / name for name in ("noise", "note", "other", "empty", "later")
    )
    noise.write_bytes(b"no archive " * 999)
    note.write_bytes(b"call Ana\n")  # so short that DuckDB takes it for a file that is still empty
    for path, sql in (
        (other, "CREATE TABLE t (x INT)"),
        (empty, "SELECT 1"),
        (later, "CREATE TABLE archive AS SELECT 999 AS version"),
    ):
        with duckdb.connect(str(path)) as connection:
            connection.execute(sql)
    said = {
        noise: "is not an archive",
        note: "is not an archive",
        other: "not an archive of game records",
        empty: "is empty. Index records to fill it",
        later: "has version 999",
        tmp_path / "missing": "There is no archive",
        tmp_path: "is a folder",
    }
    for path, words in said.items():
        with pytest.raises(ArchiveError, match=words):
            Reader(path)
    for path in (noise, note, other, later, tmp_path, tmp_path / "no" / "folder"):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(ArchiveError):
            index([shelf], path)
        assert before is None or path.read_bytes() == before
    assert index([shelf], empty).records == 3


HOLD = """
import sys, time
from gamelog.archive.indexing.store import Store
with Store(sys.argv[1]) as store:
    store.sql("DELETE FROM games")
    print("held", flush=True)
    sys.stdin.read()
"""


def test_an_archive_that_is_being_written_is_left_alone_and_survives_its_writer(
    own: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for waiting in (connecting.connect, Store.__init__):
        defaults = {**(waiting.__kwdefaults__ or {}), "patience": 0.2}
        monkeypatch.setattr(waiting, "__kwdefaults__", defaults)
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.2)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, own], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "held\n"
        for attempt in (lambda: Reader(own), lambda: index([shelf], own)):
            with pytest.raises(ArchiveError, match=rf"another process \(PID {writer.pid}\)"):
                attempt()
        writer.kill()
    assert numbers(index([shelf], own)) == (0, 0, 3, 0, 3, 2)


def test_a_reader_here_keeps_a_writer_out(own: Path, shelf: Path) -> None:
    with Reader(own), pytest.raises(ArchiveError, match="in use by this process"):
        index([shelf], own)
    assert index([shelf], own).same == 3


def test_the_command_line_starts_without_duckdb() -> None:
    code = "import sys, gamelog.archive; sys.exit('duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_values_come_as_python_has_them(reader: Reader) -> None:
    ((row),) = reader.ask("SELECT 1.5::DOUBLE, NULL, [1, 2], TRUE, 'é'").rows
    expected: tuple[Any, ...] = (1.5, None, [1, 2], True, "é")
    assert row == expected
